"""What records and pages hold is text: it is shown as it was written, and nothing in it ever takes effect."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog

from recordweave.sources import schemas
from tests import test_browser
from tests.site import hostile
from tests.site.beside import Difference, differences
from tests.site.build import REPOSITORY, Build, Builds
from tests.site.html import BuiltSite, faults
from tests.site.served import serving
from tests.site.tree import parse

BASE = "https://example.org/site/"

browser = test_browser.browser


def build(root: Path, words: Sequence[str]) -> Build:
    (root / "docs").mkdir(parents=True)
    shutil.copy(REPOSITORY / "mkdocs.yml", root / "published.yml")
    settings = f"INHERIT: published.yml\nsite_url: {BASE}\nnav:\n  - Analyses: index.md\n"
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (root / "docs" / "index.md").write_text("# Analyses\n\n{{ systems() }}\n", encoding="utf-8")
    hostile.write(root, hostile.texts(words))
    return Builds().run(root, root / "site", strict=False)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory) -> Build:
    return build(tmp_path_factory.mktemp("attacked"), hostile.ATTACKS)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory) -> Build:
    return build(tmp_path_factory.mktemp("harmless"), hostile.NAMES)


def site_of(build: Build) -> BuiltSite:
    assert build.status == 0, build.output
    return BuiltSite(build.folder, BASE)


@pytest.fixture(scope="module")
def site(attacked) -> BuiltSite:
    return site_of(attacked)


def test_a_hostile_system_is_built(attacked, harmless):
    """With a warning, at most, for links that cannot be made."""
    assert (harmless.status, harmless.warnings) == (0, []), harmless.output
    assert attacked.status == 0, attacked.output
    assert [each for each in attacked.warnings if "[bad-address]" not in each] == []


def test_the_harmless_system_is_a_fair_measure(harmless):
    site = site_of(harmless)
    assert [str(each) for each in faults(site)] == []
    assert len(site.pages) > 7 * len(hostile.ATTACKS)
    report = site.page("hostile/x/index.html").root.text
    for name in hostile.NAMES:
        assert report.count(name) > 50


@pytest.fixture(scope="module")
def compared(site, harmless) -> list[Difference]:
    other = site_of(harmless)
    assert site.files == other.files
    return list(differences(other, site, hostile.swap))


def kind_of(file: str) -> str:
    """The sort of page that a file is, so that one fault is not told for each of them."""
    return re.sub(r"records/.*|\d+", "…", file)


@pytest.mark.parametrize("place", ["head", "body", "article"])
def test_every_text_is_shown_as_written_and_nothing_comes_of_it(compared, place):
    """Element by element and attribute by attribute: the head of the pages, the theme around the text, the text."""

    def place_of(way: str) -> str:
        return "article" if "/article" in way else "head" if way.startswith("//html/head") else "body"

    found = {(kind_of(each.file), each.way): each for each in compared if place_of(each.way) == place}
    assert [str(each) for each in found.values()] == []


def test_the_checker_finds_nothing_either(site):
    found = {(kind_of(each.file), each.kind): each for each in faults(site)}
    assert [str(each) for each in found.values()] == []


def test_nothing_is_executed(site):
    for file in site.pages:
        for element in site.page(file).root.walk():
            assert not [name for name in element.attributes if name.startswith("on")], f"{file}: {element.attributes}"
            if element.tag == "script" and not element.attributes:
                assert "alert(1)" not in element.text, file


POINTED_AT = {
    "prose": "friend/notes/",
    "overview": "hostile/",
    "report": "hostile/x/",
    "record": "hostile/records/x-obj-n0/",
    "cited from elsewhere": "friend/records/f-obj-a/",
    "all records": "records/",
    "portal": "",
}


NUMBERED = """all => all.map((each, number) => { each.dataset.number = number; return each.title; })"""


@pytest.mark.browser
@pytest.mark.parametrize("name", POINTED_AT)
def test_nothing_is_executed_when_a_page_is_shown_or_pointed_at(browser, site, name):
    """A browser makes tooltips of titles and previews of pages: what they say is text there as well."""
    ran: list[str] = []
    told: dict[str, str] = {}

    def answer(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    with serving(site.folder) as host:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("dialog", answer)
        page.on("request", lambda request: ran.append(request.url) if request.url.endswith("/x") else None)
        page.goto(host + POINTED_AT[name])
        page.wait_for_load_state("networkidle")
        titles = page.locator("[title]").filter(visible=True).evaluate_all(NUMBERED)
        for title in [each for each in dict.fromkeys(titles) if re.search("[<&]", each)][:3]:
            page.locator(f'[data-number="{titles.index(title)}"]').hover(force=True)
            page.wait_for_timeout(400)
            for tooltip in page.locator('[role="tooltip"]').all():
                told[" ".join(title.split())] = " ".join(tooltip.inner_text().split())
            page.mouse.move(0, 0)
            page.wait_for_timeout(200)
        page.close()
    assert ran == []
    assert told == {title: title for title in told}


def test_the_data_and_the_search_index_hold_the_texts(site, harmless):
    other = site_of(harmless)
    data = json.loads((site.folder / "hostile/records.json").read_text(encoding="utf-8"))
    plain = json.loads((other.folder / "hostile/records.json").read_text(encoding="utf-8"))

    def swapped(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: swapped(each) for key, each in value.items() if key != "url"}
        if isinstance(value, list):
            return [swapped(each) for each in value]
        return hostile.swap(value) if isinstance(value, str) else value

    def without_addresses(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_addresses(each) for key, each in value.items() if key != "url"}
        return [without_addresses(each) for each in value] if isinstance(value, list) else value

    assert without_addresses(data) == swapped(plain)
    assert list(schemas.load().errors("records", data)) == []
    for index in (site.folder / folder / "search/search_index.json" for folder in ("", "hostile")):
        for entry in json.loads(index.read_text(encoding="utf-8"))["docs"]:
            for key in ("title", "text"):
                tags = {element.tag for element in parse(entry[key]).root.walk()}
                assert tags <= {"", "p", "ul", "ol", "li", "code", "pre", "strong", "em"}, f"{index}: {entry}"


REFUSED = {
    "config": "{{ config }}",
    "class": "{{ ''.__class__ }}",
    "mro": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "sum": "{{ 7*7 }}",
    "filter": "{{ 'x' | upper }}",
    "name": "{{ systems }}",
    "unknown": "{{ lipsum() }}",
    "host": "{{ macros_info() }}",
    "method": "{{ systems().upper() }}",
    "argument": "{{ ledger(config) }}",
    "inner": "{{ ledger(ledger()) }}",
    "include": "{% include 'index.md' %}",
    "import": "{% import 'index.md' as x %}",
    "for": "{% for each in config %}{{ each }}{% endfor %}",
    "if": "{% if config %}x{% endif %}",
    "set": "{% set x = 1 %}",
    "open": "{{ ledger(",
    "braces": "some {% text",
}


def test_pages_can_call_macros_and_do_nothing_else(repository, builds):
    """Each page is refused with one diagnostic that names its place, all in one build, and nothing is published."""
    for name, text in REFUSED.items():
        page = repository / "docs" / "arigraph" / f"bad-{name}.md"
        page.write_text(f"# Bad\n\nText, then {text}\n", encoding="utf-8")
    build = builds.run(repository, repository / "site", strict=False)
    assert build.status != 0
    told = Counter(
        match[1] for each in build.warnings if (match := re.search(r"docs/arigraph/bad-(\w+)\.md:3:\d+: error: ", each))
    )
    assert told == dict.fromkeys(REFUSED, 1)
    assert "Traceback" not in build.output
    assert not (repository / "site").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("epistemic/objects.yml", "path: pipeline_arigraph.py", "path: ../../etc/passwd", "../../etc/passwd"),
        ("epistemic/objects.yml", "path: pipeline_arigraph.py", "path: /etc/passwd", "/etc/passwd"),
        ("epistemic/objects.yml", "path: pipeline_arigraph.py", "path: a/./b.py", "a/./b.py"),
        ("epistemic/coverage.yml", "[pipeline_arigraph.py,", "[..,", "`..`"),
        ("epistemic/objects.yml", "path: pipeline_arigraph.py", "lines: 1--output=/tmp/x", "1--output=/tmp/x"),
        ("system.yml", "REVISION", "--output=/tmp/x", "--output=/tmp/x"),
        ("system.yml", "REVISION", "HEAD", "HEAD"),
        ("system.yml", "REPOSITORY", "javascript:alert(1)", "javascript:alert(1)"),
        ("system.yml", "REPOSITORY", "https://github.com/e/../../x", "https://github.com/e/../../x"),
        ("system.yml", "REPOSITORY", 'https://e.org/"onclick="alert(1)', "onclick"),
        ("system.yml", "name: runtime", "name: ../../runtime", "../../runtime"),
    ],
)
def test_what_could_reach_outside_is_refused(repository, builds, file, old, new, said):
    path = repository / "records" / "arigraph" / file
    text = path.read_text(encoding="utf-8")
    if old in ("REVISION", "REPOSITORY"):
        frozen = {"REVISION": hostile.COMMIT, "REPOSITORY": "https://github.com/e/e"} | {old: new}
        for key in ("repository", "revision"):
            value = json.dumps(frozen[key.upper()])
            text = re.sub(rf"( +{key}:)\n +unpublished: \|-\n(?: {{8}}.*\n)+", rf"\1 {value}\n", text, count=1)
        assert new in json.loads(json.dumps(text)).replace('\\"', '"')
    else:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    build = builds.run(repository, repository / "site", strict=False)
    assert build.status != 0, build.output
    assert any(said in each and f"records/arigraph/{file}" in each for each in build.warnings), build.output
    assert not (repository / "site").exists()
