"""Names of pages.

A page is named by where it lies on its system's site (`epistemic`, `records/epi-obj-answer`), without extension. What
address that is depends on the page that links to it, so views ask a `Links`.
"""

from dataclasses import dataclass
from typing import Protocol

from recordweave.records.ids import Kind, address_of

PORTAL = ""
"""What the portal is called among the systems."""

OVERVIEW = "index"
SOURCES = "sources"
RECORDS = "records/index"
VALUES = "records/values"
MAP = "records/map"
COMPARE = "compare"
ALL_RECORDS = "records"
GLOSSARY = "glossary"
DATA = "records.json"
PART = "recordweave-part.json"
SITE_FILES = (DATA, "sitemap.xml", "404.html", PART)
"""Files that a site has beside its pages; the last one only where it lacks some of the systems."""

STYLE = "assets/recordweave.css"


class Links(Protocol):
    """Gives the address of a page, and of an anchor on it, as seen from the page being rendered."""

    @property
    def site(self) -> str:
        """The system on whose site the page being rendered stands; empty for the portal."""

    def __call__(self, page: str, anchor: str = "") -> str:
        """A page of the same site, or of the one chosen with `of`."""

    def on(self, system: str, page: str, anchor: str = "") -> str:
        """A page of a system's site, or of the portal where `system` is empty."""

    def of(self, system: str) -> "Links":
        """The same page's links to the pages of another system's site."""


@dataclass(frozen=True)
class NoLinks:
    """For views that nobody asks for an address."""

    site: str = ""

    def __call__(self, page: str, anchor: str = "") -> str:
        return ""

    def on(self, system: str, page: str, anchor: str = "") -> str:
        return ""

    def of(self, system: str) -> Links:
        return self


def record_page(record_id: str) -> str:
    return f"records/{address_of(record_id)}"


def kind_page(kind: Kind) -> str:
    return f"records/{kind.stem}"
