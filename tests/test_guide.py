"""What the guide shows of the program is what the program does."""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.pictures import mending
from tests.site.build import REPOSITORY

PAGES = (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs" / "guide").glob("*.md")))
DIAGNOSTIC = re.compile(r"(?P<file>\S+?):(?P<line>\d+):\d+: (?:error|warning): .*\n(?:  +\d+ \| (?P<written>.*)\n)?")
PREPARED = {
    "`holder` is missing": ("substrate: Python strings.", "substrate:\n      - use: What extraction is handed."),
    "lacks the section `Annotations`": ("\n## Annotations\n", "\n"),
    "no page of this system shows": (r"\{\{ ledger\(\) \}\}", ""),
    "`owner` is missing": (r"    owner: .*\n", ""),
    "`EPI-CMP-cache` does not belong": (r"EPI-OBJ-summary(?=\n)", "EPI-CMP-cache"),
    "`operation` is `observed`": (
        r"(path: pipeline_arigraph.py\n)(      - source: SRC-1\n        path: utils/utils.py\n)",
        r"\1        layer: implementation\n\2        layer: implementation\n",
    ),
}
"""For what is not wrong with one line alone: a word of the message, and what is replaced where it belongs."""

OF_ANOTHER = "records/notebook/"
"""The guide's own example, which this repository has not got."""


def check(root: Path) -> str:
    command = [str(Path(sys.executable).with_name("recordweave")), "check"]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False).stdout


def shown() -> Iterator[str]:
    """Every diagnostic that a page shows, with its lines."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8") if page != mending.PAGE else ""
        for block in re.findall(r"^ *```text\n(.*?)^ *```\n", text, re.DOTALL | re.MULTILINE):
            starts = [each.start() for each in re.finditer(r"^\S+:\d+:\d+: ", block, re.MULTILINE)]
            yield from (block[start:end] for start, end in pairwise([*starts, len(block)]))


def prepare(root: Path, told: str) -> None:
    """Make the fault that is told of."""
    match = DIAGNOSTIC.match(told)
    assert match is not None
    file = root / match["file"]
    if match["written"] is None:
        file.mkdir()
        return
    for word, (old, new) in PREPARED.items():
        if word in told:
            where = root / "docs/arigraph/epistemic.md" if "no page" in word else file
            text = where.read_text(encoding="utf-8")
            changed = re.sub(old, new, text, count=1)
            assert changed != text
            where.write_text(changed, encoding="utf-8")
            if "`observed`" not in word:
                return
    lines = file.read_text(encoding="utf-8").split("\n")
    number = int(match["line"]) - 1
    lines += [""] * (number - len(lines) + 1)
    lines[number] = match["written"]
    file.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("told", [each for each in shown() if OF_ANOTHER not in each])
def test_a_diagnostic_in_the_guide_is_what_is_told(told: str, repository: Path) -> None:
    prepare(repository, told)
    assert told.rstrip() in check(repository)


def test_most_of_what_is_shown_is_tried() -> None:
    every = list(shown())
    assert len(every) > 20
    assert sum(OF_ANOTHER in each for each in every) == 1


def test_the_record_is_mended_step_by_step(tmp_path: Path) -> None:
    """What the page says that the check says of each stage, it does say."""
    text = mending.PAGE.read_text(encoding="utf-8")
    told = re.findall(r"^```text\n(.*?)^```\n", text, re.DOTALL | re.MULTILINE)
    stages = mending.stages()
    assert len(stages) == len(told) == 4
    assert [check(mending.repository(tmp_path, each)) for each in stages] == told
    assert len(re.findall(r"^\S+:\d+:\d+: error: ", "".join(told), re.MULTILINE)) == 6
