"""The formats that other tools read, made of what authors, and others, may write: each is what its reader takes."""

import hashlib
import json
import re
import shutil
import xml.etree.ElementTree as etree
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from recordweave import __version__, project
from recordweave.records.diagnostic import CODES, Diagnostic, Place, Severity
from recordweave.report.contents import Report
from recordweave.report.data import in_json
from recordweave.report.github import in_github
from recordweave.report.junit import in_junit
from recordweave.report.sarif import in_sarif
from recordweave.report.text import in_colour, in_text
from recordweave.sources import schemas

SOUND = Path(__file__).parent / "checks" / "sound"
FORMATS = (in_text, in_github, in_json, in_sarif, in_junit)

HOSTILE = (
    "a\n::error file=x::y.md",
    "b]]>&<b>\"'.md",
    "c, d: e%0A.md",
    "\u202egpj.md",
    "\x1b[31m\x9b\x00.md",
    "\udcff.md",
    "\ufffe\uffff\u2028\u2066.md",
    "漢字 é.md",
)
"""Names, and in messages words, that would end, open or hide something in one format or another."""


def simple(root: Path) -> Report:
    """One error with a hint and a related place, one warning without."""
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / "a.md").write_text("one\ntwo\n", encoding="utf-8")
    related = (("the first is here", Place("docs/a.md", 1, 1)),)
    error = Diagnostic("duplicate-id", Severity.ERROR, "`x` is not `y`", Place("docs/a.md", 2, 2), "mend it", related)
    warning = Diagnostic("range", Severity.WARNING, "this is odd", Place("docs/b c.md", 7, 1))
    return Report(root, [error, warning], ["docs/a.md", "docs/b c.md", "docs/d.md"], 2, 16)


def hostile(root: Path) -> Report:
    faults = [
        Diagnostic(
            "unknown-id", Severity.ERROR, f"`{word}` is not declared", Place(word, 1, 1), word, ((word, Place(word)),)
        )
        for word in HOSTILE
    ]
    return Report(root, faults, list(HOSTILE), 1, 1, HOSTILE[0])


def test_commands_of_github_actions(tmp_path: Path) -> None:
    report = simple(tmp_path)
    text = in_text(report)
    word = hashlib.sha256(text.encode()).hexdigest()
    assert in_github(report) == (
        "::error file=docs/a.md,line=2,col=2,title=duplicate-id::"
        "`x` is not `y`%0Adocs/a.md:1:1: the first is here%0Ahelp: mend it\n"
        "::warning file=docs/b c.md,line=7,col=1,title=range::this is odd\n"
        f"::stop-commands::{word}\n{text}::{word}::\n"
    )


def test_hostile_commands_of_github_actions(tmp_path: Path) -> None:
    """No text makes a command of its own, and every property can be read back as GitHub does it."""
    told = in_github(hostile(tmp_path))
    lines = told.removesuffix("\n").split("\n")
    stop = next(number for number, line in enumerate(lines) if line.startswith("::stop-commands::"))
    assert stop == len(HOSTILE)
    word = lines[stop].removeprefix("::stop-commands::")
    assert [number for number, line in enumerate(lines) if f"::{word}::" in line] == [len(lines) - 1]
    names = []
    for line in lines[:stop]:
        matched = re.fullmatch(r"::error ([^:]*)::(.*)", line)
        assert matched
        properties = dict(each.split("=", 1) for each in matched[1].split(","))
        assert properties.keys() == {"file", "line", "col", "title"}
        names.append(unquote(properties["file"]))
        assert line.replace(" ", "").isprintable()
        assert "%0Ahelp: " in matched[2]
    assert names[:3] == list(HOSTILE[:3])
    assert names[3:] == [
        r"\u202egpj.md",
        r"\x1b[31m\x9b\x00.md",
        "\ufffd.md",
        r"\ufffe\uffff\u2028\u2066.md",
        "漢字 é.md",
    ]


def test_json(tmp_path: Path) -> None:
    assert json.loads(in_json(simple(tmp_path))) == {
        "version": 1,
        "counts": {"errors": 1, "warnings": 1, "files": 3, "systems": 2, "entries": 16},
        "diagnostics": [
            {
                "code": "duplicate-id",
                "severity": "error",
                "message": "`x` is not `y`",
                "hint": "mend it",
                "file": "docs/a.md",
                "line": 2,
                "column": 2,
                "related": [{"message": "the first is here", "file": "docs/a.md", "line": 1, "column": 1}],
            },
            {
                "code": "range",
                "severity": "warning",
                "message": "this is odd",
                "hint": "",
                "file": "docs/b c.md",
                "line": 7,
                "column": 1,
                "related": [],
            },
        ],
    }


@pytest.mark.parametrize("make", [simple, hostile])
def test_json_keeps_to_its_schema(make: Callable[[Path], Report], tmp_path: Path) -> None:
    told = in_json(make(tmp_path))
    assert told.isascii()
    known = schemas.load()
    assert [error.message for error in known.errors("diagnostics", json.loads(told))] == []
    assert known.is_valid("diagnostics", json.loads(told))


def test_the_schema_of_json_is_strict(tmp_path: Path) -> None:
    known = schemas.load()
    data = json.loads(in_json(simple(tmp_path)))
    for key in ("version", "counts", "diagnostics"):
        assert not known.is_valid("diagnostics", {name: each for name, each in data.items() if name != key})
    for key in data["diagnostics"][0]:
        poor = {name: each for name, each in data["diagnostics"][0].items() if name != key}
        assert not known.is_valid("diagnostics", data | {"diagnostics": [poor]})
    assert not known.is_valid("diagnostics", data | {"more": 1})
    assert not known.is_valid("diagnostics", data | {"diagnostics": [data["diagnostics"][0] | {"line": 0}]})


def test_hostile_json_says_what_was_written(tmp_path: Path) -> None:
    told = json.loads(in_json(hostile(tmp_path)))["diagnostics"]
    assert [each["file"] for each in told] == [each.replace("\udcff", "\ufffd") for each in HOSTILE]
    assert [each["message"] for each in told] == [
        f"`{each.replace(chr(0xDCFF), chr(0xFFFD))}` is not declared" for each in HOSTILE
    ]


def is_sarif(log: Any) -> None:
    """What the schema of SARIF 2.1.0 asks of the parts that are used here."""
    assert log["version"] == "2.1.0"
    assert log.keys() == {"$schema", "version", "runs"}
    (run,) = log["runs"]
    assert run.keys() == {"tool", "columnKind", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver["name"]
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert len(set(identifiers)) == len(identifiers)
    for rule in driver["rules"]:
        assert rule.keys() == {"id", "shortDescription"}
        assert rule["shortDescription"]["text"]
    for result in run["results"]:
        assert result.keys() <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"}
        assert identifiers[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        related = result.get("relatedLocations", [])
        assert [each["id"] for each in related] == list(range(1, len(related) + 1))
        for location in (*result["locations"], *related):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", artifact["uri"])
            parts = urlsplit(artifact["uri"])
            assert (parts.scheme, parts.netloc) == ("", "")
            assert not artifact["uri"].startswith("/")
            assert artifact["uriBaseId"] == "%SRCROOT%"
            region = location["physicalLocation"]["region"]
            assert all(isinstance(each, int) and each >= 1 for each in region.values())
            assert region.keys() == {"startLine", "startColumn"}


def test_sarif(tmp_path: Path) -> None:
    log = json.loads(in_sarif(simple(tmp_path)))
    is_sarif(log)
    driver = log["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("recordweave", __version__)
    assert {rule["id"]: rule["shortDescription"]["text"] for rule in driver["rules"]} == CODES
    first, second = log["runs"][0]["results"]
    assert first == {
        "ruleId": "duplicate-id",
        "ruleIndex": list(CODES).index("duplicate-id"),
        "level": "error",
        "message": {"text": "`x` is not `y`\nhelp: mend it"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "docs/a.md", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 2},
                }
            }
        ],
        "relatedLocations": [
            {
                "id": 1,
                "physicalLocation": {
                    "artifactLocation": {"uri": "docs/a.md", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 1, "startColumn": 1},
                },
                "message": {"text": "the first is here"},
            }
        ],
    }
    assert (second["level"], second["message"]) == ("warning", {"text": "this is odd"})
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "docs/b%20c.md"


def test_sarif_of_a_file_outside_the_repository(tmp_path: Path) -> None:
    fault = Diagnostic("unreadable-file", Severity.ERROR, "x", Place("/else where/a.md"))
    (result,) = json.loads(in_sarif(Report(tmp_path, [fault], [], 1, 1)))["runs"][0]["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///else%20where/a.md"}


def test_hostile_sarif(tmp_path: Path) -> None:
    told = in_sarif(hostile(tmp_path))
    assert told.isascii()
    log = json.loads(told)
    is_sarif(log)
    results = log["runs"][0]["results"]
    addresses = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
    assert [unquote(each, errors="surrogateescape") for each in addresses] == list(HOSTILE)
    json.dumps(log, ensure_ascii=False).encode()  # no half of a character is left


def test_junit(tmp_path: Path) -> None:
    assert in_junit(simple(tmp_path)) == (
        "<?xml version='1.0' encoding='us-ascii'?>\n"
        '<testsuites tests="3" failures="2" errors="0" skipped="0">\n'
        '  <testsuite name="recordweave" tests="3" failures="2" errors="0" skipped="0">\n'
        '    <testcase classname="recordweave" name="docs/a.md">\n'
        '      <failure type="error" message="`x` is not `y`">docs/a.md:2:2: error: `x` is not `y` [duplicate-id]\n'
        "  2 | two\n"
        "    |  ^\n"
        "  docs/a.md:1:1: the first is here\n"
        "  1 | one\n"
        "    | ^\n"
        "  help: mend it</failure>\n"
        "    </testcase>\n"
        '    <testcase classname="recordweave" name="docs/b c.md">\n'
        '      <failure type="warning" message="this is odd">docs/b c.md:7:1: warning: this is odd [range]</failure>\n'
        "    </testcase>\n"
        '    <testcase classname="recordweave" name="docs/d.md" />\n'
        "  </testsuite>\n"
        "</testsuites>\n"
    )


def test_several_faults_of_a_file_are_one_failure(tmp_path: Path) -> None:
    report = simple(tmp_path)
    odd = Diagnostic("range", Severity.WARNING, "this is odd", Place("docs/a.md"))
    suites = etree.fromstring(in_junit(Report(tmp_path, [odd, report.diagnostics[0]], report.files, 1, 1)))
    (failure,) = suites.iter("failure")
    assert failure.attrib == {"type": "error", "message": "1 error and 1 warning"}


def test_hostile_junit(tmp_path: Path) -> None:
    suites = etree.fromstring(in_junit(hostile(tmp_path)))
    cases = [case.attrib["name"] for case in suites.iter("testcase")]
    assert sorted(cases) == sorted(
        [
            r"a\n::error file=x::y.md",
            "b]]>&<b>\"'.md",
            "c, d: e%0A.md",
            r"\u202egpj.md",
            r"\x1b[31m\x9b\x00.md",
            r"\udcff.md",
            r"\ufffe\uffff\u2028\u2066.md",
            "漢字 é.md",
        ]
    )
    assert len(list(suites.iter("failure"))) == len(HOSTILE)


@pytest.mark.parametrize("make", [in_text, in_github, in_junit])
def test_no_hostile_name_reaches_the_eye(make: Callable[[Report], str], tmp_path: Path) -> None:
    assert all(line.isprintable() for line in make(hostile(tmp_path)).split("\n"))


@pytest.mark.parametrize("make", FORMATS)
def test_the_same_files_make_the_same_output(make: Callable[[Report], str], tmp_path: Path) -> None:
    told = []
    for name in ("one", "two"):
        root = shutil.copytree(SOUND, tmp_path / name)
        page = root / "docs" / "tiny" / "memory.md"
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("MEM-RTE-", "MEM-RTE-x").replace("RT-RTE-loop", "RT-RTE-l"), encoding="utf-8")
        found = project.load(root, root / "records", root / "docs")
        files = sorted(file for each in found.checked for file in each.files)
        told.append(make(Report(root, found.diagnostics, files, 1, 16)))
    assert told[0] == told[1]
    assert "MEM-RTE-xsave" in told[0]


def coloured(tmp_path: Path, line: str, column: int, width: int) -> list[str]:
    """The excerpt of a line and its caret in a terminal of a width."""
    (tmp_path / "a.md").write_text(line, encoding="utf-8")
    fault = Diagnostic("range", Severity.WARNING, "x", Place("a.md", 1, column))
    told = list(in_colour(Report(tmp_path, [fault], [], 1, 1), width))
    assert all(each.cell_len <= width for each in told[1:3])
    return [each.plain for each in told[1:3]]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("short", 3, ["  1 | short", "    |   ^"]),
        ("0123456789abcdefghij", 2, ["  1 | 0123456789abc…", "    |  ^"]),
        ("0123456789abcdefghij", 11, ["  1 | …456789abcdef…", "    |        ^"]),
        ("0123456789abcdefghij", 20, ["  1 | …789abcdefghij", "    |              ^"]),
        ("漢字漢字漢字漢字漢字", 6, ["  1 | …字漢字漢字漢…", "    |      ^"]),
        ("漢字漢字漢字漢字漢字", 1, ["  1 | 漢字漢字漢字…", "    | ^"]),
    ],
)
def test_a_long_line_is_cut_to_the_window(line: str, column: int, expected: list[str], tmp_path: Path) -> None:
    assert coloured(tmp_path, line, column, 20) == expected


def test_a_window_that_is_too_narrow_for_anything(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("漢字" * 20, encoding="utf-8")
    fault = Diagnostic("range", Severity.WARNING, "x", Place("a.md", 1, 9))
    assert [each.plain for each in in_colour(Report(tmp_path, [fault], [], 1, 1), 3)]


def test_colours_change_no_text(tmp_path: Path) -> None:
    told = []
    for report in (simple(tmp_path), hostile(tmp_path)):
        told = list(in_colour(report, 200))
        assert "".join(f"{each.plain}\n" for each in told) == in_text(report)
    styles = {str(span.style) for each in told for span in each.spans}
    assert {"bold red", "bold cyan"} <= styles
