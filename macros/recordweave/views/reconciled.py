"""What the reports say of a record's standing: what supersedes it, what it supersedes, and how it is amended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from recordweave.records.ids import kind_of
from recordweave.records.model import TABLES, Row
from recordweave.records.values import Plain
from recordweave.views.layouts import LAYOUTS
from recordweave.views.tables import Part
from recordweave.views.view import View, render

WHOLE = "as a whole"


@dataclass(frozen=True, slots=True)
class Told:
    """Records in a sentence, each a link with its label, and the row that tells of them."""

    records: Sequence[tuple[Markup, str]]
    by: Markup
    others: Sequence[tuple[Markup, str]] = ()


def superseded(view: View, record_id: str) -> Told | None:
    """What takes a record's place; nothing where the record stands."""
    row = view.collection.superseded_in(record_id)
    return Told(_records(view, row.ids("by")), _by(view, row)) if row else None


def supersedes(view: View, record_id: str) -> list[Told]:
    """The records whose place a record takes, each with the other successors that take it together with this one."""
    return [
        Told(
            _records(view, row.owners),
            _by(view, row),
            _records(view, [one for one in row.ids("by") if one != record_id]),
        )
        for row in view.collection.supersessions_by(record_id)
    ]


def _records(view: View, ids: Sequence[str]) -> list[tuple[Markup, str]]:
    return [(view.reference(one), view.collection.label(one)) for one in ids]


def _by(view: View, row: Row) -> Markup:
    """The row as its report names it, a link to where it stands."""
    member = view.collection.system.member(row.member)
    assert member is not None
    words = f"{member.title}, {LAYOUTS[row.table].title}, row {row.number}"
    href = view.address(row)
    return Markup('<a href="{}">{}</a>').format(href, words) if href else escape(words)


def amended(view: View, record_id: str) -> dict[str, tuple[str, str]]:
    """The fields of a record that are amended, by key: the name of each and where the page tells of it.

    An amendment that names no field is about the record as a whole, and has an empty key.
    """
    found: dict[str, tuple[str, str]] = {}
    for row in view.collection.amendments_of(record_id):
        found.setdefault(_field(row), (_field(named(view, row)) or WHOLE, f"#{row.anchor}"))
    return found


def marks(view: View, record_id: str) -> dict[str, Markup]:
    """What stands beside each field that is amended, by key."""
    mark = Markup('<a class="rw-amended" href="{}">amended: see below</a>')
    return {key: mark.format(href) for key, (_, href) in amended(view, record_id).items() if key}


def amendments(view: View, record_id: str) -> Markup:
    """The amendments of a record as its page shows them; empty where there are none."""
    rows = view.collection.amendments_of(record_id)
    told = [(row.anchor, _by(view, row), _parts(view, named(view, row))) for row in rows]
    return render("amendments.html.j2", amendments=told)


def _parts(view: View, row: Row) -> list[Part]:
    parts = []
    for field in row.fields:
        title, html, help_ = view.named(field, row)
        if field.key in TABLES[row.table]:
            html = view.value(field.value, row, labelled=True)
        if field.key != "record":
            parts.append(Part(field.key, title, html, help_, ""))
    return parts


def subject(view: View, row: Row) -> list[Markup]:
    """What an amendment is about, where other records tell of it: the record and the field."""
    field = _field(named(view, row))
    return [*(view.reference(one) for one in row.owners), *([escape(field)] if field else [])]


def named(view: View, row: Row) -> Row:
    """An amendment as readers see it: the field has its title in the place of its key."""
    fields = view.collection.analysis.record_fields.get(kind_of(row.owners[0]).stem, {})
    key = _field(row)
    told = (replace(each, value=Plain(fields.get(key, key))) if each.key == "field" else each for each in row.fields)
    return replace(row, fields=tuple(told))


def _field(row: Row) -> str:
    value = row.value("field")
    return value.text if isinstance(value, Plain) else ""
