"""The ledger as it is published, read from the finished pages and counted anew from the YAML: the matrix of routes and
functions above it, what its rows can be filtered by, and that every field of every row is there, once, for everyone."""

import json
import re
from collections import Counter
from typing import Any

import pytest
import yaml

from tests.site.build import REPOSITORY
from tests.site.html import BuiltSite
from tests.site.tree import Element

SCHEMAS = REPOSITORY / "schemas"
FACETS = ["function", "status", "relation", "force", "routes", "objects", "claims", "mismatch"]


def ledger(system: str) -> list[dict[str, Any]]:
    """The rows as they were written, all values as text."""
    text = (REPOSITORY / "records" / system / "epistemic" / "ledger.yml").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = yaml.load(text, Loader=yaml.BaseLoader)["rows"]
    return found


def said(value: Any) -> str:
    """What a cell says itself, beside what it defers to others."""
    return str(value.get("text", "")) if isinstance(value, dict) else str(value)


def term(value: Any) -> str:
    """A controlled value, without the description that may come with it."""
    return next(iter(value)) if isinstance(value, dict) else str(value)


def told(value: Any) -> str:
    """A controlled value as a reader sees it, with its description."""
    return ": ".join(*value.items()) if isinstance(value, dict) else str(value)


def forces() -> list[str]:
    """The vocabulary of forces."""
    known = json.loads((SCHEMAS / "vocabularies.schema.json").read_text(encoding="utf-8"))["$defs"]
    return list(known["force"]["enum"])


def values(row: dict[str, Any]) -> dict[str, list[str]]:
    """What a row can be filtered by."""
    words = re.findall("[a-z]+", f"{said(row['authority_path'])} {said(row['force'])}".lower())
    return {
        "function": [term(row["function"])],
        "status": [term(row["status"])],
        "relation": [term(row["relation"])],
        "force": [force for force in forces() if force in words],
        "routes": row["routes"],
        "objects": row["objects"],
        "claims": row["claims"],
        "mismatch": ["none" if row["mismatch"] == "none" else "a mismatch"],
    }


def names() -> dict[str, str]:
    """The fields of a row with their names, as the schema has them."""
    schema = json.loads((SCHEMAS / "ledger.schema.json").read_text(encoding="utf-8"))
    properties = schema["properties"]["rows"]["items"]["properties"]
    return {key: each["title"] for key, each in properties.items()}


pytestmark = pytest.mark.parametrize("system", ["ace", "arigraph"])


@pytest.fixture
def site(published) -> BuiltSite:
    found: BuiltSite = published.site
    return found


@pytest.fixture
def article(site, system) -> Element:
    found: Element | None = site.article(site.file_of(f"{system}/epistemic"))
    assert found is not None
    return found


@pytest.fixture
def box(article) -> Element:
    found: Element = article.one("div", "rw-table--ledger")
    return found


@pytest.fixture
def rows(box) -> list[Element]:
    return list(box.find("tbody", "rw-row"))


def matrix_of(article: Element) -> tuple[list[str], dict[str, list[Element]]]:
    """The functions of the columns, and the cells of each route."""
    table = article.one("figure", "rw-matrix").one("table")
    functions = [each.attributes["data-function"] for each in table.one("thead").find("th") if each.words != "Route"]
    routes: dict[str, list[Element]] = {}
    for row in table.one("tbody").find("tr"):
        route = row.one("th").one("a", "rw-ref").words
        assert route not in routes, f"{route} has two rows"
        routes[route] = list(row.find("td"))
    return functions, routes


def test_the_matrix_has_a_row_for_each_route_and_a_column_for_each_function(article, system):
    functions, routes = matrix_of(article)
    written = ledger(system)
    assert Counter(functions) == Counter({term(row["function"]) for row in written})
    assert list(routes) == list(dict.fromkeys(route for row in written for route in row["routes"]))
    assert {len(cells) for cells in routes.values()} == {len(functions)}


def test_the_columns_of_the_matrix_are_named_after_their_functions(article, system):
    table = article.one("figure", "rw-matrix").one("table")
    for heading in list(table.one("thead").find("th"))[1:]:
        assert heading.one("a", "rw-term").words == heading.attributes["data-function"]


def test_the_rows_of_the_matrix_lead_to_their_routes(article, site, system):
    file = site.file_of(f"{system}/epistemic")
    for row in article.one("figure", "rw-matrix").one("tbody").find("tr"):
        link = row.one("th").one("a", "rw-ref")
        assert site.follow(file, link.attributes["href"])[0] == site.record_page(system, link.words)


def test_each_cell_of_the_matrix_has_exactly_one_mark_for_each_of_its_rows(article, rows, system):
    """With its status, named aloud too; in their order; and it leads to just that row."""
    functions, routes = matrix_of(article)
    numbers = {f"#{row.attributes['id']}": int(row.attributes["data-number"]) for row in rows}
    found = {
        (route, function): [
            (
                numbers[mark.attributes["href"]],
                mark.attributes["data-status"],
                mark.attributes["aria-label"],
                mark.attributes["data-route"],
                mark.attributes["data-function"],
            )
            for mark in cell.find("a")
        ]
        for route, cells in routes.items()
        for function, cell in zip(functions, cells, strict=True)
    }
    expected: dict[tuple[str, str], list[tuple[int, str, str, str, str]]] = {key: [] for key in found}
    for number, row in enumerate(ledger(system), 1):
        for route in row["routes"]:
            status, function = term(row["status"]), term(row["function"])
            mark = (number, status, f"row {number}: {status}", route, function)
            expected[route, function].append(mark)
    assert found == expected


def test_a_status_has_one_mark_and_a_mark_one_status_and_the_legend_tells_which(article, system):
    """Nobody has to tell colours apart."""
    figure = article.one("figure", "rw-matrix")
    marks = {(each.attributes["data-status"], each.words) for each in figure.one("tbody").find("a", "rw-mark")}
    assert {status for status, _ in marks} == {term(row["status"]) for row in ledger(system)}
    assert len(marks) == len({status for status, _ in marks}) == len({mark for _, mark in marks})
    caption = figure.one("caption")
    legend = {(each.attributes["data-status"], each.words) for each in caption.find("span", "rw-mark")}
    assert legend == marks
    words = re.split(r",? ?[●◉◐○?] ", caption.words.removeprefix("Which route does what: "))
    assert words[0] == ""
    assert Counter(words[1:]) == Counter(status for status, _ in marks)


def test_the_rows_are_those_of_the_file_in_their_order(rows, box, system):
    written = ledger(system)
    assert [int(row.attributes["data-number"]) for row in rows] == list(range(1, len(written) + 1))
    assert box.one("caption").words == f"Authority-route ledger: {len(written)} rows"
    for row, one in zip(rows, written, strict=True):
        shown = {key: row.one("div", f"rw-part--{key}").one("div", "rw-value") for key in one}
        for key in ("function", "status", "relation"):
            assert shown[key].words == told(one[key])
        for key in ("routes", "objects", "claims"):
            assert [each.one("a", "rw-ref").words for each in shown[key].find("span", "rw-id")] == one[key]
        assert one["evidence"], "so that there is something to look for"
        for each in one["evidence"]:
            assert each["source"] in shown["evidence"].words
            assert each.get("path", "") in shown["evidence"].words


def test_what_a_row_can_be_filtered_by_is_what_the_file_says(rows, box, system):
    assert list(json.loads(box.attributes["data-facets"])) == FACETS
    found = [json.loads(row.attributes["data-values"]) for row in rows]
    assert found == [values(row) for row in ledger(system)]


def test_the_facets_are_worth_filtering_by(system):
    """What the tests above compare is not empty, and differs from row to row."""
    written = [values(row) for row in ledger(system)]
    for facet in FACETS:
        assert len({tuple(row[facet]) for row in written}) > 1, facet


def test_every_field_stands_exactly_once_in_each_row_with_its_name(rows, box, system):
    expected = names()
    assert len(expected) == 17
    assert json.loads(box.attributes["data-fields"]) == expected
    for row in rows:
        parts = [each for each in row.walk() if "rw-part" in each.classes]
        keys = [next(css for css in each.classes if css.startswith("rw-part--"))[9:] for each in parts]
        assert Counter(keys) == Counter(list(expected)), row.attributes["id"]
        for key, part in zip(keys, parts, strict=True):
            name = "".join(each.words for each in part.find("span", "rw-name"))
            column = next(each for each in part.ancestors() if each.tag in ("td", "th")).attributes.get(
                "data-column", ""
            )
            assert name == ("" if "rw-bare" in part.classes else expected[key])
            assert name or expected[key].split()[0].lower().rstrip("s") in column.lower(), (
                f"nothing says that this is {key}"
            )
            assert part.one("div", "rw-value").words, f"{key} of {row.attributes['id']} says nothing"


def test_nothing_is_hidden_that_a_reader_cannot_unfold(article, box, system):
    """Of the markup; what the style sheet hides, a browser shows. Nothing waits for a script."""
    for part in (article.one("figure", "rw-matrix"), box):
        for each in part.walk():
            assert "hidden" not in each.attributes
            assert "rw-hidden" not in each.classes
            assert "display" not in each.attributes.get("style", "")
            assert each.tag not in ("template", "noscript", "script", "dialog")
    for folded in box.find("details"):
        assert folded.one("summary").words.startswith("More fields of row ")
    folded_keys = {
        css[9:]
        for details in box.find("details")
        for each in details.walk()
        for css in each.classes
        if css.startswith("rw-part--")
    }
    assert folded_keys == {"evaluator", "activation", "authority_path", "evidence", "claims", "mismatch"}
    assert list(article.find("div", "rw-bar")) == []
