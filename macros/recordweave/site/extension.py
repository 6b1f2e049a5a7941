"""The Markdown extension: mentions become links, and macro calls become what they show.

A macro leaves a token in the text, `%%recordweave:3%%`; the HTML it stands for enters only here, behind
Python-Markdown's own stash, so that nothing in a record is ever read as Markdown or as a template.
"""

import posixpath
import re
import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, TypeAlias

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE, AtomicString
from markupsafe import Markup, escape

from recordweave.records.ids import MENTION_PATTERN, is_reference, is_source_id, split
from recordweave.records.text import sentence_around
from recordweave.site import quotations
from recordweave.sources.guard import Finding, in_element, in_html
from recordweave.sources.shown_text import BLOCKS, is_linked
from recordweave.views.blocks import Block, Heading
from recordweave.views.links import SOURCES, record_page
from recordweave.views.targets import Target
from recordweave.views.view import ProseCitation

Fragment: TypeAlias = tuple[Block, ...] | tuple[str, str]
"""What a macro call stands for: blocks; or a record's ID, and the text to show in its place."""

_TOKEN = re.compile(r"%%(recordweave-*):(\d+)%%")
_PAGE = re.compile(r"[^:?#]+\.md(?:#|$)")
_ANCHOR = re.compile(r'<[^<>]* id="([^"]*)"')


@dataclass
class PageText:
    """What the extension needs to know of the page it renders, and what it finds out about it.

    `target` gives what a reference leads to, or nothing where it leads nowhere; `source_page` gives the page, by name,
    that shows a source of the page's own system, empty where the register does not have it; `elsewhere` gives the
    address of a page on the site of another system; `place` the permanent one of what is quoted. `fragments` are what
    the page's macro calls stand for, in the order of the calls.
    """

    source: str
    target: Callable[[str], Target | None]
    source_page: Callable[[str], str] = lambda source_id: ""
    elsewhere: Callable[[str, str], str] = lambda system, page: ""
    site: str = ""
    """The system whose site the page is on; empty for the portal."""

    place: quotations.Place = lambda path, lines, revision: ""
    mark: str = "recordweave"
    fragments: list[Fragment] = field(default_factory=list)
    citations: list[ProseCitation] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    """Which entries of Python-Markdown's stash are the site's own."""

    anchors: set[str] = field(default_factory=set)
    """The anchors in the site's own pieces of HTML, which Markdown does not look into."""

    leading_out: dict[etree.Element, str] = field(default_factory=dict)
    """Links to other sites, which MkDocs must not look for among the files of this one, with their addresses."""

    def token(self, fragment: Fragment) -> str:
        """Keep a fragment (blocks, or an ID with its text) and return the token that stands for it."""
        self.fragments.append(fragment)
        return f"%%{self.mark}:{len(self.fragments) - 1}%%"

    def avoid(self, markdown: str) -> None:
        """Choose a mark that the page's own text does not hold, so that nobody can write a token."""
        while f"%%{self.mark}:" in markdown:
            self.mark += "-"

    def plain(self, text: str) -> str:
        """A text, such as a title, with what its tokens say in their place."""

        def said(match: re.Match[str]) -> str:
            told = [str(each) for each in self.fragment(match) if not isinstance(each, Block)]
            return next((each for each in reversed(told) if each), match[0])

        return _TOKEN.sub(said, text)

    def fragment(self, match: re.Match[str] | None) -> Fragment:
        """The fragment that a token stands for; nothing where it stands for none."""
        if match is None or match[1] != self.mark or int(match[2]) >= len(self.fragments):
            return ()
        return self.fragments[int(match[2])]

    def address(self, record_id: str) -> str:
        """A record's page as the page's own source would link to it, for MkDocs to resolve."""
        return posixpath.relpath(record_page(record_id) + ".md", posixpath.dirname(self.source))

    def source_reference(self, source: str) -> etree.Element | str:
        """A link to a source in a register, or the reference itself where the register does not have it."""
        link = etree.Element("a")
        link.text = AtomicString(source)
        return link if self.refer_to_source(link, source) else source

    def refer_to_source(self, link: etree.Element, source: str) -> bool:
        """Let a link lead to a source in a register. False where the register does not have it."""
        page = self.source_page(source)
        system, source_id = split(source)
        if not page:
            return False
        link.set("class", "rw-source")
        if system not in ("", self.site):
            self.lead_out(link, self.elsewhere(system, SOURCES))
        else:
            href = posixpath.relpath(f"{page}.md", posixpath.dirname(self.source))
            link.set("href", f"{href}#{source_id}")
            link.set("data-preview", "")
        return True

    def reference(self, reference: str, text: str = "") -> etree.Element | None:
        """A link to a record, or nothing where there is no such record."""
        link = etree.Element("a")
        link.text = AtomicString(text or reference)
        return link if self.refer(link, reference) else None

    def refer(self, link: etree.Element, reference: str) -> bool:
        """Let a link lead to a record. False where there is no such record."""
        to = self.target(reference)
        if to is None:
            return False
        link.set("class", to.css)
        link.set("title", to.title.replace("&", "&amp;"))  # or Markdown would leave alone what looks like an entity
        if to.system:
            self.lead_out(link, self.elsewhere(to.system, record_page(to.id)))
        else:
            link.set("href", self.address(to.id))
            link.set("data-preview", "")
            link.set("data-rw-id", to.id)
        return True

    def lead_out(self, link: etree.Element, address: str) -> None:
        """Let a link lead to another site: it becomes a link only when MkDocs has resolved the page's own."""
        link.tag = "span"
        link.attrib.pop("href", None)
        self.leading_out[link] = address


class RecordweaveExtension(Extension):
    """Registers the processors. `page_of` gives the `PageText` for the source path of the page being rendered."""

    def __init__(self, page_of: Callable[[str], PageText | None]) -> None:
        super().__init__()
        self.page_of = page_of

    def extendMarkdown(self, md: Markdown) -> None:
        def page() -> PageText | None:
            if "relpath" not in md.treeprocessors:
                return None
            relpath: Any = md.treeprocessors["relpath"]  # MkDocs' own; it knows which file is being rendered
            return self.page_of(relpath.file.src_uri)

        md.parser.blockprocessors.register(_Fragments(md.parser, page), "recordweave-fragments", 75)
        md.inlinePatterns.register(_InlineFragments(_TOKEN.pattern, md, page), "recordweave-inline", 176)
        md.inlinePatterns.register(_Mentions(MENTION_PATTERN, md, page), "recordweave-mentions", 80)
        md.treeprocessors.register(_Quotations(md, page), "recordweave-quotations", 16)
        md.treeprocessors.register(_Links(md, page), "recordweave-links", 15)
        md.treeprocessors.register(_LeadingOut(md, page), "recordweave-leading-out", -5)
        md.treeprocessors.register(_Guard(md, page), "recordweave-guard", -10)


PageGetter = Callable[[], PageText | None]


class _Fragments(BlockProcessor):
    def __init__(self, parser: BlockParser, page: PageGetter) -> None:
        super().__init__(parser)
        self.page = page

    def test(self, parent: etree.Element, block: str) -> bool:
        return bool(self._blocks(block))

    def run(self, parent: etree.Element, blocks: list[str]) -> bool:
        for block in self._blocks(blocks.pop(0)):
            self._append(parent, block)
        return True

    def _blocks(self, text: str) -> tuple[Block, ...]:
        page = self.page()
        fragment = page.fragment(_TOKEN.fullmatch(text.strip())) if page else ()
        return tuple(each for each in fragment if isinstance(each, Block))

    def _append(self, parent: etree.Element, block: Block) -> None:
        if block.box:
            parent = etree.SubElement(parent, "article", {"class": block.box})
        if block.heading:
            parent.append(_heading(block.heading, self._store(block.heading.html)))
        if block.html:
            etree.SubElement(parent, "p").text = self._store(block.html)

    def _store(self, html: Markup) -> str:
        page, stash = self.page(), self.parser.md.htmlStash
        assert page is not None
        page.own.add(stash.html_counter)
        page.anchors.update(unescape(each) for each in _ANCHOR.findall(html))
        return stash.store(str(html))


def _heading(heading: Heading, placeholder: str) -> etree.Element:
    element = etree.Element(f"h{heading.level}", {"id": heading.id, "data-toc-label": str(escape(heading.label))})
    element.text = AtomicString(placeholder)
    return element


class _PageInlineProcessor(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, page: PageGetter) -> None:
        super().__init__(pattern, md)
        self.page = page


class _InlineFragments(_PageInlineProcessor):
    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element | None, int | None, int | None]:
        page = self.page()
        fragment = page.fragment(_TOKEN.fullmatch(m[0])) if page else ()
        if page is None or len(fragment) != 2 or not isinstance(fragment[0], str):
            return None, None, None
        reference, text = fragment
        return page.reference(reference, str(text)), m.start(0), m.end(0)


class _Mentions(_PageInlineProcessor):
    ANCESTOR_EXCLUDES = ("a", "blockquote", "code", "pre")

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element | str | None, int | None, int | None]:
        page = self.page()
        if page is None:
            return None, None, None
        if m["source"]:
            return page.source_reference(m["source"]), m.start("source"), m.end("source")
        if m["id"]:
            link = page.reference(m["id"])
            return m["id"] if link is None else link, m.start("id"), m.end("id")
        return m["address"], m.start("address"), m.end("address")


class _PageTreeprocessor(Treeprocessor):
    def __init__(self, md: Markdown, page: PageGetter) -> None:
        super().__init__(md)
        self.page = page


class _Quotations(_PageTreeprocessor):
    """Finds out where quotations are from."""

    def run(self, root: etree.Element) -> None:
        page = self.page()
        if page:
            quotations.attribute(root, page.place)


class _Links(_PageTreeprocessor):
    """Resolves links that name a record, gives each mention an anchor, and notes the sentence around it."""

    def run(self, root: etree.Element) -> None:
        page = self.page()
        if page is None:
            return
        heading = ""
        counts: dict[str, int] = {}
        for block in _blocks_in_order(root):
            text, positions, inside = self._read(block)
            for link in inside:
                page.leading_out.pop(link, None)
                link.tag, link.attrib = "span", {}
            if re.fullmatch("h[1-6]", block.tag):
                heading = text
            for link in _own_links(block):
                self._resolve(page, link)
                record_id = link.attrib.pop("data-rw-id", "")
                if not record_id:
                    continue
                counts[record_id] = counts.get(record_id, 0) + 1
                link.set("id", f"ref-{record_id}-{counts[record_id]}")
                sentence = sentence_around(text, positions[link])
                name = page.source.removesuffix(".md")
                page.citations.append(ProseCitation(record_id, name, link.attrib["id"], heading, sentence))

    def _read(self, block: etree.Element) -> tuple[str, dict[etree.Element, int], set[etree.Element]]:
        """A block's text on one line, where in it each element starts, and the links inside links written as HTML."""
        words: list[str] = []
        starts: dict[etree.Element, int] = {}
        inside: set[etree.Element] = set()
        length, is_open = 0, False
        for text, element in _walk(block):
            for match in HTML_PLACEHOLDER_RE.finditer(text):
                is_open = is_linked(str(self.md.htmlStash.rawHtmlBlocks[int(match[1])]), is_open)
            if element is not None:
                starts[element] = length
                if is_open and (element.tag == "a" or element.get("class", "").startswith(("rw-ref", "rw-source"))):
                    inside.add(element)
            words.append(HTML_PLACEHOLDER_RE.sub("", text).replace("\n", " "))
            length += len(words[-1])
        whole = "".join(words)
        lead = len(whole) - len(whole.lstrip())
        return whole[lead:], {element: max(start - lead, 0) for element, start in starts.items()}, inside

    def _resolve(self, page: PageText, link: etree.Element) -> None:
        href = link.get("href", "")
        if is_reference(href):
            page.refer(link, href)
        elif is_source_id(href):
            page.refer_to_source(link, href)
        elif "data-rw-id" not in link.attrib and _PAGE.match(href) and not link.get("title"):
            link.set("data-preview", "")


class _LeadingOut(_PageTreeprocessor):
    """Makes links of what leads to other sites."""

    def run(self, root: etree.Element) -> None:
        page = self.page()
        if page is None:
            return
        for link, address in page.leading_out.items():
            link.tag = "a"
            link.set("href", address)


class _Guard(_PageTreeprocessor):
    """Notes what an author's own HTML, links and attributes would run or load."""

    def run(self, root: etree.Element) -> None:
        page = self.page()
        if page is None:
            return
        for element in root.iter():
            page.findings.extend(in_element(element))
        for number, html in enumerate(self.md.htmlStash.rawHtmlBlocks):
            if number not in page.own:
                text = html if isinstance(html, str) else etree.tostring(html, encoding="unicode")
                page.findings.extend(in_html(text))


def _blocks_in_order(root: etree.Element) -> Iterator[etree.Element]:
    """The elements that hold text of their own, in the order of the document."""
    for element in root.iter():
        if element.tag in BLOCKS:
            yield element


def _own_links(block: etree.Element) -> Iterator[etree.Element]:
    """The links of a block that stand in no block inside it."""
    for child in block:
        if child.tag in BLOCKS or child.tag in ("ul", "ol", "table", "blockquote", "div", "dl"):
            continue
        if child.tag == "a":
            yield child
        else:
            yield from _own_links(child)


def _walk(element: etree.Element) -> Iterator[tuple[str, etree.Element | None]]:
    """The text of an element piece by piece, with a mark where each child element starts."""
    text = element.text or ""
    yield (unescape(text) if element.tag == "code" else text), None  # code is escaped in the tree already
    for child in element:
        yield "", child
        yield from _walk(child)
        yield child.tail or "", None
