"""Checking a repository as fast as it goes: on every core, and only what changed since the last time.

The check of a system depends on its own files, on the names of all systems, and on the outlines of those that it asks
about. As long as these are the same, what was found stays true. It is kept outside of the repository, where no pull
request reaches it; where nothing can be kept, everything is checked each time.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import stat
import sys
import threading
from collections.abc import Collection as AnyOf
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from recordweave import caches
from recordweave.project import (
    Mapped,
    Outline,
    Project,
    SystemProject,
    check_portal,
    check_system,
    read_system,
    strays,
)
from recordweave.records.collection import Collection, Library
from recordweave.records.severities import Severities
from recordweave.sources.files import Files
from recordweave.sources.repository import RESERVED, system_folders
from recordweave.verdict import Checked
from recordweave.views.links import PORTAL
from recordweave.views.told import Told

WORTH_A_PROCESS = 4
"""How many systems take longer to check than a process takes to begin."""


@dataclass(frozen=True)
class Repository:
    """The files of a repository, its folders, and the names of the systems in it."""

    files: Files
    records: Path
    docs: Path
    names: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """What was found in a system or in the portal, and on what that depends.

    `digest` is that of its files, or empty where they lead elsewhere; `outline` is what others see of it; `asked` are
    the digests of the outlines of others that it asked about.
    """

    digest: bytes
    outline: bytes
    asked: Mapping[str, bytes]
    checked: Checked
    system: bytes = b""
    """The system itself, if it was asked for, but for the documents that were read from its files."""

    documents: Mapping[str, bytes] = field(default_factory=dict)
    """These, by file; they are more than all the rest, and seldom asked for."""

    told: Told = field(default_factory=Told)
    """And what it tells others."""


def check(
    root: Path,
    records: Path,
    docs: Path,
    kept: Path | None = None,
    unsaved: Mapping[Path, str] | None = None,
    scripts: AnyOf[str] = (),
) -> list[Checked]:
    """Check every system under `records` with its prose under `docs`, and the portal.

    `kept` is the file that holds what was found the last time, and is to hold what is found now. `unsaved` holds texts
    that stand in for files, as an editor has them, by the path under `root`; the files need not be there yet.
    `scripts` are the files in `docs` that the configuration lets run.
    """
    repository = _repository(Files(root, unsaved or {}), records, docs)
    before = _read(kept, repository) if kept else {}
    found = _found(repository, before)
    found[PORTAL] = _portal(repository, {name: each.outline for name, each in found.items()}, before.get(PORTAL))
    if kept and any(found[name] is not before.get(name) for name in found):
        _write(kept, repository, found)
    lost = Checked(strays(repository.files, records, docs, repository.names, scripts))
    return [lost, found[PORTAL].checked, *(found[name].checked for name in repository.names)]


def load(
    root: Path,
    records: Path,
    docs: Path,
    severities: Severities | None = None,
    scripts: AnyOf[str] = (),
    kept: Path | None = None,
) -> Project:
    """Read and check every system under `records`, with its prose under `docs`, as `project.load` does.

    `kept` is the folder that holds the systems as they were the last time, and is to hold them as they are now. A
    system is taken from there when somebody asks for it.
    """
    files = Files(root)
    repository = _repository(files, records, docs)
    kept_files = {name: kept / f"{name}.pickle" for name in repository.names} if kept else {}
    before = {name: _read(file, repository).get(name) for name, file in kept_files.items()}
    found = _found(repository, {name: each for name, each in before.items() if each}, whole=True)
    for name, file in kept_files.items():
        if found[name] is not before[name] and found[name].digest:
            _write(file, repository, {name: found[name]})
    for file in kept.glob("*.pickle") if kept else ():
        if file.stem not in repository.names:
            file.unlink(missing_ok=True)
    outlines = _Systems(repository.names, {name: each.outline for name, each in found.items()})
    project = Project(root, outlines, outlines.library, severities=severities or {})
    project.told = {name: found[name].told for name in repository.names}
    project.known = {name: found[name].checked for name in repository.names}
    project.digests = {name: each.digest for name, each in found.items()} | {PORTAL: digest_of(repository, PORTAL)}
    project.strays = strays(files, records, docs, repository.names, scripts)
    check_portal(project, files, docs)
    project.systems = Mapped({name: found[name] for name in repository.names}, _whole)
    readable = [name for name in repository.names if found[name].checked.readable]
    project.library = Library(_Collections(project.systems, readable))
    return project


def _repository(files: Files, records: Path, docs: Path) -> Repository:
    return Repository(files, records, docs, tuple(folder.name for folder in system_folders(records, files)))


def _found(repository: Repository, before: Mapping[str, Found], *, whole: bool = False) -> dict[str, Found]:
    """What is found in every system now, given what was found before. `whole` also asks for the systems themselves."""
    known = {name: before[name] for name in repository.names if name in before}
    known = {name: each for name, each in known.items() if each.digest and each.digest == digest_of(repository, name)}
    outlines = {name: each.outline for name, each in known.items()}
    found = _examine(repository, [name for name in repository.names if name not in known], outlines, whole=whole)
    outlines |= {name: each.outline for name, each in found.items()}
    stale = [name for name, each in known.items() if not _holds(each, outlines)]
    return known | found | _examine(repository, stale, outlines, whole=whole)


def _holds(found: Found, outlines: Mapping[str, bytes]) -> bool:
    """Whether all that was asked about has the same outline still."""
    return all(caches.digest(outlines[name]) == was for name, was in found.asked.items())


def _portal(repository: Repository, outlines: Mapping[str, bytes], before: Found | None) -> Found:
    digest = digest_of(repository, PORTAL)
    if before and digest and before.digest == digest and _holds(before, outlines):
        return before
    systems = _Systems(repository.names, outlines)
    project = Project(repository.files.root, systems, systems.library)
    check_portal(project, repository.files, repository.docs)
    return Found(digest, b"", systems.asked, project.portal_checked)


class _NotYet(Exception):
    """The outline of a system is not there yet."""


@dataclass(eq=False)
class _Systems(Mapping[str, SystemProject]):
    """The systems as one of them, or the portal, sees them: the others by their outlines. Notes what is asked."""

    names: tuple[str, ...]
    outlines: Mapping[str, bytes]
    own: SystemProject | None = None
    asked: dict[str, bytes] = field(default_factory=dict)
    _seen: dict[str, SystemProject] = field(default_factory=dict)

    def __getitem__(self, name: str) -> SystemProject:
        if self.own and name == self.own.name:
            return self.own
        if name not in self.names:
            raise KeyError(name)
        if name not in self._seen:
            if name not in self.outlines:
                raise _NotYet(name)
            self.asked[name] = caches.digest(self.outlines[name])
            outline: Outline = pickle.loads(self.outlines[name])
            self._seen[name] = outline.system()
        return self._seen[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def library(self) -> Library:
        return Library(_Collections(self))


def _whole(found: Found) -> SystemProject:
    """A system, made from its bytes."""
    gc.disable()  # nothing of this is let go of, and looking for what was takes longer than all the rest
    try:
        system: SystemProject = pickle.loads(found.system)
    finally:
        gc.enable()
    system.loaded.documents = Mapped(found.documents, pickle.loads)
    return system


@dataclass(frozen=True, eq=False)
class _Collections(Mapping[str, Collection]):
    """The collections of those of the systems that could be read; `readable` are these, where they are known."""

    systems: Mapping[str, SystemProject]
    readable: Sequence[str] | None = None

    def __getitem__(self, name: str) -> Collection:
        collection = self.systems[name].collection
        if collection is None:
            raise KeyError(name)
        return collection

    def __iter__(self) -> Iterator[str]:
        if self.readable is not None:
            return iter(self.readable)
        return (name for name, each in self.systems.items() if each.collection)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Examiner:
    """Reads and checks some of the systems; those that ask about others wait until it is told of them."""

    def __init__(self, repository: Repository, outlines: Mapping[str, bytes], *, whole: bool) -> None:
        self.repository = repository
        self.whole = whole
        self.outlines = dict(outlines)
        self.found: dict[str, Found] = {}
        self._waiting: list[tuple[Sequence[bytes], SystemProject]] = []

    def read(self, names: Iterable[str]) -> dict[str, bytes]:
        """Read systems and check as many as can be. Gives their outlines."""
        place = self.repository
        for name in names:
            digests = _digests(place, name)
            system = read_system(place.files, place.records / name, place.docs / name)
            self.outlines[name] = pickle.dumps(system.outline)
            self._check(digests, system)
        return {name: self.outlines[name] for name in names}

    def finish(self, outlines: Mapping[str, bytes]) -> dict[str, Found]:
        """Check the others, now that all outlines are known. Gives what was found in all of them."""
        self.outlines |= outlines
        waiting, self._waiting = self._waiting, []
        for digests, system in waiting:
            self._check(digests, system)
        return self.found

    def _check(self, digests: Sequence[bytes], system: SystemProject) -> None:
        systems = _Systems(self.repository.names, self.outlines, system)
        try:
            check_system(system, systems, systems.library)
        except _NotYet:
            self._waiting.append((digests, system))
        else:
            found = Found(_together(digests), self.outlines[system.name], systems.asked, system.checked)
            if self.whole:
                documents = {file: _pickled(each) for file, each in system.loaded.documents.items()}
                system.loaded.documents = {}
                told = replace(system.told, portal=_for_the_portal(digests, system))
                found = replace(found, system=_pickled(system), documents=documents, told=told)
            self.found[system.name] = found


def _pickled(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def _for_the_portal(digests: Sequence[bytes], system: SystemProject) -> bytes:
    """What the portal shows of a system comes from its records, from all IDs, and from where entries stand."""
    if not digests or system.collection is None:
        return b""
    shown = (digests[0], system.collection.ids, system.shown)
    return caches.digest(repr(shown).encode(errors="surrogatepass"))


def _examine(
    repository: Repository, names: Sequence[str], outlines: Mapping[str, bytes], *, whole: bool
) -> dict[str, Found]:
    """Read and check systems, on as many cores as are worth it. `outlines` are those of all others."""
    count = min(cores(), len(names) // WORTH_A_PROCESS)
    if threading.active_count() > 1:
        count = 1  # what another thread holds, a process that is begun now would hold for ever
    if count < 2:
        examiner = _Examiner(repository, outlines, whole=whole)
        return examiner.finish(examiner.read(names))
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    share = -(-len(names) // count)
    connections, processes = [], []
    for start in range(0, len(names), share):
        here, there = context.Pipe()
        given = (there, repository, names[start : start + share], outlines, whole)
        process = context.Process(target=_work, args=given, daemon=True)
        process.start()
        there.close()
        connections.append(here)
        processes.append(process)
    read: dict[str, bytes] = {}
    for each in connections:
        read |= each.recv()
    for each in connections:
        each.send(read)
    found: dict[str, Found] = {}
    for each in connections:
        found |= each.recv()
    for process in processes:
        process.join()
    return found


def _work(
    connection: Connection, repository: Repository, names: Sequence[str], outlines: Mapping[str, bytes], whole: bool
) -> None:
    """What one of several processes does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that waits for this one ends it
    gc.set_threshold(100_000, 20, 100)  # hardly anything is left behind, and looking for it takes long
    examiner = _Examiner(repository, outlines, whole=whole)
    connection.send(examiner.read(names))
    connection.send(examiner.finish(connection.recv()))


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Elsewhere(Exception):
    """Something is not a plain file or folder, so that what it holds can change without a change here."""


def digest_of(repository: Repository, name: str, *, linked: bool = False) -> bytes:
    """The digest of all files of a system, or of those of the portal, wherever the repository lies.

    It is empty where they lead elsewhere, since what is there may change unseen; with `linked`, that counts too.
    """
    return _together(_digests(repository, name, linked=linked))


def _together(digests: Sequence[bytes]) -> bytes:
    return caches.digest(b"".join(digests)) if digests else b""


def _digests(repository: Repository, name: str, *, linked: bool = False) -> list[bytes]:
    """The digests of a system's records and of its prose, or that of the portal; none where they lead elsewhere."""
    folders = [repository.records / name, repository.docs / name] if name else [repository.docs]
    without = () if name else tuple(each for each in repository.names if each not in RESERVED)
    try:
        return [_digest_in(repository, folder, without, linked=linked) for folder in folders]
    except (OSError, _Elsewhere):
        return []


def _digest_in(repository: Repository, folder: Path, without: Sequence[str], *, linked: bool) -> bytes:
    """The digest of the files in a folder, without those in some folders there."""
    digest = blake2b(digest_size=16)
    here = os.path.relpath(folder, repository.files.root)
    for path in _linked(repository.files, folder, without) if linked else _plain(str(folder), without):
        data = b"" if path.endswith(os.sep) else Path(path).read_bytes()
        told = f"{here}{path.removeprefix(str(folder))}\0{len(data)}\0"
        digest.update(told.encode(errors="surrogateescape"))
        digest.update(data)
    for each in sorted(repository.files.unsaved):
        if each.is_relative_to(folder) and each.relative_to(folder).parts[0] not in without:
            digest.update(f"{each}\0{repository.files.unsaved[each]}\0".encode(errors="surrogatepass"))
    return digest.digest()


def _linked(files: Files, folder: Path, without: Sequence[str]) -> Iterator[str]:
    """The files under a folder, through links too."""
    return (str(path) for path in files.walk(folder, {folder / each for each in without}) if files.is_file(path))


def _plain(folder: str, without: Sequence[str] = ()) -> Iterator[str]:
    """The files under a folder, and the folders too, since even an empty one may be a fault."""
    if not os.path.lexists(folder):
        return
    if not stat.S_ISDIR(os.lstat(folder).st_mode):
        raise _Elsewhere
    yield folder + os.sep
    with os.scandir(folder) as entries:
        inside = sorted(entries, key=lambda each: each.name)
    for entry in inside:
        if entry.is_file(follow_symlinks=False):
            yield entry.path
        elif not entry.is_dir(follow_symlinks=False):
            raise _Elsewhere
        elif entry.name not in without:
            yield from _plain(entry.path)


def kept_in(root: Path) -> Path | None:
    """The file that holds what was found in the repository at `root`; none where nothing can be kept."""
    folder = caches.folder()
    return folder / f"{caches.name_of(root)}.pickle" if folder else None


def _read(file: Path, repository: Repository) -> dict[str, Found]:
    """What was found the last time, as far as it is still worth something."""
    try:
        made_by, names, found = pickle.loads(file.read_bytes())
    except Exception:  # whatever the matter with it is, it can be made again
        return {}
    return (
        found if (made_by, names) == (caches.program(), (repository.records, repository.docs, repository.names)) else {}
    )


def _write(file: Path, repository: Repository, found: Mapping[str, Found]) -> None:
    data = pickle.dumps((caches.program(), (repository.records, repository.docs, repository.names), dict(found)))
    caches.write(file, data)
