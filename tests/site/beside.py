"""Two sites laid side by side that should differ in nothing but certain texts."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from tests.site.html import BuiltSite
from tests.site.tree import Element

Swap = Callable[[str], str]
"""What a text of the first site has to be on the second."""


@dataclass(frozen=True)
class Difference:
    """A place in which the second site is not as it should be. `way` are the tags that lead there."""

    file: str
    way: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file} {self.way}\n  expected {self.expected[:300]}\n  found    {self.found[:300]}"


def differences(first: BuiltSite, second: BuiltSite, swap: Swap) -> Iterator[Difference]:
    """Every difference between the pages of two sites."""
    for file in first.pages:
        yield from _elements(first.page(file).root, second.page(file).root, swap, file, "")


def _elements(one: Element, other: Element, swap: Swap, file: str, above: str) -> Iterator[Difference]:
    way = f"{above}/{one.tag}" + "".join(f".{css}" for css in sorted(one.classes) if css.startswith("rw-"))
    if (one.tag, list(one.attributes)) != (other.tag, list(other.attributes)):
        expected, found = (f"<{each.tag} {' '.join(each.attributes)}>" for each in (one, other))
        yield Difference(file, way, expected, found)
        return
    for name, value in one.attributes.items():
        if not _is_same_value(name, swap(value), other.attributes[name]):
            yield Difference(file, f"{way}@{name}", swap(value), other.attributes[name])
    expected, found = (_own_text(each) for each in (one, other))
    if " ".join(swap(expected).split()) != found:
        yield Difference(file, way, swap(expected), found)
    inner = [[each for each in element.children if isinstance(each, Element)] for element in (one, other)]
    if len(inner[0]) != len(inner[1]):
        expected, found = (" ".join(f"<{each.tag}>" for each in elements) for elements in inner)
        yield Difference(file, way, expected, found)
        return
    for child, its in zip(*inner, strict=True):
        yield from _elements(child, its, swap, file, way)


def _own_text(element: Element) -> str:
    return " ".join(" ".join(each for each in element.children if isinstance(each, str)).split())


def _is_same_value(name: str, expected: str, found: str) -> bool:
    """Anchors that are made of a title, and characters that an address cannot hold, are written another way."""
    if name == "href":
        is_anchor = expected.startswith("#") and re.fullmatch(r"#[\w-]*", found)
        return bool(is_anchor) or unquote(found) == unquote(expected)
    if name in ("viewbox", "width", "height", "x", "y", "d"):  # a drawing has room for what stands in it
        return found == expected or re.fullmatch(r"[MC\d. ]+", found) is not None
    if name == "id":
        return found == expected or re.fullmatch(r"[\w-]+", found) is not None
    return found == expected
