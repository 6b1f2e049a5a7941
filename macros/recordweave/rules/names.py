"""A rule about the names that IDs give to records."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.ids import name_of, prefix_of
from recordweave.rules.facts import Facts, warning

MOST_WORDS = 3
"""So many words at most are in the name of a record."""


def names_are_a_few_words(facts: Facts) -> Iterator[Diagnostic]:
    """A name is one to three words that begin with letters. A number in its place is read, and said once a record.

    What is superseded has found its successor, and is let alone.
    """
    collection = facts.collection
    for record in collection.records:
        if collection.record(record.id) is not record or collection.superseded_in(record.id):
            continue
        place = facts.place(record, (*record.origin.pointer, "id"))
        words = name_of(record.id).split("-")
        keep = "once it is published, let a new record supersede this one instead: an ID is for keeps"
        if words[-1].isdigit() and len(words) == 1:
            what = "has a number for a name" if prefix_of(record.id) else "has no prefix, and a number for a name"
            message = f"`{record.id}` {what}, as IDs of older sets do"
            yield warning("legacy-id", message, place, f"name it in words, as in `EPI-RTE-answer-match`; {keep}")
        elif odd := next((word for word in words if word[0].isdigit()), ""):
            message = f"the word `{odd}` in the name of `{record.id}` does not begin with a letter"
            yield warning("id-form", message, place, f"begin every word with a letter; {keep}")
        elif len(words) > MOST_WORDS:
            message = f"the name of `{record.id}` has {len(words)} words"
            yield warning("id-form", message, place, f"choose {MOST_WORDS} at most; {keep}")
