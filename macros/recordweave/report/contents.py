"""What every format is made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from recordweave.records.diagnostic import Diagnostic, Severity

_DECEIVING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, what turns the direction of text round, and what no encoding or no XML can hold."""

_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Report:
    """The outcome of a check.

    `root` is the folder that file names are relative to, `files` are those that were checked, `diagnostics` what is
    told of them, in order. `systems` and `entries` say how much was read, `scope` what alone is told of, if not all.
    """

    root: Path
    diagnostics: Sequence[Diagnostic]
    files: Sequence[str]
    systems: int
    entries: int
    scope: str = ""

    def count(self, severity: Severity) -> int:
        return sum(each.severity is severity for each in self.diagnostics)


def harmless(text: str) -> str:
    """A text on one line, with what would deceive a reader or a terminal written as an escape."""
    return _DECEIVING.sub(lambda each: each[0].encode("unicode_escape").decode("ascii"), text)


def encodable(text: str) -> str:
    """A text that UTF-8 can hold: a byte of a file name that was none of a text becomes a replacement character."""
    return _HALVES.sub("\ufffd", text)
