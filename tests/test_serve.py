"""`mkdocs serve`, as authors run it: what is wrong stands on the page that they look at, and goes when it is mended."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.slow

PATIENCE = 90  # seconds, for a build on a busy machine


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve a repository; gives the address of its site."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    log = root.parent / "log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--livereload", "--dev-addr", address],
            cwd=root,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONUNBUFFERED": "1"},
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
