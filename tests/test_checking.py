"""Checking with what is known from before: always what a check of everything would say, and never from elsewhere."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recordweave import checking
from recordweave.project import load
from recordweave.records.diagnostic import Diagnostic
from recordweave.verdict import Checked, verdict
from tests.benchmark.collection import make

SYSTEMS = 2 * checking.WORTH_A_PROCESS + 1
"""Enough for two processes."""

OBJECTS = "records/agent-003/epistemic/objects.yml"
UNTIED = """
  - id: EPI-OBJ-lone
    label: Lone
    identity: Nothing else.
    form: {symbolic: A string.}
    substrate: A variable.
    lineage: {uninspected: Nobody looked.}
    body: It stands by itself.
    evidence:
      - {source: SRC-1, path: main.py, shows: A variable.}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    make(root, SYSTEMS, 15)
    return root


def told(root: Path, kept: Path | None) -> list[Diagnostic]:
    return verdict(checking.check(root, root / "records", root / "docs", kept), {})


def edited(root: Path, file: str, old: str, new: str) -> None:
    text = (root / file).read_text(encoding="utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new), encoding="utf-8")


def edits(root: Path) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Edits one after the other, each with what is told then: by code, in which systems."""
    sound: dict[str, set[str]] = {}
    yield "nothing", sound
    edited(root, OBJECTS, "label: Triplets", "label: All triplets")
    yield "a label", sound
    edited(root, OBJECTS, "id: EPI-OBJ-triplets\n", "id: EPI-OBJ-trios\n")
    yield "an ID that the next one cites", {"unknown-id": {"agent-003", "agent-004"}}
    edited(root, OBJECTS, "id: EPI-OBJ-trios\n", "id: EPI-OBJ-triplets\n")
    yield "the ID again", sound
    (root / "records" / "agent-005").rename(root / "agent-005")
    orphans = {"missing-system": {"agent-005"}, "unknown-source": {"agent-005"}}
    yield "one system less", {**orphans, "unknown-id": {"agent-005", "agent-006"}}
    (root / "agent-005").rename(root / "records" / "agent-005")
    yield "the system again", sound
    edited(root, "docs/index.md", "# Analyses", "# Analyses\n\nSee agent-002:EPI-OBJ-nothing.")
    yield "the portal", {"unknown-id": {"index.md"}}
    edited(root, "docs/index.md", "nothing", "triplets")
    yield "the portal again", sound
    with (root / OBJECTS).open("a", encoding="utf-8") as file:
        file.write(UNTIED)
    yield "a record that nothing cites", {"never-cited": {"agent-003"}}
    edited(root, "docs/agent-007/index.md", "EPI-OBJ-triplets.", "EPI-OBJ-triplets and agent-003:EPI-OBJ-lone.")
    yield "a citation elsewhere", sound
    edited(root, "docs/agent-007/index.md", " and agent-003:EPI-OBJ-lone.", ".")
    edited(root, "docs/index.md", "# Analyses", '# Analyses\n\nSee {{ ref("agent-003:EPI-OBJ-lone", "that") }}.')
    yield "a citation on the portal", sound
    edited(root, OBJECTS, "\n  - id: EPI-OBJ-lone", "\n\n  - id: EPI-OBJ-Lone")
    yield "a faulty record that others cite", {"schema": {"agent-003"}}
    edited(root, OBJECTS, "id: EPI-OBJ-Lone", "id: EPI-OBJ-lone")
    edited(root, "records/agent-003/system.yml", "label:", "label")
    yield "a system that cannot be read", {"yaml-syntax": {"agent-003"}}
    edited(root, "records/agent-003/system.yml", "label", "label:")
    (root / "records" / "agent-001" / "notes.txt").touch()
    yield "a file too many", {"unknown-file": {"agent-001"}}
    (root / "records" / "agent-001" / "notes.txt").unlink()
    (root / "docs" / "agent-001" / "more.md").symlink_to(root / "docs" / "agent-002" / "index.md")
    yield "a link", sound
    edited(root, "docs/agent-002/index.md", "EPI-OBJ-triplets.", "EPI-OBJ-trios.")
    yield "what the link leads to", {"unknown-id": {"agent-002", "agent-001"}}


def test_what_is_kept_changes_nothing_that_is_told(root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for edit, expected in edits(root):
        found = told(root, kept)
        project = load(root, root / "records", root / "docs")
        assert found == project.diagnostics, edit
        again = checking.load(root, root / "records", root / "docs", kept=tmp_path / "systems")
        assert again.diagnostics == found, edit
        assert {name: each.shown for name, each in again.systems.items() if each.collection} == {
            name: each.shown for name, each in project.systems.items() if each.collection
        }, edit
        assert found == told(root, kept), edit
        systems: dict[str, set[str]] = {}
        for each in found:
            systems.setdefault(each.code, set()).add(each.place.file.split("/")[1])
        assert systems == expected, edit


def test_what_has_not_changed_is_not_read_again(root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert told(root, kept) == []
    program, repository, found = pickle.loads(kept.read_bytes())
    edited(root, OBJECTS, "id: EPI-OBJ-triplets\n", "id: EPI-OBJ-trios\n")
    left = told(root, None)
    for each in found.values():
        object.__setattr__(each, "checked", Checked(()))  # as if nothing had been found anywhere
    kept.write_bytes(pickle.dumps((program, repository, found)))
    assert [each for each in told(root, kept) if each not in left] == []
    assert {each.place.file.split("/")[1] for each in told(root, kept)} == {"agent-003", "agent-004"}
    assert checking.check(root, root / "records", root / "docs", kept)[2].files == ()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-20],
        lambda data: b"nothing of the kind",
        lambda data: pickle.dumps((b"another program", *pickle.loads(data)[1:])),
        lambda data: pickle.dumps("something else"),
    ],
)
def test_what_is_kept_and_of_no_use_is_made_again(root: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    kept = tmp_path / "kept"
    edited(root, OBJECTS, "id: EPI-OBJ-triplets\n", "id: EPI-OBJ-trios\n")
    found = told(root, kept)
    kept.write_bytes(spoil(kept.read_bytes()))
    assert found == told(root, kept) == told(root, None)
    assert isinstance(pickle.loads(kept.read_bytes()), tuple)


def test_where_nothing_can_be_kept_everything_is_checked(root: Path, tmp_path: Path) -> None:
    assert told(root, tmp_path / "nowhere" / "kept") == []


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the owners of files are POSIX's")
def test_what_others_may_write_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = checking.kept_in(tmp_path / "repository")
    assert file is not None
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file != checking.kept_in(tmp_path / "another")
    file.parent.chmod(0o770)
    assert checking.kept_in(tmp_path / "repository") is None
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert checking.kept_in(tmp_path / "repository") is None


def test_the_command_keeps_what_it_found_outside_of_the_repository(root: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def check(*options: str) -> str:
        command = [str(Path(sys.executable).with_name("recordweave")), "check", "--root", str(root), *options]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout

    assert check("--no-cache").endswith("no faults\n")
    assert not (tmp_path / "cache").exists()
    assert check() == check() == check("--no-cache")
    assert len(list((tmp_path / "cache" / "recordweave").iterdir())) == 1
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_a_large_collection_has_as_many_records_as_it_should(tmp_path: Path) -> None:
    names = make(tmp_path / "repository", 2, 60)
    project = load(tmp_path / "repository", tmp_path / "repository" / "records", tmp_path / "repository" / "docs")
    assert list(project.systems) == names
    assert [len(each.collection.records) for each in project.systems.values() if each.collection] == [60, 60]
    assert project.diagnostics == []
