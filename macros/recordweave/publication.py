"""Publication: a site is made aside and takes the place of the last one only when nothing was wrong with it.

Whoever writes into a folder holds a lock, and whoever comes second waits. What somebody who was killed has left beside
the folder is removed by the next one.
"""

import atexit
import ctypes
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from recordweave.processes import end_children

_EXCHANGE = 2
"""What `renameat2` is told to let two files take each other's place, from Linux' `fs.h`."""

_HERE = -100
"""And that paths are as they are, from `fcntl.h`."""


class Publication:
    """Where a new site goes: into `aside`, until it is finished or abandoned. `folder` is where the last one is.

    `tell` is told why it waits, if it does. Raises `OSError` where nothing can be written beside the folder.
    """

    def __init__(self, folder: Path, tell: Callable[[str], object]) -> None:
        self.folder = folder
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder.parent, tell)
        if self._lock is not None:
            self._tidy()
        self.aside = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-new-", dir=self.folder.parent))
        self.aside.chmod(0o777 & ~_umask())
        self.is_open = True
        self.take_back: Callable[[Path], None] = lambda folder: None
        """Told of each folder that is about to be removed, a site that is old or that has failed."""

        self._terminate = _ended_by_terminating()
        atexit.register(self._interrupted, os.getpid())

    def finish(self) -> None:
        """Put the new site in the old one's place."""
        if self.folder.is_symlink() or self.folder.is_mount():
            self._fill()
        elif self.folder.exists():
            old = self._exchange()
            _move_hidden(old, self.folder)
            self.take_back(old)
            shutil.rmtree(old)
        else:
            self.aside.rename(self.folder)
        self._end()

    def abandon(self) -> None:
        """Leave the last site as it was."""
        self.take_back(self.aside)
        shutil.rmtree(self.aside, ignore_errors=True)
        self._end()

    def _interrupted(self, process: int) -> None:
        """The program ends, and the build has neither been finished nor failed: somebody has ended it."""
        if os.getpid() == process:
            end_children()
            self.abandon()
            print("the build was ended; the last site stays", file=sys.stderr)

    def _end(self) -> None:
        self.is_open = False
        atexit.unregister(self._interrupted)
        if self._terminate is not None:
            signal.signal(signal.SIGTERM, self._terminate)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _exchange(self) -> Path:
        """Put the new site in the old one's place, in one step where the system can. Gives where the old one is."""
        if _exchanged(self.aside, self.folder):
            return self.aside
        old = self.aside.with_name(self.aside.name.replace("-new-", "-old-"))
        self.folder.rename(old)
        self.aside.rename(self.folder)
        return old

    def _fill(self) -> None:
        """Replace what is in a folder that cannot itself be replaced."""
        for each in self.folder.glob("[!.]*"):
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
        shutil.copytree(self.aside, self.folder, dirs_exist_ok=True)
        self.take_back(self.aside)
        shutil.rmtree(self.aside)

    def _tidy(self) -> None:
        """Remove what builds have left that were killed; the last good site is brought back if it is among that."""
        for left in self._left("old"):
            if not self.folder.exists():
                left.rename(self.folder)
        for left in (*self._left("old"), *self._left("new")):
            if self.folder.is_dir():
                _move_hidden(left, self.folder)
            shutil.rmtree(left, ignore_errors=True)

    def _left(self, what: str) -> Iterator[Path]:
        name = re.compile(rf"\.{re.escape(self.folder.name)}-{what}-[a-z0-9_]{{8}}")
        return (each for each in sorted(self.folder.parent.iterdir()) if name.fullmatch(each.name))


def _ended_by_terminating() -> Any:
    """Let the program come to an end in order when it is told to terminate. Gives what it would have done otherwise."""

    def end(number: int, frame: object) -> None:
        sys.exit(128 + number)

    is_main = threading.current_thread() is threading.main_thread()  # no other may say what is done about signals
    return signal.signal(signal.SIGTERM, end) if is_main else None


def _move_hidden(old: Path, new: Path) -> None:
    """Keep the files whose names begin with a dot, which MkDocs too leaves alone: a `.git`, say."""
    for each in old.glob(".*"):
        if not (new / each.name).exists():
            shutil.move(each, new / each.name)


def _locked(folder: Path, tell: Callable[[str], object]) -> int | None:
    """Wait until nobody else builds into a folder, and keep others from it; nothing where there are no such locks."""
    try:
        import fcntl
    except ImportError:  # on Windows, where nobody waits
        return None
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(f"another build writes into {folder}; this one waits until it is done")
            fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:  # a file system that knows no locks
        os.close(lock)
        return None
    return lock


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders take each other's place. False where the system cannot."""
    with suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None, use_errno=True)
        return bool(libc.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)
    return False


def _umask() -> int:
    """The process's own, which `mkdtemp` does not follow."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
