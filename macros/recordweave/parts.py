"""Parts of a site: sites that lack those of some systems. A file at the top says so, and what they were made from."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from recordweave.records.ids import SYSTEM_NAME
from recordweave.views.links import PART

_DIGEST = re.compile("[0-9a-f]{32}")
_NAME = re.compile(SYSTEM_NAME)


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
