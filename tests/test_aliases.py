"""Records that were renamed: where the addresses with their former IDs lead, and who is told of them."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from recordweave.sources import schemas
from tests import test_browser
from tests.site.build import MODES, PUBLISHED, Builds, Mode
from tests.site.html import faults
from tests.site.served import serving
from tests.test_adding import article
from tests.test_amendments import CONFIGURATION, SYSTEM

browser = test_browser.browser

OBJECTS = """\
records:
  - id: MEM-OBJ-note
    label: Saved note
    aliases: [MEM-OBJ-line, OBJ-2]
    identity: A line.
    form: {symbolic: One line.}
    substrate: A text file.
    lineage: {uninspected: Nobody looked.}
    body: What is kept.
    evidence: [{source: SRC-1}]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {
        "mkdocs.yml": CONFIGURATION,
        "docs/index.md": "# Analyses\n\n{{ systems() }}\n\nSee notebook:MEM-OBJ-note.\n",
        "records/notebook/system.yml": SYSTEM,
        "records/notebook/memory/objects.yml": OBJECTS,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_the_address_of_a_former_id_leads_to_the_record(root: Path, builds: Builds, mode: Mode) -> None:
    (root / "mkdocs.yml").rename(root / "published.yml")
    mode.configure(root)
    build = builds.run(root, root / "site")
    assert (build.status, build.warnings) == (0, []), build.output
    site = mode.site(root / "site")
    for former in ("mem-obj-line", "obj-2"):
        page = (
            site.folder / "notebook" / "records" / (f"{former}/index.html" if mode.directory_urls else f"{former}.html")
        )
        html = page.read_text(encoding="utf-8")
        to = "../mem-obj-note/" if mode.directory_urls else "mem-obj-note.html"
        assert f'content="1; url={to}"' in html
        assert (page.parent / to).exists()


def test_a_renamed_record_says_what_it_was_called(root: Path, builds: Builds) -> None:
    build = builds.run(root, root / "site")
    assert (build.status, build.warnings) == (0, []), build.output
    site = PUBLISHED.site(root / "site")
    assert [str(each) for each in faults(site)] == []
    assert "Formerly MEM-OBJ-line, OBJ-2" in article(site, "notebook/records/mem-obj-note").words
    card = article(site, "notebook/memory")
    assert all(list(card.find(id=former)) for former in ("MEM-OBJ-note", "MEM-OBJ-line", "OBJ-2"))
    data = json.loads((site.folder / "notebook" / "records.json").read_text(encoding="utf-8"))
    assert [error.message for error in schemas.load().errors("records", data)] == []
    assert [each["aliases"] for each in data["records"] if each["declared"]] == [["MEM-OBJ-line", "OBJ-2"]]
    index = (site.folder / "notebook" / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "MEM-OBJ-line" in index
    assert "obj-2" not in (site.folder / "notebook" / "sitemap.xml").read_text(encoding="utf-8")


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False])
def test_a_browser_is_led_on(root: Path, builds: Builds, browser: Browser, scripts: bool) -> None:
    build = builds.run(root, root / "site")
    assert (build.status, build.warnings) == (0, []), build.output
    with serving(root / "site") as address:
        page = browser.new_page(java_script_enabled=scripts)
        page.goto(f"{address}notebook/")
        page.goto(f"{address}notebook/records/obj-2/#cited-by")
        expect(page).to_have_url(f"{address}notebook/records/mem-obj-note/{'#cited-by' if scripts else ''}")
        page.go_back()
        expect(page).to_have_url(f"{address}notebook/")
        page.close()
