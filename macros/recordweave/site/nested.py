"""Builds one system's site in a MkDocs build of its own, from the portal's configuration."""

import gc
import logging
import multiprocessing
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from os.path import relpath, sep
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from markupsafe import Markup, escape
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import get_plugin_logger
from mkdocs.utils import CountHandler

from recordweave.processes import end_with_parent
from recordweave.project import Project, SystemProject
from recordweave.records.text import plain
from recordweave.site import environment
from recordweave.site.outputs import Outputs
from recordweave.site.plain import is_known
from recordweave.site.progress import Progress
from recordweave.site.system import SystemSite

if TYPE_CHECKING:
    from recordweave.site.plugin import RecordweavePlugin

log = get_plugin_logger("recordweave")

FAILED = -1.0
"""The seconds in which something could not be built."""


class Builder:
    """Builds systems of a project into the folder of the portal's site. What is built without a warning is kept."""

    def __init__(self, project: Project, portal: MkDocsConfig, outputs: Outputs) -> None:
        self.project = project
        self.portal = portal
        self.outputs = outputs
        self.systems: Sequence[str] = ()
        self._connections: list[Connection] = []

    def start(self, systems: Sequence[str], jobs: int) -> None:
        """Begin to build systems, as many at once as there are to be `jobs`, while the portal is built.

        With one job, and where there can be no other processes, they are built when the portal is.
        """
        self.systems = systems
        environment.ask_git_once()
        gc.set_threshold(100_000, 20, 100)  # hardly anything is left behind, and looking for it takes long
        # Elsewhere than on Linux, processes do not begin with all that is there; and what another thread holds, a
        # process that is begun now would hold for ever.
        if jobs < 2 or sys.platform != "linux" or threading.active_count() > 1:
            return
        gc.freeze()  # what is there already stays as it is, and is shared by all processes
        context = multiprocessing.get_context("fork")
        begun = context.Value("i", 0)
        for _ in range(min(jobs, len(systems))):
            here, there = context.Pipe(duplex=False)
            context.Process(target=self._work, args=(begun, there), daemon=True).start()
            there.close()
            self._connections.append(here)

    def finish(self) -> list[str]:
        """Wait until all systems are built. Gives the names of those that cannot be built."""
        failed = set()
        with Progress(len(self.systems)) as progress:
            for name, seconds in self._at_once() if self._connections else self._in_turn():
                progress.built(name, seconds)
                if seconds == FAILED:
                    failed.add(name)
        return [name for name in self.systems if name in failed]

    def _in_turn(self) -> Iterator[tuple[str, float]]:
        for name in self.systems:
            yield name, self.build_one(name)

    def _at_once(self) -> Iterator[tuple[str, float]]:
        left = list(self.systems)
        while self._connections:
            for each in wait(self._connections):
                assert isinstance(each, Connection)
                try:
                    name, seconds = each.recv()
                except EOFError:  # it has nothing left to do
                    self._connections.remove(each)
                    continue
                left.remove(name)
                yield name, seconds
        if left:
            log.error("a process was ended from outside, for want of memory perhaps; with `jobs: 1` least is needed")
            yield from ((name, FAILED) for name in left)

    def _work(self, begun: Any, connection: Connection) -> None:
        """What one of several processes does: it builds the next system that none has begun, until there is none."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that waits for this one ends it
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        end_with_parent()
        while True:
            with begun.get_lock():
                number = begun.value
                begun.value += 1
            if number >= len(self.systems):
                return
            name = self.systems[number]
            connection.send((name, self.build_one(name)))

    def build_one(self, name: str) -> float:
        """Build a system into `<site>/<system>/`. Gives the seconds that it took; what was wrong has been said."""
        start = time.monotonic()
        system = self.project.systems[name]
        if system.collection is None:
            return FAILED
        warnings = CountHandler()
        warnings.setLevel(logging.WARNING)
        mkdocs = logging.getLogger("mkdocs")
        mkdocs.addHandler(warnings)
        for handler in mkdocs.handlers:
            handler.addFilter(_is_worth_telling)
        try:
            with tempfile.TemporaryDirectory(prefix="recordweave_") as empty:
                config = self._configured(system, Path(empty))
                build(config)
        except Abort as abort:
            log.error("%s: %s", name, abort)
            return FAILED
        except Exception as error:  # the others are built all the same, and what is wrong with them is told
            log.error("%s cannot be built: %s: %s", name, type(error).__name__, error)
            log.debug("where it happened", exc_info=error)
            return FAILED
        finally:
            mkdocs.removeHandler(warnings)
            for handler in mkdocs.handlers:
                handler.removeFilter(_is_worth_telling)
        if not warnings.get_counts():
            self.outputs.keep(name, Path(config.site_dir))
        return time.monotonic() - start

    def _configured(self, system: SystemProject, empty: Path) -> MkDocsConfig:
        """The portal's configuration, made that of a system. `empty` is a folder for one that has no prose."""
        portal, name = self.portal, system.name
        docs = Path(portal.docs_dir) / name
        root = relpath(Path(portal.config_file_path).parent, docs).replace(sep, "/")
        site = SystemSite(system, self.project, root, in_shell=is_known(portal))
        # The theme takes names and titles as HTML, and escapes some of them once more unless they are marked as such.
        settings: dict[str, Any] = {
            "docs_dir": str(docs if docs.is_dir() else empty),
            "site_dir": str(Path(portal.site_dir) / name),
            "site_name": Markup("{} · {}").format(site.label, Markup(portal.site_name)),
            "site_description": escape(plain(site.collection.system.summary)),
            "use_directory_urls": portal.use_directory_urls,
            "strict": portal.strict,
            "nav": site.nav,
        }
        if portal.site_url:
            settings["site_url"] = urljoin(portal.site_url.rstrip("/") + "/", f"{name}/")
        if portal.edit_uri_template:
            settings["edit_uri_template"] = str(portal.edit_uri_template).replace("{path", f"{name}/{{path")
        elif portal.edit_uri:
            settings["edit_uri"] = portal.edit_uri.rstrip("/") + f"/{name}/"
        config = load_config(config_file=portal.config_file_path, **settings)
        environment.leave_files_out(config.theme)
        plugin: RecordweavePlugin = config.plugins["recordweave"]  # type: ignore[assignment]
        plugin.system = site
        return config


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """What MkDocs and its plugins say of each of a hundred builds is not, unless somebody wants to know all."""
    return record.levelno > logging.INFO or logging.getLogger("mkdocs").level == logging.DEBUG
