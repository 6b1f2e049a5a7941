"""A YAML file that was read: its value, and where in the file every part of the value stands.

What is kept of a position is the index of its first character and of the one behind its last; lines and
columns are counted only when somebody asks, which is when something is wrong. Lines end where an editor ends
them, at a line feed.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from recordweave.records.diagnostic import Place
from recordweave.records.values import Pointer

Value = str | list["Value"] | dict[str, "Value"]
"""What a file holds: every scalar is the text its author wrote."""

Mark = tuple[int, int, "dict[str, tuple[int, Mark]] | list[Mark] | None"]
"""Where a value starts and ends, and the marks of its parts, in a mapping each with the start of its key."""

_BLOCK = 1024
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")
_BLANKS = re.compile(r"([ \t\n]+)")


@dataclass(frozen=True, slots=True)
class Span:
    """From the first character of a value to just behind its last; all count from 1."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Lines:
    """A text to look up lines and columns in; byte-order mark and carriage returns are not part of it."""

    def __init__(self, text: str, file: str) -> None:
        text = text.removeprefix("\ufeff")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text
        self.file = file

    @cached_property
    def _breaks(self) -> list[int]:
        """How many lines end before each block of the text; a table of all lines may cost seconds."""
        blocks = range(0, len(self.text), _BLOCK)
        return [0, *accumulate(self.text.count("\n", start, start + _BLOCK) for start in blocks)]

    @cached_property
    def _end(self) -> int:
        return len(self.text.rstrip("\n"))

    def position(self, index: int) -> tuple[int, int]:
        """Line and column of a character; the end of the file is the end of its last line with content."""
        index = min(index, self._end)
        block = index // _BLOCK
        line = self._breaks[block] + self.text.count("\n", block * _BLOCK, index) + 1
        return line, index - self.text.rfind("\n", 0, index)

    def place(self, index: int) -> Place:
        """The place of a character."""
        return Place(self.file, *self.position(index))


@dataclass
class Document:
    """One file: the name shown to its author, its text with line feeds only, its value, and every position.

    A value that an alias repeats is one object and has one place, where it was written: do not change it.
    """

    file: str
    text: str
    value: Value
    marks: Mark = field(repr=False)
    lines: Lines = field(repr=False, compare=False)
    _found: dict[tuple[int, str], list[int]] = field(default_factory=dict, repr=False, compare=False)

    def place(self, pointer: Pointer, *, key: bool = False) -> Place:
        """Where the value at `pointer` starts, or its key; if it is missing, that of its nearest ancestor."""
        key_at, mark = self._mark(pointer)
        return self.lines.place(key_at if key else mark[0])

    def span(self, pointer: Pointer) -> Span:
        """From where to where the value at `pointer` was written."""
        start, end, _ = self._mark(pointer)[1]
        end = start + len(self.text[start:end].rstrip(" \t\n"))
        return Span(*self.lines.position(start), *self.lines.position(end))

    def find(self, pointer: Pointer, text: str, occurrence: int = 0) -> Place:
        """Where the occurrence of `text` numbered from 0 stands in the source of the scalar at `pointer`.

        A space in `text` also matches a folded line break. What is not found in the source, being written
        with escapes, say, has the place of the whole value.
        """
        start, end, parts = self._mark(pointer)[1]
        if parts is not None or not text:
            return self.lines.place(start)
        if (places := self._found.get((start, text))) is None:
            places = self._found[start, text] = self._occurrences(start, end, text)
        return self.lines.place(places[occurrence] if 0 <= occurrence < len(places) else start)

    def _occurrences(self, start: int, end: int, text: str) -> list[int]:
        """Where a text stands in the source of a scalar."""
        properties = _PROPERTIES.match(self.text, start, end)
        begin = properties.end() if properties else start
        style = self.text[begin : begin + 1] if begin < end else ""
        if style in ("|", ">"):
            begin = max(begin, self.text.find("\n", begin))
        elif style in ("'", '"'):
            begin, end = begin + 1, end - 1
        pattern = re.compile(_pattern(text, style))
        return [each.start() for each in pattern.finditer(self.text, begin, end)]

    def _mark(self, pointer: Pointer) -> tuple[int, Mark]:
        mark = self.marks
        key_at = mark[0]
        for step in pointer:
            parts = mark[2]
            if isinstance(parts, dict) and isinstance(step, str) and step in parts:
                key_at, mark = parts[step]
            elif isinstance(parts, list) and isinstance(step, int) and 0 <= step < len(parts):
                mark = parts[step]
                key_at = mark[0]
            else:
                break
        return key_at, mark


def _pattern(text: str, style: str) -> str:
    """A pattern for `text` as it may be written in a scalar of a style, which its first character tells."""
    parts = []
    for part in _BLANKS.split(text):
        if part == " ":
            parts.append(r"(?: |[ \t]*\\?\n[ \t\n]*)")
        elif _BLANKS.fullmatch(part):
            parts.append(r"[ \t\n]+")
        elif style == "'":
            parts.append(re.escape(part.replace("'", "''")))
        elif style == '"':
            parts.append(re.escape(part.replace("\\", "\\\\").replace('"', '\\"')))
        else:
            parts.append(re.escape(part))
    return "".join(parts)
