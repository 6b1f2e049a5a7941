"""A report as SARIF 2.1.0, which services for code scanning read."""

import json
import os
from typing import Any
from urllib.parse import quote

from recordweave import __version__
from recordweave.records.diagnostic import CODES, Diagnostic, Place
from recordweave.report.contents import Report, encodable

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def in_sarif(report: Report) -> str:
    """One run, with a rule for every code there is. It is plain ASCII: whatever else a text holds is escaped."""
    run = {
        "tool": {"driver": {"name": "recordweave", "version": __version__, "rules": _rules()}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each) for each in report.diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules() -> list[dict[str, Any]]:
    return [{"id": code, "shortDescription": {"text": sentence}} for code, sentence in CODES.items()]


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    told = diagnostic.message + (f"\nhelp: {diagnostic.hint}" if diagnostic.hint else "")
    result = {
        "ruleId": diagnostic.code,
        "ruleIndex": list(CODES).index(diagnostic.code),
        "level": diagnostic.severity.value,
        "message": {"text": encodable(told)},
        "locations": [{"physicalLocation": _location(diagnostic.place)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(place), "message": {"text": encodable(word)}}
            for number, (word, place) in enumerate(diagnostic.related, 1)
        ]
    return result


def _location(place: Place) -> dict[str, Any]:
    address = quote(os.fsencode(place.file), safe="/")
    is_outside = address.startswith("/")
    return {
        "artifactLocation": {"uri": f"file://{address}"} if is_outside else {"uri": address, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": max(place.line, 1), "startColumn": max(place.column, 1)},
    }
