"""The usual sections of the reports that every analyst knows, by the name of the member, in order."""

from recordweave.records.model import Section

_SHARED = Section("Shared records", ("records",))
_ANNOTATIONS = Section("Annotations", ("annotations",))

STANDARD_SECTIONS: dict[str, tuple[Section, ...]] = {
    "runtime": (Section("Runtime account"), _SHARED, _ANNOTATIONS),
    "workflow": (Section("Workflow account"), _SHARED, _ANNOTATIONS),
    "memory": (
        Section("Boundary and evidence", ("coverage",)),
        Section("Core ideas"),
        _SHARED,
        _ANNOTATIONS,
        Section("Write side"),
        Section("Read-back"),
        Section("Integration issues", ("integration-issues",)),
        Section("Limitations and checks"),
    ),
    "epistemic": (
        Section("Source-and-claim boundary", ("coverage",)),
        Section("Epistemic-object inventory", ("inventory",)),
        Section("Authority-route ledger", ("ledger",)),
        Section("System-claim versus route comparison", ("claim-comparison",)),
        Section("Bounded conclusion"),
        _SHARED,
    ),
    "reconciliation": (
        Section("Amendments", ("amendments",)),
        Section("Supersessions", ("supersessions",)),
        Section("Unresolved conflicts"),
        Section("Integration dispositions"),
    ),
    "memory-profile": (Section("Scope"), Section("Ten comparison axes"), Section("Comparison rationale")),
}
