"""The sites of systems as they were built, kept for as long as nothing that they are made from has changed.

A system's site is made from its own files, from what it and other systems say of each other, from the configuration
and from the program. Where a site could be made from anything else, such as a plugin or a hook of the repository's
own, it is not kept. What is kept is a copy outside of the repository, which counts only while every file in it is as
it was left. It is moved into the new site, and gets back what was the same in the old one.
"""

import json
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Mapping
from collections.abc import Collection as AnyOf
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import get_build_date

from recordweave import caches
from recordweave.checking import Repository, digest_of
from recordweave.project import Project
from recordweave.records.ids import split
from recordweave.site.plain import has_known_theme, is_plain
from recordweave.sources.files import Files
from recordweave.views.links import PORTAL

Listing = dict[str, list[int]]
"""The files of a folder, each with its size and the time of its last change, in nanoseconds."""


class Outputs:
    """What is kept of one repository's sites. `folder` is where; nothing is kept where there is none.

    `chosen` are the systems that are built. `what` tells apart what is built from the same: a site, or a preview of it
    with drafts.
    """

    def __init__(
        self,
        project: Project,
        config: MkDocsConfig,
        records: Path,
        chosen: tuple[str, ...],
        folder: Path | None,
        what: str = "site",
    ) -> None:
        self.project = project
        self.chosen = chosen
        self.is_plain = is_plain(config)
        self.folder = folder if self.is_plain else None
        docs = Path(config.docs_dir)
        self._repository = Repository(Files(project.root), records, docs, tuple(project.systems))
        self._settings = f"{what}: {settings_of(config)}" if self.is_plain else ""
        self._nav = repr(config.nav)
        self._related = _related(project) if self.is_plain else {}
        faulty = {each.place.file for each in project.diagnostics}
        self._faulty = {name for name, each in project.systems_checked.items() if not faulty.isdisjoint(each.files)}
        self._shares: dict[str, dict[str, Any]] = {}
        self._new_shares: set[str] = set()
        self._moved: list[str] = []

    def key(self, name: str) -> str:
        """Says whether a system's site would be the same; empty where nobody can know."""
        own = self.project.digests.get(name, b"")
        return self._key(name, own) if name not in self._faulty else ""

    def _key(self, name: str, own: bytes) -> str:
        if not self.is_plain or not own:
            return ""
        refers = self.project.systems_checked[name].refers
        others = []
        for other in sorted(self._related[name]):
            told = self.project.told.get(other)
            if told is None or not self.project.digests.get(other):
                return ""
            others.append((other, told.to(name, [one for one in refers if split(one)[0] == other])))
        made_from = (own, self._settings, self.project.glossary, others)
        return caches.digest(caches.program() + repr(made_from).encode()).hex()

    def share_key(self, name: str) -> str:
        """Says whether what a system has to do with the portal would be the same; empty where nobody can know."""
        told = self.project.told.get(name)
        return self._key(name, told.portal) if told else ""

    @cached_property
    def portal_key(self) -> str:
        """Says whether the pages of the portal would be the same."""
        keys = [self.share_key(name) for name in self.project.systems]
        own = self.project.digests.get(PORTAL, b"")
        files = {*self.project.portal_checked.files}
        if not own or not all(keys) or any(each.place.file in files for each in self.project.diagnostics):
            return ""
        told = (keys, self._settings, self._nav, sorted(self.project.systems))
        return caches.digest(caches.program() + own + repr(told).encode()).hex()

    @cached_property
    def whole_key(self) -> str:
        """Says whether everything would be the same."""
        keys = [self.key(name) for name in self.project.systems]
        portal = self.project.digests.get(PORTAL, b"")
        if self.folder is None or self.project.diagnostics or not portal or not all(keys):
            return ""
        told = (keys, self._settings, self._nav, self.chosen, sorted(self.project.systems))
        return caches.digest(caches.program() + portal + repr(told).encode()).hex()

    def stands(self, site: Path) -> bool:
        """Whether a folder holds what would be built, every file as it was left."""
        if not self.whole_key:
            return False
        if self._told(PORTAL).get("key") != self.whole_key:
            return False
        there = files_in(site)
        for name in (PORTAL, *self.chosen):
            told = self._told(name)
            if name and told.get("key") != self.key(name):
                return False
            files = told["files"]
            inside = f"{name}/" if name else ""
            if any(there.pop(f"{inside}{file}", None) != is_like for file, is_like in files.items()):
                return False
        return not there

    def share(self, here: str, system: str, what: str, make: Callable[[], Any]) -> Any:
        """What a system has to do with a page of the portal, `here`."""
        key = self.share_key(system)
        if not key or self.folder is None:
            return make()
        if system not in self._shares:
            self._shares[system] = self._read_shares(system, key)
        name = f"{what} on {here}"
        if name not in self._shares[system]:
            self._shares[system][name] = make()
            self._new_shares.add(system)
        return self._shares[system][name]

    def _read_shares(self, system: str, key: str) -> dict[str, Any]:
        assert self.folder is not None
        try:
            was, shares = pickle.loads((self.folder / f"{system}.pickle").read_bytes())
        except Exception:  # whatever the matter with it is, it can be made again
            return {}
        return dict(shares) if was == key else {}

    def keep_shares(self) -> None:
        """Keep what was made of the systems for the portal, unless somebody has written something meanwhile."""
        for system in self._new_shares:
            assert self.folder is not None
            if self._is_unchanged(system):
                caches.write(
                    self.folder / f"{system}.pickle", pickle.dumps((self.share_key(system), self._shares[system]))
                )

    def fetch(self, name: str, into: Path, site: Path) -> bool:
        """Put a system's site into a folder that is not there yet. False where it has to be built.

        `site` is the one that is published, where the system's folder can take the place of what was kept.
        """
        key = self.key(name)
        told = self._told(name)
        if not key or self.folder is None or told.get("key") != key:
            return False
        kept, last = self.folder / name / "site", site / name
        try:
            if files_in(kept) == told["files"]:
                if last.is_dir() and _moved(kept, into):
                    self._moved.append(name)
                    return True
                _copy(kept, into)
                return True
            if files_in(last) == told["files"]:
                _copy(last, into)
                self._moved.append(name)
                return True
        except OSError:
            shutil.rmtree(into, ignore_errors=True)
        return False

    def take_back(self, site: Path) -> None:
        """Keep again what was moved into a new site: the old one has the same, and the new one has it if it failed."""
        for name in self._moved:
            assert self.folder is not None
            shutil.rmtree(self.folder / name / "site", ignore_errors=True)  # what was not as it was left
            _moved(site / name, self.folder / name / "site")

    def keep(self, name: str, site: Path) -> None:
        """Keep a system's site that was built without a warning, unless somebody has written something meanwhile."""
        key = self.key(name)
        if not key or self.folder is None or not self._is_unchanged(name):
            return
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=".", dir=self.folder))
            try:
                _copy(site, aside / "site")
                told = {"key": key, "files": files_in(aside / "site")}
                (aside / "made.json").write_text(json.dumps(told), encoding="utf-8")
                shutil.rmtree(self.folder / name, ignore_errors=True)
                aside.rename(self.folder / name)
            except OSError:
                shutil.rmtree(aside, ignore_errors=True)

    def keep_whole(self, site: Path) -> None:
        """Note what a site is like that was published without a warning; forget systems that are gone."""
        if self.folder is None or not self.folder.is_dir():
            return
        for each in self.folder.iterdir():
            if each.stem not in (*self.project.systems, ".portal"):
                shutil.rmtree(each, ignore_errors=True) if each.is_dir() else each.unlink(missing_ok=True)
        if self.whole_key and self._is_unchanged(PORTAL):
            files = files_in(site, without=self.chosen)
            told = json.dumps({"key": self.whole_key, "files": files})
            caches.write(self.folder / ".portal.json", told.encode())

    def _is_unchanged(self, name: str) -> bool:
        """Whether the files of a system, or of the portal, still are those that were read."""
        return digest_of(self._repository, name) == self.project.digests[name]

    def _told(self, name: str) -> dict[str, Any]:
        """What is known of a site that was kept: `key` and `files`; nothing where there is none."""
        if self.folder is None:
            return {}
        file = self.folder / name / "made.json" if name else self.folder / ".portal.json"
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        is_whole = isinstance(told, dict) and isinstance(told.get("files"), dict) and "key" in told
        return told if is_whole else {}


def _related(project: Project) -> Mapping[str, set[str]]:
    """The systems that each refers to, and those that refer to it."""
    related: dict[str, set[str]] = {name: set() for name in project.systems}
    for name, referred in project.referred.items():
        for other in referred:
            related[name].add(other)
            related[other].add(name)
    return related


def settings_of(config: MkDocsConfig) -> str:
    """The configuration as text, without what differs from one build to the next and changes nothing."""
    left_out = ("site_dir", "strict", "plugins", "theme", "markdown_extensions", "watch", "config_file_path", "nav")
    told = {key: value for key, value in config.items() if key not in left_out}
    told["extensions"] = [each for each in map(str, config.markdown_extensions) if not each.startswith("<")]
    told["plugins"] = {
        name: {key: value for key, value in plugin.config.items() if key not in ("jobs", "cache", "systems")}
        for name, plugin in config.plugins.items()
        if name not in config.hooks
    }
    told["theme"] = {key: value for key, value in vars(config.theme).items() if key not in ("dirs", "get_env")}
    if not has_known_theme(config):
        told["date"] = get_build_date()
    return json.dumps(_told(told))


def _told(value: Any) -> Any:
    """Something of a configuration in a form that JSON has. What has an address in it is never the same again."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Mapping):
        return [[_told(key), _told(each)] for key, each in value.items()]
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, partial):
        return [_told(each) for each in (value.func, value.args, value.keywords)]
    if isinstance(value, Callable):  # type: ignore[arg-type]
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"
    return repr(value)


def files_in(folder: Path, without: AnyOf[str] = ()) -> Listing:
    """Every file under a folder, by its path there.

    Left out are those at its top whose names begin with a dot, and those in some folders there.
    """
    found: Listing = {}

    def look(path: str, inside: str) -> None:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if inside or entry.name not in without:
                        look(entry.path, f"{inside}{entry.name}/")
                elif inside or not entry.name.startswith("."):
                    told = entry.stat(follow_symlinks=False)
                    found[inside + entry.name] = [told.st_size, told.st_mtime_ns]

    with suppress(FileNotFoundError, NotADirectoryError):
        look(str(folder), "")
    return found


def _moved(folder: Path, into: Path) -> bool:
    """Move a folder. False where it would have to be copied."""
    with suppress(OSError):
        folder.rename(into)
        return True
    return False


def _copy(folder: Path, into: Path) -> None:
    """Copy a folder, without copying what it holds where that can be."""
    try:
        _link(str(folder), str(into))
    except OSError:
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(folder, into)


def _link(folder: str, into: str) -> None:
    Path(into).mkdir()
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _link(entry.path, f"{into}/{entry.name}")
            else:
                os.link(entry.path, f"{into}/{entry.name}")
