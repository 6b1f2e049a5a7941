"""A rule about which kinds of record a cell may hold."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.ids import KIND_BY_CODE, kind_of, split
from recordweave.records.values import OWN_RECORDS, Cell, ids
from recordweave.rules.facts import Facts, error

ALLOWED: dict[tuple[str, str], tuple[str, ...]] = {
    ("inventory", "objects"): ("OBJ", "CMP"),
    ("ledger", "routes"): ("RTE", "BAP"),
    ("ledger", "objects"): ("OBJ", "CMP"),
    ("ledger", "claims"): ("CLM",),
    ("ledger", "authority_path"): ("BAP", "RTE"),
    ("claim-comparison", "claim"): ("CLM",),
    ("claim-comparison", "routes"): ("RTE", "BAP"),
}
"""For each column that holds IDs: the kinds that make sense there. Other columns may defer to any record."""


def cells_hold_the_right_kinds(facts: Facts) -> Iterator[Diagnostic]:
    """A column of routes holds routes, a column of claims holds claims."""
    for row in facts.collection.analysis.rows:
        for field in row.fields:
            allowed = ALLOWED.get((row.table, field.key))
            if allowed is None:
                continue
            for way, record_id in ids(field.value, (*row.origin.pointer, field.key)):
                kind = kind_of(split(record_id)[1])
                if kind.code not in allowed and facts.library.find(record_id):
                    wanted = " or ".join(f"{KIND_BY_CODE[code].with_article} ({code})" for code in allowed)
                    message = f"`{record_id}` is {kind.with_article}, which `{field.key}` does not hold"
                    yield error("wrong-kind", message, facts.place(row, way), f"name {wanted}")


def cells_defer_to_somebody(facts: Facts) -> Iterator[Diagnostic]:
    """`see: [route]` stands in a row that has routes, `see: [record]` in one that is about a record."""
    for row in facts.collection.analysis.rows:
        for field in row.fields:
            for number, word in enumerate(field.value.see if isinstance(field.value, Cell) else ()):
                if word in OWN_RECORDS and not row.own(word):
                    place = facts.place(row, (*row.origin.pointer, field.key, "see", number))
                    message = f"`{word}` means nothing here: a row of this table has no {word}s of its own"
                    other = next((each for each in OWN_RECORDS if row.own(each)), "")
                    yield error("wrong-kind", message, place, f"write `{other}`, or an ID" if other else "write an ID")
