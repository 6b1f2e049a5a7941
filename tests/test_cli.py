"""The command line, run as its users run it: what it prints, where, and the exit status."""

import contextlib
import fcntl
import json
import os
import pty
import re
import shlex
import shutil
import struct
import subprocess
import sys
import termios
import tomllib
import xml.etree.ElementTree as etree
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from recordweave import __version__
from recordweave.records.diagnostic import CODES
from recordweave.sources import explanations
from tests.site.build import REPOSITORY

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


def with_faults(root: Path) -> Path:
    """An error on a page, and two in a file of records, which declares everything twice."""
    page = root / "docs" / "tiny" / "memory.md"
    page.write_text(page.read_text(encoding="utf-8").replace("MEM-RTE-recall", "MEM-RTE-recal"), encoding="utf-8")
    objects = root / "records" / "tiny" / "memory" / "objects.yml"
    text = objects.read_text(encoding="utf-8")
    objects.write_text(f"{text}{text.removeprefix('records:')}", encoding="utf-8")
    return root


def told_as_data(root: Path, *paths: str) -> Any:
    return json.loads(recordweave("check", "--format", "json", *paths, folder=root).stdout)


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        ((), {"docs/tiny/memory.md", "records/tiny/memory/objects.yml"}),
        ((".",), {"docs/tiny/memory.md", "records/tiny/memory/objects.yml"}),
        (("docs", "records"), {"docs/tiny/memory.md", "records/tiny/memory/objects.yml"}),
        (("docs/",), {"docs/tiny/memory.md"}),
        (("docs/tiny/memory.md",), {"docs/tiny/memory.md"}),
        (("docs/tiny/../tiny", "docs/index.md"), {"docs/tiny/memory.md"}),
        (("records/tiny/memory",), {"records/tiny/memory/objects.yml"}),
        (("records/tiny/memory/routes.yml", "docs/tiny/epistemic.md", "docs/tiny/mem"), set()),
    ],
)
def test_paths(paths: tuple[str, ...], files: set[str], root: Path) -> None:
    """Everything is read, and what lies elsewhere is not told."""
    (root / "docs" / "tiny" / "mem").mkdir()
    told = told_as_data(with_faults(root), *paths)
    assert {each["file"] for each in told["diagnostics"]} == files
    assert told["counts"]["entries"] > 16


def test_a_path_that_a_fault_is_related_to(root: Path) -> None:
    shutil.copy(root / "records/tiny/memory/objects.yml", root / "records/tiny/epistemic/objects.yml")
    fault = next(each for each in told_as_data(root)["diagnostics"] if each["code"] == "duplicate-id")
    (related,) = fault["related"]
    assert fault["file"] != related["file"]
    for each in (fault, related):
        assert fault in told_as_data(root, each["file"])["diagnostics"]
    assert fault not in told_as_data(root, "docs")["diagnostics"]


def test_the_last_line_names_the_paths(root: Path) -> None:
    with_faults(root)
    done = recordweave("check", "docs/index.md", "docs/tiny/epistemic.md", folder=root)
    assert done.returncode == 0
    assert done.stdout.endswith(": no faults in `docs/index.md`, `docs/tiny/epistemic.md`\n")
    done = recordweave("check", "memory.md", "--root", "../..", folder=root / "docs" / "tiny")
    assert done.returncode == 1
    assert done.stdout.endswith(": 1 error in `docs/tiny/memory.md`\n")


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("docs/none.md", "there is no `docs/none.md`"),
        ("mkdocs.yml", "`mkdocs.yml` lies neither in `records` nor `docs`, so nothing of it is checked"),
        ("..", "`..` lies neither in `records` nor `docs`, so nothing of it is checked"),
        ("docs2", "`docs2` lies neither in `records` nor `docs`, so nothing of it is checked"),
    ],
)
def test_wrong_paths(path: str, complaint: str, root: Path) -> None:
    (root / "mkdocs.yml").write_text("site_name: Tiny\n", encoding="utf-8")
    (root / "docs2").mkdir()
    done = recordweave("check", path, folder=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in " ".join(done.stderr.split())


def test_a_wrong_configuration_is_wrong_use(root: Path) -> None:
    (root / "mkdocs.yml").write_text("plugins: [recordweave: {severity: {rang: off}}]\n", encoding="utf-8")
    done = recordweave("check", "--format", "sarif", folder=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert "`rang` is not the code of a diagnostic; did you mean `range`?" in " ".join(done.stderr.split())


def test_the_configuration_is_heeded(root: Path) -> None:
    (with_faults(root) / "records").rename(root / "data")
    settings = "{records: data, severity: {unknown-id: warning, duplicate-id: off}}"
    (root / "mkdocs.yml").write_text(f"plugins: [recordweave: {settings}]\n", encoding="utf-8")
    done = recordweave("check", folder=root)
    assert done.returncode == 1
    assert done.stdout.startswith("docs/tiny/memory.md:7:26: warning: `MEM-RTE-recal` is not declared [unknown-id]\n")
    assert done.stdout.endswith(": 1 warning\n")


@pytest.mark.parametrize("layout", ["json", "sarif", "junit"])
def test_formats_for_machines_leave_people_to_the_other_stream(layout: str, root: Path) -> None:
    page = root / "docs" / "tiny" / "memory.md"
    for status, words in ((0, "no faults"), (1, "1 error")):
        done = recordweave("check", "--format", layout, folder=root)
        assert done.returncode == status
        assert done.stderr == f"1 system, 16 records, rows and annotations: {words}\n"
        if layout == "junit":
            assert etree.fromstring(done.stdout).attrib["failures"] == str(status)
        else:
            assert json.loads(done.stdout)["version"] in (1, "2.1.0")
        page.write_text(page.read_text(encoding="utf-8").replace("MEM-RTE-recall", "MEM-RTE-recal"), encoding="utf-8")


def test_the_format_of_github(root: Path) -> None:
    done = recordweave("check", "--format", "github", folder=with_faults(root))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(
        "::error file=docs/tiny/memory.md,line=7,col=26,title=unknown-id::`MEM-RTE-recal` is not declared%0Ahelp: did "
        "you mean `MEM-RTE-recall`?\n"
    )
    assert recordweave("check", folder=root).stdout in done.stdout


def on_terminal(root: Path, **environment: str) -> str:
    """What is shown on a terminal that is 40 columns wide."""
    command = Path(sys.executable).with_name("recordweave")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    left = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "COLORTERM"}
    variables = {name: each for name, each in os.environ.items() if name not in left}
    variables |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | environment
    with subprocess.Popen([command, "check"], cwd=root, env=variables, stdin=theirs, stdout=theirs) as process:
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # how the end of a terminal shows
            while more := os.read(ours, 4096):
                told += more
        os.close(ours)
    assert process.returncode == 1
    return told.decode().replace("\r\n", "\n")


def test_colours_on_a_terminal(root: Path) -> None:
    told = on_terminal(with_faults(root)).split("\n")
    assert told[:4] == [
        "\x1b[1mdocs/tiny/memory.md:7:26:\x1b[0m \x1b[1;31merror:\x1b[0m "
        "\x1b[1m`MEM-RTE-recal` is not declared\x1b[0m \x1b[1;31m[unknown-id]\x1b[0m",
        "  \x1b[34m7 |\x1b[0m …RTE-save keeps, MEM-RTE-recal gi…",
        "  \x1b[34m  |\x1b[0m                  \x1b[1;31m^\x1b[0m",
        "  \x1b[1;36mhelp:\x1b[0m did you mean `MEM-RTE-recall`?",
    ]
    assert told[-2:] == ["\x1b[2mWhat is behind a code: recordweave explain unknown-id\x1b[0m", ""]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_nobody_wants_them(environment: dict[str, str], root: Path) -> None:
    plain = recordweave("check", folder=with_faults(root)).stdout
    assert on_terminal(root, **environment) == plain


def test_an_output_that_cannot_hold_a_character(root: Path) -> None:
    page = root / "docs" / "tiny" / "memory.md"
    page.write_text("# 漢字\n\n漢字 MEM-RTE-no\n", encoding="utf-8")
    command = Path(sys.executable).with_name("recordweave")
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([command, "check"], cwd=root, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"  3 | \\u6f22\\u5b57 MEM-RTE-no\n" in done.stdout


def test_the_hook_of_pre_commit(root: Path) -> None:
    """Its command runs as it stands there, when a file that it checks has changed."""
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("recordweave-check", "python", False)
    command, *arguments = shlex.split(hook["entry"])
    assert command in tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    done = recordweave(*arguments, folder=root)
    assert (done.returncode, done.stdout) == (0, "1 system, 16 records, rows and annotations: no faults\n")
    assert recordweave(*arguments, folder=with_faults(root)).returncode == 1
    for name in ("docs/index.md", "docs/tiny/a.png", "records/tiny/system.yml", "mkdocs.yml"):
        assert re.search(hook["files"], name)
    for name in ("README.md", "my/docs/index.md", "src/mkdocs.yml"):
        assert not re.search(hook["files"], name)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("check", "--format", "yaml"), "'yaml' is not one of 'text', 'github', 'json', 'sarif', 'junit'"),
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
