"""Rules about what supersedes what."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.model import SUPERSESSIONS, Row
from recordweave.rules.facts import Facts, error


def _rows(facts: Facts) -> Iterator[tuple[Row, str, tuple[str, ...]]]:
    """Each row that says that a record is superseded, with that record and its successors."""
    for row in facts.collection.analysis.rows:
        if row.table == SUPERSESSIONS:
            yield row, row.owners[0], row.ids("by")


def nothing_supersedes_itself(facts: Facts) -> Iterator[Diagnostic]:
    """No record takes its own place."""
    for row, superseded, successors in _rows(facts):
        if superseded in successors:
            place = facts.place(row, (*row.origin.pointer, "by", successors.index(superseded)))
            hint = "name the record that takes its place"
            yield error("superseded-by-self", f"`{superseded}` is superseded by itself", place, hint)


def nothing_is_superseded_round_a_circle(facts: Facts) -> Iterator[Diagnostic]:
    """Who follows successors comes to an end. A circle is reported once, at its first record."""
    followed: dict[str, list[str]] = {}
    first: dict[str, Row] = {}
    for row, superseded, successors in _rows(facts):
        first.setdefault(superseded, row)
        followed.setdefault(superseded, []).extend(one for one in successors if one != superseded)
    reported: set[str] = set()
    for start, row in first.items():
        circle = () if start in reported else _circle(start, followed)
        if circle:
            reported.update(circle)
            named = " → ".join(f"`{each}`" for each in (*circle, start))
            message = f"these records are superseded by each other: {named}"
            place = facts.place(row, (*row.origin.pointer, "record"))
            yield error("supersession-cycle", message, place, "break the circle at one of them")


def _circle(start: str, followed: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The shortest way from a record to its successors and on, back to itself; empty where there is none."""
    before: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for one in followed.get(here, ()):
            if one == start:
                way = [here]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
            if one not in before:
                before[one] = here
                waiting.append(one)
    return ()


def nothing_is_superseded_twice(facts: Facts) -> Iterator[Diagnostic]:
    """One row says all of what takes a record's place."""
    first: dict[str, Row] = {}
    for row, superseded, _ in _rows(facts):
        before = first.setdefault(superseded, row)
        if before is not row:
            related = (("superseded first here", facts.place(before, (*before.origin.pointer, "record"))),)
            place = facts.place(row, (*row.origin.pointer, "record"))
            hint = "keep one of the two; parts that take its place together stand in one `by`"
            yield error("superseded-twice", f"`{superseded}` is superseded twice", place, hint, related)


def several_are_parts(facts: Facts) -> Iterator[Diagnostic]:
    """Several records take the place of one only as its parts. What a withheld record is part of cannot be told."""
    for row, superseded, successors in _rows(facts):
        for number, one in enumerate(successors if len(successors) > 1 else ()):
            record = facts.collection.record(one)
            if record and one != superseded and record.part_of != superseded:
                message = f"`{one}` is not part of `{superseded}`, which several records supersede here"
                place = facts.place(row, (*row.origin.pointer, "by", number))
                hint = f"name one record alone, or only such as have `part_of: {superseded}`"
                yield error("superseded-by-others", message, place, hint)
