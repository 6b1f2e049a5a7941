"""Rules about what is cited: records, wherever they are named, and sources."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Diagnostic, Place, did_you_mean
from recordweave.records.ids import between, is_broken, is_source_id, kind_of, prefix_of, seen, split
from recordweave.records.model import Annotation, Record
from recordweave.records.text import cited, cited_ranges, cited_sources, refused_links
from recordweave.records.values import Evidence, Plain, walk
from recordweave.rules.facts import Facts, error, warning
from recordweave.sources.prose import Prose
from recordweave.sources.repository import Loaded

NEAR_ID = 0.8
"""How near one ID has to be to another to have been meant; by prefix and kind alone many are alike."""


def records_exist(facts: Facts) -> Iterator[Diagnostic]:
    """Every record that is cited is declared, or belongs to a withheld member."""
    if all(facts.library.find(one) for one in (*facts.collection.cited, *facts.collection.mentioned)):
        return  # as a rule; to find out where each is cited takes long
    misnamed = set(_misnamed(facts.near_misses, facts.library, facts.systems))
    for reference, place in _cited(facts):
        if place not in misnamed:
            yield from _record_exists(reference, place, facts.library, facts.systems)


def _misnamed(
    near: Iterable[tuple[str, str, Place]], library: Library, systems: Mapping[str, Loaded]
) -> Iterator[Place]:
    """The places of IDs that are only a part of what was meant, which is another fault."""
    for written, meant, place in near:
        if is_broken(written) and not _is_there(meant, library):
            continue
        system, one = split(meant)
        if system in systems:
            yield replace(place, column=place.column + len(written) - len(one))
        elif is_broken(written):
            yield place


def _is_there(reference: str, library: Library) -> bool:
    return bool(library.find_source(reference) if is_source_id(reference) else library.find(reference))


def _cited(facts: Facts) -> Iterator[tuple[str, Place]]:
    for entry in facts.collection.analysis.entries():
        own = entry.origin.pointer
        if isinstance(entry, Record) and entry.part_of:
            yield entry.part_of, facts.place(entry, (*own, "part_of"))
        if isinstance(entry, Annotation):
            yield entry.on, facts.place(entry, (*own, "on"))
        for way, record_id in entry.held_ids():
            yield record_id, facts.place(entry, way)
    for text in facts.texts:
        for mention in cited(text.markdown):
            yield mention.id, text.place(mention.id, mention.before)
    for page in facts.pages:
        yield from page.mentions


def _record_exists(
    reference: str, place: Place, library: Library, systems: Mapping[str, Loaded]
) -> Iterator[Diagnostic]:
    if library.find(reference):
        return
    if nowhere := _in_no_system("unknown-id", reference, place, library, systems):
        yield nowhere
        return
    named, one = split(reference)
    collection = library.systems.get(named) if named else library.home
    if collection is None or systems[collection.system.name].may_declare(one):
        return  # what that system declares cannot be told, which is another fault
    if new := library.renamed(reference):
        yield error("former-id", f"`{one}` is now called `{split(new)[1]}`", place, f"write `{new}`")
        return
    where = f" in `{named}`" if named else ""
    yield error("unknown-id", f"`{one}` is not declared{where}", place, hint_for(collection, one, foreign=bool(named)))


def _in_no_system(
    code: str, reference: str, place: Place, library: Library, systems: Mapping[str, Loaded]
) -> Diagnostic | None:
    """The fault of a reference that names no system where it has to, or one that there is not; else nothing."""
    named, one = split(reference)
    if not named and library.home is None:
        message, hint = library.nameless(one)
        return error(code, message, place, hint)
    if named and named not in systems:
        hint = did_you_mean(named, systems) or "put a space behind the colon if no system is meant"
        return error(code, f"there is no system `{named}`", place, hint)
    return None


def hint_for(collection: Collection, record_id: str, *, foreign: bool = False) -> str:
    """How to mend a reference to nothing: the nearest ID, or the file in which it would be declared.

    What is `foreign` is written in the files of another system.
    """
    system = collection.system.name
    near = did_you_mean(record_id, collection.near, NEAR_ID)
    member = collection.member_of(record_id)
    if near:
        return near
    if member is None:
        prefix = prefix_of(record_id)
        wrong = f"no member has the prefix `{prefix}`" if prefix else "it has no prefix to tell whose it is"
        right = dict.fromkeys(f"`{each.prefix}`" for each in collection.system.members if each.prefix)
        return f"{wrong}; the prefixes are {', '.join(right)}"
    if not member.published:
        file = f"`records/{system}/system.yml`" if foreign else "`system.yml`"
        return f"add it to `records` of the member `{member.name}` in {file}"
    return f"declare it in `records/{system}/{member.name}/{kind_of(record_id).stem}.yml`"


def mentions_are_well_formed(facts: Facts) -> Iterator[Diagnostic]:
    """What looks like an ID is written as one: in capitals, with plain hyphens, and nothing in it or stuck to it."""
    for written, meant, place in facts.near_misses:
        yield from _near_miss(written, meant, place, facts.library)


def _near_miss(written: str, meant: str, place: Place, library: Library) -> Iterator[Diagnostic]:
    system, one = split(meant)
    if is_broken(written):
        yield from _broken(written, meant, place, library)
        return
    if system and system not in library.systems:
        if written.endswith(one):
            return  # a word before the colon that names no system, and a proper ID behind it
        system, meant = "", one
    source = one.startswith("SRC-")
    message = f"`{written}` looks like the ID of a {'source' if source else 'record'} and is not one"
    if seen(written) != written:
        message = f"`{seen(written)}` has a soft hyphen in it, or another character that is not seen"
    collection = library.systems.get(system) if system else library.home
    if collection is None:
        owned = any(each.system.source(one) if source else each.has_page(one) for each in library.systems.values())
        if owned:
            yield error("near-miss", message, place, library.nameless(one)[1])
        return
    if source:
        known = [each.id for each in collection.system.sources]
        if one in known or written.startswith("SRC-"):
            register = ", ".join(f"`{each}`" for each in known)
            yield error(
                "near-miss", message, place, f"write `{meant}`" if one in known else f"the register has {register}"
            )
        return
    prefixes = {member.prefix for member in collection.system.members if member.prefix}
    is_known = library.find(meant) is not None
    if not is_known and one.partition("-")[0] not in prefixes:
        return
    near = did_you_mean(one, collection.near, NEAR_ID)
    hint = f"write `{meant}`" if is_known else near or "write it as `PREFIX-KIND-name`"
    yield error("near-miss", message, place, hint)


def _broken(written: str, meant: str, place: Place, library: Library) -> Iterator[Diagnostic]:
    """An ID in two pieces, or one that stands apart from the system that it may be of."""
    system, one = split(meant)
    if not _is_there(meant, library) or (library.home and system == library.home.system.name):
        return
    shown = " ".join(written.split())
    if system and library.home and _is_there(one, library):
        message = f"`{one}` behind `{system}:` and a space is this system's own"
        hint = f"write `{meant}`, or do without the colon if it is meant"
        yield warning("near-miss", message, place, hint)
        return
    what = "source" if is_source_id(meant) else "record"
    message = f"`{shown}` looks like the ID of a {what} and is not one"
    yield error("near-miss", message, place, f"write `{meant}`, without a space or a new line in it")


def ranges_are_written_out(facts: Facts) -> Iterator[Diagnostic]:
    """A range of numbered records leads to its ends alone; a reader of those between would not be led here."""
    for text in facts.texts:
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
    for text in facts.texts:
        for part in refused_links(text.markdown):
            message = f"no link can be made to `{part.written}`, so this is shown as it was written"
            hint = "link to `https://…`, to `mailto:…` or to the ID of a record, or put the text into backticks"
            yield warning("bad-address", message, text.place(part.written, part.before), hint)


def sources_exist(facts: Facts) -> Iterator[Diagnostic]:
    """Every source that evidence cites is in the register."""
    lost = [(each, place()) for each, place in _cited_sources(facts) if not facts.library.find_source(each)]
    misnamed = set(_misnamed(facts.near_misses, facts.library, facts.systems)) if lost else ()
    for reference, place in lost:
        if place not in misnamed:
            yield from _source_exists(reference, place, facts.library, facts.systems)


def _known(place: Place) -> Place:
    return place


def _source_exists(
    reference: str, place: Place, library: Library, systems: Mapping[str, Loaded]
) -> Iterator[Diagnostic]:
    if library.find_source(reference):
        return
    if nowhere := _in_no_system("unknown-source", reference, place, library, systems):
        yield nowhere
        return
    named, one = split(reference)
    if collection := library.systems.get(named) if named else library.home:
        where = f" of `{named}`" if named else ""
        known = dict.fromkeys(f"`{source.id}`" for source in collection.system.sources)
        hint = f"the register has {', '.join(known)}"
        yield error("unknown-source", f"`{one}` is not in the source register{where}", place, hint)


def _cited_sources(facts: Facts) -> Iterator[tuple[str, Callable[[], Place]]]:
    """The sources that are cited, each with a way to ask for its place, which takes long."""
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if isinstance(value, Evidence):
                    yield value.source, partial(facts.place, entry, (*way, "source"))
                elif isinstance(value, Plain) and field.key == "source":
                    yield value.text, partial(facts.place, entry, way)
    for text in facts.texts:
        for mention in cited_sources(text.markdown):
            yield mention.id, partial(text.place, mention.id, mention.before)
    for page in facts.pages:
        yield from ((reference, partial(_known, place)) for reference, place in page.sources)


def of_the_portal(pages: Iterable[Prose], library: Library, systems: Mapping[str, Loaded]) -> Iterator[Diagnostic]:
    """The same for pages that belong to no system, where a reference has to name one."""
    for page in pages:
        misnamed = set(_misnamed(page.near_misses, library, systems))
        for reference, place in page.mentions:
            if place not in misnamed:
                yield from _record_exists(reference, place, library, systems)
        for reference, place in page.sources:
            if place not in misnamed:
                yield from _source_exists(reference, place, library, systems)
        for written, meant, place in page.near_misses:
            yield from _near_miss(written, meant, place, library)
        for start, end, place in page.ranges:
            yield _range(start, end, place)
