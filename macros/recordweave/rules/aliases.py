"""A rule about the IDs that records had before they were renamed."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic, Place
from recordweave.rules.facts import Facts, error


def aliases_are_nobody_elses(facts: Facts) -> Iterator[Diagnostic]:
    """An ID that a record had is never used again: no record has it, and no other one had it."""
    collection = facts.collection
    first: dict[str, tuple[str, Place]] = {}
    for record in collection.records:
        for number, alias in enumerate(record.aliases):
            place = facts.place(record, (*record.origin.pointer, "aliases", number))
            owner, related = first.setdefault(alias, (record.id, place))
            if declared := collection.record(alias):
                here = facts.place(declared, (*declared.origin.pointer, "id"))
                own = declared.id == record.id
                message = f"`{alias}` is the ID of {'this record itself' if own else 'a record'}, not a former one"
                hint = "remove it" if own else "remove it, or give the other record a new ID: an ID is never used again"
                yield error("alias-clash", message, place, hint, (("declared here", here),))
            elif collection.is_withheld(alias):
                member = collection.member_of(alias)
                message = f"`{alias}` may be a record of the withheld member `{member.name if member else ''}`"
                yield error("alias-clash", message, place, "remove it, or take it off the `records` of that member")
            elif owner != record.id:
                message = f"`{alias}` is a former ID of `{owner}` as well"
                hint = "keep it at the record that had it"
                yield error("alias-clash", message, place, hint, (("the other one", related),))
