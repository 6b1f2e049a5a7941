"""The portal: the pages under `docs/` that belong to no system."""

from functools import partial
from operator import attrgetter
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation

from recordweave.cli import usages
from recordweave.project import Mapped, Project
from recordweave.records.diagnostic import Diagnostic, Place
from recordweave.site import search, sitemap
from recordweave.site.generated import text_file
from recordweave.site.outputs import Outputs
from recordweave.site.prose_site import ProseSite
from recordweave.sources import explanations, schemas
from recordweave.views.links import OVERVIEW, SOURCES
from recordweave.views.portal import PORTAL_MACROS, PortalView


class Portal(ProseSite):
    """Builds the portal, with macros of its own."""

    known = PORTAL_MACROS

    def __init__(self, project: Project, outputs: Outputs) -> None:
        super().__init__(project.library)
        self.project = project
        self.outputs = outputs
        self.shown = Mapped(project.systems, attrgetter("shown"))

    def view(self, here: str) -> PortalView:
        """The view of a page, by its name."""
        known = schemas.load()
        links, glossary = self.links(here), self.project.glossary
        return PortalView(
            self.library,
            links,
            self.shown,
            known.by_name,
            known.vocabularies,
            glossary,
            explanations.load(),
            usages(),
            partial(self.outputs.share, here),
        )

    def source_page(self, source: str) -> str:
        """The page of another system that shows a source."""
        return SOURCES if self.library.find_source(source) else ""

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """Leave out what belongs to the systems, and add the pages that no author has written."""
        self.directory_urls = config.use_directory_urls
        for file in list(files):
            if PurePosixPath(file.src_uri).parts[0] in self.project.systems:
                files.remove(file)
        for name, text in self.project.texts.items():
            files.append(text_file(config, name, text))

    def leave_out(self, files: Files, config: MkDocsConfig) -> None:
        """Let MkDocs build nothing of the portal, which stands as it is."""
        for file in list(files):
            files.remove(file)
        config.nav = None
        config.theme.static_templates.clear()

    def add_nav(self, nav: Navigation) -> None:
        """The portal's navigation is the author's own."""

    def faults(self, page: str) -> list[Diagnostic]:
        """What is wrong with the template of a page."""
        return self.project.faulty.get(page, [])

    def written(self, page: str) -> str | None:
        """The text of a page as it was read and checked; nothing for one that nobody wrote."""
        return self.project.written.get(page)

    def concerns(self, place: Place, page: str) -> bool:
        """Whether a place is in the file of a page."""
        return page in self.project.pages and self.project.pages[page].file == place.file

    def finish(self) -> None:
        """Nothing is left to fill."""

    def write_data(self, site_dir: Path) -> None:
        """Let the portal's search find the records of all systems."""
        sitemap.compress(site_dir)
        search.rewrite(site_dir, search.of_portal(self.view(OVERVIEW)))
        self.outputs.keep_shares()
