"""Records and annotations as cards on the page of the report that declares them."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from recordweave.records.model import Annotation, Entry, Record
from recordweave.records.values import Group
from recordweave.views.blocks import Block, Heading
from recordweave.views.links import kind_page
from recordweave.views.tables import Part, field_anchor
from recordweave.views.view import View, render

NONE_DECLARED = Markup('<p class="rw-none">none declared in this member</p>')
NO_ANNOTATIONS = Markup('<p class="rw-none">no annotations in this member</p>')


def cards(view: View, records: Sequence[Record], level: int) -> tuple[Block, ...]:
    """A card for each record, under a heading of the given level; without records, a line that says so."""
    if not records:
        return (Block(NONE_DECLARED),)
    return tuple(
        Block(
            card_body(view, record),
            Heading(level, record.anchor, _title(view, record), record.label),
            "rw-card",
        )
        for record in records
    )


def _title(view: View, record: Record) -> Markup:
    return Markup('{} <span class="rw-label">{}</span>').format(view.reference(record.id), record.label)


def card_body(view: View, record: Record) -> Markup:
    """What a card says under its heading."""
    return render(
        "card.html.j2",
        record=record,
        kind_href=view.links(kind_page(record.kind)),
        statuses=view.statuses(record.status),
        part_of=view.reference(record.part_of) if record.part_of else "",
        parts=entry_parts(view, record, record.anchor),
    )


def entry_parts(
    view: View,
    entry: Entry,
    anchor: str,
    *,
    leave_out: Sequence[str] = ("status",),
    marks: Mapping[str, Markup] | None = None,
) -> list[Part]:
    """The fields of a record or annotation, body first, each with an anchor where it cites something.

    `marks` are what stands behind the names of some fields, those in groups as well, by key.
    """
    marks = marks or {}
    cited = view.collection.citing(entry) if anchor else frozenset()
    parts = []
    for field in sorted(entry.fields, key=lambda each: each.key != "body"):
        if field.key in leave_out:
            continue
        title, html, help_ = view.named(field, entry)
        if field.key == "body":
            title, html = "", view.paragraphs(entry.markdown("body"))
        elif isinstance(field.value, Group) and marks.keys() & {each.key for each in field.value.fields}:
            told = ((each.key, *view.named(each, entry)) for each in field.value.fields)
            named = [(_marked(title, marks.get(key)), value, help_) for key, title, value, help_ in told]
            html = render("group.html.j2", fields=named)
        title = _marked(title, marks.get(field.key))
        parts.append(Part(field.key, title, html, help_, field_anchor(anchor, field.key) if field.key in cited else ""))
    return parts


def _marked(title: str, mark: Markup | None) -> str:
    return Markup("{} {}").format(title, mark) if mark else title


def annotation_cards(view: View, annotations: Sequence[Annotation], level: int) -> tuple[Block, ...]:
    """A card for each annotation, in its member's order."""
    if not annotations:
        return (Block(NO_ANNOTATIONS),)
    return tuple(
        Block(
            render("parts.html.j2", parts=entry_parts(view, each, each.anchor)),
            Heading(level, each.anchor, Markup("On {}").format(view.reference(each.on)), f"On {each.on}"),
            "rw-card rw-card--annotation",
        )
        for each in annotations
    )
