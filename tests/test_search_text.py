"""The entries of the search's index: those that the theme makes of the same page, or none where it has to make them."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from material.plugins.search.plugin import SearchIndex

from recordweave.site.search_text import Entry, entries_of

TITLE = "The page's own title"


def by_theme(html: str) -> list[Entry] | None:
    """What the theme makes of a page that shows this; nothing where it fails."""
    index = SearchIndex()
    page = SimpleNamespace(content=html, toc=[], url="page/", meta={}, title=TITLE)
    try:
        index.add_entry_from_context(page)
    except (ValueError, AssertionError):
        return None
    return [dict(each) for each in index.entries]


def here(html: str) -> list[Entry] | None:
    return entries_of("page/", html, TITLE)


MADE = {
    "nothing": "",
    "text": "text &amp; &lt;b&gt; &copy more &",
    "sections": '<h1 id="a">A</h1><p>x</p><h2 id="b">B <code>c</code></h2><p>y</p><h3>no ID</h3><p>z</p>',
    "no heading on top": '<h2 id="b">B</h2><p>y</p>',
    "permalink": '<h2 id="b">B<a class="headerlink" href="#b" title="Permanent link">&para;</a></h2><p>y</p>',
    "permalink with a link in it": '<h2 id="b">B<a class="headerlink"><a>x</a>y</a>z</h2>',
    "link": '<h2 id="b">B <a href="x">x</a></h2>',
    "heading in a list": '<ul><li><h2 id="b">B</h2>x</li><li>y</li></ul>z',
    "heading in articles": '<article><article><h2 id="b">B</h2>x</article>y</article>z<div><h3 id="c">C</h3></div>w',
    "table": "<table><tr><td>a</td><td>b\nc</td></tr></table>",
    "code": '<pre><span></span><code><a id="x"></a>a\n\n  b\n</code></pre>\n\n<p>c\nd</p>',
    "empty": "<p></p><ul>\n<li> </li>\n</ul><p>a</p>  \n <p>\n</p>",
    "empty between words": "a<p> </p>b",
    "white space in code": "<pre>a <b> </b>\n<i>\n</i></pre>",
    "white space in an end": "<p\n>a</p\n>b",
    "white space": " <p>a</p> \n <em> b </em> \n ",
    "void": '<p>a<br>b<br/>c<img alt="<x>" src="y"/><hr /></p>',
    "ended at once": "<p/>a<li/>b<a/>",
    "comments": "a<!-- <p> -->b<!---->c<!-- a->b -->d",
    "single quotes": """<div data-x='{"a": "<b>"}' title="it's > that">a</div>""",
    "capitals": '<P>a</p><H2 ID="b">B</H2>',
    "entities in an ID": '<h1 id="a">A</h1><h2 id="b&#39;&amp;">B</h2>',
    "the same attribute twice": '<h1 id="a">A</h1><h2 id="b" id="c">B</h2>',
    "never closed": '<p>a<h1 id="a">A<p>b<ul><li>c',
    "closed elsewhere": "<p><em>a</p></em>b</p></div>c",
    "title of a drawing": "<svg><title>a &amp; b</title><text>c</text></svg>",
}
"""What is common enough not to be left to the theme."""


@pytest.mark.parametrize("html", MADE.values(), ids=MADE)
def test_entries_are_made_without_the_theme_and_are_its_own(html: str) -> None:
    made = here(html)
    assert made is not None
    assert made == by_theme(html)


LEFT = {
    "an ID without a value": "<h2 id>a</h2>",
    "an empty ID": '<h2 id="">a</h2>',
    "an ID whose entity ends nowhere": '<h2 id="a">A</h2><h2 id="b&copyc">B</h2>',
    "excluded": "<p data-search-exclude>a</p>",
    "numbers of lines": '<div class="linenodiv">1</div>',
    "numbers of lines, in disguise": '<div class="lineno&#100;iv">1</div>',
    "no quotes": "<p title=a>b</p>",
    "half a quote": '<p title=a"b title="c>d">e</p>',
    "no end of a tag": "a<p",
    "no tag": "1 < 2",
    "another space": "<p\u00a0x>a</p>",
    "an attribute at the end": '</p title=">">',
    "declaration": "<!doctype html>a",
    "short comment": "<!-->a<!-- -->",
    "another short comment": "<!--->a<!-- -->",
    "comment with dashes": "<!-- a -- > b -->",
    "comment without end": "<!-- a",
    "script": "<script>a</script>",
    "frame": "<iframe><p>a</p></iframe>",
    "object": "<object><p>a</p></object>",
    "style": "<STYLE>a</STYLE>",
    "examples": "<xmp>&amp;</xmp>",
    "what is not embedded": "<noembed>&amp;</noembed>",
    "what is not scripted": "<noscript>&amp;</noscript>",
    "what is not framed": "<noframes>&amp;</noframes>",
    "what is plain": "<plaintext>&amp;",
    "what is typed": "<textarea><p>a</p></textarea>",
    "elements in a title": "<svg><title><p>a</p></title></svg>",
    "title without end": "<title>a",
    "end of a title in an attribute": '<title x="</title><p>">a</title>',
}
"""What the theme's parser reads in a way of its own, or in another way from one version of Python to the next."""


@pytest.mark.parametrize("html", LEFT.values(), ids=LEFT)
def test_what_is_odd_is_left_to_the_theme(html: str) -> None:
    assert here(html) is None


def test_a_heading_that_the_theme_fails_at():
    """It looks for the beginning of a paragraph in the text of another heading."""
    html = '<p><h2 id="a">A</h2><h2 id="b">B</h2></p><p><p>c<h2 id="d">D</h2></p></p>'
    assert by_theme(html) is None
    made = here(html)
    assert made is not None
    assert [each["title"] for each in made] == [TITLE, "A", "B", "D"]


KEPT = ("p", "code", "pre", "li", "ol", "ul", "sub", "sup")
HEADINGS = ("h1", "h2", "h3", "h6", "H2")
OTHERS = ("div", "article", "table", "td", "span", "em", "a", "a", "svg", "title", "details", "hx", "P")
VOID = ("br", "hr", "img", "input", "wbr", "BR")
WORDS = (
    "word", "two words", "a\nb", " ", "\n", "\n\n", "  x  ", "&amp;", "&lt;b&gt;", "&#60;", "&", "&am", "&copy",
    "a & b;", "é", "\u00a0", "\u2028", "\x1c", "¶", "&para;", '"', "'", ">", "=", "/", "style", "\x00", "\r",
)  # fmt: skip
ATTRIBUTES = (
    ' id="one"', ' id="two"', ' id=""', ' ID="three"', ' id="a&amp;b"', ' id="é x"', ' class="headerlink"',
    ' class="x"', ' class=""', ' href="#one"', ' title="a &lt; b"', " hidden", ' data-x:y.z="1"',
    '\n id="four"\n', ' title="it\'s"', ' id="one" id="five"', ' class="x" class="headerlink"',
)  # fmt: skip
ODD_ATTRIBUTES = (
    " id", " class", " id=six", " id='seven'", " class='headerlink'", " class=headerlink", ' title="a>b"',
    " title='a>b'", " title='\"a>b\"'", ' title="a<b"', ' a=x"y z="b>c"', " a=b/", ' a="b"c="d"', ' a = "b"',
    "/", " /", ' a=="b"', "\u00a0x", ' "', " '", ' =">"', " data-search-exclude", ' class="linenodiv"',
    ' class="lineno&#100;iv"', ' DATA-SEARCH-EXCLUDE=""', ' title="data-search-exclude"', "\x1cid='x'",
    '\x1cid="x"', "\x0bx", "\x00", " 1", ' @x="y"', ' id="x&ampy"',
)  # fmt: skip
ODD = (
    "<", "<3", "< p>", "</", "</ p>", "</>", "<>", "<!-->", "<!--->", "<!-- a -- b -->", "<!-- a --!>",
    "<!-- > -->", "<!-- <p> -->", "<!--a->b-->", "<!---->", "<!-- a", "<!doctype html>", "<?x?>",
    "<![CDATA[x]]>", "<my-tag>", "</my-tag>", "<script>", "</script>", "<style>a<b", "</style>", "<object>",
    "</object>", "<textarea>", "</textarea>", "<p", "</p", "data-search-exclude", "linenodiv", "<iframe>",
    "</iframe>", "<xmp>&amp;", "</xmp>", "<title>", "</title>", "<title/>", "<br/>", "<p/>", "<a/>", "<h2/>",
    '<h2 id="x"/>', "</br>", "</p/>", "</p x>", '</p x=">">', "</p\n>", "<p\n>", "<o:p>",
)  # fmt: skip

texts = st.sampled_from(WORDS)
attributes = st.lists(st.sampled_from(ATTRIBUTES), max_size=2).map("".join)
comments = st.sampled_from(("<!-- x -->", "<!--<p>-->", "<!--a->b-->"))
voids = st.builds("<{}{}>".format, st.sampled_from(VOID), attributes)
permalinks = st.sampled_from(
    ('<a class="headerlink" href="#x">&para;</a>', '<a class="headerlink"> <code>x</code></a>')
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """An element with something in it."""

    def element(tag: str, attributes: str, inside: list[str]) -> str:
        return f"<{tag}{attributes}>{''.join(inside)}</{tag}>"

    tags = st.sampled_from(KEPT) | st.sampled_from(HEADINGS) | st.sampled_from(OTHERS)
    return st.builds(element, tags, attributes, st.lists(inner, max_size=4))


trees = st.lists(st.recursive(texts | comments | voids | permalinks, nested, max_leaves=12), max_size=6).map("".join)
"""Well-formed HTML."""

tags = st.builds(
    "<{}{}{}>".format,
    st.sampled_from(("", "", "/")),
    st.sampled_from(KEPT + HEADINGS + OTHERS + VOID),
    attributes | st.sampled_from(ODD_ATTRIBUTES),
)
soups = st.lists(texts | comments | tags | tags | st.sampled_from(ODD), max_size=25).map("".join)
"""Anything that looks like HTML."""


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Well-formed HTML, out of which something is cut, and into which something is put instead."""
    html = draw(trees)
    at = draw(st.integers(0, len(html)))
    to = draw(st.integers(at, min(at + 6, len(html))))
    return html[:at] + draw(st.just("") | st.sampled_from(ODD) | tags | texts) + html[to:]


@settings(max_examples=600, deadline=None)
@given(trees | soups | damaged())
def test_entries_are_those_of_the_theme(html: str) -> None:
    """Whatever the page is; except where the theme fails, when any entries are better than none."""
    made, theirs = here(html), by_theme(html)
    assert made is None or theirs is None or made == theirs
