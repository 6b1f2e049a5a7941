"""The user's own folder for what can be made again: where it is, and what makes its content worth nothing.

Nothing in a repository can change what is kept there, so that no pull request decides what is found or published.
"""

import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

import jsonschema_rs
import markdown
import yaml
from platformdirs import user_cache_path

from recordweave.sources import schemas


def folder() -> Path | None:
    """The folder; none where it cannot be made, or is not the user's own."""
    path = user_cache_path("recordweave")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = path.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (owner.st_uid != os.getuid() or owner.st_mode & 0o022):
        return None  # somebody else could write there what would be run or published here
    return path


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def name_of(root: Path) -> str:
    """The name under which something is kept for the repository at `root`."""
    return digest(os.fsencode(root)).hex()


def write(file: Path, data: bytes) -> None:
    """Write a file whole, or leave it as it was where that cannot be done."""
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as written:
            try:
                written.write(data)
                written.close()
                Path(written.name).replace(file)
            except OSError:
                Path(written.name).unlink()


@cache
def program() -> bytes:
    """A digest of what decides what is found and made: this package, its schemas, and all that is installed with it."""
    package = Path(__file__).parent
    told = blake2b(sys.version.encode(), digest_size=16)
    for folder in (package, Path(str(schemas.folder()))):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                told.update(path.relative_to(folder).as_posix().encode())
                told.update(path.read_bytes())
    for installed in sorted({Path(str(each.__file__)).parents[1] for each in (jsonschema_rs, markdown, yaml)}):
        told.update(repr(sorted(each.name for each in installed.glob("*-info"))).encode())
    return told.digest()
