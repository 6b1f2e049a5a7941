"""A rule about the comparison of claims with routes."""

from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.model import Row
from recordweave.rules.facts import Facts, warning


def claims_are_compared_once(facts: Facts) -> Iterator[Diagnostic]:
    """A row is about a claim, and all that a member's report holds against it stands there."""
    first: dict[tuple[str, str], Row] = {}
    for row in facts.collection.analysis.rows:
        if row.table != "claim-comparison":
            continue
        claim = row.owners[0]
        before = first.setdefault((row.member, claim), row)
        if before is not row:
            related = (("compared first here", facts.place(before, (*before.origin.pointer, "claim"))),)
            place = facts.place(row, (*row.origin.pointer, "claim"))
            hint = "name all its routes in one row, or declare two claims if two things are said"
            yield warning("compared-twice", f"`{row.member}` compares `{claim}` twice", place, hint, related)
