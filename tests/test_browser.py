"""What only a browser shows: following references and coming back, previews, small screens, contrast, no script."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.site.build import Mode, Published, publish
from tests.site.html import BuiltSite
from tests.site.served import ARGUMENTS, chromium, serving

pytestmark = pytest.mark.browser

ROUTE = "EPI-RTE-triplet-parsing"
WITHHELD = "RT-RTE-game-memory"
EPISTEMIC = "arigraph/epistemic/"
STORED = "hipporag/records/mem-obj-passage-text/"
PAGES = {
    "portal": "",
    "compare": "compare/",
    "all records": "records/",
    "glossary": "glossary/",
    "guide": "guide/",
    "guide for readers": "guide/reading/",
    "files": "guide/reference/files/",
    "overview of ACE": "ace/",
    "overview of AriGraph": "arigraph/",
    "overview of HippoRAG": "hipporag/",
    "report": EPISTEMIC,
    "epistemic report of ACE": "ace/epistemic/",
    "memory report": "hipporag/memory/",
    "short report": "arigraph/workflow/",
    "sources": "arigraph/sources/",
    "public sources": "hipporag/sources/",
    "records": "arigraph/records/",
    "values": "arigraph/records/values/",
    "values without a ledger": "hipporag/records/values/",
    "index": "arigraph/records/routes/",
    "record": f"arigraph/records/{ROUTE.lower()}/",
    "record with several storage forms": STORED,
    "withheld record": f"arigraph/records/{WITHHELD.lower()}/",
}
"""A page of each kind, by what it is."""

COLOURED = [name for name in PAGES if name not in ("guide", "files", "short report", "public sources", "records")]
"""Those that are no more than others of their kind where colours are concerned are left out."""


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[str, Published]]:
    """The published site, built for the address at which it is served, in a sub-path."""
    root = tmp_path_factory.mktemp("served")
    (root / "repository").mkdir()
    (root / "www").mkdir()
    with serving(root / "www") as host:
        address = f"{host}some/where/"
        published = publish(root / "repository", Mode("browser", True, address))
        (root / "www" / "some").mkdir()
        published.site.folder.rename(root / "www" / "some" / "where")
        published.site.folder = root / "www" / "some" / "where"
        yield address, published


@pytest.fixture(scope="module")
def address(served) -> str:
    found: str = served[0]
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        executable = chromium()
    except FileNotFoundError as error:
        pytest.fail(str(error), pytrace=False)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        yield launched
        launched.close()


@dataclass
class Watch:
    """What the pages of a test fetched, and what they complained of."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, page: Page) -> None:
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("response", lambda got: self.errors.append(f"{got.status} {got.url}") if got.status >= 400 else None)


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser, address) -> Iterator[Open]:
    """Opens a page of the site in a fresh window. However it is used: nothing is fetched from elsewhere, no errors."""
    watch = Watch()
    contexts: list[BrowserContext] = []

    def open_(path: str, width: int = 1280, height: int = 800, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page: Page = context.new_page()
        watch.add(page)
        page.goto(address + path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [url for url in watch.requests if not url.startswith((address, "data:", "blob:"))] == []
    assert watch.errors == []


def said_first(site: BuiltSite, record_id: str) -> str:
    """The first words of a record's account, or of what stands in its place."""
    article = site.article(site.record_page("arigraph", record_id))
    assert article is not None
    paragraphs = article.one("div", "rw-summary").find("p")
    first = next(each for each in paragraphs if not each.classes & {"rw-chips", "rw-container"})
    return " ".join(first.words.split()[:6])


def scrolled(page: Page) -> float:
    return float(page.evaluate("scrollY"))


def settled(page: Page) -> None:
    """Wait until the page has come to rest: it scrolls no more."""
    before = -1.0
    while (now := scrolled(page)) != before:
        before = now
        page.wait_for_timeout(100)


def click(page: Page, link: Locator) -> None:
    """Click a link as a reader does who has found it first."""
    link.scroll_into_view_if_needed()
    settled(page)
    link.click()


def assert_below_header(page: Page, target: Locator) -> None:
    """An element is on the screen, its beginning not under the header and not below the screen."""
    expect(target).to_be_visible()
    settled(page)
    box = target.bounding_box()
    header = page.locator(".md-header").bounding_box()
    assert box is not None
    assert header is not None
    bottom = max(0.0, header["y"] + header["height"])
    assert box["y"] >= bottom - 1, f"at {box['y']}, under a header that ends at {bottom}"
    assert box["y"] + min(box["height"], 20) <= page.evaluate("innerHeight"), f"at {box['y']}, below the screen"


def test_who_clicks_while_the_page_still_scrolls_gets_the_right_address(open_page, address):
    """Over a network that takes its time, so that what the theme notes of the old page could reach the new one."""
    page = open_page(EPISTEMIC)
    page.wait_for_load_state("networkidle")
    page.locator(".rw-table--ledger .rw-row").nth(1).scroll_into_view_if_needed()
    settled(page)
    slow = {"offline": False, "latency": 600, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.mouse.wheel(0, 200)
    page.locator(".rw-table--ledger .rw-row").nth(3).locator("a.rw-ref", has_text=ROUTE).first.click()
    expect(page.locator("h1")).to_contain_text(ROUTE)
    page.wait_for_timeout(400)
    assert page.url == f"{address}arigraph/records/{ROUTE.lower()}/"


@pytest.mark.parametrize("record_id", [ROUTE, WITHHELD])
def test_a_reference_shows_a_preview(open_page, served, record_id):
    """With the record's ID, and what its page says first."""
    page = open_page(EPISTEMIC)
    page.wait_for_load_state("networkidle")
    reference = page.locator(".rw-table--ledger a.rw-ref", has_text=record_id).first
    reference.scroll_into_view_if_needed()
    settled(page)
    reference.hover()
    preview = page.locator(".md-tooltip2--active")
    expect(preview).to_be_visible()
    expect(preview).to_contain_text(record_id)
    expect(preview).to_contain_text(said_first(served[1].site, record_id))


def cited_links(page: Page) -> dict[str, str]:
    """What is cited from where: by what its anchor tells, the first link of a sort."""
    found: dict[str, str] = {}
    for link in page.locator(".rw-cited a").all():
        href = link.get_attribute("href") or ""
        anchor = href.partition("#")[2]
        found.setdefault("prose" if anchor.startswith("ref-") else anchor.rpartition("--")[2], href)
    return found


@pytest.mark.parametrize(
    ("record_id", "sort", "scripts"),
    [
        (ROUTE, "prose", True),
        (ROUTE, "coverage", True),
        (ROUTE, "routes", True),
        (ROUTE, "routes", False),
        (WITHHELD, "part-of", True),
        (WITHHELD, "body", True),
        ("EPI-CLM-concrete-extraction", "claims", True),
        ("RT-BAP-memory-decisions", "authority-path", True),
        ("RT-BAP-memory-decisions", "authority-path", False),
    ],
)
def test_a_citation_lands_on_the_place_that_cites(open_page, address, record_id, sort, scripts):
    """With scripts and without, and also where that place is folded away under a row."""
    page = open_page(f"arigraph/records/{record_id.lower()}/", java_script_enabled=scripts)
    href = cited_links(page)[sort]
    click(page, page.locator(f'.rw-cited a[href="{href}"]').first)
    expect(page.locator("h1")).not_to_contain_text(record_id)
    assert_below_header(page, page.locator(f'[id="{href.partition("#")[2]}"]'))
    assert page.url.startswith(f"{address}arigraph/")


@pytest.mark.parametrize(
    "selector", [".rw-table--ledger .rw-row >> nth=5", f'[id="{ROUTE}"]', '[id="EPI-OBJ-triplets--body"]']
)
def test_an_anchor_is_not_under_the_header(open_page, selector):
    """Of a row, of a record's card, of a field in it: as a link from elsewhere leads there."""
    page = open_page(EPISTEMIC)
    anchor = page.locator(selector).get_attribute("id")
    assert anchor
    page = open_page(f"{EPISTEMIC}#{anchor}")
    assert_below_header(page, page.locator(f'[id="{anchor}"]'))


def test_the_fields_of_a_row_unfold_by_keyboard(open_page):
    page = open_page(EPISTEMIC)
    row = page.locator(".rw-table--ledger .rw-row").nth(2)
    fields = row.locator("details .rw-parts")
    expect(fields).to_be_hidden()
    row.locator("a.rw-permalink").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    assert row.locator("summary").evaluate("each => each === document.activeElement")
    page.keyboard.press("Enter")
    expect(fields).to_be_visible()
    expect(fields).to_contain_text("Evaluator or condition")
    page.keyboard.press("Enter")
    expect(fields).to_be_hidden()


def test_the_head_of_a_table_stays_while_its_rows_scroll(open_page):
    page = open_page(EPISTEMIC)
    page.locator(".rw-table--ledger .rw-row").nth(8).evaluate("each => each.scrollIntoView({block: 'center'})")
    settled(page)
    assert_below_header(page, page.locator(".rw-table--ledger thead th").first)


def test_pages_fetch_nothing_from_elsewhere_and_log_no_errors(open_page, served):
    """Every page but the records', of which there are two; `open_page` looks. `test_site` knows their links."""
    address, published = served
    page = open_page(PAGES["record"])
    page.wait_for_load_state("networkidle")
    for file in published.site.pages:
        if not file.endswith("404.html") and ("/records/" not in file or f"{WITHHELD.lower()}/" in file):
            page.goto(address + file.removesuffix("index.html"), wait_until="load")
    page.wait_for_load_state("networkidle")


WIDER_THAN_THE_SCREEN = """() => document.scrollingElement.scrollWidth <= innerWidth ? [] :
    [`the page is ${document.scrollingElement.scrollWidth} wide`, ...[...document.querySelectorAll('.md-content *')]
        .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
        .map(each => `${each.tagName} .${each.className} ${each.textContent.slice(0, 60)}`).slice(0, 5)]"""

OUTSIDE_THEIR_CELL = """() => {
    const cells = '.rw-rows :is(td, th), .rw-bars :is(td, th), .rw-fields dd, .rw-glossary dd, '
        + ':not(.rw-part) > .rw-value, .rw-spread, '
        + '.rw-finder, .rw-card';
    const inner = 'a, code, svg, input, .rw-term, .rw-chip, .rw-label, .rw-count, .rw-legend > span';
    const words = each => { const all = document.createRange(); all.selectNodeContents(each); return all; };
    return [...document.querySelectorAll(cells)].flatMap(cell => {
        const box = cell.getBoundingClientRect();
        return [...cell.querySelectorAll(inner)]
            .filter(each => each.closest(cells) === cell)
            .flatMap(each => [...(each.matches('code') ? words(each) : each).getClientRects()]
                .filter(it => it.right > box.right + 0.5 || it.left < box.left - 0.5)
                .map(it => `${each.textContent} ends at ${it.right} in a cell that ends at ${box.right}`))
    });
}"""

BROKEN_OVER_LINES = """() => [...document.querySelectorAll('.rw-rows a.rw-ref')]
    .filter(each => innerWidth > 480 || !each.matches('.rw-ref--elsewhere'))
    .filter(each => each.getClientRects().length > 1).map(each => each.textContent)"""
"""On a phone, a reference with the name of its system before it may take two lines."""


NARROWER_THAN_THEIR_BOX = """() => [...document.querySelectorAll('.rw-table:not(.rw-table--chosen)')].filter(each => {
    const room = each.clientWidth;
    return [...each.querySelectorAll('tbody > tr')].some(row => row.checkVisibility() && row.offsetWidth < room - 4);
}).map(each => each.getAttribute('aria-label'))"""
"""Tables that leave room beside their rows, as they do when something keeps them from being laid out as blocks."""

CHECKS = (WIDER_THAN_THE_SCREEN, OUTSIDE_THEIR_CELL, BROKEN_OVER_LINES, NARROWER_THAN_THEIR_BOX)


@pytest.mark.parametrize("name", PAGES)
def test_everything_fits(open_page, name):
    """From a wide screen to a phone: no page scrolls sideways, nothing leaves its cell, no ID is broken over lines."""
    page = open_page(PAGES[name])
    page.evaluate("document.querySelectorAll('details:not(.rw-facet)').forEach(each => each.open = true)")
    found = {}
    for width in (1440, 1280, 1024, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        wrong = [page.evaluate(each) for each in CHECKS]
        if any(wrong):
            found[width] = wrong
    assert found == {}


def test_the_site_can_be_read_without_scripts(open_page, served):
    address = served[0]
    page = open_page("", java_script_enabled=False)
    page.locator(".rw-card--system h2 a", has_text="AriGraph").click()
    page.wait_for_url(f"{address}arigraph/")
    page.locator(".rw-members a", has_text="Epistemic report").click()
    page.wait_for_url(f"{address}{EPISTEMIC}")
    row = page.locator(".rw-table--ledger .rw-row").nth(3)
    row.locator("summary").click()
    expect(row.locator("details .rw-parts")).to_be_visible()
    row.locator("a.rw-ref").first.click()
    page.wait_for_url(f"{address}arigraph/records/{ROUTE.lower()}/")
    expect(page.locator(".rw-summary")).to_contain_text(said_first(served[1].site, ROUTE))
    expect(page.locator(".rw-cited a").first).to_be_visible()


def test_a_controlled_value_can_be_looked_up_without_scripts(open_page, address):
    page = open_page(f"arigraph/records/{ROUTE.lower()}/", java_script_enabled=False)
    term = page.locator("a.rw-term").first
    value, meaning = term.inner_text(), term.get_attribute("title") or ""
    assert meaning
    click(page, term)
    page.wait_for_url(f"{address}glossary/#*")
    entry = page.locator(f'[id="{page.url.partition("#")[2]}"]')
    assert_below_header(page, entry)
    expect(entry).to_contain_text(value)
    expect(entry).to_contain_text(meaning)


def test_systems_can_be_compared_without_scripts(open_page, address):
    """A number of the comparison leads to the rows that it counts, and a row to its place in the report."""
    page = open_page("compare/", java_script_enabled=False)
    number = page.locator('.rw-compare td[data-column="ACE"] a.rw-count').first
    counted = int(number.inner_text())
    click(page, number)
    page.wait_for_url(f"{address}ace/records/values/#*")
    heading = page.locator(f'[id="{page.url.partition("#")[2]}"]')
    assert_below_header(page, heading)
    rows = heading.locator("xpath=following::ul[1]").locator("li")
    expect(rows).to_have_count(counted)
    click(page, rows.first.locator("a").first)
    page.wait_for_url(f"{address}ace/epistemic/#*")
    assert_below_header(page, page.locator(f'[id="{page.url.partition("#")[2]}"]'))


CONTRAST = """selector => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const paint = colours => {
        context.clearRect(0, 0, 1, 1);
        for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = rgb => rgb.map(each => each / 255)
        .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
        .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
    const told = {};
    for (const each of document.querySelectorAll(selector)) {
        if (!each.checkVisibility() || !each.textContent.trim()) continue;
        const under = [];
        for (let it = each; it; it = it.parentElement) under.unshift(getComputedStyle(it).backgroundColor);
        const style = getComputedStyle(each);
        const back = ['white', ...under];
        const [light, dark] = [luminance(paint(back)), luminance(paint([...back, style.color]))].sort((a, b) => b - a);
        const ratio = (light + 0.05) / (dark + 0.05);
        const value = each.dataset.value || each.parentElement.dataset.status || '';
        const name = `${each.className || each.tagName} ${value}`;
        if (!(name in told) || ratio < told[name]) told[name] = ratio;
    }
    return told;
}"""

TEXT = (
    ".rw-label, .rw-name, .rw-chip, .rw-chip b, .rw-none, .rw-sentence, .rw-term, .rw-uncertain, .rw-as, .rw-layer, "
    ".rw-permalink, .rw-caption, .rw-ref, .rw-source, .rw-rows th, .rw-rows td, .rw-part--mismatch, .rw-more summary, "
    ".rw-fields dt, .rw-fields dd, .rw-cited a, .rw-withheld, .rw-count, .rw-use, .rw-bars a, .rw-bars td, .rw-legend, "
    ".rw-spread figcaption, .rw-kinds li, .rw-glossary dt, .rw-glossary dd, .rw-finder label, .rw-finder output, "
    ".rw-about a, .rw-rows tfoot td, .md-typeset h1, .md-typeset h2, .md-typeset h3, .md-typeset p, .md-typeset code"
)


@pytest.mark.parametrize("name", COLOURED)
def test_text_stands_out_from_its_background(open_page, name):
    """In light and in dark, as the reader's system asks for."""
    page = open_page(PAGES[name], color_scheme="light")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    faint: dict[str, float] = {}
    for scheme, palette in (("light", "default"), ("dark", "slate")):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function("palette => document.body.dataset.mdColorScheme === palette", arg=palette)
        page.wait_for_timeout(300)
        ratios = page.evaluate(CONTRAST, TEXT)
        assert len(ratios) >= 3
        faint |= {f"{scheme}: {text}": round(ratio, 2) for text, ratio in ratios.items() if ratio < 4.5}
    assert faint == {}


SHAPES = """() => [...document.querySelectorAll('.rw-spread rect')].map(each => {
    const under = [];
    for (let it = each.parentElement; it; it = it.parentElement) under.unshift(getComputedStyle(it).backgroundColor);
    return [each.dataset.status, getComputedStyle(each).fill, under];
})"""

RATIO = """([colour, under]) => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const luminance = colours => {
        for (const each of ['white', ...colours]) { context.fillStyle = each; context.fillRect(0, 0, 1, 1); }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(each => each / 255)
            .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
            .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
    };
    const [dark, light] = [luminance(under), luminance([...under, colour])].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_bars_of_a_ledger_stand_out_from_their_background(open_page, scheme):
    """Three to one, as it is asked of what is no text, for each status that there is."""
    page = open_page("", color_scheme=scheme)
    page.wait_for_load_state("networkidle")
    ratios = {status: page.evaluate(RATIO, [fill, under]) for status, fill, under in page.evaluate(SHAPES)}
    assert ratios.keys() == {"implemented", "doctrine only", "no route found within boundary"}
    assert {status: round(ratio, 2) for status, ratio in ratios.items() if ratio < 3} == {}


def test_printed_rows_show_all_their_fields(open_page):
    page = open_page(EPISTEMIC)
    page.emulate_media(media="print")
    assert page.locator(".rw-table--ledger .rw-row details .rw-parts").nth(2).evaluate("each => each.checkVisibility()")
    overflowing = page.evaluate(
        "[...document.querySelectorAll('.rw-table')].filter(it => it.scrollWidth > it.clientWidth + 1).length"
    )
    assert overflowing == 0


def test_the_search_finds_a_record_by_its_id_first(open_page, address):
    """Also where another ID begins with it, and where many places mention it."""
    page = open_page("arigraph/")
    page.wait_for_load_state("networkidle")
    for record_id in (ROUTE, WITHHELD, "EPI-OBJ-answer", "RT-RTE-game-cycle"):
        page.keyboard.press("/")
        field = page.locator(".md-search__input")
        field.fill("")
        field.press_sequentially(record_id)
        first = page.locator(".md-search-result__link").first
        page_of_it = re.escape(f"{address}arigraph/records/{record_id.lower()}/")
        expect(first).to_have_attribute("href", re.compile(page_of_it + r"(\?.*)?$"))
        page.keyboard.press("Escape")


def test_a_missing_browser_is_a_failure_that_says_how_to_get_one(monkeypatch):
    monkeypatch.setenv("CHROMIUM", str(Path("/no/such/browser")))
    with pytest.raises(FileNotFoundError, match=r"none at /no/such/browser.*apt-get install chromium"):
        chromium()
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setenv("PATH", "/no/such/folder")
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        chromium()
