"""The systems as cards on the portal: what each is, where it was frozen, what there is of it to be read."""

from typing import Any

from markupsafe import Markup

from recordweave.records.ids import KINDS
from recordweave.records.text import parse
from recordweave.records.values import Group, Term, Text
from recordweave.views.blocks import Block, Heading
from recordweave.views.links import OVERVIEW, kind_page
from recordweave.views.overview import revision
from recordweave.views.spread import spread
from recordweave.views.view import View, render

_NO_LEDGER = Markup('<p class="rw-none">No published member has an authority-route ledger.</p>')


def card(view: View, level: int = 2) -> Block:
    """A card for a system, under a heading whose anchor is the system's name."""
    system = view.collection.system
    title = Markup('<a href="{}">{}</a>').format(view.links(OVERVIEW), system.label)
    html = render("system_card.html.j2", card=_told(view), picture=spread(view) or _NO_LEDGER)
    return Block(html, Heading(level, system.name, title, system.label), "rw-card rw-card--system")


def _told(view: View) -> dict[str, Any]:
    collection = view.collection
    system = collection.system
    fields = {field.key: field.value for field in system.fields}
    boundary = fields.get("boundary")
    tier, target_class = fields.get("evidence_tier"), fields.get("target_class")
    kind, statement = (boundary.get("kind"), boundary.get("statement")) if isinstance(boundary, Group) else (None, None)
    return {
        "summary": view.paragraphs(system.summary),
        "target_class": view.term(target_class) if isinstance(target_class, Term) else "",
        "boundary_kind": view.term(kind) if isinstance(kind, Term) else "",
        "boundary": view.text(_first_paragraph(statement.markdown)) if isinstance(statement, Text) else "",
        "revisions": [(view.source_link(source.id), revision(view, source)) for source in system.sources],
        "tier": view.term(tier) if isinstance(tier, Term) else "",
        "published": [(member.title, view.links(member.name)) for member in system.members if member.published],
        "withheld": [member.title for member in system.members if not member.published],
        "kinds": [_counted(view, kind) for kind in KINDS if collection.of_kind(kind)],
    }


def _first_paragraph(markdown: str) -> str:
    """A text up to its first empty line, where that is a paragraph; else all of it."""
    tokens = parse(markdown)
    lines = tokens[0].map if tokens and tokens[0].type == "paragraph_open" else None
    return "\n".join(markdown.split("\n")[: lines[1]]) if lines else markdown


def _counted(view: View, kind: Any) -> dict[str, Any]:
    ids = view.collection.of_kind(kind)
    declared = sum(view.collection.record(one) is not None for one in ids)
    name = kind.singular if len(ids) == 1 else kind.plural[0].lower() + kind.plural[1:]
    return {"name": name, "href": view.links(kind_page(kind)), "declared": declared, "withheld": len(ids) - declared}
