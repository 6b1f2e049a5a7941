"""What the build benchmark builds is what it says, and has no faults."""

import json
from pathlib import Path

import pytest

from recordweave.project import load
from recordweave.records.ids import mentions, split
from tests.benchmark.build import Write
from tests.benchmark.content import System, systems
from tests.benchmark.peers import page_of, write_hugo, write_mkdocs
from tests.benchmark.repository import write_repository
from tests.site.build import Builds

COUNT = 2


@pytest.fixture(scope="module")
def written() -> list[System]:
    return systems(COUNT)


@pytest.fixture
def root(tmp_path: Path, written: list[System]) -> Path:
    root = tmp_path / "repository"
    write_repository(root, written)
    return root


def test_the_content_has_no_faults(root: Path) -> None:
    assert load(root, root / "records", root / "docs").diagnostics == []


def test_every_run_gets_the_same_content(written: list[System]) -> None:
    assert systems(COUNT) == written


def test_no_two_systems_say_the_same(written: list[System]) -> None:
    one, other = ({each["body"] for each in system.records} for system in written)
    assert len(one) == len(other) == 60
    assert not one & other


def test_the_site_shows_all_of_it(root: Path, builds: Builds, written: list[System]) -> None:
    build = builds.run(root, root / "site")
    assert build.status == 0, build.output
    for system in written:
        site = root / "site" / system.name
        data = json.loads((site / "records.json").read_text(encoding="utf-8"))
        assert [member["publication"] for member in data["members"]] == ["published"] * 5
        assert len(data["records"]) == 60
        assert all(record["declared"] and record["cited_by"] for record in data["records"])
        for row in data["tables"]["ledger"]:
            assert set(system.rows[0]) <= set(row)
        assert len(data["tables"]["ledger"]) == 25
        assert len(system.rows[0]) == 17
        assert len(list((site / "records").glob("*-*/index.html"))) == 60
        assert all((site / report.name / "index.html").is_file() for report in system.reports)


@pytest.mark.parametrize(("write", "folder"), [(write_mkdocs, "docs"), (write_hugo, "content")])
def test_other_generators_get_all_of_it(tmp_path: Path, written: list[System], write: Write, folder: str) -> None:
    write(tmp_path, written)
    for system in written:
        pages = tmp_path / folder / system.name
        assert len(list(pages.rglob("*.md"))) == 1 + 5 + 1 + 60
        ledger = [line for line in (pages / "epistemic.md").read_text().splitlines() if line.startswith("|")]
        assert [line.count("|") for line in ledger] == [17 + 1] * (25 + 2)
        for record in system.records:
            text = (pages / page_of(record["id"])).read_text()
            cited = [mention.id for mention in mentions(record["body"])]
            assert cited
            assert all(f"[{split(each)[1]}][" in text or f"[{split(each)[1]}](" in text for each in cited)
