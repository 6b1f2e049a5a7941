"""How long sites of many systems take to build: `python -m tests.benchmark.build [SYSTEMS ...] [--times TIMES]`.

Everything is built on two cores, on Linux. Prints, for each number of systems: the seconds of the quickest run and how
far the slowest was from it; the least that the processors worked for one; the most memory of all processes together and
of the largest one; the HTML pages written; seconds a system; and the seconds as a multiple of those in which plain
MkDocs and Hugo build everything.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmark import tools
from tests.benchmark.content import System, systems
from tests.benchmark.measure import Measured, measure
from tests.benchmark.peers import page_of, write_hugo, write_mkdocs
from tests.benchmark.repository import write_repository

CORES = 2
SIZES = (3, 20, 100)
PLAIN, HUGO = "plain MkDocs, cold", "Hugo, cold"

Write = Callable[[Path, Sequence[System]], None]


@dataclass(frozen=True)
class Result:
    """What some runs of the same build took, and how many pages the last of them left."""

    what: str
    runs: Sequence[Measured]
    pages: int

    @property
    def seconds(self) -> float:
        return min(run.seconds for run in self.runs)

    @property
    def spread(self) -> float:
        return max(run.seconds for run in self.runs) - self.seconds


class Bench:
    """Builds `count` systems with each generator, and each build `times` times; all that is written is in `folder`."""

    def __init__(self, folder: Path, count: int, times: int) -> None:
        self.folder, self.times = folder, times
        self.systems = systems(count)
        self.results: list[Result] = []
        self.left_out: list[str] = []

    def ours(self) -> None:
        command = [tools.OURS, "build", "--strict"]
        self.cold("recordweave, cold", write_repository, command)
        self.again("recordweave, nothing changed", command)
        self.again("recordweave, a label edited", command, self.edit_ours)

    def plain_mkdocs(self) -> None:
        mkdocs = tools.plain_mkdocs()
        self.cold(PLAIN, write_mkdocs, [mkdocs, "build", "--strict"])
        self.again("plain MkDocs, --dirty, edited", [mkdocs, "build", "--dirty"], self.edit_plain)

    def hugo(self) -> None:
        self.cold(HUGO, write_hugo, [tools.hugo(), "--destination", "site"])

    def cold(self, what: str, write: Write, command: Sequence[str]) -> None:
        """Each time in a folder with nothing but what an author wrote."""
        written, runs = self.folder / "written", []
        write(written, self.systems)
        for _ in range(self.times):
            for old in (self.root, self.cache):
                shutil.rmtree(old, ignore_errors=True)
            shutil.copytree(written, self.root)
            runs.append(self.run(command))
        shutil.rmtree(written)
        self.add(what, runs)

    def again(self, what: str, command: Sequence[str], edit: Callable[[int], None] = lambda number: None) -> None:
        """Each time over the site that stands there, in a process of its own."""
        runs = []
        for number in range(self.times):
            edit(number)
            runs.append(self.run(command))
        self.add(what, runs)

    def edit_ours(self, number: int) -> None:
        system = self.systems[number % len(self.systems)]
        _edit(self.root / "records" / system.name / "memory" / "objects.yml", "label: ", number)

    def edit_plain(self, number: int) -> None:
        system = self.systems[number % len(self.systems)]
        record = next(iter(system.records))
        _edit(self.root / "docs" / system.name / page_of(record["id"]), "title: ", number)

    @property
    def root(self) -> Path:
        return self.folder / "root"

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    def run(self, command: Sequence[str]) -> Measured:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        own = {"NO_MKDOCS_2_WARNING": "1", "XDG_CACHE_HOME": str(self.cache)}
        return measure(command, self.root, kept | own)

    def add(self, what: str, runs: Sequence[Measured]) -> None:
        self.results.append(Result(what, runs, sum(1 for _ in (self.root / "site").rglob("*.html"))))

    def everything(self) -> None:
        """Build with each generator that is here."""
        for name, build in (("recordweave", self.ours), ("plain MkDocs", self.plain_mkdocs), ("Hugo", self.hugo)):
            try:
                build()
            except tools.Missing as missing:
                self.left_out.append(f"{name} is left out: {missing}")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Time builds of sites of many systems.")
    arguments.add_argument("systems", nargs="*", type=int, default=SIZES, help="how many systems, once for each number")
    arguments.add_argument("--times", type=int, default=2, help="how often each build is run")
    chosen = arguments.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    told = run(2, 1).left_out  # so that the files are in memory, and what Python compiles is compiled
    print(*told, sep="\n", end="\n" if told else "")
    for count in chosen.systems:
        done = run(count, chosen.times)
        records = sum(1 for system in done.systems for _ in system.records)
        print(f"\n{count} systems, {records} records, best of {chosen.times}")
        print(*table(done.results, count), sep="\n", flush=True)


def run(count: int, times: int) -> Bench:
    """Build everything, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="recordweave_bench_") as folder:
        done = Bench(Path(folder), count, times)
        done.everything()
    return done


def table(results: Sequence[Result], count: int) -> Iterator[str]:
    """A line for each result."""
    peers = [next((each.seconds for each in results if each.what == peer), 0) for peer in (PLAIN, HUGO)]
    row = "{:30} {:>8} {:>7} {:>7} {:>6} {:>8} {:>6} {:>9} {:>9} {:>7}"
    yield row.format("", "seconds", "spread", "worked", "MB", "largest", "pages", "s/system", "x MkDocs", "x Hugo")
    for each in results:
        sizes = (f"{max(run.memory for run in each.runs):.0f}", f"{max(run.largest for run in each.runs):.0f}")
        ratios = (f"{each.seconds / peer:.2f}" if peer else "-" for peer in peers)
        times = (f"{each.seconds:.2f}", f"{each.spread:.2f}", f"{min(run.worked for run in each.runs):.2f}")
        yield row.format(each.what, *times, *sizes, each.pages, f"{each.seconds / count:.3f}", *ratios)


def _edit(file: Path, before: str, number: int) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, f"{before}Edit {number} of ", 1))


if __name__ == "__main__":
    main()
