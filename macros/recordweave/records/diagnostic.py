"""A complaint as data: what is wrong, where, and how to mend it.

Every layer yields diagnostics and none prints them, except through `report`, which both the command line and the
build use.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from heapq import nlargest


class Severity(StrEnum):
    """How much a diagnostic weighs: an error fails every check and build, a warning only the strict ones."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a file an author edits; line and column count from 1, `file` is as shown to the author."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def below(self, lines: int) -> "Place":
        """The place so many lines further down."""
        return Place(self.file, self.line + lines, self.column)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint.

    `code` is one of `CODES`, `message` one sentence, `hint` how to mend it, `related` further places with a word on
    each (the first of two duplicates, say).
    """

    code: str
    severity: Severity
    message: str
    place: Place
    hint: str = ""
    related: tuple[tuple[str, Place], ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"no such diagnostic code: {self.code}")
        for name in ("message", "hint"):
            object.__setattr__(self, name, _shortened(getattr(self, name)))


def _shortened(text: str) -> str:
    """A text with what it quotes cut to a length that somebody can read."""
    if len(text) > _LONGEST_QUOTED:
        text = _QUOTED.sub(lambda each: f"{each[1]}{each[2]}…{each[1]}", text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 2_000
_LONGEST_QUOTED = 300
_QUOTED = re.compile(rf"([`'])((?:(?!\1).){{100}})(?:(?!\1).){{{_LONGEST_QUOTED - 100},}}\1", re.DOTALL)


CODES: dict[str, str] = {
    "yaml-syntax": "The file is not YAML.",
    "yaml-duplicate-key": "A key stands twice in one mapping.",
    "yaml-alias": "An anchor or alias is undefined, unused, refers to itself, or expands without bound.",
    "yaml-tag": "A value carries a YAML tag.",
    "yaml-depth": "The file is nested too deeply.",
    "yaml-size": "The file is too large.",
    "yaml-encoding": "The file is not UTF-8 text.",
    "yaml-empty": "The file holds nothing.",
    "yaml-documents": "The file holds more than one YAML document.",
    "yaml-key": "A key is not plain text.",
    "yaml-lost-text": "Text behind ` #` is a comment to YAML and would be lost.",
    "yaml-folded": "An empty line in a folded text was to begin a paragraph, and does not.",
    "yaml-indentation": "A line is indented with something other than spaces, or not as far as it should be.",
    "schema": "A value does not have the shape that the schema asks for.",
    "vocabulary": "A controlled value is not in its vocabulary.",
    "unknown-key": "A key is not one that the schema knows.",
    "missing-key": "A key that the schema requires is not there.",
    "unknown-file": "A file under `records/` is none that the collection knows.",
    "unreadable-file": "A file cannot be read, or leads out of the repository.",
    "missing-system": "A system has no `system.yml`, or a folder of prose has no records.",
    "duplicate-name": "Two sources or two members share an ID, a name or a prefix.",
    "reserved-name": "A name would take an address that the site itself uses.",
    "duplicate-id": "Two records declare the same ID.",
    "alias-clash": "A former ID of a record is also that of another one.",
    "legacy-id": "A record's ID ends in a number in place of a name, as IDs of older sets do.",
    "id-form": "The name in a record's ID is not one to three words that begin with letters.",
    "wrong-file": "A record stands in a file that is not the one its ID calls for.",
    "unknown-id": "Something cites a record that nobody declares.",
    "former-id": "Something cites a record by an ID that it has no more.",
    "near-miss": "Something looks like the ID of a record or a source, but is not written as one.",
    "never-cited": "Nothing cites a record, and it cites no other.",
    "unknown-source": "Evidence cites a source that the register does not have.",
    "wrong-kind": "A cell or field holds the ID of a record of the wrong kind.",
    "part-of-self": "A record is part of itself.",
    "part-of-cycle": "Records are part of each other in a circle.",
    "own-annotation": "A member annotates a record that it declares itself.",
    "annotated-twice": "A member annotates a record in two places.",
    "merged-functions": "A row of a ledger describes as `other` what the vocabulary has a function for, or several.",
    "compared-twice": "A member compares a claim with routes in two rows.",
    "superseded-by-self": "A record is superseded by itself.",
    "supersession-cycle": "Records are superseded by each other in a circle.",
    "superseded-twice": "A record is superseded in two places.",
    "superseded-by-others": "Several records supersede one, and not all of them are parts of it.",
    "range": "A range of records is cited by its ends, and those between are not written out.",
    "bad-address": "A repository, revision or link is not one that can be published.",
    "bad-lines": "The lines of a piece of evidence run backwards, or belong to no file.",
    "missing-reason": "A finding says that there is none, and not why.",
    "missing-layer": "A status needs evidence of a layer that none of the evidence given is of.",
    "wrong-layer": "Evidence names a layer that its source is not registered with.",
    "template": "A page's template syntax is wrong or goes beyond calling macros.",
    "unknown-macro": "A page calls a macro that does not exist.",
    "macro-argument": "A page calls a macro with an argument that it does not take.",
    "front-matter": "A page's front matter is not what the site needs.",
    "active-content": "A page of prose would run something, or load something from elsewhere.",
    "shown-twice": "The sections of a report show the same twice.",
    "missing-section": "A report lacks a section that `system.yml` names, or that is usual in such a report.",
    "section-order": "The sections of a report are not in the order of `system.yml`, or in the usual one.",
    "withheld-report": "A page has the name of a withheld member, so that it would be taken for its report.",
    "not-shown": "A member's records or rows appear on none of its pages.",
    "waiver": "A comment that waives a fault gives no reason, or waives what cannot be waived.",
    "unused-waiver": "A comment waives a fault that is not there.",
}
"""Every code there is, with the sentence that the documentation gives it."""

WARNINGS = frozenset(
    {
        "annotated-twice",
        "compared-twice",
        "id-form",
        "legacy-id",
        "missing-section",
        "never-cited",
        "not-shown",
        "range",
        "section-order",
        "unused-waiver",
        "withheld-report",
        "wrong-layer",
        "yaml-folded",
        "yaml-lost-text",
    }
)
"""The codes of warnings; the others are of errors."""


def usual_severity(code: str) -> Severity:
    """The severity of a code.

    Two codes are warnings in some places: `bad-address` where no more than a link in a text is at fault, `near-miss`
    where a sentence may mean what it says.
    """
    return Severity.WARNING if code in WARNINGS else Severity.ERROR


@dataclass(frozen=True, slots=True)
class Example:
    """A few lines of a file, as their author would see them; a line `# ...` stands for lines left out."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is behind a code: why there is the rule and how to mend what breaks it, in Markdown, and two examples."""

    why: str
    wrong: Example
    right: Example


def nearest(wrong: str, right: Iterable[str], nearness: float = 0.6) -> str:
    """The nearest right value, whatever its case, or an empty string where none is near (1 is the same)."""
    return Near(right).nearest(wrong, nearness)


def did_you_mean(wrong: str, right: "Iterable[str] | Near", nearness: float = 0.6) -> str:
    """A hint with the nearest right value, or an empty string where none is near."""
    near = (right if isinstance(right, Near) else Near(right)).nearest(wrong, nearness)
    return f"did you mean `{near}`?" if near else ""


class Near:
    """Right values, made ready to be asked for the nearest to many wrong ones.

    How near two texts are is what `difflib` says. Since that takes long, it is only asked about values that can be
    nearer than what was found: two texts are no nearer than the characters that they have in common allow.
    """

    MOST_COMPARED = 20
    """How many values are compared in full; where more may be as near, hardly one of them was meant."""

    LONGEST = 199
    """The most characters of a wrong value that is compared; no right one is so long."""

    def __init__(self, right: Iterable[str]) -> None:
        self._values = {each.casefold(): each for each in right}

    @cached_property
    def _known(self) -> list[tuple[str, int, int]]:
        return [(each, len(each), _characters(each)) for each in self._values]

    def nearest(self, wrong: str, nearness: float = 0.6) -> str:
        """The nearest right value, whatever its case, or an empty string where none is near (1 is the same)."""
        wrong = wrong.casefold()
        if wrong in self._values:
            return self._values[wrong]
        length = len(wrong)
        if length > self.LONGEST:
            return ""
        own = _characters(wrong)
        uncounted = length - own.bit_count()
        may_be = [
            (common / (length + other), each)
            for each, other, characters in self._known
            if (common := 2 * ((own & characters).bit_count() + uncounted)) >= nearness * (length + other)
        ]
        matcher = SequenceMatcher(b=wrong)
        best, found = nearness, ""
        for most, each in nlargest(self.MOST_COMPARED, may_be):
            if most < best:
                break
            matcher.set_seq1(each)
            ratio = matcher.ratio()
            if ratio > best or (ratio == best and each > found):
                best, found = ratio, each
        return self._values[found] if found else ""


_REPEATED = 4
"""How often a character counts that stands several times in a text."""


def _characters(text: str) -> int:
    """The characters of a text as bits: what two texts have in common is then counted at once.

    A character may find its bit taken, by one of the same or by a rare one, and is not counted then.
    """
    bits = 0
    counts: Counter[str] = Counter()
    for each in text:
        if counts[each] < _REPEATED:
            bits |= 1 << (_REPEATED * (ord(each) % 256) + counts[each])
        counts[each] += 1
    return bits
