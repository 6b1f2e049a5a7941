"""Adding to a repository what nobody has prepared it for: a system, a member, and a repository that is all records.

Nothing but records is added, and everything that a reader needs is there: pages, indexes, numbers, ways to and from.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.site.build import PUBLISHED, REPOSITORY, Build, Builds, contents, copy_repository
from tests.site.html import BuiltSite, faults
from tests.site.tree import Element

SYSTEM = """\
label: Notebook
summary: A small agent that keeps notes from one run for the next.
target_class: {other: Something that is kept.}
evidence_tier: doc-grounded
boundary:
  kind: complete artifact, partial loop
  statement: Everything that SRC-1 says.
sources:
  - id: SRC-1
    kind: capture
    identity: A page.
    revision: 2026-05-04
    layers: [doctrine/design, observed run]
    inspected: All.
members:
  - {name: runtime, title: Runtime report, prefix: RT, publication: withheld, records: [RT-RTE-daily-run]}
  - {name: epistemic, title: Epistemic report, prefix: EPI, publication: published}
"""

COVERAGE = """\
rows:
  - {operation: Writing, source: SRC-1, paths: [notes.html], coverage: "Read, see {prefix}-RTE-writing."}
"""

OBJECTS = """\
records:
  - id: {prefix}-OBJ-note
    label: Saved note
    identity: A line.
    form: {natural-language: One sentence.}
    substrate: A text file.
    lineage: Written by {prefix}-RTE-writing.
    body: What is kept.
    evidence: [{source: SRC-1}]
"""

ROUTES = """\
records:
  - id: {prefix}-RTE-writing
    label: Writing a note
    endpoints: [The end of a run, A line]
    owner: The driver.
    status: {implementation: claimed, operation: observed}
    fields:
      immediate_return: none
      later_read_back: none
      delegated_visibility: none
      selection_predicate: none
      invalidation_or_expiry: none
      activation_or_effect: Writes {prefix}-OBJ-note.
      evidence_limits: none
    body: Appends a line.
    evidence: [{source: SRC-1}, {source: SRC-1, path: run.log, layer: observed run}]
"""

CLAIMS = """\
records:
  - id: {prefix}-CLM-memory
    label: It remembers
    operation: Notes come back.
    claimed_by: [{source: SRC-1, layer: doctrine/design}]
    body: Said of {prefix}-OBJ-note.
    evidence: [{source: SRC-1}]
"""

LEDGER = """\
rows:
  - routes: [{prefix}-RTE-writing]
    function: retention
    status: doctrine only
    objects: [{prefix}-OBJ-note]
    relation: no content change
    target: From a sentence to a line
    evaluator: none
    activation: {see: [route]}
    result: none
    force: none
    epistemic_authority: none
    operational_authority: none
    authority_path: none
    evidence: [{source: SRC-1}]
    claims: [{prefix}-CLM-memory]
    mismatch: none
    gap: none
"""

ANNOTATIONS = """\
annotations:
  - on: {on}
    body: Ends with {prefix}-RTE-writing.
    evidence: [{source: SRC-1}]
"""

PROVENANCE = """\
  - name: provenance
    title: Provenance report
    prefix: PRV
    publication: published
    summary: Where what is kept comes from.
    sections:
      - title: Where it comes from
        shows: [coverage]
      - title: Who vouches for it
        shows: [routes]
      - title: What nobody asked
"""
"""A member that the code has never heard of, as it is declared in `system.yml`."""


def files(prefix: str, on: str) -> dict[str, str]:
    """The files of a member: every one of them short."""
    texts = {
        "coverage": COVERAGE,
        "objects": OBJECTS,
        "routes": ROUTES,
        "claims": CLAIMS,
        "ledger": LEDGER,
        "annotations": ANNOTATIONS,
    }
    return {f"{name}.yml": text.replace("{prefix}", prefix).replace("{on}", on) for name, text in texts.items()}


def put(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def article(site: BuiltSite, name: str) -> Element:
    found = site.article(site.file_of(name))
    assert found is not None
    return found


def inner(element: Element) -> list[Element]:
    return [each for each in element.children if isinstance(each, Element)]


def title(heading: Element) -> str:
    return heading.words.removesuffix("¶").strip()


def headings(element: Element, tag: str = "h2") -> list[str]:
    return [title(each) for each in inner(element) if each.tag == tag]


def section(site: BuiltSite, name: str, heading: str) -> list[Element]:
    """What stands under a heading of the second level, up to the next."""
    found: list[Element] = []
    is_under = False
    for each in inner(article(site, name)):
        if each.tag in ("h1", "h2"):
            is_under = title(each) == heading
        elif is_under:
            found.append(each)
    return found


def cards(elements: list[Element]) -> list[str]:
    """The anchors of the cards among some elements."""
    return [each.one("h3").attributes["id"] for each in elements if "rw-card" in each.classes]


def built(build: Build, root: Path) -> BuiltSite:
    assert (build.status, build.warnings) == (0, []), build.output
    site = PUBLISHED.site(root / "site")
    assert [str(each) for each in faults(site)] == []
    return site


def without_dates(path: Path) -> bytes:
    return re.sub(rb"<lastmod>.*?</lastmod>", b"", path.read_bytes())


# A fourth system


@pytest.fixture(scope="module")
def fourth(tmp_path_factory) -> tuple[Path, BuiltSite]:
    """The repository with one more system, of records alone, built."""
    root = copy_repository(tmp_path_factory.mktemp("fourth"))
    PUBLISHED.configure(root)
    put(root / "records" / "notebook", {"system.yml": SYSTEM})
    put(root / "records" / "notebook" / "epistemic", files("EPI", "RT-RTE-daily-run"))
    return root, built(Builds().run(root, root / "site"), root)


@pytest.fixture
def site(fourth) -> BuiltSite:
    found: BuiltSite = fourth[1]
    return found


def test_nothing_else_has_to_change(fourth, published):
    """No file of the repository but the new ones, and no page of any other system."""
    root, site = fourth
    for folder in ("docs", "records"):
        now = contents(root / folder)
        before = contents(REPOSITORY / folder)
        assert {name: data for name, data in now.items() if not name.startswith("notebook/")} == before
    others = [file for file in published.site.files if file.split("/")[0] in published.site.systems]
    assert len(others) > 100
    changed = [
        file
        for file in others
        if not file.endswith(".gz") and without_dates(published.site.folder / file) != without_dates(site.folder / file)
    ]
    assert changed == []


def test_a_system_of_records_alone_has_every_page(site):
    pages = ["index", "epistemic", "sources", "404"]
    pages += [f"records/{name}" for name in ("index", "values", "map")]
    pages += [f"records/{name}" for name in ("components", "objects", "routes", "claims", "absences", "paths")]
    pages += [f"records/{one}" for one in ("epi-obj-note", "epi-rte-writing", "epi-clm-memory", "rt-rte-daily-run")]
    expected = {"notebook/404.html" if name == "404" else site.file_of(f"notebook/{name}") for name in pages}
    assert {file for file in site.pages if file.startswith("notebook/")} == expected
    assert (site.folder / "notebook/records.json").exists()


def test_its_overview_says_what_it_is(site):
    overview = article(site, "notebook/index")
    assert title(overview.one("h1")) == "Notebook"
    assert headings(overview) == ["Members", "Records"]
    for said in ("keeps notes from one run", "other: Something that is kept.", "Everything that SRC-1 says."):
        assert said in overview.words
    assert "Runtime report" in overview.words
    counts = {
        each.one("th").words: [cell.words for cell in each.find("td")]
        for each in overview.one("table", "rw-counts").one("tbody").find("tr")
    }
    assert counts["Routes"] == ["1", "1"]
    assert counts["Claims"] == ["1", "0"]


def test_its_report_has_the_usual_sections(site):
    """Those for which there are files; then what is in no usual section."""
    usual = ["Source-and-claim boundary", "Authority-route ledger", "Shared records", "Annotations"]
    assert headings(article(site, "notebook/epistemic")) == usual
    assert [table.attributes["class"] for table in section(site, "notebook/epistemic", usual[0])] == [
        "rw-table rw-table--coverage"
    ]
    assert [table.attributes["class"] for table in section(site, "notebook/epistemic", usual[1])] == [
        "rw-matrix",
        "rw-table rw-table--ledger",
    ]
    shared = section(site, "notebook/epistemic", "Shared records")
    kinds = [title(each) for each in shared if each.tag == "h3"]
    assert kinds[:2] == ["Components", "Operative objects"]
    shown = [each.one("h4").attributes["id"] for each in shared if "rw-card" in each.classes]
    assert shown == ["EPI-OBJ-note", "EPI-RTE-writing", "EPI-CLM-memory"]
    assert cards(section(site, "notebook/epistemic", "Annotations")) == ["epistemic-on-RT-RTE-daily-run"]


def test_its_values_are_listed(site):
    values = [each.attributes["id"] for each in article(site, "notebook/records/values").find("h3")]
    assert values == [
        "function-retention",
        "status-doctrine-only",
        "relation-no-content-change",
        "conclusion-implementation-claimed",
        "conclusion-operation-observed",
    ]


def test_a_withheld_record_tells_the_annotation(site):
    page = article(site, "notebook/records/rt-rte-daily-run")
    assert headings(page) == ["Annotations by other members", "Cited by"]


def test_the_portal_shows_the_system(site):
    """On a card of its own, in every comparison, among the claims and among all records."""
    cards = list(article(site, "index").find("article", "rw-card--system"))
    assert [each.one("h2").attributes["id"] for each in cards] == sorted([*site.systems])
    card = next(each for each in cards if each.one("h2").attributes["id"] == "notebook")
    assert "complete artifact, partial loop. Everything that SRC-1 says." in card.words
    assert card.one("figcaption").words == "1 ledger row by function"
    tables = list(article(site, "compare").find("table", "rw-compare"))
    numbers = {
        row.one("th").words: cell.words
        for table in tables
        for row in table.one("tbody").find("tr")
        for cell in row.find("td")
        if cell.attributes["data-column"] == "Notebook" and cell.words != "0"
    }
    assert numbers == {
        "retention": "1",
        "doctrine only": "1",
        "no content change": "1",
        "implementation: claimed": "1",
        "operation: observed": "1",
    }
    totals = [
        cell.words
        for table in tables
        for cell in table.one("tfoot").find("td")
        if cell.attributes["data-column"] == "Notebook"
    ]
    assert totals == ["1", "1", "1", "3"]
    claims = [each.words for each in article(site, "compare").find("tbody", "rw-row") if "Notebook" in each.words]
    assert claims == ["Notebook EPI-CLM-memory It remembers no published report holds it against routes"]
    rows = article(site, "records").find("tr", **{"data-system": "notebook"})
    assert [next(each.find("a", "rw-ref")).words for each in rows] == [
        "EPI-OBJ-note",
        "EPI-RTE-writing",
        "EPI-CLM-memory",
        "RT-RTE-daily-run",
    ]


# A member that nobody foresaw


@pytest.fixture(scope="module")
def member(tmp_path_factory) -> BuiltSite:
    """The repository with one more member of a system, built."""
    root = copy_repository(tmp_path_factory.mktemp("member"))
    PUBLISHED.configure(root)
    with (root / "records/arigraph/system.yml").open("a", encoding="utf-8") as system:
        system.write(PROVENANCE)
    put(root / "records/arigraph/provenance", files("PRV", "EPI-RTE-triplet-parsing"))
    return built(Builds().run(root, root / "site"), root)


def test_its_report_has_its_own_sections_and_then_the_rest(member):
    """What they name stands in them and nowhere else; one that shows nothing says so."""
    name = "arigraph/provenance"
    own = ["Where it comes from", "Who vouches for it", "What nobody asked"]
    rest = ["Authority-route ledger", "Operative objects", "Claims", "Annotations"]
    assert headings(article(member, name)) == [*own, *rest]
    assert headings(article(member, name), "h3") == []
    (coverage,) = section(member, name, own[0])
    assert "rw-table--coverage" in coverage.classes
    assert cards(section(member, name, own[1])) == ["PRV-RTE-writing"]
    assert [each.words for each in section(member, name, own[2])] == ["Nobody has written this section yet."]
    (_, ledger) = section(member, name, rest[0])
    assert "rw-table--ledger" in ledger.classes
    assert cards(section(member, name, rest[1])) == ["PRV-OBJ-note"]
    assert cards(section(member, name, rest[2])) == ["PRV-CLM-memory"]
    assert cards(section(member, name, rest[3])) == ["provenance-on-EPI-RTE-triplet-parsing"]


def test_a_new_member_is_found_from_everywhere(member):
    """From the navigation, the overview, the portal, its records, and the record that it annotates."""
    file = member.file_of("arigraph/provenance")

    def leads(page: str, words: str) -> bool:
        links = [each for each in member.page(page).root.find("a") if each.words == words]
        return any(member.follow(page, each.attributes["href"])[0] == file for each in links)

    assert leads(member.file_of("arigraph/sources"), "Provenance report")
    assert leads(member.file_of("arigraph/index"), "Provenance report")
    assert leads("index.html", "Provenance report")
    assert leads(member.record_page("arigraph", "PRV-RTE-writing"), "Provenance report")
    assert leads(member.record_page("arigraph", "EPI-RTE-triplet-parsing"), "Provenance report")
    data = json.loads((member.folder / "arigraph/records.json").read_text(encoding="utf-8"))
    assert [each["name"] for each in data["members"]] == ["runtime", "workflow", "epistemic", "provenance"]
    assert [each["id"] for each in data["records"] if each["member"] == "provenance"] == [
        "PRV-OBJ-note",
        "PRV-RTE-writing",
        "PRV-CLM-memory",
    ]


def test_rows_of_two_members_are_told_apart(member):
    """Where a system has two ledgers, a row is named with its member's title."""
    items = [each for each in article(member, "arigraph/records/values").find("li") if "PRV-RTE-writing" in each.words]
    assert [next(each.find("a")).words for each in items] == ["Provenance report, Authority-route ledger, row 1"] * 3
    assert "Epistemic report, Authority-route ledger, row 1" in article(member, "arigraph/records/values").words


# A repository without prose

NAVIGATION = "nav: [index.md, compare.md, records.md, glossary.md]\n"


@pytest.mark.parametrize("settings", ["", NAVIGATION], ids=["no navigation", "navigation"])
def test_a_repository_needs_no_prose(tmp_path, builds, settings):
    """An empty `docs/`, since MkDocs asks for the folder, and the shortest configuration there can be."""
    (tmp_path / "docs").mkdir()
    shutil.copytree(REPOSITORY / "records", tmp_path / "records")
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: Analyses\nsite_url: {PUBLISHED.site_url}\n{settings}"
        "theme: {name: material, font: false}\nplugins:\n  - search\n"
        "  - macros: {on_undefined: strict, on_error_fail: true}\n  - recordweave\n",
        encoding="utf-8",
    )
    site = built(builds.run(tmp_path, tmp_path / "site"), tmp_path)
    assert [each for each in site.pages if "/" not in each or each.split("/")[0] not in site.systems] == [
        "404.html",
        "compare/index.html",
        "glossary/index.html",
        "index.html",
        "records/index.html",
    ]
    assert [title(each) for each in article(site, "index").find("h1")] == ["Analyses"]
    assert len(list(article(site, "index").find("article", "rw-card--system"))) == len(site.systems)
    assert headings(article(site, "compare"))[-1] == "Claims"
    report = headings(article(site, "arigraph/epistemic"))
    assert report == [
        "Source-and-claim boundary",
        "Epistemic-object inventory",
        "Authority-route ledger",
        "System-claim versus route comparison",
        "Shared records",
    ]
    memory = headings(article(site, "hipporag/memory"))
    assert memory == ["Boundary and evidence", "Shared records", "Annotations", "Integration issues"]
    assert headings(article(site, "arigraph/workflow")) == ["Shared records", "Annotations"]
    links = [each.attributes["href"] for each in site.page("index.html").root.find("a", "md-nav__link")]
    assert {"compare/index.html", "records/index.html", "glossary/index.html"} <= {
        site.follow("index.html", each)[0] for each in links if not each.startswith("#")
    }
