"""Texts that are not saved yet: the same is said of them as if they were, and nothing is written for it."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recordweave import checking
from recordweave.records.diagnostic import Diagnostic
from recordweave.verdict import verdict
from tests.test_checks import CASES, CHECKS, edit

TEXTS = [
    case
    for case in CASES
    if all("find" in change or "append" in change or "text" in change for change in case["edits"])
]
"""The cases in which files are written, and none is removed, linked or in another encoding."""


def checked(root: Path, unsaved: Mapping[Path, str] | None = None, kept: Path | None = None) -> list[Diagnostic]:
    return verdict(checking.check(root, root / "records", root / "docs", kept, unsaved), {})


def contents(root: Path) -> dict[Path, bytes]:
    """Every file under a folder, by its path in it."""
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the faultless system."""
    return Path(shutil.copytree(CHECKS / "sound", tmp_path / "root"))


def test_there_are_such_cases() -> None:
    assert len(TEXTS) > 200


@pytest.mark.parametrize("case", TEXTS, ids=[case["name"] for case in TEXTS])
def test_an_unsaved_change_is_told_of_like_a_saved_one(case: dict[str, Any], root: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    shutil.copytree(root, saved)
    for change in case["edits"]:
        edit(saved, change)
    before, after = contents(root), contents(saved)
    unsaved = {root / name: data.decode() for name, data in after.items() if before.get(name) != data}
    assert unsaved
    told = checked(saved)
    assert checked(root, unsaved) == told
    assert checked(root, kept=tmp_path / "kept") == []
    assert checked(root, unsaved, tmp_path / "kept") == told
    assert checked(root, kept=tmp_path / "kept") == []
    assert contents(root) == before


def test_a_system_of_which_nothing_is_saved(root: Path, tmp_path: Path) -> None:
    """Not even its folders."""
    (root / "records/tiny/memory/routes.yml").write_bytes(b"records: []\n")
    (root / "docs/tiny/memory.md").write_bytes(b"See MEM-RTE-nowhere.\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    told = checked(empty, {empty / name: data.decode() for name, data in contents(root).items()})
    assert {each.code for each in told} >= {"schema", "unknown-id"}
    assert told == checked(root)
    assert list(empty.iterdir()) == []


def test_an_unsaved_text_mends_what_is_saved(root: Path) -> None:
    page = root / "docs/tiny/memory.md"
    text = page.read_text(encoding="utf-8")
    page.write_bytes(b"\xff See MEM-RTE-nowhere.\n")
    assert checked(root) != []
    assert checked(root, {page: text}) == []


def test_what_no_file_could_hold_is_told_of_too(root: Path) -> None:
    """Half of a character that takes two, as some editors hand it over."""
    page, records = root / "docs/tiny/memory.md", root / "records/tiny/memory/routes.yml"
    unsaved = {path: path.read_text(encoding="utf-8") + "\ud83d" for path in (page, records)}
    told = {(each.code, each.place.file) for each in checked(root, unsaved)}
    assert {("unreadable-file", "docs/tiny/memory.md"), ("yaml-encoding", "records/tiny/memory/routes.yml")} <= told


def test_a_link_that_leads_out_is_refused_whatever_the_editor_has(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("Outside.\n", encoding="utf-8")
    page = root / "docs/tiny/more.md"
    page.symlink_to(outside)
    assert [(each.code, each.place.file) for each in checked(root, {page: "Inside.\n"})] == [
        ("unreadable-file", "docs/tiny/more.md")
    ]
