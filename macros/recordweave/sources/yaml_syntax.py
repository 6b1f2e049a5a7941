"""What is wrong where YAML's parser gave up, said to the author of the file.

In come the parser's complaint and how far the reader came; out comes one diagnostic that points at the
character to mend and says how. The parser knows only where it could not go on: a missing quote shows lines
later, and of a text that begins with a bracket it complains behind the bracket.
"""

import re
from dataclasses import dataclass

import yaml

from recordweave.records.diagnostic import Diagnostic
from recordweave.sources.yaml_document import Lines
from recordweave.sources.yaml_faults import FLATTEN, QUOTE, TOO_DEEP, error, quoting, spacing_fault, tab_fault

_KEY_LINE = re.compile(r"[^\s#][^\n#]*?:(?:[ \t\n]|$)")

_QUOTE_LINE = "remove the line, or put the text in double quotes"
_BACKSLASH = "write `\\\\` for a backslash, or put the text in single quotes"
_NEXT_LINE = "begin it on the next line, or put the text in double quotes"

# Words of the parser's complaint; whether to point at its [p]roblem, its [c]ontext or the last [b]ackslash;
# message; hint. The first that fits is taken. The words are those of libyaml and, where they differ, of its
# stand-in in Python.
_RULES = (
    ("unexpected document", "p", "a line inside quotes cannot begin with `---` or `...`", "indent the line"),
    ("scanning a quoted scalar", "c", "the quote that opens here is never closed", "close it with `{char}`"),
    ("unknown escape", "b", "`{pair}` means nothing inside double quotes", _BACKSLASH),
    ("decimal number", "b", "`{pair}` lacks the number of a character", "write the character itself"),
    ("character escape", "b", "`{pair}` has a number that is no character's", "write the character itself"),
    ("scanning an alias", "c", "a text cannot begin with {shown}", QUOTE),
    ("scanning an anchor", "c", "a text cannot begin with {shown}", QUOTE),
    ("a tag", "c", "a text cannot begin with {shown}", QUOTE),
    ("tag handle", "c", "a text cannot begin with {shown}", QUOTE),
    ("directive", "c", "a line cannot begin with `%`", _QUOTE_LINE),
    ("incompatible", "c", "a line cannot begin with `%`", _QUOTE_LINE),
    ("scanning a block scalar", "p", "nothing may stand behind `{opener}` on its line", _NEXT_LINE),
    ("found unexpected ':'", "p", "a space is missing behind this colon", "write a space behind it"),
    ("cannot start any token", "p", "a text cannot begin with {shown}", QUOTE),
    ("sequence entries are not allowed", "p", "a list cannot begin on the line of its key", _NEXT_LINE),
    ("mapping keys are not allowed", "p", "a text cannot begin with `{char}` and a space", QUOTE),
    (
        "could not find expected ':'",
        "c",
        "this line is neither `key: value` nor the rest of a text",
        "write a colon and a space behind the key, or indent the line to go on with the text above",
    ),
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reader came: the last value that it finished, and the innermost bracket still open."""

    start: int
    end: int
    bracket: int | None


def explain(fault: yaml.YAMLError, lines: Lines, progress: Progress) -> Diagnostic:
    """The diagnostic for what the parser says when it cannot go on."""
    return _Explanation(fault, lines, progress).diagnostic()


class _Explanation:
    """One complaint of the parser beside the text that it is about."""

    def __init__(self, fault: yaml.YAMLError, lines: Lines, progress: Progress) -> None:
        problem: yaml.Mark | None = getattr(fault, "problem_mark", None)
        context: yaml.Mark | None = getattr(fault, "context_mark", None)
        self.problem = str(getattr(fault, "problem", None) or fault)
        self.said = f"{getattr(fault, 'context', None) or ''}: {self.problem}"
        self.lines = lines
        self.text = lines.text
        self.progress = progress
        self.at = problem.index if problem else 0
        self.context = context.index if context else self.at

    def diagnostic(self) -> Diagnostic:
        """The first explanation that fits."""
        if "nesting depth" in self.said:
            return self._error(TOO_DEEP, self.at, FLATTEN, code="yaml-depth")
        if "quoted scalar" not in self.said and (spacing := self._spacing()):
            return spacing
        if "mapping values are not allowed" in self.said:
            return self._colon()
        if "expected the node content" in self.said or "expected node content" in self.said:
            return self._no_value()
        if "parsing a flow" in self.said:
            return self._bracket()
        if "expected key" in self.said or "block end" in self.said or "'-' indicator" in self.said:
            return self._behind()
        if "document start" in self.said:
            return self._behind()
        return self._by_rule()

    def _error(
        self, message: str, index: int, hint: str, *, code: str = "yaml-syntax", also: int | None = None
    ) -> Diagnostic:
        related = () if also is None else (("this is where it goes wrong", also),)
        return error(self.lines, code, message, index, hint, *related)

    def _spacing(self) -> Diagnostic | None:
        """A tab or an odd space in what is not yet read: the cause, whatever the parser stumbled over."""
        if self.text.startswith("\t", self.at):
            return tab_fault(self.lines, self.at)
        plain = self.text[self.progress.start : self.progress.start + 1] not in ("'", '"', "|", ">", "[", "{")
        start = self.progress.start if plain else self.progress.end
        # inside brackets tabs may indent; the parser takes the others for part of a text that then holds a colon
        tabs = "mapping values are not allowed" in self.said
        return spacing_fault(self.lines, start, self.at, tabs=tabs)

    def _colon(self) -> Diagnostic:
        start, end = self.progress.start, self.progress.end
        value = self.text[start:end]
        if self.text[end : self.at].strip() or not value:
            return self._error("a colon followed by a space cannot stand here", self.at, QUOTE)
        if value[0] in "\"'" and "\n" in value:
            return self._late_quote()
        if value[0] in "\"'[{":
            return self._error(
                "a second key stands on the line of the first", start, "begin it on the next line, indented"
            )
        ends = self.text[self.at + 1 : self.at + 2] in ("", "\n")
        message = f"an unquoted text cannot {'end with a colon' if ends else 'hold a colon followed by a space'}"
        if "\n" in value:
            return self._error(message, self.at, f"{QUOTE}, or line this key up with the key above it")
        return self._error(message, self.at, quoting(self.text, start))

    def _no_value(self) -> Diagnostic:
        word = self.text[self.at : self.at + 3]
        if not word.strip() and self.progress.bracket is not None:
            return self._bracket()
        if word in ("...", "---"):
            return self._error(f"nothing stands before `{word}`", self.at, f"remove the `{word}`")
        if self.progress.bracket is not None:
            return self._error(f"`{word[:1]}` stands where a value belongs", self.at, f"remove it, or {QUOTE}")
        return self._error(f"a text cannot begin with `{word[:1]}`", self.at, quoting(self.text, self.at))

    def _bracket(self) -> Diagnostic:
        index = self.context if self.progress.bracket is None else self.progress.bracket
        opener = self.text[index : index + 1]
        message = f"the `{opener}` here is not closed, or a comma is missing behind it"
        closer = "]" if opener == "[" else "}"
        return self._error(message, index, f"close it with `{closer}`, or {QUOTE}", also=self.at)

    def _late_quote(self) -> Diagnostic:
        line, _ = self.lines.position(self.progress.end)
        message = f"the quote that opens here closes only on line {line}, amid other text"
        return self._error(message, self.progress.start, "close it where its text ends", also=self.progress.end)

    def _behind(self) -> Diagnostic:
        """Something stands behind a finished value, on its line or below, that cannot stand there."""
        start, end = self.progress.start, self.progress.end
        value, gap, rest = self.text[start:end], self.text[end : self.at], self.text[self.at : self.at + 2000]
        if rest.startswith(":"):
            return self._error("a key is missing before the colon", self.at, QUOTE)
        is_item = rest[:1] == "-" and rest[1:2] in ("", " ", "\n")
        if "\n" not in gap or not (is_item or _KEY_LINE.match(rest)):
            if value[:1] in ("'", '"'):
                if "\n" in value:
                    return self._late_quote()
                apostrophe = "; an apostrophe in single quotes is written twice" if value[0] == "'" else ""
                return self._error(
                    "text goes on behind the closing quote",
                    self.at,
                    f"put the whole text in one pair of quotes{apostrophe}",
                )
            if value[:1] in ("[", "{", "*", "&", "!"):
                return self._error(f"a text cannot begin with `{value[0]}`", start, quoting(self.text, start))
            if "#" in gap:
                return self._error("a text cannot go on behind a comment", self.at, f"{QUOTE}, or move the comment")
        if "\n..." in gap:
            return self._error("text stands behind the `...` that ends the file", self.at, "remove the `...`")
        if not is_item and ("'-' indicator" in self.said or "block collection" in self.said):
            hint = "begin it with `- `, or line it up with the keys of an item"
            return self._error("this line stands among list items but is none", self.at, hint, code="yaml-indentation")
        what = "list item" if is_item else "line"
        hint = "give it the indentation of the lines that it belongs to"
        return self._error(f"this {what} does not line up with those above it", self.at, hint, code="yaml-indentation")

    def _by_rule(self) -> Diagnostic:
        for words, where, message, hint in _RULES:
            if words not in self.said:
                continue
            backslash = max(self.text.rfind("\\", 0, self.at + 1), 0)
            index = {"p": self.at, "c": self.context, "b": backslash}[where]
            if self.text[index - 1 : index + 1] == "{%":
                index -= 1
            pair = self.text[index : index + 2]
            char = pair if pair == "{%" else pair[:1]
            shown = "a backtick" if char == "`" else f"`{char}`"
            filled = message.format(
                char=char, shown=shown, pair=pair, opener=self.text[self.context : self.context + 1]
            )
            hint = quoting(self.text, index) if hint == QUOTE else hint.replace("{char}", char)
            return self._error(filled, index, hint, code="yaml-tag" if char == "!" else "yaml-syntax")
        return self._error(f"this cannot be read: {self.problem}", self.at, "")
