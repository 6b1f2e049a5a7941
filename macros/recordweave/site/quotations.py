"""Quotations in prose: their last line says where they are from, and leads there.

> The text that is quoted.
> --- `agents/memory.py:12-20` @ `2f1c…`
"""

import re
import xml.etree.ElementTree as etree
from collections.abc import Callable

Place = Callable[[str, str, str], str]
"""The permanent address of a path, of lines in it (or an empty string), at a revision; empty where there is none."""

_DASH = re.compile(r"(?:^|\n)[ \t]*(?:---?|—|–)[ \t]+")
_PATH = re.compile(r"(?P<path>[^\s:][^:\n]*)(?::(?P<lines>[1-9][0-9]*(?:-[1-9][0-9]*)?))?", re.ASCII)
_REVISION = re.compile(r"[0-9a-f]{7,64}")


def attribute(root: etree.Element, place: Place) -> None:
    """Let the last line of a quotation, or of a paragraph in it, be its footer if it begins with a dash.

    Markdown makes one of quotations that follow each other; behind a footer, the next begins.
    """
    for parent in list(root.iter()):
        for quotation in [each for each in parent if each.tag == "blockquote"]:
            _attribute(parent, quotation, place)


def _attribute(parent: etree.Element, quotation: etree.Element, place: Place) -> None:
    for paragraph in list(quotation):
        footer = _split(paragraph) if paragraph.tag == "p" else None
        if footer is None:
            continue
        _link(footer, place)
        at = list(quotation).index(paragraph) + 1
        rest = list(quotation)[at:]
        if not len(paragraph) and not (paragraph.text or "").strip():
            quotation.remove(paragraph)
        quotation.append(footer)
        if not rest:
            return
        following = etree.Element("blockquote")
        following.tail = "\n"
        for each in rest:
            quotation.remove(each)
            following.append(each)
        parent.insert(list(parent).index(quotation) + 1, following)
        quotation = following


def _split(paragraph: etree.Element) -> etree.Element | None:
    """Cut off the last line of a paragraph where that is an attribution; nothing where it is none."""
    texts = [paragraph.text or "", *(each.tail or "" for each in paragraph)]
    for number in reversed(range(len(texts))):
        starts = [match for match in _DASH.finditer(texts[number]) if number == 0 or match[0].startswith("\n")]
        if starts:
            break
        if "\n" in texts[number]:
            return None
    else:
        return None
    start = starts[-1]
    if "\n" in texts[number][start.end() :]:
        return None
    footer = etree.Element("footer")
    footer.text = texts[number][start.end() :]
    before = texts[number][: start.start()]
    moved = list(paragraph)[number:]
    for each in moved:
        paragraph.remove(each)
        footer.append(each)
    if number:
        paragraph[number - 1].tail = before
    else:
        paragraph.text = before
    return footer


def _link(footer: etree.Element, place: Place) -> None:
    """Link the path that an attribution names to that place at the revision it names."""
    codes = [each for each in footer if each.tag == "code"]
    if len(codes) != 2 or not _REVISION.fullmatch(codes[1].text or ""):
        return
    path = _PATH.fullmatch(codes[0].text or "")
    address = place(path["path"], path["lines"] or "", codes[1].text or "") if path else ""
    if not address:
        return
    index = list(footer).index(codes[0])
    link = etree.Element("a", {"href": address, "rel": "noopener nofollow"})
    link.tail, codes[0].tail = codes[0].tail, None
    footer.remove(codes[0])
    link.append(codes[0])
    footer.insert(index, link)
