"""Runs a command, and measures how long it takes and how much memory its processes have."""

import resource
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.1
"""Seconds between two looks at the memory, which take the measured processes some of their time."""


@dataclass(frozen=True)
class Measured:
    """Seconds from the start of a command to its end, and those that processors worked for it, which say more where
    something else runs beside it; the most megabytes that its processes had together, with what they share counted
    once, and the most that one of them had.
    """

    seconds: float
    worked: float
    memory: float
    largest: float


def measure(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Measured:
    """Run a command in a folder to its end, which has to be a good one; what it printed is in the error otherwise."""
    most = largest = 0.0
    with tempfile.TemporaryFile() as output:
        begun, worked = time.perf_counter(), _worked()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        known = {process.pid}
        ends: list[float] = []
        waiting = threading.Thread(target=lambda: ends.append((process.wait(), time.perf_counter())[1]))
        waiting.start()
        while not ends:
            # For a moment one that has just been begun has all the memory of the one that began it: not counted yet.
            family = set(_family(process.pid))
            sizes = [_megabytes(each) for each in family & known]
            most, largest, known = max(most, sum(sizes)), max(largest, *sizes), family
            waiting.join(INTERVAL)
        took = ends[0] - begun
        output.seek(0)
        assert process.returncode == 0, f"{' '.join(command)}:\n{output.read().decode(errors='replace')}"
    return Measured(took, _worked() - worked, most, largest)


def _family(process: int) -> list[int]:
    """A process and those that it has begun."""
    try:
        begun = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(each for one in begun for each in _family(int(one)))]


def _megabytes(process: int) -> float:
    """The memory of a process, where each of several that share some has its part of it; 0 for one that is gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def _worked() -> float:
    """The seconds of processors that all ended processes begun from here have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
