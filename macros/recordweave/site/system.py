"""One system's site while MkDocs builds it: its files, its navigation, what its pages show, and its data."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page

from recordweave.project import Project, SystemProject
from recordweave.records.addresses import permanent
from recordweave.records.collection import Collection
from recordweave.records.diagnostic import Diagnostic, Place
from recordweave.records.ids import KINDS
from recordweave.records.model import Record
from recordweave.records.ties import Ties
from recordweave.records.values import Evidence
from recordweave.site import sitemap
from recordweave.site.generated import fill, page_file, redirect, text_file
from recordweave.site.prose_site import ProseSite
from recordweave.site.record_pages import RecordFile, Shell
from recordweave.views import map as maps
from recordweave.views import pages, values
from recordweave.views.blocks import Block, PageView
from recordweave.views.fragments import MACROS
from recordweave.views.links import DATA, MAP, OVERVIEW, RECORDS, SOURCES, VALUES, kind_page, record_page
from recordweave.views.published import published
from recordweave.views.view import ProseCitation, View


class SystemSite(ProseSite):
    """Builds one system's site. Made once a build, from a system that has a collection."""

    known = MACROS

    def __init__(self, system: SystemProject, project: Project, root: str, *, in_shell: bool) -> None:
        """`root` is the way from the system's folder of prose to that of the whole repository.

        `in_shell` says whether the pages of records are set into a shell of the theme, instead of being MkDocs' own.
        """
        assert system.collection is not None
        super().__init__(project.library.of(system.collection))
        self.root = root
        self.in_shell = in_shell
        self.system = system
        self.project = project
        self.collection: Collection = system.collection
        self.shown = system.shown
        self.files = Files([])
        self.nav_built = Navigation([], [])
        self.blocks: dict[str, Sequence[Block]] = {}
        """What the pages that are made from records hold, by name."""

        self.mentioned: dict[str, list[ProseCitation]] = defaultdict(list)
        self.titles: dict[str, str] = {}
        self._later_titles: list[tuple[Page, str]] = []

    @property
    def label(self) -> str:
        return self.collection.system.label

    @property
    def nav(self) -> list[Any]:
        """The navigation: overview, reports, indexes of the kinds, sources, and what else there is of prose."""
        members = [member for member in self.collection.system.members if member.published]
        named = {OVERVIEW, SOURCES, *(member.name for member in members)}
        kinds = [{kind.plural: f"{kind_page(kind)}.md"} for kind in KINDS]
        others = [f"{name}.md" for name in self.system.authored if name not in named]
        return [
            {"Overview": f"{OVERVIEW}.md"},
            *({escape(member.title): f"{member.name}.md"} for member in members),
            {"Records": [{"All records": f"{RECORDS}.md"}, *kinds, {"By value": f"{VALUES}.md"}, {"Map": f"{MAP}.md"}]},
            {"Sources": f"{SOURCES}.md"},
            *others,
        ]

    @cached_property
    def generated(self) -> dict[str, tuple[str, Callable[[View], PageView]]]:
        """The pages made from records: for each name its title, and what makes it."""
        made: dict[str, tuple[str, Callable[[View], PageView]]] = {RECORDS: ("Records", pages.records_index)}
        for kind in KINDS:
            made[kind_page(kind)] = kind.plural, partial(pages.kind_index, kind=kind)
        made[VALUES] = "By value", values.values_page
        made[MAP] = "Map", maps.map_page
        for one in self.collection.ids:
            title = pages.record_title(self.collection, one)
            made[record_page(one)] = title, partial(pages.record, record_id=one)
        return made

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """Add every page that no author has written."""
        self.files = files
        self.directory_urls = config.use_directory_urls
        for name, text in self.system.texts.items():
            if name not in self.system.authored:
                files.append(text_file(config, name, text))
        index_pages = {RECORDS, VALUES, MAP, *(kind_page(kind) for kind in KINDS)}
        for name, (title, _) in self.generated.items():
            description = f"{title} in the analysis of {self.label}"
            if self.in_shell and name not in index_pages:
                files.append(RecordFile(config, name))
            else:
                files.append(page_file(config, name, title, description, in_nav=name in index_pages))
        for record in self.collection.records:
            for alias in record.aliases:
                files.append(redirect(config, self.links(record_page(alias)), alias, record.id))
            file = files.get_file_from_path(f"{record_page(record.id)}.md")
            assert file is not None
            if config.edit_uri or config.edit_uri_template:
                file.edit_uri = self._edit_uri(record, config)
        for file in self.record_files:
            Page(None, file, config)

    @property
    def record_files(self) -> list[RecordFile]:
        """The pages of records that are set into the shell."""
        return [each for each in self.files if isinstance(each, RecordFile)]

    def _edit_uri(self, record: Record, config: MkDocsConfig) -> str:
        """Where a record is edited: its file, as seen from the system's folder of prose, and its first line there."""
        place = self.system.loaded.place(record.origin)
        address = f"{self.root}/{quote(place.file)}"
        is_quoted = "!q" in (config.edit_uri_template or "")  # then the template takes the whole for a path
        return address if is_quoted else f"{address}#L{place.line}"

    def add_nav(self, nav: Navigation) -> None:
        """Put the way back to the portal on top, which leads out of this build, so that MkDocs must not look for it.

        mkdocs-macros renders the titles of pages. A member's title is text: where it looks like a template, it waits
        until the macros are done.
        """
        self.nav_built = nav
        to = self.links(OVERVIEW)
        nav.items.insert(0, Link("All analyses", to.on("", OVERVIEW)))
        nav.items.append(Link("Glossary", to.on("", self.project.glossary)))
        for page in nav.pages:
            if "{" in (page.title or ""):
                self._later_titles.append((page, Markup(page.title)))
                page.title = page.file.name

    def view(self, here: str) -> View:
        """The view of a page, by its name."""
        glossary = self.project.glossary
        links = self.links(here)
        others = [replace(other, links=links.of(other.collection.system.name)) for other in self._referring]
        return View(self.library, links, self.shown, self.mentioned, self.titles, glossary, others, self._ties)

    @cached_property
    def _ties(self) -> Ties:
        return Ties(self.collection)

    @cached_property
    def _referring(self) -> list[View]:
        """Views of the other systems that refer to this one. Where exactly their prose does is not known here."""
        views = []
        for name, referred in self.project.referred.items():
            if self.system.name not in referred:
                continue
            other = self.project.systems[name]
            views.append(other.seen_by_others(self.library, self.links(OVERVIEW)))
        return views

    def _titles(self) -> dict[str, str]:
        """Titles of pages by name, as lists of citations show them; known once the pages have been rendered."""
        titles = {name: title for name, (title, _) in self.generated.items()}
        for file in self.files.documentation_pages():
            name = file.src_uri.removesuffix(".md")
            if name not in titles and file.page is not None:
                titles[name] = unescape(str(file.page.title))
        titles |= {member.name: member.title for member in self.collection.system.members}
        return titles | {OVERVIEW: "Overview"}

    def faults(self, page: str) -> list[Diagnostic]:
        """What is wrong with the template of a page."""
        return self.system.faulty.get(page, [])

    def written(self, page: str) -> str | None:
        """The text of a page as it was read and checked; nothing for one that nobody wrote."""
        return self.system.texts.get(page)

    def concerns(self, place: Place, page: str) -> bool:
        """Whether a place is in the files of what a page of prose shows, or in the record that a page is about."""
        if page in self.system.authored or page in self.system.texts:
            return place.file in self.system.sources(page)
        record = self._records.get(page)
        if record is None or record.origin.file != place.file:
            return False
        span = self.system.loaded.documents[place.file].span(record.origin.pointer)
        return span.start_line <= place.line <= span.end_line

    @cached_property
    def _records(self) -> dict[str, Record]:
        """The declared records by the names of their pages."""
        return {record_page(record.id): record for record in self.collection.records}

    def source_page(self, source: str) -> str:
        """The page that shows a source: of another system, always the same one."""
        found = self.library.find_source(source)
        foreign = found is not None and found[0] is not self.collection
        return SOURCES if foreign else self.shown.get(("", self.collection.local(source)), "")

    def quoted_at(self, path: str, lines: str, revision: str) -> str:
        """The permanent address of what is quoted from the one source that is frozen at a revision."""
        sources = [each for each in self.collection.system.sources if each.revision.markdown.startswith(revision)]
        return permanent(sources[0], Evidence(sources[0].id, path, lines)) if len(sources) == 1 else ""

    def finish(self) -> None:
        """Fill the generated pages, once every page of prose has been rendered and its mentions are known."""
        for page, title in self._later_titles:
            page.title = title
        self.titles = self._titles()
        for text in self._texts.values():
            for citation in text.citations:
                self.mentioned[citation.target].append(citation)
        for name, (_, make) in self.generated.items():
            file = self.files.get_file_from_path(f"{name}.md")
            assert file is not None
            assert file.page is not None
            made = make(self.view(name))
            fill(file.page, made)
            self.blocks[name] = made.blocks

    def data(self) -> str:
        """The system as JSON, with addresses relative to its site."""
        return json.dumps(published(self.view(OVERVIEW)), ensure_ascii=False, indent=1) + "\n"

    def write_records(self, shell: Shell) -> None:
        """Write the pages of records."""
        for file in self.record_files:
            if file.page is not None:
                shell.write(file.page, self.blocks[file.src_uri.removesuffix(".md")])

    def write_data(self, site_dir: Path) -> None:
        sitemap.compress(site_dir)
        (site_dir / DATA).write_text(self.data(), encoding="utf-8")
