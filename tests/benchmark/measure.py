"""Runs a command, and measures how long it takes and how much memory its processes have."""

import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.02
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Measured:
    """Seconds from the start of a command to its end; the most megabytes that its processes had together, with what
    they share counted once, and the most that one of them had.
    """

    seconds: float
    memory: float
    largest: float


def measure(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Measured:
    """Run a command in a folder to its end, which has to be a good one; what it printed is in the error otherwise."""
    most = largest = 0.0
    with tempfile.TemporaryFile() as output:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        while process.poll() is None:
            # One that has begun another, which has not loaded its own program yet, shares all with it: these are one.
            sizes = [_megabytes(told) for told in {_memory(each) for each in _family(process.pid)}]
            most, largest = max(most, sum(sizes)), max(largest, *sizes)
            time.sleep(INTERVAL)
        took = time.perf_counter() - begun
        output.seek(0)
        assert process.returncode == 0, f"{' '.join(command)}:\n{output.read().decode(errors='replace')}"
    return Measured(took, most, largest)


def _family(process: int) -> list[int]:
    """A process and those that it has begun."""
    try:
        begun = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(each for one in begun for each in _family(int(one)))]


def _memory(process: int) -> str:
    """What the system tells of the memory of a process; nothing for one that is gone."""
    try:
        return Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return ""


def _megabytes(told: str) -> float:
    """The memory of a process, where each of several that share some has its part of it."""
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1000
