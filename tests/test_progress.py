"""How far a build of many systems is: a bar on a terminal, a line for each system elsewhere."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.build import Builds

pytestmark = pytest.mark.slow

SYSTEMS = {"ace", "arigraph", "hipporag"}


def test_elsewhere_each_system_is_told_of_in_a_line(repository: Path, builds: Builds, tmp_path: Path) -> None:
    anew = {"RECORDWEAVE_CACHE": "false"}
    build = builds.run(repository, tmp_path / "site", environment=anew)
    assert build.status == 0
    told = re.findall(r"^INFO {4}-  recordweave: built (\w+) \(\d+\.\d s\), (\d) of 3$", build.output, re.MULTILINE)
    assert {name for name, _ in told} == SYSTEMS
    assert [number for _, number in told] == ["1", "2", "3"]
    assert build.output.count("Building documentation to directory") == 1
    quiet = builds.run(repository, tmp_path / "site", "--quiet", environment=anew)
    assert (quiet.status, quiet.output) == (0, "")


def test_a_terminal_shows_a_bar_and_then_no_trace_of_it(repository: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "site")]
    environment = os.environ | {"TERM": "xterm-256color", "RECORDWEAVE_CACHE": "false", "COLUMNS": "100"}
    with subprocess.Popen(
        command, cwd=repository, stderr=theirs, env=environment | {"NO_MKDOCS_2_WARNING": "1"}
    ) as build:
        os.close(theirs)
        said = b""
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:  # there is nobody left to say anything
                break
            said += read
    os.close(ours)
    assert build.returncode == 0
    text = said.decode()
    assert re.search(r"Building systems.*3/3", text)
    assert "built ace" not in text
    assert "\x1b[?25h" in text.rpartition("Building systems")[2]  # the cursor is back
