"""A rule about amendments."""

from collections.abc import Iterator, Mapping

from recordweave.records.diagnostic import Diagnostic, did_you_mean, nearest
from recordweave.records.ids import kind_of
from recordweave.records.model import AMENDMENTS
from recordweave.records.values import Plain
from recordweave.rules.facts import Facts, error

NEAR_KEY = 0.7
"""How near one key has to be to another to have been meant."""


def fields_are_those_of_the_record(facts: Facts) -> Iterator[Diagnostic]:
    """What is amended is a field that records of that kind can have. What kind a record is, its ID says."""
    analysis = facts.collection.analysis
    for row in analysis.rows:
        field = row.value("field")
        if row.table != AMENDMENTS or not isinstance(field, Plain):
            continue
        kind = kind_of(row.owners[0])
        known = analysis.record_fields[kind.stem]
        if field.text not in known:
            message = f"`{field.text}` is not a field of {kind.with_article}"
            hint = _hint(field.text, known)
            if field.text == "id":
                message = "the ID of a record cannot be amended"
                hint = "an ID is for keeps; another record can supersede this one"
            yield error("unknown-key", message, facts.place(row, (*row.origin.pointer, "field")), hint)


def _hint(wrong: str, known: Mapping[str, str]) -> str:
    """The nearest key; the author may have written its title as well."""
    keys = {title: key for key, title in known.items()}
    title = nearest(wrong, keys, 0.9)
    meant = f"did you mean `{keys[title]}`?" if title else did_you_mean(wrong, known, NEAR_KEY)
    return meant or "known here: " + ", ".join(f"`{each}`" for each in known)
