"""Prose: what is read in a page's source is what Python-Markdown makes of it, and templates do nothing but call."""

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import markdown
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from markdown.treeprocessors import Treeprocessor
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import meta

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.ids import split
from recordweave.site.extension import PageText, RecordweaveExtension
from recordweave.sources.prose import read_prose
from recordweave.sources.shown_text import EXTENSIONS
from recordweave.views.targets import Target
from tests.site.build import REPOSITORY


class Relpath(Treeprocessor):
    """Stands where MkDocs puts its own, and tells as that does which file is being rendered."""

    file = SimpleNamespace(src_uri="page.md")

    def run(self, root: Any) -> None:
        pass


class Nesting(HTMLParser):
    """Whether an HTML text has a link in a link."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open = 0
        self.deepest = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += tag == "a"
        self.deepest = max(self.deepest, self.open)

    def handle_endtag(self, tag: str) -> None:
        self.open -= tag == "a"


@cache
def configured() -> MkDocsConfig:
    """The configuration of the published site."""
    return load_config(str(REPOSITORY / "mkdocs.yml"))


def rendered(text: str) -> str:
    """A page as MkDocs would render it, where every record and every source of every system exists."""
    page = PageText(
        "page.md",
        lambda reference: Target(*split(reference), "label", False),
        lambda source: "sources",
        lambda system, page: f"../{system}/{page}/",
    )
    extensions: list[Any] = [*configured().markdown_extensions, RecordweaveExtension(lambda source: page)]
    md = markdown.Markdown(extensions=extensions, extension_configs=configured().mdx_configs)
    md.treeprocessors.register(Relpath(), "relpath", 0)
    body, _ = meta.get_data(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    return md.convert(body)


REFERENCE = re.compile(
    r'<a class="rw-ref(?P<elsewhere> rw-ref--elsewhere)?\b[^"]*" (?P<attributes>[^<>]*)>'
    r'|<a class="rw-source[^"]*"[^<>]*>(?P<source>[^<]*)</a>'
)


def linked(html: str) -> list[str]:
    """The records that a rendered page links to, those of other systems with the system's name.

    A link to a record of the page's own system has an anchor of its own to be cited by.
    """
    assert "data-rw-id" not in html
    found = []
    for match in REFERENCE.finditer(html):
        if match["source"] is None:
            own = re.search(r'\bid="ref-([^"]+)-[0-9]+"', match["attributes"])
            other = re.search(r'\bhref="\.\./([^/]+)/records/((?:mem-)?rte-)([^/]+)/"', match["attributes"])
            assert bool(match["elsewhere"]) == (own is None) == (other is not None), match[0]
            found.append(own[1] if own else f"{other[1]}:{other[2].upper()}{other[3]}" if other else "")
    return found


def linked_sources(html: str) -> list[str]:
    """The sources that a rendered page links to."""
    return [match["source"] for match in REFERENCE.finditer(html) if match["source"] is not None]


def scanned(text: str) -> list[str]:
    return [record_id for record_id, _ in read_prose(text, "page.md").mentions]


def scanned_sources(text: str) -> list[str]:
    return [source for source, _ in read_prose(text, "page.md").sources]


YES = re.compile(r"(?:(?<![a-z])[a-z-]+:)?MEM-RTE-yes(?:-\d+)?")

# Of each page, the records whose names begin with `yes` are mentioned, and no others.
PAGES: dict[str, str] = {
    "a paragraph": "See MEM-RTE-yes and (MEM-RTE-yes-2), MEM-RTE-yes-3.",
    "possessive and colon": "MEM-RTE-yes's and MEM-RTE-yes-2: MEM-RTE-yes-3/MEM-RTE-yes-4; “MEM-RTE-yes-5”",
    "emphasis before a word": "__MEM-RTE-no__x *MEM-RTE-yes*x\n",
    "emphasis": "*MEM-RTE-yes* and **MEM-RTE-yes-2** and ***MEM-RTE-yes-3*** and _MEM-RTE-yes-4_ and __MEM-RTE-yes-5__",
    "stuck to words": "xMEM-RTE-no MEM-RTE-no_x -MEM-RTE-no MEM-RTE-yes- x_MEM-RTE-no x__MEM-RTE-no MEM-RTE-no-_x",
    "code span": "`MEM-RTE-no` MEM-RTE-yes ``MEM-RTE-no ` MEM-RTE-no`` MEM-RTE-yes-2",
    "code span over lines": "`MEM-RTE-no\nMEM-RTE-no` MEM-RTE-yes",
    "backtick that never closes": "a ` MEM-RTE-yes\n\nb ` MEM-RTE-yes-2",
    "backticks of other numbers": "`` a ` MEM-RTE-no `` and ` MEM-RTE-yes",
    "escaped backtick": "\\` MEM-RTE-yes ` and MEM-RTE-yes-2",
    "backtick escaped at the end": "`a \\` MEM-RTE-yes",
    "two backslashes and a code span": "a \\\\`MEM-RTE-no` b",
    "fence": "```\nMEM-RTE-no\n```\nMEM-RTE-yes\n",
    "fence of tildes": "~~~\nMEM-RTE-no\n~~~\n\nMEM-RTE-yes\n",
    "fence with a language": '```python title="x"\nMEM-RTE-no\n```\n\nMEM-RTE-yes\n',
    "fence in a fence": "````\n```\nMEM-RTE-no\n```\nMEM-RTE-no\n````\n\nMEM-RTE-yes\n",
    "fence that is longer at its end, and so none": "```\nMEM-RTE-yes\n`````\n\nMEM-RTE-yes-2\n",
    "fence that never ends": "```\nMEM-RTE-yes\n\nMEM-RTE-yes-2\n",
    "fence right behind text": "text\n```\nMEM-RTE-no\n```\nMEM-RTE-yes\n",
    "fence in a list": "- item\n\n    ```\n    MEM-RTE-no\n    ```\n\n- MEM-RTE-yes\n",
    "fence of tildes in a numbered list": "1. item\n\n    ~~~\n    MEM-RTE-no\n    ~~~\n\n2. MEM-RTE-yes\n",
    "fence in a quotation": "> ```\n> MEM-RTE-no\n> ```\n\nMEM-RTE-yes\n",
    "fence in an admonition": "!!! note\n\n    ```\n    MEM-RTE-no\n    ```\n\n    MEM-RTE-yes\n",
    "fence on the line of an item": "- ```\n  MEM-RTE-no\n  ```\n\nMEM-RTE-yes\n",
    "indented code": "a\n\n    MEM-RTE-no\n\nMEM-RTE-yes\n",
    "indented code with a tab": "a\n\n\tMEM-RTE-no\n\nMEM-RTE-yes\n",
    "indented code in two parts": "a\n\n    MEM-RTE-no\n\n    MEM-RTE-no\n\nMEM-RTE-yes\n",
    "indented code at the start": "    MEM-RTE-no\n\nMEM-RTE-yes\n",
    "indented by three": "a\n\n   MEM-RTE-yes\n",
    "indented line of a paragraph": "a\n    MEM-RTE-yes\n",
    "indented code behind a heading": "# a\n\n    MEM-RTE-no\n",
    "paragraph in an item": "- a\n\n    MEM-RTE-yes\n",
    "indented code in an item": "- a\n\n        MEM-RTE-no\n\n    MEM-RTE-yes\n",
    "indented code behind a list": "- a\n\ntext\n\n    MEM-RTE-no\n",
    "list in a list": "- a\n    - MEM-RTE-yes\n        - MEM-RTE-yes-2\n\n            MEM-RTE-yes-3\n",
    "list of two spaces": "* a\n  * MEM-RTE-yes\n  MEM-RTE-yes-2\n",
    "lazy line of an item": "- a\nMEM-RTE-yes\n",
    "item with an empty line and two spaces": "- a\n\n  MEM-RTE-yes\n",
    "numbered list": "1. MEM-RTE-yes\n2. b\n\n    MEM-RTE-yes-2\n",
    "no list": "2026. MEM-RTE-yes\n-MEM-RTE-no\n",
    "quotation": "> MEM-RTE-no\n\nMEM-RTE-yes\n",
    "quotation with a lazy line": "> a\nMEM-RTE-no\n\nMEM-RTE-yes\n",
    "quotation behind a line": "MEM-RTE-yes\n> MEM-RTE-no\n\nMEM-RTE-yes-2\n",
    "quotation of two paragraphs": "> a\n>\n> MEM-RTE-no\n\nMEM-RTE-yes\n",
    "two quotations": "> a\n\n> MEM-RTE-no\n\nMEM-RTE-yes\n",
    "quotation with an attribution": "> text\n> --- `a.py:12-20` @ `abc` MEM-RTE-no\n\nMEM-RTE-yes\n",
    "quotation in a list": "- a\n\n    > MEM-RTE-no\n\n    MEM-RTE-yes\n",
    "quotation on the line of an item": "- > MEM-RTE-no\n\nMEM-RTE-yes\n",
    "list in a quotation": "> - MEM-RTE-no\n> - b\n\nMEM-RTE-yes\n",
    "greater than": "a > MEM-RTE-yes\n",
    "quotation in an admonition": "!!! note\n    > MEM-RTE-no\n\n    MEM-RTE-yes\n",
    "comment": "a <!-- MEM-RTE-no --> MEM-RTE-yes\n",
    "comment over paragraphs": "<!-- a\n\nMEM-RTE-no\n\n-->\n\nMEM-RTE-yes\n",
    "comment in a code span": "`<!--` MEM-RTE-yes `-->`\n",
    "comment in a fence": "```\n<!--\n```\n\nMEM-RTE-yes\n\n```\n-->\n```\n",
    "comment around a fence": "<!--\n```\nMEM-RTE-no\n```\n-->\n\nMEM-RTE-yes\n",
    "link": "[MEM-RTE-no](other.md) MEM-RTE-yes\n",
    "link to a record": "[how it is saved](MEM-RTE-yes) and [`save`](MEM-RTE-yes-2)\n",
    "link with an ID in its text and another in its address": "[MEM-RTE-no](MEM-RTE-yes)\n",
    "link with a title": '[a](b.md "MEM-RTE-no") MEM-RTE-yes\n',
    "link with brackets": "[a [MEM-RTE-no] b](c.md) MEM-RTE-yes\n",
    "link with an address in angles": "[MEM-RTE-no](<a b.md>) [x](<MEM-RTE-yes>)\n",
    "link with brackets in its address": "[MEM-RTE-no](a_(MEM-RTE-no).md) MEM-RTE-yes\n",
    "link over lines": "[a\nMEM-RTE-no](b.md) MEM-RTE-yes\n",
    "no link": "[MEM-RTE-yes] (b.md) and [MEM-RTE-yes-2]\n",
    "brackets before a link": "[MEM-RTE-yes] [a](b.md)\n",
    "escaped link": "\\[MEM-RTE-yes](MEM-RTE-yes-2)\n",
    "emphasis in a link": "[*MEM-RTE-no*](b.md)\n",
    "image": "![MEM-RTE-no](MEM-RTE-no.png) MEM-RTE-yes\n",
    "image in a link": "[![MEM-RTE-no](a.png)](b.md) MEM-RTE-yes\n",
    "reference link": "[MEM-RTE-no][a] MEM-RTE-yes\n\n[a]: b.md\n",
    "reference link to a record": "[x][a]\n\n[a]: MEM-RTE-yes\n",
    "short reference link": "[MEM-RTE-no] [a]\n\n[MEM-RTE-no]: b.md\n[a]: c.md\n",
    "collapsed reference link": "[a MEM-RTE-no][] MEM-RTE-yes\n\n[a MEM-RTE-no]: b.md\n",
    "reference without its definition": "[MEM-RTE-yes][a]\n",
    "reference image": "![MEM-RTE-no][a]\n\n[a]: MEM-RTE-no.png\n",
    "definition with a title": 'a\n\n[a]: b.md "MEM-RTE-no"\n\nMEM-RTE-yes\n',
    "definition with a title on its next line": 'a\n\n[a]: b.md\n    "MEM-RTE-no"\n\nMEM-RTE-yes\n',
    "autolink": "<https://e.org/MEM-RTE-no> MEM-RTE-yes\n",
    "mail": "<mem-rte-no@e.org> MEM-RTE-yes\n",
    "address": "see https://e.org/MEM-RTE-no and www.e.org/MEM-RTE-no MEM-RTE-yes\n",
    "address and markup": (
        "see https://e.org/a\\_b&amp;c[x]<b>`d` www.e.org/`MEM-RTE-no` https://e.org/[x](y.md) MEM-RTE-yes\n\n"
        "[x]: z.md\n"
    ),
    "address in brackets": "(https://e.org/MEM-RTE-no) MEM-RTE-yes\n",
    "table": "| a | b |\n|---|---|\n| MEM-RTE-yes | `MEM-RTE-no` |\n| x \\| MEM-RTE-yes-2 | [MEM-RTE-no](c.md) |\n",
    "table head": "| MEM-RTE-yes | b |\n|---|---|\n| c | d |\n",
    "footnote": "a[^1] MEM-RTE-yes\n\n[^1]: MEM-RTE-yes-2\n",
    "footnote of several paragraphs": "a[^x]\n\n[^x]:\n    MEM-RTE-yes\n\n    MEM-RTE-yes-2\n\n        MEM-RTE-no\n",
    "admonition": '!!! note "MEM-RTE-yes"\n    MEM-RTE-yes-2\n\n    MEM-RTE-yes-3\n',
    "details": '??? note "MEM-RTE-yes"\n\n    MEM-RTE-yes-2\n',
    "open details": '???+ note "a"\n    MEM-RTE-yes\n',
    "code in an admonition": "!!! note\n\n        MEM-RTE-no\n\n    MEM-RTE-yes\n",
    "definition list": "MEM-RTE-yes\n:   MEM-RTE-yes-2\n\n    MEM-RTE-yes-3\n\n        MEM-RTE-no\n",
    "heading": "# MEM-RTE-yes\n\n### MEM-RTE-yes-2: title\n\nMEM-RTE-yes-3\n===\n\nMEM-RTE-yes-4\n---\n",
    "heading with attributes": "## MEM-RTE-yes {: #a .x }\n\nMEM-RTE-yes\n",
    "attributes of a word": "*MEM-RTE-yes*{: title='a' } MEM-RTE-yes-2\n",
    "attributes of a paragraph": "MEM-RTE-yes\n{: #a }\n",
    "HTML": '<span title="MEM-RTE-no">MEM-RTE-yes</span>\n',
    "HTML block": '<div class="MEM-RTE-no">\nMEM-RTE-no\n</div>\n\nMEM-RTE-yes\n',
    "HTML block with an empty line": "<div>\n\nMEM-RTE-no\n\n</div>\n\nMEM-RTE-yes\n",
    "HTML code": "<code>MEM-RTE-yes</code> <kbd>MEM-RTE-yes-2</kbd>\n",
    "HTML pre": "<pre>\nMEM-RTE-no\n\nMEM-RTE-no\n</pre>\n\nMEM-RTE-yes\n",
    "HTML tag in a code span": "`<div>`\n\nMEM-RTE-yes\n\n`</div>`\n",
    "less than": "a < b and MEM-RTE-yes > c\n",
    "generic": "List<MEM-RTE-no> and Map<string, MEM-RTE-no-2>, a<b MEM-RTE-yes\n",
    "entity": "&MEM-RTE-yes; &amp; MEM-RTE-yes-2\n",
    "abbreviation": "*[MEM-RTE-yes]: what it means\n\nMEM-RTE-yes-2\n",
    "rule": "MEM-RTE-yes\n\n---\n\nMEM-RTE-yes-2\n",
    "hard break": "MEM-RTE-yes  \nMEM-RTE-yes-2\\\nMEM-RTE-yes-3\n",
    "escaped hyphen": "MEM\\-RTE\\-no x\\-MEM-RTE-yes MEM-RTE-yes\\_x\n",
    "Windows line ends": "a\r\n\r\n    MEM-RTE-no\r\n\r\nMEM-RTE-yes\r\n",
    "old line ends": "a\r\r    MEM-RTE-no\r\rMEM-RTE-yes\r",
    "byte-order mark": "\ufeff    MEM-RTE-no\n\nMEM-RTE-yes\n",
    "front matter": "---\ntitle: MEM-RTE-no\n---\n\nMEM-RTE-yes\n",
    "front matter that ends in dots": "---\ntitle: MEM-RTE-no\n...\n\nMEM-RTE-yes\n",
    "front matter with a rule below": "---\ntitle: a\n---\n\nMEM-RTE-yes\n\n---\n\nMEM-RTE-yes-2\n",
    "a rule at the start": "---\n\nMEM-RTE-yes\n",
    "two rules at the start": "---\n\n---\n\nMEM-RTE-yes\n",
    "metadata": "Note: MEM-RTE-no\n    MEM-RTE-no\nOther: x\n\nMEM-RTE-yes\n",
    "metadata and text": "Note: MEM-RTE-no\nMEM-RTE-yes\n",
    "an empty line before code": "\xa0\n    MEM-RTE-no\n",
    "tabs": "-\ta\n\n\tMEM-RTE-yes\n",
    "spaces in an empty line": "a\n   \n    MEM-RTE-no\n  \nMEM-RTE-yes\n",
    "no-break space": "MEM-RTE-yes\xa0MEM-RTE-yes-2\n",
    "math": "$MEM-RTE-yes$ and \\(MEM-RTE-yes-2\\)\n",
    "another system": "See ace:MEM-RTE-yes and (a-b:MEM-RTE-yes), MEM-RTE-yes.\n",
    "another system, emphasized": "See _ace:MEM-RTE-yes_ and **ace:MEM-RTE-yes-2**'s\n",
    "another system in code": "`ace:MEM-RTE-no` and ace:MEM-RTE-yes\n\n    ace:MEM-RTE-no\n",
    "another system in a quotation": "> ace:MEM-RTE-no\n\nace:MEM-RTE-yes\n",
    "another system in a link": "[ace:MEM-RTE-no](b.md) and [words](ace:MEM-RTE-yes)\n",
    "another system in a reference link": "[ace:MEM-RTE-no][a]\n\n[a]: ace:MEM-RTE-yes\n\n<!-- ace:MEM-RTE-no -->\n",
    "another system in an image": "![ace:MEM-RTE-no](ace:MEM-RTE-no.png) ace:MEM-RTE-yes\n",
    "another system in a heading": "# ace:MEM-RTE-yes\n\n## ace:MEM-RTE-yes: title {: #a }\n",
    "another system in a table": "| a | b |\n|---|---|\n| ace:MEM-RTE-yes | `ace:MEM-RTE-no` |\n",
    "another system in a definition": "# a\n\nace:MEM-RTE-yes\n:   ace:MEM-RTE-yes-2\n",
    "another system in HTML": '<b title="ace:MEM-RTE-no">ace:MEM-RTE-yes</b> <i>ace:MEM-RTE-yes-2</i>\n',
    "another system behind entities": "&amp; &lt; MEM-RTE-yes &amp; ace:MEM-RTE-yes &#58; ace:MEM-RTE-yes-2\n",
    "another system behind escapes": "\\* \\_ ace:MEM-RTE-yes \\* ace:MEM-RTE-yes-2\n",
    "sources": "SRC-1 and *ace:SRC-2*, `ace:SRC-3` and [ace:SRC-4](b.md)\n\n> ace:SRC-5\n",
    "a source of another system behind escapes": "See MEM-RTE-yes \\* x \\* and ace:SRC-9 here\n",
    "another system, stuck to words": "a x_ace:MEM-RTE-no_x -MEM-RTE-no ace:MEM-RTE-no_x a/ace:MEM-RTE-yes\n",
    "an address with a system": "a https://e.org/ace:MEM-RTE-no <https://ace:MEM-RTE-no> ace:MEM-RTE-yes\n",
    "a heading that names a system first": "## see\nace:MEM-RTE-yes\n",
}


@pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)
def test_the_scanner_reads_what_the_page_shows(text: str) -> None:
    html = rendered(text)
    assert (Counter(scanned(text)), html) == (Counter(YES.findall(text)), html)
    assert (Counter(linked(html)), html) == (Counter(YES.findall(text)), html)
    assert (Counter(linked_sources(html)), html) == (Counter(scanned_sources(text)), html)
    assert Nesting(html).deepest <= 1
    assert "klzzwxh" not in html  # what Python-Markdown would have put something else for


PIECES = [
    "MEM-RTE-a", "MEM-RTE-b-2", "MEM-RTE-c", "RTE-4", "SRC-1", "mem-rte-a", "MEM_RTE_a", "text", "through", "'s",
    "`", "``", "```", "~~~", "````", "    ", "\t", "\n", "\n\n", "\n\n    ", "  \n", "\n- ", "\n1. ", "\n> ", "> ",
    "# ", "\n## ", "\n===\n", "\n---\n", "***\n", "|", "\n|---|---|\n", "\n:   ", "\n!!! note\n    ", '\n??? note "',
    "[", "]", "(", ")", "](b.md)", "](MEM-RTE-a)", "![", "][x]", "\n[x]: c.md\n", "\n[x]: MEM-RTE-c\n", "[^1]",
    "\n[^1]: ", "<!--", "-->", "<b>", "</b>", "<div>", "</div>", "\n<pre>", "</pre>", "<", ">", "&", ";", '"',
    "<https://e.org/MEM-RTE-a>", "https://e.org/", "www.e.org/", "*", "**", "_", "__", "\\", "-", ":", ".", ", ", " ",
    "{: .x }", "é", "漢", "\xa0", "\u2011", "%%recordweave:0%%", "\U000f0000",
    "ace:MEM-RTE-a", "ace:SRC-1", "a-b:", "](ace:MEM-RTE-a)", "Ace:",
]  # fmt: skip


HEADS = [
    "",
    "\n",
    "  \n",
    "\xa0\n",
    "\n\n  \n",
    "---\na: b\n---\n",
    "---\na: b\n...\n\n",
    "---\n\n---\n",
    "a: b\n",
    "---\n",
]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(st.sampled_from(HEADS), st.lists(st.sampled_from(PIECES), max_size=25))
def test_the_scanner_agrees_with_the_page_on_any_mixture(head: str, pieces: list[str]) -> None:
    """On nearly any: of 100,000 mixtures two differ, such as where a mark moves what stands behind a tab."""
    text = head + "".join(pieces)
    try:
        html = rendered(text)
    except AssertionError:  # Python's reader of HTML, on `<![x`
        reject()
    if head == "---\n" and read_prose(text, "page.md").diagnostics:  # seeming front matter, which is refused
        reject()
    links = linked(html)
    if "[x]: MEM-RTE-c" in text:  # one definition serves many links
        assert set(scanned(text)) == set(links)
    else:
        assert Counter(scanned(text)) == Counter(links), html
    assert Counter(scanned_sources(text)) == Counter(linked_sources(html)), html


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="utf-8")) | st.text(st.sampled_from("-:\n `{}%#<![]()>|\\\t&;!*_~x\r\x00\x02\x03")))
def test_no_page_makes_a_traceback(text: str) -> None:
    prose = read_prose(text, "page.md")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    places = [each.place for each in prose.diagnostics] + [place for _, place in prose.mentions]
    assert all(place.line <= len(lines) and place.column <= len(lines[place.line - 1]) + 1 for place in places)


def test_a_page_that_markdown_cannot_render_is_refused() -> None:
    (fault,) = read_prose("- " * 2000 + "MEM-RTE-save\n", "page.md").diagnostics
    assert (fault.code, fault.place) == ("unreadable-file", Place("page.md"))
    assert scanned("MEM-RTE-a `MEM-RTE-b`") == ["MEM-RTE-a"]  # nothing of it is left behind


HINT = (
    'write it like `{{ records("routes") }}`; to show braces as text, put them between `{% raw %}` and `{% endraw %}`'
)
RAW = "to show braces as text, put them between `{% raw %}` and `{% endraw %}`"
ONLY = "a page can call macros with plain values and nothing else"
HIDDEN = "is called in code, in a comment or in a link, where it cannot show anything"

CALLS: dict[str, tuple[str, list[tuple[str, tuple[Any, ...], dict[str, Any], int, int, bool]]]] = {
    "no call": ("a { b } {c} %} }} # {", []),
    "a call": ("a\n\n{{ ledger() }}\n", [("ledger", (), {}, 3, 4, True)]),
    "arguments": (
        "{{ records(\"routes\", level=3, member='memory') }}",
        [("records", ("routes",), {"level": 3, "member": "memory"}, 1, 4, True)],
    ),
    "constants": ("{{ f(1, 2.5, true, none, '') }}", [("f", (1, 2.5, True, None, ""), {}, 1, 4, True)]),
    "several on a line": (
        '{{ ref("A-RTE-a") }} and {{ ref("A-RTE-b") }}',
        [("ref", ("A-RTE-a",), {}, 1, 4, False), ("ref", ("A-RTE-b",), {}, 1, 29, False)],
    ),
    "in a sentence": ("see {{ ledger() }}.", [("ledger", (), {}, 1, 8, False)]),
    "beside a sentence": ("see\n{{ ledger() }}", [("ledger", (), {}, 2, 4, False)]),
    "between headings": ("# a\n{{ ledger() }}\n## b\n", [("ledger", (), {}, 2, 4, True)]),
    "without spaces": ("{{ledger()}}", [("ledger", (), {}, 1, 3, True)]),
    "over lines": ('{{ ledger(\n  member="a"\n) }}', [("ledger", (), {"member": "a"}, 1, 4, False)]),
    "behind the front matter": ("---\ntitle: a\n---\n\n{{ ledger() }}\n", [("ledger", (), {}, 5, 4, True)]),
    "a text with braces": ("{{ '{% endraw %}' }} {{ \"}}\" }}", []),
    "raw": ("{% raw %}{{ ledger() }} {% if %} {#{% endraw %}", []),
    "a comment of the template": ("{# {{ ledger() }} #}", []),
    "no template": ("---\nrender_macros: false\n---\n\n{{ ledger() }} {% x\n", []),
    "no template, in capitals": ("---\nrender_macros: No\n---\n\n{{ ledger() }} {% x\n", []),
}


@pytest.mark.parametrize(("text", "expected"), CALLS.values(), ids=CALLS)
def test_calls(text: str, expected: list[Any]) -> None:
    prose = read_prose(text, "page.md")
    assert prose.diagnostics == []
    told = [(call.name, call.args, dict(call.kwargs), call.place, call.alone) for call in prose.calls]
    assert told == [(name, args, named, Place("page.md", line, column), alone)
                    for name, args, named, line, column, alone in expected]  # fmt: skip


# What templates may not do: text, line, column, message, hint
REFUSED: dict[str, tuple[str, int, int, str, str]] = {
    "a name": ("x {{ ledger }}", 1, 6, "`ledger` is not called", "write `{{ ledger() }}`"),
    "a sum": ("{{ 1 + 1 }}", 1, 1, ONLY, HINT),
    "a filter": ("x\n{{ ledger()|upper }}", 2, 1, ONLY, HINT),
    "an attribute": ("{{ config.site_name }}", 1, 1, ONLY, HINT),
    "an item": ("{{ config['x'] }}", 1, 1, ONLY, HINT),
    "a method": ("{{ ''.__class__() }}", 1, 1, ONLY, HINT),
    "a call of a call": ("{{ f()() }}", 1, 1, ONLY, HINT),
    "a name as argument": ("{{ f(x) }}", 1, 4, ONLY, HINT),
    "a call as argument": ("{{ f(g()) }}", 1, 4, ONLY, HINT),
    "a list as argument": ("{{ f([1]) }}", 1, 4, ONLY, HINT),
    "a sum as argument": ("{{ f(9 ** 9 ** 9) }}", 1, 4, ONLY, HINT),
    "a product as argument": ("{{ f(a='x' * 10 ** 12) }}", 1, 4, ONLY, HINT),
    "unpacked arguments": ("{{ f(*x) }}", 1, 4, ONLY, HINT),
    "unpacked names": ("{{ f(**x) }}", 1, 4, ONLY, HINT),
    "a condition": ("{{ f() if true }}", 1, 1, ONLY, HINT),
    "a statement": ("a\n\n{% set x = 1 %}", 3, 1, ONLY, HINT),
    "a loop": ("{% for x in [1] %}{{ f() }}{% endfor %}", 1, 1, ONLY, HINT),
    "an import": ("{% import 'x' as y %}", 1, 1, ONLY, HINT),
    "an inclusion": ("{% include '/etc/passwd' %}", 1, 1, ONLY, HINT),
    "an extension": ("{% extends 'x' %}", 1, 1, ONLY, HINT),
    "a macro": ("{% macro x() %}{% endmacro %}", 1, 1, ONLY, HINT),
    "a tag that does not end": ("a\n{{ f(", 2, 1, "the template syntax is wrong: unexpected 'end of template'", RAW),
    "a tag with nothing": (
        "{{ }}", 1, 1, "the template syntax is wrong: Expected an expression, got 'end of print statement'", RAW,
    ),
    "a tag that does not exist": (
        "a {% x %}", 1, 3, "the template syntax is wrong: Encountered unknown tag 'x'.", RAW,
    ),
    "an anchor": (
        "a\n## b {#c}", 2, 6, "the template syntax is wrong: Missing end of comment tag",
        "`{#` begins a comment; write `{ #` with a space",
    ),
    "a call in a code span": ("a `{{ f() }}`", 1, 7, f"`f` {HIDDEN}", RAW),
    "a call in a fence": ("```\n\n{{ f() }}\n\n```", 3, 4, f"`f` {HIDDEN}", RAW),
    "a call in indented code": ("a\n\n    {{ f() }}\n", 3, 8, f"`f` {HIDDEN}", RAW),
    "a call in a comment": ("a <!-- {{ f() }} -->", 1, 11, f"`f` {HIDDEN}", RAW),
    "a call in a link": ("[{{ f() }}](b.md)", 1, 5, f"`f` {HIDDEN}", RAW),
    "a call in an address": ("[a]({{ f() }})", 1, 8, f"`f` {HIDDEN}", RAW),
    "a call in HTML": ("<div>{{ f() }}</div>", 1, 9, f"`f` {HIDDEN}", RAW),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), REFUSED.values(), ids=REFUSED)
def test_templates_do_nothing_but_call(text: str, line: int, column: int, message: str, hint: str) -> None:
    prose = read_prose(text, "page.md")
    assert prose.calls == []
    assert prose.diagnostics == [Diagnostic("template", Severity.ERROR, message, Place("page.md", line, column), hint)]


def test_places() -> None:
    text = (
        "\ufeff---\r\ntitle: MEM-RTE-no\r\n---\r\n漢 MEM-RTE-a\r\n\r\n"
        "- SRC-1 🎉 MEM-RTE-b, mem-rte-c\r\n{{ f() }} RTE-1 to\r\nRTE-4"
    )
    prose = read_prose(text, "page.md")
    assert [(record_id, place.line, place.column) for record_id, place in prose.mentions] == [
        ("MEM-RTE-a", 4, 3),
        ("MEM-RTE-b", 6, 11),
        ("RTE-1", 7, 11),
        ("RTE-4", 8, 1),
    ]
    assert prose.sources == [("SRC-1", Place("page.md", 6, 3))]
    assert prose.near_misses == [("mem-rte-c", "MEM-RTE-c", Place("page.md", 6, 22))]
    assert prose.ranges == [("RTE-1", "RTE-4", Place("page.md", 7, 11))]
    assert [call.place for call in prose.calls] == [Place("page.md", 7, 4)]


def test_places_of_references_into_other_systems() -> None:
    """Where entities, escapes and tags stand before them, which are shown in other lengths than they are written in."""
    text = (
        "MEM-RTE-a &amp; \\* ace:MEM-RTE-b, <b>x</b> [x](ace:RTE-4)\n"
        "- SRC-1 &amp; <b>x</b> ace:SRC-2\n- ace:mem-rte-c and Ace:MEM-RTE-d\n"
        "- &amp; ace:RTE-1 to ace:RTE-4\n"
    )
    prose = read_prose(f"\n{text}", "page.md")
    assert [(record_id, place.line, place.column) for record_id, place in prose.mentions] == [
        ("MEM-RTE-a", 2, 1),
        ("ace:MEM-RTE-b", 2, 20),
        ("ace:RTE-4", 2, 48),
        ("MEM-RTE-d", 4, 25),
        ("ace:RTE-1", 5, 9),
        ("ace:RTE-4", 5, 22),
    ]
    assert prose.near_misses == [
        ("ace:mem-rte-c", "ace:MEM-RTE-c", Place("page.md", 4, 3)),
        ("Ace:MEM-RTE-d", "ace:MEM-RTE-d", Place("page.md", 4, 21)),
    ]
    assert prose.ranges == [("ace:RTE-1", "ace:RTE-4", Place("page.md", 5, 9))]
    assert prose.sources == [("SRC-1", Place("page.md", 3, 3)), ("ace:SRC-2", Place("page.md", 3, 24))]


def test_the_scanner_renders_with_the_extensions_of_the_site() -> None:
    assert set(EXTENSIONS) == set(configured().markdown_extensions)


@pytest.mark.parametrize("title", ["2024-02-03", "12", "1.5", "null", "yes", "~", "", "[a, b]", "{a: b}"])
def test_a_title_that_is_no_text_to_mkdocs_is_refused(title):
    (found,) = read_prose(f"---\ntitle: {title}\n---\n\nText.\n", "p.md").diagnostics
    assert (found.code, found.message) == ("front-matter", "`title` in the front matter is no text to MkDocs")
    assert found.place.line == 2


@pytest.mark.parametrize("title", ['"2024-02-03"', "Notes of 2024", "'yes'", "No more", "3 systems"])
def test_a_title_that_is_text_is_not(title):
    assert read_prose(f"---\ntitle: {title}\n---\n\nText.\n", "p.md").diagnostics == []


def test_what_belongs_to_the_theme_is_refused():
    (found,) = read_prose("---\ntemplate: ../x.html\n---\n\nText.\n", "p.md").diagnostics
    assert (found.place.line, found.place.column, found.message) == (2, 1, "`template` is not for pages of this site")


def test_templates_nested_too_deeply_are_a_diagnostic():
    (found,) = read_prose("{{" * 5000, "p.md").diagnostics
    assert found.message == "the template syntax is nested too deeply"


def test_front_matter_that_hides_a_macro_or_has_no_settings_is_refused():
    (found,) = read_prose('---\nref: x\n---\n\nSee {{ ref("X-OBJ-a") }}.\n', "p.md").diagnostics
    assert (found.place.line, found.message) == (5, "`ref` in the front matter hides the macro of that name")
    (found,) = read_prose("---\nsearch: 5\n---\n\nText.\n", "p.md").diagnostics
    assert (found.place.line, found.message) == (2, "`search` in the front matter holds no settings")
