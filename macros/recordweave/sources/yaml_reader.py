"""The one reader of YAML: from a file's bytes to a value of texts, with a place for every part and fault.

YAML as libraries read it turns `NO` into false and `1.10` into a number, keeps the last of two equal keys,
and drops text behind ` #`, all without a word. Here every scalar stays the text that its author wrote, the
schema says what the text may be, and whatever YAML would lose or change is a diagnostic. No input raises, and
none takes long.
"""

import re
from contextlib import suppress
from typing import Final

import yaml

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.values import Pointer
from recordweave.sources.yaml_document import Document, Lines, Mark, Span, Value
from recordweave.sources.yaml_faults import MAX_DEPTH, Faults, RefusedError, character_faults
from recordweave.sources.yaml_syntax import Progress, explain
from recordweave.sources.yaml_walk import MAX_ALIASED, MAX_EVENTS, Walk

__all__ = [
    "MAX_ALIASED",
    "MAX_DEPTH",
    "MAX_EVENTS",
    "MAX_SIZE",
    "Document",
    "Pointer",
    "Span",
    "Value",
    "read",
    "read_bytes",
]

MAX_SIZE: Final = 8_000_000
"""The most characters (bytes, of a file) that are read."""

# the parser's time grows with the square of their number
_TAG_LINE = re.compile(r"^%TAG[ \t]", re.MULTILINE)


def read_bytes(data: bytes, file: str) -> tuple[Document | None, list[Diagnostic]]:
    """Read the bytes of a file: UTF-8, with or without a byte-order mark, with any system's line ends."""
    if len(data) > MAX_SIZE:
        return None, [_too_large(file)]
    try:
        return read(data.decode("utf-8"), file)
    except UnicodeDecodeError as fault:
        index = len(Lines(data[: fault.start].decode("utf-8"), file).text)
        place = Lines(data.decode("utf-8", "replace"), file).place(index)
        what = f"the byte 0x{data[fault.start]:02X} is"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            what = "the file is UTF-16,"
        hint = "save the file as UTF-8"
        return None, [Diagnostic("yaml-encoding", Severity.ERROR, f"{what} not UTF-8", place, hint)]


def read(text: str, file: str) -> tuple[Document | None, list[Diagnostic]]:
    """Read a text. `file` is its name as shown to the author.

    The diagnostics come in the order of their places. There is a document unless a value could not be told.
    """
    if len(text) > MAX_SIZE:
        return None, [_too_large(file)]
    lines = Lines(text, file)
    faults = Faults(lines)
    root: tuple[Value, Mark] | None = None
    with suppress(RefusedError):
        root = _root(faults)
    faults.found.sort(key=lambda each: each.place)
    if root is None or not faults.whole:
        return None, faults.found
    return Document(file, lines.text, *root, lines), faults.found


def _root(faults: Faults) -> tuple[Value, Mark] | None:
    """The value of the text and its mark, with every fault added to `faults`."""
    lines = faults.lines
    faults.found.extend(character_faults(lines))
    if faults.found:
        return None
    if "%TAG" in lines.text and (tags := _TAG_LINE.search(lines.text)):
        faults.refuse(
            "yaml-tag",
            "a `%TAG` line declares types, which are not used here",
            tags.start(),
            "remove the line",
        )
    walk = Walk(faults)
    try:
        root = walk.run()
    except yaml.YAMLError as fault:
        faults.follow(explain(fault, lines, Progress(*walk.last, walk.bracket)))
        return None
    if root is None or (root[0] == "" and root[1][0] == root[1][1]):
        held = "nothing but comments" if "#" in lines.text else "nothing"
        faults.lose("yaml-empty", f"the file holds {held}", 0, "write `key: value` lines, or remove the file")
    elif not isinstance(root[0], dict) and faults.whole:
        _not_a_mapping(faults, root[0], root[1][0])
    return root


def _not_a_mapping(faults: Faults, value: Value, start: int) -> None:
    what, hint = "a list", "write a key and a colon above the list"
    if isinstance(value, str):
        what, hint = "a text", "write a key, a colon and a space before it"
        if re.match(r"[\w-]+:\S", value):
            hint = "write a space behind the colon"
    faults.lose("yaml-key", f"the file holds {what} where it should hold `key: value` lines", start, hint)


def _too_large(file: str) -> Diagnostic:
    message = f"the file is larger than {MAX_SIZE // 1_000_000} MB"
    return Diagnostic("yaml-size", Severity.ERROR, message, Place(file), "split the file")
