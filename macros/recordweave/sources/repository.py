"""The files of a collection: `records/<system>/system.yml` and `records/<system>/<member>/<table>.yml`.

Every file is read, whatever is wrong with the others. What a faulty file still says is kept: its sound entries, and
which IDs it may have declared, so that one fault is not reported once more at every place that cites the record.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recordweave.records.diagnostic import Diagnostic, Place, Severity, did_you_mean
from recordweave.records.ids import KIND_BY_STEM, SYSTEM_NAME, is_record_id, kind_of, prefix_of
from recordweave.records.model import (
    TABLES,
    Analysis,
    Annotation,
    Entry,
    Member,
    Origin,
    Record,
    Row,
    Section,
    Source,
    System,
    slug,
)
from recordweave.records.values import Ids, Pointer, Term
from recordweave.sources.decode import fields, finding
from recordweave.sources.files import Files, leads_out, shown
from recordweave.sources.schemas import Schemas
from recordweave.sources.waivers import Waiver, in_unread, in_yaml
from recordweave.sources.yaml_reader import MAX_SIZE, Document, read_bytes

STEMS = (*KIND_BY_STEM, *TABLES, "annotations")
"""The files that a member may have, in the order in which they are read."""

RESERVED = frozenset(
    {"assets", "compare", "glossary", "guide", "index", "records", "search", "sitemap", "sources", "404"}
)
"""Names that are addresses of the site itself, which no system and no member can take."""

_NAME = re.compile(SYSTEM_NAME)


@dataclass
class Loaded:
    """What the files of one system say.

    `analysis` is missing where `system.yml` cannot be read. `declared` holds the IDs that faulty entries declare, and
    `damaged` the (prefix, kind code) pairs of whose records not every ID can be told. `unread` are the texts of the
    files whose values could not be told.
    """

    name: str
    analysis: Analysis | None = None
    documents: Mapping[str, Document] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    damaged: set[tuple[str, str]] = field(default_factory=set)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """The files that were read, by the names shown to authors."""
        return [*self.documents, *self.unread]

    @property
    def waivers(self) -> list[Waiver]:
        """The waivers of the files that could be read."""
        return [waiver for document in self.documents.values() for waiver in in_yaml(document)]

    @property
    def idle_waivers(self) -> list[Waiver]:
        """What looks like a waiver in the others, where none counts."""
        return [waiver for file, text in self.unread.items() for waiver in in_unread(text, file)]

    def place(self, origin: Origin, way: Pointer = (), *, text: str = "", before: int = 0) -> Place:
        """The place of what was written at an origin, or of the value at `way` in its file, or of a text inside that.

        `before` says how often the same text stands before it in the value.
        """
        document = self.documents.get(origin.file)
        if document is None:
            return Place(origin.file)
        pointer = way or origin.pointer
        return document.find(pointer, text, before) if text else document.place(pointer)

    def may_declare(self, record_id: str) -> bool:
        """Whether a faulty file may hold the declaration of an ID."""
        return record_id in self.declared or (prefix_of(record_id), kind_of(record_id).code) in self.damaged


def system_folders(records: Path, files: Files) -> list[Path]:
    """The folders of the systems, by name; none where there is no folder of records."""
    return [each for each in files.listed(records) if files.is_dir(each)]


def stray_files(records: Path, files: Files) -> Iterator[Diagnostic]:
    """Files that stand beside the folders of the systems, where nothing reads them."""
    for path in files.listed(records):
        if not files.is_dir(path):
            name = shown(path, files.root)
            message, hint = f"`{name}` belongs to no system", "move it into the folder of a system, or remove it"
            yield Diagnostic("unknown-file", Severity.ERROR, message, Place(name), hint)


def load_system(folder: Path, files: Files, schemas: Schemas) -> Loaded:
    """Read one system. Never raises for what files hold."""
    return _Reader(folder, files, schemas).read()


class _Reader:
    def __init__(self, folder: Path, files: Files, schemas: Schemas) -> None:
        self.folder = folder
        self.files = files
        self.schemas = schemas
        self.documents: dict[str, Document] = {}
        self.loaded = Loaded(folder.name, documents=self.documents)

    def read(self) -> Loaded:
        name = self.folder.name
        here = self._shown(self.folder)
        if not self._inside(self.folder):
            return self.loaded
        if not _NAME.fullmatch(name) or name in RESERVED:
            reason = (
                "the site itself uses this address" if name in RESERVED else "use lowercase words joined by hyphens"
            )
            self._fault("reserved-name", f"`{name}` cannot be the name of a system", Place(here), reason)
        file = self.folder / "system.yml"
        system: System | None = None
        if not self.files.is_file(file) and not file.is_symlink():
            found = [each for each in self.files.listed(self.folder) if self.files.is_file(each)]
            misnamed = [self._shown(each) for each in found if each.stem == "system"]
            hint = f"rename `{misnamed[0]}`" if misnamed else f"add `{self._shown(file)}`, or remove the folder"
            self._fault("missing-system", f"`{here}` has no `system.yml`", Place(self._shown(file)), hint)
        elif (document := self._document(file)) is not None and not self._faulty("system", document):
            system = self._system(document)
        entries: list[Entry] = []
        for path in self._member_files(system):
            entries.extend(self._entries(path, system))
        if system is not None:
            self.loaded.analysis = Analysis(
                system,
                tuple(each for each in entries if isinstance(each, Record)),
                tuple(each for each in entries if isinstance(each, Row)),
                tuple(each for each in entries if isinstance(each, Annotation)),
                self.schemas.vocabularies,
                self.schemas.record_fields,
            )
        return self.loaded

    def _shown(self, path: Path) -> str:
        return shown(path, self.files.root)

    def _inside(self, path: Path) -> bool:
        """Whether a path stays inside the repository; it is a fault if it does not."""
        if leads_out(path, self.files.root):
            here = self._shown(path)
            what = "folder" if self.files.is_dir(path) else "file"
            message, hint = f"`{here}` leads out of the repository", f"put the {what} itself here"
            self._fault("unreadable-file", message, Place(here), hint)
            return False
        return True

    def _fault(
        self, code: str, message: str, place: Place, hint: str = "", severity: Severity = Severity.ERROR
    ) -> None:
        self.loaded.diagnostics.append(Diagnostic(code, severity, message, place, hint))

    def _document(self, path: Path) -> Document | None:
        here = self._shown(path)
        if not self._inside(path):
            return None
        try:
            data = self.files.read(path)
        except OSError as error:
            hint = "put a file here that can be read"
            self._fault("unreadable-file", f"`{here}` cannot be read: {error.strerror}", Place(here), hint)
            return None
        document, diagnostics = read_bytes(data, here)
        self.loaded.diagnostics.extend(diagnostics)
        if document is not None:
            self.documents[here] = document
        else:
            self.loaded.unread[here] = data[:MAX_SIZE].decode("utf-8", "replace")
        return document

    def _faulty(self, name: str, document: Document) -> set[Pointer]:
        """The ways to what is faulty in a document; its diagnostics are kept."""
        if self.schemas.is_valid(name, document.value):
            return set()
        from recordweave.sources.faults import faults  # which sound files do not need

        found = list(faults(self.schemas, name, document))
        self.loaded.diagnostics.extend(diagnostic for _, diagnostic in found)
        if not found:
            self._fault("schema", "this does not keep to the schema, and nothing tells why", Place(document.file))
        return {way for way, _ in found} or {()}

    def _system(self, document: Document) -> System:
        raw: Mapping[str, Any] = document.value  # type: ignore[assignment]
        schema = self.schemas.by_name["system"]
        source_schema = schema["properties"]["sources"]["items"]
        sources = tuple(
            Source(
                each["id"],
                each["kind"],
                finding(each.get("repository", "")),
                finding(each["revision"]),
                fields(self.schemas, source_schema, each, leave_out=("id", "kind", "repository", "revision")),
                Origin(document.file, ("sources", number)),
            )
            for number, each in enumerate(raw["sources"])
        )
        members = tuple(
            Member(
                each["name"],
                each["title"],
                each.get("prefix", ""),
                each["publication"] == "published",
                each.get("summary", ""),
                tuple(each["records"]) if "records" in each else None,
                tuple(Section(one["title"], tuple(one.get("shows", ()))) for one in each.get("sections", ())),
                Origin(document.file, ("members", number)),
            )
            for number, each in enumerate(raw["members"])
        )
        told = fields(self.schemas, schema, raw, leave_out=("label", "summary", "sources", "members"))
        return System(self.folder.name, raw["label"], raw["summary"], told, sources, members, Origin(document.file))

    def _member_files(self, system: System | None) -> Iterator[Path]:
        """The files of the members in reading order; a stray file or folder is reported."""
        names = [member.name for member in system.members] if system else []
        published = {member.name for member in system.members if member.published} if system else set()
        folders = []
        has_system = (self.folder / "system.yml").exists() or self.files.is_file(self.folder / "system.yml")
        for path in self.files.listed(self.folder):
            here = self._shown(path)
            if not self.files.is_dir(path):
                if path.name == "system.yml" or (path.stem == "system" and not has_system):
                    continue
                self._fault(
                    "unknown-file",
                    f"`{here}` is not a file of a system",
                    Place(here),
                    "a system's own file is `system.yml`; the others stand in its members' folders",
                )
            elif system and path.name not in names:
                hint = did_you_mean(path.name, names) or "add the member to `system.yml`, or remove the folder"
                self._fault("unknown-file", f"`{path.name}` is not a member of `{system.name}`", Place(here), hint)
            elif system and path.name not in published:
                self._fault(
                    "unknown-file",
                    f"the member `{path.name}` is withheld, but has files",
                    Place(here),
                    "publish the member in `system.yml`, or remove the folder",
                )
            elif self._inside(path):
                folders.append(path)
        for folder in sorted(folders, key=lambda each: names.index(each.name) if each.name in names else 0):
            known = []
            for path in self.files.listed(folder):
                if path.suffix == ".yml" and path.stem in STEMS:
                    known.append(path)
                else:
                    here = self._shown(path)
                    names_here = [f"{stem}.yml" for stem in STEMS]
                    hint = did_you_mean(path.name, names_here) or "a member has " + ", ".join(
                        f"`{each}`" for each in names_here
                    )
                    self._fault("unknown-file", f"`{here}` is not a file of a member", Place(here), hint)
            yield from sorted(known, key=lambda each: STEMS.index(each.stem))

    def _entries(self, path: Path, system: System | None) -> Iterator[Entry]:
        member = path.parent.name
        document = self._document(path)
        if document is None:
            self._damaged(path, system)
            return
        faulty = self._faulty(path.stem, document)
        key, schema = next(iter(self.schemas.by_name[path.stem]["properties"].items()))
        entries: Any = document.value.get(key) if isinstance(document.value, dict) else None
        if not isinstance(entries, list):
            self._damaged(path, system)
            return
        anchors: Counter[str] = Counter()
        for number, raw in enumerate(entries):
            if any(way[:2] == (key, number) for way in faulty):
                if isinstance(raw, dict) and isinstance(raw.get("id"), str) and is_record_id(raw["id"]):
                    self.loaded.declared.add(raw["id"])
                else:
                    self._damaged(path, system)
                continue
            origin = Origin(document.file, (key, number))
            yield self._entry(path.stem, member, schema["items"], raw, origin, anchors)

    def _damaged(self, path: Path, system: System | None) -> None:
        """Note that a file may declare records whose IDs cannot be told."""
        kind = KIND_BY_STEM.get(path.stem)
        member = system.member(path.parent.name) if system else None
        if kind and member:
            self.loaded.damaged.add((member.prefix, kind.code))

    def _entry(
        self,
        stem: str,
        member: str,
        schema: Mapping[str, Any],
        raw: Mapping[str, Any],
        origin: Origin,
        anchors: Counter[str],
    ) -> Entry:
        if stem in KIND_BY_STEM:
            return Record(
                member=member,
                fields=fields(self.schemas, schema, raw, leave_out=("id", "label", "aliases", "part_of")),
                origin=origin,
                id=raw["id"],
                label=raw["label"],
                part_of=raw.get("part_of", ""),
                aliases=tuple(raw.get("aliases", ())),
            )
        if stem == "annotations":
            told = fields(self.schemas, schema, raw, leave_out=("on",))
            name = _unique(f"{member}-on-{raw['on']}", anchors)
            return Annotation(member=member, fields=told, origin=origin, on=raw["on"], name=name)
        number = int(origin.pointer[-1]) + 1
        row = Row(member=member, fields=fields(self.schemas, schema, raw), origin=origin, table=stem, number=number)
        return replace(row, name=_unique(_name(row), anchors))


def _unique(name: str, names: Counter[str]) -> str:
    names[name] += 1
    return name if names[name] == 1 else f"{name}-{names[name]}"


def _name(row: Row) -> str:
    """A row's name: its member, its table, the first record that it is about (else its number), and its function."""
    first = next((value.ids[0] for value in (each.value for each in row.fields) if isinstance(value, Ids)), "")
    function = row.value("function")
    name = function.value if isinstance(function, Term) else ""
    return slug(f"{row.member} {row.table} {first or row.number} {name}")
