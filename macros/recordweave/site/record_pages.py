"""The pages of records, which pass through the theme once for all of them: they are alike but for a few places.

MkDocs reads, converts and renders every page by itself, which for these would be most of its work. So they are no pages
of prose to it, but files of the site. The theme renders one page with marks in the places that differ; this is the
shell, into which each page is set. The first page is rendered by itself as well, and if it is not the same, all are.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError
from markupsafe import Markup
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from recordweave.site.generated import contents
from recordweave.site.theme import mended
from recordweave.views.blocks import Block, Heading

log = get_plugin_logger("recordweave")

_NAMES = ("title", "description", "address", "edit", "skip", "toc", "content")
_MARKS = {each: f"Rw-shell &amp; {each}" for each in _NAMES}
"""None of them stays as it is where the theme changes what it shows, be it letters, blanks or entities."""

_PLACES = re.compile("|".join(sorted(_MARKS.values(), key=len, reverse=True)))
_TOC = '{% import "partials/language.html" as lang with context %}{% include "partials/toc.html" %}'
"""The theme's table of contents by itself."""


class RecordFile(File):
    """The file of a record's page: what links to it finds it as it finds a page, and MkDocs leaves it alone."""

    def __init__(self, config: MkDocsConfig, name: str) -> None:
        super().__init__(
            f"{name}.md",
            None,
            config.site_dir,
            config.use_directory_urls,
            dest_uri=f"{name}/index.html" if config.use_directory_urls else f"{name}.html",
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        self.generated_by = "recordweave"

    def is_documentation_page(self) -> bool:
        return False

    def is_static_page(self) -> bool:
        return False

    def copy_file(self, dirty: bool = False) -> None:
        """It is written when all pages are."""


class Shell:
    """The theme's page for the records of one system, once everything else of the site is known."""

    def __init__(self, env: Environment, config: MkDocsConfig, files: Files, nav: Navigation) -> None:
        self._config, self._nav = config, nav
        self._template = env.get_template("main.html")
        self._toc_template = env.from_string(_TOC)
        self._documents = files.documentation_pages()
        self._pieces: dict[bool, Sequence[str]] = {}
        self._tocs: dict[tuple[Heading, ...], str] = {}

    def write(self, page: Page, blocks: Sequence[Block]) -> None:
        """Write the page of a record, whose content, title and description are there; `blocks` are those in it."""
        path = Path(page.file.abs_dest_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._html(page, blocks).encode("utf-8", errors="xmlcharrefreplace"))

    def _html(self, page: Page, blocks: Sequence[Block]) -> str:
        has_edit_link = bool(page.edit_url)
        if has_edit_link not in self._pieces:
            self._pieces[has_edit_link] = self._shell(page)
            whole = self._whole(page)
            if not self._pieces[has_edit_link] or self._set(page, blocks) != whole:
                log.debug("the theme changes what it shows of a record, so each page is rendered by itself")
                self._pieces[has_edit_link] = ()
            return whole
        return self._set(page, blocks) if self._pieces[has_edit_link] else self._whole(page)

    def _whole(self, page: Page) -> str:
        """A page as MkDocs and the theme make it."""
        return mended(self._template.render(self._context(page)))

    def _context(self, page: Page) -> Any:
        return get_context(self._nav, self._documents, self._config, page)

    def _set(self, page: Page, blocks: Sequence[Block]) -> str:
        """A page set into the shell."""
        first = next(each.heading for each in blocks if each.heading)
        values = {
            "title": str(page.title),
            "description": str(page.meta["description"]),
            "address": page.canonical_url or "",
            "edit": str(page.edit_url),
            "skip": first.id,
            "toc": self._toc(page, blocks),
            "content": str(page.content),
        }
        told = {mark: values[name] for name, mark in _MARKS.items()}
        return "".join([told.get(piece, piece) for piece in self._pieces[bool(page.edit_url)]])

    def _toc(self, page: Page, blocks: Sequence[Block]) -> str:
        """The theme's table of contents, which many pages have in common; it does not tell of the page's own title."""
        told = tuple(each.heading for each in blocks[1:] if each.heading)
        if told not in self._tocs:
            self._tocs[told] = self._toc_template.render(self._context(page))
        return self._tocs[told]

    def _shell(self, page: Page) -> Sequence[str]:
        """The page with the places that differ, each by itself; empty where the theme does not let them be told."""
        file = RecordFile(self._config, page.file.src_uri.removesuffix(".md") + "-")
        shell = Page(None, file, self._config)
        blocks = [_block(1, _MARKS["skip"]), _block(2, "Rw-shell &amp; section")]
        shell.toc = contents(blocks)
        shell.content = f"<h1>{_MARKS['content']}</h1>"
        shell.title = Markup(_MARKS["title"])
        shell.meta = {"title": shell.title, "description": Markup(_MARKS["description"])}
        shell.canonical_url = page.canonical_url and _MARKS["address"]
        shell.edit_url = page.edit_url and Markup(_MARKS["edit"])
        try:
            toc = self._toc_template.render(self._context(shell))
        except TemplateError:
            return ()
        if _MARKS["skip"] in toc:
            return ()
        html = self._whole(shell).replace(toc, _MARKS["toc"]).replace(shell.content, _MARKS["content"])
        return re.split(f"({_PLACES.pattern})", html)


def _block(level: int, name: str) -> Block:
    return Block(Markup(""), Heading(level, name, Markup(name), Markup(name)))
