"""The MkDocs plugin: builds the portal from `docs/`, and then each system's site in a MkDocs build of its own."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click
from jinja2 import Environment
from markupsafe import Markup
from mkdocs.config import config_options
from mkdocs.config.base import BaseConfigOption, Config, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from recordweave import caches
from recordweave.checking import cores, load
from recordweave.parts import Part
from recordweave.processes import end_children
from recordweave.project import Project
from recordweave.records.diagnostic import Diagnostic, Severity
from recordweave.records.severities import Severities, read_severities
from recordweave.report import formatted, summary
from recordweave.site import environment, search, shared, sitemap
from recordweave.site.assets import add_assets
from recordweave.site.extension import PageText, RecordweaveExtension
from recordweave.site.generated import show_as_text
from recordweave.site.nested import Builder
from recordweave.site.notices import notice
from recordweave.site.outputs import Outputs
from recordweave.site.part import SystemsOption, chosen, part_of
from recordweave.site.plain import is_known
from recordweave.site.portal import Portal
from recordweave.site.publication import BuildPublication
from recordweave.site.record_pages import Shell
from recordweave.site.refusals import Refusals
from recordweave.site.serving import Served, forget_what_was_edited, watched
from recordweave.site.system import SystemSite
from recordweave.site.theme import mended
from recordweave.views.links import PART
from recordweave.views.view import templates

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

log = get_plugin_logger("recordweave")


class SeverityOption(BaseConfigOption[Severities]):
    """`severity`: a code to each, and what it weighs."""

    default: Severities = MappingProxyType({})

    def run_validation(self, value: object) -> Severities:
        severities, complaints = read_severities(value)
        if complaints:
            raise ValidationError("; and ".join(complaints))
        return severities


class RecordweaveConfig(Config):
    """What can be set under `plugins: recordweave` in `mkdocs.yml`."""

    records = config_options.Type(str, default="records")
    """The folder of the records, relative to the configuration file."""

    severity = SeverityOption()
    """What codes of diagnostics weigh where it is something else than usual: `error`, `warning` or `off`."""

    systems = SystemsOption()
    """Which systems are built, if not all: names in a list, or in a text with blanks or commas between them."""

    jobs = config_options.Type(int, default=0)
    """How many systems are built at once; 0 for as many as there are cores."""

    cache = config_options.Type(bool, default=True)
    """Whether a system is left as it was built the last time, if nothing has changed that it is made from."""


class RecordweavePlugin(BasePlugin[RecordweaveConfig]):
    """Delegates: `site` is what is being built, the portal or one system. `system` is set for a system's build."""

    def __init__(self) -> None:
        self.system: SystemSite | None = None
        self.portal: Portal | None = None
        self.page: Page | None = None
        self.shown: str | None = None
        """What a page shows, while the search reads it."""

        self.is_known = False
        self.shell: Shell | None = None
        self.refusals = Refusals()
        self.part: Part | None = None
        self.publication: BuildPublication | None = None
        self.served: Served | None = None
        self.builder: Builder | None = None

    @event_priority(-100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read and check everything; an error ends the build before anything is written, unless this is `serve`."""
        macros: Any = config.plugins.get("macros")
        if macros is None:
            raise PluginError("recordweave needs the plugin `macros` (mkdocs-macros-plugin) before it in `plugins`")
        search.without_suggestions(config, tell=self.system is None)
        self.is_known = is_known(config)
        if self.system is None:
            self._begin(config)
        macros.register_macros(self.site.macros(self._current))
        config.markdown_extensions.append(RecordweaveExtension(self._text_of))  # type: ignore[arg-type]
        return config

    @property
    def site(self) -> SystemSite | Portal:
        site = self.system or self.portal
        assert site is not None
        return site

    def _begin(self, config: MkDocsConfig) -> None:
        """Begin a build of everything; it ends here where everything is there already, just as it would be built."""
        site, root = Path(config.site_dir), Path(config.config_file_path).parent
        built = chosen(self.config.systems, root, root / self.config.records)
        if _serving():
            self.served = Served(config)
            forget_what_was_edited()
        elif not _dirty():
            self.publication = BuildPublication(config)
        environment.keep_compiled(self._kept("templates"))
        environment.compile_once(templates())
        project = self._load(config)
        records = root / self.config.records
        self.part = None if _serving() else part_of(project, config, records, built)
        if self.part and _command() == "gh-deploy":
            raise Abort("recordweave: a part of a site is not published; build all systems, or join the parts")
        what = "preview" if _serving() else "site"
        outputs = Outputs(project, config, records, built, self._kept("sites", caches.name_of(root)), what)
        self.portal = Portal(project, outputs)
        if self.publication:
            self.publication.take_back = outputs.take_back
        if self.publication and _command() == "build" and outputs.stands(site):
            self.publication.abandon()
            log.info("nothing has changed: %s stands in %s", self._what, site)
            raise SystemExit(0)

    @property
    def _what(self) -> str:
        """What is built."""
        part = self.part
        return f"a part, {len(part.built)} of {len(part.systems)} systems," if part else "the site"

    def _load(self, config: MkDocsConfig) -> Project:
        """Read and check everything. Raises where nothing is to be built of it."""
        root = Path(config.config_file_path).parent
        records, docs = root / self.config.records, Path(config.docs_dir)
        scripts = [str(script) for script in config.extra_javascript]
        project = load(root, records, docs, self.config.severity, scripts, self._kept("systems", caches.name_of(root)))
        config.watch.extend(watched(records))
        told = project.diagnostics
        self._tell(told, config)
        errors = any(each.severity is Severity.ERROR for each in told)
        if (errors and not _serving()) or (told and config.strict):
            raise Abort(f"recordweave: {summary(told)}; nothing was built")
        return project

    def _kept(self, *names: str) -> Path | None:
        """The folder for something that is kept, below the user's own; none where nothing is to be kept."""
        folder = caches.folder() if self.config.cache else None
        return folder.joinpath(*names) if folder else None

    def _tell(self, diagnostics: Sequence[Diagnostic], config: MkDocsConfig) -> None:
        for diagnostic in diagnostics:
            say = log.error if diagnostic.severity is Severity.ERROR else log.warning
            say("%s", formatted(diagnostic, Path(config.config_file_path).parent))

    def _current(self) -> Page:
        assert self.page is not None
        return self.page

    def _text_of(self, source: str) -> PageText:
        return self.site.text_of(source)

    @event_priority(-100)
    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Leave the systems' folders out of the portal; add the generated pages to a system's site."""
        if self.portal:
            self._start(self.portal.outputs, config)
        if self.portal and self.served and self.served.has_portal(self.portal.outputs.portal_key):
            self.portal.leave_out(files, config)
            return files
        add_assets(files, config)
        if self.system:
            shared.leave_out(files)
        self.site.add_files(files, config)
        return files

    def _start(self, outputs: Outputs, config: MkDocsConfig) -> None:
        """Begin to build the systems whose sites are not there yet, now that the folder of the new site is empty."""
        site = Path(config.site_dir)
        last = self.publication.folder if self.publication else site
        wanted = [name for name in outputs.chosen if not (self.served and self.served.has(name, outputs.key(name)))]
        systems = [name for name in wanted if not outputs.fetch(name, site / name, last)]
        self.builder = Builder(outputs.project, config, outputs)
        self.builder.start(systems, self.config.jobs or cores())

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Give a system's navigation its way back to the portal."""
        self.site.add_nav(nav)
        return nav

    def on_page_read_source(self, page: Page, config: MkDocsConfig) -> str | None:
        """Let a page be made from the text that was checked, whatever has been written since."""
        return self.site.written(page.file.src_uri.removesuffix(".md"))

    @event_priority(100)
    def on_page_markdown(self, markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Note which page is being rendered, before its macros run; a faulty page shows its faults instead.

        Only `serve` gets as far as that, and a build of a project that takes such faults for warnings.
        """
        self.page = page
        self.site.begin(page, markdown)
        found = self.site.faults(page.file.src_uri.removesuffix(".md"))
        faults = [each for each in found if each.severity is Severity.ERROR]
        if not faults:
            return markdown
        page.meta["render_macros"] = False
        told = "\n\n".join(formatted(each, Path(config.config_file_path).parent) for each in faults)
        return "# This page cannot be shown yet\n\n" + indent(told, " " * 4)

    @event_priority(-100)
    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Refuse a page of prose that would run something, or load something from elsewhere."""
        text = self.site.text_of(page.file.src_uri)
        self.refusals.add_page(page, text.findings, config)
        page.present_anchor_ids = (page.present_anchor_ids or set()) | text.anchors
        if page.title:
            page.title = text.plain(str(page.title))
        return html

    def on_env(self, env: Environment, config: MkDocsConfig, files: Files) -> Environment:
        """All prose has been rendered: fill the pages that tell who cites what."""
        known = {(each.place, each.message) for each in self.site.project.diagnostics}
        refused = sorted(
            (each for each in self.refusals.found if (each.place, each.message) not in known),
            key=lambda each: (each.place, each.message),
        )
        self._tell(refused, config)
        if refused and not _serving():
            raise Abort(f"recordweave: {summary(refused)}; nothing of this was published")
        environment.compile_once(env)
        if self.system:
            shared.look_up(env, config, self.system.collection.system.name)
            self.shell = Shell(env, config, files, self.system.nav_built)
        self.site.finish()
        records = self.system.record_files if self.system else []
        for page in (file.page for file in [*files.documentation_pages(), *records]):
            if page:
                show_as_text(page)
                if _serving():
                    self._show_faults(page, refused, config)
        return env

    def _show_faults(self, page: Page, refused: Sequence[Diagnostic], config: MkDocsConfig) -> None:
        """Put what is wrong with what a page shows before what it shows."""
        name = page.file.src_uri.removesuffix(".md")
        said = {(each.code, each.place) for each in self.site.faults(name)}
        told = (*self.site.project.diagnostics, *refused)
        found = [each for each in told if (each.code, each.place) not in said and self.site.concerns(each.place, name)]
        page.content = notice(found, Path(config.config_file_path).parent) + Markup(page.content)

    @event_priority(100)
    def _before_the_search(self, context: Any, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
        """Let the theme's search read what it is to know of a page, and no more: it reads slowly."""
        name = page.file.src_uri.removesuffix(".md")
        read = search.read_for(self.system, name) if self.system else search.without_rows(page.content or "")
        if self.is_known and search.has_added(config, page, read or page.content or ""):
            read = ""
        if read is not None:
            self.shown, page.content = page.content, read

    @event_priority(-100)
    def _behind_the_search(self, context: Any, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
        """Show the whole page."""
        if self.shown is not None:
            self.shown, page.content = None, self.shown

    on_page_context = CombinedEvent(_before_the_search, _behind_the_search)

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Mend what the theme leaves to be mended."""
        return mended(output)

    def on_template_context(self, context: Any, template_name: str, config: MkDocsConfig) -> Any:
        """Let the map of a system's site name the pages of records too."""
        return sitemap.with_records(context, self.system.files) if self.system else context

    def on_post_template(self, output_content: str, template_name: str, config: MkDocsConfig) -> str:
        """The same for the page that is shown where there is none, and for the map of the site."""
        return sitemap.without_days(output_content) if template_name == sitemap.NAME else mended(output_content)

    @event_priority(-100)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write what a site has beside its pages; build the systems after the portal."""
        if not (self.served and self.served.is_portal_left):
            self.site.write_data(Path(config.site_dir))
        if self.system and self.shell:
            self.system.write_records(self.shell)
            search.rewrite(Path(config.site_dir), search.of_system(self.system))
            return
        assert self.portal is not None
        assert self.builder is not None
        outputs = self.portal.outputs
        failed = self.builder.finish()
        if self.served:
            self.served.finish(outputs.chosen, failed)
            return
        if failed:
            raise Abort(f"recordweave: could not build {', '.join(failed)}")
        site = Path(config.site_dir)
        (site / PART).unlink(missing_ok=True)
        if self.part:
            self.part.write(site)
        if self.publication and self.publication.publish():
            if not self.publication.warnings.get_counts():
                outputs.keep_whole(self.publication.folder)
            log.info("%s stands in %s", self._what, config.site_dir)

    def on_serve(self, server: "LiveReloadServer", config: MkDocsConfig, builder: Any) -> "LiveReloadServer":
        """Let changes be seen at once."""
        from recordweave.site.watching import told_of_changes  # which a build has no use for

        told_of_changes(server)
        return server

    def on_build_error(self, error: Exception) -> None:
        """Whatever it was, the last site stays."""
        end_children()
        if self.publication and self.publication.is_open:
            self.publication.abandon()
        if self.served:
            self.served.abandon()
        if isinstance(error, OSError):
            what = error.filename or "something"
            raise Abort(f"recordweave: {what} cannot be read or written: {error.strerror}; the last site stays")


def _command() -> str:
    """The command of MkDocs that this is part of; empty where it is part of another program."""
    context = click.get_current_context(silent=True)
    return (context.info_name or "") if context else ""


def _serving() -> bool:
    """Whether this build is part of `mkdocs serve`, which goes on past errors so that they can be mended."""
    return _command() == "serve"


def _dirty() -> bool:
    """Whether MkDocs was called with `--dirty`, to write into the last site what has changed."""
    context = click.get_current_context(silent=True)
    return context is not None and context.params.get("clean") is False
