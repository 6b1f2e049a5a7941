"""All systems side by side, from their records alone: how many rows and records have which value, and the claims."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from recordweave.records.ids import KIND_BY_CODE
from recordweave.records.model import Row, Vocabulary
from recordweave.records.values import Term
from recordweave.views.links import OVERVIEW, VALUES
from recordweave.views.measures import Measure
from recordweave.views.view import View, render

COMPARISON = "claim-comparison"
_SUPPORT = ("design", "observed_run", "causal")


def counts(views: Sequence[View], measure: Measure, vocabulary: Vocabulary) -> Markup:
    """A table of values and systems; each number links to exactly the rows or records that it counts."""
    found = [measure.by_value(view.collection) for view in views]
    keys = {key for each in found for key in each}
    layers = {layer for layer, _ in keys}
    if layers <= {""}:
        keys |= {("", value) for value in vocabulary.meanings}
    rows = []
    for layer, value in measure.order(sorted(keys), vocabulary):
        numbers = [len(each.get((layer, value), ())) for each in found]
        hrefs = [view.links(VALUES, measure.anchor((layer, value))) for view in views]
        term = views[0].term(Term(measure.vocabulary, value)) if views else value
        rows.append(
            {"layer": layer, "term": term, "cells": list(zip(hrefs, numbers, strict=True)), "sum": sum(numbers)}
        )
    totals = [len(measure.entries(view.collection)) for view in views]
    systems = [(view.collection.system.label, view.links(OVERVIEW)) for view in views]
    return render("compare.html.j2", measure=measure, systems=systems, rows=rows, totals=totals)


def claims(views: Sequence[View]) -> Markup:
    """The claims of all systems beside what supports them: those that a report compares with its routes, and others."""
    told = [row for view in views for row in _claims(view)]
    return render("claims.html.j2", claims=told)


def _claims(view: View) -> list[dict[str, Any]]:
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
