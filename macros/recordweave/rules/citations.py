"""A rule about records that nothing leads to."""

from collections.abc import Iterator

from recordweave.records.collection import citations_of
from recordweave.records.diagnostic import Diagnostic
from recordweave.rules.facts import Facts, warning


def records_are_tied_to_others(facts: Facts) -> Iterator[Diagnostic]:
    """A record is cited somewhere, by a row, an annotation, another record or prose, or it cites another one.

    Nothing leads to a record without such a tie but the list of its kind, which holds it in any case.
    """
    collection = facts.collection
    others = [each for each in facts.library.systems.values() if each is not collection]
    for record in collection.records:
        foreign = f"{collection.system.name}:{record.id}"
        if (
            record.id not in collection.mentioned
            and foreign not in facts.portal
            and not collection.citations(record.id)
            and not any(foreign in each.mentioned or each.citations(foreign) for each in others)
            and not any(True for _ in citations_of(record))
        ):
            place = facts.place(record, (*record.origin.pointer, "id"))
            hint = "cite it where it matters, in a row, in prose or in another record, or say what it is part of"
            yield warning("never-cited", f"nothing cites `{record.id}`, and it cites no other record", place, hint)
