"""Rules about annotations."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.model import Annotation
from recordweave.rules.facts import Facts, error, warning


def members_annotate_others(facts: Facts) -> Iterator[Diagnostic]:
    """A member annotates what another member declares; what it has to say of its own records stands in them."""
    for annotation in facts.collection.analysis.annotations:
        owner = facts.collection.member_of(annotation.on)
        if owner and owner.name == annotation.member:
            place = facts.place(annotation, (*annotation.origin.pointer, "on"))
            message = f"`{annotation.on}` is declared by `{annotation.member}` itself"
            yield error("own-annotation", message, place, "say it in the record")


def records_are_annotated_once(facts: Facts) -> Iterator[Diagnostic]:
    """One annotation holds all that a member found out about a record."""
    first: dict[tuple[str, str], Annotation] = {}
    for annotation in facts.collection.analysis.annotations:
        before = first.setdefault((annotation.member, annotation.on), annotation)
        if before is not annotation:
            related = (("annotated first here", facts.place(before, (*before.origin.pointer, "on"))),)
            place = facts.place(annotation, (*annotation.origin.pointer, "on"))
            message = f"`{annotation.member}` annotates `{annotation.on}` twice"
            hint = "say all of it in one annotation; its body can have several paragraphs"
            yield warning("annotated-twice", message, place, hint, related)
