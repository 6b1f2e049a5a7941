"""`mkdocs serve`, as authors run it: what is wrong stands on the page that they look at, and goes when it is mended."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from recordweave.views.links import PART
from tests.site.build import REPOSITORY

pytestmark = pytest.mark.slow

PATIENCE = 90  # seconds, for a build on a busy machine


@contextmanager
def serving(root: Path, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve a repository; gives the address of its site."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    log = root.parent / "log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--livereload", "--dev-addr", address],
            cwd=root,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONUNBUFFERED": "1"} | dict(environment or {}),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"Serving on (\S+)", log.read_text(encoding="utf-8"))):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
            time.sleep(0.1)
        yield found[1]
    finally:
        process.terminate()
        process.wait(PATIENCE)


def notices(address: str) -> list[str]:
    """What the notices of a page say; the text in their boxes."""
    with urlopen(address, timeout=PATIENCE) as answer:
        html = answer.read().decode()
    boxes = re.findall(r'<details class="failure rw-notice" open>(.*?)</details>', html, re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", each)).strip() for each in boxes]


def comes_to_be(address: str, expected: list[str]) -> None:
    """Wait until the notices of a page are these."""
    deadline = time.monotonic() + PATIENCE
    while (found := notices(address)) != expected and time.monotonic() < deadline:
        time.sleep(0.2)
    assert found == expected


def test_what_is_wrong_stands_on_the_page_until_it_is_mended(repository: Path) -> None:
    report = repository / "docs" / "arigraph" / "epistemic.md"
    routes = repository / "records" / "arigraph" / "epistemic" / "routes.yml"
    text, records = report.read_text(encoding="utf-8"), routes.read_text(encoding="utf-8")
    report.write_text(text.replace("RT-CLM-memory-performance", "RT-CLM-memory-perform", 1), encoding="utf-8")
    with serving(repository) as address:
        (notice,) = notices(f"{address}arigraph/epistemic/")
        assert notice.startswith("1 error in what this page shows")
        assert "`RT-CLM-memory-perform` is not declared [unknown-id]" in notice
        assert "help: did you mean `RT-CLM-memory-performance`?" in notice
        for page in ("", "arigraph/", "hipporag/memory/", "arigraph/records/epi-rte-answer-metrics/"):
            assert notices(f"{address}{page}") == []

        report.write_text(text, encoding="utf-8")
        comes_to_be(f"{address}arigraph/epistemic/", [])

        wrong = re.sub(
            r"(id: EPI-RTE-answer-metrics\n.*?owner: )", r"\1See EPI-OBJ-nothing. ", records, flags=re.DOTALL
        )
        routes.write_text(wrong, encoding="utf-8")
        deadline = time.monotonic() + PATIENCE
        while not notices(f"{address}arigraph/records/epi-rte-answer-metrics/") and time.monotonic() < deadline:
            time.sleep(0.2)
        (notice,) = notices(f"{address}arigraph/records/epi-rte-answer-metrics/")
        assert "`EPI-OBJ-nothing` is not declared [unknown-id]" in notice
        assert notices(f"{address}arigraph/epistemic/") == [notice]
        assert notices(f"{address}arigraph/records/epi-rte-observation-cleanup/") == []


def get(address: str) -> str:
    """A page of the site that is served; empty where there is none."""
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            html: str = answer.read().decode()
            return html
    except HTTPError:
        return ""


def shows(address: str, wanted: Callable[[str], bool]) -> float:
    """Wait until a page is as wanted. Gives the seconds that took."""
    start = time.monotonic()
    while not wanted(get(address)):
        assert time.monotonic() < start + PATIENCE, address
        time.sleep(0.02)
    return time.monotonic() - start


def test_systems_come_and_go_while_the_site_is_served(repository: Path, tmp_path: Path) -> None:
    """What stands beside them stays, and so does the server."""
    with serving(repository) as address:
        assert get(f"{address}hipporag/memory/")
        aside = tmp_path / "aside"
        aside.mkdir()
        for kind in ("records", "docs"):
            (repository / kind / "hipporag").rename(aside / kind)
        shows(f"{address}hipporag/memory/", lambda html: html == "")
        shows(address, lambda html: 'href="hipporag/"' not in html)
        assert get(f"{address}ace/")
        for kind in ("docs", "records"):
            (aside / kind).rename(repository / kind / "hipporag")
        shows(f"{address}hipporag/memory/", lambda html: html != "")

        register = repository / "records" / "ace" / "system.yml"
        text = register.read_text(encoding="utf-8")
        register.write_text("label: [", encoding="utf-8")
        shows(address, lambda html: 'href="ace/"' not in html)
        assert get(f"{address}hipporag/memory/")
        register.write_text(text, encoding="utf-8")
        shows(f"{address}ace/", lambda html: html != "" and "rw-notice" not in html)


def test_what_leads_out_or_cannot_be_read_is_told_while_the_site_is_served(repository: Path) -> None:
    with serving(repository) as address:
        page = repository / "docs" / "ace" / "index.md"
        text = page.read_text(encoding="utf-8")
        page.unlink()
        page.symlink_to("/etc/hostname")
        shows(f"{address}ace/", lambda html: "leads out of the repository" in html)
        page.unlink()
        page.write_bytes(b"\xff\xfe")
        shows(f"{address}ace/", lambda html: "this is not UTF-8 text" in html)
        page.unlink()
        page.write_text(text, encoding="utf-8")
        shows(f"{address}ace/", lambda html: html != "" and "cannot be shown" not in html and "rw-notice" not in html)


def test_schemas_and_templates_are_watched(repository: Path, tmp_path: Path) -> None:
    """Of a copy of the package, which the server runs."""
    own = tmp_path / "own"
    shutil.copytree(REPOSITORY / "macros", own / "macros", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REPOSITORY / "schemas", own / "schemas")
    vocabularies = own / "schemas" / "vocabularies.schema.json"
    template = own / "macros" / "recordweave" / "views" / "templates" / "finder.html.j2"
    with serving(repository, {"PYTHONPATH": str(own / "macros")}) as address:
        assert "Anew" not in get(f"{address}records/") + get(f"{address}glossary/")
        text = template.read_text(encoding="utf-8")
        template.write_text(text.replace("All records: ", "Anew, all records: "), encoding="utf-8")
        shows(f"{address}records/", lambda html: "Anew, all records: " in html)
        schema = json.loads(vocabularies.read_text(encoding="utf-8"))
        schema["$defs"]["route_function"]["title"] = "Function of routes, anew"
        vocabularies.write_text(json.dumps(schema), encoding="utf-8")
        shows(f"{address}glossary/", lambda html: "Function of routes, anew" in html)


def test_a_build_that_fails_while_serving_leaves_what_is_shown(repository: Path) -> None:
    """A system that a plugin of the repository's own breaks is shown as it was."""
    (repository / "own.py").write_text(BREAKING, encoding="utf-8")
    with (repository / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write("hooks: [own.py]\n")
    with serving(repository) as address:
        before = get(f"{address}ace/sources/")
        assert before
        (repository / "docs" / "ace" / "index.md").write_text("# Broken\n\nbreak here\n", encoding="utf-8")
        (repository / "docs" / "arigraph" / "extra.md").write_text("# Extra\n", encoding="utf-8")
        shows(f"{address}arigraph/extra/", lambda html: html != "")
        assert re.sub(r"livereload\(.*?\)", "", get(f"{address}ace/sources/")) == re.sub(
            r"livereload\(.*?\)", "", before
        )


def test_what_was_edited_while_nothing_could_be_built_is_shown_afterwards(repository: Path) -> None:
    (repository / "docs" / "ace" / "index.md").write_text("# ACE\n", encoding="utf-8")
    config = repository / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    with serving(repository) as address:
        assert get(f"{address}ace/")
        config.write_text(text + "theme: [\n", encoding="utf-8")
        (repository / "docs" / "ace" / "index.md").write_text("# ACE\n\nEdited.\n", encoding="utf-8")
        time.sleep(1)  # MkDocs answers nobody now
        config.write_text(text, encoding="utf-8")
        shows(f"{address}ace/", lambda html: "Edited." in html)
        index = repository / "docs" / "index.md"
        portal = index.read_text(encoding="utf-8")
        index.write_text(f"---\ntemplate: none.html\n---\n{portal}", encoding="utf-8")
        (repository / "docs" / "ace" / "index.md").write_text("# ACE\n\nEdited once more.\n", encoding="utf-8")
        time.sleep(1)
        index.write_text(portal + "\nMended.\n", encoding="utf-8")
        shows(address, lambda html: "Mended." in html)
        shows(f"{address}ace/", lambda html: "Edited once more." in html)


BREAKING = """
def on_page_markdown(markdown, **kwargs):
    if "break here" in markdown:
        raise ValueError("broken")
"""


def contains(text: str, html: str) -> bool:
    return text in unescape(html)


@pytest.mark.timed
def test_an_edit_is_shown_within_a_second(repository: Path) -> None:
    """At three systems: a paragraph, a record, and what is wrong with either; the quickest of some, on any machine."""
    page = repository / "docs" / "arigraph" / "epistemic.md"
    routes = repository / "records" / "arigraph" / "epistemic" / "routes.yml"
    prose, records = page.read_text(encoding="utf-8"), routes.read_text(encoding="utf-8")
    with serving(repository) as address:
        took: dict[str, list[float]] = {"paragraph": [], "record": [], "fault": []}
        for number in range(3):
            page.write_text(f"{prose}\n\nParagraph {number} of the test.\n", encoding="utf-8")
            report = f"{address}arigraph/epistemic/"
            took["paragraph"].append(shows(report, partial(contains, f"Paragraph {number} of the test")))
            time.sleep(0.5)
            routes.write_text(records.replace("label: ", f"label: Number {number} ", 1), encoding="utf-8")
            took["record"].append(shows(report, partial(contains, f"Number {number} ")))
            time.sleep(0.5)
            page.write_text(f"{prose}\n\nSee EPI-OBJ-nothing-{number}.\n", encoding="utf-8")
            fault = f"`EPI-OBJ-nothing-{number}` is not declared"
            took["fault"].append(shows(report, partial(contains, fault)))
            time.sleep(0.5)
    assert {what: min(each) for what, each in took.items() if min(each) > 1} == {}


def test_one_system_is_served(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `SYSTEMS=ace make serve` does, for whoever works on one only."""
    monkeypatch.setenv("SYSTEMS", "ace")
    with serving(repository) as address:
        assert notices(address) == notices(f"{address}ace/") == []
        for nowhere in ("arigraph/", PART):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{address}{nowhere}", timeout=PATIENCE)


def test_a_page_that_names_a_faulty_record_of_another_system_is_shown(repository: Path) -> None:
    """The record may be declared once its file is mended, so the page is not what is wrong."""
    objects = repository / "records" / "arigraph" / "epistemic" / "objects.yml"
    text = objects.read_text(encoding="utf-8")
    assert "  - id: EPI-OBJ-answer\n" in text
    objects.write_text(text.replace("  - id: EPI-OBJ-answer\n", "  - id: EPI-OBJ-answer\n    lable: x\n"), "utf-8")
    with (repository / "docs" / "ace" / "index.md").open("a", encoding="utf-8") as page:
        page.write('\nCompare {{ ref("arigraph:EPI-OBJ-answer") }}.\n')
    with serving(repository) as address:
        assert "Compare" in get(f"{address}ace/")
        assert "rw-notice" in get(f"{address}arigraph/epistemic/")
        objects.write_text(text, encoding="utf-8")
        shows(f"{address}ace/", lambda html: 'href="../arigraph/records/epi-obj-answer/"' in html)


def test_the_first_edit_builds_what_it_changed_alone(repository: Path) -> None:
    page = repository / "docs" / "ace" / "index.md"
    with serving(repository) as address:
        page.write_text(page.read_text(encoding="utf-8") + "\nEdited.\n", encoding="utf-8")
        shows(f"{address}ace/", lambda html: "Edited." in html)
        built = re.findall(r"built (\w+) \(", (repository.parent / "log").read_text(encoding="utf-8"))
    assert sorted(built) == ["ace", "ace", "arigraph", "hipporag"]
