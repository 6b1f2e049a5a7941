"""`mkdocs serve`: what is watched, and the folder that is shown.

MkDocs empties the folder before each build, which with many systems takes longer than what an edit makes necessary.
"""

import shutil
import tempfile
from collections.abc import Collection as AnyOf
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from recordweave import caches
from recordweave.site import environment, shared
from recordweave.sources import schemas
from recordweave.views import view
from recordweave.views.links import PORTAL

_shown: dict[Path, dict[str, str]] = {}
"""The keys of what a folder shows: of the systems by name, of the portal, and of the theme."""

_THEME = "/theme"
_ASSETS = shared.FOLDER.rstrip("/")

_program = b""
"""The digest of the program that the last build was made with."""


class Served:
    """Where a build of `mkdocs serve` goes: aside, until what has changed is put into the folder that is shown."""

    def __init__(self, config: MkDocsConfig) -> None:
        self.config = config
        self.folder = Path(config.site_dir)
        self.aside = Path(tempfile.mkdtemp(prefix=f"{self.folder.name}_", dir=self.folder.parent))
        self.is_portal_left = False
        self.left: set[str] = set()
        self._were = _shown.get(self.folder, {})
        self._keys = {_THEME: repr(config.theme.dirs)}
        config.site_dir = str(self.aside)
        self.has_theme = self._keys[_THEME] == self._were.get(_THEME)
        if self.has_theme:  # its files are there
            environment.leave_files_out(config.theme)

    def has(self, system: str, key: str) -> bool:
        """Whether the folder shows a system as it would be built. If not, it shows in the end what is built now."""
        self._keys[system] = key
        is_there = key != "" and self._were.get(system) == key and (self.folder / system).is_dir()
        if is_there:
            self.left.add(system)
        return is_there

    def has_portal(self, key: str) -> bool:
        """The same for the pages of the portal, of which nothing is put into the folder then."""
        self._keys[PORTAL] = key
        self.is_portal_left = self._were.get(PORTAL) == key != "" and (self.folder / "index.html").is_file()
        return self.is_portal_left

    def finish(self, systems: AnyOf[str], failed: AnyOf[str]) -> None:
        """Put what was built of `systems` and the portal into the folder.

        Systems that stay as they are, and those that `failed`, are left there.
        """
        for name in failed:
            self._keys[name] = ""
            _remove(self.aside / name)
        new = [each for each in self.aside.iterdir() if each.name in systems or not self.is_portal_left]
        stay = {_ASSETS, *self.left, *failed, *(each.name for each in new)}
        for each in list(self.folder.iterdir()):
            if each.name not in stay and not self.is_portal_left:
                _remove(each)
        for each in new:
            if each.name == _ASSETS and self.has_theme:
                shutil.copytree(each, self.folder / each.name, dirs_exist_ok=True)
                continue
            _remove(self.folder / each.name)
            each.rename(self.folder / each.name)
        _shown[self.folder] = self._keys
        self.abandon()

    def abandon(self) -> None:
        """Let the folder show what it showed."""
        shutil.rmtree(self.aside, ignore_errors=True)
        self.config.site_dir = str(self.folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def forget_what_was_edited() -> None:
    """Read schemas and templates anew where somebody has edited them: they are read once, and a server runs long."""
    global _program
    caches.program.cache_clear()
    if _program not in (b"", caches.program()):
        schemas.load.cache_clear()
        view.forget_templates()
    _program = caches.program()


def watched(records: Path) -> Iterator[str]:
    """What an author may edit besides the prose, and who works on the package itself."""
    package = Path(view.__file__).parent
    for folder in (records, Path(str(schemas.folder())), package / "templates", package / "assets"):
        if folder.is_dir():
            yield str(folder)
