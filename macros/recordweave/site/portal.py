"""The portal: the pages under `docs/` that belong to no system."""

from pathlib import PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.utils import get_relative_url

from recordweave.cli import usages
from recordweave.project import Project
from recordweave.records.diagnostic import Diagnostic
from recordweave.site.extension import Fragment, PageText
from recordweave.site.prose_site import ProseSite
from recordweave.sources import schemas
from recordweave.views.fragments import Request
from recordweave.views.links import OVERVIEW
from recordweave.views.portal import PORTAL_MACROS, PortalView


class Portal(ProseSite):
    """Builds the portal, with macros of its own."""

    known = PORTAL_MACROS

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.ending = "/"

    def new_text(self, source: str) -> PageText:
        """The text of a page. The portal's own pages mention no records."""
        return PageText(source, lambda record_id: None)

    def fragment(self, request: Request, file: File) -> Fragment:
        """What a macro call stands for."""
        return request.macro.render(self._view(file.url), request)

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

    def faults(self, page: str) -> list[Diagnostic]:
        """What is wrong with the template of a page."""
        return self.project.portal.get(page, [])

    def finish(self) -> None:
        """Nothing is left to fill."""
