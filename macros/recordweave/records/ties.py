"""How the records of a system hang together: what acts on what, what is held against what, what is part of what.

The ledger says which route acts on which object, and by which functions; a claim comparison, which routes a claim is
held against; a record, what it is part of.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from recordweave.records.collection import Collection
from recordweave.records.values import Term

ACTS_ON, PART_OF, HELD_AGAINST = "acts on", "part of", "held against"


@dataclass(frozen=True, slots=True)
class Tie:
    """One record that has to do with another, and how; for a route that acts on something, by which functions."""

    start: str
    end: str
    how: str
    functions: tuple[str, ...] = ()


def ties(collection: Collection) -> list[Tie]:
    """All ties of a system, each once, in the order in which its files tell of them."""
    acting: dict[tuple[str, str], dict[str, None]] = {}
    for row in collection.analysis.rows:
        function = row.value("function")
        if row.table == "ledger" and isinstance(function, Term):
            for route in row.ids("routes"):
                for one in row.ids("objects"):
                    acting.setdefault((route, one), {})[function.value] = None
    found = [Tie(start, end, ACTS_ON, tuple(functions)) for (start, end), functions in acting.items()]
    return [*found, *dict.fromkeys(_held(collection)), *_parts(collection)]


def _held(collection: Collection) -> Iterator[Tie]:
    for row in collection.analysis.rows:
        if row.table == "claim-comparison":
            yield from (Tie(claim, route, HELD_AGAINST) for claim in row.ids("claim") for route in row.ids("routes"))


def _parts(collection: Collection) -> Iterator[Tie]:
    yield from (Tie(record.id, record.part_of, PART_OF) for record in collection.records if record.part_of)
