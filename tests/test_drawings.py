"""The map of a system and the neighbourhood of a record: what is drawn is what the files say, and leads there."""

import re
from collections import defaultdict
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import test_browser
from tests.site.build import REPOSITORY
from tests.site.html import BuiltSite
from tests.site.tree import Element
from tests.test_site import KINDS, SYSTEMS, declared, read, withheld

browser, served, address, open_page = (
    test_browser.browser,
    test_browser.served,
    test_browser.address,
    test_browser.open_page,
)


@pytest.fixture
def site(published) -> BuiltSite:
    value: BuiltSite = published.site
    return value


def rows(system: str, table: str) -> list[Any]:
    files = (REPOSITORY / "records" / system).glob(f"*/{table}.yml")
    return [row for path in sorted(files) for row in read(path)["rows"]]


def acting(system: str) -> dict[tuple[str, str], set[str]]:
    """The functions by which each route acts on each object, counted anew from the ledger."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows(system, "ledger"):
        function = row["function"] if isinstance(row["function"], str) else next(iter(row["function"]))
        for route in row["routes"]:
            for one in row["objects"]:
                found[route, one].add(function)
    return found


def containers(system: str) -> dict[str, str]:
    files = [path for stem in KINDS.values() for path in (REPOSITORY / "records" / system).glob(f"*/{stem}.yml")]
    records = [record for path in files for record in read(path)["records"]]
    return {record["id"]: record["part_of"] for record in records if "part_of" in record}


def article(site: BuiltSite, name: str) -> Element:
    found = site.article(site.file_of(name))
    assert found is not None
    return found


def nodes(drawing: Element) -> dict[str, str]:
    """The boxes of a drawing by ID, with the words below it."""
    boxes = [each for each in drawing.find("div") if "rw-node" in each.classes]
    return {each.words.split()[0]: " ".join(each.words.split()[1:]) for each in boxes}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_map_shows_what_the_ledger_connects(site, system):
    expected = acting(system)
    page = article(site, f"{system}/records/map")
    if not expected:
        assert "No published report" in page.one("p", "rw-none").words
        assert not list(page.find("svg"))
        return
    drawing = page.one("figure", "rw-map")
    assert nodes(drawing).keys() == {one for pair in expected for one in pair}
    lines = list(drawing.find("path"))
    assert {(line.attributes["data-start"], line.attributes["data-end"]) for line in lines} == expected.keys()
    assert len(lines) == len(expected)
    for line in lines:
        assert re.fullmatch(r"M[\d. ]+ C[\d. ]+", line.attributes["d"])
    links = {link.words: site.follow(site.file_of(f"{system}/records/map"), link.attributes["href"])[0]
             for link in drawing.find("a", "rw-ref")}  # fmt: skip
    assert links == {one: site.record_page(system, one) for one in nodes(drawing)}


@pytest.mark.parametrize("system", [each for each in SYSTEMS if acting(each)])
def test_the_boxes_of_a_map_lie_apart_and_inside(site, system):
    drawing = article(site, f"{system}/records/map").one("svg")
    width, height = (float(drawing.attributes[key]) for key in ("width", "height"))
    boxes = []
    for each in drawing.find("foreignobject"):
        left, top, wide, high = (float(each.attributes[key]) for key in ("x", "y", "width", "height"))
        boxes.append((left, top, left + wide, top + high))
    for box in boxes:
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= width + 0.1
        assert box[3] <= height + 0.1
    for number, (left, top, right, bottom) in enumerate(boxes):
        for a, b, c, d in boxes[number + 1 :]:
            assert right <= a or c <= left or bottom <= b or d <= top


@pytest.mark.parametrize("system", [each for each in SYSTEMS if acting(each)])
def test_a_table_says_the_same_as_the_map(site, system):
    table = article(site, f"{system}/records/map").one("table", "rw-records")
    found = {}
    for row in list(table.find("tr"))[1:]:
        route = next(row.one("th").find("a", "rw-ref")).words
        for item in row.find("li"):
            one, _, functions = item.words.partition(": ")
            found[route, one] = set(functions.split(", "))
    assert found == acting(system)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_neighbourhood_of_each_record_is_what_the_files_say(site, system):
    expected: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for (route, one), functions in acting(system).items():
        for function in functions:
            expected[one].add((route, f"acts on it|{function}"))
            expected[route].add((one, f"it acts on|{function}"))
    for row in rows(system, "claim-comparison"):
        for route in row["routes"]:
            expected[route].add((row["claim"], "held against it|"))
            expected[row["claim"]].add((route, "it is held against|"))
    for part, container in containers(system).items():
        expected[part].add((container, "it is part of|"))
        expected[container].add((part, "part of it|"))
    for record_id in declared(system).keys() | withheld(system):
        ties = set()
        drawings = list(article(site, f"{system}/records/{record_id.lower()}").find("figure", "rw-drawing"))
        for drawing in drawings:
            for box in drawing.find("div"):
                if "rw-node" in box.classes and "rw-node--own" not in box.classes:
                    how, _, words = " ".join(box.words.split()[1:]).partition(": ")
                    ties |= {(box.words.split()[0], f"{how}|{each}") for each in words.split(", ")}
        assert ties == expected[record_id], record_id
        assert bool(drawings) == bool(expected[record_id])


@pytest.mark.parametrize("system", SYSTEMS)
def test_records_of_a_kind_lead_from_one_to_the_next(site, system):
    every = declared(system).keys() | withheld(system)
    for code in KINDS:
        of_kind = {one for one in every if f"-{code}-" in one}
        first = [one for one in of_kind if not before(site, system, one)]
        assert len(first) == (1 if of_kind else 0)
        walked = list(first)
        while walked and (link := after(site, system, walked[-1])):
            walked.append(link)
            assert before(site, system, link) == walked[-2]
        assert set(walked) == of_kind
        assert len(walked) == len(of_kind)


def before(site: BuiltSite, system: str, record_id: str) -> str:
    return beside(site, system, record_id)[0]


def after(site: BuiltSite, system: str, record_id: str) -> str:
    return beside(site, system, record_id)[-1]


def beside(site: BuiltSite, system: str, record_id: str) -> list[str]:
    spans = list(article(site, f"{system}/records/{record_id.lower()}").one("nav", "rw-beside").find("span"))
    return ["".join(link.words for link in span.find("a", "rw-ref")) for span in spans]


@pytest.mark.browser
def test_a_map_can_be_enlarged_and_shows_which_lines_belong_to_a_box(open_page):
    page = open_page("arigraph/records/map/")
    drawing = page.locator(".rw-map svg")
    before_ = drawing.bounding_box()
    assert before_ is not None
    page.get_by_role("button", name="Enlarge the map").click()
    now = drawing.bounding_box()
    assert now is not None
    assert now["width"] == pytest.approx(before_["width"] * 1.25, rel=0.01)
    page.get_by_role("button", name="Fit the map into its box").click()
    page.locator('.rw-node[data-id="RT-RTE-qa-cycle"] a').focus()
    near = page.locator(".rw-lines path.rw-near")
    expect(near).to_have_count(len([pair for pair in acting("arigraph") if "RT-RTE-qa-cycle" in pair]))
    expect(page.locator(".md-tooltip2--active")).to_be_visible()  # the preview of the record


@pytest.mark.browser
def test_the_id_of_a_record_can_be_copied(open_page, address):
    page = open_page("arigraph/records/epi-obj-triplets/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy EPI-OBJ-triplets").click()
    expect(page.get_by_role("button", name="Copy EPI-OBJ-triplets")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == "EPI-OBJ-triplets"


@pytest.mark.browser
@pytest.mark.parametrize("path", ["arigraph/records/map/", "arigraph/records/epi-rte-removal-parsing/"])
def test_a_drawing_keeps_its_size_on_a_phone_and_scrolls_in_its_box(open_page, path):
    """Shrunk to the width of the screen, nobody could read it."""
    page = open_page(path, width=360)
    drawing = page.locator(".rw-drawing svg").first
    shown = drawing.bounding_box()
    assert shown is not None
    assert shown["width"] == pytest.approx(float(drawing.get_attribute("width") or 0), rel=0.01)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360
