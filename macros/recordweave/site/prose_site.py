"""What the portal and a system's site have in common: pages of prose whose macros leave tokens."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from recordweave.records.collection import Library
from recordweave.records.diagnostic import Place
from recordweave.site.extension import Fragment, PageText
from recordweave.site.links import PageLinks
from recordweave.views.fragments import BadCall, Macro, Request, bind
from recordweave.views.portal import PortalView
from recordweave.views.targets import Target, target
from recordweave.views.view import View


class ProseSite(ABC):
    """Keeps the text of each page of prose while MkDocs renders it.

    `known` are the macros of its pages by name; `library` holds the records, and tells whose site this is.
    """

    known: dict[str, Macro]

    def __init__(self, library: Library) -> None:
        self.library = library
        self.directory_urls = True
        self._texts: dict[str, PageText] = {}

    def links(self, page: str) -> PageLinks:
        """The addresses as seen from a page, by its name."""
        home = self.library.home
        return PageLinks(home.system.name if home else "", page, self.directory_urls)

    @abstractmethod
    def source_page(self, source: str) -> str:
        """The page that shows a source, by name; empty where there is none."""

    @abstractmethod
    def written(self, page: str) -> str | None:
        """The text of a page as it was read and checked; nothing for one that nobody wrote."""

    @abstractmethod
    def concerns(self, place: Place, page: str) -> bool:
        """Whether what stands at a place of some file is shown on a page."""

    def quoted_at(self, path: str, lines: str, revision: str) -> str:
        """The permanent address of what prose quotes; empty where there is none."""
        return ""

    def new_text(self, source: str) -> PageText:
        """The text of a page that is about to be rendered, by its source path."""
        links = self.links(source.removesuffix(".md"))

        def to(reference: str) -> Target | None:
            return target(reference, self.library, links.site)

        return PageText(source, to, self.source_page, links.on, links.site, self.quoted_at)

    @abstractmethod
    def view(self, here: str) -> View | PortalView:
        """What a page is rendered with, by its name."""

    def fragment(self, request: Request, file: File) -> Fragment:
        """What a macro call stands for: blocks, or a reference with its text."""
        if request.macro.inline:
            return (request.arguments["id"], request.arguments["text"])
        return request.macro.render(self.view(file.src_uri.removesuffix(".md")), request)

    def text_of(self, source: str) -> PageText:
        """The text of a page, by its source path; made anew when `begin` has been called for the page."""
        if source not in self._texts:
            self._texts[source] = self.new_text(source)
        return self._texts[source]

    def begin(self, page: Page, markdown: str) -> None:
        """Begin a page with the text that its author wrote."""
        self._texts.pop(page.file.src_uri, None)
        self.text_of(page.file.src_uri).avoid(markdown)

    def macros(self, current: Callable[[], Page]) -> dict[str, Callable[..., str]]:
        """The macros as functions for templates; each returns a token for the Markdown extension."""

        def make(name: str) -> Callable[..., str]:
            def call(*args: Any, **kwargs: Any) -> str:
                file = current().file
                page = file.src_uri.removesuffix(".md")
                try:
                    request = bind(name, args, kwargs, page, self.known, self.library)
                except BadCall as bad:  # what it names is in a faulty file, which is told already and may be mended
                    return bad.message
                return self.text_of(file.src_uri).token(self.fragment(request, file))

            return call

        return {name: make(name) for name in self.known}
