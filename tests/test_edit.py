"""Links to edit a page: to the prose of an authored page, to the lines of a declared record, and to nothing else."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests import test_browser
from tests.site.build import Builds, copy_repository
from tests.site.html import BuiltSite
from tests.site.served import serving
from tests.site.tree import Element

browser = test_browser.browser

BASE = "https://example.org/site/"
FORGE = "https://github.com/o/n"
EDIT = f"{FORGE}/edit/main/docs/"
SYSTEM = "arigraph"

PLUGINS = """\
plugins:
  - search
  - macros: {on_undefined: strict, on_error_fail: true}
  - recordweave: {records: RECORDS}
"""


def build(root: Path, settings: str = "", base: str = BASE, folder: str = "site", **environment: str) -> BuiltSite:
    """The published repository, in `root`, built with further settings."""
    text = f"INHERIT: published.yml\nsite_url: {base}\n{settings}"
    (root / "mkdocs.yml").write_text(text, encoding="utf-8")
    builds = Builds()
    done = builds.run(root, root / folder, environment={"EDIT_URI": "", **environment})
    assert done.status == 0, done.output
    assert builds.unread == []
    return BuiltSite(root / folder, base)


def copied(tmp_path_factory: pytest.TempPathFactory, name: str) -> Path:
    root: Path = tmp_path_factory.mktemp(name)
    return copy_repository(root)


def pencil(site: BuiltSite, file: str) -> str:
    """Where a page is edited; empty where it has no such link."""
    found = [each.attributes["href"] for each in site.page(file).root.find("a", rel="edit")]
    assert len(found) <= 1
    return found[0] if found else ""


def pencils(site: BuiltSite) -> dict[str, str]:
    return {file: link for file in site.pages if (link := pencil(site, file))}


def followed(link: str) -> str:
    """An address as a browser asks for it: without `..`."""
    there = urlsplit(link)
    path = posixpath.normpath(there.path)
    return there._replace(path=path).geturl()


def declared(folder: Path) -> dict[str, str]:
    """Each record that a system's files declare: its file and line, told by reading the text."""
    found = {}
    for path in sorted(folder.glob("*/*.yml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := re.fullmatch(r"  - id: ([A-Z]+-[A-Z]+-\S+)", line):
                found[match[1]] = f"{path.relative_to(folder.parents[1]).as_posix()}#L{number}"
    return found


def authored(root: Path, site: BuiltSite) -> dict[str, str]:
    """Each page of prose: its file on the site, and the file that it was written in."""
    return {
        site.file_of(name.removesuffix(".md")): f"docs/{name}"
        for name in (each.relative_to(root / "docs").as_posix() for each in (root / "docs").rglob("*.md"))
    }


def expected(root: Path, site: BuiltSite, records: str = "records") -> dict[str, str]:
    """Every page that can be edited, with the file, and the line where there is one."""
    found = authored(root, site)
    for system in sorted(each.name for each in (root / records).iterdir()):
        for record_id, place in declared(root / records / system).items():
            found[site.record_page(system, record_id)] = place
    return found


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return copied(tmp_path_factory, "edit")


@pytest.fixture(scope="module")
def site(root) -> BuiltSite:
    return build(root, folder="site", EDIT_URI=EDIT)


def test_every_declared_record_leads_to_its_lines(root, site):
    """Each record of the system, at the line that says its ID."""
    places = declared(root / "records" / SYSTEM)
    assert len(places) == 15
    assert {place.split("/")[2] for place in places.values()} == {"epistemic"}
    for record_id, place in places.items():
        link = pencil(site, site.record_page(SYSTEM, record_id))
        assert followed(link) == f"{FORGE}/edit/main/{place}", record_id
        assert link == f"{EDIT}{SYSTEM}/../../{place}", record_id


def test_every_page_that_somebody_wrote_leads_to_its_file_and_no_other_page_has_a_link(root, site):
    """Of all systems and of the portal; records that are withheld, indexes, values and maps have none."""
    wanted = {file: f"{FORGE}/edit/main/{place}" for file, place in expected(root, site).items()}
    assert {file: followed(link) for file, link in pencils(site).items()} == wanted
    for each in ("index.html", "guide/reading/index.html", "arigraph/index.html", "hipporag/memory/index.html"):
        assert each in wanted
    without = set(site.pages) - wanted.keys()
    for each in ("compare/", "records/", "glossary/", "arigraph/records/", "arigraph/records/routes/"):
        assert f"{each}index.html" in without
    assert {"404.html", "arigraph/404.html", site.record_page(SYSTEM, "RT-RTE-game-memory")} <= without


def test_every_link_leads_to_a_file_of_the_repository(root, site):
    for file, link in pencils(site).items():
        path = unquote(urlsplit(followed(link)).path).removeprefix("/o/n/edit/main/")
        assert (root / path).is_file(), f"{file}: {link}"


def test_without_a_place_to_edit_there_is_no_link(root):
    site = build(root, folder="plain")
    assert pencils(site) == {}


MANY_WAYS: Mapping[str, tuple[str, dict[str, str], str]] = {
    "a repository and the place in it": (f"repo_url: {FORGE}\nedit_uri: blob/main/docs/\n", {}, f"{FORGE}/blob/main/"),
    "a place in the environment, without a slash": ("", {"EDIT_URI": EDIT.rstrip("/")}, f"{FORGE}/edit/main/"),
    "a repository, and a place in the environment": (
        f"repo_url: {FORGE}\n",
        {"EDIT_URI": "edit/main/docs/"},
        f"{FORGE}/edit/main/",
    ),
    "a template": (
        "edit_uri_template: https://forge.example/n/_edit/docs/{path}\n",
        {},
        "https://forge.example/n/_edit/",
    ),
    "a template under a repository": (
        "repo_url: https://forge.example/n\nedit_uri_template: _edit/docs/{path}\n",
        {},
        "https://forge.example/n/_edit/",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "environment", "before"), MANY_WAYS.values(), ids=MANY_WAYS)
def test_each_way_to_say_where_leads_to_the_same_places(tmp_path_factory, settings, environment, before):
    root = copied(tmp_path_factory, "way")
    site = build(root, settings, **environment)
    wanted = {file: f"{before}{place}" for file, place in expected(root, site).items()}
    assert {file: followed(link) for file, link in pencils(site).items()} == wanted


@pytest.mark.slow
@pytest.mark.parametrize("repository", ["", "repo_url: https://forge.example/n\n"])
def test_a_template_that_quotes_the_path_gets_the_path_alone(tmp_path_factory, repository):
    """Whole and quoted; a line has no place in it."""
    root = copied(tmp_path_factory, "quoted")
    site = build(root, f"{repository}edit_uri_template: https://forge.example/n/edit?file=docs/{{path!q}}\n")
    wanted = {file: place.partition("#")[0] for file, place in expected(root, site).items()}
    found = {}
    for file, link in pencils(site).items():
        before, _, query = link.partition("?file=")
        assert before == "https://forge.example/n/edit"
        assert "#" not in query
        found[file] = posixpath.normpath(unquote(query))
    assert found == wanted
    link = pencil(site, site.record_page(SYSTEM, "EPI-RTE-triplet-parsing"))
    assert link.endswith("?file=docs/arigraph/..%2F..%2Frecords%2Farigraph%2Fepistemic%2Froutes.yml")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["data/analyses", "data/records & more #1"])
def test_records_in_another_folder_are_edited_there(tmp_path_factory, folder):
    """Also where its name has characters that an address has another use for."""
    root = copied(tmp_path_factory, "elsewhere")
    (root / folder).parent.mkdir(exist_ok=True)
    (root / "records").rename(root / folder)
    settings = PLUGINS.replace("RECORDS", f"'{folder}'")
    site = build(root, settings, EDIT_URI=EDIT)
    places = declared(root / folder / SYSTEM)
    assert len(places) == 15
    for record_id, place in places.items():
        link = followed(pencil(site, site.record_page(SYSTEM, record_id)))
        path, _, line = link.rpartition("#")
        assert unquote(path) == f"{FORGE}/edit/main/{posixpath.dirname(folder)}/{place.rpartition('#')[0]}"
        assert line == place.rpartition("#")[2]
        assert not re.search(r"[\s&]", link)


# What is fetched


@pytest.fixture(scope="module")
def with_repository(tmp_path_factory) -> Iterator[str]:
    """The site with a repository named, served; gives its address."""
    root = copied(tmp_path_factory, "repository")
    (root / "www").mkdir()
    with serving(root / "www") as host:
        build(root, f"repo_url: {FORGE}\nedit_uri: edit/main/docs/\n", host, "www")
        yield host


@pytest.mark.browser
@pytest.mark.parametrize("path", ["", "arigraph/epistemic/", "arigraph/records/epi-rte-triplet-parsing/", "404.html"])
def test_with_a_repository_nothing_is_fetched_from_elsewhere(browser, with_repository, path):
    """The theme would ask the repository's host for numbers; the link to the repository is there."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(with_repository + path)
    page.wait_for_load_state("networkidle")
    link = page.locator(".md-header__source a")
    assert (link.count(), link.get_attribute("href")) == (1, f"{FORGE}")
    assert link.is_visible()
    assert link.inner_text().strip() == "GitHub"
    page.locator(".md-nav__item a").first.click()
    page.wait_for_load_state("networkidle")
    page.close()
    assert asked
    assert [url for url in asked if not url.startswith((with_repository, "data:", "blob:"))] == []
    assert errors == []


@pytest.mark.browser
def test_a_record_can_be_edited_with_a_click(browser, with_repository):
    """The link is seen, says what it does, and leads where it says."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.route(f"{FORGE}/**", lambda route: route.fulfill(body="there", content_type="text/plain"))
    page.goto(f"{with_repository}arigraph/records/epi-rte-triplet-parsing/")
    link = page.get_by_role("link", name="Edit this page")
    link.click()
    page.wait_for_url(f"{FORGE}/edit/main/records/arigraph/epistemic/routes.yml#L*")
    page.close()


# Hostile names


EVIL = "x\"onclick='alert(1)'<b>&amp;"
"""What would leave an attribute or begin an element."""


def attributes_of_links(site: BuiltSite) -> set[tuple[str, ...]]:
    """The attributes that the links to edit have, on all pages."""
    return {tuple(each.attributes) for file in site.pages for each in site.page(file).root.find("a", rel="edit")}


def elements(page: Element) -> list[str]:
    return [each.tag for each in page.walk()]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["folder of records", "address"])
def test_hostile_characters_stay_in_the_address(tmp_path_factory, site, where):
    """Of the folder of the records, and of the place to edit: each page has the elements that it has without them."""
    root = copied(tmp_path_factory, "hostile")
    settings, place = "", EDIT
    if where == "address":
        place = f"{FORGE}/edit/{EVIL}/docs/"
    else:
        (root / "records").rename(root / EVIL)
        settings = PLUGINS.replace("RECORDS", "'" + EVIL.replace("'", "''") + "'")
    hostile = build(root, settings, EDIT_URI=place)
    assert len(pencils(hostile)) == len(pencils(site)) > 50
    assert attributes_of_links(hostile) == attributes_of_links(site)
    for file in site.pages:
        assert elements(hostile.page(file).root) == elements(site.page(file).root), file
        assert hostile.page(file).faults == [], file
    link = pencil(hostile, hostile.record_page(SYSTEM, "EPI-RTE-triplet-parsing"))
    assert EVIL in unquote(link)


def test_a_file_whose_name_could_do_harm_is_refused(tmp_path_factory):
    """So that none is ever part of an address."""
    root = copied(tmp_path_factory, "named")
    name = "x\"onclick='alert(1)'<b>&.md"
    (root / "docs" / SYSTEM / name).write_text("# A page\n\nWith text.\n", encoding="utf-8")
    done = Builds().run(root, root / "site", environment={"EDIT_URI": EDIT})
    assert done.status == 1
    said = f"docs/{SYSTEM}/{name}:1:1: error: `docs/{SYSTEM}/{name}` has a name that cannot be an address"
    assert [each for each in done.warnings if f"{said} [reserved-name]" in each], done.output
