"""How long a large collection takes to check, and how much memory: `python -m tests.benchmark.check [SYSTEMS]`.

Prints, for a first check, for one of which nothing has changed since, and for one after a change to one file: seconds
from the start of the command to its end, and the most memory that its processes had at once.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmark.collection import make

COMMAND = [str(Path(sys.executable).with_name("recordweave")), "check"]
TIMES = 3


def main() -> None:
    systems = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        names = make(root, systems)
        os.environ["XDG_CACHE_HOME"] = str(Path(folder, "cache"))
        files = [path for path in root.rglob("*.*") if path.suffix in (".yml", ".md")]
        print(f"{systems} systems, {len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB")
        run(root)  # so that the files are in memory, and what Python compiles is compiled
        report("everything anew", [run(root, "--no-cache") for _ in range(TIMES)])
        report("nothing changed", [run(root) for _ in range(TIMES)])
        changed = []
        for number in range(TIMES):
            file = root / "records" / names[number] / "epistemic" / "objects.yml"
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace("label: ", f"label: {number} ", 1), encoding="utf-8")
            changed.append(run(root))
        report("one file changed", changed)


def report(what: str, measured: list[tuple[float, float]]) -> None:
    times = ", ".join(f"{seconds:.2f}" for seconds, _ in measured)
    print(f"{what:18} {times} s, at most {max(memory for _, memory in measured):.0f} MB")


def run(root: Path, *options: str) -> tuple[float, float]:
    """The seconds that one check takes, and the megabytes of all its processes together, shared ones once."""
    begun = time.perf_counter()
    process = subprocess.Popen([*COMMAND, "--root", str(root), *options], stdout=subprocess.PIPE, text=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, sum(map(memory, family(process.pid))))
        time.sleep(0.02)
    took = time.perf_counter() - begun
    told = process.stdout.read() if process.stdout else ""
    assert process.returncode == 0, told
    return took, most


def family(process: int) -> list[int]:
    """A process and those that it has begun."""
    try:
        begun = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(each for one in begun for each in family(int(one)))]


def memory(process: int) -> float:
    """The megabytes of a process, where each of several that share some has its part of it; 0 for one that is gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


if __name__ == "__main__":
    main()
