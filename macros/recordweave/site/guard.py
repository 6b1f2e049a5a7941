"""Prose that would run something, or load something from elsewhere, is not published.

Authors may write HTML into prose, and so may anybody with a pull request. What is looked at is what Python-Markdown
made of it, so that no trick of writing gets past; the site's own fragments are not prose and are left out.
"""

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser

from markdown.util import AMP_SUBSTITUTE

ACTIVE = frozenset(
    [
        "script",
        "style",
        "iframe",
        "frame",
        "frameset",
        "object",
        "embed",
        "applet",
        "base",
        "link",
        "meta",
        "form",
        "input",
        "button",
        "textarea",
        "select",
        "svg",
        "math",
        "template",
        "foreignobject",
        "animate",
        "set",
        "portal",
    ]
)
"""Elements that run, load, submit or change the page as a whole."""

LOADED = frozenset({"src", "srcset", "poster", "data", "background"})
"""Attributes whose address is fetched with the page."""

FOLLOWED = frozenset({"href", "action", "formaction", "cite", "longdesc", "ping", "xlink:href", "manifest"})
"""Attributes whose address is fetched when somebody asks for it."""

RUNNING = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".xml", ".xsl", ".mhtml", ".mht", ".svgz", ".js", ".mjs")
"""Endings of files that a browser runs; they are published only where the configuration names them."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not published: one sentence, and the words by which to find it in the source."""

    message: str
    words: tuple[str, ...]


def in_element(element: etree.Element) -> Iterator[Finding]:
    """What is wrong with an element of Python-Markdown's tree."""
    attributes = [(name, unescape(value.replace(AMP_SUBSTITUTE, "&"))) for name, value in element.attrib.items()]
    return in_tag(str(element.tag), attributes)


def in_html(html: str) -> list[Finding]:
    """What is wrong with HTML that an author wrote."""
    parser = _Tags()
    try:
        parser.feed(html)
        parser.close()
    except AssertionError:  # Python's parser gives up on some broken declarations
        parser.findings.append(Finding("this HTML cannot be read", ("<!", "<?")))
    return parser.findings


def in_svg(text: str) -> list[Finding]:
    """What is wrong with a drawing, which a browser runs like a page when it is opened by itself."""
    return [each for each in in_html(text) if not each.message.startswith(("`<svg>`", "`<style>`"))]


def in_tag(tag: str, attributes: Iterable[tuple[str, str | None]]) -> Iterator[Finding]:
    """What is wrong with one tag."""
    tag = tag.lower()
    if tag in ACTIVE:
        yield Finding(f"`<{tag}>` is not for prose", (f"<{tag}",))
    for name, given in attributes:
        name, value = name.lower(), given or ""
        address = re.sub(r"[\x00-\x20]", "", value).lower().replace("\\", "/")
        scheme = match[1] if (match := _SCHEME.match(address)) else ""
        if name.startswith("on"):
            yield Finding(f"the attribute `{name}` runs a script", (name,))
        elif name in LOADED and (scheme or address.startswith("//") or "://" in address):
            yield Finding(f"`{_short(value)}` would be loaded from elsewhere with the page", (value, name))
        elif name in FOLLOWED and scheme not in ("", "http", "https", "mailto"):
            yield Finding(f"a link cannot lead to `{_short(value)}`", (value, scheme))
        elif name == "style" and re.search(r"url\s*\(|@import|expression|\\", value, re.IGNORECASE):
            yield Finding("a style cannot load anything", (value, name))
        elif name == "srcdoc":
            yield Finding("the attribute `srcdoc` holds a page of its own", (name,))


def line_of(finding: Finding, source: str) -> tuple[int, int]:
    """Line and column at which the words of a finding stand in the source; its beginning where they do not."""
    folded = source.lower()
    for word in finding.words:
        if word and (start := folded.find(word.lower())) >= 0:
            return source.count("\n", 0, start) + 1, start - (source.rfind("\n", 0, start) + 1) + 1
    return 1, 1


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.findings: list[Finding] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.findings.extend(in_tag(tag, attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.findings.extend(in_tag(tag, attrs))
