"""How the tables are laid out: a few wide columns that hold what matters, everything else one step away in the row.

A table of 17 columns is read by nobody. Related fields share a column, each under its own name; the rest unfolds
below the row. Nothing is left out or cut off.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the page: its heading, the keys of the fields that stand in it, and how wide it is beside others."""

    title: str
    keys: tuple[str, ...]
    share: int = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table, and the keys of the fields that unfold under each row."""

    title: str
    columns: tuple[Column, ...]
    more: tuple[str, ...] = ()


LAYOUTS: dict[str, Layout] = {
    "coverage": Layout(
        "Coverage",
        (
            Column("Entry point or operation", ("operation",)),
            Column("Source paths", ("source", "paths")),
            Column("Coverage", ("coverage",)),
            Column("Limit and conclusion prevented", ("limit",)),
        ),
    ),
    "inventory": Layout(
        "Object inventory",
        (
            Column("Objects", ("objects",), 14),
            Column("Candidate truth-apt content or none", ("content",)),
            Column("Claimed role", ("role",)),
            Column("Evidence", ("evidence",)),
            Column("Gap or limit", ("gap",)),
        ),
    ),
    "ledger": Layout(
        "Authority-route ledger",
        (
            Column("Route, function and objects", ("routes", "function", "status", "objects"), 15),
            Column("What changes or is checked", ("relation", "target")),
            Column("Result and force", ("result", "force")),
            Column("What it licenses", ("epistemic_authority", "operational_authority")),
            Column("Gap or limit", ("gap", "mismatch")),
        ),
        ("evaluator", "activation", "authority_path", "evidence", "claims"),
    ),
    "claim-comparison": Layout(
        "System claim versus route comparison",
        (
            Column("Claim and routes", ("claim", "operation", "claimed_by", "routes"), 15),
            Column("Support", ("design", "observed_run", "causal")),
            Column("Supported conclusion", ("conclusion",)),
            Column("Mismatch or unknown", ("mismatch",)),
        ),
    ),
    "integration-issues": Layout(
        "Integration issues",
        (
            Column("Issue", ("issue", "account"), 17),
            Column("Records concerned", ("concerns",)),
            Column("Evidence", ("evidence",)),
        ),
    ),
    "amendments": Layout(
        "Amendments",
        (
            Column("Amended record", ("record", "field")),
            Column("Superseded value", ("superseded",)),
            Column("Replacement", ("replacement",)),
            Column("Account and effect", ("account", "affected")),
            Column("Evidence", ("evidence",)),
        ),
    ),
    "supersessions": Layout(
        "Supersessions",
        (
            Column("Superseded record", ("record",)),
            Column("Superseded by", ("by",)),
            Column("Account", ("account",), 14),
            Column("Evidence", ("evidence",)),
        ),
    ),
}

GIST: dict[str, str] = {
    "coverage": "operation",
    "inventory": "content",
    "ledger": "target",
    "claim-comparison": "conclusion",
    "integration-issues": "issue",
    "amendments": "replacement",
    "supersessions": "account",
}
"""The field of a row that says most in short, where a row is told of elsewhere."""
