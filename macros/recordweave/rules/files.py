"""Rules about where declarations stand."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.ids import prefix_of
from recordweave.records.model import Record
from recordweave.rules.facts import Facts, error


def ids_are_unique(facts: Facts) -> Iterator[Diagnostic]:
    """An ID is declared once in a system."""
    first: dict[str, Record] = {}
    for record in facts.collection.records:
        before = first.setdefault(record.id, record)
        if before is not record:
            related = (("declared first here", facts.place(before, (*before.origin.pointer, "id"))),)
            message = f"`{record.id}` is declared twice"
            hint = "keep one declaration, or give the other an ID of its own"
            yield error("duplicate-id", message, facts.place(record, (*record.origin.pointer, "id")), hint, related)


def records_stand_in_the_right_file(facts: Facts) -> Iterator[Diagnostic]:
    """The file of a record follows from its ID: the prefix names the member, the kind names the file."""
    system = facts.collection.system
    by_prefix = {member.prefix: member for member in reversed(system.members) if member.prefix}
    for record in facts.collection.records:
        if facts.collection.record(record.id) is not record:
            continue  # declared twice, which is another fault
        own = system.member(record.member)
        is_own = own is not None and prefix_of(record.id) in ("", own.prefix)
        member = own if is_own else by_prefix.get(prefix_of(record.id))
        place = facts.place(record, (*record.origin.pointer, "id"))
        if member is None:
            known = ", ".join(f"`{each.prefix}`" for each in system.members if each.prefix)
            message = f"`{record.id}` has a prefix that no member of `{system.name}` has"
            yield error("wrong-file", message, place, f"the prefixes are {known}")
            continue
        folder = record.origin.file.rsplit("/", 2)[0]
        right = f"{folder}/{member.name}/{record.kind.stem}.yml"
        if right == record.origin.file:
            continue
        if not member.published:
            message = f"`{record.id}` belongs to the withheld member `{member.name}`"
            yield error("wrong-file", message, place, "give it the prefix of the member that declares it")
        else:
            yield error("wrong-file", f"`{record.id}` does not belong into this file", place, f"move it to `{right}`")
