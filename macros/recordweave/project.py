"""A project: the records and the prose of every system, read and checked, before anything is rendered.

The build and the command line both start here, so they see the same files and say the same of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as AnyOf
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Diagnostic, Place, Severity, did_you_mean
from recordweave.records.ids import KIND_BY_STEM, is_reference, split
from recordweave.records.model import Entry, Record
from recordweave.records.severities import Severities
from recordweave.rules import check
from recordweave.rules.citations import untied
from recordweave.rules.facts import Facts
from recordweave.rules.references import of_the_portal
from recordweave.sources import schemas
from recordweave.sources.files import Files, leads_out, shown
from recordweave.sources.guard import RUNNING, in_svg, refused
from recordweave.sources.prose import Call, Prose, read_prose
from recordweave.sources.repository import RESERVED, Loaded, load_system, stray_files, system_folders
from recordweave.sources.yaml_document import Lines
from recordweave.verdict import Checked, verdict
from recordweave.views.defaults import default_pages, default_portal
from recordweave.views.fragments import MACROS, BadCall, Macro, Request, bind
from recordweave.views.links import GLOSSARY, OVERVIEW, SITE_FILES, Links, NoLinks
from recordweave.views.portal import PORTAL_MACROS
from recordweave.views.told import Told, told_by
from recordweave.views.view import ProseCitation, View

T = TypeVar("T")

_ODD_NAME = re.compile(r"[<>\"'{}%#?&|*:\\`\x00-\x1f\x7f]")
"""What no name of a published file holds: it would be markup, a template, or another address."""


@dataclass(frozen=True, eq=False)
class Mapped(Mapping[str, T]):
    """What is made of each value of another mapping, when somebody first asks for it."""

    of: Mapping[str, Any]
    make: Callable[[Any], T]
    _made: dict[str, T] = field(default_factory=dict)

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            self._made[name] = self.make(self.of[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.of

    def __iter__(self) -> Iterator[str]:
        return iter(self.of)

    def __len__(self) -> int:
        return len(self.of)


@dataclass(frozen=True)
class Outline:
    """What others see of a system: its members and sources, and which records have a page, the withheld ones too."""

    loaded: Loaded
    withheld: Sequence[str]

    def system(self) -> "SystemProject":
        """The system, as far as others see it."""
        analysis = self.loaded.analysis
        collection = Collection(analysis, self.withheld) if analysis else None
        return SystemProject(self.loaded.name, self.loaded, collection)


@dataclass
class SystemProject:
    """One system: its files, its collection (none where `system.yml` cannot be read), and its pages of prose.

    `texts` are the pages by name, the authors' own and the defaults, and `pages` what they say; `authored` are those
    that an author wrote. `requests` are the macro calls of each page that are right, `faulty` what is wrong with the
    other ones.
    """

    name: str
    loaded: Loaded
    collection: Collection | None = None
    texts: dict[str, str] = field(default_factory=dict)
    pages: dict[str, Prose] = field(default_factory=dict)
    authored: dict[str, Path] = field(default_factory=dict)
    requests: dict[str, list[Request]] = field(default_factory=dict)
    faulty: dict[str, list[Diagnostic]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    untied: dict[str, Diagnostic] = field(default_factory=dict)
    """What is wrong with its records that nothing is tied to, if no other system cites them either."""

    def mentioned(self, page: str) -> list[str]:
        """The records that a page of prose mentions, each once."""
        return _mentioned(self.pages[page])

    @cached_property
    def shown(self) -> dict[tuple[str, str], str]:
        """On which page each entry stands, by member and anchor; the first page that shows it counts."""
        places: dict[tuple[str, str], str] = {}
        for page, requests in self.requests.items():
            for entry in self._entries(requests):
                places.setdefault((entry.member, entry.anchor), page)
        return places

    def seen_by_others(self, library: Library, links: Links) -> View:
        """The system as others see it: where exactly its prose mentions their records is not known to them."""
        assert self.collection is not None
        mentioned: dict[str, list[ProseCitation]] = {}
        for page in self.pages:
            for reference in self.mentioned(page):
                mentioned.setdefault(reference, []).append(ProseCitation(reference, page, "", "in the text", ""))
        titles = {name: page.title or name for name, page in self.pages.items()}
        titles |= {member.name: member.title for member in self.collection.system.members}
        titles[OVERVIEW] = "Overview"
        return View(library.of(self.collection), links, self.shown, mentioned, titles)

    @property
    def told(self) -> Told:
        """What other systems show of this one, in short."""
        if self.collection is None:
            return Told()
        library = Library({self.name: self.collection})
        return told_by(self.seen_by_others(library, NoLinks()))

    @property
    def outline(self) -> Outline:
        """What the checks of other systems may ask about."""
        loaded = Loaded(self.name, declared=self.loaded.declared, damaged=self.loaded.damaged)
        loaded.analysis = self.loaded.analysis.outline() if self.loaded.analysis else None
        return Outline(loaded, self.collection.withheld if self.collection else ())

    @property
    def checked(self) -> Checked:
        """What came to light of the system."""
        pages = self.pages.values()
        return Checked(
            found=tuple(self.diagnostics),
            needed=tuple(fault for faults in self.faulty.values() for fault in faults),
            untied=self.untied,
            refers=frozenset(self._references()),
            waivers=(*self.loaded.waivers, *(waiver for page in pages for waiver in page.waivers)),
            idle=tuple(self.loaded.idle_waivers),
            files=(*self.loaded.files, *(self.pages[name].file for name in self.authored)),
            entries=len(list(self.collection.analysis.entries())) if self.collection else 0,
            system=self.name,
            readable=self.collection is not None,
        )

    def _references(self) -> Iterator[str]:
        """The references to records of other systems."""
        if self.collection:
            yield from (one for one in (*self.collection.cited, *self.collection.mentioned) if split(one)[0])

    def sources(self, page: str) -> set[str]:
        """The files of what a page of prose shows; of a member's report, all that the member has."""
        assert self.collection is not None
        shown = {entry.origin.file for entry in self._entries(self.requests.get(page, []))}
        member = f"/{self.name}/{page}/"
        return shown | {self.pages[page].file} | {each for each in self.loaded.files if member in f"/{each}"}

    def _entries(self, requests: list[Request]) -> Iterator[Entry]:
        assert self.collection is not None
        for request in requests:
            yield from request.macro.entries(self.collection, request)


@dataclass
class Project:
    """All systems of a repository, by name. `root` is the folder that shown paths are relative to."""

    root: Path
    systems: Mapping[str, SystemProject]
    library: Library
    texts: dict[str, str] = field(default_factory=dict)
    """The portal's pages that nobody wrote, by name."""

    portal: dict[str, list[Diagnostic]] = field(default_factory=dict)
    """What is wrong with the pages that belong to no system, by name of page."""

    faulty: dict[str, list[Diagnostic]] = field(default_factory=dict)
    """What of this is about their macros, by name of page."""

    glossary: str = GLOSSARY
    """The page of the portal that explains the controlled values."""

    strays: list[Diagnostic] = field(default_factory=list)
    """Files that nothing reads, and links that lead nowhere or out of the repository."""

    pages: dict[str, Prose] = field(default_factory=dict)
    """The portal's pages that somebody wrote, by name."""

    written: dict[str, str] = field(default_factory=dict)
    """Their texts."""

    severities: Severities = field(default_factory=dict)
    """What some codes weigh in this project."""

    digests: Mapping[str, bytes] = field(default_factory=dict)
    """Those of the files that the systems and the portal were read from, by name, where they are known."""

    told: Mapping[str, Told] = field(default_factory=dict)
    """What each system tells the others, by name, where it is known."""

    known: Mapping[str, Checked] = field(default_factory=dict)
    """What came to light of the systems, by name, where it is known without looking at them."""

    @cached_property
    def systems_checked(self) -> Mapping[str, Checked]:
        """What came to light of each system, by name."""
        return self.known or {name: system.checked for name, system in self.systems.items()}

    @cached_property
    def referred(self) -> Mapping[str, frozenset[str]]:
        """The other systems that the records and the prose of each system name."""
        return {
            name: frozenset(split(one)[0] for one in each.refers) & self.systems.keys()
            for name, each in self.systems_checked.items()
        }

    @property
    def checked(self) -> list[Checked]:
        """What came to light: of files that nothing reads, of the portal, and of each system."""
        return [Checked(self.strays), self.portal_checked, *self.systems_checked.values()]

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything there is to complain of, once everything has been checked."""
        return verdict(self.checked, self.severities)

    @property
    def portal_checked(self) -> Checked:
        """What came to light of the pages that belong to no system."""
        return Checked(
            found=tuple(fault for faults in self.portal.values() for fault in faults),
            needed=tuple(fault for faults in self.faulty.values() for fault in faults),
            refers=frozenset(one for page in self.pages.values() for one in _mentioned(page)),
            waivers=tuple(waiver for page in self.pages.values() for waiver in page.waivers),
            files=tuple(page.file for page in self.pages.values()),
        )


def load(
    root: Path, records: Path, docs: Path, severities: Severities | None = None, scripts: AnyOf[str] = ()
) -> Project:
    """Read and check every system under `records`, with its prose under `docs`. Raises for nothing that files hold.

    `scripts` are the files in `docs` that the configuration lets run.
    """
    files = Files(root)
    folders = system_folders(records, files)
    systems = {folder.name: read_system(files, folder, docs / folder.name) for folder in folders}
    collections = {name: each.collection for name, each in systems.items() if each.collection}
    project = Project(root, systems, Library(collections), severities=severities or {})
    for system in systems.values():
        check_system(system, project.systems, project.library)
    project.strays = strays(files, records, docs, systems, scripts)
    check_portal(project, files, docs)
    return project


def check_portal(project: Project, files: Files, docs: Path) -> None:
    """Read and check the pages that belong to no system. Of the systems their outlines suffice."""
    systems, library = project.systems, project.library
    read = {name: _read(path, files) for name, path in _pages(docs, files, systems)}
    project.written = {name: text for name, (text, _) in read.items()}
    pages = {name: page for name, (_, page) in read.items()}
    project.pages = dict(pages)
    for name, text in default_portal().items():
        if name not in pages and not (name == OVERVIEW and "README" in pages):
            project.texts[name] = text
            pages[name] = read_prose(text, f"{name}.md")
    loaded = Mapped(systems, attrgetter("loaded"))
    for name, page in pages.items():
        misplaced = list(_misplaced(name, page, systems))
        requests, faults = _bound(name, page, PORTAL_MACROS, library, systems)
        project.faulty[name] = [*faults, *misplaced]
        project.portal[name] = [*faults, *misplaced, *of_the_portal([page], library, loaded)]
        if name in systems and name not in project.texts:
            project.portal[name].append(_taken(page, f"the system `{name}`"))
        if name not in project.texts and any(each.macro.name == "glossary" for each in requests):
            project.glossary = name
    if project.glossary in pages and not any(call.name == "glossary" for call in pages[project.glossary].calls):
        page = pages[project.glossary]
        message = "controlled values everywhere link to this page, and it does not explain them"
        hint = "put `{{ glossary() }}` into it"
        project.portal[project.glossary].append(
            Diagnostic("not-shown", Severity.WARNING, message, Place(page.file), hint)
        )


def strays(
    files: Files, records: Path, docs: Path, systems: Iterable[str], scripts: AnyOf[str] = ()
) -> list[Diagnostic]:
    """Files that nothing reads or that a browser would run, and links that lead nowhere or out of the repository.

    `scripts` are the files in `docs` that the configuration lets run.
    """
    return [*stray_files(records, files), *_strays(docs, files, systems, scripts)]


def _misplaced(name: str, page: Prose, systems: Iterable[str]) -> Iterator[Diagnostic]:
    """Take the calls of macros that show a system's records from a page that belongs to none, and complain of them."""
    calls = [call for call in page.calls if call.name in MACROS and call.name not in PORTAL_MACROS]
    page.calls = [call for call in page.calls if call not in calls]
    folder = name.split("/")[0] if "/" in name else ""
    for call in calls[:1] if folder else calls:
        if folder:
            message = f"`{call.name}` shows records, and there are none of `{folder}`: `records/{folder}` is missing"
            hint = did_you_mean(folder, systems) or f"add `records/{folder}/system.yml`"
            yield Diagnostic("missing-system", Severity.ERROR, message, call.place, hint)
        else:
            message = f"`{call.name}` shows records of a system, and this page belongs to none"
            hint = "call it on a page in `docs/<system>/`"
            yield Diagnostic("unknown-macro", Severity.ERROR, message, call.place, hint)


def read_system(files: Files, folder: Path, docs: Path) -> SystemProject:
    """Read a system from its folder of records and its folder of prose. Raises for nothing that files hold."""
    system = SystemProject(folder.name, load_system(folder, files, schemas.load()))
    system.diagnostics.extend(system.loaded.diagnostics)
    system.authored = dict(_pages(docs, files)) if folder.name not in RESERVED else {}
    pages = system.pages
    for name, path in system.authored.items():
        system.texts[name], pages[name] = _read(path, files)
    if system.loaded.analysis is None:
        system.diagnostics.extend(each for page in pages.values() for each in page.diagnostics)
        return system
    analysis = system.loaded.analysis
    system.collection = Collection(analysis, [each for page in pages for each in system.mentioned(page)])
    stems: dict[str, set[str]] = {}
    for entry in analysis.entries():
        stems.setdefault(entry.member, set()).add(Path(entry.origin.file).stem)
    for name, text in default_pages(analysis.system, stems).items():
        if name not in pages:
            system.texts[name] = text
            pages[name] = read_prose(text, f"{name}.md")
    return system


def check_system(system: SystemProject, systems: Mapping[str, SystemProject], library: Library) -> None:
    """Check a system that has been read. `systems` are all, of the others the outlines suffice."""
    if system.collection is None:
        return
    library = library.of(system.collection)
    found: list[Diagnostic] = []
    for name, page in system.pages.items():
        system.requests[name], system.faulty[name] = _bound(name, page, MACROS, library, systems)
        found.extend(system.faulty[name])
        if name.split("/")[0] == "records":
            found.append(_taken(page, "the pages of the records"))
        if name == "README":  # which MkDocs takes for `index`
            found.append(_taken(page, "the overview, `index.md`"))
    facts = Facts(
        system.collection, system.loaded, tuple(system.pages.values()), library, Mapped(systems, attrgetter("loaded"))
    )
    found.extend(check(facts))
    system.untied = dict(untied(facts))
    if not any(system.faulty.values()):
        found.extend(_not_shown(system))
    system.diagnostics.extend(found)


def _named(call: Call) -> list[str]:
    """The records that the call of a macro names."""
    return [each for each in (*call.args, *call.kwargs.values()) if isinstance(each, str) and is_reference(each)]


def _mentioned(page: Prose) -> list[str]:
    """The records that a page mentions, each once."""
    called = (each for call in page.calls for each in _named(call))
    return list(dict.fromkeys([*(one for one, _ in page.mentions), *called]))


def _pages(docs: Path, files: Files, systems: Iterable[str] = ()) -> list[tuple[str, Path]]:
    """The pages under a folder, each with its name; without those that belong to one of the systems."""
    taken = {docs / name for name in systems if name not in RESERVED}
    found = [path for path in files.walk(docs, taken) if path.suffix == ".md" and files.is_file(path)]
    return [(path.relative_to(docs).with_suffix("").as_posix(), path) for path in found]


def _strays(docs: Path, files: Files, systems: Iterable[str], scripts: AnyOf[str]) -> Iterator[Diagnostic]:
    """What lies among the pages and would be published, or stop the build, without being a page."""
    folders = ("", *(f"{each}/" for each in systems))
    assets = tuple(f"{folder}assets/" for folder in folders)
    taken = {f"{folder}{name}" for folder in folders for name in SITE_FILES}
    for path in files.walk(docs):
        name, inside = shown(path, files.root), path.relative_to(docs).as_posix()
        if leads_out(path, files.root):
            if path.suffix == ".md" and files.is_file(path):
                continue  # a page that leads out is refused where it is read
            code, message, hint = "unreadable-file", "leads out of the repository", "put here what it leads to"
        elif files.is_dir(path):
            code, message, hint = "unreadable-file", "leads back to a folder that it stands in", "remove the link"
        elif not files.is_file(path):
            code, message, hint = "unreadable-file", "leads to nothing that can be read", "remove it"
        elif _ODD_NAME.search(inside):
            code, message = "reserved-name", "has a name that cannot be an address"
            hint = "use letters, digits, hyphens and dots"
        elif f"{inside}/".startswith(assets):
            code, message = "reserved-name", "lies in a folder that the site itself writes"
            hint = "put it into another folder"
        elif inside in taken:
            code, message = "reserved-name", "would take an address that belongs to the site itself"
            hint = "rename the file"
        elif path.suffix in (".markdown", ".mdown", ".mkdn", ".mkd"):
            code, message, hint = "unknown-file", "would be published unchecked", "give it the ending `.md`"
        elif inside.lower().endswith(RUNNING) and inside not in scripts:
            code, message = "active-content", "is a file that a browser runs"
            hint = "write Markdown; a script of the site's own is named in `extra_javascript` of `mkdocs.yml`"
        else:
            if path.suffix.lower() == ".svg":
                yield from _drawing(path, name, files)
            continue
        yield Diagnostic(code, Severity.ERROR, f"`{name}` {message}", Place(name), hint)


def _drawing(path: Path, name: str, files: Files) -> list[Diagnostic]:
    """What a drawing would run or load."""
    try:
        source = files.read(path).decode("utf-8", "replace")
    except OSError as error:
        message = f"`{name}` cannot be read: {error.strerror}"
        return [Diagnostic("unreadable-file", Severity.ERROR, message, Place(name), "make it readable")]
    return refused(in_svg(source), name, source, "remove it from the drawing")


def _read(path: Path, files: Files) -> tuple[str, Prose]:
    """The text of a page, and what it says; a page that cannot be read has no text and one diagnostic."""
    name = shown(path, files.root)
    unreadable = Prose(name)

    def fault(message: str, hint: str, place: Place | None = None) -> None:
        where = place or Place(name)
        unreadable.diagnostics.append(Diagnostic("unreadable-file", Severity.ERROR, message, where, hint))

    try:
        if leads_out(path, files.root):
            fault(f"`{name}` leads out of the repository", "put the file itself here")
            return "", unreadable
        text = files.read(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return text, replace(_prose(text, name))
    except OSError as error:
        fault(f"`{name}` cannot be read: {error.strerror}", "make it readable")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        rest = error.object[error.start :].decode(errors="replace")
        fault("this is not UTF-8 text", "save the file as UTF-8", Lines(before + rest, name).place(len(before)))
    return "", unreadable


_prose = lru_cache(maxsize=128)(read_prose)
"""What pages say that are read again and again while the site is served."""


def _taken(page: Prose, owner: str) -> Diagnostic:
    message = f"`{page.file}` would take an address that belongs to {owner}"
    return Diagnostic("reserved-name", Severity.ERROR, message, Place(page.file), "give the file another name")


def _bound(
    name: str, page: Prose, macros: Mapping[str, Macro], library: Library, systems: Mapping[str, SystemProject]
) -> tuple[list[Request], list[Diagnostic]]:
    """The calls of a page that are right, and what is wrong with its template."""
    requests: list[Request] = []
    seen: set[tuple[object, ...]] = set()
    faults = list(page.diagnostics)
    for call in page.calls:
        try:
            request = bind(call.name, call.args, call.kwargs, name, macros, library)
            if not request.macro.inline and _what(request) in seen:
                raise BadCall("macro-argument", f"`{call.name}` shows the same a second time here", "keep one of them")
            if not request.macro.inline and not call.alone:
                message = f"`{call.name}` shows more than fits into a sentence"
                raise BadCall("template", message, "put the call on a line of its own, between empty lines")
            requests.append(request)
            seen.add(_what(request))
        except BadCall as bad:
            if bad.code == "unknown-id" and any(_may_be_declared(each, library, systems) for each in _named(call)):
                continue
            faults.append(Diagnostic(bad.code, Severity.ERROR, bad.message, call.place, bad.hint))
    return requests, faults


def _may_be_declared(reference: str, library: Library, systems: Mapping[str, SystemProject]) -> bool:
    """Whether a faulty file may hold the declaration of a record."""
    name, one = split(reference)
    system = systems.get(name or (library.home.system.name if library.home else ""))
    return system is not None and (system.collection is None or system.loaded.may_declare(one))


def _what(request: Request) -> tuple[object, ...]:
    """What a request shows, however it is laid out."""
    chosen = sorted((key, value) for key, value in request.arguments.items() if key not in ("member", "level"))
    return request.macro.name, request.member, *chosen


def _not_shown(system: SystemProject) -> Iterator[Diagnostic]:
    """Records, rows and annotations that no page shows: a reader would never come across them in a report."""
    assert system.collection is not None
    shown = system.shown
    reported = set()
    for entry in system.collection.analysis.entries():
        file = entry.origin.file
        if (entry.member, entry.anchor) in shown or file in reported:
            continue
        if isinstance(entry, Record) and entry.kind.stem != Path(file).stem:
            continue  # a page cannot show it before it stands in the right file
        reported.add(file)
        stem = Path(file).stem
        macro = f'records("{stem}")' if stem in KIND_BY_STEM else f"{stem.replace('-', '_')}()"
        message = "no page of this system shows what this file declares"
        hint = f"put `{{{{ {macro} }}}}` into `docs/{system.name}/{entry.member}.md`"
        yield Diagnostic("not-shown", Severity.WARNING, message, system.loaded.place(entry.origin), hint)
