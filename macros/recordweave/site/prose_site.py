"""What the portal and a system's site have in common: pages of prose whose macros leave tokens."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from recordweave.records.collection import Collection
from recordweave.site.extension import Fragment, PageText
from recordweave.views.fragments import Macro, Request, bind


class ProseSite(ABC):
    """Keeps the text of each page of prose while MkDocs renders it.

    `known` are the macros of its pages by name, `collection` is what they may show of, none on the portal.
    """

    known: dict[str, Macro]
    collection: Collection | None = None

    def __init__(self) -> None:
        self._texts: dict[str, PageText] = {}

    @abstractmethod
    def new_text(self, source: str) -> PageText:
        """The text of a page that is about to be rendered, by its source path."""

    @abstractmethod
    def fragment(self, request: Request, file: File) -> Fragment:
        """What a macro call on a page stands for."""

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
                request = bind(name, args, kwargs, page, self.known, self.collection)
                return self.text_of(file.src_uri).token(self.fragment(request, file))

            return call

        return {name: make(name) for name in self.known}
