"""Pages of records that are set into one shell of the theme: what MkDocs and the theme make of each by itself.

A hook in `mkdocs.yml` might do anything to a page, so with one MkDocs renders them all. Sites are built both ways.
"""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import DictLoader, Environment
from markupsafe import Markup
from mkdocs.commands.build import get_context
from mkdocs.config import load_config
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from recordweave.site.generated import fill, show_as_text
from recordweave.site.record_pages import RecordFile, Shell
from recordweave.views.blocks import Block, Heading, PageView
from tests.site import hostile
from tests.site.build import REPOSITORY, Build, Builds, contents

BASE = "https://example.org/some/where/"
EDIT = "https://example.org/o/n/edit/main/docs/"


@dataclass(frozen=True)
class Both:
    """A site built both ways: into the shell as far as that can be, and by MkDocs alone."""

    quick: Build
    slow: Build

    @cached_property
    def differences(self) -> list[str]:
        """The files that are not the same in both, and the warnings."""
        quick, slow = contents(self.quick.folder), contents(self.slow.folder)
        files = sorted(each for each in quick.keys() | slow.keys() if quick.get(each) != slow.get(each))
        return files + sorted(set(self.quick.warnings) ^ set(self.slow.warnings))

    @property
    def is_set(self) -> bool:
        """Whether all pages of records were set into the shell."""
        return "each page is rendered by itself" not in self.quick.output


def both(builds: Builds, root: Path, settings: Mapping[str, Any], edit: str = EDIT, *, tell: bool = True) -> Both:
    """Build a repository both ways. `edit` is the address that pages are edited at, if they are.

    With `tell`, MkDocs tells what it does; then it does not look for the anchors of links.
    """
    (root / "own.py").write_text("def on_pre_build(config):\n    pass\n", encoding="utf-8")
    environment = {"EDIT_URI": edit, "SOURCE_DATE_EPOCH": "1800000000"}
    done = []
    for way, hooks in (("quick", {}), ("slow", {"hooks": ["own.py"]})):
        told = {"INHERIT": "published.yml", "site_url": BASE, **settings, **hooks}
        (root / "mkdocs.yml").write_text(yaml.safe_dump(told, sort_keys=False), encoding="utf-8")
        how = ["--verbose"] if tell else []
        build = builds.run(root, root.parent / way, *how, strict=False, environment=environment)
        assert build.status == 0, build.output
        done.append(build)
    if tell:
        page = re.compile(r"Building page records/\w+-(?:cmp|obj|rte|clm|abs|bap)-")
        quick, slow = (page.findall(each.output) for each in done)
        assert (len(quick), len(slow) > 10) == (0, True)
    return Both(*done)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "edit"),
    [({}, EDIT), ({"site_url": "", "use_directory_urls": False}, "")],
    ids=["folders, edited", "files, at no address"],
)
def test_the_published_site_is_the_same(builds, repository, settings, edit):
    """Every page, the index of every search, every map of a site, and all other files."""
    made = both(builds, repository, settings, edit)
    assert made.differences == []
    assert made.quick.warnings == []
    assert made.is_set


MARKS = "Rw-shell & title Rw-shell & content Rw-shell & edit Rw-shell & toc Rw-shell &amp; address"
"""What the shell is marked with, as a text of records: not of members and systems, which are told of on all pages."""

SEARCHED = ("linenodiv", 'data-search-exclude data-search-boost="2"', "id=x& id=\"x&copy\" class='&'", "<title> <pre>")
"""What the theme's search does not read where it stands in a tag."""

ODD = ("marks", *SEARCHED, "x" * 250, "two  blanks and\u00a0more", *hostile.SHOWN_AS_WRITTEN[:14])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A small repository without systems; `nav` has to be set."""
    root = tmp_path / "small"
    (root / "docs").mkdir(parents=True)
    shutil.copy(REPOSITORY / "mkdocs.yml", root / "published.yml")
    (root / "docs" / "index.md").write_text("# Analyses\n\n{{ systems() }}\n", encoding="utf-8")
    return root


NAV = {"nav": [{"Analyses": "index.md"}]}


def edit_records(root: Path) -> None:
    """Give two records former IDs, and write the marks of the shell into others."""
    for path in (root / "records" / "hostile" / "x").glob("*.yml"):
        text = path.read_text(encoding="utf-8").replace(": marks\n", f": {MARKS}\n")
        for number in range(2):
            told = f"- id: X-OBJ-n{number}\n"
            text = text.replace(told, f"{told}  aliases: [X-OBJ-former{number}, X-OBJ-older{number}]\n", 1)
        path.write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_odd_texts_are_the_same_and_all_records_are_found(builds, small):
    """Labels and bodies with all that could be taken for something else; withheld records, and former IDs."""
    hostile.write(small, ODD)
    edit_records(small)
    made = both(builds, small, NAV)
    assert made.differences == []
    assert made.is_set
    site = made.quick.folder / "hostile"
    assert (site / "records/x-obj-former0/index.html").is_file()
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    found = {each["location"] for each in index["docs"]}
    assert "Rw-shell &amp; title" in (site / "records/x-obj-n0/index.html").read_text(encoding="utf-8")
    records = {f"records/{each.parent.name}/" for each in (site / "records").glob("*-*/index.html")}
    withheld = {f"records/w{number}-rte-n{number}/" for number in range(len(ODD))}
    assert found >= {each for each in records if "former" not in each and "older" not in each} > withheld


def feedback(note: str) -> dict[str, Any]:
    ratings = [{"icon": "material/home", "name": "Yes", "data": 1, "note": note}]
    return {
        "extra": {
            "analytics": {"provider": "google", "property": "G-1", "feedback": {"title": "?", "ratings": ratings}}
        }
    }


def theme(*features: str, language: str = "en") -> dict[str, Any]:
    return {"theme": {"name": "material", "language": language, "features": list(features)}}


NAVIGATION = (
    "toc.integrate",
    "content.action.edit",
    *(f"navigation.{each}" for each in ("tabs", "sections", "path", "footer", "prune", "instant", "instant.preview")),
)
PLUGINS = [{"macros": {"on_undefined": "strict", "on_error_fail": True}}, "recordweave"]

SET: dict[str, dict[str, Any]] = {
    "navigation": {
        **theme(*NAVIGATION, language="de"),
        "use_directory_urls": False,
        "site_url": "",
        "edit_uri_template": 'https://example.org/ed/{path!q}?a=<b>&c="d"',
    },
    "much of the theme": {
        **theme("navigation.tabs", "navigation.tabs.sticky", "navigation.expand", "navigation.top", language="ar"),
        "markdown_extensions": [{"toc": {"title": "On <b>this</b> page", "permalink": True}}, "attr_list"],
        "extra_javascript": ["x.js"],
        "extra_css": ["x.css"],
        "plugins": PLUGINS,
        "repo_url": "https://github.com/e/e",
        "copyright": "&copy; Rw-shell",
        "extra": {
            "alternate": [{"name": "English", "link": "./en/", "lang": "en"}],
            "homepage": "https://example.org",
            "social": [{"icon": "material/home", "link": "https://example.org"}],
            "consent": {"title": "x", "description": "y"},
            "version": {"provider": "mike"},
        },
    },
    "templates and pages left out": {
        "extra_templates": ["all.txt"],
        "exclude_docs": "records/*",
        "not_in_nav": "records/*",
        "validation": {"nav": {"omitted_files": "warn"}},
        **feedback("Thanks!"),
    },
}
"""What is the same on all pages, or what of the theme shows nothing of a page."""

BY_ITSELF: dict[str, dict[str, Any]] = {
    "a link to the source": theme("content.action.view", "content.action.edit"),
    "a form that names the page": feedback("see {url} {title}"),
    "marks": {"site_name": "Rw-shell &amp; title", "site_description": "Rw-shell &amp; description"},
}
"""Where the theme changes what it shows of a page, or where the marks of the shell stand elsewhere."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "is_set"),
    [*((each, True) for each in SET.values()), *((each, False) for each in BY_ITSELF.values())],
    ids=[*SET, *BY_ITSELF],
)
def test_settings_of_the_theme_leave_it_the_same(builds, small, settings, is_set):
    hostile.write(small, ["one & two", "two  words", "<b>three</b>"])
    for folder in ("", "hostile", "friend"):
        listed = small / "docs" / folder / "all.txt"
        listed.parent.mkdir(exist_ok=True)
        listed.write_text("{% for each in pages %}{{ each.url }} {{ each.page.title }}\n{% endfor %}", encoding="utf-8")
    made = both(builds, small, {**NAV, **settings})
    assert made.differences == []
    assert made.is_set is is_set


@pytest.mark.slow
def test_the_search_of_mkdocs_itself_reads_the_pages_itself(builds, small):
    """It makes other entries than the theme's."""
    hostile.write(small, ["one", "two", "three"])
    told = {**NAV, "plugins": ["/search", *PLUGINS]}
    (small / "mkdocs.yml").write_text(yaml.safe_dump({"INHERIT": "published.yml", **told}), encoding="utf-8")
    build = builds.run(small, small / "site")
    assert build.status == 0, build.output
    index = json.loads((small / "site/hostile/search/search_index.json").read_text(encoding="utf-8"))
    [entry] = [each for each in index["docs"] if each["location"] == "records/x-obj-n0/"]
    assert "<p>" not in entry["text"]


LINKS = """\
# More

[right](records/x-obj-n0.md) [section](records/x-obj-n0.md#cited-by) [withheld](records/w0-rte-n0.md#x-nowhere)
[wrong](records/x-obj-n0.md#nowhere) [none](records/x-obj-none.md) [as shown](records/x-obj-n0/)
[file](records/x-obj-n0.html)
"""


@pytest.mark.slow
def test_links_to_records_in_prose_are_checked(builds, small):
    """The address and the anchor."""
    hostile.write(small, ["one", "two", "three"])
    (small / "docs" / "hostile").mkdir()
    (small / "docs" / "hostile" / "more.md").write_text(LINKS, encoding="utf-8")
    made = both(builds, small, NAV, tell=False)
    assert made.differences == []
    page = (made.quick.folder / "hostile/more/index.html").read_text(encoding="utf-8")
    assert re.search('<a [^>]*href="../records/x-obj-n0/">right</a>', page)
    assert re.search('<a [^>]*href="../records/x-obj-n0/#cited-by">section</a>', page)
    said = [each.removeprefix("WARNING -  Doc file 'more.md' contains ") for each in made.quick.warnings]
    assert said == [
        "a link 'records/x-obj-none.md', but the target is not found among documentation files.",
        "an unrecognized relative link 'records/x-obj-n0/', it was left as is. Did you mean 'records/x-obj-n0.md'?",
        "a link 'records/x-obj-n0.html', but the target is not found among documentation files. "
        "Did you mean 'records/x-obj-n0.md'?",
        "a link 'records/x-obj-n0.md#nowhere', but the doc 'records/x-obj-n0.md' does not contain an anchor "
        "'#nowhere'.",
        "a link 'records/w0-rte-n0.md#x-nowhere', but the doc 'records/w0-rte-n0.md' does not contain an anchor "
        "'#x-nowhere'.",
    ]


PARTIALS = {
    "partials/language.html": "",
    "partials/toc.html": "{% for each in (page.toc | first).children %}{{ each.level }} {{ each.title }}{% endfor %}",
}
TITLES = ("1", "Two <i>and</i> more", "3 &amp; 3", "x" * 300)
"""Titles of which the first stays as it is, whatever is done to it."""


def written(root: Path, main: str, partials: Mapping[str, str]) -> list[tuple[str, str]]:
    """Some pages as a shell writes them, each with what the theme makes of it. `main` is the theme's page."""
    root.joinpath("docs").mkdir()
    root.joinpath("mkdocs.yml").write_text(f"site_name: x\nsite_url: {BASE}\nrepo_url: {EDIT}\nedit_uri: edit/\n")
    config = load_config(str(root / "mkdocs.yml"))
    env = Environment(loader=DictLoader({"main.html": main, **partials}))
    nav, files = Navigation([], []), Files([])
    shell = Shell(env, config, files, nav)
    done = []
    for number, title in enumerate(TITLES):
        file = RecordFile(config, f"records/n{number}")
        file.edit_uri = f"1#{number}"
        page = Page(None, file, config)
        blocks = (
            Block(Markup("<p>{}</p>").format(title), _heading(1, f"n{number}", title)),
            _section(number),
            _section(3),
        )
        fill(page, PageView(title, f"About {title}", blocks))
        show_as_text(page)
        shell.write(page, blocks)
        whole = env.get_template("main.html").render(get_context(nav, [], config, page))
        done.append((Path(file.abs_dest_path).read_text(encoding="utf-8"), whole))
    return done


def _heading(level: int, name: str, label: str) -> Heading:
    return Heading(level, name, Markup("{}").format(label), label)


def _section(number: int) -> Block:
    """A section of each page: of the second and the third page the same one, below another heading."""
    return Block(Markup("<p>x</p>"), _heading(2 + (number == 2), f"s{min(number, 1)}", "Section"))


SHOWN = {
    "as it is": "{{ page.title }}",
    "titles": "{{ page.title | urlencode }}",
    "capitals": "{{ page.title | upper }}",
    "small letters": "{{ page.title | lower }}",
    "without tags": "{{ page.title | striptags }}",
    "as text": "{{ page.title | string | forceescape }}",
    "joined": "{{ page.title | replace(' ', '-') }}",
    "words of a description": "{{ page.meta.description | wordcount }}",
    "address": "{{ page.canonical_url | upper }} {{ page.canonical_url }}",
    "address of this page": "{{ page.url }} {{ page.file.src_uri }} {{ base_url }}",
    "link": "{{ page.edit_url | replace('edit', 'raw') }} {{ page.edit_url }}",
    "text without tags": "{{ page.content | striptags }}",
    "first section": "{{ (page.toc | first).url }} {{ (page.toc | first).title }}",
    "sections": "{% include 'partials/toc.html' %}",
    "number of sections": "{{ (page.toc | first).children | length }}",
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_whatever_a_theme_shows_is_the_same(tmp_path, shown):
    """The first page does not tell, since it stays as it is."""
    for made, whole in written(tmp_path, f"<title>{shown}</title>{{{{ page.content }}}}", PARTIALS):
        assert made == whole


@pytest.mark.parametrize("told", ["title", "id"])
def test_a_table_of_contents_that_tells_of_the_page_too(tmp_path, told):
    toc = f"{{% for each in page.toc %}}{{{{ each.{told} }}}}{{% endfor %}}"
    for made, whole in written(tmp_path, SHOWN["sections"], PARTIALS | {"partials/toc.html": toc}):
        assert made == whole


def test_a_theme_without_a_table_of_contents_by_itself(tmp_path):
    for made, whole in written(tmp_path, "{{ page.title }} {{ page.content }}", {}):
        assert made == whole
