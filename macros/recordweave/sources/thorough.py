"""The validators of `jsonschema`: slow to load and slow to run, and they say what is wrong."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry, Resource

from recordweave.sources.schemas import SUFFIX, Schema, load

_BLANK = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@cache
def _compiled(rule: str) -> re.Pattern[str]:
    """A pattern as JSON Schema means it: `$` is the very end, and white space is what ECMAScript takes for it."""
    return re.compile(re.sub(r"(?<!\\)\$", r"\\Z", rule).replace(r"\S", f"[^{_BLANK}]"))


def _pattern(validator: Validator, rule: str, value: object, schema: Schema) -> Iterator[ValidationError]:
    """The keyword `pattern`."""
    if isinstance(value, str) and not _compiled(rule).search(value):
        yield ValidationError(f"{value!r} does not match {rule!r}")


_Thorough: Any = extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]


@cache
def validators() -> Mapping[str, Validator]:
    """A validator for each schema, by its name."""
    by_name = load().by_name
    registry: Registry[Any] = Registry().with_resources(
        (name + SUFFIX, Resource.from_contents(schema)) for name, schema in by_name.items()
    )
    return {name: _Thorough(schema, registry=registry) for name, schema in by_name.items()}
