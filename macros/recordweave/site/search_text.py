"""What the theme's search makes of a page, in a fifth of the time.

The theme takes a page apart with a parser that is prepared for anything. Nearly all pages hold nothing but well-formed
tags and text, for which a pattern is enough. For all others the theme does it. In the theme's index, a heading with an
ID begins an entry, what follows is its text, and of all tags only those of paragraphs, lists and code are kept.
"""

import re
from copy import copy
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

from material.plugins.search.plugin import SearchIndex
from mkdocs.structure.pages import Page

Entry = dict[str, Any]
"""An entry of the index: `location`, and `title` and `text` as HTML; a `boost` weighs all of its fields."""

_SPACE = r"[ \t\n\r\f]"
_VALUE = """(?:="[^"]*"|='[^']*')?"""
_TOKEN = re.compile(
    rf"""([^<]+)                                     # text
    | </([A-Za-z][A-Za-z0-9]*){_SPACE}*>             # the end of an element
    | <([A-Za-z][A-Za-z0-9]*)                        # its beginning, with its attributes; it may end itself
      ((?:{_SPACE}+[A-Za-z_:][-\w:.]*{_VALUE})*){_SPACE}*(/?)>
    | <!--(?:[^-]|-(?!-))*-->                        # a comment""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(rf"{_SPACE}([-\w:.]+)({_VALUE})")
_LEFT_TO_THE_THEME = (
    *(f"<{tag}" for tag in ("script", "style", "object")),
    *(f"<{tag}" for tag in ("iframe", "noembed", "noframes", "noscript", "plaintext", "xmp")),
    "data-search-",
    "linenodiv",
)
"""What the theme leaves out, and everything in it; and what newer parsers look for no elements in."""

_READ_IN_TWO_WAYS = [
    *(re.compile(rf"""<{tag}\b(?![^<>"']*>[^<]*</{tag}>)""") for tag in ("textarea", "title")),
    *(re.compile(rf"""{name}=(?:"[^"]*|'[^']*)&(?!(?:amp|lt|gt|quot|#39|#34);)""") for name in ("id", "class")),
]
"""Elements in what newer parsers take for text, and entities that not all parsers read alike."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KEPT = frozenset({"p", "code", "pre", "li", "ol", "ul", "sub", "sup"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


@dataclass(eq=False)
class _Section:
    """What becomes an entry. `tag` is that of its heading, `depth` how many elements are open there, itself too.

    The theme's name for a heading that is not there is `hx`.
    """

    tag: str = "hx"
    depth: float = 0
    id: str = ""
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def entries_of(location: str, html: str, title: str = "") -> list[Entry] | None:
    """The entries of a page, or nothing where the theme has to make them. `title` is for those without a heading."""
    folded = html.lower()
    if any(each in folded for each in _LEFT_TO_THE_THEME) or any(each.search(folded) for each in _READ_IN_TWO_WAYS):
        return None
    sections: list[_Section] = []
    current: _Section | None = None
    open_: list[str] = []
    permalinks = 0
    end = 0
    for match in _TOKEN.finditer(html):
        if match.start() != end:
            return None
        end = match.end()
        text, ended, begun, attributes, alone = match.groups()
        if text:
            if current is None:
                current = _Section()
                sections.append(current)
            _add(current, unescape(text), open_, is_permalink=bool(permalinks))
            continue
        tag = (ended or begun or "").lower()
        if begun:
            if tag in _VOID:
                continue
            open_.append(tag)
            if tag in _HEADINGS:
                anchor = _attribute(attributes, "id")
                if anchor == "":
                    return None
                if anchor:
                    if tag != "h1" and not sections:
                        sections.append(_Section())
                    current = _Section(tag, len(open_), anchor if sections else "")
                    sections.append(current)
            elif tag == "a" and (permalinks or _attribute(attributes, "class") == "headerlink"):
                permalinks += 1
            if current is None:
                current = _Section()
                sections.append(current)
            if tag in _KEPT:
                _told(current, open_).append(f"<{tag}>")
            if not alone:
                continue
        if not open_ or open_[-1] != tag:
            continue
        assert current is not None
        if current.depth > len(open_):
            outer = next((each for each in reversed(sections) if each.depth <= len(open_)), None)
            if outer:
                current.depth = float("inf")
                current = outer
        open_.pop()
        if tag == "a" and permalinks:
            permalinks -= 1
        if tag in _KEPT:
            _close(_told(current, open_), tag)
    if end != len(html):
        return None
    return [
        {
            "location": f"{location}#{each.id}" if each.id else location,
            "title": "".join(each.title or [title]).strip(),
            "text": "".join(each.text).strip(),
        }
        for each in sections
    ]


def _attribute(attributes: str, name: str) -> str | None:
    """The value of an attribute; of several with the same name, the last."""
    found = [value[2:-1] for key, value in _ATTRIBUTE.findall(attributes) if key.lower() == name]
    return unescape(found[-1]) if found else None


def _told(section: _Section, open_: list[str]) -> list[str]:
    """Where what stands here goes: into the title of the section or into its text."""
    return section.title if section.tag in open_ else section.text


def _add(section: _Section, data: str, open_: list[str], *, is_permalink: bool) -> None:
    is_space = data.isspace()
    if "pre" not in open_:
        data = " " if is_space else data.replace("\n", " ")
    if section.tag in open_:
        if not is_permalink:
            section.title.append(escape(data, quote=False))
    elif not is_space or "pre" in open_ or not section.text or not section.text[-1].isspace():
        section.text.append(escape(data, quote=False))


def _close(told: list[str], tag: str) -> None:
    """End an element, or remove it where there is nothing in it. The theme fails where it has begun somewhere else."""
    opening = f"<{tag}>"
    if opening not in told:
        return
    at = told.index(opening)
    if all(each.isspace() for each in told[at + 1 :]):
        del told[at:]
    else:
        told.append(f"</{tag}>")


def entries_by_theme(page: Page, html: str) -> list[Entry]:
    """What the theme makes of a page that shows `html`."""
    read = copy(page)
    read.content = html
    index = SearchIndex()
    index.add_entry_from_context(read)
    entries: list[Entry] = index.entries
    return entries
