"""A rule about findings."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.values import Finding, walk
from recordweave.rules.facts import Facts, error

UNCERTAINTIES = ("inapplicable", "uninspected", "unpublished")


def uncertainties_have_reasons(facts: Facts) -> Iterator[Diagnostic]:
    """What is inapplicable or was not inspected comes with the reason; the word alone is no finding."""
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if not isinstance(value, Finding) or value.uncertainty:
                    continue
                word = value.markdown.strip(" .\n").lower()
                if word in UNCERTAINTIES:
                    message = f"`{word}` stands without the reason"
                    hint = f"write `{word}:` on a line of its own, indented, with the reason behind it"
                    yield error("missing-reason", message, facts.place(entry, way), hint)
