"""Waivers: comments in which an author lets a single fault stand, with a reason.

In YAML it is a comment, `# recordweave: allow <code>: <reason>`, on a page `<!-- recordweave: allow … -->`. It stands
at the end of the line concerned or on the line above. In come the texts of files that were read and what was found in
them; out comes what is still to be told, the faults of the waivers themselves included.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from recordweave.records.diagnostic import CODES, Diagnostic, Place, Severity, did_you_mean
from recordweave.records.severities import GUARDING, OMITTING
from recordweave.sources.shown_text import Gap, is_within, shown
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
    lines: tuple[range, ...]


def in_yaml(document: Document) -> list[Waiver]:
    """The waivers of a YAML file. What stands inside a text is text; one on a text's line is about all of the text."""
    if _WORD not in document.text:
        return []
    spans = sorted(_spans(document.marks, document.marks[0], document.text), key=lambda each: each[1])
    lines = document.lines
    blocks = {(lines.position(first)[0], lines.position(max(start, end - 1))[0]) for first, start, end in spans}

    def counts(at: int) -> bool:
        before = bisect_right(spans, at, key=lambda each: each[1])
        return before == 0 or at >= spans[before - 1][2]

    return _found(_IN_YAML, lines, counts, [range(first, last + 1) for first, last in sorted(blocks) if first <= last])


def in_unread(text: str, file: str) -> list[Waiver]:
    """What looks like a waiver in a YAML file that could not be read."""
    return _found(_IN_YAML, Lines(text, file), lambda _: True) if _WORD in text else []


def in_prose(lines: Lines, gaps: Iterable[Gap] = (), begin: int = 0) -> list[Waiver]:
    """The waivers of a page that can be rendered; what stands in code is none. `gaps` are its template's tags."""
    if _WORD not in lines.text:
        return []
    tags = list(gaps)
    end = lines.text.rfind("-->") + len("-->")  # what is not closed by then is no comment, and is not looked at
    comments = [Gap(*each.span()) for each in _IN_PROSE.finditer(lines.text, begin, end)]
    comments = [each for each in comments if not is_within(each.start, tags)]
    outside = [tag for tag in tags if not is_within(tag.start, comments)]
    every = sorted([*comments, *outside], key=lambda each: each.start)
    seen = shown(lines.text, (), every, begin).gaps if comments else ()
    starts = {every[number].start for number in seen}
    return _found(_IN_PROSE, lines, lambda at: at in starts, begin=begin)


def _found(
    pattern: re.Pattern[str],
    lines: Lines,
    counts: Callable[[int], bool],
    blocks: Sequence[range] = (),
    begin: int = 0,
) -> list[Waiver]:
    """The comments that count, each with the lines that it is about; `blocks` are the lines of whole texts."""
    end = len(lines.text) if pattern is _IN_YAML else lines.text.rfind("-->") + len("-->")
    comments = [each for each in pattern.finditer(lines.text, begin, end) if counts(each.start())]
    rows = lines.text.split("\n")
    spans = [(lines.position(each.start())[0], lines.position(each.end() - 1)[0]) for each in comments]
    alone = {
        first: last
        for comment, (first, last) in zip(comments, spans, strict=True)
        if not (_row(lines.text, comment.start(), 0) + _row(lines.text, comment.end(), 1)).strip()
    }
    in_yaml = pattern is _IN_YAML
    begins = lines.text.count("\n", 0, begin)
    content = next((row for row, text in enumerate(rows[begins:], begins + 1) if not _is_empty(text, in_yaml)), 0)
    below: dict[int, int] = {}  # from the last line up, so that comments above each other look no further than one
    for first, last in reversed(alone.items()):
        line = last + 1
        while line not in below and in_yaml and _is_comment(rows, line):
            line += 1
        below[first] = below.get(line, line)
    found = []
    for comment, (first, _) in zip(comments, spans, strict=True):
        about = [below.get(first, first)]
        if first in alone and (not content or first <= content):
            about.append(1)  # where faults of the file as a whole are told
        texts = [block for line in about for block in _around(blocks, line)]
        ranges = (*(range(line, line + 1) for line in about), *texts)
        found.append(_waiver(comment, lines.place(comment.start()), ranges))
    return found


def _around(blocks: Sequence[range], line: int) -> Iterator[range]:
    """Those of some blocks, in order and not one in the other, that a line is in."""
    before = bisect_right(blocks, line, key=lambda each: each.start)
    return takewhile(lambda each: line in each, (blocks[number] for number in range(before - 1, -1, -1)))


def _waiver(comment: re.Match[str], place: Place, about: tuple[range, ...]) -> Waiver:
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


def _is_empty(row: str, in_yaml: bool) -> bool:
    return not row.strip() or (in_yaml and row.lstrip().startswith("#"))


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


def settle(
    found: Iterable[Diagnostic],
    waivers: Iterable[Waiver],
    needed: Collection[Diagnostic] = (),
    idle: Iterable[Waiver] = (),
) -> Settled:
    """Take what is waived from what was found. What is `needed` has to be told, whatever its code.

    Waivers that are `idle`, since they stand in files that could not be read, waive nothing; those are told of that
    name a fault that is there and could not be waived anyway.
    """
    everything = list(found)
    faults: dict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for fault in sorted(everything, key=lambda each: each.place.line):
        faults[fault.place.file, fault.code].append(fault)
    settled = Settled([], [], [])
    waived: set[Diagnostic] = set()
    for waiver in waivers:
        alike = faults.get((waiver.place.file, waiver.code), [])
        here = list(_in_lines(alike, waiver.lines))
        if complaint := _complaint(waiver, any(each in needed for each in here)):
            settled.faults.append(Diagnostic("waiver", Severity.ERROR, complaint[0], waiver.place, complaint[1]))
        elif here:
            waived.update(here)
        else:
            hint = f"remove the comment, or put it above line {alike[0].place.line}" if alike else "remove the comment"
            message = f"this waives nothing: there is no `{waiver.code}` here"
            settled.unused.append(Diagnostic("unused-waiver", Severity.WARNING, message, waiver.place, hint))
    for waiver in idle:
        alike = faults.get((waiver.place.file, waiver.code), [])
        if waiver.code in UNWAIVABLE and any(_in_lines(alike, waiver.lines)) and (said := _complaint(waiver, False)):
            settled.faults.append(Diagnostic("waiver", Severity.ERROR, said[0], waiver.place, said[1]))
    settled.left = [each for each in everything if each not in waived]
    return settled


def _in_lines(faults: Sequence[Diagnostic], lines: Iterable[range]) -> Iterator[Diagnostic]:
    """Those of some faults of one file, in order, that stand in some lines."""
    for each in lines:
        first = bisect_left(faults, each.start, key=lambda fault: fault.place.line)
        yield from faults[first : bisect_left(faults, each.stop, key=lambda fault: fault.place.line)]


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
