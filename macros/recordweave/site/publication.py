"""Publication: a site is built aside and takes the place of the last one only when nothing was wrong with it."""

import logging
import os
import shutil
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import CountHandler


class Publication:
    """Where one build goes. Begun before MkDocs clears the folder; finished, or abandoned, when the build ends."""

    def __init__(self, config: MkDocsConfig) -> None:
        self.config = config
        self.folder = Path(config.site_dir)
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.aside = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-", dir=self.folder.parent))
        self.aside.chmod(0o777 & ~_umask())
        self.warnings = CountHandler()
        self.warnings.setLevel(logging.WARNING)
        logging.getLogger("mkdocs").addHandler(self.warnings)
        config.site_dir = str(self.aside)

    def finish(self) -> bool:
        """Put the new site in the old one's place, unless MkDocs is about to say that a strict build failed."""
        if self.config.strict and self.warnings.get_counts():
            self.abandon()
            return False
        self._end()
        if self.folder.is_symlink() or self.folder.is_mount():
            self._fill()
        elif self.folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-old-", dir=self.folder.parent))
            for kept in self.folder.glob(".*"):  # MkDocs too leaves these alone: a `.git`, say
                if not (self.aside / kept.name).exists():
                    shutil.move(kept, self.aside / kept.name)
            self.folder.rename(old / self.folder.name)
            self.aside.rename(self.folder)
            shutil.rmtree(old)
        else:
            self.aside.rename(self.folder)
        return True

    def abandon(self) -> None:
        """Leave the last site as it was."""
        self._end()
        shutil.rmtree(self.aside, ignore_errors=True)

    def _end(self) -> None:
        logging.getLogger("mkdocs").removeHandler(self.warnings)
        self.config.site_dir = str(self.folder)

    def _fill(self) -> None:
        """Replace what is in a folder that cannot itself be replaced."""
        for each in self.folder.glob("[!.]*"):
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
        shutil.copytree(self.aside, self.folder, dirs_exist_ok=True)
        shutil.rmtree(self.aside)


def _umask() -> int:
    """The process's own, which `mkdtemp` does not follow."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
