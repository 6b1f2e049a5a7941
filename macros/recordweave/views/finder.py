"""Every record of every system in one list, made to be searched by ID or by word, and as results of the search."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from recordweave.records.ids import kind_of
from recordweave.views.links import OVERVIEW, record_page
from recordweave.views.pages import record_title
from recordweave.views.view import View, render


@dataclass(frozen=True, slots=True)
class Found:
    """What a system adds to the list: its rows, and how many they are."""

    rows: Markup
    count: int


def finder(systems: Sequence[Found]) -> Markup:
    """The list, system by system and kind by kind."""
    rows = Markup("\n").join(each.rows for each in systems if each.count)
    return render("finder.html.j2", rows=rows, count=sum(each.count for each in systems))


def found_in(view: View) -> Found:
    """The records of a system."""
    collection = view.collection
    told = []
    for record_id in collection.ids:
        declared, member = collection.record(record_id), collection.member_of(record_id)
        told.append(
            {
                "reference": view.reference(record_id),
                "label": collection.label(record_id),
                "kind": kind_of(record_id).singular,
                "member": (member.title if member else "") + ("" if declared else " (withheld)"),
                "statuses": view.statuses(declared.status) if declared else "",
            }
        )
    rows = render("finder_rows.html.j2", records=told, system=collection.system, href=view.links(OVERVIEW))
    return Found(rows, len(told))


def search_results(view: View) -> list[dict[str, str]]:
    """Each record as the search's index has a page: its address, its title, and what it is, all of it as HTML."""
    return [
        {
            "location": view.links(record_page(record_id)),
            "title": str(escape(record_title(view.collection, record_id))),
            "text": str(escape(f"{kind_of(record_id).singular} of {view.collection.system.label}")),
        }
        for record_id in view.collection.ids
    ]
