"""Waivers: comments in which an author lets a single fault stand, with a reason.

In YAML it is a comment, `# recordweave: allow <code>: <reason>`, on a page `<!-- recordweave: allow … -->`. It stands
at the end of the line concerned or on the line above. In come the texts of files that were read and what was found in
them; out comes what is still to be told, the faults of the waivers themselves included.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from recordweave.records.diagnostic import CODES, Diagnostic, Place, Severity, did_you_mean
from recordweave.records.severities import GUARDING, OMITTING
from recordweave.sources.shown_text import Gap, shown
from recordweave.sources.yaml_document import Document, Lines, Mark

UNWAIVABLE = GUARDING | OMITTING | {"waiver", "unused-waiver"}
"""The codes that no comment waives."""

_WORD = "recordweave:"
_IN_YAML = re.compile(rf"(?:^|(?<=[ \t]))#[ \t]*{_WORD}(?P<said>[^\n]*)", re.MULTILINE)
_IN_PROSE = re.compile(rf"<!--\s*{_WORD}(?P<said>.*?)-->", re.DOTALL)
_SAID = re.compile(r"\s*allow\s+(?P<code>[^\s:]+)(?:\s*:(?P<reason>.*))?\s*", re.DOTALL)
_HEADER = re.compile(r"(?:[&!]\S*\s+)*[|>][^\n]*")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Waiver:
    """What a comment says, where it stands, how one is written in its file, and the lines that it is about."""

    code: str
    reason: str
    place: Place
    form: str
    lines: frozenset[int]

    def waives(self, fault: Diagnostic) -> bool:
        """Whether it names a fault, and stands where it is about it."""
        return fault.code == self.code and fault.place.file == self.place.file and fault.place.line in self.lines


def in_yaml(document: Document) -> list[Waiver]:
    """The waivers of a YAML file. What stands inside a text is text; one on a text's line is about all of the text."""
    if _WORD not in document.text:
        return []
    spans = list(_spans(document.marks, document.marks[0], document.text))
    lines = document.lines
    blocks = {(lines.position(first)[0], lines.position(max(start, end - 1))[0]) for first, start, end in spans}
    return _found(_IN_YAML, lines, lambda at: not any(start <= at < end for _, start, end in spans), sorted(blocks))


def in_unread(text: str, file: str) -> list[Waiver]:
    """What looks like a waiver in a YAML file that could not be read."""
    return _found(_IN_YAML, Lines(text, file), lambda _: True) if _WORD in text else []


def in_prose(lines: Lines, gaps: Iterable[Gap] = (), begin: int = 0) -> list[Waiver]:
    """The waivers of a page that can be rendered; what stands in code is none. `gaps` are its template's tags."""
    if _WORD not in lines.text:
        return []
    tags = list(gaps)
    comments = [Gap(*each.span()) for each in _IN_PROSE.finditer(lines.text, begin)]
    comments = [each for each in comments if not any(tag.start <= each.start < tag.end for tag in tags)]
    outside = [tag for tag in tags if not any(each.start <= tag.start < each.end for each in comments)]
    every = sorted([*comments, *outside], key=lambda each: each.start)
    seen = shown(lines.text, (), every, begin).gaps if comments else ()
    starts = {every[number].start for number in seen}
    return _found(_IN_PROSE, lines, lambda at: at in starts, begin=begin)


def _found(
    pattern: re.Pattern[str],
    lines: Lines,
    counts: Callable[[int], bool],
    blocks: Sequence[tuple[int, int]] = (),
    begin: int = 0,
) -> list[Waiver]:
    """The comments that count, each with the lines that it is about; `blocks` are the lines of whole texts."""
    comments = [each for each in pattern.finditer(lines.text, begin) if counts(each.start())]
    rows = lines.text.split("\n")
    spans = [(lines.position(each.start())[0], lines.position(each.end() - 1)[0]) for each in comments]
    alone = {
        last: first
        for comment, (first, last) in zip(comments, spans, strict=True)
        if not (_row(lines.text, comment.start(), 0) + _row(lines.text, comment.end(), 1)).strip()
    }
    beginnings = set(alone.values())
    found = []
    for comment, (first, last) in zip(comments, spans, strict=True):
        about = {first}
        if last in alone:
            below = last + 1
            while below in beginnings or (pattern is _IN_YAML and _is_comment(rows, below)):
                below = next((end for end, start in alone.items() if start == below), below) + 1
            about = {below}
            above = rows[lines.text.count("\n", 0, begin) : first - 1]
            if all(not row.strip() or (pattern is _IN_YAML and row.lstrip().startswith("#")) for row in above):
                about.add(1)  # where faults of the file as a whole are told
        about |= {line for start, end in blocks if about & set(range(start, end + 1)) for line in range(start, end + 1)}
        found.append(_waiver(comment, lines.place(comment.start()), frozenset(about)))
    return found


def _waiver(comment: re.Match[str], place: Place, about: frozenset[int]) -> Waiver:
    said = _SAID.fullmatch(comment["said"])
    code, reason = (said["code"], (said["reason"] or "").strip()) if said else ("", "")
    form = "# recordweave: allow {}: {}" if comment.re is _IN_YAML else "<!-- recordweave: allow {}: {} -->"
    return Waiver(code, reason, place, form, about)


def _row(text: str, index: int, side: int) -> str:
    """What stands on the line of a character before it (0), or from it on (1)."""
    if side:
        end = text.find("\n", index)
        return text[index : end if end >= 0 else len(text)]
    return text[text.rfind("\n", 0, index) + 1 : index]


def _is_comment(rows: Sequence[str], line: int) -> bool:
    return line <= len(rows) and rows[line - 1].lstrip().startswith("#")


def _spans(mark: Mark, key_at: int, text: str) -> Iterator[tuple[int, int, int]]:
    """Every text of a document: where its key begins, where the text begins, and where it ends.

    Keys in quotes are such texts; the line of the `|` before a text is not part of it.
    """
    start, end, parts = mark
    if isinstance(parts, dict):
        for at, each in parts.values():
            if quoted := _QUOTED.match(text, at):
                yield at, at, quoted.end()
            yield from _spans(each, at, text)
    elif parts is not None:
        for each in parts:
            yield from _spans(each, each[0], text)
    else:
        end = start + len(text[start:end].rstrip())
        header = _HEADER.match(text, start, end)
        yield key_at, header.end() if header else start, end


@dataclass
class Settled:
    """What is left of the faults, what is wrong with waivers, and the waivers that waive nothing."""

    left: list[Diagnostic]
    faults: list[Diagnostic]
    unused: list[Diagnostic]


def settle(found: Iterable[Diagnostic], waivers: Iterable[Waiver], needed: Collection[Diagnostic] = ()) -> Settled:
    """Take what is waived from what was found. What is `needed` has to be told, whatever its code."""
    by_file: dict[str, list[Diagnostic]] = defaultdict(list)
    for fault in found:
        by_file[fault.place.file].append(fault)
    settled = Settled([], [], [])
    waived: set[Diagnostic] = set()
    for waiver in waivers:
        here = [each for each in by_file[waiver.place.file] if waiver.waives(each)]
        if complaint := _complaint(waiver, any(each in needed for each in here)):
            settled.faults.append(Diagnostic("waiver", Severity.ERROR, complaint[0], waiver.place, complaint[1]))
        elif here:
            waived.update(here)
        else:
            lines = sorted({each.place.line for each in by_file[waiver.place.file] if each.code == waiver.code})
            hint = f"remove the comment, or put it above line {lines[0]}" if lines else "remove the comment"
            message = f"this waives nothing: there is no `{waiver.code}` here"
            settled.unused.append(Diagnostic("unused-waiver", Severity.WARNING, message, waiver.place, hint))
    settled.left = [each for faults in by_file.values() for each in faults if each not in waived]
    return settled


def _complaint(waiver: Waiver, is_needed: bool) -> tuple[str, str] | None:
    """What is wrong with a waiver, and how to mend it."""
    code = waiver.code
    if not code:
        hint = f"write `{waiver.form.format('<code>', '<reason>')}`"
        return "this comment begins with `recordweave:`, and does not say which fault it allows", hint
    if code not in CODES:
        hint = did_you_mean(code, CODES) or "write the code that stands in brackets behind the message"
        return f"`{code}` is not the code of a diagnostic", hint
    if code in UNWAIVABLE or is_needed:
        here = "" if code in UNWAIVABLE else " here, since the page cannot be shown with it"
        return f"`{code}` cannot be waived{here}", "mend what it tells of, and remove this comment"
    if not waiver.reason:
        return f"this waives `{code}` without a reason", f"write `{waiver.form.format(code, '<reason>')}`"
    return None
