"""Whole pages that are made from records alone: a page for each record, an index for each kind, and one of all."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from recordweave.records.collection import Collection
from recordweave.records.ids import KINDS, Kind, address_of, kind_of
from recordweave.records.model import AMENDMENTS, Row
from recordweave.records.values import Term
from recordweave.views.blocks import Block, Heading, PageView
from recordweave.views.cards import entry_parts
from recordweave.views.layouts import GIST, LAYOUTS
from recordweave.views.links import kind_page
from recordweave.views.neighbourhood import neighbourhood
from recordweave.views.places import by_page, cited_at, cited_elsewhere
from recordweave.views.reconciled import amended, amendments, marks, subject, superseded, supersedes
from recordweave.views.view import View, render


def record_title(collection: Collection, record_id: str) -> str:
    """A record page's title: the ID and, where there is one, the label."""
    label = collection.label(record_id)
    return f"{record_id} · {label}" if label else record_id


def record(view: View, record_id: str) -> PageView:
    """The page of a record, declared or withheld: what it is, its fields, and everything that is said about it."""
    label = view.collection.label(record_id)
    title = Markup('<span class="rw-id" style="--rw-chars: {}">{}</span>').format(len(record_id), record_id)
    if label:
        title = Markup('{} <span class="rw-label">{}</span>').format(title, label)
    blocks = [
        Block(_summary(view, record_id), Heading(1, address_of(record_id), title, record_id)),
        *_sections(view, record_id),
        Block(_beside(view, record_id)),
    ]
    description = (
        f"{label}: {kind_of(record_id).singular} of {view.collection.system.label}"
        if label
        else (f"A withheld {kind_of(record_id).singular} of {view.collection.system.label}")
    )
    return PageView(record_title(view.collection, record_id), description, tuple(blocks))


def _beside(view: View, record_id: str) -> Markup:
    """The way to the records before and after this one, among those of its kind."""
    kind = kind_of(record_id)
    ids = view.collection.of_kind(kind)
    at = ids.index(record_id)
    return render(
        "beside.html.j2",
        kind=kind,
        before=view.reference(ids[at - 1]) if at else "",
        after=view.reference(ids[at + 1]) if at + 1 < len(ids) else "",
        position=at + 1,
        number=len(ids),
        href=view.links(kind_page(kind)),
    )


def _summary(view: View, record_id: str) -> Markup:
    collection = view.collection
    declared = collection.record(record_id)
    member = collection.member_of(record_id)
    return render(
        "summary.html.j2",
        kind=kind_of(record_id),
        kind_href=view.links(kind_page(kind_of(record_id))),
        member=member,
        member_href=view.address(declared) if declared else "",
        statuses=view.statuses(declared.status) if declared else "",
        aliases=declared.aliases if declared else (),
        part_of=view.reference(declared.part_of) if declared and declared.part_of else "",
        container=collection.label(declared.part_of) if declared and declared.part_of else "",
        superseded=superseded(view, record_id),
        supersedes=supersedes(view, record_id),
        amended=list(amended(view, record_id).values()),
        withheld=declared is None,
        counts="" if declared else _counts(view, record_id),
        body=view.paragraphs(declared.markdown("body")) if declared else "",
    )


def _counts(view: View, record_id: str) -> str:
    """How much there is to be read of a record that is not declared here."""
    collection = view.collection
    counts = [
        ("part", len(collection.parts(record_id))),
        ("row", len(_rows_about(view, record_id))),
        ("amendment", len(collection.amendments_of(record_id))),
        ("annotation", len(collection.annotations_on(record_id))),
        ("citation", len(collection.citations(record_id)) + len(view.prose_citations(record_id))),
    ]
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts if count)


def _sections(view: View, record_id: str) -> Iterator[Block]:
    collection = view.collection
    declared = collection.record(record_id)
    if declared:
        marked = marks(view, record_id)
        parts = entry_parts(view, declared, "", leave_out=("status", "body", "evidence"), marks=marked)
        if parts:
            yield _section("fields", "Fields", render("parts.html.j2", parts=parts))
        evidence = declared.value("evidence")
        if evidence:
            mark = Markup("<p>{}</p>").format(marked["evidence"]) if "evidence" in marked else Markup("")
            yield _section("evidence", "Evidence", mark + view.value(evidence, declared))
    if html := amendments(view, record_id):
        yield _section("amendments", "Amendments", html)
    if drawing := neighbourhood(view, record_id):
        yield _section("neighbourhood", "Neighbourhood", drawing)
    if parts_of := collection.parts(record_id):
        yield _section(
            "parts", "Parts", record_list(view, "Parts", [part.id for part in parts_of], leave_out="Part of")
        )
    if rows := _rows_about(view, record_id):
        yield _section("rows", "In the tables", _rows(view, rows))
    if annotations := collection.annotations_on(record_id):
        told = Markup("").join(
            _annotation(view, each.member, each.anchor, render("parts.html.j2", parts=entry_parts(view, each, "")))
            for each in annotations
        )
        yield _section("annotations", "Annotations by other members", told)
    groups = list(by_page(view, cited_at(view, record_id)))
    cited = (
        render("cited_by.html.j2", groups=groups)
        if groups
        else Markup('<p class="rw-none">nothing on this site cites it</p>')
    )
    yield _section("cited-by", "Cited by", cited)
    if elsewhere := list(cited_elsewhere(view, record_id)):
        yield _section("cited-elsewhere", "Cited by other systems", render("cited_by.html.j2", groups=elsewhere))


def _section(anchor: str, title: str, html: Markup) -> Block:
    return Block(html, Heading(2, anchor, Markup("{}").format(title), title))


def _annotation(view: View, member_name: str, anchor: str, html: Markup) -> Markup:
    member = view.collection.system.member(member_name)
    title = member.title if member else member_name
    page = view.shown.get((member_name, anchor))
    by = Markup('<a href="{}">{}</a>').format(view.links(page, anchor), title) if page else Markup("{}").format(title)
    return Markup('<div class="rw-annotation"><p class="rw-by">{}</p>{}</div>').format(by, html)


def _rows_about(view: View, record_id: str) -> list[tuple[Row, list[str]]]:
    """The rows about a record, without those that amend it: they are told of at length."""
    rows = view.collection.rows_about(record_id)
    return [(row, columns) for row, columns in rows if not (row.table == AMENDMENTS and "record" in columns)]


def _rows(view: View, rows: Sequence[tuple[Row, list[str]]]) -> Markup:
    told = []
    for row, columns in rows:
        titles = {field.key: field.title.lower() for field in row.fields}
        terms = [view.term(field.value) for field in row.fields if isinstance(field.value, Term)]
        if row.table == AMENDMENTS:
            terms = subject(view, row)
        told.append(
            {
                "href": view.address(row),
                "title": LAYOUTS[row.table].title,
                "number": row.number,
                "columns": " and ".join(titles[column] for column in columns),
                "terms": terms,
                "text": gist(view, row),
            }
        )
    return render("rows_about.html.j2", rows=told)


def gist(view: View, row: Row) -> Markup:
    """The one field of a row that says most in short."""
    value = row.value(GIST[row.table])
    return view.value(value, row) if value else Markup("")


def record_list(view: View, title: str, record_ids: Sequence[str], leave_out: str = "") -> Markup:
    """Records as a table: ID and label, member, statuses, container."""
    collection = view.collection
    told: list[dict[str, str]] = []
    for record_id in record_ids:
        declared, member = collection.record(record_id), collection.member_of(record_id)
        by = member.title if member else ""
        told.append(
            {
                "reference": view.reference(record_id),
                "label": declared.label if declared else "",
                "Declared by": by if declared else f"{by} (withheld)",
                "Status": view.statuses(declared.status) if declared else "",
                "Part of": view.reference(declared.part_of) if declared and declared.part_of else "",
            }
        )
    wanted = [each for each in ("Declared by", "Status", "Part of") if each != leave_out]
    columns = ["Record", *(each for each in wanted if any(one[each] for one in told))]
    return render("record_list.html.j2", title=title, records=told, columns=columns)


def kind_index(view: View, kind: Kind) -> PageView:
    """The index of one kind of record."""
    system = view.collection.system
    ids = view.collection.of_kind(kind)
    declared = [one for one in ids if view.collection.record(one)]
    withheld = [one for one in ids if not view.collection.record(one)]
    title = Heading(1, kind.stem, Markup("{}").format(kind.plural), kind.plural)
    blocks = [Block(Markup("<p>{}</p>").format(_counted(kind, declared, withheld, system.label)), title)]
    if declared:
        blocks.append(
            _section("declared", "Declared here", record_list(view, f"{kind.plural} declared here", declared))
        )
    if withheld:
        lead = Markup("<p>{}</p>").format(
            "Their declarations are not published; each has a page with what the reports here say about it."
        )
        table = record_list(view, f"{kind.plural} of withheld members", withheld)
        blocks.append(_section("withheld", "Cited from withheld members", lead + table))
    return PageView(kind.plural, f"{kind.plural} of {system.label}", tuple(blocks))


def _counted(kind: Kind, declared: Sequence[str], withheld: Sequence[str], label: str) -> str:
    if not declared and not withheld:
        return f"The reports on {label} declare and cite none."
    name = kind.singular if len(declared) == 1 else kind.plural[0].lower() + kind.plural[1:]
    return (
        f"{len(declared)} {name} declared in the reports on {label}, and {len(withheld)} cited from withheld members."
    )


def records_index(view: View) -> PageView:
    """All records, kind by kind."""
    system = view.collection.system
    blocks = [
        Block(
            Markup("<p>{}</p>").format(f"Every record that the reports on {system.label} declare or cite."),
            Heading(1, "records", Markup("Records"), "Records"),
        )
    ]
    for kind in KINDS:
        if ids := view.collection.of_kind(kind):
            link = Markup('<a href="{}">{}</a>').format(view.links(kind_page(kind)), kind.plural)
            blocks.append(Block(record_list(view, kind.plural, ids), Heading(2, kind.stem, link, kind.plural)))
    return PageView("Records", f"All records of {system.label}", tuple(blocks))
