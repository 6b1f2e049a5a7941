"""Schema errors, said to the author of the file: where, what was expected, and the nearest right value."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from recordweave.records.diagnostic import Diagnostic, Near, Place, Severity, did_you_mean
from recordweave.records.ids import is_reference, is_source_id, near_misses, split
from recordweave.records.values import OWN_RECORDS, Pointer
from recordweave.sources.schemas import Schema, Schemas
from recordweave.sources.yaml_reader import Document

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MAX_FAULTS = 1_000
"""How many breaches of one file are told."""

_LONGEST = 1_000
"""The most characters of a value that is looked at for what was meant."""

_SHAPES = {"string": "text", "object": "a mapping", "array": "a list", "integer": "a number"}


def faults(schemas: Schemas, name: str, document: Document) -> Iterator[tuple[Pointer, Diagnostic]]:
    """The faults of a document against the named schema, each with the way to the faulty value."""
    raw = list(islice(schemas.errors(name, document.value), MAX_FAULTS + 1))
    errors = [Breach(schemas, name, document, each) for each in raw[:MAX_FAULTS]]
    errors.sort(key=lambda each: (len(each.way), each.validator != "type"))
    mistyped = {each.way for each in errors if each.validator == "type"}
    fixed = {each.way for each in errors if each.validator == "const"}
    too_long = {each.way for each in errors if each.validator == "maxLength"}
    renamed = {(each.way, meant) for each in errors for _, meant in each.unknown_keys() if meant}
    seen: set[tuple[Pointer, str]] = set()
    for error in errors:
        inside_mistyped = any(error.way[:depth] in mistyped for depth in range(len(error.way) + 1))
        if (inside_mistyped and error.validator != "type") or (error.validator == "enum" and error.way in fixed):
            continue
        if error.validator == "pattern" and error.way in too_long:
            continue
        for diagnostic in error.told(renamed):
            key = (error.way, diagnostic.message)
            if key not in seen:
                seen.add(key)
                yield error.way, diagnostic
            if len(seen) == MAX_FAULTS:
                yield from _too_many(document, error.way)
                return
    if len(raw) > MAX_FAULTS:
        yield from _too_many(document, tuple(raw[-1].absolute_path))


def _too_many(document: Document, way: Pointer) -> Iterator[tuple[Pointer, Diagnostic]]:
    """Say once that not all is told; it concerns every entry, since nobody knows which of them are sound."""
    message = f"the file has more than {MAX_FAULTS:,} faults"
    hint = "mend the others first; the rest was not looked at"
    diagnostic = Diagnostic("schema", Severity.ERROR, message, document.place(way), hint)
    yield (), diagnostic
    lists = document.value.items() if isinstance(document.value, dict) else ()
    yield from (
        ((key, number), diagnostic) for key, each in lists if isinstance(each, list) for number in range(len(each))
    )


@dataclass(frozen=True)
class Breach:
    """One breach of the schema as the validator reports it, with what is needed to explain it."""

    schemas: Schemas
    name: str
    document: Document
    raw: "ValidationError"

    @property
    def value(self) -> Any:
        """The faulty value."""
        return self.raw.instance

    @property
    def rule(self) -> Any:
        """What the keyword of the schema asks for."""
        return self.raw.validator_value

    @property
    def way(self) -> Pointer:
        """The way to the faulty value."""
        return tuple(self.raw.absolute_path)

    @property
    def validator(self) -> str:
        """The keyword of the schema that is not kept to; empty where the schema allows nothing at all."""
        return self.raw.validator if isinstance(self.raw.validator, str) else ""

    @property
    def schema(self) -> Schema:
        """The schema that is not kept to. `True` and `False` are schemas too, without anything in them."""
        return self.raw.schema if isinstance(self.raw.schema, dict) else {}

    def above(self) -> list[tuple[str, Schema]]:
        """The schemas around the error, from the file's own to the one not kept to, each with the step to it."""
        goal: Any = self.raw.schema

        def search(here: Any, step: str, steps: Sequence[Any]) -> list[tuple[str, Schema]] | None:
            if here is goal and not steps:
                return [(step, here)]
            ways: list[tuple[Any, str, Sequence[Any]]] = []
            if isinstance(here, dict) and "$ref" in here:
                ways.append((self.schemas.resolve(here)[1], "$ref", steps))
            if steps and (isinstance(here, list) or steps[0] in here):
                ways.append((here[steps[0]], str(steps[0]), steps[1:]))
            for way in ways:
                if (found := search(*way)) is not None:
                    return found if isinstance(here, list) else [(step, here), *found]
            return None

        return search(self.schemas.by_name[self.name], "", tuple(self.raw.absolute_schema_path)[:-1]) or []

    def belongs(self) -> str:
        """What belongs in the place of the faulty value, in the words of the schema, and how it may be written."""
        told = before = ""
        for step, schema in self.above():
            if before == "properties" or step == "items":
                told = ""
            if step != "properties":
                told = told or str(schema.get("description", ""))
            before = step
        forms = str(self.schema.get("description", "")) if isinstance(self.schema.get("type"), list) else ""
        return told if told == forms else f"{told} {forms}".strip()

    def vocabulary(self) -> Schema:
        """The vocabulary around the error, where it has values that come with a description."""
        return next((each for _, each in reversed(self.above()) if "enum" in each.get("then", {})), {})

    def unknown_keys(self) -> Iterator[tuple[str, str]]:
        """The keys that the schema does not know, each with the missing one that it was meant for, if any."""
        if self.validator != "additionalProperties":
            return
        known = list(self.schema.get("properties", ()))
        missing = [each for each in known if each not in self.value]
        near = Near(missing)
        for key in islice((each for each in self.value if each not in known), MAX_FAULTS):
            yield key, near.nearest(key) or (known[0] if known == missing and len(known) == 1 else "")

    def told(self, renamed: set[tuple[Pointer, str]]) -> Iterator[Diagnostic]:
        """The diagnostics for the error. `renamed` are missing keys that an unknown key was meant for."""
        if "propertyNames" in self.raw.absolute_schema_path:
            yield self._name_of_property()
            return
        match self.validator:
            case "additionalProperties":
                yield from self._unknown()
            case "required":
                yield from self._missing(renamed)
            case "type":
                yield self._mistyped()
            case "minLength" | "pattern" if isinstance(self.value, str) and not self.value.strip():
                yield self._fault("schema", f"{self._what()} is empty", self.belongs())
            case "maxLength":
                message = f"{self._what()} has {len(self.value):,} characters"
                yield self._fault("schema", message, f"write {self.rule:,} at most")
            case "pattern" | "minimum":
                yield self._fault("schema", f"`{_short(self.value)}` {self._cannot()}", self._right())
            case "const":
                rule = self.rule
                yield self._fault("vocabulary", f"{self._what()} can only be `{rule}`", f"write `{rule}`")
            case "enum":
                yield self._not_in_vocabulary()
            case "minItems":
                yield self._too_few()
            case "uniqueItems":
                yield self._twice()
            case "minProperties":
                yield self._fault("schema", f"{self._what()} is an empty mapping", self.belongs())
            case "maxProperties":
                keys = list(self.value)
                place = self.document.place((*self.way, keys[1]), key=True)
                hint = f"keep one of {_listed(keys)}"
                yield self._fault("schema", f"{self._what()} has more than one key", hint, place)
            case "":
                yield self._not_here()
            case _:
                yield self._fault("schema", f"{self._what()}: {self.raw.message}", self.belongs())

    def _fault(self, code: str, message: str, hint: str = "", place: Place | None = None) -> Diagnostic:
        return Diagnostic(code, Severity.ERROR, message, place or self.document.place(self.way), hint)

    def _what(self) -> str:
        """The faulty value as its author would call it: its key or ID, or which item of a list it is."""
        way = self.way
        if not way:
            return "the file"
        if not isinstance(way[-1], int):
            return f"`{way[-1]}`"
        if isinstance(self.value, dict) and isinstance(record_id := self.value.get("id"), str):
            return f"`{record_id}`"
        owner = next((each for each in reversed(way) if isinstance(each, str)), "the file")
        return f"item {way[-1] + 1} of `{owner}`"

    def _cannot(self) -> str:
        return f"is not a value that {self._what()} can have"

    def _name_of_property(self) -> Diagnostic:
        name = str(self.value)
        values = _values(self.schema)
        lower = name.lower()
        hint = "write a lowercase name"
        if values:
            hint = did_you_mean(name, values) or f"one of: {_listed(values)}"
        elif re.search(str(self.schema.get("pattern", "$^")), lower):
            hint = f"write `{lower}`"
        place = self.document.place((*self.way, name), key=True)
        return self._fault("vocabulary", f"`{name}` is not a name that {self._what()} can have", hint, place)

    def _unknown(self) -> Iterator[Diagnostic]:
        known = list(self.schema.get("properties", ()))
        near = Near(known)
        values = Near(_values(self.vocabulary().get("then", {})))
        for key, meant in self.unknown_keys():
            hint = f"did you mean `{meant}`?" if meant else did_you_mean(key, near) or f"known here: {_listed(known)}"
            written = f"{key}: {self.value[key]}"
            if value := values.nearest(written, 0.9):
                hint = f'write it on the line of its key, in double quotes: "{value}"'
            place = self.document.place((*self.way, key), key=True)
            yield self._fault("unknown-key", f"`{key}` is not a key of {self._what()}", hint, place)

    def _missing(self, renamed: set[tuple[Pointer, str]]) -> Iterator[Diagnostic]:
        known: dict[str, Any] = {}
        for _, each in self.above():
            known |= each.get("properties", {})
        for key in self.rule:
            if key not in self.value and (self.way, key) not in renamed:
                about = known.get(key, {}).get("description", "")
                hint = f"add `{key}:` {about}".strip()
                yield self._fault("missing-key", f"`{key}` is missing in {self._what()}", hint)

    def _not_in_vocabulary(self) -> Diagnostic:
        value, values = str(self.value), _values(self.schema)
        described = list(self.vocabulary().get("else", {}).get("properties", ()))
        if value in described:
            hint = f"write it as a key, on a line of its own and indented: `{value}: …`"
            return self._fault("vocabulary", f"`{value}` needs a description", hint)
        message = f"`{_short(value)}` {self._cannot()}" if value else f"{self._what()} is empty"
        named = [each for each in values if each in value and not any(each in one != each for one in values)]
        if len(named) > 1:
            return self._fault("vocabulary", message, f"write one of {_listed(named)}: {self.belongs()}")
        listed = [*(f"`{each}`" for each in values), *(f"`{each}:` with a description" for each in described)]
        return self._fault(
            "vocabulary",
            message,
            did_you_mean(value, [*values, *described]) or f"one of: {', '.join(listed)}",
        )

    def _mistyped(self) -> Diagnostic:
        rule, value = self.rule, self.value
        wanted = [rule] if isinstance(rule, str) else rule
        shapes = " or ".join(dict.fromkeys(_SHAPES[one] for one in wanted if one != "integer"))
        message = f"{self._what()} should be {shapes}, but is {_shape(value)}"
        several = isinstance(value, list) and _values(self.schema.get("then", {}))
        hint = self.belongs() if several else _type_hint(value, wanted, texts=self._holds_texts())
        return self._fault("schema", message, hint)

    def _holds_texts(self) -> bool:
        """Whether the value would be a list of texts."""
        items = self.schemas.resolve(self.schema.get("items", {}))[1]
        return items.get("type") == "string"

    def _right(self) -> str:
        """The nearest right value for a text that has the wrong form, or what the form is."""
        value = str(self.value)
        if len(value) > _LONGEST:
            return str(self.schema.get("description", ""))
        if value != value.strip() and re.search(str(self.schema.get("pattern", "")), value.strip()):
            return f"write `{value.strip()}` on the line of its key, with nothing behind it"
        if (
            self.schema.get("title") in ("Record ID", "Source ID")
            and split(value)[0]
            and (is_reference(value) or is_source_id(value))
        ):
            own = f"only the system's own stand here; cite `{value}` in a text"
            return own if is_source_id(value) else f"{own}, or under `see:` in a cell"
        near = ""
        if self.schema.get("title") in ("Record ID", "Owner", "Source ID"):
            meant = [each.id for each in near_misses(value) if (each.start, each.end) == (0, len(value))]
            near = did_you_mean(value, [each for each in meant if each != value], 0)
        if self.schema.get("title") == "Owner":
            near = did_you_mean(value, OWN_RECORDS) or near
        return near or str(self.schema.get("description", ""))

    def _too_few(self) -> Diagnostic:
        least, count = self.rule, len(self.value)
        message = f"{self._what()} is an empty list"
        if count:
            message = f"{self._what()} has {count} item{'' if count == 1 else 's'}, and should have {least} at least"
        return self._fault("schema", message, self.belongs() or "list at least one")

    def _twice(self) -> Diagnostic:
        items = self.value
        written = [json.dumps(each, sort_keys=True) for each in items]
        first = {one: number for number, one in reversed([*enumerate(written)])}
        number = next(number for number, one in enumerate(written) if first[one] < number)
        place = self.document.place((*self.way, number))
        message = f"`{_short(items[number])}` stands twice in {self._what()}"
        return self._fault("schema", message, "write it once", place)

    def _not_here(self) -> Diagnostic:
        """A key that the schema knows and that does not go with another one. The validator does not tell which."""
        item: Any = self.document.value
        for step in self.way:
            item = item[step]
        key = next((each for each in item if item[each] is self.value), "") if isinstance(item, dict) else ""
        place = self.document.place((*self.way, key), key=True)
        whose = {"records": "withheld", "sections": "published"}.get(key)
        hint = f"remove it; only a {whose} member has it" if whose else "remove it"
        return self._fault("unknown-key", f"`{key}` does not belong here", hint, place)


def _values(schema: Schema) -> list[str]:
    return [str(each) for each in schema.get("enum", ())]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _shape(value: Any) -> str:
    if isinstance(value, str):
        return "text" if value else "empty"
    return "a list" if isinstance(value, list) else "a mapping"


def _type_hint(value: Any, wanted: Sequence[str], *, texts: bool) -> str:
    if "string" in wanted and isinstance(value, dict):
        return "if this is meant as text, put it in double quotes: `: ` and `{` mean something to YAML"
    if "string" in wanted and isinstance(value, list):
        return "if this is meant as text, put it in double quotes: `[` and a leading `- ` mean something to YAML"
    if "array" in wanted and texts and isinstance(value, str) and re.fullmatch(r"[^\n\[\]{}'\":#]{1,60}", value):
        return f"put it in brackets: `[{value}]`"
    if "array" in wanted:
        return "write each item on a line of its own behind `- `"
    return "write `key: value` lines, indented under it" if "object" in wanted else ""


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "…"
