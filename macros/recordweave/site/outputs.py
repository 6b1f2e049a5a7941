"""The sites of systems as they were built, kept for as long as nothing that they are made from has changed.

A system's site is made from its own files, from what it and other systems say of each other, from the configuration
and from the program. Where a site could be made from anything else, such as a plugin or a hook of the repository's
own, it is not kept. What is kept is a copy outside of the repository, which counts only while every file in it is as
it was left.
"""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import get_build_date

from recordweave import caches
from recordweave.checking import Repository, digest_of
from recordweave.project import Project
from recordweave.site.plain import is_plain
from recordweave.sources.files import Files


class Outputs:
    """What is kept of one repository's systems. `folder` is where; nothing is kept where there is none."""

    def __init__(self, project: Project, config: MkDocsConfig, records: Path, folder: Path | None) -> None:
        self.project = project
        self.folder = folder if folder and is_plain(config) else None
        docs = Path(config.docs_dir)
        self._repository = Repository(Files(project.root), records, docs, tuple(project.systems))
        self._settings = _settings(config) if self.folder else ""
        self._related = _related(project) if self.folder else {}
        faulty = {each.place.file for each in project.diagnostics}
        self._faulty = {name for name, each in project.systems.items() if not faulty.isdisjoint(each.checked.files)}

    def key(self, name: str) -> str:
        """Says whether a system's site would be the same; empty where nobody can know."""
        made_from = [self.project.digests.get(each, b"") for each in (name, *sorted(self._related.get(name, ())))]
        if self.folder is None or name in self._faulty or not all(made_from):
            return ""
        told = (self._settings, self.project.glossary, sorted(self.project.systems), sorted(self._related[name]))
        return caches.digest(b"".join([caches.program(), repr(told).encode(), *made_from])).hex()

    def fetch(self, name: str, into: Path) -> bool:
        """Put a system's site into a folder that is not there yet. False where it has to be built."""
        key = self.key(name)
        if not key or self.folder is None:
            return False
        kept = self.folder / name
        try:
            told = json.loads((kept / "made.json").read_text(encoding="utf-8"))
            if told["key"] != key or told["files"] != _files(kept / "site"):
                return False
            _copy(kept / "site", into)
        except (OSError, ValueError, KeyError, TypeError):
            shutil.rmtree(into, ignore_errors=True)
            return False
        return True

    def keep(self, name: str, site: Path) -> None:
        """Keep a system's site that was built without a warning, unless somebody has written something meanwhile."""
        key = self.key(name)
        if not key or self.folder is None or digest_of(self._repository, name) != self.project.digests[name]:
            return
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=".", dir=self.folder))
            try:
                _copy(site, aside / "site")
                told = {"key": key, "files": _files(aside / "site")}
                (aside / "made.json").write_text(json.dumps(told), encoding="utf-8")
                shutil.rmtree(self.folder / name, ignore_errors=True)
                aside.rename(self.folder / name)
            except OSError:
                shutil.rmtree(aside, ignore_errors=True)


def _related(project: Project) -> Mapping[str, set[str]]:
    """The systems that each refers to, and those that refer to it."""
    related: dict[str, set[str]] = {name: set() for name in project.systems}
    for name, system in project.systems.items():
        for other in system.referred if system.collection else ():
            if other in related:
                related[name].add(other)
                related[other].add(name)
    return related


def _settings(config: MkDocsConfig) -> str:
    """The configuration as text, without what differs from one build to the next and changes nothing."""
    left_out = ("site_dir", "plugins", "theme", "markdown_extensions", "watch", "config_file_path", "nav")
    told = {key: value for key, value in config.items() if key not in left_out}
    told["extensions"] = [each for each in map(str, config.markdown_extensions) if not each.startswith("<")]
    told["plugins"] = {name: dict(plugin.config) for name, plugin in config.plugins.items()}
    told["theme"] = {key: value for key, value in vars(config.theme).items() if key != "dirs"}
    told["date"] = get_build_date()
    return json.dumps(told, default=_told, sort_keys=True)


def _told(value: Any) -> Any:
    """Something of a configuration for which JSON has no form. What has an address in it is never the same again."""
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, partial):
        return [_told(value.func), value.args, value.keywords]
    if isinstance(value, Callable):  # type: ignore[arg-type]
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"
    return repr(value)


def _files(folder: Path) -> dict[str, list[int]]:
    """Every file under a folder, with its size and the time of its last change."""
    found: dict[str, list[int]] = {}
    for path in folder.rglob("*"):
        told = path.lstat()
        if not stat.S_ISDIR(told.st_mode):
            found[path.relative_to(folder).as_posix()] = [told.st_size, told.st_mtime_ns]
    return found


def _copy(folder: Path, into: Path) -> None:
    """Copy a folder, without copying what it holds where that can be."""
    try:
        shutil.copytree(folder, into, copy_function=os.link)
    except OSError:
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(folder, into)
