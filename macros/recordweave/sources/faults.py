"""Schema errors, said to the author of the file: where, what was expected, and the nearest right value."""

from collections.abc import Iterator, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from recordweave.records.diagnostic import Diagnostic, Place, Severity, did_you_mean
from recordweave.records.values import Pointer
from recordweave.sources.schemas import Schemas
from recordweave.sources.yaml_reader import Document

_SHAPES = {"string": "text", "object": "a mapping", "array": "a list", "integer": "a number"}


def faults(schemas: Schemas, name: str, document: Document) -> Iterator[tuple[Pointer, Diagnostic]]:
    """The faults of a document against the named schema, each with the way to the faulty value."""
    seen: set[tuple[Pointer, str]] = set()
    mistyped: list[Pointer] = []
    errors = sorted(
        schemas.errors(name, document.value),
        key=lambda each: (len(each.absolute_path), each.validator != "type"),
    )
    for error in errors:
        way: Pointer = tuple(error.absolute_path)
        if any(way[: len(above)] == above for above in mistyped):
            continue
        if error.validator == "type":
            mistyped.append(way)
        for diagnostic in _said(error, way, document):
            key = (way, diagnostic.message)
            if key not in seen:
                seen.add(key)
                yield way, diagnostic


def _said(error: ValidationError, way: Pointer, document: Document) -> Iterator[Diagnostic]:
    value: Any = error.instance
    rule: Any = error.validator_value
    what = _name(way)

    def fault(code: str, message: str, hint: str = "", place: Place | None = None) -> Diagnostic:
        return Diagnostic(code, Severity.ERROR, message, place or document.place(way), hint)

    if "propertyNames" in error.absolute_schema_path and isinstance(value, str):
        values = _constants(error)
        hint = _nearest(value, values) if values else "write a lowercase name"
        yield fault(
            "vocabulary",
            f"`{value}` is not a name that {what} can have",
            hint,
            document.place((*way, value), key=True),
        )
        return
    validator: str | None = error.validator if isinstance(error.validator, str) else None
    match validator:
        case "additionalProperties":
            known = list(_schema(error).get("properties", ()))
            for key in value:
                if key not in known:
                    hint = did_you_mean(key, known) or f"known here: {_listed(known)}"
                    place = document.place((*way, key), key=True)
                    yield fault("unknown-key", f"`{key}` is not a key of {what}", hint, place)
        case "required":
            for key in rule:
                if key not in value:
                    about = _schema(error).get("properties", {}).get(key, {}).get("description", "")
                    yield fault("missing-key", f"`{key}` is missing in {what}", f"add `{key}:` {about}".strip())
        case "oneOf":
            values = _constants(error)
            title = (
                str(_schema(error).get("title") or (_schema(error.parent).get("title") if error.parent else ""))
                or "value"
            )
            yield fault(
                "vocabulary",
                f"`{value}` is not a value that {what} can have",
                _nearest(str(value), values, title),
            )
        case "type":
            wanted = [rule] if isinstance(rule, str) else rule
            shapes = " or ".join(dict.fromkeys(_SHAPES.get(one, one) for one in wanted if one != "integer"))
            yield fault("schema", f"{what} should be {shapes}, but is {_shape(value)}", _type_hint(value, wanted))
        case "minLength" | "pattern" if isinstance(value, str) and not value.strip():
            yield fault("schema", f"{what} is empty", _about(error))
        case "pattern" | "minimum":
            yield fault("schema", f"`{_short(value)}` is not a {_title(error)}", _about(error))
        case "const":
            yield fault("vocabulary", f"{what} can only be `{rule}`", f"write `{rule}`")
        case "minItems":
            yield fault("schema", f"{what} is an empty list", _about(error) or "list at least one")
        case "uniqueItems":
            twice = next(one for number, one in enumerate(value) if one in value[:number])
            yield fault("schema", f"`{_short(twice)}` stands twice in {what}", "write it once")
        case "minProperties":
            yield fault("schema", f"{what} is an empty mapping", _about(error))
        case "maxProperties":
            yield fault("schema", f"{what} has more than one key", f"keep one of {_listed(list(value))}")
        case None:
            yield fault(
                "schema",
                f"{what} does not belong here",
                "remove it; only a withheld member lists its records",
            )
        case _:
            yield fault("schema", f"{what}: {error.message}", _about(error))


def _schema(error: Any) -> dict[str, Any]:
    """The schema that an error is about. `True` and `False` are schemas too, without anything in them."""
    return error.schema if isinstance(error.schema, dict) else {}


def _constants(error: ValidationError) -> list[str]:
    schema = _schema(error).get("oneOf") or _schema(error).get("then", {}).get("oneOf") or ()
    described = _schema(error.parent).get("else", {}).get("properties", {}) if error.parent else {}
    return [*(str(each["const"]) for each in schema if "const" in each), *described]


def _nearest(value: str, values: Sequence[str], title: str = "value") -> str:
    return did_you_mean(value, values) or f"one of: {_listed(values)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _name(way: Pointer) -> str:
    """A value as its author would call it: its key, and which item of a list it is."""
    if not way:
        return "the file"
    if isinstance(way[-1], int):
        owner = next((each for each in reversed(way) if isinstance(each, str)), "the file")
        return f"item {way[-1] + 1} of `{owner}`"
    return f"`{way[-1]}`"


def _shape(value: Any) -> str:
    return (
        "a list"
        if isinstance(value, list)
        else "a mapping"
        if isinstance(value, dict)
        else "empty"
        if value == ""
        else "text"
    )


def _type_hint(value: Any, wanted: Sequence[str]) -> str:
    if "string" in wanted and isinstance(value, dict):
        return "if this is meant as text, put it in double quotes: `: ` and `{` mean something to YAML"
    if "string" in wanted and isinstance(value, list):
        return "if this is meant as text, put it in double quotes: `[` and a leading `- ` mean something to YAML"
    if "array" in wanted:
        return "write each item on a line of its own behind `- `"
    return "write `key: value` lines, indented under it" if "object" in wanted else ""


def _title(error: ValidationError) -> str:
    title = str(_schema(error).get("title", "valid value"))
    return title[0].lower() + title[1:] if not title[:2].isupper() else title


def _about(error: ValidationError) -> str:
    return str(_schema(error).get("description", ""))


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"
