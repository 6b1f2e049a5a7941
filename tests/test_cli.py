"""The command line, run as its users run it: what it prints, where, and the exit status."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from recordweave import __version__
from recordweave.records.diagnostic import CODES
from recordweave.sources import explanations

SOUND = Path(__file__).parent / "checks" / "sound"


def recordweave(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("recordweave")
    environment = {**os.environ, "FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
    return subprocess.run(
        [command, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return shutil.copytree(SOUND, tmp_path / "root")


def test_nothing_is_wrong(root: Path) -> None:
    done = recordweave("check", folder=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "1 system, 16 records, rows and annotations: no faults\n"


def test_from_another_folder(root: Path) -> None:
    done = recordweave("check", "--root", "../root", folder=root.parent / "root" / "docs" / "..")
    assert (done.returncode, done.stdout.count("no faults")) == (0, 1)


def test_an_error(root: Path) -> None:
    page = root / "docs" / "tiny" / "memory.md"
    page.write_text(page.read_text(encoding="utf-8").replace("MEM-RTE-recall", "MEM-RTE-recal"), encoding="utf-8")
    done = recordweave("check", folder=root)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "docs/tiny/memory.md:7:26: error: `MEM-RTE-recal` is not declared [unknown-id]\n"
        "  7 | What MEM-RTE-save keeps, MEM-RTE-recal gives back, inside RT-RTE-loop.\n"
        "    |                          ^\n"
        "  help: did you mean `MEM-RTE-recall`?\n"
        "1 system, 16 records, rows and annotations: 1 error\n"
    )


def test_a_warning(root: Path) -> None:
    page = root / "docs" / "tiny" / "epistemic.md"
    page.write_text(page.read_text(encoding="utf-8").replace("{{ ledger() }}", ""), encoding="utf-8")
    done = recordweave("check", folder=root)
    assert done.returncode == 1
    assert done.stdout.endswith("1 system, 16 records, rows and annotations: 1 warning\n")


def test_several_systems(root: Path) -> None:
    shutil.copytree(root / "records" / "tiny", root / "records" / "other")
    done = recordweave("check", folder=root)
    assert done.stdout == "2 systems, 32 records, rows and annotations: no faults\n"


def test_no_escape_code_of_a_record_reaches_the_terminal(root: Path) -> None:
    page = root / "docs" / "tiny" / "memory.md"
    page.write_text(f"# \x1b[31m\x9b1m\x07\n\nMEM-RTE-no\x1b[2J\n{page.read_text(encoding='utf-8')}", encoding="utf-8")
    done = recordweave("check", folder=root)
    assert done.returncode == 1
    assert "`MEM-RTE-no` is not declared" in done.stdout
    assert all(each.isprintable() for each in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("check",), "there is no folder `records`"),
        (("check", "--root", "nowhere"), "Directory 'nowhere' does not exist"),
        (("chek",), "No such command 'chek'"),
        (("check", "--strict"), "No such option"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    done = recordweave(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_help_and_version(tmp_path: Path) -> None:
    assert recordweave("--version", folder=tmp_path).stdout == f"recordweave, version {__version__}\n"
    for arguments in (("--help",), ("-h",), ("check", "-h")):
        done = recordweave(*arguments, folder=tmp_path)
        assert (done.returncode, done.stdout.split(" ")[0]) == (0, "Usage:")


UNKNOWN_ID = """unknown-id (error)
Something cites a record that nobody declares.

Every ID that is cited becomes a link, and this one would lead nowhere. It may
be misspelt, or its record not written yet, or belong to a withheld member whose
list in `system.yml` does not name it. Correct the ID, or declare the record
first.

Wrong, in docs/tiny/memory.md:

    What MEM-RTE-save keeps, MEM-RTE-recal gives back, inside RT-RTE-loop.

Right, in docs/tiny/memory.md:

    What MEM-RTE-save keeps, MEM-RTE-recall gives back, inside RT-RTE-loop.
"""


def explained(*arguments: str, folder: Path, **environment: str) -> str:
    """What `explain` prints, without a wish for colours unless there is one here."""
    command = [str(Path(sys.executable).with_name("recordweave")), "explain", *arguments]
    kept = {
        name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE")
    }
    kept |= {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "TERM": "xterm"} | environment
    done = subprocess.run(command, cwd=folder, env=kept, capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("written", ["unknown-id", "[unknown-id]", "Unknown-ID", " [UNKNOWN-ID] "])
def test_a_code_is_explained(written: str, tmp_path: Path) -> None:
    assert explained(written, folder=tmp_path) == UNKNOWN_ID


def test_an_explanation_has_colours_where_they_are_wanted(tmp_path: Path) -> None:
    told = explained("unknown-id", folder=tmp_path, FORCE_COLOR="1")
    assert re.sub(r"\x1b\[[\d;]*m", "", told) == UNKNOWN_ID
    assert "\x1b[31m    What MEM-RTE-save keeps, MEM-RTE-recal gives" in told
    assert "\x1b[32m    What MEM-RTE-save keeps, MEM-RTE-recall gives" in told
    without = explained("unknown-id", folder=tmp_path, FORCE_COLOR="1", NO_COLOR="1")
    assert set(re.findall(r"\x1b\[[\d;]*m", without)) <= {"\x1b[1m", "\x1b[0m"}


def test_every_code_is_listed_and_explained(tmp_path: Path) -> None:
    lines = explained(folder=tmp_path).splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines] == list(CODES.items())
    for code in ("template", "yaml-encoding"):  # braces, brackets and other scripts are printed as they are
        told = explanations.load()[code]
        printed = explained(code, folder=tmp_path)
        assert indent(told.wrong.text, "    ") in printed
        assert printed.endswith(indent(told.right.text, "    "))


def test_no_such_code(tmp_path: Path) -> None:
    done = recordweave("explain", "unknwn-id", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Error: there is no code `unknwn-id`; did you mean `unknown-id`?\n")
    done = recordweave("explain", "zebra", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Error: there is no code `zebra`; `recordweave explain` lists all codes\n")
