"""What only a browser shows of a ledger: filters, facets, groups, order, columns, downloads, and the address of it all.

What is expected is counted from the YAML, or read from the finished page as it stands without scripts.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests import test_browser
from tests.site.html import BuiltSite
from tests.site.tree import Element
from tests.test_ledger import ledger, names, values

pytestmark = pytest.mark.browser

browser, served, address, open_page = (
    test_browser.browser,
    test_browser.served,
    test_browser.address,
    test_browser.open_page,
)

LEDGER = "arigraph/epistemic/"
TITLES = {
    "function": "Function",
    "status": "Status",
    "relation": "Relation",
    "force": "Force",
    "routes": "Route",
    "objects": "Object",
    "claims": "Claim",
    "mismatch": "Mismatch",
}
FOLDED = {"evaluator", "activation", "authority_path", "evidence", "claims"}
DECLARED, WITHHELD = "EPI-RTE-observation-cleanup", "RT-RTE-game-memory"
ENOUGH = 400
AT_ONCE = 100  # milliseconds

VALUES = [values(row) for row in ledger("arigraph")]
ALL = list(range(1, len(VALUES) + 1))


# What the page shows, and what it should


def bar(page: Page) -> Locator:
    return page.get_by_role("search", name="Filter: Authority-route ledger")


def field(page: Page) -> Locator:
    return bar(page).get_by_role("searchbox", name="Filter")


def box(page: Page) -> Locator:
    return page.locator(".rw-table--ledger")


def shown(page: Page) -> list[int]:
    """The numbers of the rows that are shown, in the order in which they stand; where they stand again is left out."""
    found: list[int] = page.locator(".rw-table--ledger tbody.rw-row:not(.rw-again)").evaluate_all(
        "rows => rows.filter(row => row.checkVisibility()).map(row => Number(row.dataset.number))"
    )
    return found


def with_values(chosen: Mapping[str, Sequence[str]]) -> list[int]:
    """The rows that have, in each facet, one of the values chosen there."""
    return [
        number
        for number, row in enumerate(VALUES, 1)
        if all(set(row[facet]) & set(wanted) for facet, wanted in chosen.items())
    ]


def counts(page: Page, title: str) -> dict[str, int]:
    """What a menu says: each value with its count."""
    found: list[list[str]] = page.get_by_role("group", name=title, exact=True, include_hidden=True).evaluate(
        "menu => [...menu.querySelectorAll('label')].map(label => ["
        "label.querySelector('span').textContent, label.querySelector('.rw-facet__count').textContent])"
    )
    assert len(dict(found)) == len(found)
    return {value: int(count) for value, count in found}


def expected_counts(facet: str, chosen: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """For each value that occurs: the rows left if it alone is chosen in this facet, the others being as they are."""
    occurring = dict.fromkeys(value for row in VALUES for value in row[facet])
    return {value: len(with_values({**chosen, facet: [value]})) for value in occurring}


def menu(page: Page, title: str) -> Locator:
    """The menu with this name, which is a `details` element."""
    return (
        bar(page).locator("details").filter(has=page.get_by_role("group", name=title, exact=True, include_hidden=True))
    )


def choose(page: Page, title: str, *wanted: str) -> None:
    """Open a menu, click values, and close it."""
    there = menu(page, title)
    there.locator("summary").click()
    for value in wanted:
        label = there.locator("label").filter(has=page.locator(f'span:text-is("{value}")'))
        label.click()
    page.keyboard.press("Escape")
    assert there.get_attribute("open") is None


def assert_shows(page: Page, numbers: Sequence[int]) -> None:
    assert shown(page) == list(numbers)
    expect(bar(page).get_by_role("status")).to_have_text(f"{len(numbers)} of {len(ALL)} rows")


def query(page: Page) -> list[tuple[str, str]]:
    """What the address says, each part decoded."""
    return parse_qsl(urlsplit(page.url).query, keep_blank_values=True)


def headings(page: Page) -> list[str]:
    return page.locator(".rw-table--ledger thead th").all_inner_texts()


def headings_of_groups(page: Page) -> list[str]:
    return [" ".join(each.split()) for each in page.locator(".rw-group th").all_inner_texts()]


@pytest.fixture(scope="module")
def finished(served) -> list[Element]:
    """The rows of the finished page, as they are without scripts."""
    site: BuiltSite = served[1].site
    article = site.article(site.file_of("arigraph/epistemic"))
    assert article is not None
    return list(article.one("div", "rw-table--ledger").find("tbody", "rw-row"))


def value_of(row: Element, key: str) -> str:
    return row.one("div", f"rw-part--{key}").one("div", "rw-value").words


def packed(text: str) -> str:
    """A text without white space: how it is broken into lines does not matter."""
    return "".join(text.split())


# Filters


def only_folded(finished: Sequence[Element]) -> str:
    """A long word that stands in a folded field of some row, and in no other field of any."""
    open_words = {word for row in finished for key in set(names()) - FOLDED for word in value_of(row, key).split()}
    labels = " ".join(names().values()).split()
    folded = Counter(word for row in finished for key in FOLDED for word in set(value_of(row, key).split()))
    return max(
        (each for each in folded if re.fullmatch("[a-z]{6,}", each) and each not in open_words and each not in labels),
        key=lambda each: (folded[each], each),
    )


def test_a_text_filters_by_every_word_of_a_row(open_page, finished):
    """By folded fields too, by several words in any order, in any case; and an emptied field shows all."""
    page = open_page(LEDGER)
    assert_shows(page, ALL)
    expect(page.get_by_role("button", name="Clear filters")).to_be_hidden()
    hidden_word = only_folded(finished)
    for typed in (hidden_word, "triplets", "EVENTS  append", "graph memory", "EPI-OBJ-thesises", "xyzzy"):
        field(page).fill(typed)
        words = typed.lower().split()
        expected = [
            number for number, row in enumerate(finished, 1) if all(word in row.words.lower() for word in words)
        ]
        assert len(expected) < len(ALL), typed
        assert bool(expected) == (typed != "xyzzy"), typed
        assert_shows(page, expected)
        assert query(page) == [("ledger.text", typed)]
        expect(page.get_by_role("button", name="Clear filters")).to_be_visible()
    field(page).fill("")
    assert_shows(page, ALL)
    assert query(page) == []


def test_the_counts_of_every_facet_are_those_of_the_file(open_page):
    page = open_page(LEDGER)
    assert bar(page).locator(".rw-facet > summary").all_inner_texts() == [*TITLES.values(), "Columns"]
    for facet, title in TITLES.items():
        assert counts(page, title) == expected_counts(facet, {}), title


CHOICES: dict[str, dict[str, list[str]]] = {
    "two values are an or": {"function": ["retention", "content transformation"]},
    "two facets are an and": {"function": ["retention", "content transformation"], "mismatch": ["a mismatch"]},
    "objects": {"objects": ["EPI-OBJ-triplets", "EPI-OBJ-episodic-text"], "status": ["implemented"]},
    "forces and claims": {"force": ["enforcing"], "claims": ["EPI-CLM-conservative-replacement"]},
}


@pytest.mark.parametrize("chosen", CHOICES.values(), ids=CHOICES)
def test_values_of_one_facet_are_an_or_and_facets_an_and(open_page, chosen):
    """Every count tells how many rows the value would leave; what is left is told; and clearing restores it all."""
    page = open_page(LEDGER)
    for facet, wanted in chosen.items():
        choose(page, TITLES[facet], *wanted)
    expected = with_values(chosen)
    assert 0 < len(expected) < len(ALL)
    assert_shows(page, expected)
    for facet, title in TITLES.items():
        assert counts(page, title) == expected_counts(facet, chosen), title
    assert query(page) == [(f"ledger.{facet}", value) for facet in TITLES for value in chosen.get(facet, ())]
    summaries = bar(page).locator(".rw-facet > summary").all_inner_texts()
    assert summaries[:-1] == [f"{t}: {len(chosen[f])}" if f in chosen else t for f, t in TITLES.items()]
    page.get_by_role("button", name="Clear filters").click()
    assert_shows(page, ALL)
    assert query(page) == []
    assert bar(page).locator("input:checked").count() == 0
    expect(page.get_by_role("button", name="Clear filters")).to_be_hidden()


def test_a_facet_and_a_text_are_an_and_and_a_value_can_be_taken_back(open_page, finished):
    page = open_page(LEDGER)
    with_word = [number for number, row in enumerate(finished, 1) if "graph" in row.words.lower()]
    field(page).fill("graph")
    choose(page, "Function", "retention")
    both = [number for number in with_values({"function": ["retention"]}) if number in with_word]
    assert 0 < len(both) < len(with_word)
    assert_shows(page, both)
    left = Counter(status for number in both for status in VALUES[number - 1]["status"])
    assert {value: count for value, count in counts(page, "Status").items() if count} == left
    choose(page, "Function", "retention")
    assert_shows(page, with_word)
    page.get_by_role("button", name="Clear filters").click()
    expect(field(page)).to_have_value("")
    assert_shows(page, ALL)


# Groups, order, columns


@pytest.mark.parametrize("facet", ["routes", "function", "objects", "claims"])
def test_rows_are_grouped_under_headings_with_their_counts(open_page, facet):
    """Of the rows that are shown, each under every value that it has, and those without a value last; in the order of
    the report. A group without rows has no heading, and the number of rows that is told counts each once."""
    page = open_page(LEDGER)
    for chosen in ({}, {"status": ["implemented"], "mismatch": ["none"]}):
        for other, wanted in chosen.items():
            choose(page, TITLES[other], *wanted)
        page.get_by_label("Group by").select_option(TITLES[facet])
        groups = in_groups(facet, with_values(chosen))
        assert headings_of_groups(page) == [f"{name} {len(members)}" for name, members in groups.items()]
        found: list[Any] = page.locator(".rw-table--ledger tbody").evaluate_all(
            "all => all.filter(each => each.checkVisibility()).map(each => Number(each.dataset.number) || null)"
        )
        assert found == [each for members in groups.values() for each in (None, *members)]
        assert sorted(shown(page)) == with_values(chosen)
        again = sum(map(len, groups.values())) - len(with_values(chosen))
        expect(page.locator(".rw-again")).to_have_count(again)
    expect(bar(page).get_by_role("status")).to_have_text(f"{len(with_values(chosen))} of {len(ALL)} rows")
    page.get_by_label("Group by").select_option("no groups")
    assert headings_of_groups(page) == []
    assert page.locator(".rw-again").count() == 0
    assert_shows(page, with_values(chosen))


def in_groups(facet: str, numbers: Sequence[int]) -> dict[str, list[int]]:
    """Rows under each of their values, those without one at the end."""
    groups: dict[str, list[int]] = {}
    for number in numbers:
        for value in VALUES[number - 1][facet]:
            groups.setdefault(value, []).append(number)
    rest = [number for number in numbers if not VALUES[number - 1][facet]]
    return groups | ({"none": rest} if rest else {})


def test_some_rows_have_several_values_and_some_have_none():
    """So that the tests of groups show what they say."""
    assert any(len(row["routes"]) > 1 for row in VALUES)
    assert any(len(row["objects"]) > 1 for row in VALUES)
    assert any(not row["claims"] for row in VALUES)


def test_a_row_that_stands_again_has_all_but_its_anchors(open_page):
    """No ID is there twice; every text is; it unfolds by itself; and links to the row lead to where it stands first."""
    page = open_page(f"{LEDGER}?ledger.group=objects")
    assert page.locator(".rw-again").count() > 1
    assert page.locator(".rw-again[id], .rw-again [id]").count() == 0
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert [each for each, count in Counter(ids).items() if count > 1] == []
    for copy in page.locator(".rw-again").all():
        number = copy.get_attribute("data-number")
        first = page.locator(f"tbody.rw-row:not(.rw-again)[data-number='{number}']")
        assert first.count() == 1
        assert copy.evaluate("each => each.textContent") == first.evaluate("each => each.textContent")
    copy = page.locator(".rw-again").first
    row = page.locator(f"tbody.rw-row:not(.rw-again)[data-number='{copy.get_attribute('data-number')}']")
    copy.locator("summary").click()
    expect(copy.locator(".rw-more .rw-parts")).to_be_visible()
    expect(row.locator(".rw-more .rw-parts")).to_be_hidden()
    copy.locator("summary").click()
    expect(copy.locator(".rw-more .rw-parts")).to_be_hidden()
    page.evaluate(FOLLOW, row.get_attribute("id"))
    expect(row).to_be_in_viewport()


def test_a_row_that_stands_again_offers_the_account_of_the_owner(open_page):
    """As its other does, and each by itself."""
    page = open_page(f"{LEDGER}?ledger.group=objects")
    copies = page.locator(".rw-again:has(tr:first-child .rw-show)")
    assert copies.count() > 0
    assert page.locator(".rw-again .rw-see:has(a.rw-ref)").count() == page.locator(".rw-again .rw-show").count()
    copy = copies.first
    row = page.locator(f"tbody.rw-row:not(.rw-again)[data-number='{copy.get_attribute('data-number')}']")
    copy.locator("tr:first-child .rw-show").first.click()
    expect(copy.locator(".rw-owner").first).to_be_visible()
    expect(copy.locator(".rw-owner .rw-summary").first).to_be_visible()
    expect(copy.locator("tr:first-child .rw-show").first).to_have_text("hide")
    assert copy.locator(".rw-owner [id]").count() == 0
    assert row.locator(".rw-owner").count() == 0
    expect(row.locator("tr:first-child .rw-show").first).to_have_text("show here")


def test_what_is_saved_has_each_row_once_however_rows_are_grouped(open_page):
    page = open_page(LEDGER)
    before = saved(page, "CSV"), saved(page, "JSON")
    page.get_by_label("Group by").select_option("Object")
    assert page.locator(".rw-again").count() > 1
    assert (saved(page, "CSV"), saved(page, "JSON")) == before


def test_groups_leave_no_trace(open_page):
    """With chosen columns too, which rows that stand again have as well."""
    page = open_page(LEDGER)
    expect(bar(page)).to_be_visible()
    before = box(page).evaluate(TABLE)
    page.get_by_label("Group by").select_option("Object")
    choose(page, "Columns", "Gap or limit")
    for copy in page.locator(".rw-again").all():
        assert copy.locator("tr:first-child > *").count() == 2
        expect(copy.locator("tr:first-child .rw-part--gap")).to_be_visible()
    choose(page, "Columns", "Gap or limit")
    page.get_by_label("Group by").select_option("Claim")
    page.get_by_label("Group by").select_option("no groups")
    assert box(page).evaluate(TABLE) == before


def test_rows_are_ordered_by_any_field(open_page, finished):
    """What is equal stays as it was; and the order of the report comes back."""
    page = open_page(LEDGER)
    for key in ("status", "function"):
        page.get_by_label("Order").select_option(names()[key])
        assert_shows(page, sorted(ALL, key=lambda number: VALUES[number - 1][key][0]))
    for key in ("gap", "operational_authority"):
        page.get_by_label("Order").select_option(names()[key])
        firsts = [value_of(finished[number - 1], key).split()[0].strip(".,;`").lower() for number in shown(page)]
        assert sorted(shown(page)) == ALL
        assert firsts == sorted(firsts)
        assert shown(page) != ALL
    page.get_by_label("Order").select_option("as in the report")
    assert_shows(page, ALL)
    assert query(page) == []


def test_rows_are_ordered_by_a_field_that_is_folded(open_page, finished):
    """Whether or not its row is unfolded, and whether or not it has a column."""
    page = open_page(f"{LEDGER}?ledger.columns=evaluator")
    page.get_by_label("Order").select_option(names()["evaluator"])
    expected = shown(page)
    assert expected != ALL
    firsts = [value_of(finished[number - 1], "evaluator").split()[0].lower() for number in expected]
    assert firsts == sorted(firsts)
    choose(page, "Columns", names()["evaluator"])
    assert_shows(page, expected)
    page.reload()
    assert_shows(page, expected)


def test_order_holds_within_groups(open_page):
    page = open_page(LEDGER)
    page.get_by_label("Order").select_option(names()["function"])
    page.get_by_label("Group by").select_option("Status")
    in_order = sorted(ALL, key=lambda number: VALUES[number - 1]["function"][0])
    groups = dict.fromkeys(VALUES[number - 1]["status"][0] for number in in_order)
    assert_shows(page, [n for status in groups for n in in_order if VALUES[n - 1]["status"] == [status]])


TABLE = r"box => box.outerHTML.replace(/>\s+</g, '><')"
"""A table as HTML, without the white space between its elements, which nobody sees."""

CONTENT = """rows => rows.map(row => ['', 'tr:first-child ', '.rw-more '].map(where =>
    [...row.querySelectorAll(where + '.rw-part')].map(part => [
        [...part.classList].find(css => css.startsWith('rw-part--')).slice(9),
        part.querySelector('.rw-value').textContent.split(/\\s+/).join(' ').trim()])))"""
"""Of each row: its fields with their texts; those in the main line; and those below it."""


def test_chosen_fields_are_columns_and_nothing_is_lost(open_page, finished):
    """Each stands in its own column, the others stay in the row, and unchoosing restores the table exactly."""
    page = open_page(LEDGER)
    expect(bar(page)).to_be_visible()
    before = box(page).evaluate(TABLE)
    rows = page.locator(".rw-table--ledger tbody.rw-row")
    first, titles = "routes", names()
    whole = sorted((key, value_of(row, key)) for row in finished for key in titles)
    for chosen in (["gap"], ["evidence", "gap"], ["status", "evaluator", "claims", "mismatch"], list(titles)[1:]):
        choose(page, "Columns", *[titles[key] for key in chosen])
        assert [each.replace("\n", " ") for each in headings(page)] == [titles[key] for key in (first, *chosen)]
        found = rows.evaluate_all(CONTENT)
        assert sorted((key, re.sub(" show here$", "", text)) for row in found for key, text in row[0]) == whole
        for _, main, below in found:
            assert [key for key, _ in main] == [first, *chosen]
            assert sorted(key for key, _ in below) == sorted(set(titles) - {first, *chosen})
        cells = rows.first.locator("tr:first-child > td")
        assert cells.evaluate_all("cells => cells.map(cell => cell.dataset.column)") == [titles[k] for k in chosen]
        if len(chosen) < len(titles) - 1:
            rows.nth(4).locator("summary").click()
            for part in rows.nth(4).locator(".rw-more .rw-part").all():
                expect(part.locator(".rw-name")).to_be_visible()
                expect(part.locator(".rw-value")).to_be_visible()
            rows.nth(4).locator("summary").click()
        assert query(page) == [("ledger.columns", ",".join(chosen))]
        choose(page, "Columns", *[titles[key] for key in chosen])
        assert query(page) == []
        assert box(page).evaluate(TABLE) == before


def test_all_columns_leave_no_empty_fold(open_page):
    """Where every field has a column, there is nothing more to unfold."""
    page = open_page(f"{LEDGER}?ledger.columns={','.join(list(names())[1:])}")
    assert len(headings(page)) == len(names())
    expect(page.locator(".rw-table--ledger summary").filter(visible=True)).to_have_count(0)


# The address


def state_of(page: Page) -> dict[str, Any]:
    return {
        "rows": shown(page),
        "groups": headings_of_groups(page),
        "headings": headings(page),
        "text": field(page).input_value(),
        "group": page.get_by_label("Group by").input_value(),
        "order": page.get_by_label("Order").input_value(),
        "checked": bar(page).locator("input:checked").count(),
        "told": bar(page).get_by_role("status").inner_text(),
        "facets": bar(page).locator("summary").all_inner_texts(),
    }


def test_the_address_keeps_everything_and_a_reload_and_a_fresh_window_restore_it(open_page, address):
    page = open_page(f"{LEDGER}?other=1")
    field(page).fill("memory")
    choose(page, "Function", "retention", "check/evidence production", "content transformation")
    choose(page, "Mismatch", "none")
    page.get_by_label("Group by").select_option("Route")
    page.get_by_label("Order").select_option("Architectural status")
    choose(page, "Columns", "Route function", "Gap or limit")
    assert Counter(query(page)) == Counter(
        [
            ("other", "1"),
            ("ledger.text", "memory"),
            ("ledger.function", "retention"),
            ("ledger.function", "check/evidence production"),
            ("ledger.function", "content transformation"),
            ("ledger.mismatch", "none"),
            ("ledger.group", "routes"),
            ("ledger.sort", "status"),
            ("ledger.columns", "function,gap"),
        ]
    )
    kept = state_of(page)
    assert 0 < len(kept["rows"]) < len(ALL)
    assert kept["checked"] == 6
    page.reload()
    assert state_of(page) == kept
    fresh = open_page(page.url.removeprefix(address))
    assert state_of(fresh) == kept
    fresh.get_by_role("button", name="Clear filters").click()
    assert sorted(shown(fresh)) == ALL
    assert Counter(query(fresh)) == Counter(
        [("other", "1"), ("ledger.group", "routes"), ("ledger.sort", "status"), ("ledger.columns", "function,gap")]
    )


def test_a_reload_restores_the_filter_also_after_a_link_to_a_row_was_followed(open_page, finished):
    """The anchor of a row that is filtered away stays in the address while the filter is chosen."""
    anchor = finished[0].attributes["id"]
    page = open_page(f"{LEDGER}#{anchor}")
    expected = with_values({"mismatch": ["a mismatch"]})
    assert 1 not in expected
    choose(page, "Mismatch", "a mismatch")
    assert_shows(page, expected)
    page.reload()
    assert_shows(page, expected)


@pytest.mark.parametrize(
    "given",
    [
        "ledger.columns=gap,gap",
        "ledger.columns=routes,gap",
        "ledger.columns=constructor,gap",
        "ledger.columns=xyzzy,gap",
    ],
)
def test_columns_that_there_are_not_change_nothing(open_page, finished, given):
    """An address may be old or mistyped: no field is lost by it, none doubled."""
    page = open_page(f"{LEDGER}?{given}")
    assert headings(page) == ["Routes", "Gap or limit"]
    for main in page.locator(".rw-table--ledger tbody.rw-row").evaluate_all(CONTENT):
        assert [key for key, _ in main[1]] == ["routes", "gap"]


@pytest.mark.parametrize("given", ["ledger.group=xyzzy", "ledger.sort=constructor", "ledger.function=xyzzy"])
def test_values_that_there_are_not_change_nothing(open_page, given):
    """A value that no row has is in no menu, so that nobody could see why the table is empty."""
    page = open_page(f"{LEDGER}?{given}")
    assert_shows(page, ALL)


# Marks and links


def test_a_mark_of_the_matrix_filters_by_its_route_and_function(open_page):
    """Whatever was chosen before; by mouse and by keyboard."""
    page = open_page(LEDGER)
    field(page).fill("xyzzy")
    choose(page, "Status", "implemented")
    marks = page.locator(".rw-matrix a.rw-mark")
    assert marks.count() == sum(len(row["routes"]) for row in VALUES)
    for number in (0, 7, marks.count() - 1):
        mark = marks.nth(number)
        chosen = {"routes": [mark.get_attribute("data-route")], "function": [mark.get_attribute("data-function")]}
        if number == 7:
            mark.focus()
            page.keyboard.press("Enter")
        else:
            mark.click()
        assert_shows(page, with_values(chosen))
        assert dict(query(page)) == {f"ledger.{facet}": wanted[0] for facet, wanted in chosen.items()}
        expect(field(page)).to_have_value("")
        expect(bar(page)).to_be_in_viewport()


FOLLOW = """id => {
    const link = document.createElement('a');
    link.href = '#' + id;
    link.textContent = 'there';
    document.querySelector('article h1').after(link);
    link.click();
}"""
"""Follows a link to a place on the page, such as prose has."""


def test_a_link_to_a_hidden_row_reveals_it(open_page, finished):
    """On the page and from elsewhere; and a link to a folded field unfolds it."""
    page = open_page(LEDGER)
    target = finished[0].attributes["id"]
    choose(page, "Mismatch", "a mismatch")
    assert 1 not in shown(page)
    page.evaluate(FOLLOW, target)
    expect(page.locator(f"[id='{target}']")).to_be_in_viewport()
    assert_shows(page, ALL)
    folded = next(
        each for row in finished for d in row.find("details") for each in d.walk() if each.attributes.get("id")
    )
    page.evaluate(FOLLOW, folded.attributes["id"])
    expect(page.locator(f"[id='{folded.attributes['id']}'] .rw-value")).to_be_in_viewport()
    elsewhere = open_page(f"{LEDGER}?ledger.text=xyzzy#{target}")
    expect(elsewhere.locator(f"[id='{target}']")).to_be_in_viewport()
    assert_shows(elsewhere, ALL)


def test_a_link_that_is_followed_again_reveals_its_row_again(open_page, finished):
    page = open_page(LEDGER)
    target = finished[0].attributes["id"]
    page.evaluate(FOLLOW, target)
    expect(page.locator(f"[id='{target}']")).to_be_in_viewport()
    choose(page, "Mismatch", "a mismatch")
    assert 1 not in shown(page)
    page.evaluate(FOLLOW, target)
    expect(page.locator(f"[id='{target}']")).to_be_in_viewport()


@pytest.mark.parametrize("columns", ["", "&ledger.columns=function,gap"])
def test_a_revealed_row_is_not_covered(open_page, finished, columns):
    """Neither by the header of the site nor by the headings of the table."""
    target = finished[-3].attributes["id"]
    page = open_page(f"{LEDGER}?ledger.text=xyzzy{columns}#{target}")
    row = page.locator(f"[id='{target}']")
    expect(row).to_be_in_viewport()
    test_browser.settled(page)
    covered = row.locator(".rw-part--routes a").first.evaluate(
        "link => { const {left, top, height} = link.getBoundingClientRect();"
        " const there = document.elementFromPoint(left + 3, top + height / 2);"
        " return there === link ? '' : there && there.outerHTML.slice(0, 80) }"
    )
    assert covered == ""


# What is saved


def saved(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    assert download.value.suggested_filename == f"epistemic-ledger.{name.lower()}"
    return download.value.path().read_bytes().decode()


def select(page: Page) -> tuple[list[int], list[str]]:
    """Filters, orders and lays out the ledger; gives the rows and fields shown."""
    choose(page, "Function", "retention", "content transformation")
    page.get_by_label("Order").select_option("Architectural status")
    choose(page, "Columns", "Evidence", "Gap or limit", "Evaluator or condition, and domain", "Claims")
    expected = with_values({"function": ["retention", "content transformation"]})
    expected.sort(key=lambda number: VALUES[number - 1]["status"][0])
    assert_shows(page, expected)
    return expected, ["routes", "evaluator", "evidence", "claims", "gap"]


@pytest.mark.parametrize("selected", [False, True])
def test_csv_holds_exactly_the_rows_and_fields_shown(open_page, finished, selected):
    page = open_page(LEDGER)
    numbers, keys = select(page) if selected else (ALL, list(names()))
    text = saved(page, "CSV")
    assert text.endswith("\r\n")
    told = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert told[0] == ["row", *(names()[key] for key in keys)]
    assert [line[0] for line in told[1:]] == [str(number) for number in numbers]
    for line in told[1:]:
        row = finished[int(line[0]) - 1]
        assert {key: packed(text) for key, text in zip(keys, line[1:], strict=True)} == {
            key: packed(value_of(row, key)) for key in keys
        }


@pytest.mark.parametrize("selected", [False, True])
def test_json_holds_exactly_the_rows_and_fields_shown(open_page, address, finished, selected):
    """With the address of each row; what lists records is a list, in every row."""
    page = open_page(LEDGER)
    numbers, keys = select(page) if selected else (ALL, list(names()))
    told = json.loads(saved(page, "JSON"))
    assert [each["row"] for each in told] == numbers
    for each in told:
        row = finished[each["row"] - 1]
        assert each["address"] == f"{address}{LEDGER}#{row.attributes['id']}"
        assert list(each) == ["row", "address", *keys]
        for key in keys:
            if key in ("routes", "objects", "claims"):
                assert each[key] == VALUES[each["row"] - 1][key]
            else:
                assert packed(each[key]) == packed(value_of(row, key))


def test_what_is_saved_is_the_same_when_an_account_is_shown_in_a_cell(open_page):
    page = open_page(LEDGER)
    before = saved(page, "CSV")
    button = page.locator(".rw-table--ledger .rw-part--result").get_by_role("button", name="show here").first
    button.click()
    expect(page.locator(".rw-owner").first).to_be_visible()
    assert saved(page, "CSV") == before


# The owner's account in a cell


@pytest.mark.parametrize("owner", [DECLARED, WITHHELD])
def test_show_here_shows_the_account_of_the_owner_in_the_cell(open_page, served, owner):
    """All that the owner's page says; hidden again; the same when shown once more. Its links lead where they led."""
    site: BuiltSite = served[1].site
    account = site.article(site.record_page("arigraph", owner))
    assert account is not None
    page = open_page(LEDGER)
    number = next(n for n, row in enumerate(ledger("arigraph"), 1) if owner in row["routes"] and row["activation"])
    row = page.locator(f"tbody.rw-row[data-number='{number}']")
    row.locator("summary").click()
    part = row.locator(".rw-part--activation")
    part.get_by_role("button", name="show here").click()
    said = part.locator(".rw-owner").filter(has=page.locator(f".rw-owner__title a[href$='/{owner.lower()}/']"))
    expect(said).to_be_visible()
    expect(part.get_by_role("button")).to_have_text("hide")
    expect(part.get_by_role("button")).to_have_attribute("aria-expanded", "true")
    expect(said.locator(".rw-summary")).to_be_visible()
    text = packed(said.inner_text())
    for each in account.one("div", "rw-summary").find("p"):
        assert packed(each.words) in packed(said.locator(".rw-summary").inner_text())
    fields = [each for each in account.walk() if "rw-field" in each.classes and each.tag in ("div", "section", "dl")]
    assert len(fields) == said.locator(".rw-field").count()
    assert bool(fields) == (owner == DECLARED)
    for each in fields:
        for paragraph in each.find("p"):
            assert packed(paragraph.words) in text
    hrefs = said.locator(".rw-summary a, .rw-field a").evaluate_all("links => links.map(link => link.href)")
    file = site.record_page("arigraph", owner)
    assert all(site.follow(file, href) for href in hrefs if site.is_ours(href))
    assert said.locator("[id]").count() == 0
    part.get_by_role("button", name="hide").click()
    expect(said).to_be_hidden()
    expect(part.get_by_role("button")).to_have_text("show here")
    expect(part.get_by_role("button")).to_have_attribute("aria-expanded", "false")
    part.get_by_role("button", name="show here").click()
    expect(said).to_be_visible()
    assert packed(said.inner_text()) == text


# The keyboard alone


def focused(page: Page) -> str:
    """What has the focus, in words."""
    told: str = page.evaluate(
        "(() => { const it = document.activeElement; return [it.tagName, it.type || '', "
        "(it.closest('label') || it).textContent.trim().slice(0, 60)].join('|') })()"
    )
    return told


def press_until(page: Page, wanted: Callable[[str], bool], key: str = "Tab", limit: int = 60) -> list[str]:
    passed = []
    for _ in range(limit):
        page.keyboard.press(key)
        passed.append(focused(page))
        if wanted(passed[-1]):
            return passed
    raise AssertionError(f"not reached: {passed}")


def test_the_bar_can_be_used_by_keyboard_alone(open_page):
    """Reach it, type, open a menu, choose with the space bar, and Escape closes the menu and returns the focus."""
    page = open_page(LEDGER)
    page.locator(".rw-matrix a.rw-mark").last.focus()
    passed = press_until(page, lambda told: told.startswith("INPUT|search"))
    assert len(passed) == 1
    page.keyboard.type("triplets")
    assert page.evaluate("document.activeElement.value") == "triplets"
    assert shown(page) != ALL
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    press_until(page, lambda told: told.startswith("SUMMARY||Function"), limit=1)
    page.keyboard.press("Enter")
    assert menu(page, "Function").get_attribute("open") is not None
    press_until(page, lambda told: "retention" in told, limit=len(expected_counts("function", {})))
    page.keyboard.press("Space")
    assert_shows(page, with_values({"function": ["retention"]}))
    assert menu(page, "Function").get_attribute("open") is not None
    assert "retention" in focused(page)
    page.keyboard.press("Escape")
    assert menu(page, "Function").get_attribute("open") is None
    assert focused(page) == "SUMMARY||Function: 1"
    press_until(page, lambda told: told.startswith("SUMMARY||Status"), limit=1)
    page.keyboard.press("Space")
    press_until(page, lambda told: told.startswith("INPUT|checkbox|"), limit=1)
    press_until(page, lambda told: told.startswith("SUMMARY||Relation"), limit=len(expected_counts("status", {})) + 1)
    assert menu(page, "Status").get_attribute("open") is None
    passed = press_until(page, lambda told: told.startswith("BUTTON|button|Clear filters"), limit=20)
    assert [each.split("|")[0] for each in passed] == ["SUMMARY"] * 5 + ["SELECT"] * 2 + ["SUMMARY"] + ["BUTTON"] * 4
    page.keyboard.press("Enter")
    assert_shows(page, ALL)


def test_clearing_by_keyboard_does_not_lose_the_place(open_page):
    """The button goes once there is nothing to clear: the focus stays in the bar."""
    page = open_page(f"{LEDGER}?ledger.function=retention")
    page.get_by_role("button", name="Clear filters").focus()
    page.keyboard.press("Enter")
    assert_shows(page, ALL)
    assert page.evaluate("Boolean(document.activeElement.closest('.rw-bar'))")


# Instant navigation


def test_away_and_back_there_is_one_bar_and_it_works(open_page, address):
    page = open_page(LEDGER)
    page.wait_for_load_state("networkidle")
    choose(page, "Function", "retention")
    kept = shown(page)
    bars = page.locator(".rw-bar").count()
    page.evaluate("window.untouched = true")
    page.locator(".md-nav--primary a", has_text="Sources").first.click()
    expect(page.locator("h1")).to_contain_text("Sources")
    page.go_back()
    page.wait_for_url(f"{address}{LEDGER}?ledger.function=retention")
    expect(bar(page)).to_have_count(1)
    assert page.evaluate("window.untouched") is True, "the page was loaded anew, so this shows nothing"
    expect(page.locator(".rw-bar")).to_have_count(bars)
    assert_shows(page, kept)
    assert page.locator(".rw-show").count() == page.locator(".rw-rows .rw-see:has(a.rw-ref)").count()
    page.get_by_role("button", name="Clear filters").click()
    assert_shows(page, ALL)
    page.locator(".rw-matrix a.rw-mark").first.click()
    assert 0 < len(shown(page)) < len(ALL)
    page.locator(".md-nav--primary a", has_text="Sources").first.click()
    expect(page.locator("h1")).to_contain_text("Sources")
    page.locator(".md-nav--primary a[href$='epistemic/']").first.click()
    page.wait_for_url(f"{address}{LEDGER}")
    expect(page.locator(".rw-bar")).to_have_count(bars)
    assert_shows(page, ALL)
    choose(page, "Mismatch", "a mismatch")
    assert_shows(page, with_values({"mismatch": ["a mismatch"]}))


# Room


def rectangle(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def test_the_header_and_the_first_column_stay_in_view(open_page):
    columns = ",".join(list(names())[1:12])
    page = open_page(f"{LEDGER}?ledger.columns={columns}")
    table, head, first = (
        ".rw-table--ledger",
        ".rw-table--ledger thead th >> nth=3",
        ".rw-table--ledger thead th >> nth=0",
    )
    box(page).scroll_into_view_if_needed()
    box(page).evaluate("box => box.scrollIntoView({block: 'end'})")
    test_browser.settled(page)
    size = box(page).evaluate("box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]")
    assert min(size) > 300, "so that there is something to scroll"
    box(page).evaluate("box => box.scrollTo(0, 100)")
    before = rectangle(page, head), rectangle(page, first)
    box(page).evaluate("box => box.scrollTo(700, 900)")
    frame = rectangle(page, table)
    after = rectangle(page, head), rectangle(page, first)
    assert box(page).evaluate("box => [box.scrollLeft, box.scrollTop]") == [min(700, size[0]), min(900, size[1])]
    assert after[0]["y"] == pytest.approx(before[0]["y"], abs=2) == pytest.approx(frame["y"], abs=3)
    assert after[1]["x"] == pytest.approx(before[1]["x"], abs=2) == pytest.approx(frame["x"], abs=3)
    assert after[1]["y"] == pytest.approx(before[1]["y"], abs=2)
    seen = page.locator(".rw-table--ledger tbody.rw-row > tr:first-child > th").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().left)"
    )
    assert all(each == pytest.approx(frame["x"], abs=3) for each in seen)
    top = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('th')?.textContent",
        [after[1]["x"] + 10, after[1]["y"] + 8],
    )
    assert top == "Routes"


def test_a_few_columns_take_the_whole_width(open_page):
    page = open_page(f"{LEDGER}?ledger.columns=function,gap")
    assert headings(page) == ["Routes", "Route function", "Gap or limit"]
    frame, last = rectangle(page, ".rw-table--ledger"), rectangle(page, ".rw-table--ledger thead th >> nth=2")
    assert last["x"] + last["width"] == pytest.approx(frame["x"] + frame["width"], abs=20)


def test_on_a_phone_the_bar_fits(open_page):
    page = open_page(LEDGER, width=360, height=740)
    expect(bar(page)).to_be_visible()
    for each in bar(page).locator("input[type=search], summary, select, button, output").filter(visible=True).all():
        found = each.bounding_box()
        assert found is not None
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= 360, each.evaluate("each => each.outerHTML.slice(0, 90)")
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360
    page.get_by_label("Group by").select_option("Route")
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360
    choose(page, "Columns", "Route function", "Gap or limit", "Evidence")
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_every_open_menu_is_on_the_screen(open_page, width):
    page = open_page(LEDGER, width=width, height=740)
    wrong: dict[str, Any] = {}
    for title in (*TITLES.values(), "Columns"):
        there = menu(page, title)
        there.locator("summary").click()
        found = there.locator(".rw-facet__values").bounding_box()
        assert found is not None
        if found["x"] < 0 or found["x"] + found["width"] > width:
            wrong[title] = (round(found["x"]), round(found["x"] + found["width"]))
        if page.evaluate("document.scrollingElement.scrollWidth") != width:
            wrong.setdefault(title, "the page scrolls sideways")
        page.keyboard.press("Escape")
    assert wrong == {}


def tint(page: Page, number: int) -> list[str]:
    """How the cells of a row's main line are tinted."""
    found: list[str] = page.locator(
        f".rw-table--ledger tbody[data-number='{number}'] > tr:first-child > *"
    ).evaluate_all("cells => cells.map(cell => getComputedStyle(cell).backgroundImage)")
    return found


@pytest.mark.parametrize("number", [1, 12, 24])
@pytest.mark.parametrize("come", ["from elsewhere", "on the page"])
def test_a_link_to_a_row_leaves_the_headings_of_chosen_columns_in_view(open_page, finished, number, come):
    """The row is below them, and tinted as a whole: its first cell, which stays where it is, like the rest."""
    target = finished[number - 1].attributes["id"]
    query = "?ledger.columns=function,status,gap"
    page = open_page(f"{LEDGER}{query}#{target}" if come == "from elsewhere" else f"{LEDGER}{query}")
    page.wait_for_load_state("networkidle")
    if come == "on the page":
        page.evaluate(FOLLOW, target)
    row = page.locator(f"[id='{target}']")
    expect(page.locator(".rw-target")).to_have_attribute("id", target, timeout=20_000)
    expect(row).to_be_in_viewport()
    test_browser.settled(page)
    page.wait_for_timeout(300)
    head = rectangle(page, ".rw-table--ledger thead th >> nth=0")
    under = rectangle(page, ".md-header")
    cell = rectangle(page, f"[id='{target}'] > tr:first-child > th")
    assert head["y"] >= under["y"] + under["height"] - 1
    assert cell["y"] >= head["y"] + head["height"] - 2
    assert cell["y"] + 20 <= page.evaluate("innerHeight")
    for each in page.locator(".rw-table--ledger thead th").all():
        expect(each).to_be_in_viewport()
    tints = tint(page, number)
    assert len(tints) == 4
    assert tints[0].startswith("linear-gradient(")
    assert set(tints) == {tints[0]}
    assert set(tint(page, 5)) == {"none"}


def test_a_row_that_a_link_on_the_page_leads_to_is_tinted_over_a_slow_network(open_page, finished):
    """The theme fetches the page once more for the first such link, and then goes to the row; by then it is in view."""
    target = finished[11].attributes["id"]
    page = open_page(LEDGER)
    page.wait_for_load_state("networkidle")
    slow = {"offline": False, "latency": 600, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.evaluate(FOLLOW, target)
    expect(page.locator(".rw-target")).to_have_attribute("id", target)
    expect(page.locator(f"[id='{target}']")).to_be_in_viewport()


# The whole window


WIDE_QUERY = ("wide", "1")


def widens(page: Page) -> Locator:
    return bar(page).get_by_role("button", name="Wide", exact=True)


@pytest.mark.parametrize(("width", "sidebars"), [(1600, 2), (1280, 2), (1100, 1)])
def test_wide_gives_the_whole_window_to_the_table(open_page, width, sidebars):
    """The sidebars go, the table grows, the button stays where it was; and all comes back."""
    page = open_page(f"{LEDGER}?ledger.function=retention", width=width)
    page.wait_for_load_state("networkidle")
    aside = page.locator(".md-sidebar--primary, .md-sidebar--secondary")

    def beside() -> int:
        """How many sidebars are there, and not one that comes over the page when it is called."""
        positions = aside.filter(visible=True).evaluate_all("all => all.map(each => getComputedStyle(each).position)")
        return sum(each != "fixed" for each in positions)

    page.get_by_role("button", name="Clear filters").click()
    button = widens(page)
    button.evaluate("each => each.scrollIntoView({block: 'center'})")
    test_browser.settled(page)
    before, room = button.bounding_box(), rectangle(page, ".rw-table--ledger")["width"]
    assert before is not None
    assert beside() == sidebars
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert beside() == 0
    assert rectangle(page, ".rw-table--ledger")["width"] > room + 150
    now = button.bounding_box()
    assert now is not None
    assert now["y"] == pytest.approx(before["y"], abs=2)
    assert query(page) == [WIDE_QUERY]
    assert page.evaluate("document.scrollingElement.scrollWidth") == width
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert beside() == sidebars
    assert rectangle(page, ".rw-table--ledger")["width"] == room
    now = button.bounding_box()
    assert now is not None
    assert now["y"] == pytest.approx(before["y"], abs=2)
    assert query(page) == []


def test_wide_stands_in_the_address_beside_the_rest(open_page, address):
    """A reload and a fresh window restore it; another page does not have it; Back has it again."""
    page = open_page(f"{LEDGER}?ledger.function=retention")
    page.wait_for_load_state("networkidle")
    widens(page).click()
    choose(page, "Mismatch", "none")
    assert Counter(query(page)) == Counter([WIDE_QUERY, ("ledger.function", "retention"), ("ledger.mismatch", "none")])
    wide = page.locator("html.rw-wide")
    kept = page.url
    page.reload()
    expect(wide).to_have_count(1)
    expect(widens(page)).to_have_attribute("aria-pressed", "true")
    fresh = open_page(kept.removeprefix(address))
    expect(fresh.locator("html.rw-wide")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    page.locator(".rw-table--ledger tbody.rw-row:not([hidden]) .rw-part--routes a.rw-ref").first.click()
    expect(page.locator(".md-content h1")).not_to_contain_text("Epistemic report")
    expect(wide).to_have_count(0)
    expect(page.locator(".md-sidebar--primary")).to_be_visible()
    page.go_back()
    page.wait_for_url(kept)
    expect(wide).to_have_count(1)
    expect(widens(page)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Clear filters").click()
    assert query(page) == [WIDE_QUERY]
    widens(page).click()
    expect(wide).to_have_count(0)
    assert query(page) == []


@pytest.mark.parametrize("path", [LEDGER, "hipporag/memory/"])
def test_each_table_of_a_report_can_be_given_the_whole_window(open_page, path):
    """By a button above it, which stays where it was; all buttons tell the same."""
    page = open_page(path)
    page.wait_for_load_state("networkidle")
    buttons = page.get_by_role("button", name="Wide", exact=True)
    tables = page.locator(".rw-table:has(> .rw-rows > tbody.rw-row)")
    assert buttons.count() == tables.count() > 1
    above = tables.evaluate_all("all => all.filter(each => each.previousElementSibling.matches('.rw-bar')).length")
    assert above == tables.count()
    button = buttons.last
    button.evaluate("each => each.scrollIntoView({block: 'center'})")
    test_browser.settled(page)
    for pressed in ("true", "false"):
        before = button.bounding_box()
        button.click()
        expect(button).to_have_attribute("aria-pressed", pressed)
        told = buttons.evaluate_all("all => all.map(each => each.getAttribute('aria-pressed'))")
        assert set(told) == {pressed}
        now = button.bounding_box()
        assert before is not None
        assert now is not None
        assert now["y"] == pytest.approx(before["y"], abs=2)
        assert now["x"] + now["width"] <= 1280


@pytest.mark.parametrize(("width", "offered"), [(960, True), (959, False), (360, False)])
def test_wide_is_offered_where_there_is_room(open_page, width, offered):
    """From 60em; below, an address that asks for it changes nothing."""
    page = open_page(f"{LEDGER}?wide=1", width=width)
    buttons = page.locator(".rw-widen")
    expect(buttons).not_to_have_count(0)
    assert buttons.filter(visible=True).count() == (buttons.count() if offered else 0)
    assert page.evaluate("document.scrollingElement.scrollWidth") == width
    if offered:
        return
    wide = page.locator(".md-content").bounding_box()
    page.evaluate("document.documentElement.classList.remove('rw-wide')")
    assert page.locator(".md-content").bounding_box() == wide


def test_without_scripts_no_wide_is_offered(open_page):
    page = open_page(f"{LEDGER}?wide=1", java_script_enabled=False)
    assert page.locator(".rw-widen").count() == 0
    expect(page.locator(".md-sidebar--secondary")).to_be_visible()


# Many rows


MEASURE = """typed => new Promise(done => {
    const input = document.querySelector('.rw-bar input[type=search]');
    input.value = typed;
    const start = performance.now();
    input.dispatchEvent(new Event('input', {bubbles: true}));
    const answered = performance.now() - start;
    requestAnimationFrame(() => setTimeout(() => done([answered, performance.now() - start])));
})"""
"""Types a text; tells in how many milliseconds it was answered, and in how many the answer was painted."""


def many(html: str, number: int) -> str:
    """The page with so many rows in its ledger: those that it has, over and over, with other IDs."""
    start = html.index('<tbody class="rw-row"', html.index('data-table="ledger"'))
    end = html.index("</table>", start)
    known = re.findall(r"<tbody .*?</tbody>", html[start:end], re.DOTALL)
    assert len(known) == len(ALL)
    made = []
    for each in range(number):
        row = re.sub(r'\bid="([^"]+)"', rf'id="\1-x{each}"', known[each % len(known)])
        made.append(re.sub(r'data-number="\d+"', f'data-number="{each + 1}"', row))
    return html[:start] + "\n".join(made) + html[end:]


@pytest.mark.timed
@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", "?ledger.group=routes&ledger.sort=gap", "?ledger.columns=function,status,gap"])
def test_the_answer_comes_at_once_among_hundreds_of_rows(open_page, served, address, extra):
    """The page itself, as it is sent, with 400 rows made of its own. On a busy machine the best of several counts."""
    site: BuiltSite = served[1].site
    html = many((site.folder / LEDGER / "index.html").read_text(encoding="utf-8"), ENOUGH)
    page = open_page("")

    def answer(route: Route) -> None:
        route.fulfill(body=html, content_type="text/html; charset=utf-8")

    page.route(f"{address}{LEDGER}**", answer)
    page.goto(f"{address}{LEDGER}{extra}", wait_until="domcontentloaded", timeout=60_000)
    expect(bar(page).get_by_role("status")).to_have_text(f"{ENOUGH} of {ENOUGH} rows", timeout=30_000)
    slow = {}
    for typed in ("e", "triplets", "xyzzy"):
        tries: list[list[float]] = []
        while not tries or (min(tries)[0] >= AT_ONCE and len(tries) < 5):
            page.evaluate(MEASURE, "")
            tries.append(page.evaluate(MEASURE, typed))
        print(f"{typed!r} {extra}: answered in {min(tries)[0]:.0f} ms, painted in {min(tries)[1]:.0f} ms")
        if min(tries)[0] >= AT_ONCE:
            slow[typed] = tries
    assert slow == {}
    expect(bar(page).get_by_role("status")).to_have_text(f"0 of {ENOUGH} rows")


# Without scripts


def test_without_scripts_every_row_is_there_and_every_field_can_be_read(open_page):
    """No bar is promised; the marks lead to their rows; what is folded unfolds."""
    page = open_page(f"{LEDGER}?ledger.text=xyzzy&ledger.function=retention", java_script_enabled=False)
    assert page.locator(".rw-bar, .rw-show").count() == 0
    rows = page.locator(".rw-table--ledger tbody.rw-row")
    expect(rows).to_have_count(len(ALL))
    assert len(rows.filter(visible=True).all()) == len(ALL)
    values_there = page.locator(".rw-table--ledger .rw-value")
    outside = page.locator(".rw-table--ledger tr:not(.rw-more) .rw-value")
    assert values_there.count() == len(ALL) * len(names())
    assert outside.filter(visible=True).count() == outside.count()
    row = rows.nth(2)
    row.locator("summary").click()
    folded = row.locator(".rw-more .rw-value")
    assert (
        folded.filter(visible=True).count()
        == folded.count()
        == len(names()) - row.locator("tr:not(.rw-more) .rw-value").count()
    )
    mark = page.locator(".rw-matrix a.rw-mark").last
    mark.click()
    assert page.url.endswith(str(mark.get_attribute("href")))
