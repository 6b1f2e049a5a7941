"""What the overview of a system is made of: its identity and boundary, its members, its counts, its sources."""

from markupsafe import Markup, escape

from recordweave.records.addresses import permanent
from recordweave.records.ids import KINDS
from recordweave.records.model import Source
from recordweave.records.values import Field, Finding, Group, Term
from recordweave.views.blocks import Block, Heading
from recordweave.views.links import DATA, OVERVIEW, VALUES, kind_page
from recordweave.views.spread import spread
from recordweave.views.view import View, render


def system(view: View) -> Markup:
    """Who the system is and what the analysis takes in, with the frozen state of each source."""
    told = view.collection.system
    fields = [view.named(field) for field in _flat(told.fields)]
    for source in told.sources:
        link = view.source_link(source.id)
        fields.append((f"Frozen at ({source.id})", Markup("{}: {}").format(link, revision(view, source)), ""))
    macros = render("group.html.j2", fields=fields)
    return render("system.html.j2", summary=view.paragraphs(told.summary), fields=macros)


def _flat(fields: tuple[Field, ...]) -> list[Field]:
    """Fields, with those of a group in the group's place."""
    flat: list[Field] = []
    for field in fields:
        flat.extend(_prefixed(field) if isinstance(field.value, Group) else [field])
    return flat


def _prefixed(group: Field) -> list[Field]:
    assert isinstance(group.value, Group)
    names = {"statement": group.title}
    return [Field(each.key, names.get(each.key, each.title), each.value, each.help) for each in group.value.fields]


def revision(view: View, source: Source) -> Markup:
    """The frozen state of a source, linked to its forge; or why it is not given."""
    if source.revision.uncertainty:
        return Markup('<span class="rw-uncertain">revision not published</span> — {}').format(
            view.text(source.revision.markdown)
        )
    code = Markup("<code>{}</code>").format(source.revision.markdown)
    address = permanent(source)
    return Markup('<a href="{}" rel="noopener nofollow">{}</a>').format(address, code) if address else code


def members(view: View) -> Markup:
    """The members, published and withheld, with what each declares."""
    collection = view.collection
    told = []
    for member in collection.system.members:
        declared = sum(record.member == member.name for record in collection.records)
        cited = sum(collection.member_of(one) is member for one in collection.withheld)
        told.append(
            {
                "name": member.name,
                "title": member.title,
                "published": member.published,
                "href": view.links(member.name) if member.published else "",
                "prefix": member.prefix,
                "publication": "published" if member.published else "withheld",
                "records": f"{declared} declared" if member.published else f"{cited} cited",
                "summary": view.text(member.summary) if member.summary else "",
            }
        )
    return render("members.html.j2", members=told)


def counts(view: View) -> Markup:
    """How many records of each kind there are, and where the same is to be had as data."""
    collection = view.collection
    told = []
    for kind in KINDS:
        ids = collection.of_kind(kind)
        declared = sum(collection.record(one) is not None for one in ids)
        told.append(
            {
                "plural": kind.plural,
                "href": view.links(kind_page(kind)),
                "declared": declared,
                "withheld": len(ids) - declared,
            }
        )
    root = view.links(OVERVIEW).removesuffix("index.html")
    hrefs = {"data_href": f"{root}{DATA}", "values_href": view.links(VALUES)}
    return render("counts.html.j2", kinds=told, spread=spread(view), **hrefs)


def sources(view: View, level: int) -> tuple[Block, ...]:
    """The source register, a block for each source, under a heading whose anchor is the source's ID."""
    return tuple(_source(view, source, level) for source in view.collection.system.sources)


def _source(view: View, source: Source, level: int) -> Block:
    fields = [("Kind", view.term(Term("source_kind", source.kind)), "")]
    if source.repository.markdown:
        fields.append(("Repository", _repository(view, source.repository), ""))
    fields.append(("Revision", revision(view, source), ""))
    fields.extend(view.named(field) for field in source.fields)
    heading = Heading(level, source.id, escape(source.id), source.id)
    return Block(render("group.html.j2", fields=fields), heading, "rw-card rw-card--source")


def _repository(view: View, repository: Finding) -> Markup:
    if repository.uncertainty:
        return Markup('<span class="rw-uncertain">not published</span> — {}').format(view.text(repository.markdown))
    return Markup('<a href="{}" rel="noopener nofollow">{}</a>').format(repository.markdown, repository.markdown)
