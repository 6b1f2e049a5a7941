"""Builds one system's site in a MkDocs build of its own, from the portal's configuration."""

import gc
import logging
import multiprocessing
import signal
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
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

from recordweave.project import Project, SystemProject
from recordweave.records.text import plain
from recordweave.site import environment
from recordweave.site.outputs import Outputs
from recordweave.site.plain import has_known_theme, is_plain
from recordweave.site.system import SystemSite

if TYPE_CHECKING:
    from recordweave.site.plugin import RecordweavePlugin

log = get_plugin_logger("recordweave")


def build_systems(project: Project, portal: MkDocsConfig, jobs: int, outputs: Outputs) -> list[str]:
    """Build every system, as many at once as there are to be `jobs`. Gives the names of those that cannot be built."""
    site = Path(portal.site_dir)
    systems = [each for name, each in project.systems.items() if not outputs.fetch(name, site / name)]
    gc.freeze()  # what is there already stays as it is, and is shared by all processes
    gc.set_threshold(100_000, 20, 100)  # hardly anything is left behind, and looking for it takes long
    jobs = min(jobs, len(systems)) if sys.platform == "linux" else 1  # elsewhere, processes do not begin with it all
    if jobs < 2:
        return [system.name for system in systems if not build_system(system, project, portal, outputs)]
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("fork"), _begin, (project, portal, outputs)
    ) as processes:
        built = list(processes.map(_build, [system.name for system in systems]))
    return [system.name for system, is_built in zip(systems, built, strict=True) if not is_built]


_given: tuple[Project, MkDocsConfig, Outputs] | None = None
"""What a process has to build from, which it has from its beginning."""


def _begin(project: Project, portal: MkDocsConfig, outputs: Outputs) -> None:
    global _given
    _given = project, portal, outputs
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that waits for this one ends it


def _build(name: str) -> bool:
    assert _given is not None
    project, portal, outputs = _given
    return build_system(project.systems[name], project, portal, outputs)


def build_system(system: SystemProject, project: Project, portal: MkDocsConfig, outputs: Outputs) -> bool:
    """Build a system into `<site>/<system>/`. False where it cannot be built, which has been said by then.

    What is built without a warning is kept.
    """
    if system.collection is None:
        return False
    docs = Path(portal.docs_dir) / system.name
    root = relpath(Path(portal.config_file_path).parent, docs).replace(sep, "/")
    site = SystemSite(system, project, root, in_shell=is_plain(portal) and has_known_theme(portal))
    with tempfile.TemporaryDirectory(prefix="recordweave_") as empty:
        config = _configured(site, portal, docs if docs.is_dir() else Path(empty))
        warnings = CountHandler()
        warnings.setLevel(logging.WARNING)
        logging.getLogger("mkdocs").addHandler(warnings)
        try:
            build(config)
        except Abort as abort:
            log.error("%s: %s", system.name, abort)
            return False
        finally:
            logging.getLogger("mkdocs").removeHandler(warnings)
    if not warnings.get_counts():
        outputs.keep(system.name, Path(config.site_dir))
    return True


def _configured(site: SystemSite, portal: MkDocsConfig, docs: Path) -> MkDocsConfig:
    name = site.system.name
    # The theme takes names and titles as HTML, and escapes some of them once more unless they are marked as such.
    settings: dict[str, Any] = {
        "docs_dir": str(docs),
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
    config.theme.get_env = partial(environment.of_system, config.theme)  # type: ignore[method-assign]
    plugin: RecordweavePlugin = config.plugins["recordweave"]  # type: ignore[assignment]
    plugin.system = site
    return config
