"""What the theme's search makes of a page, in a fifth of the time.

The theme takes a page apart with a parser that is prepared for anything. Nearly all pages hold nothing but well-formed
tags and text, for which a pattern is enough. For all others the theme does it. In the theme's index, a heading with an
ID begins an entry, what follows is its text, and of all tags only those of paragraphs, lists and code are kept.
"""

import re
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

Entry = dict[str, Any]
"""An entry of the index: `location`, and `title` and `text` as HTML; a `boost` weighs all of its fields."""

_TOKEN = re.compile(
    r"""([^<]+)                                      # text
    | <(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*?)?)(/?)>  # a tag with its attributes; it may end itself
    | <!--(?:[^-]|-(?!-))*-->""",
    re.VERBOSE,
)
_ATTRIBUTES = re.compile(r'(?:\s+[A-Za-z_:][-\w:.]*(?:="[^"]*")?)*\s*')
_ATTRIBUTE = re.compile(r'\s([A-Za-z_:][-\w:.]*)="([^"]*)"')
_LEFT_TO_THE_THEME = ("<script", "<style", "<object", "data-search-", "linenodiv")
"""What the theme leaves out, and everything in it."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ASKED = _HEADINGS | {"a"}
"""The elements whose attributes say something."""

_KEPT = frozenset({"p", "code", "pre", "li", "ol", "ul", "sub", "sup"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


@dataclass(eq=False)
class _Section:
    """What becomes an entry. `tag` is that of its heading, `depth` how many elements are open there, itself too."""

    tag: str = ""
    depth: float = 0
    id: str = ""
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def entries_of(location: str, html: str, title: str = "") -> list[Entry] | None:
    """The entries of a page, or nothing where the theme has to make them. `title` is for those without a heading."""
    folded = html.lower()
    if any(each in folded for each in _LEFT_TO_THE_THEME):
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
        text, closing, tag, attributes, alone = match.groups()
        if text:
            if current is None:
                current = _Section()
                sections.append(current)
            _add(current, unescape(text), open_, is_permalink=bool(permalinks))
            continue
        if not tag:
            continue  # a comment
        tag = tag.lower()
        if attributes.count('"') % 2 or (tag in _ASKED and not _ATTRIBUTES.fullmatch(attributes)):
            return None
        if not closing:
            if tag in _VOID:
                continue
            open_.append(tag)
            if tag in _HEADINGS:
                anchor = _attribute(attributes, "id")
                if anchor is not None:
                    if tag != "h1" and not sections:
                        sections.append(_Section(depth=len(open_)))
                    current = _Section(tag, len(open_), anchor if sections else "")
                    sections.append(current)
            elif tag == "a" and (permalinks or _attribute(attributes, "class") == "headerlink"):
                permalinks += 1
            if current is None:
                current = _Section()
                sections.append(current)
            if tag in _KEPT:
                _told(current, open_).append(f"<{tag}>")
        if not (closing or alone):
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
        if tag in _KEPT and not _close(_told(current, open_), tag):
            return None
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
    found = [unescape(value) for key, value in _ATTRIBUTE.findall(attributes) if key.lower() == name]
    return found[-1] if found else None


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


def _close(told: list[str], tag: str) -> bool:
    """End an element, or remove it where there is nothing in it. False where it has begun somewhere else."""
    opening = f"<{tag}>"
    if opening not in told:
        return False
    at = told.index(opening)
    if all(each.isspace() for each in told[at + 1 :]):
        del told[at:]
    else:
        told.append(f"</{tag}>")
    return True
