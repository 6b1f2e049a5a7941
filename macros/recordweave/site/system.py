"""One system's site while MkDocs builds it: its files, its navigation, what its pages show, and its data."""

import json
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property, partial
from html import unescape
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from recordweave.project import SystemProject
from recordweave.records.collection import Collection
from recordweave.records.diagnostic import Diagnostic
from recordweave.records.ids import KINDS
from recordweave.site.extension import Fragment, PageText
from recordweave.site.generated import fill, page_file, text_file
from recordweave.site.prose_site import ProseSite
from recordweave.views import pages
from recordweave.views.blocks import PageView
from recordweave.views.fragments import MACROS, Request
from recordweave.views.links import DATA, OVERVIEW, RECORDS, SOURCES, kind_page, record_page
from recordweave.views.published import published
from recordweave.views.view import ProseCitation, View

PORTAL = "../index.html"
"""The portal, as seen from a system's overview."""


class SystemSite(ProseSite):
    """Builds one system's site. Made once a build, from a system that has a collection."""

    known = MACROS
    collection: Collection

    def __init__(self, project: SystemProject) -> None:
        super().__init__()
        assert project.collection is not None
        self.project = project
        self.collection = project.collection
        self.shown = project.shown
        self.files = Files([])
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
        others = [f"{name}.md" for name in self.project.authored if name not in named]
        return [
            {"Overview": f"{OVERVIEW}.md"},
            *({escape(member.title): f"{member.name}.md"} for member in members),
            {"Records": [{"All records": f"{RECORDS}.md"}, *kinds]},
            {"Sources": f"{SOURCES}.md"},
            *others,
        ]

    @cached_property
    def generated(self) -> dict[str, tuple[str, Callable[[View], PageView]]]:
        """The pages made from records: for each name its title, and what makes it."""
        made: dict[str, tuple[str, Callable[[View], PageView]]] = {RECORDS: ("Records", pages.records_index)}
        for kind in KINDS:
            made[kind_page(kind)] = kind.plural, partial(pages.kind_index, kind=kind)
        for one in self.collection.ids:
            title = pages.record_title(self.collection, one)
            made[record_page(one)] = title, partial(pages.record, record_id=one)
        return made

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """Add every page that no author has written."""
        self.files = files
        for name, text in self.project.texts.items():
            if name not in self.project.authored:
                files.append(text_file(config, name, text))
        index_pages = {RECORDS, *(kind_page(kind) for kind in KINDS)}
        for name, (title, _) in self.generated.items():
            description = f"{title} in the analysis of {self.label}"
            files.append(page_file(config, name, title, description, in_nav=name in index_pages))

    def add_nav(self, nav: Navigation) -> None:
        """Put the way back to the portal on top, which leads out of this build, so that MkDocs must not look for it.

        mkdocs-macros renders the titles of pages. A member's title is text: where it looks like a template, it waits
        until the macros are done.
        """
        nav.items.insert(0, Link("All analyses", PORTAL))
        for page in nav.pages:
            if "{" in (page.title or ""):
                self._later_titles.append((page, Markup(page.title)))
                page.title = page.file.name

    def view(self, here: str) -> View:
        """The view of a page, by its name."""

        def links(page: str, anchor: str = "") -> str:
            hash_ = f"#{anchor}" if anchor else ""
            if page == here and anchor:
                return hash_
            return get_relative_url(self._url(page), self._url(here)) + hash_

        return View(self.collection, links, self.shown, self.mentioned, self.titles)

    def _url(self, page: str) -> str:
        file = self.files.get_file_from_path(f"{page}.md")
        return file.url if file else f"{page}/"

    def _titles(self) -> dict[str, str]:
        """Titles of pages by name, as lists of citations show them; known once the pages have been rendered."""
        titles = {name: title for name, (title, _) in self.generated.items()}
        for file in self.files.documentation_pages():
            name = file.src_uri.removesuffix(".md")
            if name not in titles and file.page is not None:
                titles[name] = unescape(str(file.page.title))
        titles |= {member.name: member.title for member in self.collection.system.members}
        return titles | {OVERVIEW: "Overview"}

    def new_text(self, source: str) -> PageText:
        """The text of a page, which knows the system's records and sources."""
        return PageText(source, self._label, self._source_page)

    def faults(self, page: str) -> list[Diagnostic]:
        """What is wrong with the template of a page."""
        return self.project.faulty.get(page, [])

    def _source_page(self, source_id: str) -> str:
        return self.shown.get(("", source_id), "")

    def _label(self, record_id: str) -> str | None:
        return self.collection.label(record_id) if self.collection.knows(record_id) else None

    def fragment(self, request: Request, file: File) -> Fragment:
        """What a macro call stands for: blocks, or a record with its text."""
        if request.macro.inline:
            return (request.arguments["id"], request.arguments["text"])
        return request.macro.render(self.view(file.src_uri.removesuffix(".md")), request)

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
            fill(file.page, make(self.view(name)))

    def data(self) -> str:
        """The system as JSON, with addresses relative to its site."""
        return json.dumps(published(self.view(OVERVIEW)), ensure_ascii=False, indent=1) + "\n"

    def write_data(self, site_dir: Path) -> None:
        (site_dir / DATA).write_text(self.data(), encoding="utf-8")
