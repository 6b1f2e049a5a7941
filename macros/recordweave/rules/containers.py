"""Rules about what is part of what."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.rules.facts import Facts, error


def nothing_is_part_of_itself(facts: Facts) -> Iterator[Diagnostic]:
    """No record is part of itself, at once or round a circle. A circle is reported once, at its first record."""
    collection = facts.collection
    reported: set[str] = set()
    for record in collection.records:
        if record.part_of == record.id:
            place = facts.place(record, (*record.origin.pointer, "part_of"))
            yield error("part-of-self", f"`{record.id}` is part of itself", place, "name the record that contains it")
            continue
        chain = [record.id]
        container = collection.record(record.part_of)
        while container and container.id not in chain:
            chain.append(container.id)
            container = collection.record(container.part_of)
        if container and container.id == record.id and record.id not in reported:
            reported.update(chain)
            circle = " → ".join(f"`{each}`" for each in (*chain, record.id))
            place = facts.place(record, (*record.origin.pointer, "part_of"))
            yield error(
                "part-of-cycle",
                f"these records are part of each other: {circle}",
                place,
                "break the circle at one of them",
            )
