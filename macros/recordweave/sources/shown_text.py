"""What of a page's source its readers see as running text, and where in the source it was written.

Python-Markdown renders a page and knows no places. So every part of the source that is asked about gets a mark, one
character of private use, and where the marks come out tells what became of each part: text, the address of a link,
or nothing that is read as text, such as code. No second reading of Markdown can then disagree with the first.
"""

import re
import xml.etree.ElementTree as etree
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from recordweave.records.ids import ADDRESS_PATTERN, is_reference, is_source_id
from recordweave.sources.effort import Effort, bound
from recordweave.sources.guard import Finding, in_element, in_html

EXTENSIONS = (
    "toc",
    "tables",
    "fenced_code",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "pymdownx.superfences",
    "pymdownx.details",
)
"""The Markdown extensions of MkDocs and of `mkdocs.yml` that decide what is text."""

NOT_TEXT = frozenset({"a", "blockquote", "code", "pre"})
"""Elements in whose text no record is referred to."""

BLOCKS = frozenset({"p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "figcaption"})
"""Elements that hold text of their own."""

_FIRST_MARK, _FIRST_GAP, _MOST = 0xF0000, 0x100000, 0xFFFE
_PRIVATE = re.compile("[\U000f0000-\U0010ffff]")
_MARK = re.compile("[\U000f0000-\U000fffff]")
_GAP = re.compile("[\U00100000-\U0010ffff]")
_DEFINED = re.compile(r"^[ ]{0,3}\[(?P<label>[^\]\n]+)\]:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the source, from `start` to `end`, that a template replaces by something else."""

    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """A piece of text as it is shown, with the places in the source of those of its characters that were marked."""

    text: str
    positions: Sequence[int]
    offsets: Sequence[int]

    def source(self, position: int) -> int:
        """Where in the source the character at a position was written."""
        index = max(bisect_right(self.positions, position) - 1, 0)
        return self.offsets[index] + position - self.positions[index]


@dataclass
class Shown:
    """What became of a source: its texts, the addresses of its links, and the numbers of the gaps amid text.

    `headings` are those of the sections of a page, which are of the second level.
    """

    texts: list[Text] = field(default_factory=list)
    headings: list[Text] = field(default_factory=list)
    links: list[Text] = field(default_factory=list)
    gaps: set[int] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    """What would run something, or load something from elsewhere."""


def shown(source: str, wanted: Sequence[int], gaps: Sequence[Gap] = (), begin: int = 0) -> Shown:
    """Render a source, from `begin` on, with marks at the offsets `wanted`. Both sequences are in order.

    Raises `EffortError` for a source that is too much for Python-Markdown, and whatever that raises for one that it
    cannot render.
    """
    wanted = list(_outside(wanted, gaps, source))[:_MOST]
    md, look, effort = _markdown()
    md.reset()
    effort.reset()
    look.shown, look.wanted = Shown(), wanted
    try:
        md.convert(_marked(source, wanted, gaps[:_MOST], begin))
    except Exception:
        _markdown.cache_clear()  # its parser has stopped in the midst of something
        raise
    return look.shown


def unmarked(text: str) -> list[str]:
    """The pieces of a text between the marks, and between what Python-Markdown has put into it."""
    return re.split(r"(?:%%)?[\U000f0000-\U0010ffff](?:%%)?|[\x02\x03]", text)


def is_linked(html: str, before: bool) -> bool:
    """Whether what stands behind a piece of HTML is in a link, when what stands before it is or is not."""
    html = html.lower()
    return html.startswith(("<a ", "<a\n", "<a>")) or (before and not html.startswith("</a"))


def _marked(source: str, wanted: Sequence[int], gaps: Sequence[Gap], begin: int) -> str:
    """The source with a mark behind each wanted character, so that what it begins stays what it is, and without gaps.

    A gap becomes a word like the one that a macro leaves there.
    """
    clean = _PRIVATE.sub("\ufffd", source)
    parts = [(at, at + 1, clean[at] + chr(_FIRST_MARK + number)) for number, at in enumerate(wanted)]
    parts += [(gap.start, gap.end, f"%%{chr(_FIRST_GAP + number)}%%") for number, gap in enumerate(gaps)]
    pieces = []
    done = begin
    for start, end, text in sorted(parts):
        pieces += [clean[done:start], text]
        done = end
    return "".join([*pieces, clean[done:]])


def is_within(at: int, gaps: Sequence[Gap]) -> bool:
    """Whether an offset is in one of the gaps, which are in order and apart from each other."""
    before = bisect_right(gaps, at, key=lambda each: each.start)
    return before > 0 and at < gaps[before - 1].end


def _outside(wanted: Sequence[int], gaps: Sequence[Gap], source: str) -> Iterator[int]:
    """The offsets that stand in no gap and in no label of a reference, since labels must stay alike."""
    labels = {match["label"].casefold() for match in _DEFINED.finditer(source)}
    alike: list[Gap] = []
    if labels:
        brackets = re.finditer(r"\[([^\[\]\n]+)\]", source)
        alike = [Gap(*each.span(1)) for each in brackets if each[1].casefold() in labels]
    return (each for each in wanted if not is_within(each, gaps) and not is_within(each, alike))


@cache
def _markdown() -> tuple[Markdown, "_Look", Effort]:
    plain = {"pymdownx.highlight": {"use_pygments": False}}  # colours cost more time than all the rest
    md = Markdown(extensions=[*EXTENSIONS, *plain], extension_configs=plain)
    look = _Look(md)
    md.treeprocessors.register(look, "recordweave-look", 15)
    md.treeprocessors.register(_Guard(md, look), "recordweave-guard", -10)
    md.inlinePatterns.register(_Addresses(ADDRESS_PATTERN, md), "recordweave-addresses", 80)
    return md, look, bound(md)


class _Addresses(InlineProcessor):
    """Leaves addresses alone, as the site does."""

    ANCESTOR_EXCLUDES = tuple(NOT_TEXT)

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        return m[0], m.start(), m.end()


class _Look(Treeprocessor):
    """Finds the marks in what a page has become, at the stage at which the site makes its links."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.shown = Shown()
        self.wanted: Sequence[int] = ()
        self.linked = False

    def run(self, root: etree.Element) -> None:
        self._visit(root, frozenset())

    def _visit(self, element: etree.Element, around: frozenset[str]) -> None:
        around |= {str(element.tag)}
        if element.tag in BLOCKS:
            self.linked = False
        if element.tag == "h2" and (heading := self._text("".join(element.itertext()))).positions:
            self.shown.headings.append(heading)
        if element.tag == "a" and not self.linked and (address := self._text(element.get("href", ""))).positions:
            self.shown.links.append(address)
        self._note(element.text, around)
        for child in element:
            self._visit(child, around)
            self._note(child.tail, around)

    def _note(self, text: str | None, around: frozenset[str]) -> None:
        if not text:
            return
        if not around & {"a", "code", "pre"}:
            self.shown.gaps |= {ord(each) - _FIRST_GAP for each in _GAP.findall(text)}
        if not around & NOT_TEXT and (found := self._text(self._outside_links(text))).positions:
            self.shown.texts.append(found)

    def _outside_links(self, text: str) -> str:
        """A text without what stands in links that are written as HTML."""
        pieces = []
        done = 0
        for tag in HTML_PLACEHOLDER_RE.finditer(text):
            pieces += [text[done : tag.start()] if not self.linked else " ", tag[0]]
            done = tag.end()
            self.linked = is_linked(str(self.md.htmlStash.rawHtmlBlocks[int(tag[1])]), self.linked)
        return "".join([*pieces, text[done:] if not self.linked else " "])

    def _text(self, marked: str) -> Text:
        marks = list(_MARK.finditer(marked))
        if not marks:
            return Text(marked, (), ())
        positions = [mark.start() - number - 1 for number, mark in enumerate(marks)]
        offsets = [self.wanted[ord(mark[0]) - _FIRST_MARK] for mark in marks]
        return Text(_MARK.sub("", marked), positions, offsets)


class _Guard(Treeprocessor):
    """Notes what an author's own HTML, links and attributes would run or load, at the stage at which the site does."""

    def __init__(self, md: Markdown, look: _Look) -> None:
        super().__init__(md)
        self.look = look

    def run(self, root: etree.Element) -> None:
        findings = self.look.shown.findings
        for element in root.iter():
            if element.attrib or element.tag not in BLOCKS:
                unmarked = {name: _PRIVATE.sub("", value or "") for name, value in element.attrib.items()}
                if is_reference(href := unmarked.get("href", "")) or is_source_id(href):
                    del unmarked["href"]  # the site puts an address in its place
                findings.extend(in_element(etree.Element(element.tag, unmarked)))
        for html in self.md.htmlStash.rawHtmlBlocks:
            text = html if isinstance(html, str) else etree.tostring(html, encoding="unicode")
            findings.extend(in_html(_PRIVATE.sub("", text)))
