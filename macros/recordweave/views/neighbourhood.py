"""A picture of what a record has to do with: what comes to it on the left, what it leads to on the right.

It is laid out here: three columns need no engine, and there is one such picture for every record.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from markupsafe import Markup

from recordweave.records.ties import ACTS_ON, HELD_AGAINST, PART_OF, Tie
from recordweave.views.view import View, render

_WIDTH, _LETTER, _GAP, _SPACE, _LINE, _EDGE = 230.0, 7.6, 56.0, 10.0, 15.0, 10.0
_LETTERS = 34
"""How many letters of the second line of a box fit into its least width. An ID always stands on one line."""

_INTO = {ACTS_ON: "acts on it", PART_OF: "part of it", HELD_AGAINST: "held against it"}
_OUT_OF = {ACTS_ON: "it acts on", PART_OF: "it is part of", HELD_AGAINST: "it is held against"}


@dataclass(frozen=True, slots=True)
class Node:
    """A box: the record in it, the words under its ID, and its place and size in pixels."""

    reference: Markup
    words: str
    left: float
    top: float
    height: float

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def neighbourhood(view: View, record_id: str) -> Markup:
    """The picture for a record; nothing where it has no ties."""
    ties = view.ties.of(record_id) if view.ties else ()
    into = [(each.start, _words(_INTO, each)) for each in ties if each.end == record_id]
    out_of = [(each.end, _words(_OUT_OF, each)) for each in ties if each.start == record_id]
    if not into and not out_of:
        return Markup("")
    columns = [column for column in (into, [(record_id, view.collection.label(record_id))], out_of) if column]
    height = max(_height(column) for column in columns)
    width = max(_WIDTH, *(_LETTER * len(one) + 2 * _EDGE for column in columns for one, _ in column))
    lefts = [number * (width + _GAP) for number in range(len(columns))]
    placed = [_column(view, column, left, height, record_id) for left, column in zip(lefts, columns, strict=True)]
    own = placed[1 if into else 0]
    paths = [_path(start, end, width) for start in (placed[0] if into else ()) for end in own]
    paths += [_path(start, end, width) for start in own for end in (placed[-1] if out_of else ())]
    told = {
        "nodes": [node for column in placed for node in column],
        "own": own[0],
        "paths": paths,
        "width": lefts[-1] + width,
        "height": height,
        "box": width,
        "label": f"What {record_id} has to do with: {len(into)} to it, {len(out_of)} from it",
    }
    return render("neighbourhood.html.j2", **told)


def _words(names: dict[str, str], tie: Tie) -> str:
    return ": ".join(each for each in (names[tie.how], ", ".join(tie.functions)) if each)


def _box(words: str) -> float:
    return _EDGE + _LINE * (1 + ceil(len(words) / _LETTERS))


def _height(column: Sequence[tuple[str, str]]) -> float:
    return sum(_box(words) for _, words in column) + _SPACE * (len(column) - 1)


def _column(view: View, column: Sequence[tuple[str, str]], left: float, height: float, own: str) -> list[Node]:
    top = (height - _height(column)) / 2
    nodes = []
    for one, words in column:
        shown = Markup("<b>{}</b>").format(one) if one == own else view.reference(one)
        nodes.append(Node(shown, words, left, top, _box(words)))
        top += nodes[-1].height + _SPACE
    return nodes


def _path(start: Node, end: Node, width: float) -> str:
    x, to = start.left + width, end.left
    middle = (x + to) / 2
    curve = f"{middle:.0f} {start.middle:.1f} {middle:.0f} {end.middle:.1f} {to:.0f} {end.middle:.1f}"
    return f"M{x:.0f} {start.middle:.1f} C{curve}"
