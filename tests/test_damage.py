"""No file breaks the check: every damaged one is told of, at a place, in every format, soon, and within bounds.

The damaged files are those of `damage`; what has to hold of each is in `verdict`. Many are judged in one process of
their own, so that one that ended it would be noticed, and the large ones in one each, whose memory is theirs alone.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from tests import verdict
from tests.damage import DAMAGES, LARGE, SHAPES, damaged, large, published
from tests.site.build import REPOSITORY
from tests.verdict import Bench, judged

COUNT = 10_000
SHARDS = 20
LARGE_COUNT = 32


def told_wrong(*arguments: str | int) -> str:
    """What the command that judges files complains of."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.verdict", *map(str, arguments)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    complaints = ended.stdout + ended.stderr
    assert ended.returncode == (1 if complaints else 0), f"it ended with {ended.returncode}: {complaints}"
    return complaints


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_damaged_files(shard: int) -> None:
    count = COUNT // SHARDS
    assert told_wrong(shard * count, count) == ""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(LARGE_COUNT))
def test_large_files(number: int) -> None:
    assert told_wrong("large", number, 1) == ""


def test_every_file_is_damaged_in_every_way() -> None:
    done = {(each.file, each.damages[0]) for each in map(damaged, range(COUNT))}
    kinds = {file: DAMAGES[file.rpartition(".")[2]] for file in published()}
    assert done == {(file, name) for file, names in kinds.items() for name in names}
    assert Counter(large(number).damages[0] for number in range(LARGE_COUNT)).keys() == LARGE.keys()


def test_nearly_every_damaged_file_is_another() -> None:
    files = [damaged(number) for number in range(0, COUNT, 10)]
    assert len({(each.file, each.data) for each in files}) > 0.95 * len(files)
    assert sum(each.data == published()[each.file] for each in files) < 0.05 * len(files)


def test_a_number_makes_the_same_file_again() -> None:
    for make in (damaged, large):
        numbers = range(7, 200, 31)
        assert [make(each) for each in numbers] == [make(each) for each in numbers]


# --- anything at all

TEXTS = st.lists(st.sampled_from(SHAPES) | st.text(max_size=8), max_size=40).map("".join)
BYTES = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


FILES = st.sampled_from(sorted(published()))


@settings(max_examples=200, deadline=None)
@given(FILES, BYTES)
def test_any_bytes_in_the_place_of_a_file(bench: Bench, file: str, data: bytes) -> None:
    assert list(judged(bench, file, data)) == []


@settings(max_examples=200, deadline=None)
@given(FILES, BYTES, st.data())
def test_any_bytes_in_the_midst_of_a_file(bench: Bench, file: str, data: bytes, draw: st.DataObject) -> None:
    whole = published()[file]
    at = draw.draw(st.integers(0, len(whole)))
    until = draw.draw(st.integers(at, min(at + 200, len(whole))))
    assert list(judged(bench, file, whole[:at] + data + whole[until:])) == []


@settings(max_examples=200, deadline=None)
@given(FILES, st.data())
def test_any_order_of_the_lines_of_a_file(bench: Bench, file: str, draw: st.DataObject) -> None:
    lines = published()[file].split(b"\n")
    chosen = draw.draw(st.lists(st.integers(0, len(lines) - 1), max_size=60))
    assert list(judged(bench, file, b"\n".join(lines[each] for each in chosen))) == []


# --- the verdict can be the other one


def complaints(found: Iterator[str]) -> str:
    return "\n".join(found)


def test_a_place_that_is_none_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfone\r\n\xff\n")
    right = [Place("a.md"), Place("a.md", 1, 4), Place("a.md", 2, 2), Place("a.md", 3, 1), Place("x/system.yml")]
    wrong = [Place("a.md", 1, 5), Place("a.md", 4, 1), Place("a.md", 0, 1), Place("a.md", 1, 0), Place("b.md")]
    for place in (*right, *wrong):
        fault = Diagnostic("schema", Severity.ERROR, "x", place)
        related = Diagnostic("schema", Severity.ERROR, "x", Place("a.md"), "", (("y", place),))
        for each in (fault, related):
            assert bool(list(verdict.of_places(tmp_path, [each]))) is (place in wrong), place


def test_silence_is_noticed(bench: Bench) -> None:
    """Of what is wrong with these files not a word is passed on."""
    file = "records/ace/epistemic/objects.yml"
    sound = published()[file]
    for data, said in (
        (sound.replace(b"records:", b"records: [", 1), "could not be read"),
        (sound.replace(b"label:", b"lable:", 1), "breaks its schema"),
        (sound + b"\nrecords: []\n", "reads something else"),
    ):
        bench.lay(file, data)
        read = bench.load()
        bench.lift(file)
        assert read.diagnostics
        assert said in complaints(verdict.of_silence_on_records(bench, read, file, data, []))
    assert "not UTF-8" in complaints(verdict.of_silence_on_prose("a.md", b"\xff", []))
    assert "template" in complaints(verdict.of_silence_on_prose("a.md", b"---\na: b\n---\n{{ x", []))


def test_memory_is_measured() -> None:
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("only Linux tells how much memory was used at most")
    peak = verdict.watched()
    before = peak()
    assert len(bytearray(b"x" * 80_000_000)) == 80_000_000
    assert before + 60 < peak() < before + 300
    assert verdict.watched()() < before + 60
