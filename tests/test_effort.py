"""What would keep the check busy for minutes: pages that are refused at once, at their place, and texts read fast.

Each stands for a kind that damaged files have shown. Time is that of the processor, so that others do not count.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches

import pytest

from recordweave.records.diagnostic import CODES, Diagnostic, Near, Place, Severity
from recordweave.records.text import cited, cited_ranges, nearly_cited, refused_links
from recordweave.sources import schemas, shown_text
from recordweave.sources.effort import MAX_EFFORT, MAX_PARAGRAPH
from recordweave.sources.faults import MAX_FAULTS, faults
from recordweave.sources.prose import MAX_PAGE, read_prose
from recordweave.sources.waivers import in_unread, in_yaml, settle
from recordweave.sources.yaml_reader import read
from tests.site.build import REPOSITORY

BUSY = "what is repeated here would keep Markdown busy for too long"
LONG = f"a paragraph has more than {MAX_PARAGRAPH:,} characters"
MANY = 18_000


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


REFUSED: dict[str, tuple[str, str]] = {
    "brackets": ("[" * MANY, BUSY),
    "brackets of images": ("![" * (MANY // 2), BUSY),
    "links": ("[a](" * (MANY // 4), BUSY),
    "references": ("[a][" * (MANY // 4), BUSY),
    "tags": ("<a " * 50_000, BUSY),
    "tags with an open quote": ('<a b="' * 25_000, BUSY),
    "headings": ("# a\n" * 20_000, BUSY),
    "headings that are alike": ("## a\n\n" * 10_000, BUSY),
    "underlined headings": ("a\n-\n" * 20_000, BUSY),
    "rules": ("* * *\n" * 20_000, BUSY),
    "quotations in each other": ("> " * 20_000, BUSY),
    "footnotes": ("[^a]\n\n" * 12_000 + "[^a]: b\n", BUSY),
    "blocks of code": ("```\n" * 60_000, BUSY),
    "paragraphs": ("a\n\n" * 90_000, BUSY),
    "rows": ("a|b\n-|-\n" + "a|b\n" * 60_000, BUSY),
    "columns": ("|a" * 400 + "\n" + "|-" * 400 + "\n" + "|\n" * 60_000, BUSY),
    "marks": (("\\*" * 9_000 + "\n\n") * 15, BUSY),
    "elements that are open": ("<b>" * 2_000 + "<!-- a -->" * 20_000, BUSY),
    "one line": ("a " * 20_000, LONG),
    "backticks": ("`a" * 20_000, LONG),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_a_page_that_repeats_something_for_ever_is_refused(text: str, message: str) -> None:
    with within(2):
        prose = read_prose(f"# Title\n\nOne MEM-RTE-a.\n\n{text}\n", "page.md")
    (fault,) = prose.diagnostics
    assert (fault.code, fault.message, fault.place.file) == ("unreadable-file", message, "page.md")
    assert fault.place.line >= 5
    assert [each for each, _ in read_prose("MEM-RTE-a", "page.md").mentions] == ["MEM-RTE-a"]  # nothing is left behind


def test_a_page_is_no_book() -> None:
    assert read_prose("é" * (MAX_PARAGRAPH - 1), "page.md").diagnostics == []
    with within(1):
        (fault,) = read_prose("a\n" * (MAX_PAGE // 2 + 1), "page.md").diagnostics
    assert (fault.code, fault.message) == ("unreadable-file", f"the page has more than {MAX_PAGE:,} characters")
    assert fault.place.line == MAX_PAGE // 2 + 1


def test_what_people_write_takes_a_fraction_of_the_effort() -> None:
    effort = shown_text._markdown()[2]
    for page in (REPOSITORY / "docs").rglob("*.md"):
        assert read_prose(page.read_text(encoding="utf-8"), page.name).diagnostics == []
        assert effort.spent < MAX_EFFORT / 20, page


@pytest.mark.parametrize("piece", ["{", "{{", "{%", "{#", "{{ 1 + ", "{% raw %}", "{# a #}", "{{ x() }}"])
def test_any_number_of_braces_is_read_fast(piece: str) -> None:
    with within(2):
        read_prose(piece * (MAX_PAGE // len(piece)), "page.md")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{{{{ x({'9' * 5_000}) }}}}", "the template syntax holds a number that is too long"),
        (f"{{{{ {'-' * 5_000}1 }}}}", "the template syntax is nested too deeply"),
    ],
)
def test_templates_that_the_parser_of_templates_cannot_take(text: str, message: str) -> None:
    (fault,) = read_prose(f"# A\n\n{{{{ ledger() }}}}\n\nText {text}\n", "page.md").diagnostics
    assert (fault.code, fault.message, fault.place) == ("template", message, Place("page.md", 5, 6))


@pytest.mark.parametrize(
    "piece", ["RT-RTE-a ", "SRC-1 ", "rt-rte-a ", "RT-RTE-1 to RT-RTE-9, ", "[a](b:c) ", "A. See RT-RTE-a. "]
)
def test_a_text_with_many_mentions_is_read_fast(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    document, _ = read(f"a: |-\n  {text}\n", "f.yml")
    assert document is not None
    with within(2):
        assert any([*cited(text), *nearly_cited(text), *refused_links(text), *cited_ranges(text)]) or "SRC" in piece
        places = [document.find(("a",), piece.split()[0], before) for before in range(60_000 // len(piece))]
    assert len(set(places)) == len(places)


WAIVER = "recordweave: allow range: because"


@pytest.mark.parametrize("line", [f"# {WAIVER}\n", f"#\n# {WAIVER}\n", f"a: 'x' # {WAIVER}\n"])
def test_many_waivers_are_read_fast(line: str) -> None:
    text = "".join(line.replace("a:", f"a{number}:") for number in range(20_000)) + "b: c\n"
    document, _ = read(text, "f.yml")
    assert document is not None
    fault = Diagnostic("range", Severity.WARNING, "x", document.place(("b",), key=True))
    faults = [Diagnostic("range", Severity.WARNING, str(each), fault.place) for each in range(1_000)]
    with within(4):
        waivers = in_yaml(document)
        assert len(waivers) == len(in_unread(text, "f.yml")) == 20_000
    with within(3):
        settled = settle(faults, waivers[:2_000] + waivers[-10:])
    assert settled.left == (faults if line.startswith("a") else [])


def test_many_waivers_on_a_page_are_read_fast() -> None:
    with within(2):
        assert len(read_prose(f"<!-- {WAIVER} -->\n" * 900, "page.md").waivers) == 900
        assert read_prose(f"<!-- {WAIVER}\n\n" * 5_000, "page.md").waivers == []


# --- what was meant


def test_what_is_nearest_is_what_difflib_says() -> None:
    chance = random.Random(5)
    words = ["route", "memory", "answer", "match", "record", "graph", "game", "cycle", "store", "é", "漢"]
    ids = [f"{chance.choice(('EPI', 'RT'))}-RTE-{'-'.join(chance.choices(words, k=2))}" for _ in range(100)]
    for values in (ids, list(CODES), ["a", "A", ""]):
        near = Near(values)
        folded = {each.casefold(): each for each in values}
        for nearness in (0.6, 0.8, 0.9, 0):
            for value in chance.choices(values, k=40):
                at = chance.randint(0, len(value))
                wrong = value[:at] + chance.choice(("x", "", "--", "é")) + value[at + chance.choice((0, 1, 2)) :]
                said = get_close_matches(wrong.casefold(), list(folded), 1, nearness)
                assert near.nearest(wrong, nearness) == (folded[said[0]] if said else ""), wrong


def test_thousands_of_wrong_values_are_compared_fast() -> None:
    near = Near(f"EPI-RTE-record-{number:04}" for number in range(3_000))
    with within(6):
        for number in range(1_000):
            near.nearest(f"EPI-RTE-recrod-{number + 5_000}", 0.8)


# --- values of records


def test_a_value_has_a_length_that_somebody_reads() -> None:
    text = f"records:\n- {{id: EPI-OBJ-{'a' * 300}, label: {'x' * 1_001}, body: {'y' * 3_000_000}}}\n"
    document, _ = read(text, "objects.yml")
    assert document is not None
    with within(2):
        told = {each.message: each.hint for _, each in faults(schemas.load(), "objects", document)}
    assert told["`label` has 1,001 characters"] == "write 1,000 at most"
    assert told["`body` has 3,000,000 characters"] == "write 20,000 at most"
    assert told["`id` has 308 characters"] == "write 300 at most"


@pytest.mark.parametrize(
    "text",
    [
        "records:\n" + "- {x: y}\n" * 50_000,
        "records:\n- id: EPI-OBJ-a\n" + "".join(f"  k{each}: x\n" for each in range(100_000)),
        "".join(f"k{each}: x\n" for each in range(100_000)),
    ],
    ids=["entries", "keys of an entry", "keys of the file"],
)
def test_few_of_very_many_breaches_are_told(text: str) -> None:
    document, _ = read(text, "objects.yml")
    assert document is not None
    with within(4):
        told = list(faults(schemas.load(), "objects", document))
    messages = {each.message for _, each in told}
    assert f"the file has more than {MAX_FAULTS:,} faults" in messages
    assert len(messages) <= MAX_FAULTS + 1
    entries = document.value.get("records", []) if isinstance(document.value, dict) else []
    assert {("records", number) for number in range(len(entries))} <= {way for way, _ in told}


def test_what_a_message_quotes_is_cut() -> None:
    fault = Diagnostic("schema", Severity.ERROR, f"`{'x' * 5_000}` is not `{'y' * 299}`", Place("a"), "z" * 5_000)
    assert fault.message == f"`{'x' * 100}…` is not `{'y' * 299}`"
    assert fault.hint == "z" * 1_999 + "…"


def test_lines_are_no_longer_than_a_number_can_be() -> None:
    evidence = [{"source": "SRC-1", "path": "a.py", "lines": "9" * 5_000}]
    record = {"records": [{"id": "EPI-OBJ-a", "label": "A", "body": "b", "evidence": evidence}]}
    errors = [each for each in schemas.load().errors("objects", record) if list(each.absolute_path)[-1:] == ["lines"]]
    assert [each.validator for each in errors] == ["maxLength"]
