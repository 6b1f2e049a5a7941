"""What is wrong with the text of a YAML file that the parser does not mind or cannot name, as diagnostics.

Characters that no text should hold, spaces that are none, and text that YAML takes for a comment.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import NoReturn

from recordweave.records.diagnostic import Diagnostic, Severity
from recordweave.sources.yaml_document import Lines

MAX_DEPTH = 64
"""How deep lists and mappings may be nested; the deepest record has six levels."""

MAX_FAULTS = 1_000
"""How many faults of one file are told; whoever has more has another problem."""

TOO_DEEP = f"lists and mappings are nested more than {MAX_DEPTH} deep"
FLATTEN = "nest them less deeply"
QUOTE = "put the text in double quotes"

_ODD = "\u00a0\u1680\u180e\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"
ODD_SPACE = re.compile(f"[{_ODD}]")
"""Characters that look like a space, or like nothing, and that YAML takes for letters."""

_ODD_AFTER_KEY = re.compile(rf"^[ \t]*(?:- +)*(?:-|[\"']?[\w.-]+[\"']?:)?([{_ODD}])", re.MULTILINE)
_ODD_KEY = re.compile(rf"(?:-|[\"']?[\w.-]+[\"']?:)([{_ODD}])")
_ODD_INDENT = re.compile(rf"^[ \t]*([{_ODD}])", re.MULTILINE)
_TAB_INDENT = re.compile(r"^ *(\t)[ \t]*[^\s#]", re.MULTILINE)
_FORBIDDEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FOLDED = re.compile(r"[^\n]\n[^\n\s]")
_LOST = re.compile(r"[ \t]+(#)[^\s#]")
_MOST_CHARACTERS = 20


class RefusedError(Exception):
    """The file breaks a limit; the fault is among the `Faults`."""


class Faults:
    """The faults found so far in one text, and whether every value could still be told."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[Diagnostic] = []
        self.whole = True

    def add(self, fault: Diagnostic, *, whole: bool) -> None:
        """Add a fault; `whole` if every value can be told in spite of it."""
        self.whole &= whole
        if len(self.found) == MAX_FAULTS:
            self.whole = False
            message = f"the file has more than {MAX_FAULTS:,} faults"
            hint = "mend those above; the rest was not read"
            self.found.append(Diagnostic("yaml-size", Severity.ERROR, message, fault.place, hint))
            raise RefusedError
        self.found.append(fault)

    def keep(self, code: str, message: str, index: int, hint: str, *also: tuple[str, int]) -> None:
        """Add an error that leaves every value readable."""
        self.add(error(self.lines, code, message, index, hint, *also), whole=True)

    def lose(self, code: str, message: str, index: int, hint: str, *also: tuple[str, int]) -> None:
        """Add an error behind which some value cannot be told."""
        self.add(error(self.lines, code, message, index, hint, *also), whole=False)

    def refuse(self, code: str, message: str, index: int, hint: str) -> NoReturn:
        """Add an error behind which the text is read no further."""
        self.lose(code, message, index, hint)
        raise RefusedError

    def follow(self, fault: Diagnostic) -> None:
        """Add an error that loses a value, unless it only follows from another error on its line."""
        self.whole = False
        line = fault.place.line
        if not any(each.place.line == line and each.severity is Severity.ERROR for each in self.found):
            self.add(fault, whole=False)

    def plain(self, start: int, end: int) -> None:
        """Look at an unquoted text for what it loses to a comment, and for what it hides."""
        if lost := _LOST.match(self.lines.text, end):
            message = "the text from this `#` on is taken for a comment and lost"
            text = self.lines.text
            quote = QUOTE if "\n" in text[start:end] else quoting(text, start)
            hint = f"{quote}, or a space behind the `#` if it is a comment"
            place = self.lines.place(lost.start(1))
            self.add(Diagnostic("yaml-lost-text", Severity.WARNING, message, place, hint), whole=True)
        if (index := _hidden_space(self.lines.text, start, end)) is not None:
            self.add(_odd_space(self.lines, index), whole=False)

    def folded(self, value: str, start: int) -> None:
        """Warn of a folded text whose empty lines were to part paragraphs: folding leaves one line break of each."""
        if _FOLDED.search(value):
            message = "an empty line in a folded text (`>`) does not begin a paragraph"
            hint = "write `|` in place of `>`"
            self.add(Diagnostic("yaml-folded", Severity.WARNING, message, self.lines.place(start), hint), whole=True)

    def escapes(self, value: str, start: int) -> None:
        """Refuse in a quoted text what only an escape can smuggle in."""
        if not value.isprintable() and (found := _FORBIDDEN.search(value)):
            message = f"an escape in this text stands for {_described(found.group())}"
            self.lose("yaml-encoding", message, start, "remove the escape")


def error(lines: Lines, code: str, message: str, index: int, hint: str, *also: tuple[str, int]) -> Diagnostic:
    """An error at a character of a text, with a word on other characters that have to do with it."""
    related = tuple((said, lines.place(each)) for said, each in also)
    return Diagnostic(code, Severity.ERROR, message, lines.place(index), hint, related)


def quoting(text: str, start: int) -> str:
    """How to quote the text that starts here, shown where the rest of the line is short and simple."""
    rest = text[start : start + 60].split("\n")[0].strip()
    balanced = all(rest.count(opener) == rest.count(closer) for opener, closer in ("[]", "{}"))
    simple = 0 < len(rest) <= 50 and balanced and rest[-1] not in ",|>" and not set(rest) & set('"\\\t')
    return f'{QUOTE}: "{rest}"' if simple else QUOTE


def character_faults(lines: Lines) -> Iterator[Diagnostic]:
    """Characters that no text should hold; where there are very many, the first."""
    for found in islice(_FORBIDDEN.finditer(lines.text), _MOST_CHARACTERS):
        message = f"the text holds {_described(found.group())}"
        yield error(lines, "yaml-encoding", message, found.start(), "remove it")


def spacing_fault(lines: Lines, start: int, stop: int, *, tabs: bool) -> Diagnostic | None:
    """A tab or odd space that indents a line or follows a key, from `start` up to the line of `stop`."""
    text = lines.text
    end = text.find("\n", stop)
    end = len(text) if end < 0 else end
    line = text.rfind("\n", 0, start) + 1
    patterns = (_TAB_INDENT, _ODD_AFTER_KEY) if tabs else (_ODD_AFTER_KEY,)
    found = [each.start(1) for pattern in patterns for each in pattern.finditer(text, line, end)]
    index = min((each for each in found if each >= start), default=None)
    if index is None:
        return None
    return tab_fault(lines, index) if text[index] == "\t" else _odd_space(lines, index)


def tab_fault(lines: Lines, index: int) -> Diagnostic:
    """The fault of a tab where only spaces can stand."""
    return error(lines, "yaml-indentation", "a tab stands where only spaces can", index, "use spaces")


def _odd_space(lines: Lines, index: int) -> Diagnostic:
    character = lines.text[index]
    name = unicodedata.name(character).lower()
    article = "an" if name[0] in "aeiou" else "a"
    message = f"{article} {name} (U+{ord(character):04X}) stands where only an ordinary space can"
    return error(lines, "yaml-indentation", message, index, "replace it by an ordinary space")


def _hidden_space(text: str, start: int, end: int) -> int | None:
    """The first odd space at the edge of an unquoted text, behind its seeming key, or indenting it."""
    for index in (start, max(start, end - 1)):
        if ODD_SPACE.match(text, index):
            return index
    line = start
    while line and text[line - 1] in " -\t":
        line -= 1
    begins_line = line == 0 or text[line - 1] == "\n"
    found = (begins_line and _ODD_KEY.match(text, start, end)) or _ODD_INDENT.search(text, start, end)
    return found.start(1) if found else None


def _described(character: str) -> str:
    kinds = {"Cs": "half a character", "Cn": "a code that is no character"}
    kind = kinds.get(unicodedata.category(character), "a control character")
    if character in "\x85\u2028\u2029":
        kind = "a line break that most editors do not show"
    return f"{kind} (U+{ord(character):04X})"
