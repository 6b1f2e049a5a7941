"""Inline text of records: what becomes markup, what stays text, what it cites, and that nothing in it takes effect."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from recordweave.records.ids import is_reference, is_source_id
from recordweave.records.text import (
    _PARSER,
    _is_bare,
    _paragraph,
    _without_markup,
    cited,
    cited_ranges,
    cited_sources,
    is_web_address,
    nearly_cited,
    parse,
    plain,
    refused_links,
    sentence_around,
)
from recordweave.views import inline


def reference(record_id: str, text: str) -> Markup:
    return Markup('<a data-record="{}">{}</a>').format(record_id, text or record_id)


def html(markdown: str) -> str:
    return str(inline.render(markdown, reference))


def link(address: str, text: str) -> str:
    return f'<a href="{address}" rel="noopener nofollow">{text}</a>'


def record(record_id: str, text: str = "") -> str:
    return f'<a data-record="{record_id}">{text or record_id}</a>'


RENDERED: dict[str, tuple[str, str]] = {
    "plain": ("One sentence.", "One sentence."),
    "two paragraphs": ("One.\n\nTwo.", "<p>One.</p><p>Two.</p>"),
    "a line break is a space": ("one\ntwo", "one\ntwo"),
    "a hard break": ("one  \ntwo\\\nthree", "one<br>\ntwo<br>\nthree"),
    "emphasis": ("*a* **b** _c_ __d__ ***e***", "<em>a</em> <strong>b</strong> <em>c</em> <strong>d</strong> "
                 "<em><strong>e</strong></em>"),
    "no emphasis": ("a_b_c 2*3*4 ** *", "a_b_c 2<em>3</em>4 ** *"),
    "code": ("`a` and ``b ` c``", "<code>a</code> and <code>b ` c</code>"),
    "code holds what it holds": (
        "`<b> & {{ x }} *y* MEM-RTE-a \\n`",
        "<code>&lt;b&gt; &amp; {{ x }} *y* MEM-RTE-a \\n</code>",
    ),
    "code that never closes": ("a ` b MEM-RTE-a", f"a ` b {record('MEM-RTE-a')}"),
    "fence": ("a\n\n```python\nx < 1\nMEM-RTE-a\n```", "<p>a</p><pre><code>x &lt; 1\nMEM-RTE-a\n</code></pre>"),
    "no indented code": ("a\n\n    b", "<p>a</p><p>b</p>"),
    "bullets": ("- a\n- MEM-RTE-a", f"<ul><li>a</li><li>{record('MEM-RTE-a')}</li></ul>"),
    "numbers": ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
    "a list of paragraphs": ("- a\n\n  b", "<ul><li><p>a</p><p>b</p></li></ul>"),
    "a list in a list": ("- a\n  - b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
    "quotation": ("> said MEM-RTE-a\n\nx", "<blockquote><p>said MEM-RTE-a</p></blockquote><p>x</p>"),
    "mention": ("See MEM-RTE-a.", f"See {record('MEM-RTE-a')}."),
    "mention in emphasis": ("*MEM-RTE-a* __MEM-RTE-b__", f"<em>{record('MEM-RTE-a')}</em> "
                            f"<strong>{record('MEM-RTE-b')}</strong>"),
    "mentions side by side": ("MEM-RTE-a/RTE-1's", f"{record('MEM-RTE-a')}/{record('RTE-1')}&#39;s"),
    "source": ("See SRC-1.", f"See {record('SRC-1')}."),
    "web link": ("[a *b*](https://e.org/x?y=1&z=2)", link("https://e.org/x?y=1&amp;z=2", "a <em>b</em>")),
    "web link in capitals": ("[a](HTTPS://E.ORG)", link("HTTPS://E.ORG", "a")),
    "mail link": ("[a](mailto:a@e.org)", link("mailto:a@e.org", "a")),
    "autolink": ("<https://e.org/MEM-RTE-a>", link("https://e.org/MEM-RTE-a", "https://e.org/MEM-RTE-a")),
    "autolink in a link": ("[a <https://e.org> b](MEM-RTE-a)", record("MEM-RTE-a", "a https://e.org b")),
    "autolink in a web link": ("[<https://x.org>](https://e.org) <https://x.org>", link("https://e.org", "https://x.org")
                               + " " + link("https://x.org", "https://x.org")),
    "bare address": ("https://e.org/MEM-RTE-a", "https://e.org/MEM-RTE-a"),
    "link to a record": ("[how](MEM-RTE-a)", record("MEM-RTE-a", "how")),
    "link to a record over lines": ("[how it\nis](MEM-RTE-a)", record("MEM-RTE-a", "how it\nis")),
    "link to a record with code": ("[`x` & *y*](MEM-RTE-a)", record("MEM-RTE-a", "x &amp; y")),
    "mention in a link": ("[MEM-RTE-b](MEM-RTE-a)", record("MEM-RTE-a", "MEM-RTE-b")),
    "mention in a web link": ("[MEM-RTE-b](https://e.org)", link("https://e.org", "MEM-RTE-b")),
    "link with a title": ('[a](https://e.org "b")', link("https://e.org", "a")),
    "HTML": ("<b>x</b> <script>y</script> use <name> now", "&lt;b&gt;x&lt;/b&gt; &lt;script&gt;y&lt;/script&gt; "
             "use &lt;name&gt; now"),
    "HTML block": ("<div onclick='x'>\n\ny", "<p>&lt;div onclick=&#39;x&#39;&gt;</p><p>y</p>"),
    "comment": ("a <!-- b --> c", "a &lt;!-- b --&gt; c"),
    "entity": ("&lt; &amp; &#60;", "&amp;lt; &amp;amp; &amp;#60;"),
    "script link": ("[x](JaVaScRiPt:alert(1))", "[x](JaVaScRiPt:alert(1))"),
    "data link": ("[x](data:text/html,y)", "[x](data:text/html,y)"),
    "relative link": ("[x](other.md)", "[x](other.md)"),
    "file link": ("[x](file:///etc/passwd)", "[x](file:///etc/passwd)"),
    "link that breaks out": ('[x](https://e.org/"onmouseover="y)', "[x](https://e.org/&#34;onmouseover=&#34;y)"),
    "attribute list": ("[x](https://e.org){: onclick=y }", link("https://e.org", "x") + "{: onclick=y }"),
    "image": ("![x](https://e.org/a.png)", "!" + link("https://e.org/a.png", "x")),
    "template": ("{{ x }} {% raw %} {#id} ${{ y }}", "{{ x }} {% raw %} {#id} ${{ y }}"),
    "token": ("%%recordweave:0%%", "%%recordweave:0%%"),
    "heading": ("# a", "# a"),
    "rule": ("---", "---"),
    "table": ("| a |\n|---|\n| b |", "| a |\n|---|\n| b |"),
    "reference definition": ("[a]: https://e.org", "[a]: https://e.org"),
    "footnote": ("a[^1]", "a[^1]"),
    "escape": ("\\*a\\* \\`b\\` MEM\\-RTE\\-a \\x", f"*a* `b` {record('MEM-RTE-a')} \\x"),
    "quotes and dashes": ("\"a\" -- 'b'...", "&#34;a&#34; -- &#39;b&#39;..."),
}  # fmt: skip


@pytest.mark.parametrize(("markdown", "expected"), RENDERED.values(), ids=RENDERED)
def test_rendering(markdown: str, expected: str) -> None:
    assert html(markdown) == expected


CITED: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "nothing": ("No record.", []),
    "each with its sentence": (
        "First MEM-RTE-a. Then *MEM-RTE-b* and MEM-RTE-c! Last.",
        [
            ("MEM-RTE-a", "First MEM-RTE-a."),
            ("MEM-RTE-b", "Then MEM-RTE-b and MEM-RTE-c!"),
            ("MEM-RTE-c", "Then MEM-RTE-b and MEM-RTE-c!"),
        ],
    ),
    "twice": ("MEM-RTE-a, MEM-RTE-a", [("MEM-RTE-a", "MEM-RTE-a, MEM-RTE-a")] * 2),
    "over lines": ("See\nMEM-RTE-a  \nnow", [("MEM-RTE-a", "See MEM-RTE-a now")]),
    "link": ("See [how it\nis](MEM-RTE-a). Next.", [("MEM-RTE-a", "See how it is.")]),
    "not in code, links and quotations": (
        "`MEM-RTE-a` [MEM-RTE-b](https://e.org)\n\n```\nMEM-RTE-c\n```\n\n> MEM-RTE-d",
        [],
    ),
    "link in a quotation": ("> [x](MEM-RTE-a)", [("MEM-RTE-a", "x")]),
    "sources are not records": ("SRC-1 and MEM-RTE-a", [("MEM-RTE-a", "SRC-1 and MEM-RTE-a")]),
}


@pytest.mark.parametrize(("markdown", "expected"), CITED.values(), ids=CITED)
def test_citations(markdown: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.id, each.sentence) for each in cited(markdown)] == expected


def test_cited_sources() -> None:
    markdown = "SRC-1 and `SRC-2` and SRC-10, not SRC-0 nor [SRC-3](https://e.org). Next."
    assert [(each.id, each.before) for each in cited_sources(markdown)] == [("SRC-1", 0), ("SRC-10", 0)]
    assert cited_sources(markdown)[0].sentence.endswith("SRC-3.")


def test_where_the_same_stands_several_times() -> None:
    """A citation counts how often its ID was written before: as part of a longer one, in code, as an address."""
    markdown = "MEM-RTE-ab `MEM-RTE-a` [MEM-RTE-a](MEM-RTE-a) <https://e.org/MEM-RTE-a> MEM-RTE-a MEM-RTE-a"
    assert [(each.id, each.before) for each in cited(markdown)] == [
        ("MEM-RTE-ab", 0),
        ("MEM-RTE-a", 3),
        ("MEM-RTE-a", 5),
        ("MEM-RTE-a", 6),
    ]


def test_near_misses() -> None:
    markdown = "mem-rte-a `mem-rte-a` MEM-RTE-b mem-rte-a [mem-rte-a](https://e.org)\n\n> mem-rte-a\n\nx mem-rte-a"
    assert [(each.written, each.meant, each.before) for each in nearly_cited(markdown)] == [
        ("mem-rte-a", "MEM-RTE-a", 0),
        ("mem-rte-a", "MEM-RTE-a", 2),
        ("mem-rte-a", "MEM-RTE-a", 5),
    ]


def test_ranges() -> None:
    markdown = "`RT-RTE-1 to RT-RTE-3`, RT-RTE-1 *to* RT-RTE-3, RT-RTE-1\nto RT-RTE-3. > RT-RTE-1 to RT-RTE-9"
    assert [(part.written, part.before, last) for part, last in cited_ranges(markdown)] == [
        ("RT-RTE-1", 1, "RT-RTE-3"),
        ("RT-RTE-1", 2, "RT-RTE-3"),
        ("RT-RTE-1", 3, "RT-RTE-9"),
    ]


def test_refused_links() -> None:
    markdown = "[a](x.md) `[b](y.md)` [c](https://e.org) [d](javascript:e(1)) [f][g] h(i) [MEM-RTE-a](x.md) [j] (k)"
    assert [(part.written, part.before) for part in refused_links(markdown)] == [
        ("x.md", 0),
        ("javascript:e(1)", 0),
        ("x.md", 1),
    ]


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("*a* `b`\n\n- [c](https://e.org)\n- MEM-RTE-a", "a b c MEM-RTE-a"),
        ("one\ntwo  \nthree", "one two three"),
        ("> a\n\n```\nb\n```", "a"),
        ("<b> & {{ c }}", "<b> & {{ c }}"),
    ],
)
def test_plain(markdown: str, words: str) -> None:
    assert plain(markdown) == words


SENTENCES: dict[str, tuple[str, str]] = {
    "only": ("a ^b c", "a ^b c"),
    "first": ("a ^b. C d.", "a ^b."),
    "last": ("A b. C ^d", "C ^d"),
    "middle": ("A b! C ^d? E f.", "C ^d?"),
    "at its start": ("A b. C^ d. E", "C^ d."),
    "quotation marks": ('"A b." "C ^d." E', '"C ^d."'),
    "bracket": ("A b. (C ^d.) E", "(C ^d.)"),
    "printer's quotation marks": ("“A b.” “C ^d.” E", "“C ^d.”"),
    "other letters": ("A b. É ^d. Ö e", "É ^d."),
    "number": ("A b. 3 ^d. E", "3 ^d."),
    "small letter goes on": ("A b. c ^d. E", "A b. c ^d."),
    "point inside a word": ("A `a.b` ^c v1.2 d. E", "A `a.b` ^c v1.2 d."),
    "abbreviation before a small letter": ("A, e.g. in ^b. C", "A, e.g. in ^b."),
}


@pytest.mark.parametrize(("marked", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_sentence_around(marked: str, expected: str) -> None:
    """`^` marks the place; it belongs to the text, too."""
    assert sentence_around(marked, marked.index("^")) == expected


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("https://e.org", True), ("HTTP://e.org/a?b#c", True), ("mailto:a@e.org", True), ("https://e.org/'", True),
        ("//e.org", False), ("e.org", False), ("ftp://e.org", False), ("javascript:x", False), ("", False),
        (" https://e.org", False), ("https://e.org\n", False), ("https://e.org/a b", False), ('https://e.org/"', False),
        ("https://e.org/<", False), ("https://e.org\\@evil.org", False), ("https://", False), ("mailto:", False),
        ("java\nscript:https://e.org", False),
    ],
)  # fmt: skip
def test_addresses_of_the_web(address: str, right: bool) -> None:
    assert is_web_address(address) is right


VOID = ("br",)
ATTRIBUTES = {
    "a": {"href", "rel", "data-record"},
    **{tag: set[str]() for tag in ("p", "strong", "em", "br", "ul", "ol", "li", "blockquote", "code", "pre")},
}


class Strict(HTMLParser):
    """Reads HTML that holds nothing but allowed elements, each closed, with allowed attributes; keeps its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= ATTRIBUTES[tag]
        assert not (tag == "a" and "a" in self.open)
        for name, value in attrs:
            assert value is not None
            if name == "href":
                assert re.match(r"(https?://|mailto:)[^\s\"<>]+\Z", value, re.IGNORECASE)
            if name == "data-record":
                assert is_reference(value) or is_source_id(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


PIECES = [
    "MEM-RTE-a", "MEM-RTE-b-2", "RTE-4", "SRC-1", "mem-rte-a", "text", "é", "\u2028", "\x00", "through",
    " ", "\n", "\n\n", "\t", "    ", "  \n", "\r\n", "\\", "\\\n", "\n- ", "\n1. ", "\n> ", "> ", "#", "|",
    "`", "``", "```", "\n```\n", "~~~", "*", "**", "_", "__", "!", '"', "'", "{: .x }", "{{ x }}", "{%",
    "[", "]", "(", ")", "](", "![", "](https://e.org)", "](MEM-RTE-a)", "](javascript:x)", "](mailto:a@e.org)",
    "<", ">", "<b>", "<script>", "</p>", "<!--", "-->", "&", "&lt;", "onclick=x", "%%recordweave:0%%",
    "<https://e.org>", "<javascript:x>", "https://e.org/", "javascript:",
]  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text())
@example("- " * 100 + "x")
@example("> " * 100 + "x")
@example("[" * 200 + "](https://e.org)" * 200)
@example("*_" * 500)
def test_any_text_becomes_harmless_html(markdown: str) -> None:
    Strict(html(markdown))
    shown = html(markdown)
    linked = re.findall(r'data-record="([^"]*)"', shown)
    mentioned = [each.id for each in cited(markdown)] + [each.id for each in cited_sources(markdown)]
    assert sorted(map(unescape, linked)) == sorted(mentioned)
    plain(markdown), list(nearly_cited(markdown)), list(refused_links(markdown)), list(cited_ranges(markdown))


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from([*PIECES, "\n", "\n\n", "- ", "1. ", "2)", "  \n", "\r"]), max_size=25).map("".join)
    | st.text()
)
def test_plain_words_are_those_that_a_parser_finds(markdown: str) -> None:
    assert plain(markdown) == _without_markup(markdown)


@given(st.text(st.sampled_from("abc é漢<>&\"'{}%#$|=+:;,")))
def test_text_without_markup_is_shown_as_it_was_written(text: str) -> None:
    text = " ".join(["x", *text.split()])
    assert Strict(html(text)).words == text
    assert plain(text) == text


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.integers(0, 200))
def test_a_sentence_is_part_of_its_text(text: str, position: int) -> None:
    sentence = sentence_around(text, min(position, len(text)))
    assert sentence in text
    assert sentence == sentence.strip()


def test_parsed_text_is_not_parsed_again() -> None:
    assert parse("a MEM-RTE-a") is parse("a MEM-RTE-a")


BARE = [
    "MEM-RTE-a", "arigraph:MEM-RTE-b", "RTE-4", "SRC-1", "mem-rte-a", "words", "é", "e\u0301", "漢字", " ", " ", "  ",
    "!", "#", "# ", "## ", "===", "---", "|", "&", "&amp;", "&#60;", "{{ x }}", "{%", "%%recordweave:0%%", '"', "'",
    "(", ")", "^", "$", "=", "+ ", "- ", "-", "1. ", "2)", "10", "https://e.org/MEM-RTE-a", "www.e.org", "x@e.org",
    "...", "--", "(c)", ":", ";", ",", "?", "/", "–", "“", "”", "\u2011", "\u2010", "\U0001f600",
]  # fmt: skip
ODD = ["\u00a0", "\u00ad", "\u200b", "\u2028", "\u3000", "\ufeff", "\ue000", "\x0b", "\x1c", "\x85", "\t", "\r", "\n"]


@settings(max_examples=1500, deadline=None)
@given(
    st.lists(st.sampled_from(BARE), max_size=12).map("".join)
    | st.lists(st.sampled_from([*BARE, *ODD]), max_size=12).map("".join)
    | st.lists(st.sampled_from([*BARE, *ODD, *PIECES]), max_size=8).map("".join)
    | st.text()
)
@example("x" * 100_000)
@example("( " * 100 + "MEM-RTE-a")
def test_a_line_without_markup_is_what_a_parser_makes_of_it(markdown: str) -> None:
    """All of it: the paragraph, the text in it, and the mentions."""
    assert parse(markdown) == tuple(_PARSER.parse(markdown))


@pytest.mark.parametrize(
    "line", ["One sentence.", "See (MEM-RTE-a) & {{ x }} | é, 1. #2 - “3”! https://e.org/?x=1 – x@e.org"]
)
def test_a_line_without_markup_is_not_parsed(line: str) -> None:
    assert _is_bare(line)
    assert _paragraph(line) == tuple(_PARSER.parse(line))


@pytest.mark.parametrize(
    "text",
    ["", " ", "a\nb", " a", "a ", "a\tb", "a\rb", "a\0b", "a _b_", "[a](b)", "- a", "+ a", "1. a", "123456789) a"],
)
def test_what_may_be_markup_is_parsed(text: str) -> None:
    assert not _is_bare(text)
