"""Sites that are kept from one build to the next: always what a build of everything would make."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mkdocs.config import load_config

from recordweave.checking import load
from recordweave.site.outputs import Outputs
from tests.site.build import PUBLISHED, Build, Builds, contents

pytestmark = pytest.mark.slow

EPISTEMIC = "records/arigraph/epistemic/objects.yml"


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which nothing is kept yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    return tmp_path / "caches" / "recordweave" / "sites"


@pytest.fixture
def root(repository: Path) -> Path:
    PUBLISHED.configure(repository)
    return repository


def built(builds: Builds, root: Path, name: str, environment: dict[str, str] | None = None) -> tuple[Build, set[str]]:
    """A build into `site`, and which systems it built anew."""
    build = builds.run(root, root.parent / name, environment=environment)
    return build, set(re.findall(r"built (\S+) \(", build.output))


SYSTEMS = ("ace", "arigraph", "hipporag")


def edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / file).read_text(encoding="utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def add_page(root: Path) -> None:
    (root / "docs" / "ace" / "more.md").write_text("# More\n\nSee arigraph:EPI-OBJ-answer.\n", encoding="utf-8")


def remove_page(root: Path) -> None:
    (root / "docs" / "ace" / "more.md").unlink()


CHANGES: tuple[tuple[Callable[[Path], None], set[str]], ...] = (
    (lambda root: None, set()),
    (edit("docs/index.md", "# Analyses", "# All analyses"), set()),
    (edit(EPISTEMIC, "label: ", "label: Some "), {"arigraph"}),
    (add_page, {"ace", "arigraph"}),
    (edit(EPISTEMIC, "label: QA answer text", "label: Answer of QA"), {"ace", "arigraph"}),
    (remove_page, {"ace", "arigraph"}),
    (edit("mkdocs.yml", "site_url:", "copyright: Nobody\nsite_url:"), set(SYSTEMS)),
)


def test_what_is_kept_is_what_would_be_built(root: Path, builds: Builds, caches: Path) -> None:
    """Byte for byte, whatever was edited; and only what it may have changed is built."""
    built(builds, root, "site")
    for number, (change, anew) in enumerate(CHANGES):
        change(root)
        build, systems = built(builds, root, "site")
        assert build.status == 0, build.output
        assert systems == anew, number
        again = root.parent / "again"
        shutil.rmtree(again, ignore_errors=True)
        config = (root / "mkdocs.yml").read_text(encoding="utf-8")
        clean, systems = built(builds, root, "again", {"XDG_CACHE_HOME": str(root.parent / f"nothing-{number}")})
        assert (clean.status, systems) == (0, set(SYSTEMS)), clean.output
        assert config == (root / "mkdocs.yml").read_text(encoding="utf-8")
        kept, made = contents(root.parent / "site"), contents(again)
        assert kept.keys() == made.keys()
        assert [name for name in kept if kept[name] != made[name]] == []


def damage(site: Path) -> None:
    page = site / "arigraph" / "site" / "epistemic" / "index.html"
    page.write_text("<script>alert(1)</script>", encoding="utf-8")


def damage_alike(site: Path) -> None:
    """As many bytes, so that its size tells nothing."""
    page = site / "arigraph" / "site" / "epistemic" / "index.html"
    page.write_bytes(page.read_bytes()[::-1])


def remove_a_file(site: Path) -> None:
    (site / "arigraph" / "site" / "records.json").unlink()


def add_a_file(site: Path) -> None:
    (site / "arigraph" / "site" / "evil.html").touch()


def spoil_the_list(site: Path) -> None:
    (site / "arigraph" / "made.json").write_text("{", encoding="utf-8")


def of_another_key(site: Path) -> None:
    told = json.loads((site / "arigraph" / "made.json").read_text(encoding="utf-8"))
    (site / "arigraph" / "made.json").write_text(json.dumps(told | {"key": "0" * 32}), encoding="utf-8")


@pytest.mark.parametrize("spoil", [damage, damage_alike, remove_a_file, add_a_file, spoil_the_list, of_another_key])
def test_what_was_tampered_with_is_built_again(
    root: Path, builds: Builds, caches: Path, spoil: Callable[[Path], None]
) -> None:
    built(builds, root, "site")
    before = contents(root.parent / "site")
    (kept,) = caches.iterdir()
    spoil(kept)
    shutil.rmtree(root.parent / "site")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, {"arigraph"}), build.output
    assert contents(root.parent / "site") == before


def of_nobody(site: Path) -> None:
    (site / "evil.html").write_text("evil", encoding="utf-8")


def without_a_system(site: Path) -> None:
    shutil.rmtree(site / "arigraph")


def with_another_page(site: Path) -> None:
    page = site / "index.html"
    text = page.read_bytes()
    page.unlink()
    page.write_bytes(text[::-1])


def with_a_system_of_nobody(site: Path) -> None:
    shutil.copytree(site / "ace", site / "former")


@pytest.mark.parametrize("spoil", [of_nobody, without_a_system, with_another_page, with_a_system_of_nobody])
def test_a_site_that_is_not_as_it_was_left_is_published_again(
    root: Path, builds: Builds, caches: Path, spoil: Callable[[Path], None]
) -> None:
    """From what is kept, which is as it was left."""
    built(builds, root, "site")
    before = contents(root.parent / "site")
    spoil(root.parent / "site")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set()), build.output
    assert contents(root.parent / "site") == before
    assert "nothing has changed" not in build.output


def test_what_was_built_with_a_warning_is_not_kept(root: Path, builds: Builds, caches: Path) -> None:
    page = root / "docs" / "ace" / "index.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n[Nowhere](nowhere.md)\n", encoding="utf-8")
    for _ in range(2):
        build = builds.run(root, root.parent / "site", strict=False)
        assert build.status == 0
        assert "nowhere.md" in "\n".join(build.warnings)


@pytest.mark.parametrize("setting", ["hooks: [own.py]\n", ""])
def test_with_code_of_the_repositorys_own_nothing_is_kept(
    root: Path, builds: Builds, caches: Path, setting: str
) -> None:
    (root / ("own.py" if setting else "main.py")).write_text("def define_env(env): pass\n", encoding="utf-8")
    with (root / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write(setting)
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set(SYSTEMS)), build.output
    assert not caches.exists()


def test_where_nothing_can_be_kept_everything_is_built(
    root: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set(SYSTEMS)), build.output


def test_nothing_is_kept_where_nobody_wants_it(root: Path, builds: Builds, caches: Path) -> None:
    settings = root / "published.yml"
    text = settings.read_text(encoding="utf-8")
    assert "  - recordweave:\n" in text
    text = text.replace("  - recordweave:\n", "  - recordweave:\n      jobs: 1\n")
    settings.write_text(text, encoding="utf-8")
    build, systems = built(builds, root, "site", {"RECORDWEAVE_CACHE": "false"})
    assert (build.status, systems) == (0, set(SYSTEMS)), build.output
    assert not caches.exists()


def test_everything_can_be_forgotten(root: Path, builds: Builds, caches: Path) -> None:
    built(builds, root, "site")
    command = [str(Path(sys.executable).with_name("recordweave")), "cache", "clear"]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        assert done.stdout == f"nothing is kept in `{caches.parent}` any more\n"
        assert not caches.parent.exists()
    assert built(builds, root, "site")[1] == set(SYSTEMS)


def test_what_was_written_during_a_build_is_not_lost(root: Path, builds: Builds, caches: Path) -> None:
    """A page that is saved while its system is built: what was built is not taken for what was saved."""
    project = load(root, root / "records", root / "docs", kept=root.parent / "systems")
    config = load_config(str(root / "mkdocs.yml"))
    outputs = Outputs(project, config, root / "records", SYSTEMS, root.parent / "outputs")
    made = root.parent / "made"
    made.mkdir()
    (made / "index.html").write_text("made", encoding="utf-8")
    page = root / "docs" / "ace" / "index.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text + "\nMore.\n", encoding="utf-8")
    outputs.keep("ace", made)
    assert not outputs.fetch("ace", root.parent / "fetched", root / "site")
    page.write_text(text, encoding="utf-8")
    outputs.keep("ace", made)
    assert outputs.fetch("ace", root.parent / "fetched", root / "site")
    assert contents(root.parent / "fetched") == contents(made)


def test_what_is_kept_outlives_a_build_that_fails(root: Path, builds: Builds, caches: Path) -> None:
    """It has been moved into the site that failed by then, and is moved back."""
    built(builds, root, "site")
    page = root / "docs" / "index.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(f"{text}\n[Nowhere](nowhere.md)\n", encoding="utf-8")
    build, _ = built(builds, root, "site")
    assert build.status != 0
    assert "nowhere.md" in "\n".join(build.warnings)
    (kept,) = caches.iterdir()
    assert sorted(each.parent.name for each in kept.glob("*/site")) == list(SYSTEMS)
    page.write_text(text + "\nMore.\n", encoding="utf-8")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set()), build.output


@pytest.mark.parametrize("spoil", [lambda kept: shutil.rmtree(kept / "arigraph" / "site"), remove_a_file])
def test_what_was_lost_of_what_is_kept_comes_back_from_the_site(
    root: Path, builds: Builds, caches: Path, spoil: Callable[[Path], None]
) -> None:
    built(builds, root, "site")
    (kept,) = caches.iterdir()
    spoil(kept)
    add_page(root)
    remove_page(root)
    with (root / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\nMore.\n")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set()), build.output
    assert contents(kept / "arigraph" / "site") == contents(root.parent / "site" / "arigraph")


def test_nothing_is_kept_of_a_system_that_is_gone(root: Path, builds: Builds, caches: Path) -> None:
    for kind in ("records", "docs"):
        shutil.copytree(root / kind / "hipporag", root / kind / "former")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, {*SYSTEMS, "former"}), build.output
    assert list(caches.parent.rglob("*former*"))
    for kind in ("records", "docs"):
        shutil.rmtree(root / kind / "former")
    build, systems = built(builds, root, "site")
    assert (build.status, systems) == (0, set()), build.output
    assert list(caches.parent.rglob("*former*")) == []
    assert not (root.parent / "site" / "former").exists()


def test_keys_that_are_no_texts_stop_no_build(root: Path, builds: Builds, caches: Path) -> None:
    settings = root / "published.yml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("extra:\n", "extra:\n  years: {2024: a, other: b}\n"), encoding="utf-8")
    assert settings.read_text(encoding="utf-8") != text
    for anew in (set(SYSTEMS), set()):
        build, systems = built(builds, root, "site")
        assert (build.status, systems) == (0, anew), build.output


def test_what_is_kept_stays_where_the_folder_of_the_site_cannot_be_replaced(
    root: Path, builds: Builds, caches: Path
) -> None:
    """A link, for one: what is in the folder is replaced."""
    (root.parent / "elsewhere").mkdir()
    (root.parent / "site").symlink_to("elsewhere")
    assert built(builds, root, "site")[1] == set(SYSTEMS)
    for text in ("More.", "And more."):
        with (root / "docs" / "index.md").open("a", encoding="utf-8") as page:
            page.write(f"\n{text}\n")
        build, systems = built(builds, root, "site")
        assert (build.status, systems) == (0, set()), build.output
        assert text in (root.parent / "elsewhere" / "index.html").read_text(encoding="utf-8")


def test_what_the_portal_shows_is_not_kept_if_somebody_has_written_meanwhile(root: Path, builds: Builds) -> None:
    project = load(root, root / "records", root / "docs", kept=root.parent / "systems")
    config = load_config(str(root / "mkdocs.yml"))
    outputs = Outputs(project, config, root / "records", SYSTEMS, root.parent / "outputs")
    assert outputs.share("index", "ace", "card", lambda: "a card") == "a card"
    page = root / "docs" / "ace" / "index.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text + "\nMore.\n", encoding="utf-8")
    outputs.keep_shares()
    assert not (root.parent / "outputs").exists()
    page.write_text(text, encoding="utf-8")
    outputs.keep_shares()
    again = Outputs(project, config, root / "records", SYSTEMS, root.parent / "outputs")
    assert again.share("index", "ace", "card", lambda: "another card") == "a card"
