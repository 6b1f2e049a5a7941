"""Parts of a site: what is built of it, and what tells that parts belong together."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.config.base import ValidationError

from recordweave.checking import load
from recordweave.parts import Part, read_part
from recordweave.site.part import SystemsOption, part_of
from recordweave.views.links import PART
from tests.site.build import PUBLISHED, REPOSITORY, Builds, contents, copy_repository

SYSTEMS = ("ace", "arigraph", "hipporag")


def recordweave(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("recordweave")), *arguments]
    environment = os.environ | environment
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def named(site: Path) -> Part:
    part = read_part((site / PART).read_bytes())
    assert part is not None
    return part


# What is built


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, ()),
        ("", ()),
        (" , ", ()),
        ([], ()),
        ("ace", ("ace",)),
        ("ace hipporag", ("ace", "hipporag")),
        (" hipporag,ace,\tace\n", ("hipporag", "ace")),
        (["hipporag", "ace", "ace"], ("hipporag", "ace")),
    ],
)
def test_systems_are_named_in_a_text_or_a_list(value: object, names: tuple[str, ...]) -> None:
    assert SystemsOption().validate(value) == names


@pytest.mark.parametrize("value", [True, 7, {"ace": None}, ["ace", 7], ["\x1b[31m"], b"ace"])
def test_nothing_else_names_systems(value: object) -> None:
    with pytest.raises(ValidationError, match="this is neither a text with the names of systems nor a list of them"):
        SystemsOption().validate(value)


@pytest.mark.slow
def test_some_systems_are_built_then_all(repository: Path, builds: Builds, published: Any, tmp_path: Path) -> None:
    """A part has what the whole site has of its systems and of the portal; then only what it lacks is built."""
    PUBLISHED.configure(repository)
    caches, site, whole = str(tmp_path / "caches"), tmp_path / "site", contents(published.site.folder)
    some = {"XDG_CACHE_HOME": caches, "SYSTEMS": "hipporag, ace"}
    build = builds.run(repository, site, environment=some)
    assert build.status == 0, build.output
    assert f"a part, 2 of 3 systems, stands in {site}\n" in build.output
    assert (named(site).systems, named(site).built) == (SYSTEMS, ("ace", "hipporag"))
    made = contents(site)
    assert {name: data for name, data in made.items() if name != PART} == {
        name: data for name, data in whole.items() if not name.startswith("arigraph/")
    }
    build = builds.run(repository, site, environment=some | {"SYSTEMS": "ace hipporag"})
    assert (build.status, contents(site)) == (0, made), build.output
    assert f"nothing has changed: a part, 2 of 3 systems, stands in {site}\n" in build.output
    build = builds.run(repository, site, environment=some | {"SYSTEMS": ""})
    assert (build.status, contents(site)) == (0, whole), build.output
    assert [name for name in SYSTEMS if f"built {name} " in build.output] == ["arigraph"]
    assert f"the site stands in {site}\n" in build.output


def test_a_system_that_is_not_there(repository: Path, builds: Builds, tmp_path: Path) -> None:
    """It is told before anything is read or written, and as the guide says."""
    site = tmp_path / "sites" / "site"
    for systems, told in (
        ("hiporag", "`hiporag` (did you mean `hipporag`?)"),
        ("ace,ACE xyz", "`ACE` (did you mean `ace`?), `xyz`"),
    ):
        build = builds.run(repository, site, environment={"SYSTEMS": systems})
        assert build.status == 1
        line = f"recordweave: `systems` names what is no system: {told}"
        assert [each for each in build.output.splitlines() if each and "[macros]" not in each] == [line]
        assert not site.parent.exists()
    line = "recordweave: `systems` names what is no system: `hiporag` (did you mean `hipporag`?)\n"
    assert f"```text\n{line}```\n" in (REPOSITORY / "docs" / "guide" / "building.md").read_text(encoding="utf-8")


def test_a_value_that_names_nothing(repository: Path, builds: Builds, tmp_path: Path) -> None:
    build = builds.run(repository, tmp_path / "site", environment={"SYSTEMS": "on"})
    assert build.status == 1
    assert "option 'systems': this is neither a text with the names of systems" in "\n".join(build.warnings)
    assert "Traceback" not in build.output
    assert not (tmp_path / "site").exists()


def test_a_part_is_not_deployed(repository: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "gh-deploy"]
    done = subprocess.run(
        command, cwd=repository, env=os.environ | {"SYSTEMS": "ace"}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    told = "recordweave: a part of a site is not published; build all systems, or join the parts"
    assert told in done.stdout + done.stderr
    assert not (repository / "site").exists()


@pytest.mark.parametrize("systems", ["", "nonsense", "on", "[", "ace"])
def test_the_check_is_of_everything(systems: str, repository: Path) -> None:
    done = recordweave("check", folder=repository, SYSTEMS=systems)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("3 systems, ")


def test_no_page_takes_the_name_of_the_file(repository: Path) -> None:
    """A whole site never has it."""
    (repository / "docs" / PART).write_text("{}", encoding="utf-8")
    done = recordweave("check", folder=repository)
    assert f"error: `docs/{PART}` would take an address that belongs to the site itself" in done.stdout


def test_dirty_builds_do_not_leave_it(builds: Builds, repository: Path, tmp_path: Path) -> None:
    for systems, is_part in (("ace", True), ("", False)):
        environment = {"SYSTEMS": systems}
        build = builds.run(repository, tmp_path / "site", "--dirty", strict=False, environment=environment)
        assert (build.status, (tmp_path / "site" / PART).exists()) == (0, is_part), build.output
        assert len(build.warnings) == 1


# What a part is made from


def made_from(root: Path, systems: str = "ace", config: str = "mkdocs.yml") -> str:
    """What a part says, without a build."""
    os.environ["SYSTEMS"] = systems
    try:
        settings = load_config(str(root / config))
    finally:
        del os.environ["SYSTEMS"]
    project = load(root, root / "records", root / "docs")
    built = settings.plugins["recordweave"].config["systems"]
    part = part_of(project, settings, root / "records", built)
    assert part is not None
    assert (part.systems, part.built) == (SYSTEMS, built)
    return part.made_from


def test_parts_of_the_same_are_told_wherever_they_are_built(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    elsewhere = copy_repository(tmp_path / "elsewhere")
    text = (elsewhere / "mkdocs.yml").read_text(encoding="utf-8")
    quick = text.replace("  - recordweave:\n", "  - recordweave:\n      jobs: 1\n      cache: false\n")
    assert quick != text
    (elsewhere / "mkdocs.yml").write_text(quick, encoding="utf-8")
    assert made_from(repository) == made_from(elsewhere, "hipporag")


def change(file: str, text: str = "\n") -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / file).parent.mkdir(exist_ok=True)
        with (root / file).open("a", encoding="utf-8") as opened:
            opened.write(text)

    return change


def linked(root: Path) -> None:
    """Files in place of which there are links, so that what they hold may change elsewhere."""
    (root / "docs" / "arigraph" / "index.md").rename(root / "shared.md")
    (root / "docs" / "arigraph" / "index.md").symlink_to("../../shared.md")


def own(root: Path) -> None:
    """Code of the repository's own, in each place where it can have some."""
    for name in ("hook.py", "main.py", "overrides/main.html", "snippets/a.md", "data.yml"):
        change(name)(root)
    text = (root / "mkdocs.yml").read_text(encoding="utf-8")
    macros = "  - macros:\n      include_dir: snippets\n      include_yaml: [x: data.yml]\n"
    text = text.replace("  - macros:\n", macros)
    text = text.replace("  name: material\n", "  name: material\n  custom_dir: overrides\n")
    (root / "mkdocs.yml").write_text(f"{text}hooks: [hook.py]\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, change("docs/ace/index.md")),
        (None, change("records/arigraph/system.yml")),
        (None, change("docs/index.md")),
        (None, change("docs/ace/new.txt")),
        (None, change("mkdocs.yml", "copyright: Nobody\n")),
        (None, change("mkdocs.yml", "not_in_nav: x.md\n")),
        (linked, change("docs/arigraph/index.md")),
        (own, change("hook.py")),
        (own, change("main.py")),
        (own, change("overrides/main.html")),
        (own, change("snippets/a.md")),
        (own, change("data.yml")),
    ],
)
def test_parts_of_something_else_are_told(
    before: Callable[[Path], None] | None, after: Callable[[Path], None], repository: Path
) -> None:
    """Whatever a site is made from, as far as it is known."""
    if before:
        before(repository)
    was = made_from(repository)
    assert made_from(repository, "hipporag") == was
    after(repository)
    assert made_from(repository) != was
