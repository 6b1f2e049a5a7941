"""The portal: the pages under `docs/` that belong to no system."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from recordweave.cli import usages
from recordweave.project import Project
from recordweave.records.diagnostic import Diagnostic
from recordweave.site.extension import PageText
from recordweave.sources import schemas
from recordweave.views.fragments import bind
from recordweave.views.links import OVERVIEW
from recordweave.views.portal import PORTAL_MACROS, PortalView


class Portal:
    """Builds the portal, with macros of its own."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.ending = "/"
        self._texts: dict[str, PageText] = {}

    def macros(self, current: Callable[[], Page]) -> dict[str, Callable[..., str]]:
        """The portal's macros as functions for templates; each returns a token for the Markdown extension."""

        def make(name: str) -> Callable[..., str]:
            def call(*args: Any, **kwargs: Any) -> str:
                file = current().file
                request = bind(name, args, kwargs, file.src_uri.removesuffix(".md"), PORTAL_MACROS)
                return self.text_of(file.src_uri).token(request.macro.render(self._view(file.url), request))

            return call

        return {name: make(name) for name in PORTAL_MACROS}

    def _view(self, url: str) -> PortalView:
        known = schemas.load()
        collections = [each.collection for each in self.project.systems.values() if each.collection]
        return PortalView(
            collections,
            lambda system, page: get_relative_url(f"{system}/{self._url(page)}", url),
            known.by_name,
            known.vocabularies,
            usages(),
        )

    def _url(self, page: str) -> str:
        """The address of a page on a system's site, by its name."""
        if page == OVERVIEW:
            return "" if self.ending == "/" else "index.html"
        return page + self.ending

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """Leave out what belongs to the systems."""
        self.ending = "/" if config.use_directory_urls else ".html"
        for file in list(files):
            if PurePosixPath(file.src_uri).parts[0] in self.project.systems:
                files.remove(file)

    def add_nav(self, nav: Navigation) -> None:
        """The portal's navigation is the author's own."""

    def text_of(self, source: str) -> PageText:
        """The text of a page, by its source path. The portal's own pages mention no records."""
        if source not in self._texts:
            self._texts[source] = PageText(source, lambda record_id: None)
        return self._texts[source]

    def faults(self, page: str) -> list[Diagnostic]:
        """What is wrong with the template of a page."""
        return self.project.portal.get(page, [])

    def begin(self, page: Page, markdown: str) -> None:
        """Begin a page with the text that its author wrote."""
        self._texts.pop(page.file.src_uri, None)
        self.text_of(page.file.src_uri).avoid(markdown)

    def finish(self) -> None:
        """Nothing is left to fill."""
