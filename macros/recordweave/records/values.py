"""What a field of a record or a cell of a row can hold.

A value keeps what the author wrote, in the shape that the schema gave it; how it looks is decided elsewhere. `walk`
yields the parts of any value together with the way to them, so that citations, checks and rendering need not know
which kind of record they look at.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Pointer: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of mappings and indexes of lists, from the top of a file or of another value."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Text without markup: a name, a number, a path."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown inline text in one or more paragraphs."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Term:
    """A value of the named vocabulary, with a description where the vocabulary asks for one."""

    vocabulary: str
    value: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Text, or the reason why there is none: `uncertainty` is then `inapplicable`, `uninspected` or `unpublished`."""

    markdown: str
    uncertainty: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: text, and the owners of what the cell leaves to them.

    `see` holds record IDs and the words `route` and `record`, which stand for the row's own records; `scope` says
    what is to be looked up there.
    """

    markdown: str = ""
    see: tuple[str, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Ids:
    """IDs of records, in the author's order."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in a source: its ID, and as much of path, lines and symbol as is known."""

    source: str
    path: str = ""
    lines: str = ""
    symbol: str = ""
    layer: str = ""
    shows: str = ""
    quotation: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A named value. `title` and `help` come from the schema, or are the author's own key where that is free."""

    key: str
    title: str
    value: "Value"
    help: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one heading, such as the seven route fields or the statuses by layer."""

    fields: tuple[Field, ...]

    def get(self, key: str) -> "Value | None":
        return next((field.value for field in self.fields if field.key == key), None)


Value: TypeAlias = Plain | Text | Term | Finding | Cell | Ids | Evidence | Items | Group


def walk(value: Value, at: Pointer = ()) -> list[tuple[Pointer, Value]]:
    """Every part of a value that holds no further parts, with the way to it."""
    if isinstance(value, Items):
        return [part for index, item in enumerate(value.items) for part in walk(item, (*at, index))]
    if isinstance(value, Group):
        return [part for field in value.fields for part in walk(field.value, (*at, field.key))]
    return [(at, value)]


def texts(value: Value, at: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Every Markdown text in a value, with the way to the scalar in the author's file."""
    for way, part in walk(value, at):
        match part:
            case Text(markdown):
                yield way, markdown
            case Finding(markdown, uncertainty):
                yield ((*way, uncertainty) if uncertainty else way), markdown
            case Cell(markdown, see, scope):
                if markdown:
                    yield ((*way, "text") if see else way), markdown
                if scope:
                    yield (*way, "for"), scope
            case Term(_, value=name, description=description) if description:
                yield (*way, name), description
            case Evidence(shows=shows) if shows:
                yield (*way, "shows"), shows
            case _:
                pass


def ids(value: Value, at: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Every ID that a value holds as data, with the way to it."""
    for way, part in walk(value, at):
        match part:
            case Ids(several):
                for index, one in enumerate(several):
                    yield (*way, index), one
            case Cell(see=see):
                for index, one in enumerate(see):
                    if one not in OWN_RECORDS:
                        yield (*way, "see", index), one
            case _:
                pass


OWN_RECORDS = ("route", "record")
"""What a cell's `see` may name besides IDs: the records that the row itself is about."""
