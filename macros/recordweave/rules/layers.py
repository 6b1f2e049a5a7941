"""Rules about the layers of evidence, and about the conclusions that rest on them."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.model import Entry, Record, Row, Source
from recordweave.records.values import Evidence, Pointer, Term, walk
from recordweave.rules.facts import Facts, error, warning

CODE, RUN, EXPERIMENT = "implementation", "observed run", "causal experiment"

RESTS_ON: dict[tuple[str, str], tuple[str, ...]] = {
    ("conclusion_status", "observed"): (RUN, EXPERIMENT),
    ("conclusion_status", "causally supported"): (EXPERIMENT,),
    ("architectural_status", "implemented"): (CODE,),
    ("architectural_status", "observed, implementation uninspected"): (RUN, EXPERIMENT),
}
"""For a value of a vocabulary, the layers one of which its evidence has to be of. An experiment is a run as well."""

SEEN = {CODE: "the code that was read", RUN: "the run that was seen", EXPERIMENT: "the experiment"}


def conclusions_rest_on_their_layer(facts: Facts) -> Iterator[Diagnostic]:
    """What is observed was seen in a run, what is implemented was read as code.

    It can be told only where evidence names its layer. What names none beside it may be of any that its source holds.
    """
    for entry in facts.collection.analysis.entries():
        for way, term in _statuses(entry):
            wanted = RESTS_ON.get((term.vocabulary, term.value))
            if wanted and (layers := _layers(entry, facts)) and not layers & set(wanted):
                what = f"`{way[-1]}` is `{term.value}`"
                message = f"{what}, and no evidence is of the layer {' or '.join(f'`{each}`' for each in wanted)}"
                hint = f"add {SEEN[wanted[0]]} as evidence with `layer: {wanted[0]}`, or choose another status"
                yield error("missing-layer", message, facts.place(entry, way), hint)


def sources_hold_the_layer(facts: Facts) -> Iterator[Diagnostic]:
    """Evidence is of one of the layers that the register has for its source."""
    held = {source.id: _held(source) for source in facts.collection.system.sources}
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, place in walk(field.value, (*entry.origin.pointer, field.key)):
                if (
                    isinstance(place, Evidence)
                    and place.layer
                    and place.layer not in held.get(place.source, (place.layer,))
                ):
                    message = f"`{place.source}` is not registered as holding the layer `{place.layer}`"
                    layers = ", ".join(f"`{each}`" for each in held[place.source])
                    hint = f"its `layers` in `system.yml` are {layers}; add it there, or name one of them"
                    yield warning("wrong-layer", message, facts.place(entry, (*way, "layer")), hint)


def _held(source: Source) -> list[str]:
    """The layers that a source is registered with."""
    values = (field.value for field in source.fields if field.key == "layers")
    return [term.value for value in values for _, term in walk(value) if isinstance(term, Term)]


def _statuses(entry: Entry) -> Iterator[tuple[Pointer, Term]]:
    value = entry.value("status") if isinstance(entry, Record | Row) else None
    for way, part in walk(value, (*entry.origin.pointer, "status")) if value else ():
        if isinstance(part, Term):
            yield way, part


def _layers(entry: Entry, facts: Facts) -> set[str]:
    """The layers that the evidence of an entry may be of; none where that cannot be told."""
    value = entry.value("evidence")
    places = [part for _, part in walk(value) if isinstance(part, Evidence)] if value else []
    layers: set[str] = set()
    if not any(place.layer for place in places):
        return layers
    for place in places:
        source = facts.collection.system.source(place.source)
        if not place.layer and source is None:
            return set()
        layers |= {place.layer} if place.layer or source is None else set(_held(source))
    return layers
