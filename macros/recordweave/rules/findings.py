"""A rule about findings."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.values import Finding, walk
from recordweave.rules.facts import Facts, error

UNCERTAINTIES = {
    "inapplicable": "say why the question does not arise here",
    "uninspected": "say why nobody looked",
    "unpublished": "say why the value is not given here",
}
"""The words for which there is no finding, each with what their reasons have to say."""

NO_REASONS = frozenset(
    {*UNCERTAINTIES, "", "-", "–", "—", "?", "n/a", "na", "none", "no reason", "tbd", "todo", "unknown"}
)
"""What stands for a reason without being one."""


def uncertainties_have_reasons(facts: Facts) -> Iterator[Diagnostic]:
    """What is inapplicable or was not inspected comes with the reason; the word alone is no finding."""
    for entry in (*facts.collection.system.parts(), *facts.collection.analysis.entries()):
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if not isinstance(value, Finding):
                    continue
                word, sort = value.markdown.strip(" .…`*_\n").lower(), value.uncertainty
                if sort and word in NO_REASONS:
                    message = f"`{' '.join(value.markdown.split())}` is no reason for which something is {sort}"
                    yield error("missing-reason", message, facts.place(entry, (*way, sort)), UNCERTAINTIES[sort])
                elif not sort and word in UNCERTAINTIES:
                    message = f"`{word}` stands without the reason"
                    hint = f"write `{word}:` on a line of its own, indented, with the reason behind it"
                    yield error("missing-reason", message, facts.place(entry, way), hint)
