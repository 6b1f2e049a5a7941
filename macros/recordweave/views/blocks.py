"""What a view hands over: pieces of HTML, and the headings between them, which a table of contents needs to know."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its anchor. `label` is what a table of contents shows, without markup."""

    level: int
    id: str
    html: Markup
    label: str


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: an optional heading and the HTML under it, in a box of the given class where there is one."""

    html: Markup
    heading: Heading | None = None
    box: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page that is made from records alone: its title without markup, and its blocks in order."""

    title: str
    description: str
    blocks: tuple[Block, ...]
