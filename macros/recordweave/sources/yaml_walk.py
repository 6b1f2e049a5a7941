"""From the events of YAML's parser to a value and its marks.

The walk keeps a stack of its own, so depth costs no recursion. Everything that YAML allows and records do not
is a fault here: tags, equal keys, keys that are not text, anchors that nothing uses, aliases without bound.
Merge keys are legal: what a mapping says itself wins, and what is merged keeps the place where it was
written.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from recordweave.sources.yaml_document import Mark, Value
from recordweave.sources.yaml_faults import (
    FLATTEN,
    MAX_DEPTH,
    ODD_SPACE,
    QUOTE,
    TOO_DEEP,
    Faults,
    error,
    quoting,
)

MAX_EVENTS: Final = 500_000
"""The most events of one file, one for each text and two for each list or mapping: some 6,000 records."""

MAX_ALIASED: Final = 1_000_000
"""The most characters that aliases may stand for: a long text repeated weighs as much as many short ones."""

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")


@dataclass(slots=True)
class _Anchor:
    """A value with a name; without a mark as long as it is not finished."""

    start: int
    aliased: int
    value: Value = ""
    mark: Mark | None = None
    weight: int = 0
    used: bool = False


class _List:
    """A list, or the file as a whole, whose end was not read yet."""

    def __init__(self, start: int, flow: bool, anchor: _Anchor | None) -> None:
        self.start = start
        self.flow = flow
        self.anchor = anchor
        self.value: list[Value] = []
        self.parts: list[Mark] = []

    def take(self, value: Value, mark: Mark, _: int) -> None:
        """Add an item."""
        self.value.append(value)
        self.parts.append(mark)

    def finish(self) -> None:
        """Nothing is left to do."""


class _Map:
    """A mapping whose end was not read yet."""

    def __init__(self, start: int, flow: bool, anchor: _Anchor | None, faults: Faults) -> None:
        self.start = start
        self.flow = flow
        self.anchor = anchor
        self.faults = faults
        self.value: dict[str, Value] = {}
        self.parts: dict[str, tuple[int, Mark]] = {}
        self.key: str | None = None
        self.key_at = 0

    def take(self, value: Value, mark: Mark, at: int) -> None:
        """Take a key or, behind a key, its value. It stands at `at`; an alias has its mark elsewhere."""
        if self.key is None:
            self.key = value if isinstance(value, str) else self._bad_key(at)
            self.key_at = at
            return
        key, self.key = self.key, None
        if key in self.parts:
            message = f"the key `{key}` stands twice in one mapping"
            first = ("the first stands here", self.parts[key][0])
            self.faults.keep("yaml-duplicate-key", message, self.key_at, "remove or rename one of the two", first)
            return
        self.value[key] = value
        self.parts[key] = (self.key_at, mark)

    def finish(self) -> None:
        """Merge what `<<` names. A quoted `<<` is a key like any other."""
        if "<<" not in self.parts or not self.faults.lines.text.startswith("<<", self.parts["<<"][0]):
            return
        value, (key_at, mark) = self.value.pop("<<"), self.parts.pop("<<")
        sources = [(value, mark)]
        if isinstance(value, list) and isinstance(mark[2], list):
            sources = list(zip(value, mark[2], strict=True))
        for source, (_, _, parts) in sources:
            if not isinstance(source, dict) or not isinstance(parts, dict):
                message = "`<<` is followed by something that is no mapping"
                hint = "write `<<: *name`, where `&name` stands before a mapping"
                self.faults.follow(error(self.faults.lines, "yaml-key", message, key_at, hint))
                return
            for name, each in source.items():
                if name not in self.value:
                    self.value[name] = each
                    self.parts[name] = parts[name]

    def _bad_key(self, start: int) -> str:
        """Report a key that is a list or mapping; gives a key that no file can hold, to read on with."""
        text = self.faults.lines.text
        if text.startswith("{{", start - 1):
            self.faults.lose("yaml-key", "a text cannot begin with `{{`", start - 1, quoting(text, start - 1))
        else:
            self.faults.lose("yaml-key", "a key is a list or a mapping, not a text", start, QUOTE)
        return f"\0{start}"


class Walk:
    """One walk over the events of one text.

    `last` is from where to where the last finished text, alias or bracketed value stands.
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.text = faults.lines.text
        self.last = (0, 0)
        self._stack: list[_List | _Map] = [_List(0, False, None)]
        self._anchors: dict[str, _Anchor] = {}
        self._aliased = 0

    @property
    def bracket(self) -> int | None:
        """Where the innermost bracket stands that is still open."""
        return next((each.start for each in reversed(self._stack) if each.flow), None)

    def run(self) -> tuple[Value, Mark] | None:
        """The value of the file and its mark, if it has any; raises what the parser raises."""
        # events are Any: the stubs allow for marks that are missing, which those of a parser never are
        parser: Any = LOADER(self.text)
        events: Iterator[Any] = iter(parser.get_event, None)
        text = self.text
        comments = " #" in text or "\t#" in text
        odd = ODD_SPACE.search(text) is not None
        documents = 0
        take = self._stack[0].take
        for number, event in enumerate(events):
            kind = type(event)
            if kind is ScalarEvent:
                at, end = self.last = event.start_mark.index, event.end_mark.index
                value: Value = event.value
                mark: Mark = (at, end, None)
                if event.tag is not None:
                    self._tag(event, at, _TEXT_TAGS)
                if event.anchor is not None:
                    self._close(self._open(event.anchor, at), value, mark)
                if not event.style:
                    if odd or (comments and text[end : end + 1] in (" ", "\t")):
                        self.faults.plain(at, end)
                elif event.style == '"':
                    self.faults.escapes(event.value, at)
                elif event.style == ">":
                    self.faults.folded(event.value, at)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._begin(event, kind is MappingStartEvent)
                take = self._stack[-1].take
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                frame = self._stack.pop()
                frame.finish()
                take = self._stack[-1].take
                at = frame.start
                if frame.flow:
                    self.last = (at, event.end_mark.index)
                # to the parser, a block ends only where the next thing starts
                value, mark = frame.value, (at, self.last[1], frame.parts)
                if frame.anchor is not None:
                    self._close(frame.anchor, value, mark)
            elif kind is AliasEvent:
                at, _ = self.last = event.start_mark.index, event.end_mark.index
                value, mark = self._alias(event.anchor, at)
            else:
                documents += kind is DocumentStartEvent
                if documents > 1:
                    hint = "keep one document in a file; a `---` that is meant as text needs quotes"
                    self.faults.refuse("yaml-documents", "a second document begins here", event.start_mark.index, hint)
                continue
            if number > MAX_EVENTS:
                message = f"the file holds more than {MAX_EVENTS:,} texts, lists and mappings"
                self.faults.refuse("yaml-size", message, at, "split the file")
            take(value, mark, at)
        for anchor in self._anchors.values():
            self._unused(anchor)
        whole = self._stack[0]
        return (whole.value[0], whole.parts[0]) if isinstance(whole, _List) and whole.value else None

    def _begin(self, event: Any, is_map: bool) -> None:
        at = event.start_mark.index
        if event.tag is not None:
            self._tag(event, at, _TEXT_TAGS[:2])
        if len(self._stack) > MAX_DEPTH:
            self.faults.refuse("yaml-depth", TOO_DEEP, at, FLATTEN)
        anchor = None if event.anchor is None else self._open(event.anchor, at)
        flow = bool(event.flow_style)
        self._stack.append(_Map(at, flow, anchor, self.faults) if is_map else _List(at, flow, anchor))

    def _tag(self, event: Any, at: int, allowed: tuple[str | None, ...]) -> None:
        if event.tag not in allowed:
            start = self.text.index("!", at)
            message = f"`{self._word(start)}` asks for a special type, which no value has here"
            self.faults.lose("yaml-tag", message, start, f"remove it, or {quoting(self.text, start)}")

    def _open(self, name: str, at: int) -> _Anchor:
        """Note an anchor; aliases may use it once it is closed."""
        if name in self._anchors:
            self._unused(self._anchors[name])
        anchor = _Anchor(self.text.index("&", at), self._aliased)
        self._anchors[name] = anchor
        return anchor

    def _close(self, anchor: _Anchor, value: Value, mark: Mark) -> None:
        anchor.value, anchor.mark = value, mark
        anchor.weight = mark[1] - mark[0] + self._aliased - anchor.aliased

    def _alias(self, name: str, at: int) -> tuple[Value, Mark]:
        """What an alias stands for; an empty text where that cannot be told."""
        anchor = self._anchors.get(name)
        if anchor is None:
            message = f"`*{name}` refers to an anchor that does not stand above it"
            hint = f"write `&{name}` before the value that is meant, or {QUOTE}"
            self.faults.lose("yaml-alias", message, at, hint)
            return "", (at, at, None)
        anchor.used = True
        if anchor.mark is None:
            message = f"`*{name}` refers to the value that it is part of"
            self.faults.lose("yaml-alias", message, at, "write out what is meant", ("it begins here", anchor.start))
            return "", (at, at, None)
        self._aliased += anchor.weight
        if self._aliased > MAX_ALIASED:
            message = f"the aliases up to here stand for more than {MAX_ALIASED:,} characters"
            self.faults.refuse("yaml-alias", message, at, "write out what is meant")
        return anchor.value, anchor.mark

    def _unused(self, anchor: _Anchor) -> None:
        if not anchor.used:
            word = self._word(anchor.start)
            message = f"`{word}` is taken for an anchor that nothing uses, and is missing from the text"
            hint = f"remove it, or {quoting(self.text, anchor.start)}"
            self.faults.keep("yaml-alias", message, anchor.start, hint)

    def _word(self, start: int) -> str:
        return self.text[start : start + 40].split()[0]
