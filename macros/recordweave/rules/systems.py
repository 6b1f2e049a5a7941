"""Rules about `system.yml`: names, prefixes, sources and addresses."""

from collections.abc import Iterator

from recordweave.records.addresses import is_commit, is_repository
from recordweave.records.diagnostic import Diagnostic, Place
from recordweave.records.ids import prefix_of
from recordweave.records.model import Origin, Section
from recordweave.records.values import Finding
from recordweave.rules.facts import Facts, error
from recordweave.sources.repository import RESERVED


def names_are_unique(facts: Facts) -> Iterator[Diagnostic]:
    """Sources have different IDs, members different names and prefixes."""
    system = facts.collection.system
    named: list[tuple[str, str, str, Origin]] = [
        *(("source", "id", source.id, source.origin) for source in system.sources),
        *(("member", "name", member.name, member.origin) for member in system.members),
        *(("member", "prefix", member.prefix, member.origin) for member in system.members if member.prefix),
    ]
    first: dict[tuple[str, str], Origin] = {}
    for what, key, name, origin in named:
        here = facts.loaded.place(origin, (*origin.pointer, key))
        if (key, name) in first:
            before = first[key, name]
            related = (("the first one", facts.loaded.place(before, (*before.pointer, key))),)
            yield error("duplicate-name", f"two {what}s have the {key} `{name}`", here, "give each its own", related)
        first.setdefault((key, name), origin)


def names_are_free(facts: Facts) -> Iterator[Diagnostic]:
    """A member's name is the address of its report, and may not be one that the site itself uses."""
    for member in facts.collection.system.members:
        if member.name in RESERVED:
            place = facts.loaded.place(member.origin, (*member.origin.pointer, "name"))
            message = f"`{member.name}` cannot be the name of a member: the site itself uses this address"
            yield error("reserved-name", message, place, "choose another name")


def addresses_can_be_published(facts: Facts) -> Iterator[Diagnostic]:
    """A repository is an https address without parameters; the revision of a git source is a full commit."""
    for source in facts.collection.system.sources:
        repository, revision = source.repository, source.revision
        if _given(repository) and not is_repository(repository.markdown):
            place = facts.loaded.place(source.origin, (*source.origin.pointer, "repository"))
            message = f"`{repository.markdown}` is not the address of a repository"
            yield error(
                "bad-address",
                message,
                place,
                "write `https://host/owner/name`, without a port, a query or `..`",
            )
        if source.kind == "git" and _given(revision) and not is_commit(revision.markdown):
            place = facts.loaded.place(source.origin, (*source.origin.pointer, "revision"))
            message = f"`{revision.markdown}` is not a full commit"
            yield error("bad-address", message, place, "write all 40 (or 64) hexadecimal digits, in lower case")


def _given(value: Finding) -> bool:
    return bool(value.markdown) and not value.uncertainty


def sections_show_once(facts: Facts) -> Iterator[Diagnostic]:
    """What the sections of a report show stands in one of them; `records` are the records of all kinds."""
    for member in facts.collection.system.members:
        before: dict[str, Place] = {}
        for number, section in enumerate(member.sections):
            for index, stem in enumerate(section.shows):
                way = (*member.origin.pointer, "sections", number, "shows", index)
                place = facts.loaded.place(member.origin, way)
                if stem in before:
                    related = (("shown first here", before[stem]),)
                    message = f"`{stem}` is shown twice in the report"
                    yield error("shown-twice", message, place, "keep it in one of the sections", related)
                for each in Section.excluded_by(stem):
                    before.setdefault(each, place)


def listed_records_are_the_members(facts: Facts) -> Iterator[Diagnostic]:
    """The records that a withheld member lists have its prefix."""
    for member in facts.collection.system.members:
        for number, record_id in enumerate(member.records or ()):
            if prefix_of(record_id) != member.prefix:
                place = facts.loaded.place(member.origin, (*member.origin.pointer, "records", number))
                message = f"`{record_id}` does not have the prefix `{member.prefix}` of the member that lists it"
                yield error("wrong-file", message, place, "list it with its own member")
