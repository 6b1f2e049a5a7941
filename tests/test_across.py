"""References from one system into another: what they lead to, how the way back is shown, and what never becomes one.

Two small systems, `left` and `right-hand`, both have an `EPI-OBJ-answer`. Everything on the left refers to the right,
from every place in which a reference can stand.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from recordweave import project, report
from recordweave.sources import schemas
from tests.site.build import MODES, PUBLISHED, REPOSITORY, Builds, Mode
from tests.site.html import HEADINGS, BuiltSite, faults
from tests.site.tree import Element

LEFT_SYSTEM = """\
label: Left
summary: |-
  Answers by rule. Its answer is not right-hand:EPI-OBJ-answer.
boundary:
  statement: All of SRC-1, and nothing of right-hand:SRC-1, where [that answer](right-hand:EPI-OBJ-answer) is made.
sources:
  - id: SRC-1
    kind: capture
    identity: A page.
    revision: 2024-02-29
    layers: [doctrine/design]
    inspected: All of it.
    gaps: What is behind right-hand:EPI-OBJ-answer was not asked.
members:
  - {name: runtime, title: Runtime report, prefix: RT, publication: withheld, records: [RT-RTE-loop]}
  - name: epistemic
    title: Epistemic report
    prefix: EPI
    publication: published
    summary: Beside right-hand:EPI-OBJ-answer.
  - {name: notes, title: Notes, prefix: NTE, publication: published}
"""

LEFT_OBJECTS = """\
records:
  - id: EPI-OBJ-answer
    label: Answer by rule
    identity: "`answer`"
    form:
      symbolic: A string, as right-hand:EPI-OBJ-answer is.
    substrate:
      - holder: A variable.
        use: Unlike right-hand:EPI-OBJ-answer, which is a file.
    lineage:
      uninspected: Perhaps from right-hand:EPI-OBJ-answer.
    body: |-
      Told apart from right-hand:EPI-OBJ-answer. See left:EPI-OBJ-rule and EPI-OBJ-rule.

      - **right-hand:RT-RTE-loop**, which nobody publishes
      - [words](right-hand:EPI-OBJ-answer) and right-hand:SRC-1

      > right-hand:EPI-OBJ-answer in a quotation, `right-hand:EPI-OBJ-answer` in code
    evidence:
      - source: SRC-1
        shows: What right-hand:EPI-OBJ-answer would have to show.
        quotation: right-hand:EPI-OBJ-answer
  - id: EPI-OBJ-rule
    label: Rule
    identity: "`rule`"
    form: {symbolic: A table.}
    substrate: A file.
    lineage: Written by hand.
    body: Gives EPI-OBJ-answer.
    evidence: [{source: SRC-1}]
"""

LEFT_LEDGER = """\
rows:
  - routes: [RT-RTE-loop]
    function:
      other: Gives what right-hand:EPI-OBJ-answer gives.
    status: implemented
    objects: [EPI-OBJ-answer]
    relation: no content change
    target: none
    evaluator: {see: ["right-hand:EPI-OBJ-answer"]}
    activation:
      text: After every question
      see: [route, "right-hand:RT-RTE-loop"]
      for: what right-hand:EPI-OBJ-answer waits for
    result: none
    force: none
    epistemic_authority: none
    operational_authority: none
    authority_path: {see: ["right-hand:EPI-RTE-asking"]}
    evidence: [{source: SRC-1}]
    claims: []
    mismatch: none
    gap: Whether right-hand:EPI-OBJ-answer says the same.
"""

LEFT_NOTES = """\
annotations:
  - on: EPI-OBJ-answer
    body: Looks like right-hand:EPI-OBJ-answer.
    evidence: [{source: SRC-1}]
"""

RIGHT_SYSTEM = """\
label: Right & hand
summary: Answers from what it has read.
boundary: {statement: All of SRC-1.}
sources:
  - {id: SRC-1, kind: capture, identity: A page., revision: 2024-02-29, layers: [doctrine/design], inspected: All.}
members:
  - {name: runtime, title: Runtime report, prefix: RT, publication: withheld, records: [RT-RTE-loop]}
  - {name: epistemic, title: Epistemic report, prefix: EPI, publication: published}
"""

RIGHT_OBJECTS = """\
records:
  - id: EPI-OBJ-answer
    label: Answer <from> reading
    identity: "`reply`"
    form: {natural-language: A sentence.}
    substrate: A file.
    lineage: Written by EPI-RTE-asking.
    body: Said "as it is" by EPI-RTE-asking. A second sentence.
    evidence: [{source: SRC-1}]
"""

RIGHT_ROUTES = """\
records:
  - id: EPI-RTE-asking
    label: Asking
    endpoints: [A question, An answer]
    owner: The reader.
    status: {implementation: wired}
    fields:
      immediate_return: EPI-OBJ-answer
      later_read_back: none
      delegated_visibility: none
      selection_predicate: none
      invalidation_or_expiry: none
      activation_or_effect: none
      evidence_limits: none
    body: Reads, then answers; left:EPI-OBJ-rule does without.
    evidence: [{source: SRC-1}]
"""

PORTAL = """\
# Analyses

Beside left:EPI-OBJ-answer stands [another](right-hand:EPI-OBJ-answer), and {{ ref("right-hand:RT-RTE-loop", "more") }}.

## About right-hand:EPI-RTE-asking

Both left:SRC-1 and right-hand:SRC-1 are pages; `right-hand:EPI-OBJ-answer` is code.

{{ systems() }}
"""

ANSWER, LOOP, SOURCE = "right-hand:EPI-OBJ-answer", "right-hand:RT-RTE-loop", "right-hand:SRC-1"

PLACES: dict[str, tuple[str, list[str]]] = {
    "prose": (f"Unlike {ANSWER}.", [ANSWER]),
    "emphasis": (f"**{ANSWER}** and _{ANSWER}_, ({ANSWER})", [ANSWER] * 3),
    "several": (f"{ANSWER}/{LOOP}—{ANSWER}: yes", [ANSWER, LOOP, ANSWER]),
    "two-systems": (f"left:EPI-OBJ-rule, {ANSWER}", ["left:EPI-OBJ-rule", ANSWER]),
    "own-and-other": (f"EPI-OBJ-answer is not {ANSWER}.", ["EPI-OBJ-answer", ANSWER]),
    "own-named": ("left:EPI-OBJ-answer is here.", ["left:EPI-OBJ-answer"]),
    "withheld": (f"Called by {LOOP}.", [LOOP]),
    "target": (f"[the other one]({ANSWER})", [f"the other one → {ANSWER}"]),
    "named-target": (f"[the other one][other]\n\n[other]: {ANSWER}", [f"the other one → {ANSWER}"]),
    "its-own-words": (f"[{ANSWER}]({ANSWER})", [ANSWER]),
    "macro": (f'Here {{{{ ref("{ANSWER}", "the *other* one") }}}}.', [f"the *other* one → {ANSWER}"]),
    "macro-alone": (f'{{{{ ref("{ANSWER}") }}}}', [ANSWER]),
    "heading": (f"## Against {ANSWER}\n\nText.", [ANSWER]),
    "macro-in-heading": (f'## {{{{ ref("{ANSWER}", "Against") }}}}', [f"Against → {ANSWER}"]),
    "list": (f"1.  One {ANSWER}\n\n    -   two {LOOP}", [ANSWER, LOOP]),
    "table": (f"| a | b |\n| --- | --- |\n| {ANSWER} | [x]({LOOP}) |", [ANSWER, f"x → {LOOP}"]),
    "definition": (f"{ANSWER}\n:   Not {LOOP}", [ANSWER, LOOP]),
    "footnote": (f"A note[^1].\n\n[^1]: See {ANSWER}.", [ANSWER]),
    "box": (f'!!! note "About {LOOP}"\n\n    In it {ANSWER}', [LOOP, ANSWER]),
    "source": (f"As in {SOURCE}.", [SOURCE]),
    "own-source": ("As in left:SRC-1 and SRC-1.", ["left:SRC-1", "SRC-1"]),
    "word-and-colon": ("Note:EPI-OBJ-answer and note: EPI-OBJ-rule", ["EPI-OBJ-answer", "EPI-OBJ-rule"]),
    "code": (f"`{ANSWER}` and `` {ANSWER} ``", []),
    "fence": (f"```\n{ANSWER}\n```\n\n    {ANSWER}", []),
    "quotation": (f"> {ANSWER} and {SOURCE}", []),
    "comment": (f"<!-- {ANSWER} -->", []),
    "address": (f"https://e.org/{ANSWER} and www.e.org/{ANSWER}", []),
    "image": (f"![{ANSWER}](dot.png)", []),
    "link": (f"[see {ANSWER} and {SOURCE}](https://e.org/x)", [f"see {ANSWER} and {SOURCE} → https://e.org/x"]),
    "html-link": (
        f'<a href="https://e.org/x">see {ANSWER}, {SOURCE}</a>',
        [f"see {ANSWER}, {SOURCE} → https://e.org/x"],
    ),
    "target-in-html-link": (f'<a href="https://e.org/x">[see]({ANSWER})</a>', ["see → https://e.org/x"]),
}
"""Pieces of prose on the left, each on a page of its own, and their links: the words, and what they lead to where that
is something else."""

CITING = [name for name, (_, links) in PLACES.items() if any(each.endswith(ANSWER) for each in links)]
"""The places that cite the other system's answer."""

FIELDS = [
    ("Left · Overview", "Left · Summary", "index", "system"),
    ("Left · Overview", "Left · Boundary", "index", "system"),
    ("Left · Sources", "SRC-1 · Access gaps and conclusion prevented", "sources", "SRC-1"),
    ("Left · Overview", "Epistemic report · Summary", "index", "member-epistemic"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Representational form", "epistemic", "EPI-OBJ-answer--form"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Storage substrate", "epistemic", "EPI-OBJ-answer--substrate"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Lineage", "epistemic", "EPI-OBJ-answer--lineage"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Body", "epistemic", "EPI-OBJ-answer--body"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Body", "epistemic", "EPI-OBJ-answer--body"),
    ("Left · Epistemic report", "EPI-OBJ-answer · Evidence", "epistemic", "EPI-OBJ-answer--evidence"),
    *(
        ("Left · Epistemic report", f"Authority-route ledger, row 1 · {title}", "epistemic", f"{{row}}--{key}")
        for title, key in (
            ("Route function", "function"),
            ("Evaluator or condition, and domain", "evaluator"),
            ("Activation and timing", "activation"),
            ("Gap or limit", "gap"),
        )
    ),
    ("Left · Notes", "Annotation on EPI-OBJ-answer · Body", "notes", "notes-on-EPI-OBJ-answer--body"),
]
"""The fields on the left that cite the other system's answer: group, words, page and anchor of each citation."""

ROW = "epistemic-ledger-rt-rte-loop-other"


def write(root: Path, left: Mapping[str, tuple[str, list[str]]] = PLACES) -> Path:
    """Both systems, and a page of the left one for each of these places."""
    files = {
        "docs/index.md": PORTAL,
        "records/left/system.yml": LEFT_SYSTEM,
        "records/left/epistemic/objects.yml": LEFT_OBJECTS,
        "records/left/epistemic/ledger.yml": LEFT_LEDGER,
        "records/left/notes/annotations.yml": LEFT_NOTES,
        "records/right-hand/system.yml": RIGHT_SYSTEM,
        "records/right-hand/epistemic/objects.yml": RIGHT_OBJECTS,
        "records/right-hand/epistemic/routes.yml": RIGHT_ROUTES,
        "docs/left/places/dot.png": "",
    }
    files |= {f"docs/left/places/{name}.md": f"# Place\n\n{text}\n" for name, (text, _) in left.items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def built_in(tmp_path_factory) -> Callable[[Mode], BuiltSite]:
    """The two systems, built strictly in a mode."""

    @cache
    def build(mode: Mode) -> BuiltSite:
        root = write(tmp_path_factory.mktemp(mode.name))
        shutil.copy(REPOSITORY / "mkdocs.yml", root / "published.yml")
        mode.configure(root)
        with (root / "mkdocs.yml").open("a", encoding="utf-8") as settings:
            settings.write("nav:\n  - Analyses: index.md\n")
        build = Builds().run(root, root / "site")
        assert (build.status, build.warnings) == (0, []), build.output
        return mode.site(root / "site")

    return build


@pytest.fixture(params=MODES, ids=lambda mode: mode.name)
def site(request, built_in) -> BuiltSite:
    found: BuiltSite = built_in(request.param)
    return found


@pytest.fixture(scope="module")
def usual(built_in) -> BuiltSite:
    found: BuiltSite = built_in(PUBLISHED)
    return found


def article(site: BuiltSite, name: str) -> Element:
    found = site.article(site.file_of(name))
    assert found is not None
    return found


def page_of(site: BuiltSite, reference: str, home: str) -> str:
    """The file that a reference leads to."""
    system, _, one = reference.rpartition(":")
    return site.file_of(f"{system or home}/sources") if "SRC-" in one else site.record_page(system or home, one)


def led(site: BuiltSite, name: str, element: Element) -> list[tuple[str, str]]:
    """The links of an element, but for those that a reader is not meant to see: words, and file or address."""
    found = []
    for link in element.find("a"):
        href = link.attributes["href"]
        if not link.classes & {"headerlink", "footnote-ref", "footnote-backref"}:
            found.append((link.words, href if "://" in href else site.follow(site.file_of(name), href)[0]))
    return found


def expected(site: BuiltSite, links: list[str], home: str) -> list[tuple[str, str]]:
    pairs = [(words, target or words) for words, _, target in (each.partition(" → ") for each in links)]
    return [(words, to if "://" in to else page_of(site, to, home)) for words, to in pairs]


@pytest.mark.parametrize("name", PLACES)
def test_a_reference_in_prose_leads_into_the_other_system(usual, name):
    """From every place in which one can stand; and where it is text, it stays text."""
    _, links = PLACES[name]
    found = article(usual, f"left/places/{name}")
    assert led(usual, f"left/places/{name}", found) == expected(usual, links, "left")
    if not links:
        assert name in ("comment", "image") or ANSWER in found.words


def test_the_same_in_every_mode(site):
    """Every link of every page resolves, no link stands in a link, and each reference leads to just that record."""
    for name, (_, links) in PLACES.items():
        found = led(site, f"left/places/{name}", article(site, f"left/places/{name}"))
        assert found == expected(site, links, "left"), name
    odd = tuple(site.file_of(f"left/places/{name}") for name in ("link", "html-link", "own-source"))
    assert [str(each) for each in faults(site) if each.file not in odd] == []
    words = f"see {ANSWER} and {SOURCE}"
    told = [each.detail for each in faults(site) if each.file == odd[0]]
    assert told == [f"{one} in “{words}”" for one in (ANSWER, SOURCE)]  # text, in a link to elsewhere
    assert {each.kind for each in faults(site) if each.file in odd} == {"mention"}


def test_a_source_of_the_systems_own_may_be_named_with_the_system(usual):
    file = usual.file_of("left/places/own-source")
    links = article(usual, "left/places/own-source").find("a", "rw-source")
    assert [usual.follow(file, each.attributes["href"]) for each in links] == [
        (usual.file_of("left/sources"), "SRC-1")
    ] * 2


def test_an_id_alone_is_the_systems_own(usual):
    """The same ID leads to one record on the left, and to another on the right."""
    for name, field in (("left", "EPI-OBJ-rule--body"), ("right-hand", "EPI-RTE-asking--fields")):
        links = led(usual, f"{name}/epistemic", article(usual, f"{name}/epistemic").one(id=field))
        assert links == [("EPI-OBJ-answer", usual.record_page(name, "EPI-OBJ-answer"))]


@pytest.mark.parametrize(
    ("name", "reference", "title"),
    [
        ("prose", ANSWER, 'Right & hand, operative object: Answer <from> reading. Said "as it is" by EPI-RTE-asking.'),
        ("withheld", LOOP, "Right & hand, route: declaration not published"),
        ("own-named", "left:EPI-OBJ-answer", "Answer by rule"),
    ],
)
def test_the_title_of_a_link_says_what_it_leads_to(usual, name, reference, title):
    """To another system: its name, the kind and the label, since no preview shows them."""
    (link,) = article(usual, f"left/places/{name}").find("a", "rw-ref")
    assert link.attributes["title"] == title
    assert ("data-preview" in link.attributes) == reference.startswith("left:")
    assert ("rw-ref--elsewhere" in link.classes) != reference.startswith("left:")
    assert ("rw-ref--withheld" in link.classes) == (reference == LOOP)


def test_only_links_inside_a_site_have_previews(site):
    """A preview is made of a page of the same site."""
    for file in site.pages:
        home = file.partition("/")[0] if file.partition("/")[0] in site.systems else ""
        for link in site.page(file).root.find("a"):
            if "data-preview" in link.attributes:
                to = site.follow(file, link.attributes["href"])[0].partition("/")[0]
                assert (to if to in site.systems else "") == home, f"{file}: {link.words}"


def test_references_stand_in_every_text_of_a_record(usual):
    """A list, a quotation and code within one text; storage, form, a reason, what evidence shows; an annotation."""
    report = article(usual, "left/epistemic")
    body = report.one(id="EPI-OBJ-answer--body")
    links = [ANSWER, "left:EPI-OBJ-rule", "EPI-OBJ-rule", LOOP, f"words → {ANSWER}", SOURCE]
    assert led(usual, "left/epistemic", body) == expected(usual, links, "left")
    for field in ("form", "substrate", "lineage", "evidence"):
        links = [each.words for each in report.one(id=f"EPI-OBJ-answer--{field}").find("a", "rw-ref--elsewhere")]
        assert links == [ANSWER], field
    (annotation,) = article(usual, "left/notes").one(id="notes-on-EPI-OBJ-answer--body").find("a", "rw-ref")
    assert annotation.words == ANSWER


def test_a_cell_defers_to_another_system(usual):
    report = article(usual, "left/epistemic")
    see = report.one(id=f"{ROW}--evaluator").one("span", "rw-see")
    assert see.words == f"see {ANSWER}"
    see = report.one(id=f"{ROW}--activation").one("span", "rw-see")
    assert see.words == f"see route and {LOOP} for what {ANSWER} waits for"
    links = ["route → RT-RTE-loop", LOOP, ANSWER]
    assert led(usual, "left/epistemic", see) == expected(usual, links, "left")


def test_the_overview_refers_to_the_other_system(usual):
    """With the summaries of the system and its member, the boundary, and what the register says of a source."""
    links = [each.words for each in article(usual, "left/index").find("a", "rw-ref--elsewhere")]
    assert links == [ANSWER, "that answer", ANSWER]
    (link,) = article(usual, "left/sources").find("a", "rw-ref--elsewhere")
    assert link.words == ANSWER


def test_the_portal_refers_by_the_systems_names(site):
    """Its own prose, and the summary of a system on its card."""
    links = [
        "left:EPI-OBJ-answer",
        f"another → {ANSWER}",
        f"more → {LOOP}",
        "right-hand:EPI-RTE-asking",
        "left:SRC-1",
        SOURCE,
    ]
    top = [each for each in article(site, "index").children if isinstance(each, Element) and each.tag in ("p", "h2")]
    found = [link for each in top for link in led(site, "index", each)]
    assert found == expected(site, links, "")
    assert [each.attributes.get("id", "") for each in top] == ["", "about-right-handepi-rte-asking", ""]
    (card, _) = article(site, "index").find("article", "rw-card--system")
    links = [ANSWER, SOURCE, f"that answer → {ANSWER}"]
    found = [each for each in led(site, "index", card) if each[0] in (ANSWER, SOURCE, "that answer")]
    assert found == expected(site, links, "")


def elsewhere(site: BuiltSite, file: str) -> list[tuple[str, str, str]]:
    """What the page of a record lists under "Cited by other systems": group, words, and address of each citation."""
    found = site.article(file)
    assert found is not None
    told, group, is_on = [], "", False
    for each in found.walk():
        if each.tag in ("h2", "nav"):
            is_on = each.attributes.get("id") == "cited-elsewhere"
        elif is_on and each.tag == "h3":
            group = each.words
        elif is_on and each.tag == "a" and "headerlink" not in each.classes:
            told.append((group, each.words, each.attributes["href"]))
    return told


def test_a_record_lists_who_cites_it_from_elsewhere(site):
    """Prose by its page, a field by the very field; and each of them does refer to the record."""
    file = site.record_page("right-hand", "EPI-OBJ-answer")
    told = [(group, words, site.follow(file, href)) for group, words, href in elsewhere(site, file)]
    fields = [
        (group, words, (site.file_of(f"left/{page}"), anchor.format(row=ROW))) for group, words, page, anchor in FIELDS
    ]
    pages = [("Left · Place", "in the text", (site.file_of(f"left/places/{each}"), "")) for each in CITING]
    assert sorted(told) == sorted([*fields, *pages])
    for _, _, (page, anchor) in told:
        place = site.page(page).root.one(id=anchor) if anchor else site.article(page)
        place = place.parent if place and place.tag in HEADINGS else place
        assert place is not None
        leads = [site.follow(page, each.attributes["href"])[0] for each in place.find("a", "rw-ref")]
        assert file in leads, f"{page}#{anchor}"


def test_words_in_a_link_of_html_are_no_citation(usual):
    told = elsewhere(usual, usual.record_page("right-hand", "EPI-OBJ-answer"))
    assert [href for _, _, href in told if "html-link" in href] == []


def test_a_citation_from_elsewhere_shows_its_sentence(usual):
    file = usual.record_page("right-hand", "EPI-OBJ-answer")
    found = usual.article(file)
    assert found is not None
    told = {each.words for each in found.find("span", "rw-sentence")}
    assert {f"Its answer is not {ANSWER}.", f"Told apart from {ANSWER}.", f"Looks like {ANSWER}."} <= told


def test_citations_from_elsewhere_are_those_of_the_record_alone(usual):
    """Of a withheld record, of one that only records cite, and of one of the same ID in the citing system."""
    told = elsewhere(usual, usual.record_page("right-hand", "RT-RTE-loop"))
    fields = [words for group, words, _ in told if group == "Left · Epistemic report"]
    assert fields == ["EPI-OBJ-answer · Body", "Authority-route ledger, row 1 · Activation and timing"]
    pages = sorted(href.rstrip("/").rpartition("/")[2] for _, _, href in told if "/places/" in href)
    assert pages == ["box", "definition", "list", "several", "table", "withheld"]
    assert len(told) == len(fields) + len(pages)
    (rule,) = elsewhere(usual, usual.record_page("left", "EPI-OBJ-rule"))
    assert rule[:2] == ("Right & hand · Epistemic report", "EPI-RTE-asking · Body")
    assert elsewhere(usual, usual.record_page("left", "EPI-OBJ-answer")) == []
    assert elsewhere(usual, usual.record_page("left", "RT-RTE-loop")) == []


def test_the_data_keeps_references_as_they_are_written(site):
    for system in ("left", "right-hand"):
        data = json.loads((site.folder / system / "records.json").read_text(encoding="utf-8"))
        assert [f"{each.json_path}: {each.message}" for each in schemas.load().errors("records", data)] == []
        assert schemas.load().is_valid("records", data)
    data = json.loads((site.folder / "left" / "records.json").read_text(encoding="utf-8"))
    (row,) = data["tables"]["ledger"]
    assert row["evaluator"] == {"see": [ANSWER]}
    waits = f"what {ANSWER} waits for"
    assert row["activation"] == {"text": "After every question", "see": ["route", LOOP], "for": waits}
    assert row["cited"] == [ANSWER]
    assert [each["id"] for each in data["records"]] == ["EPI-OBJ-answer", "EPI-OBJ-rule", "RT-RTE-loop"]
    assert [each for record in data["records"] for each in record["cited_by"] if each["url"].startswith("..")] == []


def printed(root: Path) -> str:
    """What the check prints of the two systems."""
    found = project.load(root, root / "records", root / "docs").diagnostics
    return "".join(report.formatted(each, root) + "\n" for each in found)


def test_the_two_systems_have_no_fault(tmp_path):
    assert printed(write(tmp_path)) == ""


SYNTAX = """\
{file}:1:10: error: the `[` here is not closed, or a comma is missing behind it [yaml-syntax]
  1 | records: [
    |          ^
  {file}:1:11: this is where it goes wrong
  1 | records: [
    |           ^
  help: close it with `]`, or put the text in double quotes
"""

BROKEN: dict[str, tuple[str, str, str]] = {
    "system": ("system.yml", "records: [\n", SYNTAX),
    "file": ("epistemic/objects.yml", "records: [\n", SYNTAX),
    "record": (
        "epistemic/routes.yml",
        RIGHT_ROUTES.replace("owner", "ownr"),
        """\
{file}:5:5: error: `ownr` is not a key of `EPI-RTE-asking` [unknown-key]
  5 |     ownr: The reader.
    |     ^
  help: did you mean `owner`?
""",
    ),
}
"""A file of the right system, what stands in it now, and all that is said of it."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_system_makes_no_faults_in_another(tmp_path, name):
    """Whatever may be declared there: nobody can tell, so nobody complains of a reference to it."""
    file, text, expected = BROKEN[name]
    root = write(tmp_path)
    (root / "records" / "right-hand" / file).write_text(text, encoding="utf-8")
    assert printed(root) == expected.format(file=f"records/right-hand/{file}")


def test_a_record_that_is_gone_is_missed_at_every_place_that_refers_to_it(tmp_path):
    """The measure of the test above: in the files of the system, in the other system, and on the portal."""
    root = write(tmp_path)
    path = root / "records/right-hand/epistemic/routes.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("EPI-RTE-asking", "EPI-RTE-asked"), encoding="utf-8")
    assert (
        printed(root)
        == """\
docs/index.md:5:10: error: `EPI-RTE-asking` is not declared in `right-hand` [unknown-id]
  5 | ## About right-hand:EPI-RTE-asking
    |          ^
  help: did you mean `EPI-RTE-asked`?
records/left/epistemic/ledger.yml:18:28: error: `EPI-RTE-asking` is not declared in `right-hand` [unknown-id]
  18 |     authority_path: {see: ["right-hand:EPI-RTE-asking"]}
     |                            ^
  help: did you mean `EPI-RTE-asked`?
records/right-hand/epistemic/objects.yml:7:25: error: `EPI-RTE-asking` is not declared [unknown-id]
  7 |     lineage: Written by EPI-RTE-asking.
    |                         ^
  help: did you mean `EPI-RTE-asked`?
records/right-hand/epistemic/objects.yml:8:30: error: `EPI-RTE-asking` is not declared [unknown-id]
  8 |     body: Said "as it is" by EPI-RTE-asking. A second sentence.
    |                              ^
  help: did you mean `EPI-RTE-asked`?
"""
    )
