"""The JSON Schemas: where they lie, what they say, and whether a value keeps to them.

The schema is the only statement of shape. `jsonschema-rs` gives the verdict, since it is fast; `jsonschema` is asked
only about values that failed, since it explains.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import jsonschema_rs

from recordweave.records.ids import KIND_BY_STEM
from recordweave.records.model import Vocabulary

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Schema: TypeAlias = Mapping[str, Any]
SUFFIX = ".schema.json"


def folder() -> Traversable:
    """The folder of the schemas: inside the installed package, or at the top of the repository it is developed in."""
    shipped = files("recordweave") / "schemas"
    return shipped if shipped.is_dir() else Path(__file__).parents[3] / "schemas"


@dataclass(frozen=True)
class Schemas:
    """All schemas by name (`routes` for `routes.schema.json`), with a validator for each."""

    by_name: Mapping[str, Schema]
    _quick: Mapping[str, Any]

    def resolve(self, schema: Schema) -> tuple[str, Schema]:
        """Follow `$ref` once: the name of the definition (empty where there is none), and the definition."""
        target = schema.get("$ref")
        if target is None:
            return "", schema
        file, _, way = str(target).partition("#/$defs/")
        return way, self.by_name[file.removesuffix(SUFFIX)]["$defs"][way]

    def is_valid(self, name: str, value: object) -> bool:
        return bool(self._quick[name].is_valid(value))

    def errors(self, name: str, value: Any) -> Iterator["ValidationError"]:
        """The errors of a value against the named schema, with the thorough validator."""
        from recordweave.sources.thorough import validators  # which takes long to load, and is seldom asked

        yield from validators()[name].iter_errors(value)

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """Every vocabulary, by the name of its definition."""
        return {name: _vocabulary(name, each) for name, each in self.by_name["vocabularies"]["$defs"].items()}

    @cached_property
    def record_fields(self) -> dict[str, dict[str, str]]:
        """The fields that records of each kind can have, those of groups as well: titles by key, by the kind's stem.

        The ID is none of them, since it never changes, and neither are former ones.
        """
        return {stem: dict(_fields(self.by_name[stem]["properties"]["records"]["items"])) for stem in KIND_BY_STEM}


def _fields(schema: Schema) -> Iterator[tuple[str, str]]:
    for key, each in schema.get("properties", {}).items():
        if key not in ("id", "aliases"):
            yield key, each["title"]
            yield from _fields(each)


def _vocabulary(name: str, schema: Schema) -> Vocabulary:
    listed: Schema = schema.get("then", schema)
    described: Schema = schema.get("else", {}).get("properties", {})
    meanings = dict(zip(listed["enum"], listed["enumDescriptions"], strict=True))
    meanings |= {value: each["description"] for value, each in described.items()}
    return Vocabulary(name, schema["title"], schema["description"], meanings, frozenset(described))


@cache
def load() -> Schemas:
    """Read the schemas. They are part of the package, so a fault in them is a fault of ours and raises."""
    by_name = {
        each.name.removesuffix(SUFFIX): json.loads(each.read_text(encoding="utf-8"))
        for each in sorted(folder().iterdir(), key=lambda each: each.name)
        if each.name.endswith(SUFFIX)
    }

    def retrieve(address: str) -> Any:
        return by_name[address.rsplit("/", 1)[-1].removesuffix(SUFFIX)]

    quick = {name: jsonschema_rs.validator_for(schema, retriever=retrieve) for name, schema in by_name.items()}
    return Schemas(by_name, quick)
