"""The portal of the published repository, as finished HTML, against what is counted in the YAML files here.

Nothing of the package counts or reads for these tests: the files are read as text, and the values are counted anew.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.site.build import REPOSITORY
from tests.site.html import BuiltSite
from tests.site.tree import Element
from tests.test_site import KINDS, SYSTEMS, read

NAMES = {
    "CMP": ("component", "components"),
    "OBJ": ("operative object", "operative objects"),
    "RTE": ("route", "routes"),
    "CLM": ("claim", "claims"),
    "ABS": ("evidenced absence", "evidenced absences"),
    "BAP": ("behavioral-authority path", "behavioral-authority paths"),
}
"""The kinds in the order in which a card lists them: of one record, and of several."""

VOCABULARIES = json.loads((REPOSITORY / "schemas" / "vocabularies.schema.json").read_text(encoding="utf-8"))["$defs"]


def meanings(vocabulary: str) -> dict[str, str]:
    """The values of a vocabulary in their order, those with a description behind the others, with their meanings."""
    schema = VOCABULARIES[vocabulary]
    listed = schema.get("then", schema)
    described = schema.get("else", {}).get("properties", {})
    return dict(zip(listed["enum"], listed["enumDescriptions"], strict=True)) | {
        name: each["description"] for name, each in described.items()
    }


@dataclass(frozen=True)
class Row:
    """A row of a table: its member, its place in the member's file, counted from 0, and what it says."""

    member: str
    number: int
    told: dict[str, Any]


class System:
    """What the files of one system say."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: dict[str, Any] = read(REPOSITORY / "records" / name / "system.yml")
        self._rows: dict[str, list[Row]] = {}

    @property
    def label(self) -> str:
        return str(self.told["label"])

    @cached_property
    def members(self) -> dict[str, dict[str, Any]]:
        return {member["name"]: member for member in self.told["members"]}

    @cached_property
    def published(self) -> list[str]:
        return [name for name, member in self.members.items() if member["publication"] == "published"]

    def _entries(self, stem: str, key: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
        for member in self.published:
            file = REPOSITORY / "records" / self.name / member / f"{stem}.yml"
            for number, told in enumerate(read(file)[key] if file.exists() else ()):
                yield member, number, told

    def rows(self, table: str) -> list[Row]:
        if table not in self._rows:
            self._rows[table] = [Row(*each) for each in self._entries(table, "rows")]
        return self._rows[table]

    @cached_property
    def declared(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Each declared record by its ID: its member, and what it says."""
        files = chain.from_iterable(self._entries(stem, "records") for stem in KINDS.values())
        return {told["id"]: (member, told) for member, _, told in files}

    @cached_property
    def withheld(self) -> dict[str, str]:
        """Each record that a withheld member lists, with that member."""
        return {one: name for name, member in self.members.items() for one in member.get("records", ())}


@cache
def system_of(name: str) -> System:
    return System(name)


def systems() -> list[System]:
    return [system_of(name) for name in SYSTEMS]


@pytest.fixture(params=SYSTEMS)
def system(request) -> System:
    return system_of(request.param)


@pytest.fixture
def site(published) -> BuiltSite:
    value: BuiltSite = published.site
    return value


def kind_of(record_id: str) -> str:
    found = re.search(r"\b(CMP|OBJ|RTE|CLM|ABS|BAP)-", record_id)
    assert found
    return found[1]


def value_of(term: Any) -> str:
    """A controlled value, which is a text, or the one key of a mapping whose value describes it."""
    if isinstance(term, str):
        return term
    (value,) = term
    return str(value)


def words(markdown: str) -> str:
    """A text of a record as a reader sees it, where it holds no other markup than code and emphasis."""
    assert not re.search(r"\]\(|^[->#]|\*", markdown, re.MULTILINE), markdown
    return " ".join(markdown.replace("`", "").split())


def article(site: BuiltSite, name: str) -> Element:
    found = site.article(site.file_of(name))
    assert found is not None
    return found


def inner(element: Element) -> list[Element]:
    return [each for each in element.children if isinstance(each, Element)]


def led(site: BuiltSite, name: str, element: Element) -> list[tuple[str, str]]:
    """The links of an element: their words, and the file and anchor that they lead to."""
    links = [each for each in element.find("a") if "headerlink" not in each.classes]
    followed = [(each.words, site.follow(site.file_of(name), each.attributes["href"])) for each in links]
    return [(text, f"{file}#{anchor}" if anchor else file) for text, (file, anchor) in followed]


# The cards


def card_of(site: BuiltSite, system: System) -> Element:
    cards = article(site, "index").find("article", "rw-card--system")
    return next(each for each in cards if each.one("h2").attributes["id"] == system.name)


@pytest.fixture
def told(site, system) -> dict[str, Element]:
    """The fields of a system's card, by their names."""
    fields = card_of(site, system).one("dl", "rw-fields")
    return {each.one("dt").words: each.one("dd") for each in inner(fields)}


def test_the_portal_has_a_card_for_each_system(site):
    cards = article(site, "index").find("article", "rw-card--system")
    headings = [(each.one("h2").attributes["id"], led(site, "index", each.one("h2"))) for each in cards]
    assert headings == [(name, [(system_of(name).label, f"{name}/index.html")]) for name in SYSTEMS]


def test_a_card_says_what_the_system_is(site, system):
    (_, summary, *_) = inner(card_of(site, system))
    assert summary.words == words(system.told["summary"])


def test_a_card_has_the_fields_there_are(told, system):
    fields = ["Target class", "Boundary", "Frozen at", "Evidence tier", "Published", "Withheld", "Records"]
    if "target_class" not in system.told:
        fields.remove("Target class")
    assert list(told) == fields


def test_a_card_tells_class_boundary_and_tier(told, system):
    if "target_class" in system.told:
        assert told["Target class"].words == value_of(system.told["target_class"])
    boundary = system.told["boundary"]
    kind = f"{boundary['kind']}. " if "kind" in boundary else ""
    assert told["Boundary"].words == kind + words(boundary["statement"].split("\n\n")[0])
    assert told["Evidence tier"].words == system.told.get("evidence_tier", "not stated in the published reports")


def test_a_card_tells_the_frozen_state_of_each_source(site, told, system):
    places = list(told["Frozen at"].find("span", "rw-id"))
    assert len(places) == len(system.told["sources"])
    for place, source in zip(places, system.told["sources"], strict=True):
        revision, repository = source["revision"], source.get("repository", "")
        register = (f"{site.file_of(f'{system.name}/sources')}", source["id"])
        assert site.follow("index.html", place.one("a", "rw-source").attributes["href"]) == register
        links = [each for each in place.find("a") if "rw-source" not in each.classes]
        if isinstance(revision, dict):
            assert place.words == f"{source['id']}: revision not published — {words(revision['unpublished'])}"
            assert links == []
        else:
            assert place.words == f"{source['id']}: {revision}"
            assert [each.attributes["href"] for each in links] == [f"{repository}/tree/{revision}"]


def test_a_card_lists_the_members(site, told, system):
    titles = {name: member["title"] for name, member in system.members.items()}
    reports = [(titles[name], site.file_of(f"{system.name}/{name}")) for name in system.published]
    assert led(site, "index", told["Published"]) == reports
    assert told["Published"].words == ", ".join(titles[name] for name in system.published)
    withheld = [titles[name] for name in system.members if name not in system.published]
    assert told["Withheld"].words == (", ".join(withheld) or "nothing")
    assert list(told["Withheld"].find("a")) == []


def test_a_card_counts_the_records_of_each_kind(site, told, system):
    declared, withheld = (Counter(map(kind_of, ids)) for ids in (system.declared, system.withheld))
    expected = []
    for code, (one, several) in NAMES.items():
        if count := declared[code] + withheld[code]:
            numbers = [(declared[code], "declared"), (withheld[code], "withheld")]
            said = ", ".join(f"{number} {word}" for number, word in numbers if number)
            index = site.file_of(f"{system.name}/records/{KINDS[code]}")
            expected.append((f"{one if count == 1 else several}: {said}", index))
    found = [(each.words, led(site, "index", each)[0][1]) for each in told["Records"].find("li")]
    assert found == expected


def test_a_card_draws_the_ledger(site, system):
    """A bar for each function that has rows, as long as there are rows; its parts are the rows of each status."""
    rows = [each.told for each in system.rows("ledger")]
    found = card_of(site, system)
    if not rows:
        assert list(found.find("figure")) == []
        assert found.one("p", "rw-none").words == "No published member has an authority-route ledger."
        return
    functions = Counter(value_of(row["function"]) for row in rows)
    pairs = Counter((value_of(row["function"]), row["status"]) for row in rows)
    statuses = [each for each in meanings("architectural_status") if any(row["status"] == each for row in rows)]
    figure = found.one("figure", "rw-spread")
    bars = inner(figure.one("tbody"))
    assert [each.one("th").words for each in bars] == [each for each in meanings("route_function") if functions[each]]
    for bar in bars:
        function = bar.one("th").words
        assert bar.one("td", "rw-number").words == str(functions[function])
        picture = bar.one("svg")
        parts = [(status, pairs[function, status]) for status in statuses if pairs[function, status]]
        assert picture.attributes["aria-label"] == ", ".join(f"{count} {status}" for status, count in parts)
        assert picture.attributes["viewbox"] == f"0 0 {max(functions.values())} 1"
        start = 0
        for rect, (status, count) in zip(picture.find("rect"), parts, strict=True):
            drawn = (rect.attributes["data-status"], rect.attributes["x"], rect.attributes["width"])
            assert drawn == (status, str(start), str(count))
            assert rect.one("title").words == f"{count} {status}"
            start += count
        assert start == functions[function]
        ((_, target),) = led(site, "index", bar.one("th"))
        page, anchor = target.split("#")
        assert page == site.file_of(f"{system.name}/records/values")
        assert listed(site, system.name, anchor) == addresses_of_rows(site, system, "function", function)
    caption = f"{len(rows)} ledger rows by function" + (" and status" if len(statuses) > 1 else "")
    assert figure.one("figcaption").words == caption
    legend = [each.words for each in figure.find("p", "rw-legend")]
    assert legend == ([" ".join(statuses)] if len(statuses) > 1 else [])


# What a number leads to


def listed(site: BuiltSite, system: str, anchor: str) -> list[str]:
    """What stands under a heading on the page of values: the row that each item leads to, or each record's page."""
    name = f"{system}/records/values"
    found: list[str] = []
    is_under = False
    for each in inner(article(site, name)):
        if re.fullmatch("h[1-6]", each.tag):
            is_under = each.attributes["id"] == anchor
        elif is_under and each.tag == "ul":
            found += [led(site, name, item)[0][1] for item in inner(each)]
        elif is_under:
            found += [led(site, name, head)[0][1] for head in each.one("tbody").find("th")]
    return found


def addresses_of_rows(site: BuiltSite, system: System, column: str, value: str) -> list[str]:
    """The anchors, in their report, of the ledger's rows with a value in a column."""
    found = []
    for row in system.rows("ledger"):
        file = site.file_of(f"{system.name}/{row.member}")
        table = article(site, f"{system.name}/{row.member}").one("div", "rw-table--ledger")
        anchors = [each.attributes["id"] for each in table.find("tbody", "rw-row")]
        assert len(anchors) == sum(each.member == row.member for each in system.rows("ledger"))
        if value_of(row.told[column]) == value:
            found.append(f"{file}#{anchors[row.number]}")
    return found


def statuses(record: dict[str, Any]) -> dict[str, str]:
    """The conclusion statuses of a record by layer; an evidenced absence has one that names none."""
    status = record.get("status", {})
    return {"conclusion": status} if isinstance(status, str) else status


def pages_of_records(site: BuiltSite, system: System, layer: str, value: str) -> list[str]:
    """The pages of the records with a conclusion status."""
    found = [one for one, (_, told) in system.declared.items() if statuses(told).get(layer) == value]
    return [site.record_page(system.name, one) for one in found]


# Comparing


def compared(site: BuiltSite, heading: str) -> Element:
    """The table under a heading of the page that compares."""
    parts = inner(article(site, "compare"))
    at = next(number for number, each in enumerate(parts) if each.attributes.get("id") == heading)
    return parts[at + 1].one("table")


def cells(row: Element) -> list[Element]:
    return [each for each in inner(row) if each.tag == "td"]


def check_table(
    site: BuiltSite,
    heading: str,
    keys: list[str],
    counted: Callable[[System, str], list[str]],
    totals: list[int],
) -> None:
    """Hold a table against what is counted. `keys` are the words of its rows, `counted` what each number stands for."""
    table = compared(site, heading)
    head = [each.words for each in inner(table.one("thead").one("tr"))]
    assert head[1:] == [*(each.label for each in systems()), "All"]
    assert led(site, "compare", table.one("thead")) == [(each.label, f"{each.name}/index.html") for each in systems()]
    rows = inner(table.one("tbody"))
    assert [row.one("th").words for row in rows] == keys
    for row, key in zip(rows, keys, strict=True):
        expected = [counted(each, key) for each in systems()]
        *numbers, total = cells(row)
        assert [each.words for each in numbers] == [str(len(each)) for each in expected], key
        assert [each.attributes["data-column"] for each in numbers] == [each.label for each in systems()]
        assert total.words == str(sum(map(len, expected)))
        assert ("rw-empty" in row.classes) == (not any(expected))
        for cell, system, entries in zip(numbers, systems(), expected, strict=True):
            links = led(site, "compare", cell)
            assert len(links) == bool(entries)
            for _, target in links:
                page, anchor = target.split("#")
                assert page == site.file_of(f"{system.name}/records/values")
                assert listed(site, system.name, anchor) == entries, target
    assert [each.words for each in cells(table.one("tfoot").one("tr"))] == [
        str(each) for each in (*totals, sum(totals))
    ]


@pytest.mark.parametrize(
    ("column", "vocabulary"),
    [("function", "route_function"), ("status", "architectural_status"), ("relation", "content_relation")],
)
def test_rows_are_compared_by_every_value_there_is(site, column, vocabulary):
    """0 where a system has none, and each other number leads to exactly the rows that it counts."""
    totals = [len(each.rows("ledger")) for each in systems()]
    assert sum(totals) > 20
    heading = vocabulary.replace("_", "-")
    check_table(
        site,
        heading,
        list(meanings(vocabulary)),
        lambda system, value: addresses_of_rows(site, system, column, value),
        totals,
    )


def test_records_are_compared_by_their_conclusion_statuses(site):
    known = list(meanings("conclusion_status"))
    told = [status for each in systems() for _, record in each.declared.values() for status in statuses(record).items()]
    layers = sorted({layer for layer, _ in told})
    keys = [f"{layer}: {value}" for layer in layers for value in known if (layer, value) in told]
    assert len(keys) > 3
    totals = [len(each.declared) for each in systems()]
    check_table(
        site,
        "conclusion-status",
        keys,
        lambda system, key: pages_of_records(site, system, *key.split(": ")),
        totals,
    )


@pytest.mark.parametrize("column", ["function", "status", "relation"])
def test_the_page_of_values_leaves_no_row_out(site, system, column):
    """Every row of the ledger stands under exactly one value of each vocabulary; and under nothing but its own."""
    headings = [each.attributes["id"] for each in article(site, f"{system.name}/records/values").find("h3")]
    found = [row for each in headings if each.startswith(f"{column}-") for row in listed(site, system.name, each)]
    every = {value_of(row.told[column]) for row in system.rows("ledger")}
    expected = [row for value in every for row in addresses_of_rows(site, system, column, value)]
    assert sorted(found) == sorted(expected)
    assert len(found) == len(system.rows("ledger"))


def test_a_heading_of_the_page_of_values_says_what_it_counts(site, system):
    name = f"{system.name}/records/values"
    for heading in article(site, name).find("h3"):
        (count,) = heading.find("span", "rw-count")
        assert count.words == str(len(listed(site, system.name, heading.attributes["id"])))


def test_a_row_on_the_page_of_values_says_whose_it_is(site, system):
    """The number of the row in its report, its routes and its objects, each a link to the record."""
    name = f"{system.name}/records/values"
    items = [item for each in inner(article(site, name)) if each.tag == "ul" for item in inner(each)]
    for item in items:
        title, target = led(site, name, item)[0]
        number = int(title.removeprefix("Authority-route ledger, row "))
        (row,) = (each for each in system.rows("ledger") if each.number == number - 1)
        assert target.startswith(f"{site.file_of(f'{system.name}/{row.member}')}#")
        named = [*row.told["routes"], *row.told["objects"]]
        assert led(site, name, item.one("span", "rw-terms")) == [
            (one, site.record_page(system.name, one)) for one in named
        ]
    assert len(items) == 3 * len(system.rows("ledger"))


# Claims


def claims(site: BuiltSite) -> list[Element]:
    return list(compared(site, "claims").find("tbody", "rw-row"))


def test_every_claim_and_every_comparison_stands_in_the_list_once(site):
    """Each row of a report's comparison, and then the claims of the system that no report compares."""
    expected = []
    for system in systems():
        rows = system.rows("claim-comparison")
        expected += [(system.label, row.told["claim"], True) for row in rows]
        every = [one for one in (*system.declared, *system.withheld) if kind_of(one) == "CLM"]
        seen = {row.told["claim"] for row in rows}
        expected += [(system.label, one, False) for one in every if one not in seen]
    found = []
    for claim in claims(site):
        head = claim.one("th")
        label, record = led(site, "compare", head)[:2]
        found.append((label[0], record[0], bool(list(head.find("a", "rw-permalink")))))
    assert found == expected
    assert {each for _, _, each in expected} == {True, False}
    assert compared(site, "claims").one("caption").words == f"Claims: {len(expected)}"


def test_a_claim_stands_beside_its_routes(site):
    """And leads to its record and to its row in the report, whose conclusion and mismatch it repeats."""
    every = {
        (system.label, row.told["claim"]): (system, row)
        for system in systems()
        for row in system.rows("claim-comparison")
    }
    for claim in claims(site):
        head, *columns = [each for each in claim.one("tr").children if isinstance(each, Element)]
        (label, overview), (one, record), *permalink = led(site, "compare", head)
        system = next(each for each in systems() if each.label == label)
        assert (overview, record) == (f"{system.name}/index.html", site.record_page(system.name, one))
        name = system.declared[one][1]["label"] if one in system.declared else ""
        assert head.one("span", "rw-id").words == f"{one} {name}".strip()
        if not permalink:
            assert [each.words for each in columns] == ["no published report holds it against routes"]
            continue
        _, row = every.pop((label, one))
        report = f"{system.name}/{row.member}"
        anchors = [
            each.attributes["id"]
            for each in article(site, report).one("div", "rw-table--claim-comparison").find("tbody", "rw-row")
        ]
        assert permalink == [("the comparison in its report", f"{site.file_of(report)}#{anchors[row.number]}")]
        routes = led(site, "compare", next(columns[0].find("div", "rw-part")))
        assert routes == [(each, site.record_page(system.name, each)) for each in row.told["routes"]]
        for column, key in zip(columns[1:], ("conclusion", "mismatch"), strict=True):
            if isinstance(row.told[key], str):
                assert column.words == words(row.told[key])
    assert every == {}


# All records


def test_the_list_of_all_records_has_a_row_for_each_record_page(site):
    """Exactly one, whose link leads there, and which says label, kind, system, member and statuses."""
    expected = []
    for system in systems():
        titles = {name: member["title"] for name, member in system.members.items()}
        for one, (member, told) in system.declared.items():
            status = " ".join(f"{layer}: {value}" for layer, value in statuses(told).items()) or ""
            expected.append((system.name, one, told["label"], system.label, titles[member], status))
        for one, name in system.withheld.items():
            expected.append((system.name, one, "", system.label, f"{titles[name]} (withheld)", ""))
    rows = inner(article(site, "records").one("tbody", id="rw-finder-rows"))
    found, led_to = [], []
    for row in rows:
        head, kind, about, by, state = inner(row)
        ((one, target),) = led(site, "records", head)
        name = row.attributes["data-system"]
        assert target == site.record_page(name, one)
        assert kind.words == NAMES[kind_of(one)][0]
        assert led(site, "records", about) == [(system_of(name).label, f"{name}/index.html")]
        found.append((name, one, head.words.removeprefix(one).strip(), about.words, by.words, state.words))
        led_to.append(target)
    assert sorted(found) == sorted(expected)
    indexes = {
        site.file_of(f"{system}/records/{name}")
        for system in SYSTEMS
        for name in (*KINDS.values(), "index", "values", "map")
    }
    pages = {file for file in site.pages if "/records/" in file} - indexes
    assert sorted(led_to) == sorted(pages)
    assert article(site, "records").one("caption").words == f"All records: {len(pages)}"


def test_without_scripts_no_field_is_shown(site):
    assert "hidden" in article(site, "records").one("div", "rw-finder").attributes


# The glossary


def test_the_glossary_has_every_value_with_its_meaning(site):
    found: dict[str, dict[str, str]] = {}
    intros = []
    for each in inner(article(site, "glossary")):
        if each.tag == "h2":
            found[each.attributes["id"]] = {}
        elif each.tag == "dl":
            for item in inner(each):
                term = item.one("dt").one("span", "rw-term")
                assert term.words == term.attributes["data-value"]
                found[list(found)[-1]][term.words] = item.one("dd").words
        elif each.tag == "p" and found:
            intros.append(each.words)
    assert found == {slug(each["title"]): meanings(name) for name, each in VOCABULARIES.items()}
    assert intros == [each["description"] for each in VOCABULARIES.values()]


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def test_each_value_of_the_glossary_has_an_anchor_of_its_own(site):
    anchors = [each.attributes["id"] for each in article(site, "glossary").find("div") if "id" in each.attributes]
    assert anchors == [slug(f"{name} {value}") for name in VOCABULARIES for value in meanings(name)]
    assert len(set(anchors)) == len(anchors)


def test_every_controlled_value_on_the_site_leads_to_its_meaning(site):
    """And has it as its title, which a browser shows."""
    glossary = site.file_of("glossary")
    places = {each.attributes["id"]: each for each in article(site, "glossary").find("div") if "id" in each.attributes}
    led_to = Counter[str]()
    plain = Counter[str]()
    for file in site.pages:
        for term in site.page(file).root.find(css="rw-term"):
            if term.tag != "a":
                plain[file] += 1
                continue
            page, anchor = site.follow(file, term.attributes["href"])
            place = places[anchor]
            value = term.attributes["data-value"]
            assert page == glossary
            assert place.one("span", "rw-term").attributes["data-value"] == value == term.words, f"{file}: {value}"
            assert place.one("dd").words == term.attributes["title"], f"{file}: {value}"
            led_to[anchor] += 1
    assert set(plain) == {glossary}
    assert sum(led_to.values()) > 300
    assert led_to.keys() <= places.keys()


def test_values_lead_to_the_vocabulary_that_they_belong_to(site, system):
    """In the ledger, where the same word might stand in another vocabulary."""
    for row in system.rows("ledger"):
        name = f"{system.name}/{row.member}"
        table = article(site, name).one("div", "rw-table--ledger")
        shown = list(table.find("tbody", "rw-row"))[row.number]
        for column, vocabulary in (
            ("function", "route-function"),
            ("status", "architectural-status"),
            ("relation", "content-relation"),
        ):
            term = shown.one("div", f"rw-part--{column}").one("a", "rw-term")
            assert urlsplit(term.attributes["href"]).fragment == slug(f"{vocabulary} {value_of(row.told[column])}")
