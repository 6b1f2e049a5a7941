"""Rules about what is cited: records, wherever they are named, and sources."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic, Place, did_you_mean
from recordweave.records.ids import between, kind_of, prefix_of
from recordweave.records.model import Annotation, Record
from recordweave.records.text import cited, cited_ranges, cited_sources, nearly_cited, refused_links
from recordweave.records.values import Evidence, Plain, walk
from recordweave.rules.facts import Facts, error, warning

NEAR_ID = 0.8
"""How near one ID has to be to another to have been meant; by prefix and kind alone many are alike."""


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
    for text in facts.texts():
        for mention in cited(text.markdown):
            yield mention.id, text.place(mention.id, mention.before)
    for page in facts.pages:
        yield from page.mentions


def hint_for(facts: Facts, record_id: str) -> str:
    """How to mend a reference to nothing: the nearest ID, or the file in which it would be declared."""
    collection = facts.collection
    near = did_you_mean(record_id, collection.ids, NEAR_ID)
    member = collection.member_of(record_id)
    if near:
        return near
    if member is None:
        prefix = prefix_of(record_id)
        wrong = f"no member has the prefix `{prefix}`" if prefix else "it has no prefix to tell whose it is"
        right = dict.fromkeys(f"`{each.prefix}`" for each in collection.system.members if each.prefix)
        return f"{wrong}; the prefixes are {', '.join(right)}"
    if not member.published:
        return f"add it to `records` of the member `{member.name}` in `system.yml`"
    return f"declare it in `records/{collection.system.name}/{member.name}/{kind_of(record_id).stem}.yml`"


def mentions_are_well_formed(facts: Facts) -> Iterator[Diagnostic]:
    """What looks like an ID is written as one: in capitals, with plain hyphens, and with nothing stuck to it."""
    for text in facts.texts():
        for miss in nearly_cited(text.markdown):
            yield from _near_miss(facts, miss.written, miss.meant, text.place(miss.written, miss.before))
    for page in facts.pages:
        for written, meant, place in page.near_misses:
            yield from _near_miss(facts, written, meant, place)


def _near_miss(facts: Facts, written: str, meant: str, place: Place) -> Iterator[Diagnostic]:
    prefixes = {member.prefix for member in facts.collection.system.members if member.prefix}
    known = facts.collection.knows(meant)
    if not known and meant.partition("-")[0] not in prefixes:
        return
    near = did_you_mean(meant, facts.collection.ids, NEAR_ID)
    hint = f"write `{meant}`" if known else near or "write it as `PREFIX-KIND-name`"
    yield error("near-miss", f"`{written}` looks like the ID of a record and is not one", place, hint)


def ranges_are_written_out(facts: Facts) -> Iterator[Diagnostic]:
    """A range of numbered records leads to its ends alone; a reader of those between would not be led here."""
    for text in facts.texts():
        for first, last in cited_ranges(text.markdown):
            yield _range(first.written, last, text.place(first.written, first.before))
    for page in facts.pages:
        for start, end, place in page.ranges:
            yield _range(start, end, place)


def _range(first: str, last: str, place: Place) -> Diagnostic:
    inner = between(first, last)
    named = ", ".join(f"`{each}`" for each in inner) if len(inner) <= 10 else f"the {len(inner)} between them"
    message = f"of this range only the ends, `{first}` and `{last}`, are cited"
    return warning("range", message, place, f"write out {named} as well")


def links_can_be_made(facts: Facts) -> Iterator[Diagnostic]:
    """A link in a record leads to the web, to a mail address or to a record; any other is shown as it was written."""
    for text in facts.texts():
        for part in refused_links(text.markdown):
            message = f"no link can be made to `{part.written}`, so this is shown as it was written"
            hint = "link to `https://…`, to `mailto:…` or to the ID of a record, or put the text into backticks"
            yield warning("bad-address", message, text.place(part.written, part.before), hint)


def sources_exist(facts: Facts) -> Iterator[Diagnostic]:
    """Every source that evidence cites is in the register."""
    system = facts.collection.system
    known = [source.id for source in system.sources]
    for source_id, place in _cited_sources(facts):
        if source_id not in known:
            hint = f"the register has {', '.join(f'`{each}`' for each in dict.fromkeys(known))}"
            yield error("unknown-source", f"`{source_id}` is not in the source register", place, hint)


def _cited_sources(facts: Facts) -> Iterator[tuple[str, Place]]:
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if isinstance(value, Evidence):
                    yield value.source, facts.place(entry, (*way, "source"))
                elif isinstance(value, Plain) and field.key == "source":
                    yield value.text, facts.place(entry, way)
    for text in facts.texts():
        for mention in cited_sources(text.markdown):
            yield mention.id, text.place(mention.id, mention.before)
    for page in facts.pages:
        yield from page.sources
