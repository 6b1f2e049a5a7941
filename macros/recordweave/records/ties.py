"""How the records of a system hang together: what acts on what, what is held against what, what is part of what.

The ledger says which route acts on which object, and by which functions; a claim comparison, which routes a claim is
held against; a record, what it is part of.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
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


class Ties:
    """The ties of a system: `all` of them, and those of each record."""

    def __init__(self, collection: Collection) -> None:
        self.all: Sequence[Tie] = _ties(collection)
        self._of: dict[str, list[Tie]] = defaultdict(list)
        for tie in self.all:
            for one in dict.fromkeys((tie.start, tie.end)):
                self._of[one].append(tie)

    def of(self, record_id: str) -> Sequence[Tie]:
        """The ties that a record stands at an end of."""
        return self._of.get(record_id, ())


def _ties(collection: Collection) -> list[Tie]:
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
