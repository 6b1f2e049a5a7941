"""The way back after a link was followed: to the very place, by the browser's Back and by the offer on the page."""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Locator, Page, expect

from tests import test_browser
from tests.site import hostile
from tests.site.build import REPOSITORY, Builds
from tests.site.html import BuiltSite
from tests.site.served import ARGUMENTS, chromium, serving

pytestmark = pytest.mark.browser

browser, served, address, open_page = (
    test_browser.browser,
    test_browser.served,
    test_browser.address,
    test_browser.open_page,
)

REPORT = "arigraph/epistemic/"
ROW_TEN = "Epistemic report, Authority-route ledger, row 10"
SLOWER = 6  # times, by which the throttled tests slow the processor down
CLOSE = 2  # pixels
PATIENCE = 25_000  # milliseconds, for what a slow machine does on a busy one


@dataclass(frozen=True)
class Place:
    """A link to be followed: its page, what selects it there, and its place as a reader would name it."""

    page: str
    link: str
    name: str


PLACES = {
    "a row of the ledger": Place(REPORT, "[data-table='ledger'] tbody[data-number='10'] a.rw-ref >> nth=1", ROW_TEN),
    "prose": Place(REPORT, "article > p:not([class]) a.rw-ref >> nth=-1", "Epistemic report, Bounded conclusion"),
    "a record's page": Place(
        "arigraph/records/epi-rte-triplet-parsing/", ".rw-cited a >> nth=-1", "EPI-RTE-triplet-parsing, Cited by"
    ),
}
"""Links to other pages of the same site, which the theme follows without loading the page anew."""

IN_ROW_TEN, IN_PROSE, ON_A_RECORD = PLACES.values()

ELSEWHERE = {
    "to the glossary": Place(REPORT, "[data-table='ledger'] tbody[data-number='10'] a.rw-term >> nth=0", ROW_TEN),
    "into a system": Place(
        "guide/reading/", "article > p:not([class]) a.rw-ref--elsewhere >> nth=-1", "For readers, Coverage"
    ),
}
"""Links from one site to another, for which the page is loaded anew."""

WITHIN = {
    "on the guide": Place(
        "guide/reading/",
        "article > p a[href$='#system-and-boundary']",
        "For readers, One reading, from claim to evidence",
    ),
    "on a report": Place(
        "hipporag/memory/",
        "article a:not(.headerlink)[href$='#memory-on-RT-RTE-retrieve-answer']",
        "Memory report, Read-back",
    ),
}
"""Links to a place on the same page."""


# What a reader does, and sees


def pill(page: Page) -> Locator:
    """What is offered at the foot of the window."""
    return page.locator(".rw-back")


def offer(page: Page) -> Locator:
    return pill(page).get_by_role("link")


def assert_offers(page: Page, name: str) -> None:
    expect(pill(page)).to_have_count(1)
    expect(offer(page)).to_have_text(f"Back to {name}")


def assert_offers_nothing(page: Page) -> None:
    page.wait_for_timeout(400)
    assert pill(page).count() == 0


def at(link: Locator) -> tuple[float, float]:
    """How far the page is scrolled, and where in the window the link is."""
    found: list[float] = link.evaluate("link => [scrollY, link.getBoundingClientRect().top]")
    return found[0], found[1]


def leave(page: Page, place: Place, *, by_key: bool = False, patience: float = 5000) -> tuple[float, float]:
    """Follow a link in the middle of the window, until the page that it leads to is there; gives where it was."""
    page.wait_for_load_state("networkidle")
    link = page.locator(place.link)
    link.evaluate("link => link.scrollIntoView({block: 'center'})")
    test_browser.settled(page)
    before = at(link)
    assert before[0] > 100, "so that there is something to restore"
    to = link.evaluate("link => link.href")
    if by_key:
        link.focus()
        assert at(link) == before
        page.keyboard.press("Enter")
    else:
        link.click()
    page.wait_for_url(to, wait_until="commit")
    expect(pill(page)).to_be_visible(timeout=patience)
    return before


def by_browser(page: Page) -> None:
    page.go_back(wait_until="commit")


def by_pill(page: Page) -> None:
    offer(page).click()


WAYS = pytest.mark.parametrize("back", [by_browser, by_pill])
Way = Callable[[Page], None]


def assert_back(page: Page, place: Place, before: tuple[float, float], patience: float = 5000) -> None:
    """The link is where it was, and stays there, when the theme and the browser have scrolled, if they do."""
    link = page.locator(place.link)
    link.wait_for(state="attached", timeout=patience)
    if page.locator(".rw-table").count():
        page.locator(".rw-bar").first.wait_for(state="attached", timeout=patience)
    deadline = time.monotonic() + patience / 1000
    while at(link) != pytest.approx(before, abs=CLOSE) and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    page.wait_for_timeout(500 if patience < PATIENCE else 1500)
    assert at(link) == pytest.approx(before, abs=CLOSE)


MARKED = re.compile(r"(^| )rw-returned( |$)")


# There and back


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@WAYS
def test_back_restores_the_very_place(open_page, address, place, back):
    page = open_page(place.page)
    page.evaluate("window.untouched = true")
    before = leave(page, place)
    assert_offers(page, place.name)
    back(page)
    assert_back(page, place, before)
    assert page.url == address + place.page
    assert_offers_nothing(page)
    assert page.evaluate("window.untouched") is True, "the page was loaded anew, so this shows less than it says"


@pytest.mark.parametrize("place", ELSEWHERE.values(), ids=ELSEWHERE)
@WAYS
def test_back_restores_the_very_place_from_another_site(open_page, address, place, back):
    page = open_page(place.page)
    page.evaluate("window.untouched = true")
    before = leave(page, place)
    assert page.evaluate("window.untouched") is None, "so the page was loaded anew"
    assert_offers(page, place.name)
    back(page)
    page.wait_for_url(address + place.page)
    assert_back(page, place, before)
    assert_offers_nothing(page)


@pytest.mark.parametrize("place", WITHIN.values(), ids=WITHIN)
@WAYS
def test_back_restores_the_very_place_on_the_same_page(open_page, address, place, back):
    page = open_page(place.page)
    before = leave(page, place)
    test_browser.settled(page)
    assert abs(test_browser.scrolled(page) - before[0]) > 100
    assert_offers(page, place.name)
    back(page)
    assert_back(page, place, before)
    assert page.url == address + place.page
    assert_offers_nothing(page)


@pytest.mark.parametrize("width", [1280, 360])
@WAYS
def test_back_restores_what_was_unfolded(open_page, width, back):
    """Rows above the link, and the one in which it stands: it is where it was, and can be seen."""
    place = Place(REPORT, "tbody[data-number='10'] .rw-more a.rw-ref >> nth=0", ROW_TEN)
    page = open_page(REPORT, width=width)
    rows = page.locator("[data-table='ledger'] tbody.rw-row")
    for number in (2, 3, 9):
        rows.nth(number).locator("summary").click()
    place = Place(place.page, f"[data-table='ledger'] {place.link}", place.name)
    before = leave(page, place)
    assert_offers(page, place.name)
    back(page)
    assert_back(page, place, before)
    expect(page.locator(place.link)).to_be_in_viewport()


AWAY = """([back, pause]) => {
    scrollBy({top: 300, behavior: 'instant'});
    const go = () => back === 'pill' ? document.querySelector('.rw-back a').click() : history.back();
    pause < 0 ? go() : setTimeout(go, pause);
    return scrollY;
}"""
"""Scrolls, and goes back at once or a moment later."""


def slowly(page: Page) -> Page:
    """The page, once it is there, as on a slow machine."""
    page.wait_for_load_state("networkidle")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


@pytest.mark.parametrize("pause", [-1, 0, 120, 240, 400])
@pytest.mark.parametrize("back", ["browser", "pill"])
def test_on_a_slow_machine_back_restores_the_very_place(open_page, address, back, pause):
    """Also for who scrolls up to the moment of going back."""
    page = slowly(open_page(REPORT))
    before = leave(page, IN_ROW_TEN, patience=PATIENCE)
    test_browser.settled(page)
    assert page.evaluate(AWAY, [back, pause]) > 100
    page.wait_for_url(address + REPORT)
    assert_back(page, IN_ROW_TEN, before, PATIENCE)


@WAYS
def test_on_a_slow_machine_back_from_another_site_restores_the_very_place(open_page, address, back):
    place = ELSEWHERE["to the glossary"]
    page = slowly(open_page(REPORT))
    before = leave(page, place, patience=PATIENCE)
    page.mouse.wheel(0, -300)
    back(page)
    page.wait_for_url(address + REPORT)
    page.wait_for_load_state("networkidle")
    assert_back(page, place, before, PATIENCE)


def test_a_slow_machine_does_not_lose_a_scroll_just_before_leaving(open_page, address):
    """The theme has not noted yet how far the page is scrolled when the link is clicked."""
    page = slowly(open_page(REPORT))
    link = page.locator(IN_ROW_TEN.link)
    before = link.evaluate(
        "link => { link.scrollIntoView({block: 'center', behavior: 'instant'}); "
        "const {top} = link.getBoundingClientRect(); link.click(); return [scrollY, top]; }"
    )
    expect(pill(page)).to_be_visible(timeout=PATIENCE)
    page.go_back(wait_until="commit")
    page.wait_for_url(address + REPORT)
    assert_back(page, IN_ROW_TEN, tuple(before), PATIENCE)


NOTICE = """window.marked = [];
new MutationObserver(changes => changes.forEach(({target}) => {
    if (target.matches('.rw-returned')) window.marked.push(target.href);
})).observe(document, {subtree: true, attributes: true, attributeFilter: ['class']});"""
"""Notes which links are marked, for however short a time."""


@pytest.mark.parametrize(
    "place",
    [*PLACES.values(), *ELSEWHERE.values(), *WITHIN.values()],
    ids=[*PLACES, *ELSEWHERE, *WITHIN],
)
@WAYS
def test_the_link_left_from_is_marked(open_page, address, place, back):
    page = open_page(place.page)
    page.evaluate(NOTICE)
    page.add_init_script(NOTICE)
    to = page.locator(place.link).evaluate("link => link.href")
    leave(page, place)
    back(page)
    page.wait_for_url(address + place.page)
    page.locator(place.link).wait_for(state="attached")
    page.wait_for_timeout(500)
    assert list(dict.fromkeys(page.evaluate("window.marked"))) == [to]


def test_the_mark_is_seen_for_a_moment(open_page):
    page = open_page(REPORT)
    leave(page, IN_ROW_TEN)
    by_pill(page)
    link = page.locator(IN_ROW_TEN.link)
    expect(link).to_have_class(MARKED)
    plain = page.locator("[data-table='ledger'] tbody[data-number='11'] a.rw-ref").first
    assert link.evaluate("e => getComputedStyle(e).animationName") == "rw-returned"
    assert plain.evaluate("e => getComputedStyle(e).animationName") == "none"
    page.wait_for_timeout(2000)
    expect(link).to_have_class(MARKED)
    expect(page.locator(".rw-returned")).to_have_count(0, timeout=2500)


# Chains, rounds, and the rest of a history


def test_a_chain_is_gone_back_step_by_step(open_page, address):
    """By the pill alone; a step may lead to a page that is in the chain already."""
    page = open_page(REPORT)
    first = leave(page, IN_ROW_TEN)
    record = page.url
    assert_offers(page, ROW_TEN)
    cited = Place("", ".rw-cited a[href*='epistemic/#'] >> nth=-1", "EPI-OBJ-triplets, Cited by")
    second = leave(page, cited)
    assert page.url.startswith(f"{address}{REPORT}#")
    assert_offers(page, cited.name)
    by_pill(page)
    assert_back(page, cited, second)
    assert page.url == record
    assert_offers(page, ROW_TEN)
    by_pill(page)
    assert_back(page, IN_ROW_TEN, first)
    assert page.url == address + REPORT
    assert_offers_nothing(page)


def test_two_steps_back_at_once(open_page, address):
    """To an earlier place of the page that is shown: there is no offer, and the page is where it was."""
    page = open_page(REPORT)
    before = leave(page, IN_ROW_TEN)
    leave(page, Place("", ".rw-cited a[href*='epistemic/#'] >> nth=-1", ""))
    page.evaluate("history.go(-2)")
    page.wait_for_url(address + REPORT)
    assert_offers_nothing(page)
    test_browser.settled(page)
    assert at(page.locator(IN_ROW_TEN.link)) == pytest.approx(before, abs=CLOSE)


@WAYS
def test_forward_after_back(open_page, back):
    """The page reached is as it was left as well, with its offer."""
    page = open_page(REPORT)
    before = leave(page, IN_ROW_TEN)
    reached = page.url
    page.mouse.wheel(0, 350)
    page.wait_for_function("scrollY > 200")
    test_browser.settled(page)
    there = test_browser.scrolled(page)
    back(page)
    assert_back(page, IN_ROW_TEN, before)
    page.go_forward(wait_until="commit")
    page.wait_for_url(reached)
    assert_offers(page, ROW_TEN)
    test_browser.settled(page)
    assert test_browser.scrolled(page) == pytest.approx(there, abs=CLOSE)
    back(page)
    assert_back(page, IN_ROW_TEN, before)


def test_nothing_is_doubled_after_several_rounds(open_page, address):
    """One offer, one bar, one step back for each; and each round ends where it began."""
    page = open_page(REPORT)
    page.evaluate("window.untouched = true")
    bars, buttons = page.locator(".rw-bar").count(), page.locator(".rw-show").count()
    assert (bars > 1, buttons > 1) == (True, True)
    entries = page.evaluate("history.length")
    for back in (by_pill, by_browser, by_pill, by_pill):
        before = leave(page, IN_ROW_TEN)
        assert_offers(page, ROW_TEN)
        assert page.locator(".rw-summary .rw-button").count() <= 1
        assert page.evaluate("history.length") == entries + 1
        back(page)
        assert_back(page, IN_ROW_TEN, before)
        assert page.url == address + REPORT
        assert_offers_nothing(page)
        assert (page.locator(".rw-bar").count(), page.locator(".rw-show").count()) == (bars, buttons)
    assert page.evaluate("window.untouched") is True


def test_a_reload_keeps_the_offer(open_page, address):
    """And the offer leads back to the very place."""
    page = open_page(REPORT)
    before = leave(page, IN_ROW_TEN)
    page.reload()
    assert_offers(page, ROW_TEN)
    by_pill(page)
    page.wait_for_url(address + REPORT)
    assert_back(page, IN_ROW_TEN, before)


def test_a_closed_offer_stays_closed(open_page, address):
    """On this page, also when it is loaded anew or come back to; further links are offered as before."""
    page = open_page(REPORT)
    leave(page, IN_ROW_TEN)
    reached = page.url
    page.get_by_role("button", name="Do not offer the way back").click()
    expect(pill(page)).to_have_count(0)
    assert page.url == reached
    page.reload()
    assert_offers_nothing(page)
    page.go_back()
    page.wait_for_url(address + REPORT)
    page.go_forward()
    page.wait_for_url(reached)
    assert_offers_nothing(page)
    leave(page, Place("", ".rw-cited a >> nth=-1", ""))
    assert_offers(page, "EPI-OBJ-triplets, Cited by")


@pytest.mark.parametrize(
    "query", ["?ledger.status=implemented&ledger.group=function", "?ledger.status=implemented&ledger.sort=gap"]
)
def test_filters_survive_the_way_there_and_back(open_page, address, query):
    page = open_page(f"{REPORT}{query}")
    page.wait_for_load_state("networkidle")
    told = page.locator(".rw-told").inner_text()
    assert re.fullmatch(r"(?!24)\d+ of 24 rows", told)
    place = Place("", SHOWN, "")
    for back in (by_pill, by_browser):
        before = leave(page, place)
        expect(offer(page)).to_have_attribute("href", re.compile(re.escape(f"{address}{REPORT}{query}#")))
        back(page)
        page.wait_for_url(f"{address}{REPORT}{query}")
        assert_back(page, place, before)
        assert page.locator(".rw-told").inner_text() == told


SHOWN = "[data-table='ledger'] tbody.rw-row:not([hidden]) .rw-part--routes a.rw-ref >> nth=-1"


@WAYS
def test_a_table_that_scrolls_by_itself_is_scrolled_as_it_was(open_page, address, back):
    """As it does when columns are chosen for it: the link is where it was."""
    query = "?ledger.columns=function%2Cgap"
    page = open_page(f"{REPORT}{query}")
    place = Place("", SHOWN, "")
    before = leave(page, place)
    back(page)
    page.wait_for_url(f"{address}{REPORT}{query}")
    assert_back(page, place, before)
    expect(page.locator(place.link)).to_be_in_viewport()


# By keyboard


@pytest.mark.parametrize("place", [IN_ROW_TEN, ELSEWHERE["to the glossary"]], ids=["same site", "another site"])
@pytest.mark.parametrize("back", ["browser", "pill"])
def test_who_left_by_keyboard_goes_on_from_the_reference(open_page, address, place, back):
    page = open_page(REPORT)
    before = leave(page, place, by_key=True)
    if back == "pill":
        for _ in range(90):
            page.keyboard.press("Tab")
            if offer(page).evaluate("link => link === document.activeElement"):
                break
        assert offer(page).evaluate("link => link === document.activeElement")
        page.keyboard.press("Enter")
    else:
        by_browser(page)
    page.wait_for_url(address + REPORT)
    assert_back(page, place, before)
    assert page.locator(place.link).evaluate("link => link === document.activeElement")


# Where there is nothing to go back to


def by_navigation(page: Page) -> None:
    page.locator(".md-nav--primary a", has_text="Sources").first.click()
    expect(page.locator(".md-content h1")).to_contain_text("Sources")


def by_contents(page: Page) -> None:
    page.locator(".md-sidebar--secondary a[href$='#coverage']").click()
    page.wait_for_url("**/#coverage")


def by_search(page: Page, record: str = "EPI-OBJ-answer") -> None:
    page.keyboard.press("/")
    page.locator(".md-search__input").press_sequentially(record)
    first = page.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", re.compile(rf"/{record.lower()}/(\?.*)?$"))
    page.keyboard.press("Enter")
    expect(page.locator(".md-content h1")).to_contain_text(record)


def by_mark(page: Page) -> None:
    page.locator(".rw-matrix a.rw-mark").last.click()
    expect(page.get_by_role("button", name="Clear filters")).to_be_visible()


def by_permalink(page: Page) -> None:
    page.locator("[data-table='ledger'] tbody[data-number='10'] a.rw-permalink").click()
    page.wait_for_url("**#epistemic-ledger-*")


def by_headerlink(page: Page) -> None:
    heading = page.locator("h2", has_text="Authority-route ledger")
    heading.hover()
    heading.locator("a.headerlink").click()
    page.wait_for_url("**#authority-route-ledger")


ASIDE = {
    "navigation": by_navigation,
    "table of contents": by_contents,
    "search": by_search,
    "mark": by_mark,
    "link to a row itself": by_permalink,
    "link to a heading itself": by_headerlink,
}


@pytest.mark.parametrize("go", ASIDE.values(), ids=ASIDE)
def test_nothing_is_offered_to_who_followed_no_link_in_the_text(open_page, go):
    page = open_page(REPORT)
    page.wait_for_load_state("networkidle")
    assert_offers_nothing(page)
    go(page)
    assert_offers_nothing(page)
    page.reload()
    assert_offers_nothing(page)


def test_nothing_is_offered_by_the_neighbours_of_a_record(open_page, address):
    page = open_page("arigraph/records/epi-rte-triplet-parsing/")
    page.wait_for_load_state("networkidle")
    neighbour = page.locator(".rw-beside a").last
    to = neighbour.evaluate("link => link.href")
    neighbour.click()
    page.wait_for_url(to)
    assert_offers_nothing(page)


@pytest.mark.parametrize("how", [{"modifiers": ["Control"]}, {"button": "middle"}], ids=["Control", "middle button"])
def test_nothing_is_offered_in_a_tab_of_its_own(open_page, address, how):
    """Nor on the page that stays; nor on the next page, to which no link in the text leads."""
    page = open_page(REPORT)
    page.wait_for_load_state("networkidle")
    with page.context.expect_page() as opened:
        page.locator(IN_ROW_TEN.link).click(**how)
    opened.value.wait_for_load_state()
    expect(opened.value.locator("h1")).to_contain_text("EPI-OBJ-triplets")
    assert_offers_nothing(opened.value)
    assert page.url == address + REPORT
    assert_offers_nothing(page)
    by_navigation(page)
    assert_offers_nothing(page)


def test_an_offer_is_not_kept_for_a_page_reached_otherwise(open_page, address):
    """A link, Back, and then the same page by the search."""
    page = open_page(REPORT)
    leave(page, IN_ROW_TEN)
    reached = page.url
    by_browser(page)
    page.wait_for_url(address + REPORT)
    expect(page.locator(".md-content h1")).to_contain_text("Epistemic report")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    by_search(page, "EPI-OBJ-triplets")
    assert page.url.startswith(reached)
    assert_offers_nothing(page)


# Other browsers, other windows


def test_without_scripts_nothing_is_offered_and_everything_can_be_read(open_page, address):
    page = open_page(REPORT, java_script_enabled=False)
    link = page.locator(IN_ROW_TEN.link)
    link.click()
    page.wait_for_url(f"{address}arigraph/records/epi-obj-triplets/")
    assert pill(page).count() == 0
    expect(page.locator(".rw-summary")).to_be_visible()
    page.go_back()
    expect(link).to_be_in_viewport()


WITHOUT = "Object.defineProperty(window, 'navigation', {value: undefined, configurable: true})"


def test_a_browser_without_the_navigation_api_leads_back_by_a_plain_link(open_page, address):
    """To the anchor of the place left, which is then in view."""
    page = open_page("")
    page.add_init_script(WITHOUT)
    page.goto(address + REPORT)
    assert page.evaluate("window.navigation === undefined")
    leave(page, IN_ROW_TEN)
    assert_offers(page, ROW_TEN)
    to = offer(page).evaluate("link => link.href")
    assert to.startswith(f"{address}{REPORT}#epistemic-ledger-")
    by_pill(page)
    page.wait_for_url(to)
    expect(page.locator("h1")).to_contain_text("Epistemic report")
    expect(page.locator(IN_ROW_TEN.link)).to_be_in_viewport()


@pytest.mark.parametrize("place", [*PLACES.values(), *ELSEWHERE.values()], ids=[*PLACES, *ELSEWHERE])
def test_on_a_phone_the_offer_is_inside_the_window(open_page, place):
    """With its button, large enough for a finger; it covers no more than a strip, and works."""
    page = open_page(place.page, width=360, height=640)
    before = leave(page, place)
    assert_offers(page, place.name)
    for each in (pill(page), offer(page), pill(page).get_by_role("button")):
        box = each.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 640
        assert 24 <= box["height"] <= 120
        assert box["width"] >= 24
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360
    by_pill(page)
    assert_back(page, place, before)


@pytest.fixture
def kept_page(browser) -> Iterator[Page]:
    """In a browser that keeps the pages left in memory, as a reader's does, and that of the other tests does not."""
    launched: Browser = browser.browser_type.launch(
        executable_path=chromium(), args=list(ARGUMENTS), ignore_default_args=["--disable-back-forward-cache"]
    )
    yield launched.new_page(viewport={"width": 1280, "height": 800})
    launched.close()


@WAYS
def test_a_page_kept_in_memory_is_as_it_was(kept_page, address, back):
    """The browser brings it back whole: nothing of what was on the way is offered there, and its links work."""
    page = kept_page
    page.goto(address + REPORT)
    page.evaluate("window.untouched = true")
    before = leave(page, ELSEWHERE["to the glossary"])
    back(page)
    page.wait_for_url(address + REPORT, wait_until="commit")
    assert_back(page, ELSEWHERE["to the glossary"], before)
    assert page.evaluate("window.untouched") is True, "the page was loaded anew, so this shows nothing"
    assert_offers_nothing(page)
    leave(page, IN_ROW_TEN)
    assert_offers(page, ROW_TEN)
    page.go_back(wait_until="commit")
    page.wait_for_url(address + REPORT, wait_until="commit")
    expect(page.locator(".md-content h1")).to_contain_text("Epistemic report")
    by_navigation(page)
    assert_offers_nothing(page)


# Hostile texts


@pytest.fixture(scope="module")
def attacked(tmp_path_factory) -> Iterator[tuple[str, BuiltSite]]:
    """A system whose every text is hostile, built for the address at which it is served."""
    root: Path = tmp_path_factory.mktemp("attacked")
    (root / "docs").mkdir()
    (root / "www").mkdir()
    with serving(root / "www") as host:
        shutil.copy(REPOSITORY / "mkdocs.yml", root / "published.yml")
        settings = f"INHERIT: published.yml\nsite_url: {host}\nnav:\n  - Analyses: index.md\n"
        (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
        (root / "docs" / "index.md").write_text("# Analyses\n\n{{ systems() }}\n", encoding="utf-8")
        hostile.write(root, hostile.texts(hostile.ATTACKS))
        build = Builds().run(root, root / "www", strict=False)
        assert build.status == 0, build.output
        yield host, BuiltSite(root / "www", host)


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_hostile_text_is_shown_as_text(browser, attacked):
    """Headings and titles of places: nothing in them takes effect in the offer, and each is shown as it was written."""
    host, site = attacked
    ran: list[str] = []

    def answer(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("dialog", answer)
    page.on("pageerror", lambda error: ran.append(str(error)))
    page.on("request", lambda request: ran.append(request.url) if request.url.endswith("/x") else None)
    told = {}
    # A report with hostile headings, and a page whose title is hostile: the first link below each heading.
    for path in ("hostile/x/", "hostile/"):
        article = site.article(f"{path}index.html")
        assert article is not None
        title = article.one("h1").words.removesuffix("¶").strip()
        assert "<script>" in title or path == "hostile/x/"
        page.goto(host + path)
        links = page.evaluate(
            "() => { const all = [...document.querySelectorAll('article a[href]')]; const found = new Map();"
            " for (const [number, link] of all.entries()) {"
            "  if (link.matches('.headerlink, .rw-permalink, .rw-mark') || link.origin !== location.origin) continue;"
            "  if (!link.checkVisibility() || link.closest('.rw-facet, details:not([open])')) continue;"
            "  const above = [...document.querySelectorAll('article h2[id]')]"
            "   .filter(each => each.compareDocumentPosition(link) & 4).at(-1);"
            "  const key = above ? above.id : ''; if (!found.has(key)) found.set(key, number); }"
            " return [...found.values()]; }"
        )
        for number in links:
            page.goto(host + path)
            page.wait_for_load_state("networkidle")
            link = page.locator("article a[href]").nth(number)
            to = link.evaluate("link => link.href")
            link.scroll_into_view_if_needed()
            link.click()
            page.wait_for_url(to)
            expect(pill(page)).to_be_visible()
            shown = pill(page).evaluate("each => [each.querySelectorAll('*').length, each.textContent]")
            assert shown[0] == 2, f"more than a link and a button: {pill(page).evaluate('e => e.outerHTML')}"
            assert words(shown[1]).startswith(f"Back to {title}")
            told[words(offer(page).inner_text())] = page.url
    page.close()
    assert ran == []
    headings = [words(each) for each in hostile.SHOWN_AS_WRITTEN[:5]]  # those of the sections with tables
    for heading in headings:
        assert [each for each in told if f"The records, {heading}" in each], f"{heading} is not in {list(told)}"
