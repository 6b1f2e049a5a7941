"""The page that lists a system's ledger rows by their controlled values, and its records by their statuses.

For each value it holds exactly what a number elsewhere counts.
"""

from collections.abc import Sequence

from markupsafe import Markup, escape

from recordweave.records.model import Entry, Record, Row
from recordweave.records.values import Term
from recordweave.views.blocks import Block, Heading, PageView
from recordweave.views.layouts import LAYOUTS
from recordweave.views.measures import LEDGER, MEASURES, Measure
from recordweave.views.pages import gist, record_list
from recordweave.views.view import View, render


def values_page(view: View) -> PageView:
    """Every ledger row and record of a system under its controlled values."""
    collection = view.collection
    label = collection.system.label
    lead = Markup("<p>{}</p>").format(
        f"The rows of the ledger and the declared records of {label} under each controlled value that they have."
    )
    blocks = [Block(lead, Heading(1, "by-value", Markup("By value"), "By value"))]
    for measure in MEASURES.values():
        found = measure.by_value(collection)
        vocabulary = collection.analysis.vocabularies[measure.vocabulary]
        none = Markup("" if found else '<p class="rw-none">{}</p>').format(f"no {measure.counted} with such a value")
        blocks.append(Block(none, Heading(2, measure.name, escape(measure.title), measure.title)))
        blocks.extend(_value(view, measure, key, found[key]) for key in measure.order(found, vocabulary))
    return PageView("By value", f"Ledger rows and records of {label} by controlled value", tuple(blocks))


def _value(view: View, measure: Measure, key: tuple[str, str], entries: Sequence[Entry]) -> Block:
    layer, value = key
    name = f"{layer}: {value}" if layer else value
    term = view.term(Term(measure.vocabulary, value))
    title = Markup("{}: {}").format(layer, term) if layer else term
    count = Markup(' <span class="rw-count">{}</span>').format(len(entries))
    records = [entry.id for entry in entries if isinstance(entry, Record)]
    rows = [entry for entry in entries if isinstance(entry, Row)]
    html = record_list(view, f"{name}: {measure.counted}", records) if records else _rows(view, rows)
    return Block(html, Heading(3, measure.anchor(key), title + count, name))


def _rows(view: View, rows: Sequence[Row]) -> Markup:
    members = {row.member for row in view.collection.analysis.rows if row.table == LEDGER}
    told = []
    for row in rows:
        member = view.collection.system.member(row.member)
        by = f"{member.title}, " if member and len(members) > 1 else ""
        told.append(
            {
                "href": view.address(row),
                "title": f"{by}{LAYOUTS[row.table].title}, row {row.number}",
                "routes": [view.reference(one) for one in row.ids("routes")],
                "objects": [view.reference(one) for one in row.ids("objects")],
                "text": gist(view, row),
            }
        )
    return render("rows_with_value.html.j2", rows=told)
