"""Markdown inline text as authors write it in values: parsed once, for links, citations and checks alike.

CommonMark without HTML, images, headings and tables; `markdown-it-py` does the parsing. A mention of a record or a
source becomes a token of its own, `mention`, wherever it stands as text outside code, links and quotations. Links may
lead to the web, to a mail address, or to a record by a reference; anything else stays the text that was written.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from recordweave.records.ids import is_reference, is_source_id, may_mention, near_misses, ranges, references

_WEB = re.compile(r"(?:https?://|mailto:)[^\s\"<>\\]+", re.IGNORECASE)
_LINK = re.compile(r"\[[^\[\]]*\]\((?P<address>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)")
_MARKED = re.compile(r"[\\`*_\[\]<>~\0\r]|^\s*(?:[-+]|[0-9]{1,9}[.)])", re.MULTILINE)
"""What may be markup. Most labels have none, and are not worth being parsed."""

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


_T = TypeVar("_T")
_MOST_REMEMBERED = 16_384


@lru_cache(maxsize=_MOST_REMEMBERED)
def parse(markdown: str) -> tuple[Token, ...]:
    """The block tokens of a text; tokens of type `inline` carry their `children`. Not to be changed by callers."""
    if _is_bare(markdown):
        return _paragraph(markdown)
    return tuple(_PARSER.parse(markdown))


def _is_bare(markdown: str) -> bool:
    """Whether a text is one line without markup, as most are; there is nothing in it to be parsed but mentions."""
    is_line = markdown.isprintable() and markdown == markdown.strip() != ""
    return is_line and not _MARKED.search(markdown)


def _paragraph(text: str) -> tuple[Token, ...]:
    """What the parser makes of a line without markup."""
    inside = Token("inline", "", 0, map=[0, 1], level=1, content=text, block=True)
    inside.children = list(_with_mentions([Token("text", "", 0, content=text)]))
    begin = Token("paragraph_open", "p", 1, map=[0, 1], block=True)
    return begin, inside, Token("paragraph_close", "p", -1, block=True)


def may_refer(markdown: str) -> bool:
    """Whether a text may hold a link, a mention or what looks like one; only then is anything below found in it."""
    return "](" in markdown or may_mention(markdown)


def _remembered(read: Callable[[str], Iterator[_T]]) -> Callable[[str], tuple[_T, ...]]:
    """What is found in a text is asked for by many, and texts are often written more than once."""

    @lru_cache(maxsize=_MOST_REMEMBERED)
    @wraps(read)
    def remembered(markdown: str) -> tuple[_T, ...]:
        return tuple(read(markdown))

    return remembered


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


@_remembered
def cited(markdown: str) -> Iterator[Citation]:
    """The records that a text mentions or links to, in order, each with its sentence."""
    return _cited(markdown, is_reference) if may_mention(markdown) else iter(())


@_remembered
def cited_sources(markdown: str) -> Iterator[Citation]:
    """The sources that a text mentions, in order, each with its sentence."""
    return _cited(markdown, is_source_id) if may_mention(markdown) else iter(())


@_remembered
def nearly_cited(markdown: str) -> Iterator[NearMiss]:
    """What looks like an ID in a text and is none, in order."""
    if not may_mention(markdown):
        return
    quoted = 0
    written = _Written()
    for block in parse(markdown):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        for text, is_text in _runs(block):
            if is_text and not quoted:
                for mention in near_misses(text):
                    here = text[mention.start : mention.end]
                    before = written.count(here) + text.count(here, 0, mention.start)
                    yield NearMiss(here, mention.id, before)
            written.add(text)


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


@_remembered
def refused_links(markdown: str) -> Iterator[Part]:
    """The addresses of links that cannot be made, and that are therefore shown as they were written."""
    for text, whole, before in _blocks(markdown) if "](" in markdown else ():
        for link in _LINK.finditer(text):
            count = before.count(link["address"]) + whole.count(link["address"], 0, link.start("address"))
            yield Part(link["address"], count)


@_remembered
def cited_ranges(markdown: str) -> Iterator[tuple[Part, str]]:
    """The ranges in a text: the mention that begins one, and the ID that ends it."""
    for text, whole, before in _blocks(markdown) if may_mention(markdown) else ():
        for first, last in ranges(text):
            yield Part(first.id, before.count(first.id) + whole.count(first.id, 0, first.start)), last.id


def _blocks(markdown: str) -> Iterator[tuple[str, str, "_Written"]]:
    """Each block of a text with what is no text of its own blanked out, as it was written, and what stands before."""
    quoted = linked = 0
    before = _Written()
    for block in parse(markdown):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        text = whole = ""
        for token in _in_order(block):
            linked += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            is_text = not quoted and not linked and token.type in ("text", "mention", "softbreak", "hardbreak")
            text += token.content if is_text else "\0" * len(token.content)
            whole += token.content
        yield text, whole, before
        before.add(whole)


def _cited(markdown: str, wanted: Callable[[str], bool]) -> Iterator[Citation]:
    written = _Written()
    for block in parse(markdown):
        plain = ""
        marks: list[tuple[str, int, int]] = []
        link = 0
        for token in _in_order(block):
            if token.type == "link_open":
                link = len(plain)
            if token.type in ("mention", "address") and wanted(token.content):
                at = link if token.type == "address" else len(plain)
                marks.append((token.content, at, written.count(token.content)))
            written.add(token.content)
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


class _Written:
    """What was written so far, in pieces, to count in it how often something was written before."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.counts: dict[str, tuple[int, int]] = {}

    def add(self, piece: str) -> None:
        self.pieces.append(piece)

    def count(self, text: str) -> int:
        """How often a text stands in the pieces; those that it was counted in before are not looked at again."""
        count, done = self.counts.get(text, (0, 0))
        count += sum(each.count(text) for each in self.pieces[done:])
        self.counts[text] = (count, len(self.pieces))
        return count


def plain(markdown: str) -> str:
    """A text without its markup, on one line."""
    return " ".join(markdown.split()) if not _MARKED.search(markdown) else _without_markup(markdown)


def _without_markup(markdown: str) -> str:
    words: list[str] = []
    for block in parse(markdown):
        words += [token.content for token in block.children or ()]
        words.append(" ")
    return " ".join("".join(words).split())


def sentence_around(plain: str, position: int) -> str:
    """The sentence of a text without markup that holds the character at `position`."""
    ends, sentences = _sentences(plain)
    return sentences[bisect_right(ends, position)]


@lru_cache(maxsize=64)
def _sentences(plain: str) -> tuple[list[int], list[str]]:
    """Where the sentences of a text end, less the last, and all of them: those who ask for one share it."""
    gaps = list(_SENTENCE.finditer(plain))
    ends = [gap.end(1) for gap in gaps]
    starts = [0, *(gap.end() for gap in gaps)]
    return ends, [plain[start:end].strip() for start, end in zip(starts, [*ends, len(plain)], strict=True)]
