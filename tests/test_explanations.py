"""The explanations of the diagnostics: that every code has one, and that its examples are what they are said to be.

Each example is put into a copy of the sound system and checked: the wrong one has the fault in question and no other,
the right one has none. Where it goes is said by `checks/examples.yml`, if it does not go without saying.
"""

import re
import shutil
import textwrap
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

from recordweave.records.diagnostic import CODES, WARNINGS, Example, Place, Severity, usual_severity
from recordweave.sources import explanations
from tests.site.build import REPOSITORY, Builds
from tests.test_checks import CASES, CHECKS, checked, edit

EXPLANATIONS = explanations.load()
PUT: Mapping[str, Any] = yaml.load((CHECKS / "examples.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)
LEFT_OUT = "# ...\n"
IN_A_BUILD = ("active-content", "unknown-id", "never-cited")
"""Some codes of which a build says the same; it asks the same checks."""


def lines_of(text: str, excerpt: str) -> tuple[int, int]:
    """From where to where lines stand in a text, however far they are indented there. They stand there once."""
    found = [
        (at.start(), at.start() + len(indented))
        for indented in (textwrap.indent(excerpt.rstrip("\n") + "\n", " " * width) for width in range(12))
        for at in re.finditer(f"^{re.escape(indented)}", text, re.MULTILINE)
    ]
    assert len(found) == 1, f"these lines stand {len(found)} times:\n{excerpt}"
    return found[0]


def put(root: Path, example: Example, instead: Example) -> set[Place]:
    """Put an example into a system in the place of lines that stand there, and say which lines it stands in then."""
    path = root / example.file
    if not (root / instead.file).exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(example.text))
        return {Place(example.file, line + 1) for line in range(example.text.count("\n"))}
    places: set[Place] = set()
    text = (root / instead.file).read_text(encoding="utf-8")
    for new, old in zip(example.text.split(LEFT_OUT), instead.text.split(LEFT_OUT), strict=True):
        start, end = lines_of(text, old)
        width = re.match(" *", text[start:])
        assert width is not None
        text = text[:start] + textwrap.indent(new, width[0]) + text[end:]
        first = text.count("\n", 0, start) + 1
        places |= {Place(example.file, first + line) for line in range(new.count("\n"))}
    (root / instead.file).unlink()
    path.write_bytes(as_bytes(text))
    return places


def as_bytes(text: str) -> bytes:
    """The bytes of a file: what an editor shows as a strange sign is a letter of an older encoding."""
    text = text.replace("# and so on\n", "9.md, " * 500_000 + "\n")
    return b"\xe9".join(each.encode() for each in text.split("\N{REPLACEMENT CHARACTER}"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the sound system."""
    return shutil.copytree(CHECKS / "sound", tmp_path / "root")


def prepared(root: Path, code: str, example: Example) -> set[Place]:
    """Put an example of a code into the sound system, and say which lines it stands in."""
    how = PUT.get(code, {})
    for change in how.get("before", ()):
        edit(root, change)
    right = EXPLANATIONS[code].right
    return put(root, example, Example(right.file, how.get("replaces", right.text)))


def test_every_code_is_explained_in_the_order_of_the_codes() -> None:
    assert list(EXPLANATIONS) == list(CODES)
    assert PUT.keys() <= CODES.keys()


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_is_short(code: str) -> None:
    told = EXPLANATIONS[code]
    assert len(re.findall(r"[.?](?:\s|$)", re.sub("`[^`]*`", "x", told.why))) in range(1, 5)
    for example in (told.wrong, told.right):
        assert 0 < example.text.count("\n") <= 8
        assert max(len(line) for line in example.text.splitlines()) <= 80
        assert example.text == textwrap.dedent(example.text)


@pytest.mark.parametrize("code", CODES)
def test_the_wrong_example_has_this_fault_and_no_other(code: str, root: Path) -> None:
    lines = prepared(root, code, EXPLANATIONS[code].wrong)
    found = checked(root)
    assert {(each.code, each.severity) for each in found} == {(code, usual_severity(code))}
    if "told-in" in PUT.get(code, {}):
        assert {each.place.file for each in found} == {PUT[code]["told-in"]}
    else:
        assert {Place(each.place.file, each.place.line) for each in found} <= lines


@pytest.mark.parametrize("code", CODES)
def test_the_right_example_has_no_fault(code: str, root: Path) -> None:
    prepared(root, code, EXPLANATIONS[code].right)
    assert checked(root) == []


@pytest.fixture
def buildable(root: Path) -> Path:
    """A copy of the sound system with the configuration of the published site, less its navigation."""
    settings = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    (root / "mkdocs.yml").write_text(re.sub(r"^nav:\n(?: .*\n)*", "", settings, flags=re.MULTILINE), encoding="utf-8")
    return root


@pytest.mark.slow
@pytest.mark.parametrize("code", IN_A_BUILD)
def test_a_build_says_the_same_of_the_wrong_example(code: str, buildable: Path, builds: Builds) -> None:
    prepared(buildable, code, EXPLANATIONS[code].wrong)
    build = builds.run(buildable, buildable / "site")
    told = re.findall(r"recordweave: (\S+): \w+: .* \[(.+)\]", "\n".join(build.warnings))
    assert build.status == 1
    assert told == [(str(each.place), code) for each in checked(buildable)]


@pytest.mark.slow
@pytest.mark.parametrize("code", IN_A_BUILD)
def test_the_right_example_has_no_fault_in_a_build(code: str, buildable: Path, builds: Builds) -> None:
    prepared(buildable, code, EXPLANATIONS[code].right)
    assert builds.run(buildable, buildable / "site").status == 0


@pytest.mark.slow
def test_the_guide_shows_them(buildable: Path, builds: Builds) -> None:
    (buildable / "docs" / "codes.md").write_text('# Codes\n\n{{ reference("diagnostics") }}\n', encoding="utf-8")
    assert builds.run(buildable, buildable / "site").status == 0
    page = (buildable / "site" / "codes" / "index.html").read_text(encoding="utf-8")
    parts = re.split('<h2 id="', page)
    assert [each.split('"')[0] for each in parts[1:]] == list(CODES)
    for part, (code, told) in zip(parts[1:], EXPLANATIONS.items(), strict=True):
        shown = unescape(re.sub("<[^>]+>", "", part))
        assert f"{usual_severity(code).capitalize()}. {CODES[code].replace('`', '')}" in shown
        assert " ".join(told.why.replace("`", "").split()) in " ".join(shown.split())
        for word, example in (("Wrong", told.wrong), ("Right", told.right)):
            assert f"{word}, in {example.file}:\n{example.text}" in shown


def test_the_severity_of_every_code() -> None:
    told = {
        (severity, code)
        for case in CASES
        for severity, code in re.findall(r": (error|warning): .* \[(.+)\]\n", case["expected"])
    }
    weaker = {(Severity.WARNING, "bad-address"), (Severity.WARNING, "near-miss")}
    assert weaker <= told
    assert told - weaker == {(usual_severity(code), code) for _, code in told}
    assert CODES.keys() >= WARNINGS
