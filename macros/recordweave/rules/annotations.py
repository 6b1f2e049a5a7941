"""A rule about annotations."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.rules.facts import Facts, error


def members_annotate_others(facts: Facts) -> Iterator[Diagnostic]:
    """A member annotates what another member declares; what it has to say of its own records stands in them."""
    for annotation in facts.collection.analysis.annotations:
        owner = facts.collection.member_of(annotation.on)
        if owner and owner.name == annotation.member:
            place = facts.place(annotation, (*annotation.origin.pointer, "on"))
            message = f"`{annotation.on}` is declared by `{annotation.member}` itself"
            yield error("own-annotation", message, place, "say it in the record")
