"""A site is whole at any time: builds that fail, are ended or killed, or run at once, leave the last good one."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recordweave.publication import Publication, _exchanged
from tests.site.build import PUBLISHED, Builds, contents

pytestmark = pytest.mark.slow

PATIENCE = 120


@pytest.fixture
def root(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    PUBLISHED.configure(repository)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    return repository


def begin(root: Path) -> subprocess.Popen[str]:
    """Begin a build into `site` beside the repository."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(root.parent / "site")]
    return subprocess.Popen(
        command, cwd=root, stderr=subprocess.PIPE, text=True, encoding="utf-8", preexec_fn=listen_to_interrupts
    )


def listen_to_interrupts() -> None:
    """What was begun in the background does not, and neither does what it begins."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def left(root: Path) -> list[str]:
    """What builds have left beside the site."""
    return [each.name for each in root.parent.iterdir() if each.name.startswith(".site")]


def edit(root: Path) -> None:
    with (root / "docs" / "ace" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\nOnce more.\n")


def until(line: str, build: subprocess.Popen[str]) -> str:
    """Read what a build says until a line of it."""
    assert build.stderr is not None
    said = ""
    for each in build.stderr:
        said += each
        if re.search(line, each):
            return said
    raise AssertionError(said)


def rest_of(build: subprocess.Popen[str]) -> str:
    assert build.stderr is not None
    return build.stderr.read()


def processes_of(group: int) -> list[int]:
    """The processes that a build has begun and that still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("moment", ["Cleaning site directory", "built ace"])
@pytest.mark.parametrize("ended", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_build_that_is_ended_leaves_the_last_site_whole(
    root: Path, builds: Builds, ended: signal.Signals, moment: str
) -> None:
    assert builds.run(root, root.parent / "site").status == 0
    before = contents(root.parent / "site")
    shutil.rmtree(root.parent / "caches")
    edit(root)
    with begin(root) as build:
        said = until(moment, build)
        build.send_signal(ended)
        said += rest_of(build)
        assert build.wait(PATIENCE) != 0
    assert contents(root.parent / "site") == before
    assert "Traceback" not in said
    if ended == signal.SIGKILL:
        assert len(left(root)) == 1
    else:
        assert left(root) == []
        assert "the build was ended; the last site stays" in said
    assert builds.run(root, root.parent / "site").status == 0
    assert left(root) == []
    assert contents(root.parent / "site") != before


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, systems are built in one process")
def test_no_process_outlives_a_build_that_is_killed(root: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(root.parent / "site")]
    deadline = time.monotonic() + PATIENCE
    with subprocess.Popen(
        command, cwd=root, stderr=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
    ) as build:
        until("Building documentation", build)
        while len(processes_of(build.pid)) < 2 and build.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(processes_of(build.pid)) > 1
        build.kill()
    while processes_of(build.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of(build.pid) == []


def test_of_two_builds_at_once_the_second_waits(root: Path) -> None:
    """It reads what was written while it waited."""
    first = Publication(root.parent / "site", print)
    (first.aside / "index.html").write_text("of the first", encoding="utf-8")
    with begin(root) as second:
        until("this one waits until it is done", second)
        edit(root)
        assert len(left(root)) == 1
        first.finish()
        assert (root.parent / "site" / "index.html").read_text(encoding="utf-8") == "of the first"
        said = rest_of(second)
    assert second.returncode == 0, said
    assert "Once more." in (root.parent / "site" / "ace" / "index.html").read_text(encoding="utf-8")
    assert left(root) == []


def test_what_a_killed_build_left_is_brought_back(root: Path, builds: Builds) -> None:
    """It was killed between the two steps in which a site is exchanged where one is not enough."""
    assert builds.run(root, root.parent / "site").status == 0
    before = contents(root.parent / "site")
    (root.parent / "site" / ".git").mkdir()
    (root.parent / "site").rename(root.parent / ".site-old-abcdefgh")
    with (root / "docs" / "ace" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\nSee EPI-OBJ-nothing.\n")
    build = builds.run(root, root.parent / "site")
    assert build.status != 0
    assert build.warnings
    assert contents(root.parent / "site") == before
    assert (root.parent / "site" / ".git").is_dir()
    assert left(root) == []


def test_folders_of_others_are_left_alone(root: Path, builds: Builds) -> None:
    for name in (".site-packages", ".site-new-x", ".other-new-abcdefgh", "x.site-old-abcdefgh"):
        (root.parent / name).mkdir()
    assert builds.run(root, root.parent / "site").status == 0
    assert sorted(left(root)) == [".site-new-x", ".site-packages"]
    assert (root.parent / ".other-new-abcdefgh").is_dir()


def test_hidden_files_of_the_last_site_stay(root: Path, builds: Builds) -> None:
    (root.parent / "site" / ".git").mkdir(parents=True)
    (root.parent / "site" / ".git" / "HEAD").write_text("ref: refs/heads/pages\n", encoding="utf-8")
    for _ in range(2):
        assert builds.run(root, root.parent / "site").status == 0
        edit(root)
        assert (root.parent / "site" / ".git" / "HEAD").read_text(encoding="utf-8") == "ref: refs/heads/pages\n"


def test_two_folders_take_each_others_place(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if _exchanged(tmp_path / "one", tmp_path / "other"):
        assert [each.name for each in (tmp_path / "one").iterdir()] == ["other"]
        assert [each.name for each in (tmp_path / "other").iterdir()] == ["one"]
    assert not _exchanged(tmp_path / "one", tmp_path / "nothing")


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of a given size, which only root can have made."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=False)
    if made.returncode:
        pytest.skip("only root can make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("size", ["1m", "8m"])
def test_a_full_disk_is_told_in_a_word(root: Path, builds: Builds, tmp_path: Path, size: str) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        (disk / "site").mkdir()
        (disk / "site" / "index.html").write_text("the last site", encoding="utf-8")
        build = builds.run(root, disk / "site")
        assert build.status != 0
        assert "No space left on device" in build.output
        assert build.warnings or size == "1m"
        assert "Traceback" not in build.output
        assert contents(disk / "site") == {"index.html": b"the last site"}
        assert [each.name for each in disk.iterdir()] == ["site"]


def read_only(folder: Path) -> None:
    folder.chmod(0o555)


def a_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("no folder", encoding="utf-8")


@pytest.mark.parametrize(("spoil", "said"), [(read_only, "Permission denied"), (a_file, "Not a directory|File exists")])
def test_where_nothing_can_be_written_that_is_told_in_a_word(
    root: Path, builds: Builds, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    if spoil is read_only and os.getuid() == 0:
        pytest.skip("root may write anywhere")
    place = tmp_path / "place"
    place.mkdir()
    spoil(place)
    build = builds.run(root, place / "site")
    assert build.status != 0
    assert re.search(said, build.output), build.output
    assert "Traceback" not in build.output
    assert build.warnings == []
