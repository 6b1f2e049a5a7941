"""The user's own folder for what can be made again: where it is, and what makes its content worth nothing.

Nothing in a repository can change what is kept there, so that no pull request decides what is found or published.
"""

import os
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

import jsonschema_rs
import markdown
import markdown_it
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


@cache
def program() -> bytes:
    """A digest of what decides what is found and made: this package, its schemas, and the libraries it stands on."""
    package = Path(__file__).parent
    own = [each.stat() for each in sorted(package.rglob("*")) if each.suffix != ".pyc" and each.is_file()]
    shared = [each.stat() for each in (schemas.folder(), *schemas.folder().iterdir()) if isinstance(each, Path)]
    libraries = [Path(str(each.__file__)).parents[1].stat() for each in (jsonschema_rs, markdown, markdown_it, yaml)]
    told = [(each.st_size, each.st_mtime_ns) for each in (*own, *shared, *libraries)]
    return digest(repr((sys.version, told)).encode())
