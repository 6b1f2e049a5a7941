"""What the portal shows: the systems, and the reference of the tool itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from recordweave.records.collection import Collection
from recordweave.records.diagnostic import CODES
from recordweave.records.model import Vocabulary
from recordweave.views import inline, reference
from recordweave.views.blocks import Block
from recordweave.views.fragments import MACROS, Macro, Request
from recordweave.views.links import OVERVIEW, SOURCES, record_page
from recordweave.views.view import render

TOPICS = ("files", "vocabularies", "macros", "commands", "diagnostics")


@dataclass(frozen=True)
class PortalView:
    """A page of the portal: the systems, the address of a page of one of them, and what the schemas say.

    `commands` are the commands of the command line, each with its usage and its help.
    """

    collections: Sequence[Collection]
    address: Callable[[str, str], str]
    schemas: Mapping[str, reference.Schema]
    vocabularies: Mapping[str, Vocabulary]
    commands: Sequence[tuple[str, str]] = ()


def _systems(view: PortalView, request: Request) -> tuple[Block, ...]:
    return (Block(render("systems.html.j2", cards=[_card(view, each) for each in view.collections])),)


def _card(view: PortalView, collection: Collection) -> dict[str, Any]:
    system = collection.system

    def reference(one: str, text: str) -> Markup:
        page = record_page(one) if collection.knows(one) else SOURCES if system.source(one) else ""
        shown = escape(text or one)
        css = "rw-source" if page == SOURCES else "rw-ref"
        link = Markup('<a class="{}" href="{}">{}</a>')
        return link.format(css, view.address(system.name, page), shown) if page else shown

    return {
        "name": system.name,
        "label": system.label,
        "href": view.address(system.name, OVERVIEW),
        "summary": inline.paragraphs(system.summary, reference),
        "published": [member.title for member in system.members if member.published],
        "withheld": [member.title for member in system.members if not member.published],
        "declared": len(collection.records),
        "cited": len(collection.withheld),
    }


def _reference(view: PortalView, request: Request) -> tuple[Block, ...]:
    match request.arguments["topic"]:
        case "files":
            return reference.files(view.schemas)
        case "vocabularies":
            return reference.vocabularies(view.vocabularies)
        case "macros":
            return reference.definitions([(each.usage, each.help) for each in (MACROS | PORTAL_MACROS).values()])
        case "commands":
            return reference.definitions(view.commands)
        case _:
            return reference.definitions(tuple(CODES.items()))


def _systems_signature() -> None:
    """On the portal: a card for each system."""


def _reference_signature(topic: str) -> None:
    """On the portal: a part of the reference, made from the code and the schemas: `files`, `vocabularies`, `macros`,
    `commands` or `diagnostics`."""


PORTAL_MACROS: dict[str, Macro] = {
    "systems": Macro("systems", _systems_signature, _systems),
    "reference": Macro("reference", _reference_signature, _reference, choices={"topic": TOPICS}),
}
"""The macros of the portal's pages, by name."""
