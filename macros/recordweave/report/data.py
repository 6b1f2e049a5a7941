"""A report as JSON, in the shape of `diagnostics.schema.json`."""

import json
from typing import Any

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.report.contents import Report, encodable

VERSION = 1
"""That of the shape; it grows when a reader of the old shape would not understand the new one."""


def in_json(report: Report) -> str:
    """Everything that is told, as data. It is plain ASCII: whatever else a text holds is escaped."""
    return json.dumps(data(report), indent=2) + "\n"


def data(report: Report) -> dict[str, Any]:
    return {
        "version": VERSION,
        "counts": {
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "files": len(report.files),
            "systems": report.systems,
            "entries": report.entries,
        },
        "diagnostics": [_diagnostic(each) for each in report.diagnostics],
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": encodable(diagnostic.message),
        "hint": encodable(diagnostic.hint),
        **_place(diagnostic.place),
        "related": [{"message": encodable(word), **_place(place)} for word, place in diagnostic.related],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"file": encodable(place.file), "line": place.line, "column": place.column}
