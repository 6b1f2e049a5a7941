"""Graphs laid out by Graphviz, as data for a template: boxes with their places, and lines as paths of an SVG.

Sizes and places are in pixels, from the top left corner; Graphviz counts in inches and points, from the bottom left.
The layout runs inside this process and reads no files.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pygraphviz

_POINTS = 72.0


@dataclass(frozen=True, slots=True)
class Box:
    """A node to be drawn, with its size; `name` is unique in its graph."""

    name: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """An edge to be drawn, from one box to another."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A box with the place of its top left corner."""

    box: Box
    left: float
    top: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph that has been laid out. `paths` are the lines, in the order in which they were given."""

    width: float
    height: float
    boxes: tuple[Placed, ...]
    paths: tuple[str, ...]


def draw(boxes: Sequence[Box], lines: Sequence[Line]) -> Drawing:
    """Lay out a graph in layers, from left to right."""
    graph = pygraphviz.AGraph(directed=True, strict=False, rankdir="LR", nodesep="0.12", ranksep="0.9")
    for box in boxes:
        size = {"width": box.width / _POINTS, "height": box.height / _POINTS}
        graph.add_node(box.name, shape="box", fixedsize="true", label="", **size)
    for number, line in enumerate(lines):
        graph.add_edge(line.start, line.end, key=str(number), arrowhead="none")
    graph.layout(prog="dot")
    _, _, width, height = (float(each) for each in graph.graph_attr["bb"].split(","))
    placed = tuple(_placed(box, graph.get_node(box.name).attr["pos"], height) for box in boxes)
    edges = [graph.get_edge(line.start, line.end, str(number)) for number, line in enumerate(lines)]
    return Drawing(width, height, placed, tuple(_path(each.attr["pos"], height) for each in edges))


def _placed(box: Box, position: str, height: float) -> Placed:
    x, y = (float(each) for each in position.split(","))
    return Placed(box, round(x - box.width / 2, 1), round(height - y - box.height / 2, 1))


def _path(spline: str, height: float) -> str:
    """A spline as Graphviz writes it (a start, then three points for each curve) as the path of an SVG."""
    points = [each.split(",")[-2:] for each in spline.split() if each[0] not in "es"]
    told = [f"{float(x):.1f} {height - float(y):.1f}" for x, y in points]
    return f"M{told[0]} C{' '.join(told[1:])}"
