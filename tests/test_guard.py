"""Prose that would run or load something: refused by the build, whichever way it is written."""

import pytest

from recordweave.sources.guard import UNREADABLE, Finding, in_html, line_of

REFUSED = {
    "<script>alert(1)</script>": "`<script>` is not for prose",
    "<ScRiPt src=x></sCrIpT>": "`<script>` is not for prose",
    "<svg/onload=alert(1)>": "`<svg>` is not for prose",
    "<img src=x onerror=alert(1)>": "the attribute `onerror` runs a script",
    "<p onmouseover = 'x'>y</p>": "the attribute `onmouseover` runs a script",
    "<iframe srcdoc='x'></iframe>": "`<iframe>` is not for prose",
    "<base href='https://evil.example/'>": "`<base>` is not for prose",
    "<a href='java&#115;cript:alert(1)'>x</a>": "a link cannot lead to `javascript:alert(1)`",
    "<a href=' java\tscript:x'>x</a>": "a link cannot lead to ` java\tscript:x`",
    "<img src='//elsewhere.example/x.png'>": "`//elsewhere.example/x.png` would be loaded from elsewhere with the page",
    "<img srcset='x.png 1x, https://elsewhere.example/y.png 2x'>": (
        "`x.png 1x, https://elsewhere.example/y.png 2x` would be loaded from elsewhere with the page"
    ),
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>": "`<noscript>` is not for prose",
    "<!--><img src=x onerror=alert(1)>-->": "this HTML cannot be read the same way by everybody",
    "<![CDATA[ ]><img src=x onerror=alert(1)>]]>": "this HTML cannot be read the same way by everybody",
    "<?x <b> ?>": "this HTML cannot be read the same way by everybody",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>": "`<xmp>` is not for prose",
    "<pre class='mermaid'>x</pre>": "the class `mermaid` belongs to the theme",
    "<a data-md-component='source' href='https://github.com/a/b'>x</a>": (
        "the attribute `data-md-component` is not for prose"
    ),
    "<p id='__config'>x</p>": "the id `__config` belongs to the theme",
    "<p style=\"background: image-set('https://e.example/s.png' 1x)\">y</p>": (
        "a style cannot load anything, nor leave its place"
    ),
    "<p style='background: url(x)'>y</p>": "a style cannot load anything, nor leave its place",
}
ALLOWED = (
    "<p class='x' style='color: rgb(1, 2, 3)'>y</p>",
    "<a href='https://example.org/'>x</a> <a href='mailto:x@example.org'>x</a> <a href='../x/#y'>x</a>",
    "<img src='images/x.png' alt='on the table'>",
    "<details><summary>x</summary>y</details> <!-- <script> --> &lt;script&gt;",
)


@pytest.mark.parametrize("html", REFUSED)
def test_what_runs_or_loads_is_refused(html):
    assert in_html(html)[0].message == REFUSED[html]


@pytest.mark.parametrize("html", ALLOWED)
def test_what_only_shows_is_not(html):
    assert in_html(html) == []


def test_the_place_is_where_the_words_stand():
    assert line_of(Finding("", ("<script",)), "one\ntwo <SCRIPT>") == (2, 5)
    assert line_of(Finding("", ("", "nowhere")), "one") == (1, 1)


MARKDOWN = {
    "A <script>alert(1)</script> here.": (1, 3, "`<script>` is not for prose"),
    "[x](javascript:alert(1))": (1, 5, "a link cannot lead to `javascript:alert(1)`"),
    "[x][y]\n\n[y]: JAVASCRIPT:alert(1)": (3, 6, "a link cannot lead to `JAVASCRIPT:alert(1)`"),
    "A paragraph.\n{: onclick=alert(1) }": (2, 4, "the attribute `onclick` runs a script"),
    "![x](https://elsewhere.example/x.png)": (
        1,
        6,
        "`https://elsewhere.example/x.png` would be loaded from elsewhere with the page",
    ),
    "- item\n\n    <img src=x onerror=alert(1)>": (3, 16, "the attribute `onerror` runs a script"),
}


def test_markdown_that_runs_or_loads_is_refused_with_its_place(repository, builds, tmp_path):
    pages = {f"page{number}": text for number, text in enumerate(MARKDOWN)}
    for name, text in pages.items():
        (repository / f"docs/arigraph/{name}.md").write_text(f"{text}\n", encoding="utf-8")
    build = builds.run(repository, tmp_path / "site", strict=False)
    assert build.status == 1
    told = "\n".join(build.warnings)
    for name, text in pages.items():
        line, column, message = MARKDOWN[text]
        assert f"docs/arigraph/{name}.md:{line}:{column}: error: {message} [active-content]" in told


def test_code_that_shows_html_is_not_refused(repository, builds, tmp_path):
    text = "`<script>` and\n\n```html\n<script>alert(1)</script>\n```\n\n    <img onerror=x>\n"
    (repository / "docs/arigraph/code.md").write_text(text, encoding="utf-8")
    assert builds.run(repository, tmp_path / "site").status == 0


def test_a_file_that_a_browser_runs_is_refused_unless_it_is_named(repository, builds, tmp_path):
    (repository / "docs/arigraph/page.HTML").write_text("<p>x</p>", encoding="utf-8")
    (repository / "docs/own.js").write_text("", encoding="utf-8")
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><style>x{}</style><path d="M0 0"/>'
    (repository / "docs/arigraph/good.svg").write_text(f"{drawing}</svg>", encoding="utf-8")
    (repository / "docs/arigraph/bad.svg").write_text(f"{drawing}\n<script>alert(1)</script></svg>", encoding="utf-8")
    build = builds.run(repository, tmp_path / "site", strict=False)
    assert build.status == 1
    assert [each.split("\n")[0] for each in build.warnings] == [
        "ERROR   -  recordweave: docs/arigraph/bad.svg:2:1: error: `<script>` is not for a drawing [active-content]",
        "ERROR   -  recordweave: docs/arigraph/page.HTML:1:1: error: `docs/arigraph/page.HTML` is a file that"
        " a browser runs [active-content]",
        "ERROR   -  recordweave: docs/own.js:1:1: error: `docs/own.js` is a file that a browser runs [active-content]",
    ]
    (repository / "docs/arigraph/page.HTML").unlink()
    (repository / "docs/arigraph/bad.svg").unlink()
    with (repository / "mkdocs.yml").open("a") as configuration:
        configuration.write("extra_javascript: [own.js]\n")
    assert builds.run(repository, tmp_path / "site").status == 0


def test_html_that_cannot_be_read_is_refused():
    assert in_html("<pre><![ x") == [UNREADABLE]


def test_a_mention_inside_a_link_of_html_is_no_link(repository, builds, tmp_path):
    page = 'See <a href="../workflow/">the EPI-OBJ-answer of it</a> and EPI-OBJ-answer.\n'
    page += "\n## Title {: #EPI-OBJ-triplets }\n"
    (repository / "docs/arigraph/page.md").write_text(page, encoding="utf-8")
    assert builds.run(repository, tmp_path / "site").status == 0
    html = (tmp_path / "site/arigraph/page/index.html").read_text(encoding="utf-8")
    assert '<a href="../workflow/">the <span>EPI-OBJ-answer</span> of it</a>' in html
    assert html.count('id="ref-EPI-OBJ-answer-') == 1
    assert '<h2 id="EPI-OBJ-triplets">Title' in html


def test_a_link_into_the_repositorys_own_git_folder_is_refused(repository, builds, tmp_path):
    (repository / ".git").mkdir()
    (repository / ".git/config").write_text("token", encoding="utf-8")
    (repository / "docs/arigraph/config.txt").symlink_to("../../.git/config")
    build = builds.run(repository, tmp_path / "site", strict=False)
    assert build.status == 1
    assert "`docs/arigraph/config.txt` leads out of the repository" in "\n".join(build.warnings)


def test_front_matter_is_text(repository, builds, tmp_path):
    attack = '"><img src=x onerror=alert(1)>'
    page = f"---\ntitle: '{attack}'\ndescription: '{attack}'\nauthor: '{attack}'\nstatus: '{attack}'\n---\n\nText.\n"
    (repository / "docs/arigraph/front.md").write_text(page, encoding="utf-8")
    assert builds.run(repository, tmp_path / "site").status == 0
    pages = [each.read_text(encoding="utf-8") for each in (tmp_path / "site/arigraph").rglob("*.html")]
    assert len(pages) > 40
    assert not [each for each in pages if "<img src=x" in each.lower()]


@pytest.mark.parametrize(
    "name",
    ["<img src=x onerror=alert(1)>.md", "{{ 7*7 }}.md", "assets/recordweave.css", "assets/javascripts/x.min.css"],
)
@pytest.mark.parametrize("folder", ["docs/arigraph", "docs"])
def test_names_that_would_be_more_than_names_are_refused(repository, builds, tmp_path, folder, name):
    path = repository / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Text.\n", encoding="utf-8")
    build = builds.run(repository, tmp_path / "site", strict=False)
    assert build.status == 1
    assert [each for each in build.warnings if f"{folder}/{name}" in each and "[reserved-name]" in each]


def test_a_heading_that_calls_a_macro_and_code_in_a_cited_sentence_read_as_written(repository, builds, tmp_path):
    text = '# About {{ ref("EPI-RTE-answer-metrics") }}\n\nIf `a < b` then see EPI-OBJ-answer, *so*{ hidden }.\n'
    (repository / "docs/arigraph/about.md").write_text(text, encoding="utf-8")
    assert builds.run(repository, tmp_path / "site").status == 0
    pages = {each: each.read_text(encoding="utf-8") for each in (tmp_path / "site").rglob("*.*ml")}
    assert not [each for each, html in pages.items() if "%%recordweave" in html]
    assert "<title>About EPI-RTE-answer-metrics - " in pages[tmp_path / "site/arigraph/about/index.html"]
    assert "If a &lt; b then see" in pages[tmp_path / "site/arigraph/records/epi-obj-answer/index.html"]
