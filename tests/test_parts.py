"""Parts of a site: what is built of it, and how parts become the whole again, whoever they come from."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.config.base import ValidationError

from recordweave import parts
from recordweave.checking import load
from recordweave.parts import Part, PartsError, read_part
from recordweave.site.part import SystemsOption, part_of
from recordweave.sources.files import Files
from recordweave.views.links import PART, STYLE
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


@pytest.mark.parametrize("systems", ["", "nonsense", "["])
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
    """What a part says, without a build. Parts of a real one are in the test of workflows."""
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


def test_parts_of_the_same_are_told_wherever_they_are_built(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On however many cores, and whether something is kept or not."""
    (tmp_path / "elsewhere").mkdir()
    elsewhere = copy_repository(tmp_path / "elsewhere")
    text = (elsewhere / "mkdocs.yml").read_text(encoding="utf-8")
    quick = text.replace("  - recordweave:\n", "  - recordweave:\n      jobs: 1\n")
    assert quick != text
    (elsewhere / "mkdocs.yml").write_text(quick, encoding="utf-8")
    told = made_from(repository)
    monkeypatch.setenv("RECORDWEAVE_CACHE", "false")
    assert made_from(elsewhere, "hipporag") == told


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


CHANGES: Sequence[Callable[[Path], None]] = (
    change("docs/ace/index.md"),
    change("records/arigraph/system.yml"),
    change("docs/index.md"),
    change("docs/ace/new.txt"),
    change("mkdocs.yml", "copyright: Nobody\n"),
    change("mkdocs.yml", "not_in_nav: x.md\n"),
    linked,
    change("shared.md"),
    own,
    *map(change, ("hook.py", "main.py", "overrides/main.html", "snippets/a.md", "data.yml")),
)


def test_parts_of_something_else_are_told(repository: Path) -> None:
    """Whatever a site is made from, as far as it is known."""
    known = [made_from(repository)]
    for number, each in enumerate(CHANGES):
        each(repository)
        known.append(made_from(repository))
        assert len(set(known)) == len(known), number
    assert made_from(repository, "hipporag") == known[-1]


# How systems are spread


@pytest.fixture
def sized(tmp_path: Path) -> Path:
    """Systems of various sizes, in folders that the configuration names."""
    root = tmp_path / "sized"
    sizes = {"large": (600, 300), "middle": (0, 500), "small": (200, 100), "tiny": (90, 10), "none": (0, 0)}
    for name, (records, docs) in sizes.items():
        for folder, size in ((root / "data", records), (root / "pages", docs)):
            (folder / name / "inside").mkdir(parents=True)
            (folder / name / "inside" / "file").write_bytes(b"x" * size)
    (root / "mkdocs.yml").write_text("docs_dir: pages\nplugins: [recordweave: {records: data}]\n", encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, ["large middle none small tiny"]),
        (2, ["large none", "middle small tiny"]),
        (3, ["large", "middle", "none small tiny"]),
        (5, ["large", "middle", "small", "tiny", "none"]),
        (99, ["large", "middle", "small", "tiny", "none"]),
    ],
)
def test_systems_are_spread_by_size(count: int, expected: Sequence[str], sized: Path) -> None:
    names = ["large", "middle", "none", "small", "tiny"]
    for order in (names, names[::-1]):
        shares = parts.spread(Files(sized), sized / "data", sized / "pages", order, count)
        assert [" ".join(share) for share in shares] == expected


def test_a_matrix_is_a_line_of_json(sized: Path) -> None:
    done = recordweave("matrix", "--parts", "2", folder=sized)
    systems = ("large none", "middle small tiny")
    told = ", ".join(f'{{"part": {number}, "systems": "{each}"}}' for number, each in enumerate(systems, 1))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f'{{"include": [{told}]}}\n')
    assert recordweave("matrix", "--parts", "2", "--root", "sized", folder=sized.parent).stdout == done.stdout


def test_without_systems_there_is_one_part(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    done = recordweave("matrix", "--parts", "3", folder=tmp_path)
    assert done.stdout == '{"include": [{"part": 1, "systems": ""}]}\n'


def test_a_name_that_would_be_several(sized: Path) -> None:
    (sized / "data" / "a\nb c").mkdir()
    done = recordweave("matrix", "--parts", "2", folder=sized)
    assert (done.returncode, done.stdout) == (1, "")
    told = "`a\\nb c` cannot be the name of a system; use lowercase words joined by hyphens"
    assert done.stderr == f"Error: {told}\n"


@pytest.mark.parametrize("arguments", [(), ("--parts", "0"), ("--parts", "two")])
def test_wrong_numbers_of_parts(arguments: Sequence[str], sized: Path) -> None:
    done = recordweave("matrix", *arguments, folder=sized)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--parts" in done.stderr


def test_a_matrix_of_nothing(tmp_path: Path) -> None:
    done = recordweave("matrix", "--parts", "2", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no folder `records`" in done.stderr


# How parts are joined

DIGEST = "0" * 32
PORTAL = {"index.html": "portal", STYLE: "css", "assets/.hidden": "", "guide/index.html": "guide"}
A, B = ({**PORTAL, f"{name}/index.html": name, f"{name}/records/x/index.html": f"x of {name}"} for name in "ab")
WHOLE = A | B


def says(built: Sequence[object], made_from: object = DIGEST, systems: object = ("a", "b"), **more: object) -> str:
    return json.dumps({"made_from": made_from, "systems": systems, "built": built, **more})


def write(folder: Path, files: Mapping[str, str], told: str = "") -> Path:
    for name, text in {**files, **({PART: told} if told else {})}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two parts, `one` and `two`, and a former `site`."""
    write(tmp_path / "one", A, says(["a"]))
    write(tmp_path / "two", B, says(["b"]))
    write(tmp_path / "site", {"index.html": "old", "gone.html": "", ".git/HEAD": "main"})
    return tmp_path


def join(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    return recordweave("join", *names, "--into", "site", folder=folder)


def texts(folder: Path) -> dict[str, str]:
    return {name: data.decode() for name, data in contents(folder).items()}


def refused(folder: Path, told: str, *names: str) -> None:
    """Joining says why it does not, and changes nothing."""
    before, there = texts(folder / "site"), sorted(folder.iterdir())
    with contextlib.chdir(folder), pytest.raises(PartsError) as raised:
        parts.join([Path(name) for name in names or ("one", "two")], Path("site"), print)
    assert str(raised.value) == told
    assert (texts(folder / "site"), sorted(folder.iterdir())) == (before, there)


def test_a_refusal_is_one_line(folder: Path) -> None:
    """Of which no name makes two, or something else."""
    write(folder / "two", {"\x1b[2J\n::error::all is well": ""})
    before = texts(folder / "site")
    done = join(folder, "one", "two")
    told = "`\\x1b[2J\\n::error::all is well` is not the same in `one` and `two`"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"Error: {told}\n")
    (folder / "two" / "\x1b[2J\n::error::all is well").unlink()
    Path(os.fsdecode(os.fsencode(folder / "two") + b"/\xff.html")).touch()
    done = join(folder, "one", "two")
    told = "`\\udcff.html` is not the same in `one` and `two`"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"Error: {told}\n")
    assert texts(folder / "site") == before


def test_parts_become_a_site(folder: Path) -> None:
    there = sorted(folder.iterdir())
    for names in (("one", "two"), ("two", "one"), ("one", "two", "one")):
        done = join(folder, *names)
        assert (done.returncode, done.stdout, done.stderr) == (0, "the site stands in site\n", "")
        assert texts(folder / "site") == WHOLE | {".git/HEAD": "main"}
        assert sorted(folder.iterdir()) == there
    shutil.rmtree(folder / "site")
    done = recordweave("join", "one", "two", "--into", "new/site", folder=folder)
    assert (done.returncode, texts(folder / "new" / "site")) == (0, WHOLE)


def test_what_two_parts_have_is_the_same(folder: Path) -> None:
    write(folder / "three", A | B, says(["a", "b"]))
    assert (join(folder, "one", "three").returncode, texts(folder / "site")) == (0, WHOLE | {".git/HEAD": "main"})
    assert join(folder, "three").returncode == 0
    write(folder / "three", {"a/records/x/index.html": "another"})
    refused(folder, "`a/records/x/index.html` is not the same in `one` and `three`", "one", "three")
    write(folder / "three", {"a/records/x/index.html": A["a/records/x/index.html"], "a/more.html": ""})
    refused(folder, "`a/more.html` is not the same in `one` and `three`", "one", "three")


@pytest.mark.parametrize("file", ["index.html", "new.html", "assets/.hidden", ".nojekyll"])
def test_the_portal_is_the_same_in_all_parts(file: str, folder: Path) -> None:
    write(folder / "two", {file: "another"})
    refused(folder, f"`{file}` is not the same in `one` and `two`")


def test_a_whole_site_is_joined_alone(folder: Path) -> None:
    write(folder / "whole", WHOLE)
    assert (join(folder, "whole").returncode, texts(folder / "site")) == (0, WHOLE | {".git/HEAD": "main"})
    told = f"`whole` is no part of a site: there is no `{PART}` in it"
    refused(folder, told, "whole", "one")
    refused(folder, told, "one", "two", "whole")


def test_what_is_no_part(folder: Path) -> None:
    (folder / "none").mkdir()
    refused(folder, f"`none` is no part of a site: there is no `{PART}` in it", "none")
    write(folder / "none", {"index.html": "of something else"})
    refused(folder, f"`none` is no part of a site: there is no `{PART}` in it", "none")
    (folder / "none" / PART).mkdir()
    refused(folder, f"`none` is no part of a site: there is no `{PART}` in it", "one", "two", "none")


@pytest.mark.parametrize("told", [says(["b"], "1" * 32), says(["b"], systems=["b", "a"]), says(["b"], systems=["b"])])
def test_parts_that_do_not_belong_together(told: str, folder: Path) -> None:
    write(folder / "two", {}, told)
    why = "they were not made from the same files, settings and program"
    refused(folder, f"`one` and `two` do not belong together: {why}")


def test_a_system_that_no_part_has(folder: Path) -> None:
    refused(folder, "no part has `b`", "one")
    write(folder / "one", {}, says(["a"], systems=["a", "b", "c"]))
    refused(folder, "no part has `b`, `c`", "one")


def test_what_a_part_says_of_itself_is_so(folder: Path) -> None:
    write(folder / "two", {"a/index.html": "another"})
    refused(folder, "`two` has files of `a`, and says that it has not")
    shutil.rmtree(folder / "two" / "a")
    (folder / "two" / "b" / "index.html").unlink()
    refused(folder, "`two` lacks the pages of `b`")
    write(folder / "two", {"b/index.html": "b"})
    for part in ("one", "two"):
        (folder / part / "index.html").unlink()
    refused(folder, "`one` lacks the pages of the portal")


@pytest.mark.parametrize(
    "told",
    [
        "nonsense",
        "[]",
        "[" * 100_000,
        says(["b"]).replace("{", "[{", 1),
        says(["b"], more=1),
        says(["b"], 7),
        says(["b"], "../" * 8),
        says(["b"], DIGEST.upper() + "A"),
        says(["b"], systems="ab"),
        says(["b"], systems=["a", "b", "b"]),
        says(["b", "b"]),
        says(["c"]),
        says([[]]),
        says([None], systems=["a", None]),
        says([".."], systems=["a", ".."]),
        says([""], systems=["a", ""]),
        says(["b"], systems=["a", "b", "b/../../c"]),
        says(["b"], systems=["a", "b", "/etc"]),
        says(["b"], systems=["a", "b", "b\n"]),
        says(["b"], systems=["a", "b", *(f"b{number}" for number in range(200_000))]),
        '{"systems": ["a", "b"], "built": ["b"]}',
        "\ud83d",
    ],
    ids=lambda told: told[:60],
)
def test_what_does_not_say_what_it_is(told: str, folder: Path) -> None:
    (folder / "two" / PART).write_bytes(told.encode("utf-8", "surrogatepass"))
    refused(folder, f"`two/{PART}` does not say what this is a part of")


def link_to_a_file(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def link_inside(path: Path) -> None:
    path.symlink_to("index.html")


def link_to_a_folder(path: Path) -> None:
    path.symlink_to("/etc")


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("make", [link_to_a_file, link_inside, link_to_a_folder, link_to_nothing, pipe])
@pytest.mark.parametrize("name", ["link", "b/records/link", PART, "b/index.html"])
def test_what_leads_elsewhere(make: Callable[[Path], None], name: str, folder: Path) -> None:
    (folder / "two" / name).unlink(missing_ok=True)
    make(folder / "two" / name)
    told = f"`two/{name}` is a link, or no file at all; a part has files only"
    refused(folder, told)
    write(folder / "whole", WHOLE)
    shutil.rmtree(folder / "two")
    if name != PART:
        (folder / "whole" / name).unlink(missing_ok=True)
        make(folder / "whole" / name)
        refused(folder, told.replace("two", "whole"), "whole")


def test_a_folder_that_is_a_link_is_not_followed(folder: Path) -> None:
    (folder / "two" / "b").rename(folder / "b")
    (folder / "two" / "b").symlink_to("../b")
    refused(folder, "`two/b` is a link, or no file at all; a part has files only")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--into", "site"), "Missing argument"),
        (("one", "two"), "Missing option '--into'"),
        (("one", "none", "--into", "site"), "'none' does not exist"),
        (("one", "one/index.html", "--into", "site"), "'one/index.html' is a file"),
        (("one", "two", "--into", "one/index.html"), "'one/index.html' is a file"),
        (("one", "two", "--into", "two"), "`two` and `two` lie in each other; join into another folder"),
        (("one", "two", "--into", "."), "`one` and `.` lie in each other; join into another folder"),
        (("one", "two", "--into", "two/site"), "`two` and `two/site` lie in each other; join into another folder"),
        (("one", "two", "--into", "link/site"), "`two` and `link/site` lie in each other; join into another folder"),
    ],
)
def test_wrong_use(arguments: Sequence[str], told: str, folder: Path) -> None:
    (folder / "link").symlink_to("two")
    before = contents(folder)
    done = recordweave("join", *arguments, folder=folder, COLUMNS="200")
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert contents(folder) == before


def test_where_nothing_can_be_written(folder: Path) -> None:
    done = recordweave("join", "one", "two", "--into", "one.txt/site", folder=write(folder, {"one.txt": ""}))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: `one.txt` cannot be read or written: File exists\n"
