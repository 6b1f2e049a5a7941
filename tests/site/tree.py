"""A finished HTML page as a tree, read about as a browser reads it, with what is wrong in its markup.

Written on the standard library, since the pages are our own: every element that needs an end tag has to have one, and
a `<p>` ends where a block starts, as HTML says, so that the end tag which then closes nothing shows up as a fault.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser


def names(words: str) -> frozenset[str]:
    """The names in a text, which white space separates."""
    return frozenset(words.split())


VOID = names("area base br col embed hr img input link meta source track wbr")
ENDS_PARAGRAPH = names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)


@dataclass(eq=False)
class Element:
    """An element: its attributes (the first of two with one name, as in a browser), and what stands in it."""

    tag: str
    attributes: dict[str, str]
    parent: "Element | None" = None
    children: list["Element | str"] = field(default_factory=list)

    @property
    def classes(self) -> frozenset[str]:
        return names(self.attributes.get("class", ""))

    @property
    def text(self) -> str:
        """All text in it, as it is in the source: white space is not collapsed."""
        return "".join(each if isinstance(each, str) else each.text for each in self.children)

    @property
    def words(self) -> str:
        """All text in it, with white space collapsed."""
        return " ".join(self.text.split())

    def ancestors(self) -> Iterator["Element"]:
        """The elements that it stands in, the nearest first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    def walk(self) -> Iterator["Element"]:
        """It and every element in it, in the order of the document."""
        yield self
        for each in self.children:
            if isinstance(each, Element):
                yield from each.walk()

    def strings(self) -> Iterator[tuple["Element", str]]:
        """Every piece of text, with the element that it stands in."""
        for each in self.children:
            if isinstance(each, str):
                yield self, each
            else:
                yield from each.strings()

    def find(self, tag: str = "", css: str = "", **attributes: str) -> Iterator["Element"]:
        """The elements in it with this tag, with this class, with these attributes."""
        for each in self.walk():
            if (
                (not tag or each.tag == tag)
                and (not css or css in each.classes)
                and all(each.attributes.get(key) == value for key, value in attributes.items())
            ):
                yield each

    def one(self, tag: str = "", css: str = "", **attributes: str) -> "Element":
        """The only such element."""
        found = list(self.find(tag, css, **attributes))
        assert len(found) == 1, f"{len(found)} elements {tag} .{css} {attributes}"
        return found[0]


@dataclass
class Page:
    """A page: its top element, which has no tag, and the faults of its markup in words."""

    root: Element
    faults: list[str]


def parse(html: str) -> Page:
    """Read a page."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser.finish()


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", {})
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ENDS_PARAGRAPH and self.open.tag == "p":
            self._up()
        self._add(tag, attrs)
        if tag not in VOID:
            child = self.open.children[-1]
            assert isinstance(child, Element)
            self.open = child

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            if name in attributes:
                self.faults.append(f"line {self.getpos()[0]}: <{tag}> has the attribute {name} twice")
            attributes.setdefault(name, value or "")
        self.open.children.append(Element(tag, attributes, self.open))

    def handle_endtag(self, tag: str) -> None:
        above = [self.open, *self.open.ancestors()]
        if tag not in (each.tag for each in above):
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")
            return
        while self.open.tag != tag:
            self.faults.append(f"line {self.getpos()[0]}: <{self.open.tag}> is not closed before </{tag}>")
            self._up()
        self._up()

    def _up(self) -> None:
        assert self.open.parent is not None
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)

    def finish(self) -> Page:
        while self.open.parent is not None:
            self.faults.append(f"<{self.open.tag}> is never closed")
            self._up()
        return Page(self.root, self.faults)
