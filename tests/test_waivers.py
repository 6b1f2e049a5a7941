"""Which comments are waivers, and which lines they are about. What is told of them is in `checks/cases.yml`."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.sources.prose import read_prose
from recordweave.sources.waivers import Waiver, in_unread, in_yaml, settle
from recordweave.sources.yaml_reader import read

ALLOW = "recordweave: allow range: because"


def of_yaml(text: str) -> list[Waiver]:
    document, _ = read(text, "a.yml")
    assert document is not None
    return in_yaml(document)


YAML = {
    "the end of a line": (f"a: 1\nb: 2 # {ALLOW}\nc: 3\n", [(2, {2})]),
    "above": (f"a: 1\n# {ALLOW}\nb: 2\n", [(2, {3})]),
    "above, indented": (f"x: 1\na:\n  # {ALLOW}\n  b: 2\n", [(3, {4})]),
    "two above": (f"a: 1\nx: 1\n# {ALLOW}\n# {ALLOW}\nb: 2\n", [(3, {5}), (4, {5})]),
    "above another comment": (f"a: 1\n# {ALLOW}\n# and more\nb: 2\n", [(2, {4})]),
    "above an empty line": (f"a: 1\n# {ALLOW}\n\nb: 2\n", [(2, {3})]),
    "before everything": (f"# A file.\n# {ALLOW}\nb: 2\n", [(2, {1, 3})]),
    "at the very end": (f"a: 1\n# {ALLOW}", [(2, {3})]),
    "on the line of a block": (f"x: 1\na: |- # {ALLOW}\n  one\n  two\nb: 2\n", [(2, {2, 3, 4})]),
    "on the line of a tagless anchor": (f"x: 1\na: &b >- # {ALLOW}\n  one\n  two\nb: *b\n", [(2, {2, 3, 4})]),
    "above a block": (f"x: 1\n# {ALLOW}\na: |-\n  one\n  two\nb: 2\n", [(2, {3, 4, 5})]),
    "behind a block": (f"a: |-\n  one\n  two\n# {ALLOW}\nb: 2\n", [(4, {5})]),
    "behind quotes of several lines": (f"a: 'one\n  two' # {ALLOW}\nb: 2\n", [(2, {1, 2})]),
    "between a key and its value": (f"x: 1\na: # {ALLOW}\n  one\nb: 2\n", [(2, {2, 3})]),
    "in brackets": (f"a: [one, # {ALLOW}\n  two]\n", [(1, {1})]),
    "in a block": (f"a: |-\n  one # {ALLOW}\n  # {ALLOW}\n", []),
    "in quotes": (f"a: 'one # {ALLOW}'\nb: \"# {ALLOW}\"\n", []),
    "in a key": (f"'a # {ALLOW}': 1\n\"# {ALLOW}\": 2\n", []),
    "in a comment": (f"a: 1 # as in # {ALLOW}\n", [(1, {1})]),
    "no comment": (f"a: 1#{ALLOW}\n", None),
    "Windows line ends": (f"a: 1\r\nb: 2 # {ALLOW}\r\nc: 3\r\n", [(2, {2})]),
}


@pytest.mark.parametrize(("text", "expected"), YAML.values(), ids=YAML)
def test_in_yaml(text: str, expected: list[tuple[int, set[int]]] | None) -> None:
    document, _ = read(text, "a.yml")
    found = in_yaml(document) if document else None
    assert (None if found is None else [(each.place.line, set(chain(*each.lines))) for each in found]) == expected
    assert all((each.code, each.reason) == ("range", "because") for each in found or ())


PROSE = {
    "the end of a line": (f"# A\n\nOne <!-- {ALLOW} -->\ntwo.\n", [(3, {3})]),
    "the middle of a line": (f"# A\n\nOne <!-- {ALLOW} --> two.\n", [(3, {3})]),
    "above": (f"# A\n\n<!-- {ALLOW} -->\nOne.\n", [(3, {4})]),
    "above, of several lines": (f"# A\n\n<!--\n{ALLOW}\n-->\nOne.\n", [(3, {6})]),
    "two above": (f"# A\n\n<!-- {ALLOW} -->\n<!-- {ALLOW} -->\nOne.\n", [(3, {5}), (4, {5})]),
    "first": (f"<!-- {ALLOW} -->\n# A\n", [(1, {1, 2})]),
    "first behind front matter": (f"---\ntitle: A\n---\n\n<!-- {ALLOW} -->\n# A\n", [(5, {1, 6})]),
    "in an item": (f"- one\n- two <!-- {ALLOW} -->\n", [(2, {2})]),
    "in a table": (f"| a | b |\n|---|---|\n| 1 | 2 <!-- {ALLOW} --> |\n", [(3, {3})]),
    "in a quotation": (f"> One. <!-- {ALLOW} -->\n", [(1, {1})]),
    "in an admonition": (f"!!! note\n\n    One. <!-- {ALLOW} -->\n", [(3, {3})]),
    "with a template": (f"# A\n\nOne. <!-- {ALLOW} {{# x #}} -->\n", [(3, {3})]),
    "in a code span": (f"# A\n\n`<!-- {ALLOW} -->`\n", []),
    "in a fence": (f"# A\n\n```\n<!-- {ALLOW} -->\n```\n", []),
    "in indented code": (f"# A\n\n    <!-- {ALLOW} -->\n", []),
    "in front matter": (f"---\ntitle: A\nx: <!-- {ALLOW} -->\n---\n\n# A\n", []),
    "in a template's comment": (f"# A\n\n{{# <!-- {ALLOW} --> #}}\n", []),
    "never closed": (f"# A\n\n<!-- {ALLOW}\n", []),
    "escaped": (f"# A\n\n\\<!-- {ALLOW} -->\n", [(3, {3})]),
}


@pytest.mark.parametrize(("text", "expected"), PROSE.values(), ids=PROSE)
def test_in_prose(text: str, expected: list[tuple[int, set[int]]]) -> None:
    found = read_prose(text, "a.md").waivers
    assert [(each.place.line, set(chain(*each.lines))) for each in found] == expected
    assert all(each.code == "range" and each.reason.startswith("because") for each in found)


def test_what_a_comment_says() -> None:
    said = {
        "allow range: because": ("range", "because"),
        "  allow   range :because: of that  ": ("range", "because: of that"),
        "allow range": ("range", ""),
        "allow range:": ("range", ""),
        "allow range because": ("", ""),
        "allow": ("", ""),
        "": ("", ""),
        "Allow range: because": ("", ""),
        "allow range, near-miss: because": ("", ""),
    }
    for words, expected in said.items():
        (waiver,) = of_yaml(f"a: 1 # recordweave:{words}\n")
        assert (waiver.code, waiver.reason) == expected, words


def test_only_what_is_named_on_the_line_of_the_same_file_is_waived() -> None:
    (waiver,) = of_yaml(f"a: 1\nb: 2 # {ALLOW}\n")
    waived = Diagnostic("range", Severity.WARNING, "x", Place("a.yml", 2, 4))
    others = [
        Diagnostic("range", Severity.WARNING, "x", Place("a.yml", 1, 4)),
        Diagnostic("range", Severity.WARNING, "x", Place("b.yml", 2, 4)),
        Diagnostic("near-miss", Severity.ERROR, "x", Place("a.yml", 2, 4)),
    ]
    settled = settle([waived, *others], [waiver])
    assert set(settled.left) == set(others)
    assert (settled.faults, settled.unused) == ([], [])


_MARKS = """
# recordweave: <!--recordweave: --> a: b: ' " &x *x [ ] { } ``` ` {{ }} {# #} {%raw%} {%endraw%} <div> </div> | 漢 \\
"""
_PARTS = st.sampled_from(
    (f"# {ALLOW}", f"<!-- {ALLOW} -->", *_MARKS.split(), *"\n \t", "\n\n", "\r\n", "    ", "- ", "> ", "|-\n", "---\n")
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PARTS, max_size=30).map("".join))
def test_no_text_makes_a_traceback(text: str) -> None:
    document, faults = read(text, "a.yml")
    waivers = [*in_unread(text, "a.yml"), *(in_yaml(document) if document else ()), *read_prose(text, "a.md").waivers]
    settled = settle(faults, waivers)
    assert set(settled.left) <= set(faults)
    assert all(each.place.line >= 1 and each.lines for each in waivers)
