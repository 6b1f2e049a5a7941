"""The workflows: what they may do, and that several machines build the site that a single one builds."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from recordweave.views.links import PART
from tests.site.build import MODES, REPOSITORY, Mode, Published, contents, copy_repository

FOLDER = REPOSITORY / ".github" / "workflows"
WORKFLOWS: dict[str, dict[Any, Any]] = {
    path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yml"))
}
SITE = WORKFLOWS["site.yml"]
INSTALLS = "make venv"
"""How the command begins that installs everything, which has been done where tests run."""

DIRECTORY_URLS = [next(mode for mode in MODES if mode.directory_urls is each) for each in (True, False)]


def steps(name: str) -> Iterator[dict[str, Any]]:
    for job in WORKFLOWS[name]["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned(name: str) -> None:
    """By a commit, with its version beside it, and an action in one version only."""
    used = re.findall(r"uses: *(.*)", (FOLDER / name).read_text(encoding="utf-8"))
    assert len(used) == sum("uses" in each for each in steps(name)) > 0
    for each in used:
        assert re.fullmatch(r"actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each


def test_an_action_has_one_version() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.yml"))
    versions = set(re.findall(r"uses: (actions/[a-z-]+)[^@]*@(.*)", text))
    assert len(versions) == len({action for action, _ in versions}) == 5


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_may_do_little(name: str) -> None:
    """They read what they check out, keep no credentials, and run nothing that somebody else has written."""
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {"contents": "read"}
    assert not {"pull_request_target", "workflow_run"} & set(workflow[True])  # `on`, to YAML
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert job["timeout-minutes"] <= 30
    for step in steps(name):
        assert "${{" not in step.get("run", "")
        if "/checkout@" in step.get("uses", ""):
            assert step["with"] == {"persist-credentials": False}
    assert "secrets" not in (FOLDER / name).read_text(encoding="utf-8")


def test_only_the_main_branch_leaves_something_for_later() -> None:
    used = [each for each in steps("site.yml") if "actions/cache" in each.get("uses", "")]
    restored, saved = used
    assert ("/restore@" in restored["uses"], "/save@" in saved["uses"]) == (True, True)
    assert saved["if"] == "github.ref == 'refs/heads/main'"
    assert saved["with"] == {key: restored["with"][key] for key in ("path", "key")}
    assert saved["with"]["path"] == "~/.cache/recordweave"
    others = set(restored["with"]["restore-keys"].splitlines())
    assert len(others) == 2
    assert all(restored["with"]["key"].startswith(each) for each in others)


def test_what_is_uploaded_is_downloaded() -> None:
    used = {each["uses"].partition("@")[0]: each["with"] for each in SITE["jobs"]["build"]["steps"] if "uses" in each}
    uploaded = used["actions/upload-artifact"]
    (downloaded,) = (each["with"] for each in SITE["jobs"]["join"]["steps"] if "download" in each.get("uses", ""))
    assert uploaded["name"] == downloaded["pattern"].replace("*", "${{ matrix.part }}")
    assert uploaded["path"] == downloaded["path"]
    assert uploaded["include-hidden-files"] is downloaded["merge-multiple"] is True
    assert SITE["jobs"]["build"]["strategy"]["matrix"] == "${{ fromJSON(needs.check.outputs.matrix) }}"
    assert SITE["jobs"]["check"]["outputs"] == {"matrix": "${{ steps.matrix.outputs.matrix }}"}
    assert [SITE["jobs"][name].get("needs") for name in ("check", "build", "join")] == [None, "check", "build"]


class Machine:
    """Runs what a job runs, in a folder of its own with a cache of its own."""

    def __init__(self, root: Path, mode: Mode) -> None:
        self.root = root
        root.mkdir()
        copy_repository(root)
        mode.configure(root)
        (root / ".venv").symlink_to(Path(sys.executable).parents[1])
        self.output = root / "output"
        self.output.touch()

    def run(self, name: str, known: Mapping[str, str]) -> str:
        """The commands of a job; `known` are the values of expressions. Gives what they print."""
        job = SITE["jobs"][name]
        told = ""
        for step in job["steps"]:
            if "run" not in step or step["run"].startswith(INSTALLS):
                continue
            variables = {**SITE["env"], **job.get("env", {}), **step.get("env", {})}
            variables = {key: known[str(each)] if "${{" in str(each) else str(each) for key, each in variables.items()}
            own = {"XDG_CACHE_HOME": str(self.root / "cache"), "GITHUB_OUTPUT": str(self.output)}
            done = subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=self.root,
                env=os.environ | variables | own | {"PYTHONDONTWRITEBYTECODE": "1"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stdout
            told += done.stdout
        return told


@pytest.mark.slow
@pytest.mark.parametrize("mode", DIRECTORY_URLS, ids=lambda mode: mode.name)
def test_the_parts_make_the_site(mode: Mode, published_in: Callable[[Mode], Published], tmp_path: Path) -> None:
    """Byte for byte what one build makes, though nobody knows what the others do."""
    known = {SITE["env"]["SITE_URL"]: ""}
    first = Machine(tmp_path / "check", mode)
    assert "no faults" in first.run("check", known)
    name, _, matrix = first.output.read_text(encoding="utf-8").strip().partition("=")
    parts = json.loads(matrix)["include"]
    assert (name, len(parts)) == ("matrix", int(SITE["env"]["PARTS"]))
    last = Machine(tmp_path / "join", mode)
    for each in parts:
        machine = Machine(tmp_path / f"build-{each['part']}", mode)
        here = {"${{ matrix.part }}": str(each["part"]), "${{ matrix.systems }}": each["systems"]}
        told = machine.run("build", known | here)
        assert sorted(re.findall(r"built (\S+) \(", told)) == each["systems"].split()
        shutil.copytree(machine.root / "parts", last.root / "parts", dirs_exist_ok=True)
    last.run("join", known)
    joined, whole = contents(last.root / "site"), contents(published_in(mode).site.folder)
    assert joined.keys() == whole.keys()
    assert [name for name in joined if joined[name] != whole[name]] == []
    assert PART not in joined
    assert all((last.root / "parts" / str(each["part"]) / PART).is_file() for each in parts)
