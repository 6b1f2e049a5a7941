"""Every record of every system in one list, made to be searched by ID or by word, and as results of the search."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup, escape

from recordweave.records.ids import kind_of
from recordweave.views.links import OVERVIEW, record_page
from recordweave.views.pages import record_title
from recordweave.views.view import View, render


def finder(views: Sequence[View]) -> Markup:
    """The list, system by system and kind by kind."""
    return render("finder.html.j2", records=[each for view in views for each in _records(view)])


def search_results(views: Sequence[View]) -> list[dict[str, str]]:
    """Each record as the search's index has a page: its address, its title, and what it is, all of it as HTML."""
    return [
        {
            "location": view.links(record_page(record_id)),
            "title": str(escape(record_title(view.collection, record_id))),
            "text": str(escape(f"{kind_of(record_id).singular} of {view.collection.system.label}")),
        }
        for view in views
        for record_id in view.collection.ids
    ]


def _records(view: View) -> Iterator[dict[str, Any]]:
    collection = view.collection
    for record_id in collection.ids:
        declared, member = collection.record(record_id), collection.member_of(record_id)
        yield {
            "reference": view.reference(record_id),
            "label": collection.label(record_id),
            "kind": kind_of(record_id).singular,
            "name": collection.system.name,
            "system": collection.system.label,
            "system_href": view.links(OVERVIEW),
            "member": (member.title if member else "") + ("" if declared else " (withheld)"),
            "statuses": view.statuses(declared.status) if declared else "",
        }
