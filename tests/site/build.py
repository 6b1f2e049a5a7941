"""Real MkDocs builds, each in a process of its own, of real folders: nothing of MkDocs is ever mocked.

A build keeps what MkDocs said. What it warned of has to be read by the test that ran it; `Builds` tells which was not.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.site.html import BuiltSite

REPOSITORY = Path(__file__).parents[2]

_WARNED = re.compile(
    r"^(?:WARNING|ERROR|CRITICAL)\b.*(?:\n(?!(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b).*)*", re.MULTILINE
)


@dataclass
class Build:
    """A build that has ended: its exit status, everything it printed, and the folder it was told to build into."""

    status: int
    output: str
    folder: Path
    is_read: bool = False

    @property
    def warnings(self) -> list[str]:
        """Each warning and error as it was printed, with its lines. Who asks for them has read them."""
        self.is_read = True
        return self._warnings()

    def _warnings(self) -> list[str]:
        return [each.group().rstrip() for each in _WARNED.finditer(self.output)]

    @property
    def unread(self) -> list[str]:
        return [] if self.is_read else self._warnings()


@dataclass
class Builds:
    """Runs builds and keeps them."""

    done: list[Build] = field(default_factory=list)

    def run(
        self,
        root: Path,
        folder: Path,
        *arguments: str,
        strict: bool = True,
        environment: Mapping[str, str] | None = None,
    ) -> Build:
        """`mkdocs build` in `root`, into `folder`."""
        command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder), *arguments]
        if strict:
            command.append("--strict")
        ended = subprocess.run(
            command,
            cwd=root,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"} | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        build = Build(ended.returncode, ended.stdout, folder)
        self.done.append(build)
        return build

    @property
    def unread(self) -> list[str]:
        return [warning for build in self.done for warning in build.unread]


@dataclass(frozen=True)
class Mode:
    """One of the ways in which a site can be published."""

    name: str
    directory_urls: bool
    site_url: str

    def configure(self, root: Path) -> None:
        """Set it in a root that `copy_repository` has made."""
        settings = f"INHERIT: published.yml\nsite_url: {self.site_url}\nuse_directory_urls: {self.directory_urls}\n"
        (root / "mkdocs.yml").write_text(settings.replace("True", "true").replace("False", "false"), encoding="utf-8")

    def site(self, folder: Path) -> BuiltSite:
        return BuiltSite(folder, self.site_url, directory_urls=self.directory_urls)


MODES: Sequence[Mode] = (
    Mode("folders-at-root", True, "https://example.org/"),
    Mode("folders-in-subpath", True, "https://example.org/some/where/"),
    Mode("files-at-root", False, "https://example.org/"),
    Mode("files-in-subpath", False, "https://example.org/some/where/"),
)
PUBLISHED = MODES[1]
"""The mode in which the tests look at the site that are not about modes; MkDocs' default, and in a sub-path."""


@dataclass(frozen=True)
class Published:
    """The published repository, copied and built: what it was built from, and the site."""

    root: Path
    site: BuiltSite
    output: str


def copy_repository(to: Path) -> Path:
    """Copy what a team would have of its own: the configuration, as `published.yml`, the prose and the records."""
    for name in ("docs", "records"):
        shutil.copytree(REPOSITORY / name, to / name)
    shutil.copy(REPOSITORY / "mkdocs.yml", to / "published.yml")
    shutil.copy(REPOSITORY / "mkdocs.yml", to / "mkdocs.yml")
    return to


def publish(root: Path, mode: Mode) -> Published:
    """Copy the repository into `root` and build it, strictly."""
    copy_repository(root)
    mode.configure(root)
    builds = Builds()
    build = builds.run(root, root / "site")
    assert build.status == 0, build.output
    assert builds.unread == []
    return Published(root, mode.site(root / "site"), build.output)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, by its path, with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
