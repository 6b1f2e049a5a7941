"""What MkDocs warns of is read out of its output, and a test that leaves it unread fails."""

import subprocess
import sys
from pathlib import Path

from tests.site.build import REPOSITORY, Build, Builds

OUTPUT = """\
INFO    -  Cleaning site directory
WARNING -  Doc file 'a.md' contains a link 'b.md'
INFO    -  Documentation built
ERROR   -  recordweave: a.yml:1:2: error: no [schema]
  1 | a
    |  ^

Aborted with 1 warnings in strict mode!
"""

TESTS = """\
import logging
from pathlib import Path
from tests.site.build import Build

def test_a_build_elsewhere(builds):
    builds.done.append(Build(0, "WARNING -  elsewhere", Path()))

def test_a_build_here():
    logging.getLogger("mkdocs.plugins.x").warning("here")

def test_a_build_whose_warnings_are_read(builds):
    builds.done.append(Build(0, "WARNING -  read", Path()))
    assert builds.done[0].warnings == ["WARNING -  read"]

def test_no_build():
    logging.getLogger("mkdocs.plugins.x").info("nothing")
"""


def test_warnings_come_with_their_lines():
    build = Build(1, OUTPUT, Path())
    warned = "WARNING -  Doc file 'a.md' contains a link 'b.md'"
    failed = "ERROR   -  recordweave: a.yml:1:2: error: no [schema]\n  1 | a\n    |  ^"
    assert Builds([build]).unread[0] == warned
    assert [each.partition("\n\n")[0] for each in build.warnings] == [warned, failed]
    assert Builds([build]).unread == []


def test_a_test_that_leaves_warnings_unread_fails(tmp_path):
    (tmp_path / "test_x.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(REPOSITORY / "pyproject.toml"), "-p", "tests.conftest"]
    command += ["-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(tmp_path / "test_x.py")]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert "4 passed, 2 errors" in ended.stdout, ended.stdout + ended.stderr
    assert "WARNING -  elsewhere" in ended.stdout
    assert "WARNING: here" in ended.stdout
    assert "WARNING -  read" not in ended.stdout
