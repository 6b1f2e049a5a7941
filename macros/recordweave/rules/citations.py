"""What may be wrong with records that nothing leads to."""

from collections.abc import Iterator

from recordweave.records.collection import citations_of
from recordweave.records.diagnostic import Diagnostic
from recordweave.rules.facts import Facts, warning


def untied(facts: Facts) -> Iterator[tuple[str, Diagnostic]]:
    """The records that nothing in their own system is tied to, as others would refer to them, and what is wrong then.

    A record is cited somewhere, by a row, an annotation, another record or prose, or it cites another one. Nothing
    leads to a record without such a tie but the list of its kind, which holds it in any case.
    """
    collection = facts.collection
    for record in collection.records:
        if (
            record.id not in collection.mentioned
            and not collection.citations(record.id)
            and not any(True for _ in citations_of(record))
        ):
            place = facts.place(record, (*record.origin.pointer, "id"))
            hint = "cite it where it matters, in a row, in prose or in another record, or say what it is part of"
            message = f"nothing cites `{record.id}`, and it cites no other record"
            yield f"{collection.system.name}:{record.id}", warning("never-cited", message, place, hint)
