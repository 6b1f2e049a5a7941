"""What the portal shows: the systems and how they compare, all their records, and the reference of the tool itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Explanation
from recordweave.records.model import Vocabulary
from recordweave.views import compare, finder, reference, systems
from recordweave.views.blocks import Block
from recordweave.views.fragments import MACROS, Macro, Request
from recordweave.views.links import Links
from recordweave.views.measures import MEASURES
from recordweave.views.view import View

TOPICS = ("files", "macros", "commands", "diagnostics")


@dataclass(frozen=True)
class PortalView:
    """A page of the portal: all systems, the links as seen from the page, and what the schemas say.

    `shown` says for each system on which page its entries stand; `commands` are the commands of the command line, each
    with its usage and its help; `explanations` are those of the diagnostics, by code.
    """

    library: Library
    links: Links
    shown: Mapping[str, Mapping[tuple[str, str], str]]
    schemas: Mapping[str, reference.Schema]
    vocabularies: Mapping[str, Vocabulary]
    glossary: str
    explanations: Mapping[str, Explanation]
    commands: Sequence[tuple[str, str]] = ()

    def views(self) -> list[View]:
        """A view of each system, for this page."""
        return [self._of(each) for each in self.library.systems.values()]

    def _of(self, collection: Collection) -> View:
        name = collection.system.name
        library, links = self.library.of(collection), self.links.of(name)
        return View(library, links, self.shown.get(name, {}), glossary=self.glossary)


def _systems(view: PortalView, request: Request) -> tuple[Block, ...]:
    return systems.cards(view.views())


def _compare(view: PortalView, request: Request) -> tuple[Block, ...]:
    name = request.arguments["measure"]
    if name == "claims":
        return (Block(compare.claims(view.views())),)
    measure = MEASURES[name]
    return (Block(compare.counts(view.views(), measure, view.vocabularies[measure.vocabulary])),)


def _all_records(view: PortalView, request: Request) -> tuple[Block, ...]:
    return (Block(finder.finder(view.views())),)


def _glossary(view: PortalView, request: Request) -> tuple[Block, ...]:
    return reference.vocabularies(view.vocabularies)


def _reference(view: PortalView, request: Request) -> tuple[Block, ...]:
    match request.arguments["topic"]:
        case "files":
            return reference.files(view.schemas)
        case "macros":
            return reference.definitions([(each.usage, each.help) for each in (MACROS | PORTAL_MACROS).values()])
        case "commands":
            return reference.definitions(view.commands)
        case _:
            return reference.diagnostics(view.explanations)


def _systems_signature() -> None:
    """On the portal: a card for each system."""


def _compare_signature(measure: str) -> None:
    """On the portal: all systems side by side, by the route `function`, the architectural `status` or the content
    `relation` of their ledger rows, by the `conclusion` statuses of their records, or by their `claims`."""


def _all_records_signature() -> None:
    """On the portal: every record of every system, with a field to find one by its ID or a word."""


def _glossary_signature() -> None:
    """On the portal: every controlled value with its meaning. Controlled values everywhere link to the page that calls
    this."""


def _reference_signature(topic: str) -> None:
    """On the portal: a part of the reference, made from the code and the schemas: `files`, `macros`, `commands` or
    `diagnostics`."""


PORTAL_MACROS: dict[str, Macro] = {
    macro.name: macro
    for macro in (
        Macro("systems", _systems_signature, _systems),
        Macro("compare", _compare_signature, _compare, choices={"measure": (*MEASURES, "claims")}),
        Macro("all_records", _all_records_signature, _all_records),
        Macro("glossary", _glossary_signature, _glossary),
        Macro("reference", _reference_signature, _reference, choices={"topic": TOPICS}),
        MACROS["ref"],
    )
}
"""The macros of the portal's pages, by name."""
