"""The tables of a report as HTML: coverage, object inventory, ledger, claim comparison, integration issues."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from recordweave.records.model import TABLES, Row
from recordweave.records.values import Cell, Field
from recordweave.views.facets import FACETS, matrix, values
from recordweave.views.layouts import LAYOUTS, Column
from recordweave.views.view import View, render


@dataclass(frozen=True, slots=True)
class Part:
    """One field in a cell: its name, its value, and its anchor if cited; `bare` where the column has the name too."""

    key: str
    title: str
    html: Markup
    help: str
    anchor: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of the page: the heading of its column, and the fields in it."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of the page."""

    anchor: str
    number: int
    cells: tuple[CellView, ...]
    more: tuple[Part, ...]
    values: Mapping[str, Sequence[str]]


def table(view: View, name: str, rows: Sequence[Row]) -> Markup:
    """A table with the rows given, in their order; without rows, a sentence that says so."""
    layout = LAYOUTS[name]
    if not rows:
        return Markup('<p class="rw-none">no rows in this member</p>')
    keys = {field.key for row in rows for field in row.fields}
    columns = [column for column in layout.columns if keys & set(column.keys)]
    views = [_row(view, row, columns, layout.more) for row in rows]
    whole = sum(column.share for column in columns)
    widths = [f"{100 * column.share / whole:.1f}%" for column in columns]
    fields = {field.key: field.title for row in rows for field in row.fields}
    html = render(
        "table.html.j2",
        name=name,
        anchor=f"{rows[0].member}-{name}",
        title=layout.title,
        columns=columns,
        widths=widths,
        rows=views,
        facets=FACETS.get(name),
        fields=fields,
        lists=TABLES[name],
    )
    return matrix(view, rows) + "\n" + html if name == "ledger" else html


def field_anchor(anchor: str, key: str) -> str:
    """The anchor of one field of a record or row."""
    return f"{anchor}--{key.replace('_', '-')}"


def _row(view: View, row: Row, columns: Sequence[Column], more: Sequence[str]) -> RowView:
    fields = {field.key: field for field in row.fields}
    cited = view.collection.citing(row)
    about = TABLES[row.table]

    folded = ("mismatch",) if _folds_mismatch(columns, fields) else ()

    def part(key: str, column: str = "", *, alone: bool = False) -> Part:
        field = fields[key]
        title, html, help_ = view.named(field, row)
        if key in about:
            html = view.value(field.value, row, labelled=True)
        anchor = field_anchor(row.anchor, key) if key in cited else ""
        return Part(key, title, html, help_, anchor, alone or title == column)

    cells = []
    for column in columns:
        keys = [key for key in column.keys if key in fields and key not in folded]
        alone = len(column.keys) == 1
        parts = tuple(part(key, column.title, alone=alone or key in about[:1]) for key in keys)
        cells.append(CellView(column.title, parts))
    hidden = tuple(part(key) for key in (*more, *folded) if key in fields)
    return RowView(row.anchor, row.number, tuple(cells), hidden, values(view, row))


def _is_none(field: Field) -> bool:
    return isinstance(field.value, Cell) and field.value.markdown == "none" and not field.value.see


def _folds_mismatch(columns: Sequence[Column], fields: dict[str, Field]) -> bool:
    """Whether a mismatch marker that says `none` goes below the row, where it takes no room in the column."""
    shared = any("mismatch" in column.keys and len(column.keys) > 1 for column in columns)
    return shared and "mismatch" in fields and _is_none(fields["mismatch"])
