"""Checked values to fields: what the schema says a property is decides what it becomes."""

from collections.abc import Mapping
from typing import Any

from recordweave.records.values import (
    Cell,
    Evidence,
    Field,
    Finding,
    Group,
    Ids,
    Items,
    Plain,
    Term,
    Text,
    Value,
)
from recordweave.sources.schemas import Schema, Schemas


def fields(
    schemas: Schemas, schema: Schema, raw: Mapping[str, Any], leave_out: tuple[str, ...] = ()
) -> tuple[Field, ...]:
    """The properties of a valid mapping as fields, in the schema's order."""
    return tuple(
        Field(key, each["title"], decode(schemas, each, raw[key]), each.get("description", ""))
        for key, each in schema["properties"].items()
        if key in raw and key not in leave_out
    )


def decode(schemas: Schemas, schema: Schema, raw: Any) -> Value:
    """One valid value of the shape `schema`."""
    name, target = schemas.resolve(schema)
    if "vocabularies" in str(schema.get("$ref", "")):
        return _term(name, raw)
    match name:
        case "text":
            return Text(raw)
        case "record_id":
            return Ids((raw,))
        case "cell":
            return (
                Cell(raw) if isinstance(raw, str) else Cell(raw.get("text", ""), tuple(raw["see"]), raw.get("for", ""))
            )
        case "uncertain" | "unpublished":
            return finding(raw)
        case "storage" if not isinstance(raw, list):
            return finding(raw)
        case "evidence":
            return Items(tuple(Evidence(**each) for each in raw))
        case "statuses":
            return Group(tuple(Field(layer, layer, Term("conclusion_status", each)) for layer, each in raw.items()))
        case "forms":
            return Group(tuple(Field(form, form, Text(each)) for form, each in raw.items()))
    if isinstance(raw, list):
        if schemas.resolve(target["items"])[0] == "record_id":
            return Ids(tuple(raw))
        return Items(tuple(decode(schemas, target["items"], each) for each in raw))
    if target.get("type") == "object":
        return Group(fields(schemas, target, raw))
    return Plain(str(raw))


def finding(raw: Any) -> Finding:
    """Text, or a mapping of one uncertainty to its reason."""
    if isinstance(raw, str):
        return Finding(raw)
    uncertainty, reason = next(iter(raw.items()))
    return Finding(reason, uncertainty)


def _term(vocabulary: str, raw: Any) -> Term:
    if isinstance(raw, str):
        return Term(vocabulary, raw)
    value, description = next(iter(raw.items()))
    return Term(vocabulary, value, description)
