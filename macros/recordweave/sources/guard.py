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

from recordweave.records.diagnostic import Diagnostic, Place, Severity

_SHOWING = """
a abbr article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p picture pre q rp rt ruby s
samp section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var video wbr
"""
_DRAWING = """
svg g defs title desc path rect circle ellipse line polyline polygon text tspan style marker pattern mask symbol
clippath lineargradient radialgradient stop use filter
"""


@dataclass(frozen=True, slots=True)
class Medium:
    """What an author writes HTML into, and the elements, in lower case, that only show something there.

    Any other may run, load or submit something, or hide from a parser what does.
    """

    name: str
    elements: frozenset[str]


PROSE = Medium("prose", frozenset(_SHOWING.split()))
DRAWING = Medium("a drawing", frozenset(_DRAWING.split()))

LOADED = frozenset({"src", "srcset", "poster", "data", "background"})
"""Attributes whose address is fetched with the page."""

FOLLOWED = frozenset({"href", "action", "formaction", "cite", "longdesc", "ping", "xlink:href", "manifest"})
"""Attributes whose address is fetched when somebody asks for it."""

RUNNING = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".xml", ".xsl", ".mhtml", ".mht", ".svgz", ".js", ".mjs")
"""Endings of files that a browser runs; they are published only where the configuration names them."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")


IN_PROSE = "write Markdown; to show it as text, put it into backticks"
"""How a page of prose is mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not published: one sentence, and the words by which to find it in the source."""

    message: str
    words: tuple[str, ...]


_THEMES = re.compile(
    r"__(?:button|config|consent|drawer|icon|link|nav|overlay|palette|search|settings|tabbed|title|toc|toggle|version)"
)
"""The IDs that the theme's own scripts look for."""

_UNSTYLED = re.compile(r"@import|position|\\|(?<!rgb)(?<!rgba)(?<!hsl)(?<!hsla)(?<!calc)(?<!var)\(", re.IGNORECASE)
"""What a style may not hold: words that load or place something, and functions other than of colours and numbers."""

UNREADABLE = Finding("this HTML cannot be read the same way by everybody", ("<!", "<?"))


def in_element(element: etree.Element) -> Iterator[Finding]:
    """What is wrong with an element of Python-Markdown's tree."""
    given = [(name, (value or "").replace(AMP_SUBSTITUTE, "&")) for name, value in element.attrib.items()]
    return in_tag(str(element.tag), [(name, unescape(value)) for name, value in given])


def in_html(html: str, medium: Medium = PROSE) -> list[Finding]:
    """What is wrong with HTML that an author wrote."""
    parser = _Tags(medium)
    try:
        parser.feed(html)
        parser.close()
    except AssertionError:  # Python's parser gives up on some broken declarations
        parser.findings.append(UNREADABLE)
    return parser.findings


def in_svg(text: str) -> list[Finding]:
    """What is wrong with a drawing, which a browser runs like a page when it is opened by itself."""
    return in_html(re.sub(r"\A\s*<\?xml[^<>]*\?>|<!DOCTYPE svg[^<>\[]*>", "", text), DRAWING)


def in_tag(tag: str, attributes: Iterable[tuple[str, str | None]], medium: Medium = PROSE) -> Iterator[Finding]:
    """What is wrong with one tag."""
    tag = tag.lower()
    if tag not in medium.elements:
        yield Finding(f"`<{tag}>` is not for {medium.name}", (f"<{tag}",))
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
        elif name == "style" and _UNSTYLED.search(value):
            yield Finding("a style cannot load anything, nor leave its place", (value, name))
        elif name in ("srcdoc", "ping", "popover") or name.startswith("data-md-"):
            yield Finding(f"the attribute `{name}` is not for {medium.name}", (name,))
        elif (name == "id" and _THEMES.match(value)) or (name == "class" and "mermaid" in value.split()):
            yield Finding(f"the {name} `{_short(value)}` belongs to the theme", (value, name))


def line_of(finding: Finding, source: str) -> tuple[int, int]:
    """Line and column at which the words of a finding stand in the source; its beginning where they do not."""
    folded = source.lower()
    for word in finding.words:
        if word and (start := folded.find(word.lower())) >= 0:
            return source.count("\n", 0, start) + 1, start - (source.rfind("\n", 0, start) + 1) + 1
    return 1, 1


def refused(findings: Iterable[Finding], file: str, source: str, hint: str) -> list[Diagnostic]:
    """The findings in a file as diagnostics, each once; `file` is as shown to its author, `source` its text."""
    every = (
        Diagnostic("active-content", Severity.ERROR, each.message, Place(file, *line_of(each, source)), hint)
        for each in findings
    )
    return list(dict.fromkeys(every))


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


class _Tags(HTMLParser):
    def __init__(self, medium: Medium) -> None:
        super().__init__(convert_charrefs=True)
        self.medium = medium
        self.findings: list[Finding] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.findings.extend(in_tag(tag, attrs, self.medium))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.findings.extend(in_tag(tag, attrs, self.medium))

    def handle_comment(self, data: str) -> None:
        if data.startswith((">", "->")) or "--!>" in data:  # where a browser ends it sooner
            self._unreadable()

    def handle_decl(self, decl: str) -> None:
        self._unreadable()

    def handle_pi(self, data: str) -> None:
        self._unreadable()

    def unknown_decl(self, data: str) -> None:
        self._unreadable()

    def _unreadable(self) -> None:
        self.findings.append(UNREADABLE)
