"""How soon `mkdocs serve` sees a change: at once where the system tells of it.

MkDocs looks at every file twice a second, which with many systems takes longer than what an edit makes necessary.
"""

import os
from pathlib import Path

from mkdocs.livereload import LiveReloadServer
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

_CHANGES: tuple[type[FileSystemEvent], ...] = (
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
)

_SILENT = frozenset({"9p", "cifs", "drvfs", "nfs", "nfs4", "prl_fs", "smb3", "vboxsf", "virtiofs"})
"""File systems that are shared with another machine, which does not tell this one of every change."""


def told_of_changes(server: LiveReloadServer) -> None:
    """Let the system tell the server of changes, where it can be relied on, and let nobody look for them."""
    paths = list(server._watched_paths)
    if not all(_tells(Path(path)) for path in paths) or not _can_be_told(paths):
        return
    for path in paths:
        server.unwatch(path)
    server.observer = _observer()  # type: ignore[assignment]
    for path in paths:
        server.watch(path)


class _Changes(FileSystemEventHandler):
    """Tells MkDocs' own handler of folders that come and go as well, of which that would hear file by file."""

    def __init__(self, handler: FileSystemEventHandler) -> None:
        self.handler = handler

    def on_any_event(self, event: FileSystemEvent) -> None:
        self.handler.dispatch(FileModifiedEvent(event.src_path) if event.is_directory else event)


def _observer() -> BaseObserver:
    """Tells of what is changed, and not of what is read: a build reads everything."""
    observer = Observer()
    schedule = observer.schedule

    def of_changes(handler: FileSystemEventHandler, path: str, *, recursive: bool = False) -> ObservedWatch:
        return schedule(_Changes(handler), path, recursive=recursive, event_filter=list(_CHANGES))

    observer.schedule = of_changes  # type: ignore[method-assign, assignment]
    return observer


def _can_be_told(paths: list[str]) -> bool:
    """Whether the system has room for all that is to be watched."""
    observer = Observer()
    try:
        for path in paths:
            observer.schedule(FileSystemEventHandler(), path, recursive=True)
        observer.start()
    except OSError:
        return False
    observer.stop()
    observer.join()
    return True


def _tells(path: Path) -> bool:
    """Whether the file system that a path lies on tells of every change."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return os.name != "posix" or not Path("/proc").is_dir()
    real = path.resolve()
    around = [mount for mount in mounts if len(mount) > 2 and real.is_relative_to(mount[1])]
    nearest = max(around, key=lambda mount: len(mount[1]), default=None)
    return nearest is not None and nearest[2] not in _SILENT and not nearest[2].startswith("fuse")
