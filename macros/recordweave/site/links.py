"""Addresses of pages as MkDocs gives them, on one site and from one site to another."""

from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote

from mkdocs.utils import get_relative_url


@lru_cache(20_000)
def page_url(page: str, directory_urls: bool) -> str:
    """The address of a page below its own site, by its name."""
    folder, _, name = page.rpartition("/")
    if not directory_urls:
        return quote(f"{page}.html")
    return quote(f"{folder}/" if folder and name == "index" else "" if name == "index" else f"{page}/")


_relative = lru_cache(20_000)(get_relative_url)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Addresses as seen from the page `here` of a system's site, or of the portal where `site` is empty.

    Pages are those of the same site, unless another system's have been chosen.
    """

    site: str
    here: str
    directory_urls: bool
    chosen: str | None = None

    def __call__(self, page: str, anchor: str = "") -> str:
        """A page of the same site, or of the one chosen with `of`."""
        if page == self.here and anchor and self.chosen in (None, self.site):
            return f"#{anchor}"
        return self.on(self.site if self.chosen is None else self.chosen, page, anchor)

    def on(self, system: str, page: str, anchor: str = "") -> str:
        """A page of a system's site, or of the portal where `system` is empty."""
        address = _relative(self._url(system, page), self._url(self.site, self.here))
        return f"{address}#{anchor}" if anchor else address

    def of(self, system: str) -> "PageLinks":
        """The same page's links to the pages of another system's site."""
        return replace(self, chosen=system)

    def _url(self, system: str, page: str) -> str:
        url = page_url(page, self.directory_urls)
        return f"{system}/{url}" if system else url or "./"
