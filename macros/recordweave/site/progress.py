"""How far a long build is: a bar on a terminal, lines elsewhere."""

import logging
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from mkdocs.plugins import get_plugin_logger

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

log = get_plugin_logger("recordweave")


def _bar() -> "Bar":
    from rich.console import Console  # which take long to load, and few builds are looked at
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("Building systems"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    return Bar(*columns, console=Console(stderr=True), transient=True)


class Progress:
    """Tells of `total` systems as they are built; nothing where MkDocs is to be quiet."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._bar: Bar | None = None
        if total > 1 and sys.stderr.isatty() and log.isEnabledFor(logging.INFO):
            self._bar = _bar()
            self._task = self._bar.add_task("", total=total)

    def __enter__(self) -> "Progress":
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def built(self, name: str, seconds: float) -> None:
        """Building a system has come to an end after so many seconds, or fewer than none where it failed."""
        self.done += 1
        if self._bar:
            self._bar.update(self._task, advance=1, description=name)
        elif seconds >= 0:
            log.info("built %s (%.1f s), %s of %s", name, seconds, self.done, self.total)
