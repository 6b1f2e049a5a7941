"""Amendments and supersessions: what a reader of a record, of a report and of the data is told of them.

One system made up for it, of records alone, with a reconciliation, and a second one that refers to it.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from recordweave.sources import schemas
from tests import test_browser
from tests.site.build import PUBLISHED, Build, Builds
from tests.site.html import BuiltSite
from tests.site.served import serving
from tests.site.tree import Element
from tests.test_adding import article, built, headings, section

CONFIGURATION = f"""\
site_name: Analyses
site_url: {PUBLISHED.site_url}
theme: {{name: material, font: false}}
plugins:
  - search
  - macros: {{on_undefined: strict, on_error_fail: true}}
  - recordweave
"""

SYSTEM = """\
label: Notebook
summary: A small agent that keeps notes.
boundary: {statement: All of SRC-1.}
sources:
  - {id: SRC-1, kind: capture, identity: A page., revision: 2026-05-04, layers: [doctrine/design], inspected: All.}
members:
  - name: runtime
    title: Runtime report
    prefix: RT
    publication: withheld
    records: [RT-RTE-daily-run, RT-OBJ-plan, RT-CLM-recall]
  - {name: memory, title: Memory report, prefix: MEM, publication: published}
  - {name: reconciliation, title: Reconciliation, publication: published}
"""

OBJECTS = """\
records:
  - &note
    id: MEM-OBJ-note
    label: Saved note
    identity: A line.
    form: {symbolic: One line.}
    substrate: A text file.
    lineage: Written by MEM-RTE-writing.
    body: What is kept.
    evidence: [{source: SRC-1}]
  - {<<: *note, id: MEM-OBJ-line, label: Line, part_of: MEM-OBJ-note}
  - {<<: *note, id: MEM-OBJ-index, label: Index, part_of: MEM-OBJ-note}
"""

ROUTES = """\
records:
  - id: MEM-RTE-writing
    label: Writing a note
    endpoints: [The end of a run, A line]
    owner: The driver.
    status: {implementation: wired}
    fields:
      immediate_return: Nothing.
      later_read_back: At every start.
      delegated_visibility: Nobody.
      selection_predicate: Every sentence.
      invalidation_or_expiry: None.
      activation_or_effect: Writes MEM-OBJ-note.
      evidence_limits: No run.
    body: Appends a line.
    evidence: [{source: SRC-1}]
"""

CLAIMS = """\
records:
  - id: MEM-CLM-memory
    label: It remembers
    operation: Notes come back.
    claimed_by: [{source: SRC-1, layer: doctrine/design}]
    body: Said of the notes.
    evidence: [{source: SRC-1}]
"""

AMENDMENTS = """\
rows:
  - record: MEM-RTE-writing
    field: later_read_back
    superseded: At *every* start.
    replacement: At the first start of a day, see RT-RTE-daily-run.
    account: The memory report read an older branch.
    affected: [MEM-CLM-memory, RT-RTE-daily-run]
    evidence: [{source: SRC-1, path: run.html}]
  - record: MEM-RTE-writing
    field: evidence
    superseded: SRC-1
    replacement: Two pages of it.
    affected: []
    evidence: [{source: SRC-1}]
  - record: MEM-RTE-writing
    superseded: One route.
    replacement: One route in two versions.
    evidence: [{source: SRC-1}]
  - record: MEM-RTE-writing
    field: later_read_back
    superseded: At every start.
    replacement: Never on Sundays.
    evidence: [{source: SRC-1}]
  - record: RT-RTE-daily-run
    field: owner
    superseded: The driver.
    replacement: The user.
    evidence: [{source: SRC-1}]
  - record: MEM-OBJ-index
    field: body
    superseded: One.
    replacement: Another.
    evidence: [{source: SRC-1}]
  - record: MEM-OBJ-index
    field: label
    superseded: One.
    replacement: Another.
    evidence: [{source: SRC-1}]
  - record: MEM-OBJ-index
    field: part_of
    superseded: One.
    replacement: Another.
    evidence: [{source: SRC-1}]
  - record: MEM-OBJ-index
    field: lineage
    superseded: One.
    replacement: Another.
    evidence: [{source: SRC-1}]
"""

SUPERSESSIONS = """\
rows:
  - record: MEM-OBJ-note
    by: [MEM-OBJ-line, MEM-OBJ-index]
    account: A note is two things.
    evidence: [{source: SRC-1}]
  - record: MEM-CLM-memory
    by: [RT-CLM-recall]
  - record: RT-OBJ-plan
    by: [MEM-OBJ-line]
    account: The same line.
"""

OTHER = """\
label: Journal
summary: Another agent, unlike notebook:MEM-OBJ-note.
boundary: {statement: All of it.}
sources:
  - {id: SRC-1, kind: capture, identity: A page., revision: 2026-05-04, layers: [doctrine/design], inspected: All.}
members:
  - {name: memory, title: Memory report, prefix: MEM, publication: published}
"""

FILES = {
    "mkdocs.yml": CONFIGURATION,
    "records/notebook/system.yml": SYSTEM,
    "records/notebook/memory/objects.yml": OBJECTS,
    "records/notebook/memory/routes.yml": ROUTES,
    "records/notebook/memory/claims.yml": CLAIMS,
    "records/notebook/reconciliation/amendments.yml": AMENDMENTS,
    "records/notebook/reconciliation/supersessions.yml": SUPERSESSIONS,
    "records/journal/system.yml": OTHER,
}


def write(root: Path, files: dict[str, str]) -> Path:
    (root / "docs").mkdir(exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def build(root: Path, *, strict: bool = True) -> Build:
    return Builds().run(root, root / "site", strict=strict)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> BuiltSite:
    root = write(tmp_path_factory.mktemp("reconciled"), FILES)
    return built(build(root), root)


def record(site: BuiltSite, record_id: str) -> Element:
    return article(site, f"notebook/records/{record_id.lower()}")


def summary(site: BuiltSite, record_id: str) -> list[Element]:
    """What stands in the summary at the top of a record's page, which is what its preview shows, in order."""
    return [each for each in record(site, record_id).one(css="rw-summary").children if isinstance(each, Element)]


def said(site: BuiltSite, record_id: str) -> list[str]:
    return [each.words for each in summary(site, record_id)]


def leads(site: BuiltSite, record_id: str, element: Element) -> list[tuple[str, str]]:
    """The words of each link in an element on a record's page, and what it leads to, with its anchor if it has one."""
    here = site.record_page("notebook", record_id)
    followed = [(each.words, site.follow(here, each.attributes["href"])) for each in element.find("a")]
    return [(words, f"{file}#{anchor}" if anchor else file) for words, (file, anchor) in followed]


def page(record_id: str) -> str:
    return f"notebook/records/{record_id.lower()}/index.html"


REPORT = "notebook/reconciliation/index.html"


# Supersessions


def test_a_superseded_record_says_so_before_anything_else(site):
    notice = summary(site, "MEM-OBJ-note")[0]
    assert notice.words == (
        "Superseded by MEM-OBJ-line Line and MEM-OBJ-index Index, according to Reconciliation, Supersessions, row 1."
    )
    assert notice.classes == {"rw-withheld", "rw-superseded"}
    assert leads(site, "MEM-OBJ-note", notice) == [
        ("MEM-OBJ-line", page("MEM-OBJ-line")),
        ("MEM-OBJ-index", page("MEM-OBJ-index")),
        ("Reconciliation, Supersessions, row 1", f"{REPORT}#reconciliation-supersessions-mem-obj-note"),
    ]


def test_a_withheld_record_takes_the_place_of_another(site):
    assert said(site, "MEM-CLM-memory")[0] == (
        "Superseded by RT-CLM-recall, according to Reconciliation, Supersessions, row 2."
    )
    assert said(site, "RT-CLM-recall")[1:] == [
        "Supersedes MEM-CLM-memory It remembers, according to Reconciliation, Supersessions, row 2.",
        "The declaration of this claim is not published here: it belongs to Runtime report, which is withheld. "
        "What follows is everything that the published reports say about it: 1 row, 1 citation.",
    ]


def test_a_withheld_record_can_be_superseded(site):
    assert said(site, "RT-OBJ-plan")[0] == (
        "Superseded by MEM-OBJ-line Line, according to Reconciliation, Supersessions, row 3."
    )


def test_a_record_says_what_it_supersedes(site):
    """Each of two records, and who else takes the place of the first."""
    chips, part_of, first, second, body = summary(site, "MEM-OBJ-line")
    assert "rw-chips" in chips.classes
    assert part_of.words == "Part of MEM-OBJ-note Saved note"
    assert first.words == (
        "Supersedes MEM-OBJ-note Saved note together with MEM-OBJ-index Index, according to Reconciliation, "
        "Supersessions, row 1."
    )
    assert second.words == "Supersedes RT-OBJ-plan, according to Reconciliation, Supersessions, row 3."
    assert body.words == "What is kept."
    assert leads(site, "MEM-OBJ-line", second) == [
        ("RT-OBJ-plan", page("RT-OBJ-plan")),
        ("Reconciliation, Supersessions, row 3", f"{REPORT}#reconciliation-supersessions-rt-obj-plan"),
    ]


def test_a_record_that_stands_says_nothing_of_it(site):
    assert [each.classes for each in summary(site, "MEM-RTE-writing")] == [{"rw-chips"}, {"rw-container"}, set()]


def test_the_account_is_on_the_pages_of_both(site):
    for record_id, role in (("MEM-OBJ-note", "superseded record"), ("MEM-OBJ-index", "successors")):
        (rows,) = section(site, f"notebook/records/{record_id.lower()}", "In the tables")
        assert rows.words == f"Supersessions, row 1 ({role}) A note is two things."


SUPERSEDED = {
    "MEM-OBJ-note": "Saved note (superseded)",
    "MEM-CLM-memory": "It remembers (superseded)",
    "RT-OBJ-plan": "declaration not published (superseded)",
}


def test_every_reference_to_a_superseded_record_tells_it(site):
    """And no other reference does."""
    seen = dict.fromkeys(SUPERSEDED, 0)
    for file in (each for each in site.pages if each.startswith("notebook/")):
        for link in site.page(file).root.find("a", "rw-ref"):
            title, is_marked = link.attributes["title"], "rw-ref--superseded" in link.classes
            assert is_marked == (link.words in SUPERSEDED), f"{file}: {link.words}"
            assert title.endswith("(superseded)") == is_marked
            if is_marked:
                assert title == SUPERSEDED[link.words]
                assert ("rw-ref--withheld" in link.classes) == link.words.startswith("RT-")
                seen[link.words] += 1
    assert min(seen.values()) > 3


def test_other_systems_are_told_as_well(site):
    link = article(site, "journal/index").one("a", "rw-ref--superseded")
    assert link.classes == {"rw-ref", "rw-ref--elsewhere", "rw-ref--superseded"}
    assert link.attributes["title"] == "Notebook, operative object: Saved note (superseded). What is kept."


# Amendments

FIRST = "reconciliation-amendments-mem-rte-writing"


def test_the_summary_names_what_is_amended(site):
    """Each field once, whatever there is of amendments to it; the summary is what a preview shows."""
    line = summary(site, "MEM-RTE-writing")[1]
    assert line.words == "Amended: Later read-back, Evidence, as a whole."
    assert leads(site, "MEM-RTE-writing", line) == [
        ("Later read-back", f"{page('MEM-RTE-writing')}#{FIRST}"),
        ("Evidence", f"{page('MEM-RTE-writing')}#{FIRST}-2"),
        ("as a whole", f"{page('MEM-RTE-writing')}#{FIRST}-3"),
    ]


def test_the_page_of_an_amended_record_has_its_amendments(site):
    name = "notebook/records/mem-rte-writing"
    assert headings(article(site, name)) == ["Fields", "Evidence", "Amendments", "Cited by"]
    told = section(site, name, "Amendments")
    assert [each.attributes["id"] for each in told] == [FIRST, f"{FIRST}-2", f"{FIRST}-3", f"{FIRST}-4"]
    assert [each.one("p", "rw-by").words for each in told] == [
        f"Reconciliation, Amendments, row {number}" for number in (1, 2, 3, 4)
    ]
    assert parts(told[0]) == {
        "Field": "Later read-back",
        "Superseded value": "At every start.",
        "Replacement": "At the first start of a day, see RT-RTE-daily-run.",
        "Account": "The memory report read an older branch.",
        "Affected records": "MEM-CLM-memory It remembers RT-RTE-daily-run",
        "Evidence": "SRC-1, run.html",
    }
    assert parts(told[1])["Affected records"] == "none"
    assert list(parts(told[2])) == ["Superseded value", "Replacement", "Evidence"]
    by, *links = leads(site, "MEM-RTE-writing", told[0])
    assert by == ("Reconciliation, Amendments, row 1", f"{REPORT}#{FIRST}")
    assert [words for words, _ in links] == ["RT-RTE-daily-run", "MEM-CLM-memory", "RT-RTE-daily-run", "SRC-1"]
    assert [each.words for each in told[0].find("em")] == ["every"]


def parts(element: Element) -> dict[str, str]:
    """The fields in an element, by their names."""
    return {each.one("span", "rw-name").words: each.one(css="rw-value").words for each in element.find(css="rw-field")}


def test_a_mark_stands_beside_each_amended_field(site):
    """In the name of the field, in a group of fields as well, and above the evidence; nowhere else."""
    marks = [each for each in record(site, "MEM-RTE-writing").find("a", "rw-amended") if each.words.startswith("am")]
    assert [(each.parent.tag, each.parent.words) for each in marks if each.parent] == [
        ("dt", "Later read-back amended: see below"),
        ("p", "amended: see below"),
    ]
    assert [each.attributes["href"] for each in marks] == [f"#{FIRST}", f"#{FIRST}-2"]
    (above, evidence) = section(site, "notebook/records/mem-rte-writing", "Evidence")
    assert (above.words, evidence.words) == ("amended: see below", "SRC-1")
    for record_id in ("MEM-OBJ-note", "MEM-CLM-memory", "RT-CLM-recall"):
        assert list(record(site, record_id).find("a", "rw-amended")) == []


def test_the_summary_names_what_it_shows_itself(site):
    """The label, the container and the account have no name to stand beside, so the line above the account tells."""
    assert said(site, "MEM-OBJ-index")[3] == "Amended: Body, Label, Part of, Lineage."
    fields = parts(record(site, "MEM-OBJ-index"))
    assert [name for name in fields if "amended" in name] == ["Lineage amended: see below"]


def test_amendments_of_a_withheld_record(site):
    name = "notebook/records/rt-rte-daily-run"
    assert headings(article(site, name)) == ["Amendments", "In the tables", "Cited by"]
    (amendment,) = section(site, name, "Amendments")
    assert parts(amendment)["Field"] == "Owner"
    assert said(site, "RT-RTE-daily-run")[1] == "Amended: Owner."
    assert said(site, "RT-RTE-daily-run")[2].endswith(": 1 row, 1 amendment, 3 citations.")


def test_an_affected_record_lists_the_amendment_once(site):
    """With the record and the field that are amended, and not among amendments of its own."""
    for record_id in ("MEM-CLM-memory", "RT-RTE-daily-run"):
        name = f"notebook/records/{record_id.lower()}"
        (rows,) = section(site, name, "In the tables")
        told = [each.words for each in rows.find("li") if "Amendments" in each.words]
        assert told == [
            "Amendments, row 1 (affected records) MEM-RTE-writing · Later read-back"
            "At the first start of a day, see RT-RTE-daily-run."
        ]
        (item,) = (each for each in rows.find("li") if "Amendments" in each.words)
        assert leads(site, record_id, item)[0] == ("Amendments, row 1", f"{REPORT}#{FIRST}")
    assert "Amendments" not in headings(record(site, "MEM-CLM-memory"))


# The report, the data, and the macros


def cells(table: Element) -> list[list[str]]:
    return [
        [cell.words for cell in row.walk() if cell.tag in ("th", "td")] for row in table.find("tbody", css="rw-row")
    ]


def test_the_report_of_a_reconciliation_has_its_usual_sections(site):
    """No records are asked of it, since it declares none."""
    report = article(site, "notebook/reconciliation")
    assert headings(report) == ["Amendments", "Supersessions"]
    (amendments,) = section(site, "notebook/reconciliation", "Amendments")
    (supersessions,) = section(site, "notebook/reconciliation", "Supersessions")
    assert [each.words for each in amendments.one("thead").find("th")] == [
        "Amended record", "Superseded value", "Replacement", "Account and effect", "Evidence",
    ]  # fmt: skip
    assert cells(amendments)[0] == [
        "MEM-RTE-writing Writing a note Field Later read-back row 1",
        "At every start.",
        "At the first start of a day, see RT-RTE-daily-run.",
        "Account The memory report read an older branch. Affected records MEM-CLM-memory It remembers RT-RTE-daily-run",
        "SRC-1, run.html",
    ]
    assert [each.words for each in supersessions.one("thead").find("th")] == [
        "Superseded record", "Superseded by", "Account", "Evidence",
    ]  # fmt: skip
    assert cells(supersessions) == [
        ["MEM-OBJ-note Saved note row 1", "MEM-OBJ-line Line MEM-OBJ-index Index", "A note is two things.", "SRC-1"],
        ["MEM-CLM-memory It remembers row 2", "RT-CLM-recall", "", ""],
        ["RT-OBJ-plan row 3", "MEM-OBJ-line Line", "The same line.", ""],
    ]


@pytest.fixture(scope="module")
def data(site) -> Any:
    return json.loads((site.folder / "notebook/records.json").read_text(encoding="utf-8"))


def test_the_data_has_supersessions_and_amendments(data):
    known = schemas.load()
    assert [f"{error.json_path}: {error.message}" for error in known.errors("records", data)] == []
    assert known.is_valid("records", data)
    told = {each["id"]: (each["superseded_by"], each["supersedes"]) for each in data["records"]}
    assert {key: each for key, each in told.items() if each != ([], [])} == {
        "MEM-OBJ-note": (["MEM-OBJ-line", "MEM-OBJ-index"], []),
        "MEM-OBJ-line": ([], ["MEM-OBJ-note", "RT-OBJ-plan"]),
        "MEM-OBJ-index": ([], ["MEM-OBJ-note"]),
        "MEM-CLM-memory": (["RT-CLM-recall"], []),
        "RT-OBJ-plan": (["MEM-OBJ-line"], []),
        "RT-CLM-recall": ([], ["MEM-CLM-memory"]),
    }
    assert data["tables"]["amendments"][0] == {
        "member": "reconciliation",
        "number": 1,
        "url": f"reconciliation/#{FIRST}",
        "record": "MEM-RTE-writing",
        "field": "later_read_back",
        "superseded": "At *every* start.",
        "replacement": "At the first start of a day, see RT-RTE-daily-run.",
        "account": "The memory report read an older branch.",
        "affected": ["MEM-CLM-memory", "RT-RTE-daily-run"],
        "evidence": [{"source": "SRC-1", "path": "run.html"}],
        "cited": ["RT-RTE-daily-run"],
    }
    assert data["tables"]["supersessions"][1] == {
        "member": "reconciliation",
        "number": 2,
        "url": "reconciliation/#reconciliation-supersessions-mem-clm-memory",
        "record": "MEM-CLM-memory",
        "by": ["RT-CLM-recall"],
        "cited": [],
    }


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("amendments", "record", ["MEM-RTE-writing"]),
        ("amendments", "record", "journal:MEM-RTE-writing"),
        ("amendments", "field", ""),
        ("amendments", "superseded", " "),
        ("amendments", "replacement", None),
        ("amendments", "affected", "MEM-CLM-memory"),
        ("amendments", "evidence", []),
        ("amendments", "unheard-of", "x"),
        ("supersessions", "record", None),
        ("supersessions", "by", []),
        ("supersessions", "by", ["SRC-1"]),
        ("supersessions", "account", ""),
        ("supersessions", "unheard-of", "x"),
    ],
)
def test_the_schema_of_the_data_refuses(data, table, key, value):
    known = schemas.load()
    wrong = {**data, "tables": {**data["tables"], table: [{**data["tables"][table][0], key: value}]}}
    assert not known.is_valid("records", wrong)
    assert list(known.errors("records", wrong))


@pytest.mark.parametrize("key", ["superseded_by", "supersedes"])
@pytest.mark.parametrize("value", [None, "MEM-OBJ-line", ["journal:MEM-OBJ-line"], ["MEM-OBJ-line", "MEM-OBJ-line"]])
def test_every_kind_of_record_in_the_data_says_what_supersedes_it(data, key, value):
    known = schemas.load()
    for number, one in enumerate(data["records"]):
        without = {name: each for name, each in one.items() if name != key}
        for wrong in (without, {**one, key: value}):
            records = [*data["records"][:number], wrong, *data["records"][number + 1 :]]
            assert not known.is_valid("records", {**data, "records": records}), one["id"]


def test_macros_put_them_onto_a_written_page(tmp_path):
    """Of the page's own member, and of another where that is named; links to a row lead to where it stands."""
    pages = {
        "docs/notebook/reconciliation.md": "# Reconciliation\n\n{{ supersessions() }}\n",
        "docs/notebook/changes.md": '# Changes\n\n{{ amendments(member="reconciliation") }}\n',
    }
    root = write(tmp_path, FILES | pages)
    site = built(build(root), root)
    (link, *_) = leads(site, "MEM-RTE-writing", section(site, "notebook/records/mem-rte-writing", "Amendments")[0])
    assert link == ("Reconciliation, Amendments, row 1", f"notebook/changes/index.html#{FIRST}")
    assert "Superseded value" in article(site, "notebook/changes").words
    assert "Superseded value" not in article(site, "notebook/reconciliation").words


def test_what_no_report_shows_is_told_without_a_link(tmp_path):
    """It is warned of; the pages of the records say it all the same."""
    root = write(tmp_path, FILES | {"docs/notebook/reconciliation.md": "# Reconciliation\n\nNothing yet.\n"})
    ended = build(root, strict=False)
    assert ended.status == 0, ended.output
    assert [each.split(" ")[-1] for each in ended.warnings[0].splitlines()[:1]] == ["[not-shown]"]
    site = PUBLISHED.site(root / "site")
    notice = summary(site, "MEM-OBJ-note")[0]
    assert notice.words.endswith("according to Reconciliation, Supersessions, row 1.")
    assert [words for words, _ in leads(site, "MEM-OBJ-note", notice)] == ["MEM-OBJ-line", "MEM-OBJ-index"]
    (rows,) = section(site, "notebook/records/mem-obj-note", "In the tables")
    assert rows.words == "Supersessions, row 1 (superseded record) A note is two things."
    assert list(rows.find("a")) == []


SECTIONS = """\
    sections:
      - {title: What goes, shows: [supersessions]}
      - {title: What stays}
"""


def test_sections_of_a_members_own(tmp_path):
    member = "  - {name: reconciliation, title: Reconciliation, publication: published}\n"
    own = f"  - name: verdict\n    title: Verdict\n    publication: published\n{SECTIONS}"
    files = {name.replace("reconciliation/", "verdict/"): text for name, text in FILES.items()}
    files["records/notebook/system.yml"] = SYSTEM.replace(member, own)
    root = write(tmp_path, files)
    site = built(build(root), root)
    assert headings(article(site, "notebook/verdict")) == ["What goes", "What stays", "Amendments"]


def test_the_report_of_a_reconciliation_that_has_records_shows_them(tmp_path):
    """And the one that has nothing yet has a place for them, like every report."""
    files = FILES | {
        "records/notebook/system.yml": SYSTEM.replace("Reconciliation,", "Reconciliation, prefix: REC,"),
        "records/notebook/reconciliation/claims.yml": CLAIMS.replace("MEM-CLM", "REC-CLM").replace(
            "notes", "MEM-OBJ-note"
        ),
        "records/journal/system.yml": OTHER.replace("name: memory", "name: reconciliation"),
    }
    root = write(tmp_path, files)
    site = built(build(root), root)
    assert headings(article(site, "notebook/reconciliation")) == ["Amendments", "Supersessions", "Shared records"]
    assert headings(article(site, "journal/reconciliation")) == ["Shared records"]


def test_the_reference_explains_the_files(tmp_path):
    pages = {f"docs/{name}.md": f'# Reference\n\n{{{{ reference("{name}") }}}}\n' for name in ("files", "macros")}
    root = write(tmp_path, FILES | pages)
    site = built(build(root), root)
    files = article(site, "files")
    for name, title in (("amendments", "Superseded value"), ("supersessions", "Successors")):
        table = files.one("div", **{"aria-label": f"Keys of records/<system>/<member>/{name}.yml"})
        assert name in [each.attributes["id"] for each in files.find("h2")]
        assert title in [each.words for each in table.find("td", **{"data-column": "Title"})]
    macros = {each.words for each in article(site, "macros").find("dt")}
    assert {"amendments(member='')", "supersessions(member='')"} <= macros


browser = test_browser.browser


@pytest.mark.browser
def test_the_preview_of_a_superseded_record_begins_with_what_supersedes_it(tmp_path, browser):
    with serving(tmp_path / "site") as host:
        root = write(tmp_path, FILES | {"mkdocs.yml": CONFIGURATION.replace(PUBLISHED.site_url, host)})
        ended = build(root)
        assert (ended.status, ended.warnings) == (0, []), ended.output
        shown = browser.new_page(viewport={"width": 1280, "height": 800})
        shown.goto(f"{host}notebook/records/mem-rte-writing/")
        shown.locator(".rw-ref--superseded").first.hover()
        preview = shown.locator(".md-tooltip2--active")
        preview.get_by_text("Superseded by MEM-OBJ-line Line and MEM-OBJ-index Index").wait_for()
        shown.close()
