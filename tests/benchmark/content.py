"""What the build benchmark builds: systems of five reports, sixty records and a ledger, no two of which say the same.

The words are drawn from short lists, by the system's own name, so that every run gets the same content. What stands
here knows no generator of sites: records and rows are as in the YAML files of a repository, and a text mentions a
record by its ID.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from recordweave.records.ids import KIND_BY_CODE

RECORDS = {"CMP": 4, "OBJ": 22, "RTE": 22, "CLM": 6, "ABS": 3, "BAP": 3}
"""How many records of each kind a system has: sixty."""

ROWS = 25
LEDGER = "epistemic"
"""The report that has the ledger."""

_PREFIXES = {"runtime": "RT", "memory": "MEM", LEDGER: "EPI", "planning": "PLN", "tools": "TLS"}
_SECTIONS = 4

_QUALITIES = ("bounded", "cached", "deferred", "early", "final", "guarded", "hidden", "merged", "ranked", "shared")
_THINGS = ("buffer", "digest", "filter", "graph", "journal", "ledger", "outline", "prompt", "record", "summary")
_AGENTS = ("The driver", "The planner", "A helper", "The store", "A model", "The parser", "One worker", "The reader")
_ACTS = ("keeps", "drops", "rewrites", "compares", "forwards", "admits", "ranks", "reads back", "copies", "withdraws")
_WHENS = (
    "before the next request",
    "after every turn",
    "when the budget allows it",
    "without asking anybody",
    "at the end of the attempt",
    "only where a rule says so",
    "once for each observation",
    "as far as the source shows",
)
_FUNCTIONS = (
    "content transformation",
    "check/evidence production",
    "disposition/acceptance",
    "retention",
    "lifecycle integration",
    "operational admission/selection/consumption",
)
_FORCES = ("advisory", "ranking", "permissive", "enforcing")


@dataclass(frozen=True)
class Report:
    """A report: the records that it declares, as in the YAML files, by kind; its prose, a heading to its paragraphs."""

    name: str
    title: str
    prefix: str
    summary: str
    records: dict[str, list[dict[str, Any]]]
    sections: dict[str, list[str]]


@dataclass(frozen=True)
class System:
    """A system: its reports, and the rows of the ledger, which one of them has."""

    name: str
    label: str
    summary: str
    reports: Sequence[Report]
    rows: Sequence[dict[str, Any]]

    @property
    def records(self) -> Iterator[dict[str, Any]]:
        return (each for report in self.reports for records in report.records.values() for each in records)


def systems(count: int) -> list[System]:
    """So many systems; some records of each mention one of the system before."""
    names = [f"agent-{number:03}" for number in range(count)]
    return [_Writer(name, before).system() for before, name in zip([names[-1], *names], names, strict=False)]


class _Writer:
    """Writes one system. All systems have the same number of records, under IDs of their own."""

    def __init__(self, name: str, before: str) -> None:
        self.name, self.before = name, before
        self.chance = Random(name)
        self.ids = _ids(name)
        self.ids_before = _ids(before)

    def system(self) -> System:
        label = self.name.replace("-", " ").title()
        cited = iter([*self.ids[1:], self.ids[0]])  # every record is mentioned by the one before it
        made = {record_id: self.record(record_id, next(cited)) for record_id in self.ids}
        reports = [self.report(name, made) for name in _PREFIXES]
        return System(self.name, label, self.prose(2), reports, [self.row(number) for number in range(ROWS)])

    def report(self, name: str, made: dict[str, dict[str, Any]]) -> Report:
        prefix = _PREFIXES[name]
        records = {
            KIND_BY_CODE[code].stem: found
            for code in RECORDS
            if (found := [record for each, record in made.items() if each.startswith(f"{prefix}-{code}-")])
        }
        sections = {
            f"{self.sentence()[:-1]}": [f"{self.prose(4)} See {self.any()} and {self.any()}." for _ in range(3)]
            for _ in range(_SECTIONS)
        }
        return Report(name, f"{name.title()} report", prefix, self.prose(2), records, sections)

    def record(self, record_id: str, cites: str) -> dict[str, Any]:
        _, code, name = record_id.split("-", 2)
        label = f"{name.replace('-', ' ').capitalize()} of {self.name}"
        return {
            "id": record_id,
            "label": label,
            **getattr(self, f"fields_of_{code.casefold()}")(),
            "body": f"{self.prose(4)} See {cites}.\n\n{self.prose(3)} The like is {self.any()}{self.elsewhere()}.",
            "evidence": [self.evidence(), {**self.evidence(), "shows": self.prose(1)}],
        }

    def fields_of_cmp(self) -> dict[str, Any]:
        return self.fields_of_obj()

    def fields_of_obj(self) -> dict[str, Any]:
        return {
            "identity": self.prose(1),
            "form": {"symbolic": self.prose(1), "natural-language": self.prose(1)},
            "substrate": self.prose(1),
            "lineage": f"{self.prose(1)} It comes from {self.any('RTE')}.",
        }

    def fields_of_rte(self) -> dict[str, Any]:
        fields = (
            "immediate_return later_read_back delegated_visibility selection_predicate invalidation_or_expiry "
            "activation_or_effect evidence_limits"
        )
        return {
            "endpoints": [self.prose(1) for _ in range(4)],
            "owner": self.prose(1),
            "status": {"implementation": "wired", "operation": "uninspected"},
            "fields": {field: self.prose(2) for field in fields.split()},
            "decider": f"{self.prose(1)} It acts on {self.any('OBJ')}.",
        }

    def fields_of_clm(self) -> dict[str, Any]:
        return {"operation": self.prose(2), "claimed_by": [{**self.evidence(), "layer": "doctrine/design"}]}

    def fields_of_abs(self) -> dict[str, Any]:
        return {
            "status": "absent",
            "searched_roots": ["agent/", "tools/"],
            "query": self.prose(1),
            "revision": {"unpublished": "The report names no commit."},
            "conclusion": self.prose(1),
        }

    def fields_of_bap(self) -> dict[str, Any]:
        return {
            "consumer": f"{self.prose(1)} It is {self.any('CMP')}.",
            "channel": self.prose(1),
            "force": [self.chance.choice(_FORCES)],
            "horizon": self.prose(1),
        }

    def row(self, number: int) -> dict[str, Any]:
        """A row of seventeen cells."""
        routes, objects = self.of("RTE"), self.of("OBJ")
        return {
            "routes": [routes[number % len(routes)]],
            "function": self.chance.choice(_FUNCTIONS),
            "status": "implemented",
            "objects": [objects[number % len(objects)]],
            "relation": "no content change",
            "target": self.prose(1),
            "evaluator": {"see": ["route"]},
            "activation": self.prose(1),
            "result": {"see": ["route"]},
            "force": self.prose(1),
            "epistemic_authority": self.prose(1),
            "operational_authority": self.prose(1),
            "authority_path": {"see": [self.any("BAP")]},
            "evidence": [self.evidence()],
            "claims": [self.any("CLM")],
            "mismatch": "none",
            "gap": f"{self.prose(1)} See {self.any('OBJ')}.",
        }

    def of(self, code: str) -> list[str]:
        return [each for each in self.ids if f"-{code}-" in each]

    def any(self, code: str = "") -> str:
        return self.chance.choice(self.of(code) if code else self.ids)

    def elsewhere(self) -> str:
        """In one record of ten, a mention of a record of the system before."""
        return (
            f", and {self.before}:{self.chance.choice(self.ids_before)} elsewhere" if self.chance.random() < 0.1 else ""
        )

    def evidence(self) -> dict[str, Any]:
        first = self.chance.randrange(1, 300)
        return {"source": "SRC-1", "path": f"agent/{self.chance.choice(_THINGS)}.py", "lines": f"{first}-{first + 9}"}

    def prose(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def sentence(self) -> str:
        one, other = (f"{self.chance.choice(_QUALITIES)} {self.chance.choice(_THINGS)}" for _ in range(2))
        agent, act, when = (self.chance.choice(each) for each in (_AGENTS, _ACTS, _WHENS))
        return f"{agent} of {self.name} {act} the {one} next to the {other}, {when}."


def _ids(system: str) -> list[str]:
    """The IDs of a system's records, kind after kind, dealt to its reports in turn."""
    names = ["-".join(words) for words in product(_QUALITIES, _THINGS)]
    Random(f"{system}'s IDs").shuffle(names)
    codes = [code for code, count in RECORDS.items() for _ in range(count)]
    prefixes = list(_PREFIXES.values())
    return [f"{prefixes[at % len(prefixes)]}-{code}-{names[at]}" for at, code in enumerate(codes)]
