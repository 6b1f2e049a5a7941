"""Markdown inline text as authors write it in values: parsed once, for links, citations and checks alike.

CommonMark without HTML, images, headings and tables; `markdown-it-py` does the parsing. A mention of a record or a
source becomes a token of its own, `mention`, wherever it stands as text outside code, links and quotations. Links may
lead to the web, to a mail address, or to a record by a reference; anything else stays the text that was written.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from recordweave.records.ids import is_reference, is_source_id, may_mention, near_misses, ranges, references

_WEB = re.compile(r"(?:https?://|mailto:)[^\s\"<>\\]+", re.IGNORECASE)
_LINK = re.compile(r"\[[^\[\]]*\]\((?P<address>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)")
_SENTENCE = re.compile(r"(?<=[.!?])([\"')\]”’»]*)\s+(?=[A-ZÀ-ÖØ-Þ0-9\"'(\[“‘«])")


def is_web_address(address: str) -> bool:
    """Whether an address may be linked to: the web or mail, with nothing in it that could break out."""
    return _WEB.fullmatch(address) is not None


def _split_mentions(state: StateCore) -> None:
    quoted = 0
    for block in state.tokens:
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        if block.children:
            block.children = list(_without_links_in_links(block.children))
        for token in block.children or ():
            if token.type in ("softbreak", "hardbreak"):
                token.content = "\n"  # keeps the words around it apart, wherever contents are put together
        if block.type == "inline" and block.children and not quoted:
            block.children = list(_with_mentions(block.children))


def _without_links_in_links(tokens: Sequence[Token]) -> Iterator[Token]:
    """An address in angle brackets is a link, and stays text where it stands in the text of another link."""
    linked = 0
    for token in tokens:
        if token.type == "link_close" and token.markup == "autolink" and linked > 1:
            linked -= 1
            continue
        linked += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if linked < 2 or token.type != "link_open":
            yield token


def _with_mentions(tokens: Sequence[Token]) -> Iterator[Token]:
    linked = 0
    for token in tokens:
        linked += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or linked:
            yield token
            continue
        done = 0
        for mention in references(token.content):
            if mention.start > done:
                yield Token("text", "", 0, content=token.content[done : mention.start], level=token.level)
            yield Token("mention", "", 0, content=mention.id, level=token.level)
            done = mention.end
        if done < len(token.content):
            yield Token("text", "", 0, content=token.content[done:], level=token.level)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"html": False, "maxNesting": 20})
    parser.enable(["list", "blockquote", "fence", "backticks", "emphasis", "link", "autolink", "escape", "newline"])
    parser.enable(["balance_pairs", "fragments_join"])
    parser.core.ruler.push("mentions", _split_mentions)
    parser.validateLink = lambda url: is_web_address(url) or is_reference(url)  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


_PARSER = _parser()


@lru_cache(maxsize=16384)
def parse(markdown: str) -> tuple[Token, ...]:
    """The block tokens of a text; tokens of type `inline` carry their `children`. Not to be changed by callers."""
    return tuple(_PARSER.parse(markdown))


def may_refer(markdown: str) -> bool:
    """Whether a text may hold a link, a mention or what looks like one; only then is anything below found in it."""
    return "](" in markdown or may_mention(markdown)


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention in a text: the reference, and the sentence around it without markup.

    `before` says how often the ID was written before in the text, in whatever role, so that its place can be found.
    """

    id: str
    sentence: str
    before: int = 0


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What looks like an ID and is none: as written, the ID that it is nearest to, and how often it stood before."""

    written: str
    meant: str
    before: int = 0


@lru_cache(maxsize=16384)
def cited(markdown: str) -> Sequence[Citation]:
    """The records that a text mentions or links to, in order, each with its sentence."""
    return tuple(_cited(markdown, is_reference)) if may_mention(markdown) else ()


def cited_sources(markdown: str) -> Sequence[Citation]:
    """The sources that a text mentions, in order, each with its sentence."""
    return tuple(_cited(markdown, is_source_id)) if may_mention(markdown) else ()


def nearly_cited(markdown: str) -> Iterator[NearMiss]:
    """What looks like an ID in a text and is none, in order."""
    if not may_mention(markdown):
        return
    quoted = 0
    written: list[str] = []
    for block in parse(markdown):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        for text, is_text in _runs(block):
            if is_text and not quoted:
                for mention in near_misses(text):
                    here = text[mention.start : mention.end]
                    before = _count([*written, text[: mention.start]], here)
                    yield NearMiss(here, mention.id, before)
            written.append(text)


def _runs(block: Token) -> Iterator[tuple[str, bool]]:
    """The contents of a block's tokens; text and the mentions in it come together, and outside of links."""
    linked = 0
    run = ""
    for token in _in_order(block):
        linked += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type in ("text", "mention", "softbreak", "hardbreak") and not linked:
            run += token.content
            continue
        if run:
            yield run, True
            run = ""
        yield token.content, False
    if run:
        yield run, True


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that is worth a remark, and how often the same was written before in it."""

    written: str
    before: int = 0


def refused_links(markdown: str) -> Iterator[Part]:
    """The addresses of links that cannot be made, and that are therefore shown as they were written."""
    for text, whole, before in _blocks(markdown) if "](" in markdown else ():
        for link in _LINK.finditer(text):
            yield Part(link["address"], _count([*before, whole[: link.start("address")]], link["address"]))


def cited_ranges(markdown: str) -> Iterator[tuple[Part, str]]:
    """The ranges in a text: the mention that begins one, and the ID that ends it."""
    for text, whole, before in _blocks(markdown) if may_mention(markdown) else ():
        for first, last in ranges(text):
            yield Part(first.id, _count([*before, whole[: first.start]], first.id)), last.id


def _blocks(markdown: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each block of a text with what is no text of its own blanked out, as it was written, and what stands before."""
    quoted = linked = 0
    before: list[str] = []
    for block in parse(markdown):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        text = whole = ""
        for token in _in_order(block):
            linked += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            is_text = not quoted and not linked and token.type in ("text", "mention", "softbreak", "hardbreak")
            text += token.content if is_text else "\0" * len(token.content)
            whole += token.content
        yield text, whole, before
        before.append(whole)


def _cited(markdown: str, wanted: Callable[[str], bool]) -> Iterator[Citation]:
    written: list[str] = []
    for block in parse(markdown):
        plain = ""
        marks: list[tuple[str, int, int]] = []
        link = 0
        for token in _in_order(block):
            if token.type == "link_open":
                link = len(plain)
            if token.type in ("mention", "address") and wanted(token.content):
                at = link if token.type == "address" else len(plain)
                marks.append((token.content, at, _count(written, token.content)))
            written.append(token.content)
            if token.type != "address":
                plain += token.content.replace("\n", " ")
        for mentioned, at, before in marks:
            yield Citation(mentioned, sentence_around(plain, at), before)


def _in_order(block: Token) -> Iterator[Token]:
    """The tokens of a block in the order of what was written; a link's address is one, and stands behind its text."""
    address = ""
    for token in block.children if block.children is not None else [block]:
        if token.type == "link_open" and token.markup != "autolink":
            address = str(token.attrs["href"])
        yield token
        if token.type == "link_close" and address:
            yield Token("address", "", 0, content=address)
            address = ""


def _count(written: Sequence[str], text: str) -> int:
    return sum(each.count(text) for each in written)


def plain(markdown: str) -> str:
    """A text without its markup, on one line."""
    words: list[str] = []
    for block in parse(markdown):
        words += [token.content for token in block.children or ()]
        words.append(" ")
    return " ".join("".join(words).split())


def sentence_around(plain: str, position: int) -> str:
    """The sentence of a text without markup that holds the character at `position`."""
    start = 0
    for gap in _SENTENCE.finditer(plain):
        if gap.end(1) > position:
            return plain[start : gap.end(1)].strip()
        start = gap.end()
    return plain[start:].strip()
