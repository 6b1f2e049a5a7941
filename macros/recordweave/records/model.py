"""Systems, members, records, table rows and annotations, as data that does not change.

What fields a record or a row has is the schema's business: here they are a tuple of `Field` in the schema's order.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from recordweave.records.ids import KIND_BY_STEM, Kind, kind_of
from recordweave.records.values import Field, Finding, Group, Ids, Pointer, Term, Text, Value, ids, texts


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was written: the file, as shown to its author, and the way to it in that file."""

    file: str
    pointer: Pointer = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A list of controlled values, each with a one-line meaning. `described` values come with a description."""

    name: str
    title: str
    description: str
    meanings: Mapping[str, str]
    described: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Source:
    """A frozen source of evidence. `repository` and `revision` are findings: unpublished ones say why."""

    id: str
    kind: str
    repository: Finding
    revision: Finding
    fields: tuple[Field, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report: its heading, and what of the member's files stands in it, by the files' stems.

    `records` stands for the records of all kinds.
    """

    title: str
    shows: tuple[str, ...] = ()

    @staticmethod
    def excluded_by(stem: str) -> set[str]:
        """What no other section may show as well, where one shows `stem`."""
        if stem == "records":
            return {stem, *KIND_BY_STEM}
        return {stem, "records"} if stem in KIND_BY_STEM else {stem}


@dataclass(frozen=True, slots=True)
class Member:
    """One report of an analysis. `records` is, for a withheld member that lists them, what may be cited of it.

    `sections` are those of its report where the analysis names them.
    """

    name: str
    title: str
    prefix: str
    published: bool
    summary: str
    records: tuple[str, ...] | None
    sections: tuple[Section, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class System:
    """One analysed system: who it is, what the analysis takes in, its sources and its members."""

    name: str
    label: str
    summary: str
    fields: tuple[Field, ...]
    sources: tuple[Source, ...]
    members: tuple[Member, ...]
    origin: Origin

    def member(self, name: str) -> Member | None:
        return next((member for member in self.members if member.name == name), None)

    def source(self, source_id: str) -> Source | None:
        return next((source for source in self.sources if source.id == source_id), None)

    def texts(self) -> Iterator[tuple[Pointer, str]]:
        """Every Markdown text of the system itself, with the way to it in its file."""
        for part in self.parts():
            yield from part.texts()

    def parts(self) -> Iterator["SystemPart"]:
        """What `system.yml` says, as entries: the system as a whole, each source, each member."""
        told = (Field("summary", "Summary", Text(self.summary)), *self.fields)
        yield SystemPart(member="", fields=told, origin=self.origin, name="system", title=self.label)
        for source in self.sources:
            given = (("repository", "Repository", source.repository), ("revision", "Revision", source.revision))
            reasons = [Field(key, title, value) for key, title, value in given if value.uncertainty]
            fields = (*reasons, *source.fields)
            yield SystemPart(member="", fields=fields, origin=source.origin, name=source.id, title=source.id)
        for member in self.members:
            about = (Field("summary", "Summary", Text(member.summary)),) if member.summary else ()
            name = f"member-{member.name}"
            yield SystemPart(member="", fields=about, origin=member.origin, name=name, title=member.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What records, rows and annotations share: fields, the member that wrote them, and where."""

    member: str
    fields: tuple[Field, ...]
    origin: Origin

    @property
    def anchor(self) -> str:
        """The anchor of the entry on any page of a report that shows it."""
        raise NotImplementedError

    def value(self, key: str) -> Value | None:
        return next((one.value for one in self.fields if one.key == key), None)

    def ids(self, key: str) -> tuple[str, ...]:
        """The IDs that a field holds; none where there is no such field."""
        value = self.value(key)
        return value.ids if isinstance(value, Ids) else ()

    def texts(self) -> Iterator[tuple[Pointer, str]]:
        """Every Markdown text, with the way to it in the file."""
        for one in self.fields:
            yield from texts(one.value, (*self.origin.pointer, one.key))

    def held_ids(self) -> Iterator[tuple[Pointer, str]]:
        """Every ID held as data, with the way to it in the file."""
        for one in self.fields:
            yield from ids(one.value, (*self.origin.pointer, one.key))

    def markdown(self, key: str) -> str:
        value = self.value(key)
        return value.markdown if isinstance(value, Text) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Entry):
    """A declared record. `part_of` is the ID of its container, or empty; `aliases` are the IDs that it had before.

    None of these is among the fields.
    """

    id: str
    label: str
    part_of: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        return kind_of(self.id)

    @property
    def status(self) -> dict[str, str]:
        """Conclusion status by layer; an evidenced absence has the one layer `conclusion`."""
        value = self.value("status")
        if isinstance(value, Term):
            return {"conclusion": value.value}
        if isinstance(value, Group):
            return {one.key: one.value.value for one in value.fields if isinstance(one.value, Term)}
        return {}

    @property
    def anchor(self) -> str:
        """The anchor of the record's card on a report page."""
        return self.id


AMENDMENTS, SUPERSESSIONS = "amendments", "supersessions"

TABLES: dict[str, tuple[str, ...]] = {
    "coverage": (),
    "inventory": ("objects",),
    "ledger": ("routes", "objects", "claims"),
    "claim-comparison": ("claim", "routes"),
    "integration-issues": ("concerns",),
    AMENDMENTS: ("record", "affected"),
    SUPERSESSIONS: ("record", "by"),
}
"""The tables, each with the columns that say which records a row is about; the first of them owns the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Entry):
    """A row of one member's table; `number` counts from 1, `name` is unique in its system and stays with the row."""

    table: str
    number: int
    name: str = ""

    @property
    def anchor(self) -> str:
        return self.name

    @property
    def owners(self) -> tuple[str, ...]:
        """The records of the row itself: those in the first column that says what the row is about."""
        columns = TABLES[self.table]
        return self.ids(columns[0]) if columns else ()

    def own(self, word: str) -> tuple[str, ...]:
        """What `see: [route]` and `see: [record]` mean in this row: its routes, or its owners."""
        return self.ids("routes") if word == "route" else self.owners

    def about(self) -> Iterator[tuple[str, str]]:
        """Each record that the row is about, with the column that says so."""
        for column in TABLES[self.table]:
            for record_id in self.ids(column):
                yield record_id, column


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation(Entry):
    """One member's findings on a record of another; `name` is unique in its system."""

    on: str
    name: str = ""

    @property
    def anchor(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPart(Entry):
    """What `system.yml` says of the system, of a source or of a member. It belongs to no member."""

    name: str
    title: str

    @property
    def anchor(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that the files of one system say, in their order, before anything is asked of it.

    `record_fields` are the fields that records of each kind can have: their titles by key, by the stem of the kind.
    """

    system: System
    records: tuple[Record, ...] = ()
    rows: tuple[Row, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    record_fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def outline(self) -> "Analysis":
        """The same without what is said: the system with its members and sources, and which records are declared."""
        nothing, nowhere = Finding(""), Origin("")
        sources = tuple(Source(each.id, each.kind, nothing, nothing, (), nowhere) for each in self.system.sources)
        members = tuple(replace(each, title="", summary="", sections=()) for each in self.system.members)
        system = replace(self.system, label="", summary="", fields=(), sources=sources, members=members)
        records = tuple(
            Record(member=each.member, fields=(), origin=nowhere, id=each.id, label="", aliases=each.aliases)
            for each in self.records
        )
        return Analysis(system, records)

    def entries(self) -> Iterator[Entry]:
        yield from self.records
        yield from self.rows
        yield from self.annotations


def slug(text: str) -> str:
    """A text as part of an anchor: lowercase words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
