"""That axe-core finds nothing at all: on every kind of page, and on a ledger in each state that a reader can give it.

Its rules are about what can be seen without a person's judgement: names, roles, contrast, the order of headings, and
the like. `python -m pytest tests/test_accessibility.py` opens each page once for each width and colours, in one window.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests import test_browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

browser, served, address = test_browser.browser, test_browser.served, test_browser.address

LEDGER = "arigraph/epistemic/"
PAGES = {
    "portal": "",
    "comparison": "compare/",
    "all records": "records/",
    "glossary": "glossary/",
    "guide": "guide/",
    "guide for readers": "guide/reading/",
    "guide for authors": "guide/authoring/",
    "files": "guide/reference/files/",
    "macros": "guide/reference/macros/",
    "commands": "guide/reference/commands/",
    "diagnostics": "guide/reference/diagnostics/",
    "nowhere on the portal": "404.html",
    "overview": "arigraph/",
    "report with a ledger": LEDGER,
    "report without a ledger": "hipporag/memory/",
    "short report": "arigraph/workflow/",
    "sources": "arigraph/sources/",
    "records": "arigraph/records/",
    "records of a kind": "arigraph/records/routes/",
    "values": "arigraph/records/values/",
    "map": "arigraph/records/map/",
    "declared record": f"arigraph/records/{test_browser.ROUTE.lower()}/",
    "withheld record": f"arigraph/records/{test_browser.WITHHELD.lower()}/",
    "nowhere in a system": "arigraph/404.html",
}
"""A page of each kind, by what it is."""

VIEWS = {"light": ("light", 1280), "dark": ("dark", 1280), "on a phone": ("light", 360)}
PALETTES = {"light": "default", "dark": "slate"}
VIEW = pytest.mark.parametrize("view", VIEWS)


Faults = list[str]


def faults(page: Page, within: str | None = None) -> Faults:
    """What axe-core finds, on the page or in a part of it: each rule with the elements that break it."""
    found: list[dict[str, Any]] = Axe().run(page, within).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]} at {' '.join(map(str, node['target']))}: "
        + "; ".join(said["message"] for said in (*node["any"], *node["all"], *node["none"]))
        for each in found
        for node in each["nodes"]
    ]


Opening = Callable[[str], Page]


@pytest.fixture
def shown(browser, address, view) -> Iterator[Opening]:
    """Opens pages of the site, one after the other, in one window of a width, in its colours."""
    scheme, width = VIEWS[view]
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(20_000)
    page: Page = context.new_page()

    def open_(path: str) -> Page:
        page.goto("about:blank")
        page.goto(address + path, wait_until="load")
        page.wait_for_function("palette => document.body.dataset.mdColorScheme === palette", arg=PALETTES[scheme])
        return page

    yield open_
    context.close()


@VIEW
def test_nothing_is_found_on_any_kind_of_page(shown, view):
    found = {name: told for name, path in PAGES.items() if (told := faults(shown(path)))}
    assert found == {}


# The ledger in its states


def row(page: Page, number: int) -> Any:
    return page.locator(f"[data-table='ledger'] tbody[data-number='{number}']")


def with_chosen_columns(shown: Opening) -> Page:
    page = shown(f"{LEDGER}?ledger.columns=function,status,gap")
    expect(page.locator(".rw-table--chosen")).to_be_visible()
    return page


def grouped(shown: Opening) -> Page:
    page = shown(f"{LEDGER}?ledger.group=objects")
    expect(page.locator(".rw-group").first).to_be_visible()
    expect(page.locator(".rw-again").first).to_be_visible()
    return page


def filtered(shown: Opening) -> Page:
    page = shown(f"{LEDGER}?ledger.text=memory&ledger.function=retention")
    expect(page.get_by_role("button", name="Clear filters")).to_be_visible()
    return page


def without_rows(shown: Opening) -> Page:
    page = shown(f"{LEDGER}?ledger.text=xyzzy")
    expect(page.locator(".rw-told")).to_have_text("0 of 24 rows")
    return page


def with_an_account_shown(shown: Opening) -> Page:
    page = shown(LEDGER)
    page.wait_for_load_state("networkidle")
    page.locator("[data-table='ledger'] .rw-part--result .rw-show").first.click()
    expect(page.locator(".rw-owner").first).to_be_visible()
    return page


def with_a_row_unfolded_and_named(shown: Opening) -> Page:
    """Its anchor stands in the address."""
    page = shown(LEDGER)
    anchor = row(page, 10).get_attribute("id")
    page = shown(f"{LEDGER}#{anchor}")
    row(page, 10).locator("summary").click()
    assert row(page, 10).evaluate("each => each.matches(':target')")
    expect(row(page, 10).locator(".rw-more .rw-parts")).to_be_visible()
    return page


def with_a_chosen_column_and_a_row_named(shown: Opening) -> Page:
    page = shown(LEDGER)
    anchor = row(page, 10).get_attribute("id")
    page = shown(f"{LEDGER}?ledger.columns=function,gap#{anchor}")
    assert row(page, 10).evaluate("each => each.matches(':target')")
    return page


def with_the_way_back(shown: Opening) -> Page:
    """On the record's page; the link left from stands in the ledger."""
    page = shown(LEDGER)
    page.wait_for_load_state("networkidle")
    row(page, 10).locator("a.rw-ref").first.click()
    expect(page.locator(".rw-back")).to_be_visible()
    return page


def come_back(shown: Opening) -> Page:
    """The link left from is marked."""
    page = with_the_way_back(shown)
    page.wait_for_load_state("networkidle")
    page.evaluate(
        "setTimeout = (set => (act, wait, ...rest) => set(act, wait === 3000 ? 60000 : wait, ...rest))(setTimeout)"
    )
    page.locator(".rw-back a").click()
    expect(page.locator(".rw-returned")).to_be_visible()
    return page


def with_results_of_the_search(shown: Opening) -> Page:
    page = shown(LEDGER)
    page.wait_for_load_state("networkidle")
    page.keyboard.press("/")
    page.locator(".md-search__input").press_sequentially("triplets")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    page.wait_for_timeout(400)  # it opens with a movement
    return page


STATES: dict[str, Callable[[Opening], Page]] = {
    each.__name__.replace("_", " "): each
    for each in (
        with_chosen_columns,
        grouped,
        filtered,
        without_rows,
        with_an_account_shown,
        with_a_row_unfolded_and_named,
        with_a_chosen_column_and_a_row_named,
        with_the_way_back,
        come_back,
        with_results_of_the_search,
    )
}


@VIEW
def test_nothing_is_found_on_a_ledger_in_any_state(shown, view):
    found = {name: told for name, state in STATES.items() if (told := faults(state(shown)))}
    assert found == {}


@VIEW
def test_nothing_is_found_in_any_open_menu(shown, view):
    page = shown(LEDGER)
    menus = page.locator(".rw-facet")
    assert menus.count() == 9
    found = {}
    for menu in menus.all():
        menu.locator("summary").click()
        expect(menu.locator(".rw-facet__values")).to_be_visible()
        if told := faults(page, ".rw-bar"):
            found[menu.locator("summary").inner_text()] = told
        page.keyboard.press("Escape")
    assert found == {}


def wide(page: Page) -> None:
    page.locator(".rw-bar:not(.rw-bar--short) .rw-widen").click()
    expect(page.locator("html.rw-wide")).to_have_count(1)


def with_a_preview(page: Page) -> None:
    """Of the page of a record."""
    page.wait_for_load_state("networkidle")
    row(page, 3).locator("a.rw-ref[data-preview]").first.hover()
    expect(page.locator(".md-tooltip2--active")).to_be_visible()
    page.wait_for_timeout(500)


def with_a_tooltip(page: Page) -> None:
    """Of a controlled value."""
    page.wait_for_load_state("networkidle")
    row(page, 3).locator("a.rw-term").first.hover()
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.wait_for_timeout(500)


@pytest.mark.parametrize("view", ["light", "dark"])
@pytest.mark.parametrize("act", [wide, with_a_preview, with_a_tooltip])
def test_nothing_is_found_where_there_is_room_and_a_pointer(shown, view, act):
    page = shown(LEDGER)
    act(page)
    assert faults(page) == []


# What is found


FAULTS = {
    "image-alt": "<img src='data:,' width='20' height='20'>",
    "color-contrast": "<p style='color: #999; background: #fff'>Some faint words.</p>",
    "link-name": "<a href='#x'></a>",
    "button-name": "<button></button>",
}
"""Things that no page may have, by the rule that they break."""


@pytest.mark.parametrize("view", ["light"])
@pytest.mark.parametrize("within", [None, "article"])
def test_what_is_wrong_is_found(shown, view, within):
    """On a page that is faultless without it: so the tests above can fail."""
    page = shown("arigraph/sources/")
    assert faults(page, within) == []
    for rule, html in FAULTS.items():
        page.evaluate("html => document.querySelector('article h1').insertAdjacentHTML('afterend', html)", html)
        assert rule in {each.partition(":")[0] for each in faults(page, within)}
