"""Files and folders of authors: what there is, how it is shown, and what leads out of the repository.

A link may lead anywhere, and what it leads to may be anything; what lies outside is neither read nor listed.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EISDIR
from functools import cached_property
from pathlib import Path


def shown(path: Path, root: Path) -> str:
    """A path as its author would write it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path leads out of a folder, or to what is hidden in it, such as `.git`, through whatever links."""
    real, inside = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    return not real.is_relative_to(inside) or any(part.startswith(".") for part in real.relative_to(inside).parts)


@dataclass(frozen=True)
class Files:
    """The files under `root`. Where there is an unsaved text for a path, it counts as if it were saved there."""

    root: Path
    unsaved: Mapping[Path, str] = field(default_factory=dict)

    @cached_property
    def _holding(self) -> dict[Path, set[Path]]:
        """What each folder holds of the unsaved files, and of the folders that lead to them."""
        holding: dict[Path, set[Path]] = {}
        for path in self.unsaved:
            for each in (path, *path.parents):
                holding.setdefault(each.parent, set()).add(each)
        return holding

    def is_file(self, path: Path) -> bool:
        return path in self.unsaved or path.is_file()

    def is_dir(self, path: Path) -> bool:
        return path in self._holding or path.is_dir()

    def read(self, path: Path) -> bytes:
        """The bytes of a file. Raises OSError where it cannot be read."""
        if path in self.unsaved:
            return self.unsaved[path].encode("utf-8", "surrogatepass")
        if path in self._holding:
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        return path.read_bytes()

    def listed(self, folder: Path) -> list[Path]:
        """What a folder holds, by name, without what is hidden; nothing where it cannot be read."""
        found = set(self._holding.get(folder, ()))
        with suppress(OSError):
            found.update(folder.iterdir())
        return sorted((each for each in found if not each.name.startswith(".")), key=lambda each: each.name)

    def walk(self, folder: Path, without: Collection[Path] = ()) -> Iterator[Path]:
        """Every file under a folder, by name, through links to folders too; not those under the folders `without`.

        A link that leads out of `root`, to nothing, or back to a folder that it stands in, is yielded and not followed.
        """
        for path in self.listed(folder):
            if path in without:
                continue
            if self.is_dir(path) and not leads_out(path, self.root) and leads_out(folder, path):
                yield from self.walk(path, without)
            else:
                yield path
