"""Where a record is cited, as a reader follows it: the page, the very place on it, and the words around it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from recordweave.records.collection import EntryCitation
from recordweave.records.model import Annotation, Entry, Record, Row, SystemPart
from recordweave.records.text import plain, sentence_around
from recordweave.records.values import Cell, Term, Text, Value
from recordweave.views.layouts import GIST, LAYOUTS
from recordweave.views.links import OVERVIEW, record_page
from recordweave.views.tables import field_anchor
from recordweave.views.view import View


@dataclass(frozen=True, slots=True)
class CitedAt:
    """One place that cites a record: its page and anchor, what stands there, and the words around the mention."""

    page: str
    anchor: str
    where: str
    sentence: str


def cited_at(view: View, record_id: str) -> list[CitedAt]:
    """Every place that cites a record: in prose first, then in records, rows and annotations, in their order."""
    prose = [CitedAt(each.page, each.anchor, each.heading, each.sentence) for each in view.prose_citations(record_id)]
    return prose + [_entry_place(view, each) for each in view.collection.citations(record_id)]


def cited_elsewhere(view: View, record_id: str) -> Iterator[tuple[str, list[tuple[str, str, Markup]]]]:
    """The places in other systems that cite a record, grouped like those `by_page`, with the system's name first."""
    reference = f"{view.collection.system.name}:{record_id}"
    for other in view.others:
        for page, places in by_page(other, cited_at(other, reference)):
            yield f"{other.collection.system.label} · {page}", places


def by_page(view: View, places: list[CitedAt]) -> Iterator[tuple[str, list[tuple[str, str, Markup]]]]:
    """Places grouped by page: the page's title, and for each place its address, its name, and the words around it."""
    order = list(dict.fromkeys(place.page for place in places))
    for page, group in groupby(sorted(places, key=lambda each: order.index(each.page)), key=lambda each: each.page):
        told = [(view.links(page, each.anchor), each.where, escape(each.sentence)) for each in group]
        yield view.titles.get(page, page), told


def _entry_place(view: View, citation: EntryCitation) -> CitedAt:
    entry = citation.entry
    match entry:
        case Record():
            anchor, what, home = entry.anchor, f"{entry.id} · {citation.title}", record_page(entry.id)
        case Row():
            anchor, home = entry.anchor, record_page(entry.owners[0]) if entry.owners else "index"
            what = f"{LAYOUTS[entry.table].title}, row {entry.number} · {citation.title}"
        case SystemPart():
            anchor, home, what = entry.anchor, OVERVIEW, f"{entry.title} · {citation.title}"
        case Annotation():
            anchor, home, what = entry.anchor, record_page(entry.on), f"Annotation on {entry.on}"
            if citation.field != "on":
                what += f" · {citation.title}"
        case _:
            raise TypeError(f"not a record, row or annotation: {entry!r}")
    page = view.shown.get((entry.member, anchor))
    sentence = citation.sentence or _summary(entry)
    whole = citation.field == "on" or isinstance(entry, SystemPart)
    at = anchor if whole else field_anchor(anchor, citation.field)
    return CitedAt(page, at, what, sentence) if page else CitedAt(home, "", what, sentence)


def _summary(entry: Entry) -> str:
    """A row, record or annotation in a few words, where an ID stands as data and has no sentence around it."""
    match entry:
        case Record():
            return entry.label
        case Row():
            function = entry.value("function")
            words = [
                function.value if isinstance(function, Term) else "",
                plain(_markdown(entry.value(GIST[entry.table]))),
            ]
            return ": ".join(each for each in words if each)
        case _:
            return sentence_around(plain(entry.markdown("body")), 0)


def _markdown(value: Value | None) -> str:
    return value.markdown if isinstance(value, Text | Cell) else ""
