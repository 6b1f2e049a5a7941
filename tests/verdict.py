"""What has to hold of a file, whatever it holds, and a command that holds many damaged files to it.

`python -m tests.verdict 0 10000` takes the damaged files of these numbers, `python -m tests.verdict large 0 400` large
ones, and `python -m tests.verdict show 17` tells what is said of one. It prints what is wrong, one a line, and is
silent where nothing is.
"""

import json
import re
import sys
import time
import traceback
import xml.etree.ElementTree as etree
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from jinja2 import Environment, TemplateSyntaxError

from recordweave import project
from recordweave.cli import FORMATS
from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.report.contents import Report
from recordweave.report.text import in_colour, in_text
from recordweave.sources import schemas
from tests.damage import Damaged, damaged, large, published

MOST_SECONDS = 2.0
MOST_MEGABYTES = 300


class Bench:
    """A folder in which files lie one after the other, each in the midst of the sound files of its system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder
        self.system = ""

    def lay(self, file: str, data: bytes) -> Path:
        """Put a file into its system, in the place of the sound one; a page of the portal lies beside one system."""
        name = file.split("/")[1]
        system = name if f"records/{name}/system.yml" in published() else "hipporag"
        if system != self.system:
            self.root = self.folder / system
            self.system = system
            if not self.root.exists():
                for each, sound in published().items():
                    if each.startswith(f"records/{system}/"):
                        self._write(each, sound)
                (self.root / "docs").mkdir()
        return self._write(file, data)

    def lift(self, file: str) -> None:
        """Take a file away again, and put back the sound one if others need it."""
        if file.startswith("records/"):
            self._write(file, published()[file])
        else:
            (self.root / file).unlink()

    def _write(self, file: str, data: bytes) -> Path:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def load(self) -> project.Project:
        return project.load(self.root, self.root / "records", self.root / "docs")


def judged(bench: Bench, file: str, data: bytes) -> Iterator[str]:
    """What is wrong with what is said of a file that holds these bytes; nothing where all is right."""
    bench.lay(file, data)
    memory = watched()
    start = time.process_time()
    try:
        read = bench.load()
        diagnostics = read.diagnostics
    except BaseException:
        yield f"the check raised: {traceback.format_exc()}"
        return
    finally:
        seconds = time.process_time() - start
        used = memory()
        bench.lift(file)
    if seconds > MOST_SECONDS:
        yield f"the check took {seconds:.1f} s"
    if used > MOST_MEGABYTES:
        yield f"the check used {used} MB"
    bench.lay(file, data)
    try:
        yield from of_places(bench.root, diagnostics)
        files = [each for checked in read.checked for each in checked.files]
        report = Report(bench.root, diagnostics, files, len(read.systems), 1)
        try:
            yield from of_formats(report)
        except BaseException:
            yield f"telling it raised: {traceback.format_exc()}"
    finally:
        bench.lift(file)
    here = [each for each in diagnostics if each.place.file == file]
    if file.endswith(".yml"):
        yield from of_silence_on_records(bench, read, file, data, here)
    else:
        yield from of_silence_on_prose(file, data, here)


def watched() -> Any:
    """A function that tells how many megabytes this process has used at most since now; only Linux can tell."""
    status = Path("/proc/self/status")
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return lambda: 0

    def peak() -> int:
        told = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(told["VmHWM"].split()[0]) // 1024

    return peak


def of_places(root: Path, diagnostics: list[Diagnostic]) -> Iterator[str]:
    for each in diagnostics:
        if len(each.message) > 1_000 or len(each.hint) > 3_000:
            yield f"nobody reads so long a message: {each.message[:300]} [{each.code}] {each.hint[:300]}"
        for place in (each.place, *(place for _, place in each.related)):
            if not _is_inside(root, place):
                yield f"a place that is none: {place}: {each.message[:300]} [{each.code}]"


def _is_inside(root: Path, place: Place) -> bool:
    path = root / place.file
    if path.is_dir():
        return (place.line, place.column) == (1, 1)
    if not path.is_file():
        return place.file.endswith("/system.yml")
    written = _lines(path.read_bytes())
    return 1 <= place.line <= len(written) and 1 <= place.column <= len(written[place.line - 1]) + 1


@cache
def _lines_of(data: bytes) -> list[str]:
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _lines(data: bytes) -> list[str]:
    """The lines of a file as an editor counts them."""
    if _lines_of.cache_info().currsize > 20:
        _lines_of.cache_clear()
    return _lines_of(data)


def of_formats(report: Report) -> Iterator[str]:
    """Whether everything can be told in every format, each in its time."""
    told = {}
    for name, make in {
        **FORMATS,
        "colour": lambda report: "\n".join(each.plain for each in in_colour(report, 80)),
    }.items():
        start = time.process_time()
        told[name] = make(report)
        if (seconds := time.process_time() - start) > MOST_SECONDS:
            yield f"telling it as {name} took {seconds:.1f} s"
        told[name].encode()
    if not schemas.load().is_valid("diagnostics", json.loads(told["json"])):
        yield "the JSON does not keep to its schema"
    if len(json.loads(told["sarif"])["runs"][0]["results"]) != len(report.diagnostics):
        yield "the SARIF lacks results"
    etree.fromstring(told["junit"])


def of_silence_on_records(
    bench: Bench, read: project.Project, file: str, data: bytes, here: list[Diagnostic]
) -> Iterator[str]:
    """Whether a fault that another reader finds is told, and nothing is dropped without a word."""
    errors = [each for each in here if each.severity is Severity.ERROR]
    loaded = read.systems[bench.system].loaded
    document = loaded.documents.get(file)
    if document is None:
        if not errors:
            yield "nothing is said of a file that could not be read"
        return
    if not schemas.load().is_valid(Path(file).stem, document.value) and not errors:
        yield "nothing is said of a file that breaks its schema"
    if not here:
        try:
            other = yaml.load(data.decode("utf-8"), yaml.CBaseLoader)
        except (yaml.YAMLError, UnicodeDecodeError) as fault:
            yield f"nothing is said, and another reader refuses the file: {fault}"
            return
        if other != document.value:
            yield "nothing is said, and another reader reads something else"


def of_silence_on_prose(file: str, data: bytes, here: list[Diagnostic]) -> Iterator[str]:
    errors = [each for each in here if each.severity is Severity.ERROR]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if not errors:
            yield "nothing is said of a page that is not UTF-8"
        return
    if errors or "render_macros" in text:
        return
    text = re.sub(r"\A---\s.*?^(?:---|\.\.\.)\s", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
    try:
        Environment(autoescape=False).parse(text)
    except (TemplateSyntaxError, RecursionError) as fault:
        yield f"nothing is said, and the template is broken: {fault}"


def run(made: Iterator[Damaged]) -> int:
    """Judge files, print what is wrong, and return how often something was."""
    wrong = 0
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder).resolve())
        for each in made:
            for complaint in judged(bench, each.file, each.data):
                wrong += 1
                print(f"{each}: {complaint}", flush=True)
    return wrong


def show(one: Damaged) -> None:
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder).resolve())
        bench.lay(one.file, one.data)
        print(f"{one}, {len(one.data)} bytes")
        start = time.process_time()
        read = bench.load()
        told = read.diagnostics
        print(f"{time.process_time() - start:.2f} s")
        print(in_text(Report(bench.root, told[:30], [], 1, 1))[:8000])


if __name__ == "__main__":
    make, numbers = (large, sys.argv[2:]) if "large" in sys.argv[1:] else (damaged, sys.argv[1:])
    if "show" in sys.argv:
        show(make(int(sys.argv[-1])))
    else:
        first, count = (int(each) for each in numbers[-2:])
        sys.exit(run(make(each) for each in range(first, first + count)) > 0)
