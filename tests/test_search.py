"""The search of every site: a record is found by its ID, whole or in part, and prose by its words.

What is asserted is what a reader sees in a browser. A made-up system, `many`, has IDs that are the beginnings of
others, a label that would be markup, and a configuration like somebody else's.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import test_browser
from tests.site.build import MODES, PUBLISHED, Build, Builds
from tests.site.html import BuiltSite
from tests.site.served import serving

browser, served, address, open_page = (
    test_browser.browser,
    test_browser.served,
    test_browser.address,
    test_browser.open_page,
)

FIELD = ".md-search__input"
STALE = "document.querySelector('.md-search-result__list').innerHTML = '<li id=\"stale\"></li>'"
HITS = """items => items.map(item => [...item.querySelectorAll('a')].map(link => [
    link.href, link.querySelector('h1, h2').textContent, Number(link.firstElementChild.dataset.mdScore)
]))"""
LABEL = "Facts <b>bold</b> &amp; <img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Hit:
    """A page among the hits: where it is, its title, and whether the page itself was found better than its sections."""

    place: str
    title: str
    is_itself: bool


class Search:
    """The search of a page, asked as a reader asks."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        page.wait_for_load_state("networkidle")
        page.keyboard.press("/")
        expect(page.locator(FIELD)).to_be_focused()

    def __call__(self, words: str) -> list[Hit]:
        """The hits for words that are put into the field at once, best first. They have to differ from those before."""
        self.page.evaluate(STALE)
        field = self.page.locator(FIELD)
        field.fill(words)
        field.press("End")
        return self.hits()

    def hits(self) -> list[Hit]:
        """The hits as soon as they are there."""
        expect(self.page.locator("#stale")).to_have_count(0)
        found = self.page.locator(".md-search-result__item").evaluate_all(HITS)
        return [self._hit(links) for links in found]

    def _hit(self, links: list[list[Any]]) -> Hit:
        href, title, score = links[0]
        place = re.sub(r"\?[^#]*", "", href.removeprefix(self.base))
        return Hit(place, title, all(score >= other for _, _, other in links[1:]))


def ids(hits: list[Hit]) -> list[str]:
    """The IDs that the titles of the hits begin with; other titles as they are."""
    return [each.title.split(" ")[0] if re.match("[A-Z]+-", each.title) else each.title for each in hits]


@pytest.fixture
def on_portal(open_page, address) -> Search:
    return Search(open_page(""), address)


@pytest.fixture
def on_arigraph(open_page, address) -> Search:
    return Search(open_page("arigraph/"), address)


ROUTE = "EPI-RTE-answer-metrics"
FORMS = {
    "whole": ROUTE,
    "lower case": ROUTE.lower(),
    "half typed": "EPI-RTE-answer-m",
    "without the member": "RTE-answer-metrics",
    "spaces around": f"  {ROUTE} ",
    "quoted": f'"{ROUTE}"',
    "in brackets": f"({ROUTE})",
    "end of a sentence": f"{ROUTE}.",
    "with its system": f"arigraph:{ROUTE}",
    "with stray signs": f"{ROUTE} ^ ~ * + -",
    "with spaces for hyphens": ROUTE.replace("-", " "),
}


@pytest.mark.browser
@pytest.mark.parametrize("form", FORMS)
def test_a_record_is_found_first_by_its_id_on_its_site(on_arigraph, form):
    hits = on_arigraph(FORMS[form])
    assert hits[0] == Hit(
        f"arigraph/records/{ROUTE.lower()}/", "EPI-RTE-answer-metrics QA answer lexical scoring", is_itself=True
    )
    assert len(hits) > 1


@pytest.mark.browser
@pytest.mark.parametrize("form", [each for each in FORMS if each != "half typed"])
def test_a_record_is_found_first_by_its_id_on_the_portal(on_portal, form):
    assert on_portal(FORMS[form])[0] == Hit(
        f"arigraph/records/{ROUTE.lower()}/", "EPI-RTE-answer-metrics · QA answer lexical scoring", is_itself=True
    )


@pytest.mark.browser
def test_an_id_half_typed_on_the_portal_finds_those_that_begin_so(on_portal):
    assert set(ids(on_portal("EPI-RTE-answer-m"))[:2]) == {"EPI-RTE-answer-match", ROUTE}


@pytest.mark.browser
@pytest.mark.parametrize("where", ["", "ace/", "arigraph/", "hipporag/"])
def test_every_record_is_found_first_by_its_id(open_page, served, where):
    """All that have a page, declared or withheld. On the portal, IDs that two systems have name theirs."""
    address, published = served
    search = Search(open_page(where), address)
    pages = [
        (system, page, next(published.site.page(page).root.find("h1")).words.split(" ")[0])
        for system in published.site.systems
        for page in published.site.pages
        if re.fullmatch(rf"{system}/records/[a-z0-9]+-[^/]*/index.html", page) and page.startswith(where)
    ]
    assert len(pages) > 10
    found = {page: search(record_id if where else f"{system}:{record_id}")[0] for system, page, record_id in pages}
    assert {page: hit.place for page, hit in found.items()} == {page: page.removesuffix("index.html") for page in found}
    assert [hit for hit in found.values() if not hit.is_itself] == []


@pytest.mark.browser
def test_a_source_is_found_first_by_its_id(on_arigraph, on_portal):
    """A source has no page of its own: the hit is its place in the register."""
    first = on_arigraph.page.locator(".md-search-result__item").first.locator("a")
    assert on_arigraph("SRC-1")[0].title == "Sources"
    assert first.last.get_attribute("href").partition("#")[2] == "SRC-1"
    assert sorted(each.title for each in on_portal("SRC-1")[:3]) == [
        f"Sources · {name}" for name in ("ACE", "AriGraph", "HippoRAG")
    ]
    assert on_portal("hipporag:SRC-1")[0].title == "Sources · HippoRAG"


PARTS = {
    "answer-metrics": {"EPI-OBJ-answer-metrics", ROUTE},
    "answer metrics": {"EPI-OBJ-answer-metrics", ROUTE},
    "RT-RTE-game": {"RT-RTE-game-cycle", "RT-RTE-game-memory"},
    "RT-RTE-game-memory": {"RT-RTE-game-memory"},
    "game-memory": {"RT-RTE-game-memory"},
    "QA answer lex": {ROUTE},
    "answer lexical scoring": {ROUTE},
    "plan": {"RT-OBJ-plan"},
}


@pytest.mark.browser
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_an_id_or_of_a_label_finds_the_records_that_have_it(on_arigraph, on_portal, part):
    for search in (on_arigraph, on_portal):
        assert set(ids(search(part))[: len(PARTS[part])]) == PARTS[part]


@pytest.mark.browser
def test_an_id_that_another_begins_with_comes_before_it(on_arigraph, on_portal):
    assert ids(on_arigraph("EPI-OBJ-answer"))[:2] == ["EPI-OBJ-answer", "EPI-OBJ-answer-metrics"]
    hits = on_portal("arigraph:EPI-OBJ-answer")[:3]
    assert [each.place for each in hits] == [
        "arigraph/records/epi-obj-answer/",
        "arigraph/records/epi-obj-answer-metrics/",
        "ace/records/epi-obj-answer/",
    ]
    assert {each.place for each in on_portal("EPI-OBJ-answer")[:2]} == {
        "ace/records/epi-obj-answer/",
        "arigraph/records/epi-obj-answer/",
    }


@pytest.mark.browser
def test_prose_is_found_among_records(open_page, address, on_portal):
    """A title of prose comes before records; where only texts have a word, prose comes first as well."""
    search = Search(open_page("hipporag/"), address)
    assert search("memory")[0] == Hit("hipporag/memory/", "Memory report", is_itself=True)
    reports = Search(open_page("arigraph/"), address)
    assert [each.title for each in reports("memory")[:5]].count("Epistemic report") == 1
    assert [each.title for each in reports("retrieval")[:2]] == ["Workflow report", "Epistemic report"]
    assert on_portal("arigraph")[0].title == "Analyses"
    assert on_portal("adding a system")[0].title == "For authors"


@pytest.mark.browser
def test_a_controlled_value_is_found_where_it_is_explained_or_listed(on_arigraph, on_portal):
    first = ".md-search-result__item:first-child a"
    assert on_portal("content transformation")[0].title == "Glossary"
    assert on_portal.page.locator(first).nth(1).get_attribute("href").endswith("#route-function-content-transformation")
    assert on_arigraph("content transformation")[0].title == "By value"
    assert on_arigraph.page.locator(first).nth(1).get_attribute("href").endswith("#function-content-transformation")


@pytest.mark.browser
@pytest.mark.parametrize("signs", ["answer*", "answer+", "+answer", "answer~", "answer^", "answer~1", "answer^2"])
def test_signs_do_not_break_the_search(on_arigraph, signs):
    """Those that the theme gives a meaning keep it; after any of them the search goes on."""
    found = ids(on_arigraph(signs))
    assert set(found[:3]) == {"EPI-OBJ-answer", "EPI-OBJ-answer-metrics", ROUTE}
    assert ids(on_arigraph(ROUTE))[0] == ROUTE


@pytest.mark.browser
@pytest.mark.parametrize(
    "signs", ["a~b", "a^b", "answer:", "*", "~", "^", "+", "-", ":", '"', "()", "\\", "title:", "-answer"]
)
def test_nothing_stops_the_search(browser, served, signs):
    """What cannot be asked finds nothing in particular. The theme says so on the console."""
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{served[0]}arigraph/")
    search = Search(page, served[0])
    search(signs)
    assert ids(search(ROUTE))[0] == ROUTE
    page.close()
    assert errors == []


@pytest.mark.timed
@pytest.mark.browser
def test_typing_an_id_key_by_key(open_page, address):
    """Nothing is suggested on the way, and the list is there soon after the last key."""
    for where, record_id in (("arigraph/", ROUTE), ("", "RT-RTE-retrieve-answer")):
        search = Search(open_page(where), address)
        field = search.page.locator(FIELD)
        assert search.page.locator(".md-search__suggest").count() == 0
        field.press_sequentially(record_id[:-1], delay=80)
        search.page.wait_for_timeout(1000)
        search.page.evaluate(STALE)
        begun = time.perf_counter()
        field.press(record_id[-1])
        hits = search.hits()
        took = time.perf_counter() - begun
        assert ids(hits)[0] == record_id
        assert took < 1, f"{took:.3f} s after the last key of {record_id}"


@pytest.mark.parametrize("mode", [PUBLISHED, MODES[3]], ids=lambda mode: mode.name)
def test_nothing_is_in_an_index_twice(published_in, mode):
    """That every place in it exists is among the faults that are looked for in a site."""
    site: BuiltSite = published_in(mode).site
    for folder in ("", *site.systems):
        places = [each["location"] for each in index(site.folder / folder)["docs"]]
        assert len(places) == len(set(places)) > 80


def test_the_index_repeats_no_lists(published):
    """What cites a record, and which rows are about it, is found where it stands."""
    entries = index(published.site.folder / "arigraph")["docs"]
    sections = {each["location"].partition("#")[2] for each in entries if "records/epi-" in each["location"]}
    assert sections == {"", "fields", "evidence"}
    listed = {
        each["location"]: each["text"] for each in entries if re.match(r"records/[a-z]*/?(#|$)", each["location"])
    }
    assert set(listed.values()) == {""}
    pages = ("", "components/", "objects/", "routes/", "claims/", "absences/", "paths/", "map/", "values/")
    assert {each for each in listed if "#" not in each} == {f"records/{page}" for page in pages}


def index(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    return found


# Somebody else's repository

SYSTEM = """\
label: Many
summary: Many records.
boundary: {statement: All of it.}
sources:
SOURCES
members:
  - name: runtime
    title: Runtime report
    prefix: RT
    publication: withheld
    records: [RECORDS]
  - {name: facts, title: Report on facts, prefix: EPI, publication: published}
"""
SOURCE = "  - {id: SRC-N, kind: capture, identity: A page., revision: '1', layers: [implementation], inspected: All.}"
OBJECT = f"""\
records:
  - id: EPI-OBJ-fact
    label: "{LABEL}"
    identity: x
    form: {{symbolic: x}}
    substrate: x
    lineage: x
    body: A fact that EPI-OBJ-fact tells again, RT-RTE-1 and RT-RTE-10 as well.
    evidence: [{{source: SRC-1}}]
"""
NESTED = ["RT-RTE-1", "RT-RTE-10", "RT-RTE-100", "RT-OBJ-note", "RT-OBJ-note-book", "RT-OBJ-notes", "RT-OBJ-notes-new"]
SETTINGS = """\
site_name: Analyses
site_url: https://example.org/
use_directory_urls: false
theme: {name: material, font: false, features: [search.suggest, search.highlight]}
plugins:
  - search: SEARCH
  - macros: {on_undefined: strict, on_error_fail: true}
  - recordweave
"""


def build_many(root: Path, search: str = "{}") -> Build:
    records = root / "records" / "many"
    (records / "facts").mkdir(parents=True)
    (root / "docs").mkdir()
    sources = "\n".join(SOURCE.replace("SRC-N", f"SRC-{number}") for number in range(1, 11))
    system = SYSTEM.replace("RECORDS", ", ".join(NESTED)).replace("SOURCES", sources)
    (records / "system.yml").write_text(system, encoding="utf-8")
    (records / "facts" / "objects.yml").write_text(OBJECT, encoding="utf-8")
    (root / "mkdocs.yml").write_text(SETTINGS.replace("SEARCH", search), encoding="utf-8")
    build = Builds().run(root, root / "site", strict=False)
    assert build.status == 0, build.output
    return build


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Build:
    return build_many(tmp_path_factory.mktemp("many"))


@pytest.fixture(scope="module", params=["", "many/"], ids=["portal", "system"])
def in_many(request, browser: Browser, many: Build) -> Iterator[Search]:
    with serving(many.folder) as host:
        page = browser.new_page()
        page.on("dialog", lambda dialog: pytest.fail(f"something ran: {dialog.message}"))
        page.goto(f"{host}{request.param}index.html")
        yield Search(page, host)
        page.close()


@pytest.mark.browser
@pytest.mark.parametrize("record_id", [*NESTED, "SRC-1", "SRC-10"])
def test_of_ids_that_begin_alike_the_very_one_comes_first(in_many, record_id):
    hit = in_many(record_id)[0]
    links = in_many.page.locator(".md-search-result__item:first-child a")
    if record_id.startswith("SRC"):
        best = links.nth(1)
        assert best.locator("h2").inner_text().split(" ")[0] == record_id
        best.click()
        expect(in_many.page.locator(f"[id='{record_id}']")).to_be_in_viewport()
        in_many.page.go_back()
        in_many.page.keyboard.press("/")
    else:
        assert hit == Hit(f"many/records/{record_id.lower()}.html", record_id, is_itself=True)


@pytest.mark.browser
@pytest.mark.parametrize("words", ["EPI-OBJ-fact", "facts bold", "fact", "amp"])
def test_a_label_is_text_in_the_hits(in_many, words):
    hits = in_many(words)
    shown = [each.title for each in hits if each.title.startswith("EPI-OBJ-fact")]
    assert re.sub(" · | ", " ", shown[0]) == f"EPI-OBJ-fact {LABEL}"
    assert in_many.page.locator(".md-search-result img, .md-search-result b").count() == 0


def test_suggestions_are_left_out_wherever_they_were_asked_for(many):
    assert many.output.count("search.suggest") == 1
    said = "INFO    -  recordweave: the theme's feature `search.suggest` is left out: it would complete IDs wrongly"
    assert said in many.output.splitlines()
    for page in ("index.html", "many/index.html"):
        html = (many.folder / page).read_text(encoding="utf-8")
        assert '"search.suggest"' not in html
        assert '"search.highlight"' in html
        assert "md-search__suggest" not in html


def test_settings_of_the_search_are_the_users_own(tmp_path, many):
    """Weights and boundaries of words that somebody has set stay; the records' fields are added."""
    set_ = {"separator": r"[\s\-_]+", "fields": {"title": {"boost": 7}}, "lang": ["en"]}
    build = build_many(tmp_path, json.dumps(set_))
    for folder in ("", "many"):
        config = index(build.folder / folder)["config"]
        assert config["separator"] == set_["separator"]
        assert config["fields"]["title"] == {"boost": 7}
        assert {"rw_kind", "rw_name", "rw_whole"} < set(config["fields"])
        assert index(many.folder / folder)["config"]["separator"] != r"[\s\-]+"


def test_without_a_search_nothing_is_arranged(tmp_path):
    build = build_many(tmp_path, "{enabled: false}")
    assert not (build.folder / "search").exists()
