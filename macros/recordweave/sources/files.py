"""Files and folders of authors: what there is, how it is shown, and what leads out of the repository.

A link may lead anywhere, and what it leads to may be anything; what lies outside is neither read nor listed.
"""

import os
from collections.abc import Collection, Iterator
from pathlib import Path


def shown(path: Path, root: Path) -> str:
    """A path as its author would write it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path leads out of a folder, or to what is hidden in it, such as `.git`, through whatever links."""
    real, inside = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    return not real.is_relative_to(inside) or any(part.startswith(".") for part in real.relative_to(inside).parts)


def listed(folder: Path) -> list[Path]:
    """What a folder holds, by name, without what is hidden; nothing where it cannot be read."""
    try:
        return sorted((each for each in folder.iterdir() if not each.name.startswith(".")), key=lambda each: each.name)
    except OSError:
        return []


def walk(folder: Path, root: Path, without: Collection[Path] = ()) -> Iterator[Path]:
    """Every file under a folder, by name, through links to folders too; not those under the folders `without`.

    A link that leads out of `root`, to nothing, or back to a folder that it stands in, is yielded and not followed.
    """
    for path in listed(folder):
        if path in without:
            continue
        if path.is_dir() and not leads_out(path, root) and leads_out(folder, path):
            yield from walk(path, root, without)
        else:
            yield path
