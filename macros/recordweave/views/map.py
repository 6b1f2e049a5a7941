"""The map of a system: its routes and objects, and how the ledger connects them; and the same as a table."""

from collections.abc import Sequence
from math import ceil

from markupsafe import Markup

from recordweave.records.ids import kind_of
from recordweave.records.ties import ACTS_ON, Tie
from recordweave.views.blocks import Block, Heading, PageView
from recordweave.views.drawing import Box, Line, draw
from recordweave.views.view import View, render

_LETTER, _LINE, _EDGE, _LEAST = 7.4, 15.0, 16.0, 120.0
"""The width of a letter of an ID, the height of a line, and the room around them, in pixels."""


def map_page(view: View) -> PageView:
    """The picture with the records as links, and below it a table that says the same."""
    label = view.collection.system.label
    title = Heading(1, "map", Markup("Map"), "Map")
    acting = [tie for tie in view.ties.all if tie.how == ACTS_ON] if view.ties else []
    if not acting:
        none = Markup('<p class="rw-none">{}</p>').format(f"No published report on {label} has a ledger to draw.")
        return PageView("Map", f"Routes and objects of {label}", (Block(none, title),))
    return PageView(
        "Map", f"Routes and objects of {label}", (Block(_drawing(view, acting), title), Block(_table(view, acting)))
    )


def _drawing(view: View, acting: Sequence[Tie]) -> Markup:
    ids = dict.fromkeys(one for tie in acting for one in (tie.start, tie.end))
    drawing = draw([_box(view, one) for one in ids], [Line(tie.start, tie.end) for tie in acting])
    nodes = [
        {
            "placed": placed,
            "reference": view.reference(placed.box.name),
            "label": view.collection.label(placed.box.name),
            "kind": kind_of(placed.box.name).stem,
        }
        for placed in drawing.boxes
    ]
    lines = [
        {"path": path, "start": tie.start, "end": tie.end, "functions": tie.functions}
        for path, tie in zip(drawing.paths, acting, strict=True)
    ]
    return render("map.html.j2", drawing=drawing, nodes=nodes, lines=lines)


def _box(view: View, record_id: str) -> Box:
    width = max(_LEAST, _EDGE + _LETTER * len(record_id))
    label = view.collection.label(record_id)
    lines = 1 + (ceil(len(label) * (_LETTER - 0.6) / (width - _EDGE)) if label else 0)
    return Box(record_id, width, _LINE * lines + _EDGE / 2)


def _table(view: View, acting: Sequence[Tie]) -> Markup:
    rows = [
        {
            "route": view.reference(route),
            "label": view.collection.label(route),
            "objects": [(view.reference(tie.end), tie.functions) for tie in acting if tie.start == route],
        }
        for route in dict.fromkeys(tie.start for tie in acting)
    ]
    return render("map_table.html.j2", rows=rows)
