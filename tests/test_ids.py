"""Record IDs: their form, and what in a running text is a mention, looks like one, or is none.

A reference to a record of another system names that system first, as in `arigraph:EPI-OBJ-answer`.
"""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recordweave.records import ids
from recordweave.records.ids import (
    ADDRESS_PATTERN,
    KINDS,
    address_of,
    between,
    is_record_id,
    is_reference,
    is_source_id,
    kind_of,
    mentions,
    near_misses,
    prefix_of,
    ranges,
    references,
    split,
    starts,
)

CODES = [kind.code for kind in KINDS]


def found(text: str) -> list[str]:
    for each in references(text):
        assert text[each.start : each.end] == each.id
    return [each.id for each in references(text)]


def test_the_kinds_are_those_of_the_domain() -> None:
    assert CODES == ["CMP", "OBJ", "RTE", "CLM", "ABS", "BAP"]


@pytest.mark.parametrize(
    ("record_id", "prefix", "kind"),
    [
        ("EPI-RTE-answer-match", "EPI", "RTE"),
        ("MEM-OBJ-2", "MEM", "OBJ"),
        ("RTE-4", "", "RTE"),
        ("X2-CLM-a", "X2", "CLM"),
        ("CMP-OBJ-a", "CMP", "OBJ"),
        ("RTE-RTE-4", "RTE", "RTE"),
        ("SRC-ABS-4", "SRC", "ABS"),
        ("A-BAP-0-x-9z", "A", "BAP"),
    ],
)
def test_what_an_id_says(record_id: str, prefix: str, kind: str) -> None:
    assert is_record_id(record_id)
    assert (prefix_of(record_id), kind_of(record_id).code) == (prefix, kind)
    assert address_of(record_id) == record_id.lower()


@pytest.mark.parametrize(
    "text",
    [
        "", "EPI", "EPI-RTE", "EPI-RTE-", "-RTE-a", "RTE-a", "RTE-4a", "RTE-4-5", "epi-rte-a", "EPI-rte-a", "EPI-RTE-A",
        "EPI-RTE-a_b", "EPI-RTE-a--b", "EPI-RTE-a-", "EPI-XXX-a", "EPI-RTE-é", "1EPI-RTE-a", "EPI-RTE-a\n",
        " EPI-RTE-a", "EPI-RTE-٣", "RTE-٣", "SRC-1", "É-RTE-a",
    ],
)  # fmt: skip
def test_what_is_no_id(text: str) -> None:
    assert not is_record_id(text)
    with pytest.raises(ValueError, match="not a record ID"):
        kind_of(text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("SRC-1", True),
        ("SRC-10", True),
        ("ace:SRC-1", True),
        ("SRC-0", False),
        ("SRC-01", False),
        ("src-1", False),
        ("ace:SRC-0", False),
        ("SRC-1:ace", False),
    ],
)
def test_source_ids(text: str, right: bool) -> None:
    assert is_source_id(text) is right


# A text; the system that it names, and the ID; whether it is a reference to a record.
REFERENCES: list[tuple[str, tuple[str, str], bool]] = [
    ("EPI-OBJ-answer", ("", "EPI-OBJ-answer"), True),
    ("RTE-4", ("", "RTE-4"), True),
    ("arigraph:EPI-OBJ-answer", ("arigraph", "EPI-OBJ-answer"), True),
    ("x:RTE-4", ("x", "RTE-4"), True),
    ("a-b:RT-RTE-1", ("a-b", "RT-RTE-1"), True),
    ("a1-2b:RT-RTE-1", ("a1-2b", "RT-RTE-1"), True),
    ("SRC-1", ("", "SRC-1"), False),
    ("ace:SRC-1", ("ace", "SRC-1"), False),
    ("AriGraph:EPI-OBJ-answer", ("AriGraph", "EPI-OBJ-answer"), False),
    ("1a:EPI-OBJ-x", ("1a", "EPI-OBJ-x"), False),
    ("a-:EPI-OBJ-x", ("a-", "EPI-OBJ-x"), False),
    ("a_b:EPI-OBJ-x", ("a_b", "EPI-OBJ-x"), False),
    (":EPI-OBJ-x", ("", "EPI-OBJ-x"), False),
    ("a:b:EPI-OBJ-x", ("a:b", "EPI-OBJ-x"), False),
    ("a: EPI-OBJ-x", ("a", " EPI-OBJ-x"), False),
    ("a:EPI-OBJ-x\n", ("a", "EPI-OBJ-x\n"), False),
    ("a:", ("a", ""), False),
    ("", ("", ""), False),
]


@pytest.mark.parametrize(("text", "parts", "right"), REFERENCES, ids=[text for text, _, _ in REFERENCES])
def test_a_reference_may_name_a_system(text: str, parts: tuple[str, str], right: bool) -> None:
    assert split(text) == parts
    assert is_reference(text) is right
    assert is_record_id(text) is (right and not parts[0])


# CASES 14 to 17, and their like: a text, and what it mentions.
MENTIONS: list[tuple[str, list[str]]] = [
    ("see RT-RTE-game and RT-RTE-game-cycle", ["RT-RTE-game", "RT-RTE-game-cycle"]),
    ("RT-RTE-1 and RT-RTE-10", ["RT-RTE-1", "RT-RTE-10"]),
    ("see RT-RTE-10.", ["RT-RTE-10"]),
    ("see RT-RTE-10...", ["RT-RTE-10"]),
    ("RT-RTE-1's", ["RT-RTE-1"]),
    ("RT-RTE-1’s", ["RT-RTE-1"]),
    ("(RT-RTE-1),", ["RT-RTE-1"]),
    ("“RT-RTE-1”", ["RT-RTE-1"]),
    ("RT-RTE-1:", ["RT-RTE-1"]),
    ("RT-RTE-1/RT-RTE-2", ["RT-RTE-1", "RT-RTE-2"]),
    ("RT-RTE-1,RT-RTE-2;RT-RTE-3", ["RT-RTE-1", "RT-RTE-2", "RT-RTE-3"]),
    ("RT-RTE-1–RT-RTE-2", ["RT-RTE-1", "RT-RTE-2"]),
    ("RT-RTE-1 through RT-RTE-5", ["RT-RTE-1", "RT-RTE-5"]),
    ("RTE-1 through RTE-5", ["RTE-1", "RTE-5"]),
    ("[RT-RTE-1]", ["RT-RTE-1"]),
    ("_RT-RTE-1_ and __RT-RTE-2__ and ___RT-RTE-3___", ["RT-RTE-1", "RT-RTE-2", "RT-RTE-3"]),
    ("RT-RTE-a-", ["RT-RTE-a"]),
    ("RT-RTE-a-, RT-RTE-b–", ["RT-RTE-a", "RT-RTE-b"]),
    ("SRC-1 and SRC-12, not SRC-0", ["SRC-1", "SRC-12"]),
    ("arigraph:EPI-OBJ-answer", ["arigraph:EPI-OBJ-answer"]),
    ("see (arigraph:EPI-OBJ-answer), EPI-OBJ-answer", ["arigraph:EPI-OBJ-answer", "EPI-OBJ-answer"]),
    ("_arigraph:EPI-OBJ-answer_ and **ace:RTE-4**", ["arigraph:EPI-OBJ-answer", "ace:RTE-4"]),
    ("arigraph:EPI-OBJ-answer's, arigraph:RTE-1–ace:RTE-2", ["arigraph:EPI-OBJ-answer", "arigraph:RTE-1", "ace:RTE-2"]),
    ("ace:SRC-1 and SRC-1", ["ace:SRC-1", "SRC-1"]),
    ("a-b:RT-RTE-1", ["a-b:RT-RTE-1"]),
    ("a1-2b:RT-RTE-1", ["a1-2b:RT-RTE-1"]),
    ("x:RTE-4", ["x:RTE-4"]),
    ("https://e.org/x ace:RTE-4", ["ace:RTE-4"]),
    # what stands before the colon is no name of a system, or does not stand at the colon
    ("AriGraph:EPI-OBJ-answer", ["EPI-OBJ-answer"]),
    ("Note:EPI-OBJ-answer", ["EPI-OBJ-answer"]),
    ("a-B:EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("1a:EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("éa:EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("a-:EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("-a:EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("x_a:EPI-OBJ-x", ["EPI-OBJ-x"]),
    (":EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("ace::EPI-OBJ-x", ["EPI-OBJ-x"]),
    ("ace: EPI-OBJ-x ace :EPI-OBJ-y", ["EPI-OBJ-x", "EPI-OBJ-y"]),
    ("a:b:EPI-OBJ-x", ["b:EPI-OBJ-x"]),
    ("EPI-OBJ-x-b:RT-RTE-1", ["EPI-OBJ-x-b", "RT-RTE-1"]),
    ("ace:EPI-OBJ-x:y", ["ace:EPI-OBJ-x"]),
    ("a RT-RTE-1\nRT-RTE-2\tRT-RTE-3", ["RT-RTE-1", "RT-RTE-2", "RT-RTE-3"]),
    ("RT-RTE-1\u200b", ["RT-RTE-1"]),
    ("RT-RTE-a\u200bRT-RTE-b", ["RT-RTE-a", "RT-RTE-b"]),
    ("RT-RTE-a‑ and", ["RT-RTE-a"]),
    ("€RT-RTE-1€", ["RT-RTE-1"]),
    ("file:///RT-RTE-1 RT-RTE-2", ["RT-RTE-2"]),
    # none
    ("RT-RTE-1_x", []),
    ("RT-RTE-1-_x", []),
    ("x_RT-RTE-1", []),
    ("x__RT-RTE-1", []),
    ("XRT-RTE-1é", []),
    ("éRT-RTE-1", []),
    ("漢RT-RTE-1", []),
    ("-RT-RTE-1", []),
    ("RT-RTE-1X", []),
    ("RT-RTE-a-B", []),
    ("RT-RTE-a\u00adb", []),
    ("RT-RTE-a‑b", []),
    ("RT-RTE-a-é", []),
    ("RTE-game", []),
    ("RTE-1a", []),
    ("rt-rte-1", []),
    ("RT_RTE_1", []),
    ("RT-RTE", []),
    ("SRC-1a xSRC-1 SRC-1-2", []),
    ("https://e.org/RT-RTE-1", []),
    ("https://e.org/a?b=RT-RTE-1#RT-RTE-2", []),
    ("git+ssh://e.org/RT-RTE-1", []),
    ("www.e.org/RT-RTE-1", []),
    ("https://ace:RT-RTE-1", []),
    ("ace:RT-RTE-1_x", []),
    ("ace:rt-rte-1", []),
    ("ace:SRC-0", []),
    ("ace:SRC-1-2", []),
]


@pytest.mark.parametrize(("text", "ids"), MENTIONS, ids=[text for text, _ in MENTIONS])
def test_mentions(text: str, ids: list[str]) -> None:
    assert found(text) == ids
    assert [each.id for each in mentions(text)] == [each for each in ids if not is_source_id(each)]


def test_another_prefix_is_another_id() -> None:
    assert found("XRT-RTE-1") == ["XRT-RTE-1"]


# A text, what in it looks like an ID and is none, and the ID that this is nearest to.
NEAR: list[tuple[str, list[tuple[str, str]]]] = [
    ("see rt-rte-1.", [("rt-rte-1", "RT-RTE-1")]),
    ("Rt-Rte-Game-Cycle", [("Rt-Rte-Game-Cycle", "RT-RTE-game-cycle")]),
    ("RT-RTE-Game", [("RT-RTE-Game", "RT-RTE-game")]),
    ("RT_RTE_game_cycle", [("RT_RTE_game_cycle", "RT-RTE-game-cycle")]),
    ("RT-RTE-1_x", [("RT-RTE-1_x", "RT-RTE-1-x")]),
    ("RT‑RTE‑game", [("RT‑RTE‑game", "RT-RTE-game")]),
    ("RT–RTE–game", [("RT–RTE–game", "RT-RTE-game")]),
    ("RT\u00adRTE\u00adgame", [("RT\u00adRTE\u00adgame", "RT-RTE-game")]),
    ("RT-RTE-\u00adgame", [("RT-RTE-\u00adgame", "RT-RTE-game")]),
    ("RT\u00ad-RTE-ga\u00adme", [("RT\u00ad-RTE-ga\u00adme", "RT-RTE-game")]),
    ("RT-RTE-\u200bgame", [("RT-RTE-\u200bgame", "RT-RTE-game")]),
    ("RT--RTE--game", [("RT--RTE--game", "RT-RTE-game")]),
    ("RT-RTE-game‑cycle", [("RT-RTE-game‑cycle", "RT-RTE-game-cycle")]),
    ("RT-RTE-\ngame", [("RT-RTE-\ngame", "RT-RTE-game")]),
    ("RT-\n  RTE-game", [("RT-\n  RTE-game", "RT-RTE-game")]),
    ("RT-RTE -game", [("RT-RTE -game", "RT-RTE-game")]),
    ("RT-RTE-game-\ncycle", [("RT-RTE-game-\ncycle", "RT-RTE-game-cycle")]),
    ("RT-RTE-game - cycle", []),
    ("RT-RTE game", []),
    ("SRC-01 and src-2", [("SRC-01", "SRC-1"), ("src-2", "SRC-2")]),
    ("SRC 1, SRC\u00a01, SRC1", [("SRC 1", "SRC-1"), ("SRC\u00a01", "SRC-1"), ("SRC1", "SRC-1")]),
    ("SRC‑1 SRC_1 SRC-\u00ad1", [("SRC‑1", "SRC-1"), ("SRC_1", "SRC-1"), ("SRC-\u00ad1", "SRC-1")]),
    ("SRC-0", [("SRC-0", "SRC-0")]),
    ("src 1, src1, SRC-1-2, SRC-1a, https://e.org/src-1", []),
    ("RT-RTE-é", [("RT-RTE-é", "RT-RTE-é")]),
    ("_rt-rte-1_", [("rt-rte-1", "RT-RTE-1")]),
    ("rt-rte-1- and rt-rte-2–", [("rt-rte-1", "RT-RTE-1"), ("rt-rte-2", "RT-RTE-2")]),
    ("rte-1", [("rte-1", "RTE-1")]),
    ("RT-RTE-1 and rt-rte-2", [("rt-rte-2", "RT-RTE-2")]),
    ("RT-RTE-1", []),
    ("RT-RTE-1–RT-RTE-2", []),
    ("RT-RTE-1's", []),
    ("SRC-1", []),
    ("https://e.org/rt-rte-1", []),
    ("abs-olute and a-claim and RTE-game", []),
    ("RT-RTE", []),
    # with a system, which may be what is wrong
    ("AriGraph:EPI-OBJ-answer", [("AriGraph:EPI-OBJ-answer", "arigraph:EPI-OBJ-answer")]),
    ("Note:EPI-OBJ-answer", [("Note:EPI-OBJ-answer", "note:EPI-OBJ-answer")]),
    ("see A-b:RTE-4.", [("A-b:RTE-4", "a-b:RTE-4")]),
    ("ace:epi-obj-answer", [("ace:epi-obj-answer", "ace:EPI-OBJ-answer")]),
    ("Ace:EPI_OBJ_answer_", [("Ace:EPI_OBJ_answer", "ace:EPI-OBJ-answer")]),
    ("ace:EPI‑OBJ‑answer", [("ace:EPI‑OBJ‑answer", "ace:EPI-OBJ-answer")]),
    ("see ACE:SRC-1.", [("ACE:SRC-1", "ace:SRC-1")]),
    ("see ace: EPI-OBJ-a", [("ace: EPI-OBJ-a", "ace:EPI-OBJ-a")]),
    ("ace:\nSRC-1", [("ace:\nSRC-1", "ace:SRC-1")]),
    ("ace:SRC-01", [("ace:SRC-01", "ace:SRC-1")]),
    ("Ace: epi-obj-a", [("epi-obj-a", "EPI-OBJ-a")]),
    ("1A:epi-obj-a", [("epi-obj-a", "EPI-OBJ-a")]),
    ("arigraph:EPI-OBJ-answer", []),
    ("1a:EPI-OBJ-x", []),
    (":EPI-OBJ-x", []),
    ("a:b:EPI-OBJ-x", []),
    ("ace:SRC-1", []),
]


@pytest.mark.parametrize(("text", "pairs"), NEAR, ids=[text for text, _ in NEAR])
def test_near_misses(text: str, pairs: list[tuple[str, str]]) -> None:
    assert [(text[each.start : each.end], each.id) for each in near_misses(text)] == pairs


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("RT-RTE-1 through RT-RTE-5", [("RT-RTE-1", "RT-RTE-5")]),
        ("RTE-1–RTE-3, RT-OBJ-2 to RT-OBJ-4", [("RTE-1", "RTE-3"), ("RT-OBJ-2", "RT-OBJ-4")]),
        ("RT-RTE-1...RT-RTE-9 and RT-RTE-7 … RT-RTE-9", [("RT-RTE-1", "RT-RTE-9"), ("RT-RTE-7", "RT-RTE-9")]),
        ("RT-RTE-1\nup to RT-RTE-3", [("RT-RTE-1", "RT-RTE-3")]),
        ("RT-RTE-game-1 to RT-RTE-game-3", [("RT-RTE-game-1", "RT-RTE-game-3")]),
        ("ace:RTE-1 to ace:RTE-3", [("ace:RTE-1", "ace:RTE-3")]),
        ("ace:RTE-1 to x:RTE-3", []),
        ("ace:RTE-1 to RTE-3", []),
        ("RT-RTE-1 to RT-RTE-2", []),
        ("RT-RTE-5 to RT-RTE-1", []),
        ("RT-RTE-1 and RT-RTE-5", []),
        ("RT-RTE-1, RT-RTE-5", []),
        ("RT-RTE-1 to RT-OBJ-5", []),
        ("RT-RTE-game to RT-RTE-qa", []),
        ("from RT-RTE-1 to RT-RTE-99999999999999", []),
    ],
)
def test_ranges(text: str, ends: list[tuple[str, str]]) -> None:
    assert [(first.id, last.id) for first, last in ranges(text)] == ends


def test_an_address_ends_where_markdown_has_read_something() -> None:
    assert found("https://e.org/\x02klzzwxh:0\x03 www.e.org/a\x02klzzwxh:1\x03, RTE-1") == ["RTE-1"]
    assert re.findall(ADDRESS_PATTERN, "see https://e.org/a\x02klzzwxh:0\x03b") == ["https://e.org/a"]


def test_what_is_between() -> None:
    assert between("RT-RTE-9", "RT-RTE-12") == ["RT-RTE-10", "RT-RTE-11"]
    assert between("RT-RTE-a", "RT-RTE-b") == []
    assert between("ace:RTE-1", "ace:RTE-3") == ["ace:RTE-2"]
    assert between("ace:RTE-1", "RTE-3") == []


NAMES = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)
IDS = st.builds("{}-{}-{}".format, st.from_regex(r"[A-Z][A-Z0-9]{0,3}", fullmatch=True), st.sampled_from(CODES), NAMES)
SYSTEMS = st.from_regex(r"[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}", fullmatch=True)
TEXTS = st.lists(
    IDS
    | st.builds("{}:".format, SYSTEMS)
    | st.sampled_from(["RTE-4", "SRC-1", "rt-rte-a", "RT_RTE_a", "https://", "www.", "RT", "RTE", "Ace:", "ace:"])
    | st.sampled_from(["_", "__", "-", " ", ".", ":", "é", "\n", "\u2011"])
    | st.text(max_size=3),
    max_size=12,
).map("".join)

FULL = re.compile(
    r"(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*:)?"
    r"(?:[A-Z][A-Z0-9]*-(CMP|OBJ|RTE|CLM|ABS|BAP)-[a-z0-9]+(-[a-z0-9]+)*|(CMP|OBJ|RTE|CLM|ABS|BAP)-[0-9]+|SRC-[1-9][0-9]*)"
)


@given(TEXTS)
@example("https://a RT-RTE-a")
@example("a:RT-RTE-a")
@example("a:SRC-1")
def test_mentions_of_any_text(text: str) -> None:
    done = 0
    for each in references(text):
        assert done <= each.start < each.end
        assert text[each.start : each.end] == each.id
        assert FULL.fullmatch(each.id)
        before, behind = text[: each.start], text[each.end :]
        assert not re.search(r"([^\W_]_{0,2}|-)\Z", before)
        assert not re.match(r"-?_*[^\W_]", behind)
        assert ":" in each.id or not re.search(r"(?:^|[^\w#-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*:\Z", before)
        assert each.start in starts(text)
        done = each.end


@given(TEXTS)
@example("see tiny: RT-RTE-a")
@example("A-CMP-0Ace:a: A-CMP-0")
@example("A-\nCMP-0")
def test_near_misses_of_any_text(text: str) -> None:
    proper = {(each.start, each.end) for each in references(text)}
    done = 0
    for each in near_misses(text):
        assert done <= each.start < each.end
        assert (each.start, each.end) not in proper
        assert each.start in starts(text)
        done = each.end


@given(TEXTS)
@example("EPI- RTE-4")
@example("RT-RTE-a -b")
@example("see A:  RT-RTE-a")
@example("SYS:RT-RTE-a, and rt-rte-b")
@example("CMP-0–xa:SRC-1")
def test_the_quick_look_overlooks_no_near_miss(text: str) -> None:
    every = sorted([*ids._loose(text), *ids._broken(text)], key=lambda each: (each.start, each.end))
    assert list(near_misses(text)) == every


@given(IDS, st.sampled_from([" ", ". ", "'s ", "/", ", ", ") ", "\n", "; ", "—"]), IDS)
def test_two_ids_are_two_mentions(one: str, between: str, other: str) -> None:
    assert found(f"({one}{between}{other})") == [one, other]


@given(IDS, NAMES)
def test_the_longest_is_mentioned(record_id: str, more: str) -> None:
    assert found(f"{record_id}-{more}") == [f"{record_id}-{more}"]
    assert found(f"{record_id}_{more}") == []


@given(IDS)
def test_another_case_is_a_near_miss(record_id: str) -> None:
    (miss,) = near_misses(f"see {record_id.lower()}.")
    assert (miss.id, miss.start, miss.end) == (record_id, 4, 4 + len(record_id))


@given(SYSTEMS, IDS)
def test_a_system_belongs_to_the_reference(system: str, record_id: str) -> None:
    assert found(f"({system}:{record_id})") == [f"{system}:{record_id}"]
    assert split(f"{system}:{record_id}") == (system, record_id)
    assert is_reference(f"{system}:{record_id}")
    assert list(near_misses(f"{system}:{record_id}")) == []


@given(SYSTEMS, IDS)
def test_a_system_in_another_case_is_a_near_miss(system: str, record_id: str) -> None:
    written = f"{system.upper()}:{record_id}"
    (miss,) = near_misses(f"see {written}.")
    assert (miss.id, miss.start, miss.end) == (f"{system}:{record_id}", 4, 4 + len(written))
    assert found(written) == [record_id]


@pytest.mark.parametrize(
    "piece",
    [
        "a", "A", "-", "_", "A-", "RTE-", "RT-RTE-a", "RT-RTE-a-", "RT-RTE-1–", "://", "a.", "www.", "\u2011",
        ":", "a:", "A:", "a-", "a-b:", "-a:", "a_", "a:b-", " a-", "a:RTE-", "a:RTE-1", "a:SRC-1:", "A-b:rte-1:",
        "a-b:RT-RTE-a-",
    ],
)  # fmt: skip
def test_long_texts_take_no_time(piece: str) -> None:
    """Of the processor, so that others who use it do not count."""
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    for read in (references, near_misses, ranges, starts):
        list(read(text))
    assert time.process_time() - start < 5
