"""A project: the records and the prose of every system, read and checked, before anything is rendered.

The build and the command line both start here, so they see the same files and say the same of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Diagnostic, Place, Severity, did_you_mean
from recordweave.records.ids import KIND_BY_STEM, is_reference, split
from recordweave.records.model import Entry, Record
from recordweave.records.severities import Severities, weighed
from recordweave.rules import check
from recordweave.rules.facts import Facts
from recordweave.rules.references import of_the_portal
from recordweave.sources import schemas
from recordweave.sources.files import leads_out, shown, walk
from recordweave.sources.prose import Call, Prose, read_prose
from recordweave.sources.repository import RESERVED, Loaded, load_system, stray_files, system_folders
from recordweave.sources.waivers import Waiver, settle
from recordweave.sources.yaml_document import Lines
from recordweave.views.defaults import default_pages, default_portal
from recordweave.views.fragments import MACROS, BadCall, Macro, Request, bind
from recordweave.views.links import GLOSSARY, OVERVIEW, SITE_FILES
from recordweave.views.portal import PORTAL_MACROS

_ODD_NAME = re.compile(r"[<>\"'{}%#?&|*:\\`\x00-\x1f\x7f]")
"""What no name of a published file holds: it would be markup, a template, or another address."""


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

    @cached_property
    def referred(self) -> set[str]:
        """The systems that this one's records and prose name."""
        assert self.collection is not None
        mentioned = (each for page in self.pages for each in self.mentioned(page))
        return {split(each)[0] for each in (*self.collection.cited, *mentioned)} - {"", self.name}

    def mentioned(self, page: str) -> list[str]:
        """The records that a page of prose mentions, each once."""
        prose = self.pages[page]
        called = (each for call in prose.calls for each in _named(call))
        return list(dict.fromkeys([*(one for one, _ in prose.mentions), *called]))

    @cached_property
    def shown(self) -> dict[tuple[str, str], str]:
        """On which page each entry stands, by member and anchor; the first page that shows it counts."""
        places: dict[tuple[str, str], str] = {}
        for page, requests in self.requests.items():
            for entry in self._entries(requests):
                places.setdefault((entry.member, entry.anchor), page)
        return places

    @property
    def waivers(self) -> list[Waiver]:
        """The waivers in the files of the system."""
        return [*self.loaded.waivers, *(each for page in self.pages.values() for each in page.waivers)]

    @property
    def files(self) -> list[str]:
        """The files of the system that were read, by the names shown to authors."""
        return [*self.loaded.documents, *self.loaded.unread, *(self.pages[name].file for name in self.authored)]

    def _entries(self, requests: list[Request]) -> Iterator[Entry]:
        assert self.collection is not None
        for request in requests:
            yield from request.macro.entries(self.collection, request)


@dataclass
class Project:
    """All systems of a repository, by name. `root` is the folder that shown paths are relative to."""

    root: Path
    systems: dict[str, SystemProject]
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

    pages: list[Prose] = field(default_factory=list)
    """The portal's pages that somebody wrote."""

    severities: Severities = field(default_factory=dict)
    """What some codes weigh in this project."""

    @property
    def files(self) -> list[str]:
        """Every file that was read, by the name shown to authors."""
        return sorted({*(each.file for each in self.pages), *(f for each in self.systems.values() for f in each.files)})

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything there is to complain of: sorted by place, each once, without what is waived or turned off."""
        found = {each: None for faults in (self.strays, *self.portal.values()) for each in faults}
        found |= {each: None for system in self.systems.values() for each in system.diagnostics}
        needed = {each for faults in self._withheld() for each in faults if each.severity is Severity.ERROR}
        systems = self.systems.values()
        waivers = [waiver for page in self.pages for waiver in page.waivers]
        waivers += [waiver for system in systems for waiver in system.waivers]
        idle = [waiver for each in systems for waiver in each.loaded.idle_waivers]
        settled = settle(found, waivers, needed, idle)
        unsure = {file for each in systems if self._is_unsure(each, settled.left) for file in each.files}
        unused = [each for each in settled.unused if each.place.file not in unsure]
        told = weighed((*settled.left, *settled.faults, *unused), self.severities, needed)
        return sorted(told, key=lambda each: (each.place, each.code, each.message))

    def _withheld(self) -> Iterator[list[Diagnostic]]:
        """The faults of pages that show nothing else as long as they have them."""
        yield from self.faulty.values()
        for system in self.systems.values():
            yield from system.faulty.values()

    @staticmethod
    def _is_unsure(system: SystemProject, left: Sequence[Diagnostic]) -> bool:
        """Whether an error may hide others, so that nobody can tell yet which waivers are of no use."""
        errors = {each for each in system.diagnostics if each.severity is Severity.ERROR}
        return system.collection is None or not errors.isdisjoint(left)


def load(root: Path, records: Path, docs: Path, severities: Severities | None = None) -> Project:
    """Read and check every system under `records`, with its prose under `docs`. Raises for nothing that files hold."""
    systems = {folder.name: _read_system(root, folder, docs / folder.name) for folder in system_folders(records)}
    collections = {name: each.collection for name, each in systems.items() if each.collection}
    project = Project(root, systems, Library(collections), severities=severities or {})
    project.strays = [*stray_files(records, root), *_strays(docs, root, systems)]
    portal = _read_portal(project, docs)
    mentioned = frozenset(reference for page in portal.values() for reference, _ in page.mentions)
    for system in systems.values():
        if system.collection:
            _check_system(system, project, mentioned)
    _check_portal(project, portal)
    return project


def _read_portal(project: Project, docs: Path) -> dict[str, Prose]:
    """The pages of the portal by name, those that are made by default too."""
    systems = project.systems
    pages: dict[str, Prose] = {}
    for name, path in _pages(docs, project.root):
        if name.split("/")[0] not in systems.keys() - RESERVED or name in systems:
            pages[name] = _read(path, project.root)[1]
    project.pages = list(pages.values())
    for name, text in default_portal().items():
        if name not in pages and not (name == OVERVIEW and "README" in pages):
            project.texts[name] = text
            pages[name] = read_prose(text, f"{name}.md")
    return pages


def _check_portal(project: Project, pages: Mapping[str, Prose]) -> None:
    systems, library = project.systems, project.library
    loaded = {name: each.loaded for name, each in systems.items()}
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


def _read_system(root: Path, folder: Path, docs: Path) -> SystemProject:
    system = SystemProject(folder.name, load_system(folder, root, schemas.load()))
    system.diagnostics.extend(system.loaded.diagnostics)
    system.authored = dict(_pages(docs, root)) if folder.name not in RESERVED else {}
    pages = system.pages
    for name, path in system.authored.items():
        system.texts[name], pages[name] = _read(path, root)
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


def _check_system(system: SystemProject, project: Project, mentioned: frozenset[str]) -> None:
    """Check a system that has been read, once the others have been read as well.

    `mentioned` are the references on the pages of the portal.
    """
    assert system.collection is not None
    library = project.library.of(system.collection)
    for name, page in system.pages.items():
        system.requests[name], system.faulty[name] = _bound(name, page, MACROS, library, project.systems)
        system.diagnostics.extend(system.faulty[name])
        if name.split("/")[0] == "records":
            system.diagnostics.append(_taken(page, "the pages of the records"))
        if name == "README":  # which MkDocs takes for `index`
            system.diagnostics.append(_taken(page, "the overview, `index.md`"))
    loaded = {name: each.loaded for name, each in project.systems.items()}
    facts = Facts(system.collection, system.loaded, tuple(system.pages.values()), library, loaded, mentioned)
    system.diagnostics.extend(check(facts))
    if not any(system.faulty.values()):
        system.diagnostics.extend(_not_shown(system))


def _named(call: Call) -> list[str]:
    """The records that the call of a macro names."""
    return [each for each in (*call.args, *call.kwargs.values()) if isinstance(each, str) and is_reference(each)]


def _pages(docs: Path, root: Path) -> list[tuple[str, Path]]:
    """The pages under a folder, each with its name."""
    found = [path for path in walk(docs, root) if path.suffix == ".md" and path.is_file()]
    return [(path.relative_to(docs).with_suffix("").as_posix(), path) for path in found]


def _strays(docs: Path, root: Path, systems: Iterable[str]) -> Iterator[Diagnostic]:
    """What lies among the pages and would be published, or stop the build, without being a page."""
    folders = ("", *(f"{each}/" for each in systems))
    assets = tuple(f"{folder}assets/" for folder in folders)
    taken = {f"{folder}{name}" for folder in folders for name in SITE_FILES}
    for path in walk(docs, root):
        name, inside = shown(path, root), path.relative_to(docs).as_posix()
        if leads_out(path, root):
            if path.suffix == ".md" and path.is_file():
                continue  # a page that leads out is refused where it is read
            code, message, hint = "unreadable-file", "leads out of the repository", "put here what it leads to"
        elif path.is_dir():
            code, message, hint = "unreadable-file", "leads back to a folder that it stands in", "remove the link"
        elif not path.is_file():
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
        else:
            continue
        yield Diagnostic(code, Severity.ERROR, f"`{name}` {message}", Place(name), hint)


def _read(path: Path, root: Path) -> tuple[str, Prose]:
    """The text of a page, and what it says; a page that cannot be read has no text and one diagnostic."""
    name = shown(path, root)
    unreadable = Prose(name)

    def fault(message: str, hint: str, place: Place | None = None) -> None:
        where = place or Place(name)
        unreadable.diagnostics.append(Diagnostic("unreadable-file", Severity.ERROR, message, where, hint))

    try:
        if leads_out(path, root):
            fault(f"`{name}` leads out of the repository", "put the file itself here")
            return "", unreadable
        text = path.read_bytes().decode("utf-8-sig")
        return text, read_prose(text, name)
    except OSError as error:
        fault(f"`{name}` cannot be read: {error.strerror}", "make it readable")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        rest = error.object[error.start :].decode(errors="replace")
        fault("this is not UTF-8 text", "save the file as UTF-8", Lines(before + rest, name).place(len(before)))
    return "", unreadable


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
