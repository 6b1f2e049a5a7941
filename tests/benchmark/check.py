"""How long a large collection takes to check, and how much memory: `python -m tests.benchmark.check [SYSTEMS]`.

Prints, for a first check, for one of which nothing has changed since, and for one after a change to one file: seconds
from the start of the command to its end, and the most memory that its processes had at once.
"""

import os
import sys
import tempfile
from pathlib import Path

from tests.benchmark.collection import make
from tests.benchmark.measure import Measured, measure

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


def report(what: str, measured: list[Measured]) -> None:
    times = ", ".join(f"{each.seconds:.2f}" for each in measured)
    print(f"{what:18} {times} s, at most {max(each.memory for each in measured):.0f} MB")


def run(root: Path, *options: str) -> Measured:
    return measure([*COMMAND, "--root", str(root), *options], root)


if __name__ == "__main__":
    main()
