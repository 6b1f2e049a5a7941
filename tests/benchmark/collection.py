"""A large collection, made of a system that is published: many systems, no two of which say the same."""

import re
import shutil
from collections.abc import Mapping
from itertools import count, cycle, islice
from pathlib import Path

ROOT = Path(__file__).parents[2]
PUBLISHED = "arigraph"

_ENTRY = re.compile(r"^  - id: \S+\n(?:(?!  - )[^\n]*\n)*", re.MULTILINE)
_SENTENCE = re.compile(r"(?<= )([a-z]{4,})\.(?=\n| [A-Z])")


def make(root: Path, systems: int = 100, records: int = 60) -> list[str]:
    """Write a repository of so many systems, each with so many records, and with the rows, the annotations and the
    prose of the published one. Each refers to a record of the one before. Gives the names of the systems.
    """
    names = [f"agent-{number:03}" for number in range(systems)]
    files = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in _published()}
    files = _with_records(files, records)
    (root / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "mkdocs.yml", root)
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, root / "docs")
    for before, name in zip([names[-1], *names], names, strict=False):
        for path, text in files.items():
            said = _SENTENCE.sub(rf"\1 in {name}.", text)
            if path.parts[0] == "docs" and path.stem == "index":
                said += f"\nWhat came before it keeps the like, see {before}:EPI-OBJ-triplets.\n"
            target = root / path.parts[0] / name / Path(*path.parts[2:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(said, encoding="utf-8")
    return names


def _published() -> list[Path]:
    folders = (ROOT / "records" / PUBLISHED, ROOT / "docs" / PUBLISHED)
    return sorted(path for folder in folders for path in folder.rglob("*.*") if path.is_file())


def _with_records(files: Mapping[Path, str], records: int) -> dict[Path, str]:
    """The same files with more records: the first ones over again, under other IDs."""
    found = [
        (path, entry) for path, text in files.items() for entry in _ENTRY.findall(text) if "\nrecords:\n" in f"\n{text}"
    ]
    more: dict[Path, str] = dict(files)
    turns = (number for number in count(2) for _ in found)
    for (path, entry), turn in islice(zip(cycle(found), turns, strict=False), max(records - len(found), 0)):
        more[path] = more[path].rstrip("\n") + "\n\n" + re.sub(r"(?<=id: )\S+", rf"\g<0>-v{turn}", entry, count=1)
    return more
