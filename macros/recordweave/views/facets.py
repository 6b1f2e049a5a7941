"""What the rows of a table can be filtered and grouped by, and how routes and functions meet in a matrix."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from recordweave.records.model import Row
from recordweave.records.values import Cell, Term
from recordweave.views.measures import MEASURES
from recordweave.views.view import View, render

FACETS: dict[str, dict[str, str]] = {
    "ledger": {
        "function": "Function",
        "status": "Status",
        "relation": "Relation",
        "force": "Force",
        "routes": "Route",
        "objects": "Object",
        "claims": "Claim",
        "mismatch": "Mismatch",
    }
}
"""The facets of each table that has any, with their names. All but two are columns; `values` tells of those."""

MARKS = {
    "implemented": "●",
    "observed, implementation uninspected": "◉",
    "doctrine only": "◐",
    "no route found within boundary": "○",
    "not determinable": "?",
}
"""How a matrix marks an architectural status, so that nobody has to tell colours apart."""


def values(view: View, row: Row) -> dict[str, list[str]]:
    """The values of a row in each facet of its table.

    A ledger's `force` is what its authority path and its implemented force say in the words of the vocabulary of
    forces; its `mismatch` is whether there is one.
    """
    found: dict[str, list[str]] = {}
    for facet in FACETS.get(row.table, ()):
        value = row.value(facet)
        if facet == "force":
            found[facet] = _forces(view, row)
        elif facet == "mismatch":
            found[facet] = ["none" if isinstance(value, Cell) and value.markdown == "none" else "a mismatch"]
        else:
            found[facet] = [value.value] if isinstance(value, Term) else list(row.ids(facet))
    return found


def _forces(view: View, row: Row) -> list[str]:
    told = [row.value(key) for key in ("authority_path", "force")]
    text = " ".join(each.markdown for each in told if isinstance(each, Cell))
    known = view.collection.analysis.vocabularies["force"].meanings
    return [force for force in known if re.search(rf"\b{re.escape(force)}\b", text, re.IGNORECASE)]


@dataclass(frozen=True, slots=True)
class Mark:
    """A row where a route meets a function: its anchor and number, its status and the mark of it."""

    anchor: str
    number: int
    status: str
    mark: str


def matrix(view: View, rows: Sequence[Row]) -> Markup:
    """Routes by functions, with a mark for the status of each row that stands where they meet."""
    measure = MEASURES["function"]
    functions = measure.order(
        (key for row in rows for key in measure.keys(row)), view.collection.analysis.vocabularies[measure.vocabulary]
    )
    routes = dict.fromkeys(one for row in rows for one in row.ids("routes"))
    cells: dict[tuple[str, str], list[Mark]] = {}
    for row in rows:
        status = row.value("status")
        told = status.value if isinstance(status, Term) else ""
        for _, function in measure.keys(row):
            for route in row.ids("routes"):
                mark = Mark(row.anchor, row.number, told, MARKS.get(told, "●"))
                cells.setdefault((route, function), []).append(mark)
    statuses = [each.status for marks in cells.values() for each in marks]
    return render(
        "matrix.html.j2",
        functions=[(view.term(Term(measure.vocabulary, name)), name) for _, name in functions],
        routes=[(view.reference(one), view.collection.label(one), one) for one in routes],
        cells=cells,
        legend=[(mark, status) for status, mark in MARKS.items() if status in statuses],
    )
