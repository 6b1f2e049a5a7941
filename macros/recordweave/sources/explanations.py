"""The explanations of the diagnostics, which are part of the package."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from recordweave.records.diagnostic import Example, Explanation
from recordweave.sources.yaml_reader import read

NAME = "explanations.yml"


@cache
def load() -> Mapping[str, Explanation]:
    """Every explanation by its code. A fault in them is a fault of ours and raises."""
    document, faults = read((files("recordweave.sources") / NAME).read_text(encoding="utf-8"), NAME)
    if document is None or faults:
        raise ValueError(f"the explanations cannot be read: {faults}")
    told: Any = document.value
    return {
        code: _explanation(**{key.replace("-", "_"): text for key, text in each.items()}) for code, each in told.items()
    }


def _explanation(why: str, file: str, wrong: str, right: str, wrong_file: str = "") -> Explanation:
    return Explanation(why, Example(wrong_file or file, wrong), Example(file, right))
