"""What `mkdocs.yml` says about the check: read as MkDocs reads it, and heeded by the check and by every build."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config

from recordweave import project
from recordweave.records.diagnostic import CODES, Diagnostic, Place, Severity
from recordweave.records.severities import GUARDING, OMITTING, read_severities, weighed
from recordweave.settings import Settings, SettingsError, read_settings
from recordweave.sources.waivers import UNWAIVABLE
from tests.site.build import REPOSITORY
from tests.test_checks import CASES, edit

SOUND = Path(__file__).parent / "checks" / "sound"
RANGE = "docs/tiny/memory.md"


def configured(root: Path, plugin: str, more: str = "", name: str = "mkdocs.yml") -> Path:
    """Write a configuration with settings of the plugin, each on a line of its own."""
    lines = "".join(f"      {each}\n" for each in plugin.splitlines())
    head = f"site_name: Tiny\ntheme: {{name: material, font: false}}\nextra: {{generator: false}}\n{more}"
    plugins = f"plugins:\n  - macros: {{on_undefined: strict, on_error_fail: true}}\n  - recordweave:\n{lines}"
    (root / name).write_text(head + plugins, encoding="utf-8")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A system with one fault: a range that is not written out, a warning."""
    root = shutil.copytree(SOUND, tmp_path / "root")
    page = root / RANGE
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("RT-RTE-loop.", "WFL-RTE-1 to WFL-RTE-3."), encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("raw", "severities"),
    [
        (None, {}),
        ({}, {}),
        ({"range": "error", "near-miss": "warning"}, {"range": Severity.ERROR, "near-miss": Severity.WARNING}),
        ({"range": "off", "not-shown": False}, {"range": None, "not-shown": None}),
        (dict.fromkeys(GUARDING, "error"), dict.fromkeys(GUARDING, Severity.ERROR)),
        (dict.fromkeys(OMITTING, "warning"), dict.fromkeys(OMITTING, Severity.WARNING)),
    ],
)
def test_severities(raw: object, severities: dict[str, Severity | None]) -> None:
    assert read_severities(raw) == (severities, [])


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ({"rang": "error"}, "`rang` is not the code of a diagnostic; did you mean `range`?"),
        ({7: "error"}, "`7` is not the code of a diagnostic; the codes stand in brackets behind what a check tells"),
        ({"range": "warn"}, "`warn` is not a severity that `range` can have; did you mean `warning`?"),
        ({"range": True}, "`True` is not a severity that `range` can have; write `error`, `warning` or `off`"),
        ({"range": None}, "`None` is not a severity that `range` can have; write `error`, `warning` or `off`"),
        (
            {"range": [1]},
            "`[1]` is not a severity that `range` can have; write `error`, `warning` or `off`",
        ),
        ({"range": 0}, "`0` is not a severity that `range` can have; write `error`, `warning` or `off`"),
        (
            {"bad-address": "warning"},
            "`bad-address` keeps readers from harm, so it can be raised and not lowered; remove it from `severity`",
        ),
        (
            {"active-content": False},
            "`active-content` keeps readers from harm, so it can be raised and not lowered; remove it from `severity`",
        ),
        (
            {"missing-key": "off"},
            "what `missing-key` is about is left out of the site, so it cannot be `off`; write `missing-key: warning`",
        ),
        (["range"], "`severity` holds no codes; write `severity: {range: error}`"),
    ],
)
def test_wrong_severities(raw: object, complaint: str) -> None:
    assert read_severities(raw) == ({}, [complaint])


def test_every_code_that_is_treated_specially_is_a_code() -> None:
    assert CODES.keys() >= UNWAIVABLE > GUARDING | OMITTING
    assert {"bad-address", "active-content", "unreadable-file"} == GUARDING


def test_what_is_needed_is_told_whatever_is_turned_off() -> None:
    faults = [Diagnostic("unknown-id", Severity.ERROR, "x", Place("a.md", line)) for line in (1, 2)]
    told = list(weighed(faults, {"unknown-id": None}, faults[1:]))
    assert [(each.place.line, each.severity) for each in told] == [(2, Severity.WARNING)]


def told(root: Path) -> list[str]:
    settings = read_settings(root)
    found = project.load(root, root / settings.records, root / settings.docs, settings.severities, settings.scripts)
    return [f"{each.place.file}: {each.severity} [{each.code}]" for each in found.diagnostics]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_nothing_is_left_out_without_a_word(case: dict[str, Any], tmp_path: Path) -> None:
    """A file, record or page that is not shown is told of, even where every code is off that can be."""
    root = shutil.copytree(SOUND, tmp_path / "root")
    for change in case["edits"]:
        edit(root, change)
    severities, complaints = read_severities(dict.fromkeys(CODES.keys() - GUARDING - OMITTING, "off"))
    assert complaints == []
    found = project.load(root, root / "records", root / "docs", severities)
    told = {each.place.file for each in found.diagnostics}
    unread = {file for system in found.systems.values() for file in system.loaded.unread}
    assert unread <= told
    for system in found.systems.values():
        assert system.collection or told
        assert not (system.loaded.declared or system.loaded.damaged) or told
    pages = [found.faulty, *(system.faulty for system in found.systems.values())]
    for faults in (each for faulty in pages for each in faulty.values()):
        assert {each.place.file for each in faults if each.severity is Severity.ERROR} <= told


def test_without_a_configuration(root: Path) -> None:
    assert read_settings(root) == Settings()
    assert told(root) == [f"{RANGE}: warning [range]"]


def test_a_severity_of_the_configuration(root: Path) -> None:
    assert told(configured(root, "severity: {range: error}")) == [f"{RANGE}: error [range]"]
    assert told(configured(root, "severity: {range: off}")) == []


def test_a_page_that_cannot_be_shown_is_told_of_all_the_same(root: Path) -> None:
    page = root / RANGE
    page.write_text(page.read_text(encoding="utf-8") + '\n{{ ref("MEM-OBJ-nott", "x") }} MEM-OBJ-nott\n', "utf-8")
    assert told(configured(root, "severity: {range: off, unknown-id: off}")) == [f"{RANGE}: warning [unknown-id]"]


def test_folders_of_the_configuration(root: Path) -> None:
    (root / "records").rename(root / "data")
    (root / "docs").rename(root / "prose")
    configured(root, "records: data", "docs_dir: prose\n")
    assert read_settings(root) == Settings("data", "prose")
    assert told(root) == ["prose/tiny/memory.md: warning [range]"]


def test_inherited_settings_and_such_of_the_environment(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As MkDocs itself reads them."""
    configured(root, "records: data\nseverity: {range: off}", "docs_dir: elsewhere\nextra: {a: 1}\n", "base.yml")
    (root / "mkdocs.yml").write_text(
        "INHERIT: base.yml\ndocs_dir: !ENV [NO_SUCH_DOCS, DOCS, docs]\nextra: {b: !ENV DOCS}\nmarkdown_extensions:\n"
        "  - toc: {slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("DOCS", "prose")
    assert read_settings(root) == Settings("data", "prose", {"range": None})
    monkeypatch.delenv("DOCS")
    assert read_settings(root) == Settings("data", "docs", {"range": None})
    config = load_config(str(root / "mkdocs.yml"))
    assert config.docs_dir == str(root / "docs")
    assert config.plugins["recordweave"].config["records"] == "data"
    assert config.plugins["recordweave"].config["severity"] == {"range": None}


def test_scripts_of_the_site_itself(root: Path) -> None:
    (root / "docs" / "own.js").touch()
    (root / "docs" / "tiny" / "other.js").touch()
    left = "docs/tiny/memory.md: warning [range]"
    scripts = ("docs/own.js: error [active-content]", "docs/tiny/other.js: error [active-content]")
    assert sorted(told(root)) == sorted([left, *scripts])
    configured(root, "{}", "extra_javascript: [own.js, {path: tiny/other.js, type: module}, 7, {src: x.js}]\n")
    assert told(root) == [left]


def test_plugins_as_a_mapping(root: Path) -> None:
    (root / "mkdocs.yml").write_text("plugins:\n  search: {}\n  recordweave: {records: data}\n", encoding="utf-8")
    assert read_settings(root) == Settings("data")
    (root / "mkdocs.yml").rename(root / "mkdocs.yaml")
    assert read_settings(root) == Settings("data")


@pytest.mark.parametrize("text", ["", "# nothing\n", "plugins: [search]\n", "plugins: [recordweave]\n", "plugins:\n"])
def test_a_configuration_that_says_nothing_of_it(text: str, root: Path) -> None:
    (root / "mkdocs.yml").write_text(text, encoding="utf-8")
    assert read_settings(root) == Settings()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: [", "mkdocs.yml:1:5: expected the node content, but found '<stream end>'"),
        ("a: b: c\n", "mkdocs.yml:1:5: mapping values are not allowed here"),
        ("- a\n", "`mkdocs.yml` holds no settings; write `key: value` lines"),
        ("INHERIT: none.yml\n", "`{root}/none.yml` cannot be read: No such file or directory"),
        ("INHERIT: mkdocs.yml\n", "`mkdocs.yml` inherits from itself; remove `INHERIT`"),
        ("docs_dir: []\n", "`docs_dir` in `mkdocs.yml` is not the name of a folder; write one, or leave it out"),
        (
            "plugins: [recordweave: {records: 7}]\n",
            "`records` of the plugin `recordweave` in `mkdocs.yml` is not the name of a folder; write one, or leave it "
            "out",
        ),
        (
            "plugins: [recordweave: {severity: {rang: off, range: warn}}]\n",
            "`severity` of the plugin `recordweave` in `mkdocs.yml`: `rang` is not the code of a diagnostic; did you "
            "mean `range`?; and `warn` is not a severity that `range` can have; did you mean `warning`?",
        ),
        ("a: 2024-02-30\n", "`mkdocs.yml` cannot be read: day is out of range for month"),
        ("a: " + "[" * 2000, "`mkdocs.yml` cannot be read: maximum recursion depth exceeded"),
    ],
)
def test_a_configuration_that_cannot_be_used(text: str, complaint: str, root: Path) -> None:
    (root / "mkdocs.yml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        read_settings(root)
    assert str(raised.value).startswith(complaint.format(root=root))


def test_the_published_configuration_is_read_as_mkdocs_reads_it() -> None:
    config = load_config(str(REPOSITORY / "mkdocs.yml"))
    mine = config.plugins["recordweave"].config
    settings = read_settings(REPOSITORY)
    assert (settings.records, str(REPOSITORY / settings.docs)) == (mine["records"], config.docs_dir)
    assert settings.severities == mine["severity"]


def test_a_build_heeds_severities(root, builds, tmp_path):
    build = builds.run(configured(root, "severity: {range: error}"), tmp_path / "site", strict=False)
    assert build.status == 1
    (warning,) = build.warnings
    assert "error: of this range only the ends, `WFL-RTE-1` and `WFL-RTE-3`, are cited [range]" in warning
    assert "recordweave: 1 error; nothing was built" in build.output
    build = builds.run(configured(root, "severity: {range: off}"), tmp_path / "site", strict=True)
    assert build.status == 0, build.output


def test_a_build_heeds_waivers(root, builds, tmp_path):
    page = root / RANGE
    text = page.read_text(encoding="utf-8")
    waived = text.replace("WFL-RTE-3.", "WFL-RTE-3. <!-- recordweave: allow range: all of them -->")
    page.write_text(waived, encoding="utf-8")
    build = builds.run(configured(root, ""), tmp_path / "site", strict=True)
    assert build.status == 0, build.output


def test_a_wrong_severity_is_an_error_of_the_configuration(root, builds, tmp_path):
    build = builds.run(configured(root, "severity: {rang: off}"), tmp_path / "site")
    assert build.status == 1
    assert build.warnings == [
        "ERROR   -  Config value 'plugins': Plugin 'recordweave' option 'severity': `rang` is not the code of a "
        "diagnostic; did you mean `range`?\n\nAborted with a configuration error!"
    ]


def test_a_page_with_a_warning_is_published_and_one_with_an_error_is_not(root, builds, tmp_path):
    """Where the error is let pass as a warning, the page says itself what is wrong."""
    page = "---\ntitle: Odd #1\n---\n\n# Odd\n\nThis is shown.\n"
    (root / "docs/tiny/epistemic.md").write_text(page, encoding="utf-8")
    (root / "docs/tiny/memory.md").write_text("# Memory\n\n{{ ledgr() }}\n", encoding="utf-8")
    configured(root, "severity: {unknown-macro: warning, not-shown: off}")
    build = builds.run(root, tmp_path / "site", strict=False)
    assert build.status == 0, build.output
    told = [code for each in build.warnings for code in re.findall(r"warning: .* \[(.*)\]\n", each)]
    assert told == ["front-matter", "unknown-macro"]
    page = (tmp_path / "site/tiny/epistemic/index.html").read_text(encoding="utf-8")
    assert "This is shown." in page
    page = (tmp_path / "site/tiny/memory/index.html").read_text(encoding="utf-8")
    assert "This page cannot be shown yet" in page
    assert "did you mean" in page
