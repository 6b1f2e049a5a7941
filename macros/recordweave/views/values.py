"""Ledger rows by their controlled values, and records by their conclusion statuses: what comparisons count.

A `Measure` says what is counted and by what. The page of values of a system lists, for each value, exactly what a
number elsewhere counts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from recordweave.records.collection import Collection
from recordweave.records.model import Entry, Record, Row, Vocabulary, slug
from recordweave.records.values import Term
from recordweave.views.blocks import Block, Heading, PageView
from recordweave.views.layouts import GIST, LAYOUTS
from recordweave.views.pages import record_list
from recordweave.views.view import View, render

LEDGER = "ledger"


@dataclass(frozen=True, slots=True)
class Measure:
    """What is counted, by which vocabulary; `keys` gives the values of an entry, each a layer (or none) and a term."""

    name: str
    title: str
    vocabulary: str
    counted: str
    entries: Callable[[Collection], Sequence[Entry]]
    keys: Callable[[Entry], Sequence[tuple[str, str]]]

    def by_value(self, collection: Collection) -> dict[tuple[str, str], list[Entry]]:
        """The entries of a system by value, in their order."""
        found: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries(collection):
            for key in self.keys(entry):
                found.setdefault(key, []).append(entry)
        return found

    def order(self, keys: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> list[tuple[str, str]]:
        """Values by their layers as these come, and within a layer as the vocabulary has them."""
        known = list(dict.fromkeys(keys))
        layers, terms = list(dict.fromkeys(layer for layer, _ in known)), list(vocabulary.meanings)
        return sorted(known, key=lambda key: (layers.index(key[0]), terms.index(key[1])))

    def anchor(self, key: tuple[str, str]) -> str:
        """The anchor of a value on the page of values."""
        return slug(" ".join((self.name, *key)))


def _ledger(collection: Collection) -> Sequence[Entry]:
    return [row for row in collection.analysis.rows if row.table == LEDGER]


def _column(name: str) -> Callable[[Entry], Sequence[tuple[str, str]]]:
    def keys(entry: Entry) -> Sequence[tuple[str, str]]:
        value = entry.value(name)
        return [("", value.value)] if isinstance(value, Term) else []

    return keys


def _statuses(entry: Entry) -> Sequence[tuple[str, str]]:
    return list(entry.status.items()) if isinstance(entry, Record) else []


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("function", "Route function", "route_function", "ledger rows", _ledger, _column("function")),
        Measure("status", "Architectural status", "architectural_status", "ledger rows", _ledger, _column("status")),
        Measure("relation", "Content relation", "content_relation", "ledger rows", _ledger, _column("relation")),
        Measure(
            "conclusion",
            "Conclusion status",
            "conclusion_status",
            "records",
            lambda collection: collection.records,
            _statuses,
        ),
    )
}
"""What can be compared, by name."""


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
    members = {row.member for row in _ledger(view.collection)}
    told = []
    for row in rows:
        page = view.shown.get((row.member, row.anchor))
        member = view.collection.system.member(row.member)
        by = f"{member.title}, " if member and len(members) > 1 else ""
        gist = row.value(GIST[row.table])
        told.append(
            {
                "href": view.links(page, row.anchor) if page else "",
                "title": f"{by}{LAYOUTS[row.table].title}, row {row.number}",
                "routes": [view.reference(one) for one in row.ids("routes")],
                "objects": [view.reference(one) for one in row.ids("objects")],
                "text": view.value(gist, row) if gist else "",
            }
        )
    return render("rows_with_value.html.j2", rows=told)
