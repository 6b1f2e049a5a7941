"""Rules about evidence: the lines of a place in a source, and the revision that a search was made in."""

import re
from collections.abc import Iterator
from datetime import date

from recordweave.records.addresses import is_commit
from recordweave.records.diagnostic import Diagnostic
from recordweave.records.values import Evidence, Finding, walk
from recordweave.rules.facts import Facts, error

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def lines_are_in_a_file(facts: Facts) -> Iterator[Diagnostic]:
    """Lines are counted in a file, from the first to the last."""
    for entry in facts.collection.analysis.entries():
        for field in entry.fields:
            for way, value in walk(field.value, (*entry.origin.pointer, field.key)):
                if not isinstance(value, Evidence) or not value.lines:
                    continue
                place = facts.place(entry, (*way, "lines"))
                first, _, last = str(value.lines).partition("-")
                if last and int(last) < int(first):
                    message = f"the lines `{value.lines}` run backwards"
                    yield error("bad-lines", message, place, f"write `{last}-{first}`")
                if not value.path or value.path.endswith("/"):
                    what = f"`{value.path}` is a folder" if value.path else "there is no path"
                    message = f"`{value.lines}` are lines of no file: {what}"
                    yield error("bad-lines", message, place, "name the file that they are in")


def searches_name_a_revision(facts: Facts) -> Iterator[Diagnostic]:
    """An evidenced absence holds for what was searched: one commit, or a capture of one day."""
    for record in facts.collection.records:
        value = record.value("revision")
        if not isinstance(value, Finding) or value.uncertainty or is_commit(value.markdown) or is_day(value.markdown):
            continue
        place = facts.place(record, (*record.origin.pointer, "revision"))
        hint = "write the full commit that was searched, the date of a capture, or `unpublished:` with the reason"
        yield error("bad-address", f"`{value.markdown}` is not a revision", place, hint)


def captures_are_of_a_day(facts: Facts) -> Iterator[Diagnostic]:
    """What the register gives as the date of a capture is a day of the calendar. Other words for a state may stand."""
    for source in facts.collection.system.sources:
        given = source.revision
        if (
            source.kind != "git"
            and not given.uncertainty
            and _DAY.fullmatch(given.markdown)
            and not is_day(given.markdown)
        ):
            place = facts.loaded.place(source.origin, (*source.origin.pointer, "revision"))
            message = f"`{given.markdown}` is not a day of the calendar"
            yield error("bad-address", message, place, "write year, month and day of the capture, as in `2026-05-04`")


def is_day(text: str) -> bool:
    """Whether a text is a date of the calendar, written `2026-05-04`."""
    try:
        return _DAY.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False
