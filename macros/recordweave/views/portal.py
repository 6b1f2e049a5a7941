"""What the portal shows: the systems, and the reference of the tool itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import escape

from recordweave.records.collection import Collection
from recordweave.records.diagnostic import CODES
from recordweave.records.model import Vocabulary
from recordweave.views import inline, reference
from recordweave.views.blocks import Block
from recordweave.views.fragments import MACROS, Macro, Request
from recordweave.views.view import render

TOPICS = ("files", "vocabularies", "macros", "commands", "diagnostics")


@dataclass(frozen=True)
class PortalView:
    """A page of the portal: the systems, the address of each as seen from the page, and what the schemas say.

    `commands` are the commands of the command line, each with its usage and its help.
    """

    collections: Sequence[Collection]
    address: Callable[[str], str]
    schemas: Mapping[str, reference.Schema]
    vocabularies: Mapping[str, Vocabulary]
    commands: Sequence[tuple[str, str]] = ()


def _systems(view: PortalView, request: Request) -> tuple[Block, ...]:
    cards = []
    for collection in view.collections:
        system = collection.system
        cards.append(
            {
                "name": system.name,
                "label": system.label,
                "href": view.address(system.name),
                "summary": inline.render(system.summary, lambda record_id, text: escape(text or record_id)),
                "published": [member.title for member in system.members if member.published],
                "withheld": [member.title for member in system.members if not member.published],
                "declared": len(collection.records),
                "cited": len(collection.withheld),
            }
        )
    return (Block(render("systems.html.j2", cards=cards)),)


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
