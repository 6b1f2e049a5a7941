"""A build that does only what an edit made necessary gives what a clean one gives, whatever was edited before it.

Edits are drawn at random, with a fixed seed: `python -m tests.test_incremental FIRST COUNT` plays more of them.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.site.build import Builds, contents, copy_repository

pytestmark = pytest.mark.slow

SEEDS = range(3)
STEPS = 8
DAY = "1800000000"


class Scene:
    """A repository that is edited, with the site that stands, and what has been put aside of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.random = Random(seed)
        self.root = folder / "repository"
        self.root.mkdir(parents=True)
        copy_repository(self.root)
        (self.root / "mkdocs.yml").write_text("INHERIT: published.yml\nsite_url: https://example.org/a/\n")
        self.site = folder / "site"
        self.done: list[str] = []

    def one_of(self, pattern: str) -> Path:
        return self.random.choice(sorted(self.root.glob(pattern)))

    def replace(self, file: Path, pattern: str, new: str) -> None:
        """Replace one of the places where something stands."""
        text = file.read_text(encoding="utf-8")
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if found:
            match = self.random.choice(found)
            file.write_text(text[: match.start()] + match.expand(new) + text[match.end() :], encoding="utf-8")

    @property
    def word(self) -> str:
        return f"Word{self.random.randrange(10**6)}"

    def edit(self) -> None:
        edit = self.random.choice(EDITS)
        self.done.append(edit.__name__)
        edit(self)


def edit_a_paragraph(scene: Scene) -> None:
    page = scene.one_of("docs/**/*.md")
    with page.open("a", encoding="utf-8") as text:
        text.write(f"\n{scene.word} is new here.\n")


def edit_a_label(scene: Scene) -> None:
    scene.replace(scene.one_of("records/*/*/[acopr]*s.yml"), r"^(\s+label: )(?=\w)", rf"\g<1>{scene.word} ")


def edit_a_body(scene: Scene) -> None:
    scene.replace(scene.one_of("records/*/*/*.yml"), r"^(\s+body: >-?\n\s+)(?=\w)", rf"\g<1>{scene.word} says so. ")


def edit_the_register(scene: Scene) -> None:
    scene.replace(scene.one_of("records/*/system.yml"), r"^(label: )(?=\w)", rf"\g<1>{scene.word} ")


def cite_from_another_system(scene: Scene) -> None:
    home, other = scene.random.sample([each.name for each in sorted((scene.root / "records").iterdir())], 2)
    routes = scene.one_of(f"records/{other}/*/*.yml").read_text(encoding="utf-8")
    ids = re.findall(r"^ {2}- id: (\S+)", routes, re.MULTILINE)
    if ids:
        with scene.one_of(f"docs/{home}/*.md").open("a", encoding="utf-8") as text:
            text.write(f"\nCompare {other}:{scene.random.choice(ids)} with it.\n")


def cite_nothing(scene: Scene) -> None:
    """A fault, which keeps everything from being built until it is mended."""
    page = scene.one_of("docs/*/*.md")
    with page.open("a", encoding="utf-8") as text:
        text.write("\nSee EPI-OBJ-no-such-thing.\n")


def mend(scene: Scene) -> None:
    for page in scene.root.glob("docs/*/*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("\nSee EPI-OBJ-no-such-thing.\n", ""), encoding="utf-8")


def rename_a_record(scene: Scene) -> None:
    file = scene.one_of("records/*/*/objects.yml")
    ids = re.findall(r"^ {2}- id: (\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    old = scene.random.choice(ids)
    new = f"{old}-{scene.word.lower()}"
    for each in (*scene.root.glob("records/**/*.yml"), *scene.root.glob("docs/**/*.md")):
        text = each.read_text(encoding="utf-8")
        written = re.sub(rf"\b{re.escape(old)}\b(?!-)", new, text)
        if each == file:
            written = written.replace(f"  - id: {new}\n", f"  - id: {new}\n    aliases: [{old}]\n", 1)
        if written != text:
            each.write_text(written, encoding="utf-8")


def add_a_page(scene: Scene) -> None:
    page = scene.one_of("docs/*/index.md").with_name(f"more-{scene.word.lower()}.md")
    page.write_text("# More\n\nThere is more to be said.\n", encoding="utf-8")


def remove_a_page(scene: Scene) -> None:
    pages = sorted(scene.root.glob("docs/*/more-*.md"))
    if pages:
        scene.random.choice(pages).unlink()


def put_a_system_aside(scene: Scene) -> None:
    aside = scene.folder / "aside"
    if aside.exists():
        for kind in ("records", "docs"):
            shutil.copytree(aside / kind, scene.root / kind, dirs_exist_ok=True)
        shutil.rmtree(aside)
        return
    name = "hipporag"
    for kind in ("records", "docs"):
        (aside / kind).mkdir(parents=True)
        (scene.root / kind / name).rename(aside / kind / name)


def edit_the_configuration(scene: Scene) -> None:
    with (scene.root / "mkdocs.yml").open("a", encoding="utf-8") as text:
        text.write(f"copyright: {scene.word}\n" if "copyright" not in (scene.root / "mkdocs.yml").read_text() else "")


def add_a_picture(scene: Scene) -> None:
    folder = scene.one_of("docs/*/index.md").parent
    (folder / f"{scene.word.lower()}.png").write_bytes(b"\x89PNG\r\n\x1a\n")


def touch_everything(scene: Scene) -> None:
    for each in scene.root.rglob("*"):
        os.utime(each)


def remove_the_site(scene: Scene) -> None:
    shutil.rmtree(scene.site, ignore_errors=True)


def write_into_the_site(scene: Scene) -> None:
    pages = sorted(scene.site.rglob("index.html"))
    if pages:
        page = scene.random.choice(pages)
        page.unlink()
        page.write_text("not what was built", encoding="utf-8")


def forget_a_part(scene: Scene) -> None:
    kept = [each for each in sorted((scene.folder / "caches").rglob("*")) if each.is_file()]
    for each in scene.random.sample(kept, len(kept) // 20):
        each.unlink()


EDITS: tuple[Callable[[Scene], None], ...] = (
    edit_a_paragraph,
    edit_a_label,
    edit_a_label,
    edit_a_body,
    edit_the_register,
    cite_from_another_system,
    cite_nothing,
    mend,
    mend,
    rename_a_record,
    add_a_page,
    remove_a_page,
    put_a_system_aside,
    edit_the_configuration,
    add_a_picture,
    touch_everything,
    remove_the_site,
    write_into_the_site,
    forget_a_part,
)


def play(scene: Scene, builds: Builds, steps: int) -> None:
    """Edit and build, again and again; each time everything is built anew as well, in one process."""
    environment = {"XDG_CACHE_HOME": str(scene.folder / "caches"), "SOURCE_DATE_EPOCH": DAY}
    for step in range(steps):
        for _ in range(scene.random.randrange(1, 4) if step else 0):
            scene.edit()
        stood = contents(scene.site)
        build = builds.run(scene.root, scene.site, environment=environment)
        again = scene.folder / "again"
        shutil.rmtree(again, ignore_errors=True)
        shutil.rmtree(scene.folder / "nothing", ignore_errors=True)
        anew = environment | {"XDG_CACHE_HOME": str(scene.folder / "nothing")}
        clean = builds.run(scene.root, again, environment=anew)
        assert build.status == clean.status, (scene.done, build.output, clean.output)
        assert build.warnings == clean.warnings, scene.done
        made, expected = contents(scene.site), stood if clean.status else contents(again)
        assert made.keys() == expected.keys(), (scene.done, made.keys() ^ expected.keys())
        assert [name for name in made if made[name] != expected[name]] == [], scene.done


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_built_after_some_edits_is_what_a_clean_build_makes(tmp_path: Path, builds: Builds, seed: int) -> None:
    play(Scene(tmp_path, seed), builds, STEPS)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_same_bytes_come_out_however_many_processes_there_are(
    repository: Path, builds: Builds, tmp_path: Path, jobs: int
) -> None:
    """And wherever the repository lies, on whatever day."""
    other = tmp_path / "somewhere" / "else"
    shutil.copytree(repository, other)
    settings = other / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8")
    assert "  - recordweave:\n" in text
    settings.write_text(text.replace("  - recordweave:\n", f"  - recordweave:\n      jobs: {jobs}\n"))
    first = builds.run(repository, tmp_path / "first", environment={"SOURCE_DATE_EPOCH": DAY})
    anew = {"SOURCE_DATE_EPOCH": "1700000000", "RECORDWEAVE_CACHE": "false"}
    second = builds.run(other, tmp_path / "second", environment=anew)
    assert (first.status, second.status) == (0, 0), second.output
    made, others = contents(tmp_path / "first"), contents(tmp_path / "second")
    assert made.keys() == others.keys()
    assert [name for name in made if made[name] != others[name]] == []


def main() -> None:
    first, count = map(int, sys.argv[1:])
    for seed in range(first, first + count):
        with TemporaryDirectory() as folder:
            scene = Scene(Path(folder), seed)
            play(scene, Builds(), STEPS)
            print(seed, *scene.done, flush=True)


if __name__ == "__main__":
    main()
