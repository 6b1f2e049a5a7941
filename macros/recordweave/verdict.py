"""From what was found, system by system, to what is told: without what others cite, what is waived, what is off."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recordweave.records.diagnostic import Diagnostic, Severity
from recordweave.records.severities import Severities, weighed
from recordweave.sources.waivers import Waiver, settle


@dataclass(frozen=True)
class Checked:
    """What came to light of one system, or of what belongs to none.

    `needed` are those of the faults that keep a page from being shown. `untied` says what is wrong with the records
    that nothing in their own system is tied to, by reference; `refers` are the references to records of others.
    `waivers` count, `idle` ones stand where none does. `files` are those that were read, `entries` how many records,
    rows and annotations they hold; `system` is the name of the system, if it is one, and `readable` false where it
    could not be read as a whole.
    """

    found: Sequence[Diagnostic]
    needed: Sequence[Diagnostic] = ()
    untied: Mapping[str, Diagnostic] = field(default_factory=dict)
    refers: frozenset[str] = frozenset()
    waivers: Sequence[Waiver] = ()
    idle: Sequence[Waiver] = ()
    files: Sequence[str] = ()
    entries: int = 0
    system: str = ""
    readable: bool = True


def verdict(checked: Sequence[Checked], severities: Severities) -> list[Diagnostic]:
    """Everything there is to complain of: sorted by place, each once, as the project weighs it."""
    cited = frozenset(one for each in checked for one in each.refers)
    untied = [fault for each in checked for one, fault in each.untied.items() if one not in cited]
    found = dict.fromkeys([fault for each in checked for fault in each.found] + untied)
    needed = {fault for each in checked for fault in each.needed if fault.severity is Severity.ERROR}
    waivers = [waiver for each in checked for waiver in each.waivers]
    idle = [waiver for each in checked for waiver in each.idle]
    settled = settle(found, waivers, needed, idle)
    left = {fault for fault in settled.left if fault.severity is Severity.ERROR}
    unsure = {file for each in checked if not each.readable or not left.isdisjoint(each.found) for file in each.files}
    unused = [fault for fault in settled.unused if fault.place.file not in unsure]
    return in_order(weighed((*settled.left, *settled.faults, *unused), severities, needed))


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, then by code."""
    return sorted(diagnostics, key=lambda each: (each.place, each.code, each.message))
