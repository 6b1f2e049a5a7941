"""The checker of finished sites finds each kind of fault, and finds none where there is none."""

from pathlib import Path

import pytest

from tests.site.html import BuiltSite, Fault, faults
from tests.site.tree import parse

BASE = "https://example.org/some/where/"
RECORD = "sys/records/x-rte-a/index.html"


def page(body: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body>{body}</body></html>"


def article(body: str) -> str:
    return page(f'<article class="md-content__inner">{body}</article>')


def term(href: str, title: str = "It is on.", value: str = "on") -> str:
    return f'<a class="rw-term" href="{href}" data-value="{value}" title="{title}">{value}</a>'


GLOSSARY = "".join(
    f'<div id="v-{value}"><dt><span class="rw-term" data-value="{value}">{value}</span></dt>'
    f"<dd>It is {value}.</dd></div>"
    for value in ("on", "off")
)

SOUND: dict[str, str] = {
    "index.html": page(
        '<a href="sys/">in</a><article class="md-content__inner"><a href="sys/records/x-rte-a/">X-RTE-a</a>'
        '<p><a href="other/records/x-rte-a/">X-RTE-a</a> <a href="sys/records/x-rte-a/">sys:X-RTE-a</a></p>'
        '<table><tr><td><a href="other/">Other</a></td>'
        '<td><a href="other/records/x-rte-a/">X-RTE-a</a></td></tr></table>'
        '<article class="rw-card"><h2><a href="sys/">Sys</a></h2><a href="sys/records/x-rte-a/">X-RTE-a</a> '
        '<a href="sys/sources/#SRC-1">SRC-1</a> not <a href="other/records/x-rte-a/">other:X-RTE-a</a></article>'
        "</article>"
        '<a href="https://else.where/x">out</a><a href="mailto:a@b.c">mail</a><a href="#">up</a>',
        '<link rel="canonical" href="https://example.org/some/where/"><link rel="stylesheet" href="assets/a.css">',
    ),
    "404.html": page('<a href="/some/where/sys/">home</a><img src="/some/where/assets/i.png">'),
    "assets/a.css": "a { background: url(i.png) } b { background: url('data:image/png;base64,AA==') }",
    "assets/i.png": "",
    "glossary/index.html": article(f'<dl class="rw-glossary">{GLOSSARY}</dl>'),
    "other/index.html": article('<a href="../sys/records/x-rte-a/">sys:X-RTE-a</a>'),
    "other/records/x-rte-a/index.html": article("<h1>X-RTE-a</h1>"),
    "other/records.json": "{}",
    "other/sources/index.html": article('<h2 id="SRC-1">SRC-1</h2>'),
    "sitemap.xml": "<urlset><url><loc>https://example.org/some/where/sys/</loc></url></urlset>",
    "sys/index.html": article(
        '<p id="a">X-RTE-a</p>'.replace("X-RTE-a", '<a href="records/x-rte-a/">X-RTE-a</a>, <a href="#a">here</a>')
        + "<h2>X-RTE-a in a heading</h2><p><code>X-RTE-a</code> YX-RTE-a_b X-RTE-a- https://e.org/X-RTE-a</p><pre>X-RTE-a</pre>"
        "<blockquote><p>X-RTE-a</p></blockquote>"
        '<p>Note:<a href="records/x-rte-a/">X-RTE-a</a> and <a href="records/x-rte-a/">sys:X-RTE-a</a>, but '
        '<a href="../other/records/x-rte-a/">other:X-RTE-a</a>, a-<a href="records/x-rte-a/">X-RTE-a</a></p>'
        '<p><a href="../other/sources/">other:SRC-1</a> <a href="../other/sources/#SRC-1">other:SRC-1</a> '
        f"{term('../glossary/#v-on')} {term('../glossary/#v-off', 'It is off.', 'off')}</p>"
    ),
    "sys/sources/index.html": article('<h2 id="SRC-1">SRC-1</h2><a href="#SRC-1">SRC-1</a>'),
    RECORD: article(
        '<h1>X-RTE-a</h1><a href="../../#a">X</a><ul class="rw-cited"><li>X-RTE-a</li></ul>'
        '<dl class="rw-fields"><dt>At (SRC-1)</dt><dd><a href="../../sources/#SRC-1">SRC-1</a></dd></dl>'
    ),
    "sys/records.json": "{}",
    "sys/search/search_index.json": '{"docs": [{"location": ""}, {"location": "#a"}, {"location": "sources/"}]}',
}


def found(folder: Path, files: dict[str, str], *, directory_urls: bool = True) -> list[Fault]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return faults(BuiltSite(folder, BASE, directory_urls=directory_urls))


def test_a_sound_site_has_no_faults(tmp_path):
    assert found(tmp_path, SOUND) == []


def broken(kind: str, detail: str, body: str, file: str = "sys/index.html") -> object:
    """A page with one fault. `body` may begin with what belongs into its head. `→` stands for a lost target."""
    head, _, rest = body.rpartition("|")
    text = page(f'<article class="md-content__inner"><i id="a"></i>{rest}</article>', head)
    detail = detail.replace("→ ", "leads to ") + (", which is not there" if "→" in detail else "")
    return pytest.param(file, text, [Fault(file, kind, detail)], id=f"{kind}: {body}"[:100])


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        broken("link", "<a href> no/ → sys/no/index.html", '<a href="no/">x</a>'),
        broken("link", "<a href> records/x-rte-a → sys/records/x-rte-a", '<a href="records/x-rte-a">x</a>'),
        broken("link", "<a href> ../../../ leads out of the site", '<a href="../../../">x</a>'),
        broken("link", "<a href> /sys/ leads out of the site", '<a href="/sys/">x</a>'),
        broken("link", "<a href> https://example.org/ leads out of the site", '<a href="https://example.org/">x</a>'),
        broken("link", "<a href> is empty", '<a href="">x</a>'),
        broken("link", "<img src> i.png → sys/i.png", '<img src="i.png">'),
        broken("link", "<img srcset> j.png → sys/j.png", '<img srcset="../assets/i.png 1x, j.png 2x">'),
        broken("link", "<form action> go → sys/go", '<form action="go"></form>'),
        broken("link", "<b style> i.png → sys/i.png", """<b style="background: url('i.png')">x</b>"""),
        broken("link", "<q cite> no → sys/no", '<q cite="no">x</q>'),
        broken("link", "<use xlink:href> i.svg → sys/i.svg", '<svg><use xlink:href="i.svg"/></svg>'),
        broken("link", "<link href> b.css → sys/b.css", '<link rel="stylesheet" href="b.css">|'),
        broken("link", "<meta content> ./n → sys/n", '<meta http-equiv="refresh" content="0; url=./n">|'),
        broken("anchor", "<a href> #b: there is no #b on sys/index.html", '<a href="#b">x</a>'),
        broken("anchor", "<a href> sources/#b: there is no #b on sys/sources/index.html", '<a href="sources/#b">x</a>'),
        broken("duplicate-id", "a", '<p id="a"></p>'),
        broken("nested-link", "../", '<a href="#a"><b><a href="../">x</a></b></a>'),
        broken("scheme", "<a href> JavaScript:alert(1)", '<a href="JavaScript:alert(1)">x</a>'),
        broken("scheme", "<a href> data:text/html,x", '<a href="data:text/html,x">x</a>'),
        broken("third-party", "<script src> https://cdn.org/x.js", '<script src="https://cdn.org/x.js"></script>'),
        broken("third-party", "<img src> //cdn.org/x.png", '<img src="//cdn.org/x.png">'),
        broken("third-party", "<style text> https://cdn.org/f", '<style>@import "https://cdn.org/f";</style>'),
        broken("third-party", "<link href> https://cdn.org", '<link rel="preconnect" href="https://cdn.org">|'),
        broken("canonical", f"{BASE} is not {BASE}sys/", f'<link rel="canonical" href="{BASE}">|'),
        broken("mention", "X-RTE-a in “see X-RTE-a.”", "<p>see X-RTE-a.</p>"),
        broken("mention", "X-RTE-a in “X-RTE-a”", '<a href="./">X-RTE-a</a>'),
        broken("mention", "X-RTE-b in “X-RTE-b”", '<a href="records/x-rte-a/">X-RTE-b</a>'),
        broken("mention", "SRC-1 in “SRC-1”", '<a href="sources/">SRC-1</a>'),
        broken("mention", "X-RTE-a in “X-RTE-a”", '<a href="sys/">X-RTE-a</a>', "index.html"),
        broken("mention", "X-RTE-a in “X-RTE-a”", '<a href="../other/records/x-rte-a/">X-RTE-a</a>'),
        broken("mention", "SRC-1 in “SRC-1”", '<a href="../other/sources/#SRC-1">SRC-1</a>'),
        broken("mention", "other:X-RTE-a in “see other:X-RTE-a.”", "<p>see other:X-RTE-a.</p>"),
        broken("mention", "other:X-RTE-a in “other:X-RTE-a”", '<a href="records/x-rte-a/">other:X-RTE-a</a>'),
        broken("mention", "sys:X-RTE-a in “sys:X-RTE-a”", '<a href="../other/records/x-rte-a/">sys:X-RTE-a</a>'),
        broken("mention", "no:X-RTE-a in “no:X-RTE-a”", '<a href="records/x-rte-a/">no:X-RTE-a</a>'),
        broken("mention", "X-RTE-a in “X-RTE-a”", '<p>other:<a href="records/x-rte-a/">X-RTE-a</a></p>'),
        broken("mention", "other:SRC-1 in “other:SRC-1”", '<a href="sources/#SRC-1">other:SRC-1</a>'),
        broken("mention", "sys:SRC-1 in “sys:SRC-1”", '<a href="sources/">sys:SRC-1</a>'),
        broken(
            "mention", "sys:X-RTE-a in “sys:X-RTE-a”", '<a href="other/records/x-rte-a/">sys:X-RTE-a</a>', "index.html"
        ),
        broken(
            "mention",
            "X-RTE-a in “X-RTE-a”",
            '<table><tr><td><a href="other/">O</a> <a href="sys/records/x-rte-a/">X-RTE-a</a></td></tr></table>',
            "index.html",
        ),
        broken(
            "mention",
            "SRC-1 in “SRC-1”",
            '<article class="rw-card"><a href="sys/">Sys</a> <a href="other/sources/#SRC-1">SRC-1</a></article>',
            "index.html",
        ),
        broken("term", "on is not explained", '<span class="rw-term" data-value="on">on</span>'),
        broken("term", "on leads to glossary/index.html#, where no value is explained", term("../glossary/")),
        broken("term", "on leads to sys/index.html#a, where no value is explained", term("#a")),
        broken("term", "on (on) leads to the explanation of off", term("../glossary/#v-off")),
        broken(
            "term", "on is said to mean “It is off.”, and means “It is on.”", term("../glossary/#v-on", "It is off.")
        ),
        broken("term", "on is said to mean “”, and means “It is on.”", term("../glossary/#v-on", "")),
        broken("anchor", "<a href> ../glossary/#v: there is no #v on glossary/index.html", term("../glossary/#v")),
        broken("mention", "X-RTE-a in “X-RTE-a”", "<dl><dt>X-RTE-a</dt></dl>"),
        broken("markup", "line 1: </div> closes nothing", "</div>"),
        broken("markup", "line 1: <b> is not closed before </article>", "<b>"),
        broken("markup", "line 1: <i> has the attribute id twice", '<i id="b" id="c"></i>'),
        broken("markup", "line 1: </p> closes nothing", "<p><div></div></p>"),
    ],
)
def test_each_fault_is_found(tmp_path, file, text, expected):
    assert found(tmp_path, SOUND | {file: text}) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.css": "a { background: url(/x.png) }"}, Fault("a.css", "link", "url() /x.png leads out of the site")),
        ({"a.css": '@import "//f.example/f";'}, Fault("a.css", "third-party", "url() //f.example/f")),
        (
            {"sitemap.xml": "<loc>https://example.net/</loc>"},
            Fault("sitemap.xml", "link", "<loc> https://example.net/ is not on this site"),
        ),
        (
            {"sys/search/search_index.json": '{"docs": [{"location": "#no"}]}'},
            Fault("sys/index.html", "anchor", "search #no: there is no #no on sys/index.html"),
        ),
    ],
)
def test_faults_outside_pages_are_found(tmp_path, files, expected):
    assert found(tmp_path, SOUND | files) == [expected]


def test_the_page_for_lost_readers_has_no_relative_links(tmp_path):
    wrong = Fault("404.html", "link", "<a href> sys/ is relative, on a page that is shown at any address")
    assert found(tmp_path, SOUND | {"404.html": page('<a href="sys/">x</a>')}) == [wrong]


def test_folders_are_no_addresses_where_the_site_links_to_files(tmp_path):
    files = {"index.html": page('<a href="b.html#c">x</a><a href="a/">y</a>'), "b.html": page('<b id="c"></b>')}
    wrong = Fault("index.html", "link", "<a href> a/ is a folder, and this site links to files")
    assert found(tmp_path, files | {"a/index.html": page("")}, directory_urls=False) == [wrong]


def test_a_page_is_read_as_a_browser_reads_it():
    root = parse('<p class="a b">x &lt; <b>y\n</b><br>z<ul><li>w</li></ul><!-- n --><script>"<i>"</script>').root
    assert [each.tag for each in root.walk()] == ["", "p", "b", "br", "ul", "li", "script"]
    assert root.one("p").words == "x < y z"
    assert root.one("p").classes == {"a", "b"}
    assert [each.tag for each in root.one("li").ancestors()] == ["ul", ""]
