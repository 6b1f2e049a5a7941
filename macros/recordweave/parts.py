"""Parts of a site: how systems are spread over several machines, and how what was built there becomes one site.

A part is a site that lacks the sites of some systems. A file at its top says so, and what it was made from. Parts can
be joined if they were made from the same and have every system between them. They come from elsewhere, so nothing in
them is believed, or followed, before it was looked at.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from recordweave.publication import Publication
from recordweave.records.ids import SYSTEM_NAME
from recordweave.sources.files import Files
from recordweave.views.links import PART, PORTAL, STYLE

_MAX_SIZE = 1_000_000
"""The most bytes of the file that says what a part is: the names of all systems, and little else."""

_DIGEST = re.compile("[0-9a-f]{32}")
_NAME = re.compile(SYSTEM_NAME)


class PartsError(Exception):
    """Systems cannot be spread, or parts cannot be joined; the text is a sentence for whoever wants it."""


@dataclass(frozen=True)
class Part:
    """What a part says of itself.

    `made_from` is a digest of everything that the whole site is made from, `systems` are the names of all systems,
    `built` those of the systems that the part has.
    """

    made_from: str
    systems: tuple[str, ...]
    built: tuple[str, ...]

    def write(self, site: Path) -> None:
        """Let a folder say that it is this part. Raises `OSError`."""
        (site / PART).write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


def read_part(data: bytes) -> Part | None:
    """What the file of a part says; nothing where it is not what `Part.write` writes."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match told:
        case {"made_from": str(made_from), "systems": list(systems), "built": list(built), **more} if not more:
            is_sound = _DIGEST.fullmatch(made_from) and _are_names(systems) and _are_names(built)
            return Part(made_from, tuple(systems), tuple(built)) if is_sound and set(built) <= set(systems) else None
    return None


def _are_names(names: Sequence[object]) -> bool:
    """Whether these are names of systems, each once."""
    return all(isinstance(each, str) and _NAME.fullmatch(each) for each in names) and len(set(names)) == len(names)


def spread(files: Files, records: Path, docs: Path, names: Sequence[str], parts: int) -> list[list[str]]:
    """Spread systems evenly over so many parts, or over fewer where there are not so many systems.

    What counts is how large their files are. The largest system comes first, and each goes where the least is yet.
    Raises `PartsError` for what cannot be the name of a system, since in a list it might be taken for several.
    """
    for name in names:
        if not _NAME.fullmatch(name):
            raise PartsError(f"`{name}` cannot be the name of a system; use lowercase words joined by hyphens")
    sizes = {name: sum(_size(path) for each in (records, docs) for path in files.walk(each / name)) for name in names}
    shares: list[list[str]] = [[] for _ in range(max(1, min(parts, len(names))))]
    for name in sorted(names, key=lambda each: (-sizes[each], each)):
        min(shares, key=lambda share: (sum(sizes[each] for each in share), len(share))).append(name)
    return [sorted(share) for share in shares]


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def join(folders: Sequence[Path], site: Path, tell: Callable[[str], object]) -> None:
    """Join parts into one site, and put it in the place of the last one. A whole site, given alone, is put there too.

    `tell` is told why this waits, if it does. Raises `PartsError` where the parts do not make a site, and `OSError`
    where something cannot be read or written; the last site stays then.
    """
    found = [_Found(folder) for folder in folders]
    joined = found[0].files if len(found) == 1 and found[0].is_whole else _joined(found)
    publication = Publication(site, tell)
    try:
        for name, path in joined.items():
            to = publication.aside / name
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to, follow_symlinks=False)
        publication.finish()
    except Exception:
        if publication.is_open:
            publication.abandon()
        raise


class _Found:
    """A folder that was given as a part, with its `files` by their paths there. Raises `PartsError`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = dict(self._walk())

    def _walk(self) -> Iterator[tuple[str, Path]]:
        folders = [""]
        while folders:
            inside = folders.pop()
            with os.scandir(self.folder / inside) as entries:
                for entry in entries:
                    name = f"{inside}{entry.name}"
                    mode = entry.stat(follow_symlinks=False).st_mode
                    if S_ISDIR(mode):
                        folders.append(f"{name}/")
                    elif S_ISREG(mode):
                        yield name, Path(entry.path)
                    else:
                        raise PartsError(f"`{self.folder / name}` is a link, or no file at all; a part has files only")

    @property
    def is_whole(self) -> bool:
        """Whether it looks like a site, and nothing says that it is a part of one."""
        return PART not in self.files and {"index.html", STYLE} <= self.files.keys()

    def part(self) -> Part:
        """What it says of itself."""
        if PART not in self.files:
            raise PartsError(f"`{self.folder}` is no part of a site: there is no `{PART}` in it")
        with self.files[PART].open("rb") as file:
            part = read_part(file.read(_MAX_SIZE))
        if part is None:
            raise PartsError(f"`{self.folder / PART}` does not say what this is a part of")
        return part

    def shares(self, part: Part) -> dict[str, dict[str, Path]]:
        """The files of each system that it has, and those of the portal; each share is there, and no other is."""
        shares: dict[str, dict[str, Path]] = {name: {} for name in (PORTAL, *part.built)}
        for name, path in self.files.items():
            top = name.partition("/")[0]
            owner = top if top in part.systems else PORTAL
            if owner not in shares:
                raise PartsError(f"`{self.folder}` has files of `{owner}`, and says that it has not")
            if name != PART:
                shares[owner][name] = path
        for owner, share in shares.items():
            if f"{owner}/index.html".lstrip("/") not in share:
                raise PartsError(f"`{self.folder}` lacks the pages of {f'`{owner}`' if owner else 'the portal'}")
        return shares


def _joined(found: Sequence[_Found]) -> dict[str, Path]:
    """The files of a site that is made of parts, by their paths there."""
    parts = [each.part() for each in found]
    for each, part in zip(found, parts, strict=True):
        if (part.made_from, part.systems) != (parts[0].made_from, parts[0].systems):
            told = "do not belong together: they were not made from the same files, settings and program"
            raise PartsError(f"`{found[0].folder}` and `{each.folder}` {told}")
    built = {name for part in parts for name in part.built}
    if lost := [f"`{name}`" for name in parts[0].systems if name not in built]:
        raise PartsError(f"no part has {', '.join(lost)}")
    joined: dict[str, tuple[_Found, dict[str, Path]]] = {}
    for each, part in zip(found, parts, strict=True):
        for owner, share in each.shares(part).items():
            first, same = joined.setdefault(owner, (each, share))
            if name := _different(same, share):
                raise PartsError(f"`{name}` is not the same in `{first.folder}` and `{each.folder}`")
    return {name: path for _, share in joined.values() for name, path in share.items()}


def _different(one: Mapping[str, Path], other: Mapping[str, Path]) -> str:
    """A file that only one of two has, or that has other bytes in the other; empty where all are the same."""
    if one is other:
        return ""
    for name in sorted(one.keys() | other.keys()):
        if name not in one or name not in other or one[name].read_bytes() != other[name].read_bytes():
            return name
    return ""
