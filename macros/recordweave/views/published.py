"""A system as data: what `records.json` holds. Its shape is `records.schema.json`."""

from typing import Any

from recordweave.records.addresses import permanent
from recordweave.records.ids import kind_of
from recordweave.records.model import Annotation, Row, Source
from recordweave.records.text import cited
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
    texts,
)
from recordweave.views.links import record_page
from recordweave.views.places import cited_at
from recordweave.views.view import View

_TABLES = {
    "coverage": "coverage",
    "inventory": "inventory",
    "ledger": "ledger",
    "claim-comparison": "claims",
    "integration-issues": "integration_issues",
    "amendments": "amendments",
    "supersessions": "supersessions",
}
_SINGLE = frozenset({"claim", "record"})


def published(view: View) -> dict[str, Any]:
    """Everything of one system, in authored order; addresses are relative to the system's site."""
    collection, system = view.collection, view.collection.system
    return {
        "system": system.name,
        "label": system.label,
        "summary": system.summary,
        **_fields(view, system.fields),
        "sources": [_source(view, source) for source in system.sources],
        "members": [
            {
                "name": member.name,
                "title": member.title,
                "prefix": member.prefix or None,
                "publication": "published" if member.published else "withheld",
                "url": view.links(member.name) if member.published else None,
            }
            for member in system.members
        ],
        "records": [_record(view, record_id) for record_id in collection.ids],
        "tables": {
            key: [_row(view, row) for row in collection.analysis.rows if row.table == table]
            for table, key in _TABLES.items()
        },
        "annotations": [_annotation(view, each) for each in collection.analysis.annotations],
    }


def _source(view: View, source: Source) -> dict[str, Any]:
    return {
        "id": source.id,
        "kind": source.kind,
        "repository": _value(view, source.repository) if source.repository.markdown else None,
        "revision": _value(view, source.revision),
        "url": permanent(source) or None,
        **_fields(view, source.fields),
    }


def _record(view: View, record_id: str) -> dict[str, Any]:
    collection = view.collection
    declared, member = collection.record(record_id), collection.member_of(record_id)
    told: dict[str, Any] = {
        "id": record_id,
        "kind": kind_of(record_id).singular,
        "label": declared.label if declared else None,
        "member": member.name if member else None,
        "declared": declared is not None,
        "aliases": list(declared.aliases) if declared else [],
        "part_of": declared.part_of or None if declared else None,
        "status": declared.status if declared else {},
        "superseded_by": list(collection.superseded_by(record_id)),
        "supersedes": list(dict.fromkeys(one for row in collection.supersessions_by(record_id) for one in row.owners)),
        "url": view.links(record_page(record_id)),
        "cited_by": [
            {
                "url": view.links(each.page, each.anchor),
                "page": view.titles.get(each.page, each.page),
                "where": each.where,
                "text": each.sentence,
            }
            for each in cited_at(view, record_id)
        ],
    }
    return told | (
        {key: value for key, value in _fields(view, declared.fields).items() if key != "status"} if declared else {}
    )


def _annotation(view: View, annotation: Annotation) -> dict[str, Any]:
    return {
        "member": annotation.member,
        "on": annotation.on,
        "url": view.address(annotation) or None,
        **_fields(view, annotation.fields),
    }


def _row(view: View, row: Row) -> dict[str, Any]:
    mentioned = [one.id for field in row.fields for _, text in texts(field.value) for one in cited(text)]
    told = {"member": row.member, "number": row.number, "url": view.address(row) or None, **_fields(view, row.fields)}
    return told | {"cited": list(dict.fromkeys(mentioned))}


def _fields(view: View, fields: tuple[Field, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for field in fields:
        value = _value(view, field.value)
        told[field.key] = value[0] if field.key in _SINGLE else value
        if isinstance(field.value, Term) and field.value.description:
            told[f"{field.key}_description"] = field.value.description
    return told


def _value(view: View, value: Value) -> Any:
    match value:
        case Plain(text) | Text(text):
            return text
        case Term(value=name):
            return name
        case Finding(markdown, uncertainty):
            return {uncertainty: markdown} if uncertainty else markdown
        case Cell(markdown, see, scope):
            return (
                {key: each for key, each in (("text", markdown), ("see", list(see)), ("for", scope)) if each}
                if see
                else markdown
            )
        case Ids(ids):
            return list(ids)
        case Evidence():
            return _evidence(view, value)
        case Items(items):
            return [_value(view, each) for each in items]
        case Group(fields):
            return _fields(view, fields)


def _evidence(view: View, place: Evidence) -> dict[str, Any]:
    told = {key: getattr(place, key) for key in Evidence.__slots__ if getattr(place, key)}
    source = view.collection.system.source(place.source)
    address = permanent(source, place) if source else ""
    return told | ({"url": address} if address else {})
