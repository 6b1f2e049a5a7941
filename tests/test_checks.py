"""What authors are told: one small fault at a time, and the exact text that `recordweave check` prints about it.

`checks/sound/` is a tiny system without a fault. Each case of `checks/cases.yml` edits a copy of it and says what is
printed then. `GOLDEN=1 pytest tests/test_checks.py` writes what is printed now into the cases; read the difference
with the eyes of an author in a hurry before you keep it.
"""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from recordweave import project, report
from recordweave.records.diagnostic import CODES, Diagnostic
from tests.test_schemas import changed

CHECKS = Path(__file__).parent / "checks"
CASES_FILE = CHECKS / "cases.yml"
CASES: list[dict[str, Any]] = yaml.load(CASES_FILE.read_text(encoding="utf-8"), yaml.CSafeLoader)


def checked(root: Path) -> list[Diagnostic]:
    return project.load(root, root / "records", root / "docs").diagnostics


def printed(root: Path) -> str:
    """What the check prints of a folder, without the count at its end."""
    return "".join(report.formatted(each, root) + "\n" for each in checked(root))


def edit(root: Path, change: Mapping[str, str]) -> None:
    """Make one change: a text found once and replaced, or a whole file written, linked or removed."""
    path = root / change["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    match change:
        case {"find": found, "replace": replacement}:
            text = path.read_bytes().decode()
            assert text.count(found) == 1, f"{found!r} stands {text.count(found)} times in {change['file']}"
            path.write_bytes(text.replace(found, replacement).encode())
        case {"append": more}:
            path.write_bytes(path.read_bytes() + more.encode())
        case {"text": text}:
            path.write_bytes(text.encode())
        case {"latin-1": text}:
            path.write_bytes(text.encode("latin-1"))
        case {"link": target}:
            path.unlink(missing_ok=True)
            path.symlink_to(target)
        case {"remove": _} if path.is_dir():
            shutil.rmtree(path)
        case {"remove": _}:
            path.unlink()
        case _:
            raise AssertionError(f"no such edit: {change}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the sound system."""
    return shutil.copytree(CHECKS / "sound", tmp_path / "root")


def test_the_sound_system_has_no_fault(root: Path) -> None:
    assert printed(root) == ""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_printed(case: dict[str, Any], root: Path) -> None:
    for change in case["edits"]:
        edit(root, change)
    now = printed(root)
    if os.environ.get("GOLDEN"):
        write_golden(case["name"], now)
    else:
        assert now == case["expected"]


def test_every_code_has_a_case() -> None:
    """The faults of YAML alone have theirs in `test_yaml_reader`."""
    told = {code for case in CASES for code in re.findall(r": (?:error|warning): .* \[(.+)\]\n", case["expected"])}
    assert told >= {code for code in CODES if not code.startswith("yaml-")}
    assert told <= CODES.keys()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_change_of_a_record_makes_a_traceback(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        root = shutil.copytree(CHECKS / "sound", Path(folder) / "root")
        path = data.draw(st.sampled_from(sorted((root / "records").rglob("*.yml"))))
        value = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
        path.write_text(yaml.safe_dump(changed(data, value), allow_unicode=True), encoding="utf-8")
        for diagnostic in checked(root):
            assert report.formatted(diagnostic, root)
            assert (root / diagnostic.place.file).exists()


def write_golden(name: str, now: str) -> None:
    """Put `now` in the place of a case's expected text, and leave the rest of the file as it is."""
    source = CASES_FILE.read_text(encoding="utf-8")
    cases = yaml.compose(source)
    assert cases is not None
    for case in cases.value:
        values = {key.value: value for key, value in case.value}
        if values["name"].value == name:
            start, end = values["expected"].start_mark.index, values["expected"].end_mark.index
            end = start + len(source[start:end].rstrip())
            new = "|\n" + re.sub("^(?=.)", "    ", now.rstrip("\n"), flags=re.MULTILINE) if now else "''"
            CASES_FILE.write_text(source[:start] + new + source[end:], encoding="utf-8")
