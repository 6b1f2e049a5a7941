"""Rules about what is cited: records, wherever they are named, and sources."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic, Place, did_you_mean
from recordweave.records.ids import kind_of, prefix_of
from recordweave.records.model import Annotation, Record
from recordweave.records.text import cited, cited_sources, nearly_cited
from recordweave.records.values import Evidence, Plain, walk
from recordweave.rules.facts import Facts, error


def records_exist(facts: Facts) -> Iterator[Diagnostic]:
    """Every record that is cited is declared, or belongs to a withheld member."""
    collection, loaded = facts.collection, facts.loaded
    for record_id, place in _cited(facts):
        if not collection.knows(record_id) and not loaded.may_declare(record_id):
            yield error("unknown-id", f"`{record_id}` is not declared", place, hint_for(facts, record_id))


def _cited(facts: Facts) -> Iterator[tuple[str, Place]]:
    for entry in facts.collection.analysis.entries():
        own = entry.origin.pointer
        if isinstance(entry, Record) and entry.part_of:
            yield entry.part_of, facts.place(entry, (*own, "part_of"))
        if isinstance(entry, Annotation):
            yield entry.on, facts.place(entry, (*own, "on"))
        for way, record_id in entry.held_ids():
            yield record_id, facts.place(entry, way)
        for way, markdown in entry.texts():
            for mention in cited(markdown):
                yield mention.id, facts.place(entry, way, text=mention.id)
    for page in facts.pages:
        yield from page.mentions


def hint_for(facts: Facts, record_id: str) -> str:
    """How to mend a reference to nothing: the nearest ID, or the file in which it would be declared."""
    collection = facts.collection
    near = did_you_mean(record_id, collection.ids)
    member = collection.member_of(record_id)
    if near:
        return near
    if member is None:
        prefixes = ", ".join(f"`{each.prefix}`" for each in collection.system.members if each.prefix)
        return f"no member has the prefix `{prefix_of(record_id)}`; the prefixes are {prefixes}"
    if not member.published:
        return f"add it to `records` of the member `{member.name}` in `system.yml`"
    return f"declare it in `records/{collection.system.name}/{member.name}/{kind_of(record_id).stem}.yml`"


def mentions_are_well_formed(facts: Facts) -> Iterator[Diagnostic]:
    """What looks like an ID is written as one: in capitals, with plain hyphens, and with nothing stuck to it."""
    for entry in facts.collection.analysis.entries():
        for way, markdown in entry.texts():
            for written, meant in nearly_cited(markdown):
                yield from _near_miss(facts, written, meant, facts.place(entry, way, text=written))
    for page in facts.pages:
        for written, meant, place in page.near_misses:
            yield from _near_miss(facts, written, meant, place)


def _near_miss(facts: Facts, written: str, meant: str, place: Place) -> Iterator[Diagnostic]:
    prefixes = {member.prefix for member in facts.collection.system.members if member.prefix}
    known = facts.collection.knows(meant)
    if not known and prefix_of(meant) not in prefixes:
        return
    hint = (
        f"write `{meant}`" if known else did_you_mean(meant, facts.collection.ids) or "write it as `PREFIX-KIND-name`"
    )
    yield error("near-miss", f"`{written}` looks like the ID of a record and is not one", place, hint)


def sources_exist(facts: Facts) -> Iterator[Diagnostic]:
    """Every source that evidence cites is in the register."""
    system = facts.collection.system
    known = [source.id for source in system.sources]
    for source_id, place in _cited_sources(facts):
        if source_id not in known:
            hint = did_you_mean(source_id, known) or "the register has " + ", ".join(f"`{each}`" for each in known)
            yield error("unknown-source", f"`{source_id}` is not in the source register", place, hint)


def _cited_sources(facts: Facts) -> Iterator[tuple[str, Place]]:
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if isinstance(value, Evidence):
                    yield value.source, facts.place(entry, (*way, "source"))
                elif isinstance(value, Plain) and field.key == "source":
                    yield value.text, facts.place(entry, way)
        for way, markdown in entry.texts():
            for source_id in cited_sources(markdown):
                yield source_id, facts.place(entry, way, text=source_id)
    for page in facts.pages:
        yield from page.sources
