"""All systems side by side, from their records alone: how many rows and records have which value, and the claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from recordweave.records.ids import KIND_BY_CODE
from recordweave.records.model import Row, Vocabulary
from recordweave.views.links import OVERVIEW, VALUES, Links
from recordweave.views.measures import Measure
from recordweave.views.view import View, render, term_anchor, term_link

COMPARISON = "claim-comparison"
_SUPPORT = ("design", "observed_run", "causal")


@dataclass(frozen=True, slots=True)
class Counted:
    """How much a system has of each value, each a layer (or none) and a term; `total` counts every entry once."""

    name: str
    label: str
    numbers: Mapping[tuple[str, str], int]
    total: int


def counted(view: View, measure: Measure) -> Counted:
    """What there is to count in a system."""
    collection = view.collection
    numbers = {key: len(entries) for key, entries in measure.by_value(collection).items()}
    return Counted(collection.system.name, collection.system.label, numbers, len(measure.entries(collection)))


def counts(systems: Sequence[Counted], links: Links, glossary: str, measure: Measure, vocabulary: Vocabulary) -> Markup:
    """A table of values and systems; each number links to exactly the rows or records that it counts."""
    keys = {key for each in systems for key in each.numbers}
    layers = {layer for layer, _ in keys}
    if layers <= {""}:
        keys |= {("", value) for value in vocabulary.meanings}
    rows = []
    for layer, value in measure.order(sorted(keys), vocabulary):
        numbers = [each.numbers.get((layer, value), 0) for each in systems]
        hrefs = [links.on(each.name, VALUES, measure.anchor((layer, value))) for each in systems]
        meaning = vocabulary.meanings.get(value, "")
        href = links.on("", glossary, term_anchor(measure.vocabulary, value)) if meaning else ""
        term = term_link(value, href, meaning)
        rows.append(
            {"layer": layer, "term": term, "cells": list(zip(hrefs, numbers, strict=True)), "sum": sum(numbers)}
        )
    totals = [each.total for each in systems]
    named = [(each.label, links.on(each.name, OVERVIEW)) for each in systems]
    return render("compare.html.j2", measure=measure, systems=named, rows=rows, totals=totals)


def claims(told: Sequence[Sequence[Mapping[str, Any]]]) -> Markup:
    """The claims of all systems beside what supports them."""
    return render("claims.html.j2", claims=[claim for each in told for claim in each])


def claims_of(view: View) -> list[dict[str, Any]]:
    """The claims of a system: those that a report compares with its routes, and then the others."""
    collection = view.collection
    compared = [row for row in collection.analysis.rows if row.table == COMPARISON]
    named = {one for row in compared for one in row.ids("claim")}
    rows = [_compared(view, row) for row in compared]
    rest = [one for one in collection.of_kind(KIND_BY_CODE["CLM"]) if one not in named]
    system = {"system": collection.system.label, "system_href": view.links(OVERVIEW)}
    return [system | each for each in (*rows, *(_claim(view, one) for one in rest))]


def _claim(view: View, record_id: str) -> dict[str, Any]:
    return {"claim": view.reference(record_id), "label": view.collection.label(record_id), "href": ""}


def _compared(view: View, row: Row) -> dict[str, Any]:
    claim = row.ids("claim")[0]
    fields = {field.key: view.named(field, row) for field in row.fields}
    return _claim(view, claim) | {
        "href": view.address(row),
        "routes": [(view.reference(one), view.collection.label(one)) for one in row.ids("routes")],
        "support": [fields[key][:2] for key in _SUPPORT if key in fields],
        "conclusion": fields["conclusion"][1],
        "mismatch": fields["mismatch"][1],
    }
