"""Markdown inline text as authors write it in values: parsed once, for links, citations and checks alike.

CommonMark without HTML, images, headings and tables; `markdown-it-py` does the parsing. A mention of a record or a
source becomes a token of its own, `mention`, wherever it stands as text outside code, links and quotations. Links may
lead to the web, to a mail address, or to a record by its ID; anything else stays the text that was written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from recordweave.records.ids import is_record_id, is_source_id, near_misses, references

_WEB = re.compile(r"(?:https?://|mailto:)[^\s\"<>\\]+", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z\"'(\[0-9])")


def is_web_address(address: str) -> bool:
    """Whether an address may be linked to: the web or mail, with nothing in it that could break out."""
    return _WEB.fullmatch(address) is not None


def _split_mentions(state: StateCore) -> None:
    quoted = 0
    for block in state.tokens:
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        if block.type == "inline" and block.children and not quoted:
            block.children = list(_with_mentions(block.children))


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
    parser.validateLink = lambda url: is_web_address(url) or is_record_id(url)  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


_PARSER = _parser()


@lru_cache(maxsize=16384)
def parse(markdown: str) -> tuple[Token, ...]:
    """The block tokens of a text; tokens of type `inline` carry their `children`. Not to be changed by callers."""
    return tuple(_PARSER.parse(markdown))


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention in a text: the ID, and the sentence around it without markup."""

    id: str
    sentence: str


def cited(markdown: str) -> list[Citation]:
    """The records that a text mentions or links to, in order, each with its sentence."""
    found: list[Citation] = []
    for block in parse(markdown):
        if block.type == "inline":
            found.extend(_cited_in(block.children or []))
    return found


def cited_sources(markdown: str) -> Iterator[str]:
    """The sources that a text mentions, in order."""
    for block in parse(markdown):
        for token in block.children or ():
            if token.type == "mention" and is_source_id(token.content):
                yield token.content


def nearly_cited(markdown: str) -> Iterator[tuple[str, str]]:
    """What looks like an ID in a text and is none: as written, and the ID that it is nearest to."""
    quoted = 0
    for block in parse(markdown):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(block.type, 0)
        for token in (block.children or ()) if block.type == "inline" and not quoted else ():
            if token.type == "text":
                for mention in near_misses(token.content):
                    yield token.content[mention.start : mention.end], mention.id


def _cited_in(tokens: Sequence[Token]) -> Iterator[Citation]:
    plain = ""
    marks: list[tuple[str, int]] = []
    for token in tokens:
        if token.type == "mention" and is_record_id(token.content):
            marks.append((token.content, len(plain)))
        elif token.type == "link_open" and is_record_id(str(token.attrs.get("href", ""))):
            marks.append((str(token.attrs["href"]), len(plain)))
        plain += " " if token.type in ("softbreak", "hardbreak") else token.content
    for record_id, start in marks:
        yield Citation(record_id, sentence_around(plain, start))


def plain(markdown: str) -> str:
    """A text without its markup, on one line."""
    words: list[str] = []
    for block in parse(markdown):
        words += [" " if token.type.endswith("break") else token.content for token in block.children or ()]
        words.append(" ")
    return " ".join("".join(words).split())


def sentence_around(plain: str, position: int) -> str:
    """The sentence of a text without markup that holds the character at `position`."""
    start = 0
    for gap in _SENTENCE.finditer(plain):
        if gap.start() > position:
            return plain[start : gap.start()].strip()
        start = gap.end()
    return plain[start:].strip()
