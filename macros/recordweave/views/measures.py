"""What of a system can be counted by controlled values: the rows of its ledger, and its records by their statuses."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from recordweave.records.collection import Collection
from recordweave.records.model import Entry, Record, Vocabulary, slug
from recordweave.records.values import Term

LEDGER = "ledger"


@dataclass(frozen=True, slots=True)
class Measure:
    """What is counted, by which vocabulary; `keys` gives the values of an entry, each a layer (or none) and a term."""

    name: str
    title: str
    vocabulary: str
    counted: str
    entries: Callable[[Collection], Sequence[Entry]]
    keys: Callable[[Entry], Sequence[tuple[str, str]]]

    def by_value(self, collection: Collection) -> dict[tuple[str, str], list[Entry]]:
        """The entries of a system by value, in their order."""
        found: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries(collection):
            for key in self.keys(entry):
                found.setdefault(key, []).append(entry)
        return found

    def order(self, keys: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> list[tuple[str, str]]:
        """Values by their layers as these come, and within a layer as the vocabulary has them."""
        known = list(dict.fromkeys(keys))
        layers, terms = list(dict.fromkeys(layer for layer, _ in known)), list(vocabulary.meanings)
        return sorted(known, key=lambda key: (layers.index(key[0]), terms.index(key[1])))

    def anchor(self, key: tuple[str, str]) -> str:
        """The anchor of a value on the page of values."""
        return slug(" ".join((self.name, *key)))


def _ledger(collection: Collection) -> Sequence[Entry]:
    return [row for row in collection.analysis.rows if row.table == LEDGER]


def _column(name: str) -> Callable[[Entry], Sequence[tuple[str, str]]]:
    def keys(entry: Entry) -> Sequence[tuple[str, str]]:
        value = entry.value(name)
        return [("", value.value)] if isinstance(value, Term) else []

    return keys


def _statuses(entry: Entry) -> Sequence[tuple[str, str]]:
    return list(entry.status.items()) if isinstance(entry, Record) else []


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("function", "Route function", "route_function", "ledger rows", _ledger, _column("function")),
        Measure("status", "Architectural status", "architectural_status", "ledger rows", _ledger, _column("status")),
        Measure("relation", "Content relation", "content_relation", "ledger rows", _ledger, _column("relation")),
        Measure(
            "conclusion",
            "Conclusion status",
            "conclusion_status",
            "records",
            lambda collection: collection.records,
            _statuses,
        ),
    )
}
"""What can be compared, by name."""
