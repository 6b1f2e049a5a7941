"""Python-Markdown with an end to its effort, so that no page keeps the check, or the build, waiting.

Some of its steps read again what is before them: ten thousand open brackets, or headings without an empty line
between them, would take it minutes. Here such steps say how much they read, and a page on which that is too much
raises `EffortError`. What people write needs a few hundredths of it.
"""

import re
import xml.etree.ElementTree as etree
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.htmlparser import HTMLExtractor
from markdown.inlinepatterns import LinkInlineProcessor
from markdown.preprocessors import HtmlBlockPreprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

MAX_EFFORT: Final = 8_000_000
"""The most characters that are read again on a page, which takes some of a second."""

MAX_PARAGRAPH: Final = 20_000
"""The most characters of one paragraph, item or cell."""

_NO_WORD = re.compile(r"[\W_]+")
"""What does not tell the address of one heading from that of another."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCK = 500
"""How many characters could be read in the time that a block or the cell of a table takes, whatever it holds."""

_MARK = 100
"""The same of anything that is marked up in a text."""

_NUMBERING = 50
"""How many characters could be read in the time in which one number is tried for a heading or a footnote."""

_COPYING = 100
"""How many characters are copied in the time in which one is looked at."""

_MOVING = 20
"""How many lines are moved in that time."""

_OPENING = 2
"""Of a tag that is not closed, so many characters at most are taken for text before the next is looked for."""

_SHOWN = 200
"""How many characters of a text are kept, to find it again."""


class EffortError(Exception):
    """A page is too much for Python-Markdown: one sentence that says why, and the text at which that was seen."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class Effort:
    """How much a page has cost so far."""

    def __init__(self) -> None:
        self.spent = 0
        self.notes: Counter[str] = Counter()
        """How often each footnote was referred to."""

    def reset(self) -> None:
        """Begin another page."""
        self.spent = 0
        self.notes.clear()

    def spend(self, characters: int, text: str) -> None:
        """Count characters that are read once more; `text` is what is being looked at."""
        self.spent += characters
        if self.spent > MAX_EFFORT:
            raise EffortError("what is repeated here would keep Markdown busy for too long", text)


def bound(md: Markdown) -> Effort:
    """Make the steps of a Markdown count what they do. Reset it before each page."""
    effort = Effort()
    md.preprocessors.register(_Html(md, effort), "html_block", 20)
    md.parser.blockprocessors.register(_Blocks(md, effort), "recordweave-blocks", 1000)
    md.treeprocessors.register(_Texts(md, effort), "recordweave-texts", 25)
    pattern: Any
    for pattern in md.inlinePatterns:
        pattern.handleMatch = _marking(pattern.handleMatch, effort)
        if isinstance(pattern, LinkInlineProcessor):
            link: Any = pattern
            link.getText = _reading(link.getText, effort)
            link.getLink = _reading(link.getLink, effort)
    fences: Any = md.preprocessors["fenced_code_block"]
    fences.reassemble = _joining(fences, effort)
    footnote: Any = md.inlinePatterns["footnote"]
    footnote.handleMatch = _numbering(footnote.handleMatch, effort)
    return effort


def _reading(read: Callable[[str, int], Any], effort: Effort) -> Callable[[str, int], Any]:
    """A step that looks for the end of a link, counted: up to the end of the text where there is none."""

    def counted(data: str, index: int) -> Any:
        found = read(data, index)
        *_, end, is_found = found
        effort.spend((end if is_found else len(data)) - index, data)
        return found

    return counted


def _marking(handle: Callable[[Any, str], Any], effort: Effort) -> Callable[[Any, str], Any]:
    """A step that makes something of a mark in a text, counted."""

    def counted(match: Any, data: str) -> Any:
        effort.spend(_MARK, data)
        return handle(match, data)

    return counted


def _joining(fences: Any, effort: Effort) -> Callable[[list[str]], Any]:
    """The step that puts the blocks of code into a page, counted: each moves all the lines behind it."""
    join = fences.reassemble

    def counted(lines: list[str]) -> Any:
        if fences.stack:
            _, start, _ = fences.stack[len(fences.stack) // 2]
            effort.spend(len(fences.stack) * len(lines) // _MOVING, lines[start])
        return join(lines)

    return counted


def _numbering(handle: Callable[[Any, str], Any], effort: Effort) -> Callable[[Any, str], Any]:
    """A step that gives a number of its own to each reference to a footnote, counted: it tries all from the first."""

    def counted(match: Any, data: str) -> Any:
        effort.spend(_NUMBERING * effort.notes[match[1]], data)
        effort.notes[match[1]] += 1
        return handle(match, data)

    return counted


class _Blocks(BlockProcessor):
    """Counts each block as often as the other processors look at it; it processes none."""

    def __init__(self, md: Markdown, effort: Effort) -> None:
        super().__init__(md.parser)
        self.effort = effort

    def test(self, parent: etree.Element, block: str) -> bool:
        self.effort.spend(_BLOCK + len(block), block)
        head, _, rest = block.partition("\n")
        rule, _, rows = rest.partition("\n")
        if "-" in rule and not set(rule) - set("|:- \t"):
            self.effort.spend(_BLOCK * (rows.count("\n") + 1) * (head.count("|") + 1), block)
        return False


class _Texts(Treeprocessor):
    """Counts what comes before the inline text is read: paragraphs that are too long, headings that are alike."""

    def __init__(self, md: Markdown, effort: Effort) -> None:
        super().__init__(md)
        self.effort = effort

    def run(self, root: etree.Element) -> None:
        alike: Counter[str] = Counter()
        for element in root.iter():
            for text in (element.text, element.tail):
                if text and len(text) > MAX_PARAGRAPH and not isinstance(text, AtomicString):
                    raise EffortError(f"a paragraph has more than {MAX_PARAGRAPH:,} characters", text)
            if element.tag in _HEADINGS:
                title = _NO_WORD.sub("", element.text or "")
                self.effort.spend(_NUMBERING * alike[title], element.text or "")
                alike[title] += 1


class _Html(HtmlBlockPreprocessor):
    """Looks for HTML as its base does, with the effort counted."""

    def __init__(self, md: Markdown, effort: Effort) -> None:
        super().__init__(md)
        self.effort = effort

    def run(self, lines: list[str]) -> list[str]:
        parser = _Extractor(self.md, self.effort)
        parser.feed("\n".join(lines))
        parser.close()
        return "".join(parser.cleandoc).split("\n")


class _Extractor(HTMLExtractor):
    def __init__(self, md: Markdown, effort: Effort) -> None:
        self.effort = effort
        super().__init__(md)

    def parse_starttag(self, i: int) -> int:
        end = super().parse_starttag(i)
        return self._counted(i, end, closed=end > i + _OPENING)

    def parse_endtag(self, i: int) -> int:
        inline = getattr(self, "inline_stack", ())  # which older versions do not have
        self.effort.spend(len(self.stack) + len(inline), self.rawdata[i : i + _SHOWN])
        end = super().parse_endtag(i)
        return self._counted(i, end, closed=end > i + _OPENING)

    def parse_html_declaration(self, i: int) -> int:
        end = super().parse_html_declaration(i)
        return self._counted(i, end, closed=end >= 0)

    def parse_pi(self, i: int) -> int:
        end = super().parse_pi(i)
        return self._counted(i, end, closed=end >= 0)

    def parse_comment(self, i: int, report: bool = True) -> int:
        return self._counted(i, super().parse_comment(i, report), closed=True)

    def inline_close_follows(self, text: str) -> bool:
        start = self.line_offset + self.offset
        end = self.rawdata.find("\n\n", start)
        rest = (end if end > 0 else len(self.rawdata)) - start
        self.effort.spend(len(self.inline_stack) * rest, text)
        return super().inline_close_follows(text)

    def _counted(self, start: int, end: int, *, closed: bool) -> int:
        """The end of a tag; for one that is not closed it was looked for in all of the text, which is copied else."""
        rest = len(self.rawdata) - start
        self.effort.spend(rest // _COPYING if closed else rest, self.rawdata[start : start + _SHOWN])
        return end
