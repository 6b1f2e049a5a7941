"""What the portal shows: the systems and how they compare, all their records, and the reference of the tool itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from recordweave.records.collection import Library
from recordweave.records.diagnostic import Explanation
from recordweave.records.model import Vocabulary
from recordweave.views import compare, finder, reference, systems
from recordweave.views.blocks import Block
from recordweave.views.fragments import MACROS, Macro, Request
from recordweave.views.links import Links
from recordweave.views.measures import MEASURES
from recordweave.views.view import View

TOPICS = ("files", "macros", "commands", "diagnostics")


T = TypeVar("T")
Share = Callable[[str, str, Callable[[], Any]], Any]
"""Gives what a system, by name, has to do with a page, by a word for it: as it was kept, or as a function makes it."""


def _made(system: str, what: str, make: Callable[[], Any]) -> Any:
    return make()


@dataclass(frozen=True)
class PortalView:
    """A page of the portal: all systems, the links as seen from the page, and what the schemas say.

    `shown` says for each system on which page its entries stand; `commands` are the commands of the command line, each
    with its usage and its help; `explanations` are those of the diagnostics, by code. `share` may keep from one time to
    the next what a system has to do with the page.
    """

    library: Library
    links: Links
    shown: Mapping[str, Mapping[tuple[str, str], str]]
    schemas: Mapping[str, reference.Schema]
    vocabularies: Mapping[str, Vocabulary]
    glossary: str
    explanations: Mapping[str, Explanation]
    commands: Sequence[tuple[str, str]] = ()
    share: Share = _made

    def from_each(self, what: str, make: Callable[[View], T]) -> list[T]:
        """What each system has to do with the page: `make` makes it from a view, and it can be pickled."""
        return [self.share(name, what, partial(self._make, name, make)) for name in self.library.systems]

    def _make(self, name: str, make: Callable[[View], T]) -> T:
        library, links = self.library.of(self.library.systems[name]), self.links.of(name)
        return make(View(library, links, self.shown.get(name, {}), glossary=self.glossary))


def _systems(view: PortalView, request: Request) -> tuple[Block, ...]:
    return tuple(view.from_each("card", systems.card))


def _compare(view: PortalView, request: Request) -> tuple[Block, ...]:
    name = request.arguments["measure"]
    if name == "claims":
        return (Block(compare.claims(view.from_each("claims", compare.claims_of))),)
    measure = MEASURES[name]
    counted = view.from_each(f"counted by {name}", partial(compare.counted, measure=measure))
    vocabulary = view.vocabularies[measure.vocabulary]
    return (Block(compare.counts(counted, view.links, view.glossary, measure, vocabulary)),)


def _all_records(view: PortalView, request: Request) -> tuple[Block, ...]:
    return (Block(finder.finder(view.from_each("records", finder.found_in))),)


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
