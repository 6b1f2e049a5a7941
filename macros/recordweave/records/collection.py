"""One system's records, and the questions that everything else asks of them.

What is this ID, who declares it, what is it part of, what are its parts, which rows are about it, what supersedes and
amends it, who annotates it, and who cites it where. Built once from an `Analysis` and the mentions in its prose; never
changed afterwards. The `Library` holds the collections of all systems, and knows which of them a reference leads into.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from recordweave.records.diagnostic import Near
from recordweave.records.ids import KINDS, Kind, is_source_id, kind_of, prefix_of, split
from recordweave.records.model import (
    AMENDMENTS,
    SUPERSESSIONS,
    Analysis,
    Annotation,
    Entry,
    Member,
    Record,
    Row,
    System,
)
from recordweave.records.text import cited, plain
from recordweave.records.values import Cell, Pointer, ids, texts


@dataclass(frozen=True, slots=True)
class EntryCitation:
    """A record, row or annotation that cites a record in one of its fields.

    `target` is the reference as it was written, without the name of the system that it stands in. `sentence` is the
    sentence around the mention, or empty where the ID stands as data (in a column of IDs, as the container, as a
    deferred owner).
    """

    target: str
    entry: Entry
    field: str
    title: str
    sentence: str
    pointer: Pointer


class Collection:
    """The records of one system. `mentioned` are IDs that the prose mentions, declared or not."""

    def __init__(self, analysis: Analysis, mentioned: Iterable[str] = ()) -> None:
        self.analysis = analysis
        mentioned = [*mentioned]
        self.system: System = analysis.system
        self._records = {record.id: record for record in reversed(analysis.records)}
        self._members = {member.prefix: member for member in analysis.system.members if member.prefix}
        self._parts: dict[str, list[Record]] = defaultdict(list)
        self._rows_about: dict[str, list[tuple[Row, list[str]]]] = defaultdict(list)
        self._annotations: dict[str, list[Annotation]] = defaultdict(list)
        self._citations: dict[str, list[EntryCitation]] = defaultdict(list)
        self._citing: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._renamed = {alias: record.id for record in reversed(analysis.records) for alias in record.aliases}
        for record in analysis.records:
            if record.part_of:
                self._parts[record.part_of].append(record)
        for row in analysis.rows:
            columns: dict[str, list[str]] = defaultdict(list)
            for record_id, column in row.about():
                columns[record_id].append(column)
            for record_id, names in columns.items():
                self._rows_about[record_id].append((row, names))
        self._superseded = {one: row for row in reversed(analysis.rows) for one in _superseded_in(row)}
        for annotation in analysis.annotations:
            self._annotations[annotation.on].append(annotation)
        for entry in (*analysis.system.parts(), *analysis.entries()):
            for citation in citations_of(entry):
                self._citing[entry.member, entry.anchor].add(citation.field)
                target = self.local(citation.target)
                is_same = target == citation.target
                self._citations[target].append(citation if is_same else replace(citation, target=target))
        self.mentioned = frozenset(map(self.local, mentioned))
        """What the prose of the system mentions: IDs of its own, and references into other systems."""

        listed = (one for member in self.system.members for one in member.records or ())
        cited = (*self._citations, *self.mentioned, *listed)
        withheld = {one for one in cited if self.is_withheld(one)}
        order = {kind: number for number, kind in enumerate(KINDS)}
        self.withheld: tuple[str, ...] = tuple(sorted(withheld, key=lambda one: (order[kind_of(one)], one)))
        self.ids: tuple[str, ...] = (*dict.fromkeys(record.id for record in self.records), *self.withheld)
        """Every ID that has a page: the declared records, and the withheld ones that are cited or listed."""

        self._pages = frozenset(self.ids)
        self._of_kind: dict[Kind, list[str]] = {kind: [] for kind in KINDS}
        for one in self.ids:
            self._of_kind[kind_of(one)].append(one)

    @cached_property
    def near(self) -> Near:
        """The IDs that have a page, to find the nearest to one that has none."""
        return Near(self.ids)

    def local(self, reference: str) -> str:
        """A reference without the name of the system, if that is this one."""
        system, one = split(reference)
        return one if system == self.system.name else reference

    def has_page(self, record_id: str) -> bool:
        """Whether a record has a page on this system's site, so that other systems can refer to it."""
        return record_id in self._pages

    @property
    def records(self) -> Sequence[Record]:
        """The declared records, in the order of their files."""
        return self.analysis.records

    def of_kind(self, kind: Kind) -> Sequence[str]:
        """The IDs of one kind: the declared records in their order, then the withheld ones."""
        return self._of_kind[kind]

    def record(self, record_id: str) -> Record | None:
        """The declaration of a record, or nothing where it is withheld or unknown."""
        return self._records.get(record_id)

    def label(self, record_id: str) -> str:
        record = self.record(record_id)
        return record.label if record else ""

    def member_of(self, record_id: str) -> Member | None:
        """The member that declares a record, or that would by its prefix."""
        record = self.record(record_id)
        return self.system.member(record.member) if record else self._members.get(prefix_of(record_id))

    def renamed(self, record_id: str) -> str:
        """The ID that a record has now, for one that it had before; otherwise empty."""
        return "" if self.knows(record_id) else self._renamed.get(record_id, "")

    def is_withheld(self, record_id: str) -> bool:
        """Whether an ID belongs to a withheld member and may be cited without being declared here."""
        if record_id in self._records:
            return False
        member = self._members.get(prefix_of(record_id))
        if member is None or member.published:
            return False
        return member.records is None or record_id in member.records

    def knows(self, record_id: str) -> bool:
        """Whether a reference to an ID leads anywhere."""
        return record_id in self._records or self.is_withheld(record_id)

    def parts(self, record_id: str) -> Sequence[Record]:
        return self._parts.get(record_id, ())

    def rows(self, member: str, table: str) -> list[Row]:
        return [row for row in self.analysis.rows if row.member == member and row.table == table]

    def rows_about(self, record_id: str) -> Sequence[tuple[Row, list[str]]]:
        """The rows that name a record in a column that says what the row is about, with those columns."""
        return self._rows_about.get(record_id, ())

    def superseded_in(self, record_id: str) -> Row | None:
        """The row that says by what a record is superseded; nothing where the record stands."""
        return self._superseded.get(record_id)

    def superseded_by(self, record_id: str) -> tuple[str, ...]:
        """The records that take a record's place; none where the record stands."""
        row = self.superseded_in(record_id)
        return row.ids("by") if row else ()

    def supersessions_by(self, record_id: str) -> list[Row]:
        """The rows that say which records a record supersedes, alone or together with others."""
        return [row for row, columns in self.rows_about(record_id) if row.table == SUPERSESSIONS and "by" in columns]

    def amendments_of(self, record_id: str) -> list[Row]:
        """The rows that amend a record, in the order of the reports."""
        return [row for row, columns in self.rows_about(record_id) if row.table == AMENDMENTS and "record" in columns]

    def annotations_on(self, record_id: str) -> Sequence[Annotation]:
        return self._annotations.get(record_id, ())

    def annotations_by(self, member: str) -> list[Annotation]:
        return [annotation for annotation in self.analysis.annotations if annotation.member == member]

    def declared_by(self, member: str, stem: str) -> list[Record]:
        """The records of one kind (by the kind's file stem) that a member declares."""
        return [record for record in self.records if record.member == member and record.kind.stem == stem]

    @property
    def cited(self) -> Iterable[str]:
        """What is cited by the system's files: IDs of its own, and references into other systems."""
        return self._citations

    def citations(self, record_id: str) -> Sequence[EntryCitation]:
        """Where records, rows and annotations cite a record. A record does not cite itself."""
        return self._citations.get(record_id, ())

    def citing(self, entry: Entry) -> AbstractSet[str]:
        """The fields of a record, row or annotation that cite something."""
        return self._citing.get((entry.member, entry.anchor), frozenset())


def _superseded_in(row: Row) -> tuple[str, ...]:
    return row.owners if row.table == SUPERSESSIONS else ()


def citations_of(entry: Entry) -> Iterable[EntryCitation]:
    """What one entry cites, in the order of its fields; each record once a sentence or column."""
    own = entry.id if isinstance(entry, Record) else ""
    base = entry.origin.pointer
    if isinstance(entry, Record) and entry.part_of:
        yield EntryCitation(entry.part_of, entry, "part_of", "Part of", "", (*base, "part_of"))
    if isinstance(entry, Annotation):
        yield EntryCitation(entry.on, entry, "on", "On", "", (*base, "on"))
    for field in entry.fields:
        seen: set[tuple[str, str]] = set()
        for way, one in ids(field.value, (*base, field.key)):
            sentence = plain(field.value.markdown) if isinstance(field.value, Cell) else ""
            if one != own and (one, sentence) not in seen:
                seen.add((one, sentence))
                yield EntryCitation(one, entry, field.key, field.title, sentence, way)
        for way, markdown in texts(field.value, (*base, field.key)):
            for mention in cited(markdown):
                if mention.id != own and (mention.id, mention.sentence) not in seen:
                    seen.add((mention.id, mention.sentence))
                    yield EntryCitation(mention.id, entry, field.key, field.title, mention.sentence, way)


@dataclass(frozen=True)
class Library:
    """The collections of all systems by name, as they are seen from one of them (`home`) or from the portal."""

    systems: Mapping[str, Collection]
    home: Collection | None = None

    def find(self, reference: str) -> tuple[Collection, str] | None:
        """The collection that a reference to a record leads into and the ID there; nothing where it leads nowhere."""
        system, one = split(reference)
        if self.home and system in ("", self.home.system.name):
            return (self.home, one) if self.home.knows(one) else None
        other = self.systems.get(system)
        return (other, one) if other and other.has_page(one) else None

    def find_source(self, reference: str) -> tuple[Collection, str] | None:
        """The same for a reference to a source."""
        system, one = split(reference)
        other = self.home if self.home and system in ("", self.home.system.name) else self.systems.get(system)
        return (other, one) if other and other.system.source(one) else None

    def nameless(self, one: str) -> tuple[str, str]:
        """What is wrong with an ID on a page that belongs to no system, and how to mend it."""
        source = is_source_id(one)
        owners = [
            name for name, each in self.systems.items() if (each.system.source(one) if source else each.has_page(one))
        ]
        named = " or ".join(f"`{name}:{one}`" for name in owners[:3])
        hint = f"write {named}" if named else "write the name of its system and a colon before it"
        return f"`{one}` names no system, and this page belongs to none", hint

    def renamed(self, reference: str) -> str:
        """A reference to a record by the ID that it has now, for a reference by one that it had; otherwise empty."""
        named, one = split(reference)
        collection = self.systems.get(named) if named else self.home
        new = collection.renamed(one) if collection else ""
        return f"{named}:{new}" if named and new else new

    def references(self) -> Iterator[str]:
        """Every reference that leads to a page, as it is written here."""
        if self.home:
            yield from self.home.ids
        for name, each in self.systems.items():
            if each is not self.home:
                yield from (f"{name}:{one}" for one in each.ids)

    @cached_property
    def near(self) -> Near:
        """These references, to find the nearest to one that leads nowhere."""
        return Near(self.references())

    def of(self, home: Collection) -> "Library":
        """The same collections, as seen from one of them."""
        return Library(self.systems, home)
