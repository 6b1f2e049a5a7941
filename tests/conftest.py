"""What every test may use: real builds of the published repository, and a guard over everything MkDocs warns of."""

import fcntl
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.site.build import PUBLISHED, Builds, Mode, Published, copy_repository, publish


class Unread(logging.Handler):
    """Keeps the warnings of builds that run in this process."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname}: {record.getMessage()}")


@pytest.fixture(scope="session", autouse=True)
def nothing_is_kept(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the command line keeps between two checks goes to a folder of the tests, not to the user's."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def everything_is_built() -> None:
    """Which systems are built is for each test to say, not for whoever runs the tests."""
    os.environ.pop("SYSTEMS", None)


@pytest.fixture
def builds() -> Builds:
    """Runs `mkdocs build`. The warnings of each build have to be read, by asking the build for them."""
    return Builds()


@pytest.fixture(autouse=True)
def no_unread_warnings(builds: Builds) -> Iterator[None]:
    """Fail a test that leaves a warning of MkDocs unread, wherever the build ran."""
    handler = Unread()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)
    unread = [*handler.messages, *builds.unread]
    if unread:
        pytest.fail("MkDocs warned, and the test did not ask for it:\n" + "\n".join(unread))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the published repository, to be changed and built."""
    root = tmp_path / "repository"
    root.mkdir()
    return copy_repository(root)


@pytest.fixture(scope="session")
def published_in(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mode], Published]:
    """The published site in a mode, built once, for all workers together. Nobody may change it."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent

    @cache
    def get(mode: Mode) -> Published:
        root = base / f"published-{mode.name}"
        with (base / f"{mode.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = root / "output.txt"
            if not done.exists():
                shutil.rmtree(root, ignore_errors=True)
                root.mkdir()
                done.write_text(publish(root, mode).output, encoding="utf-8")
        return Published(root, mode.site(root / "site"), done.read_text(encoding="utf-8"))

    return get


@pytest.fixture(scope="session")
def published(published_in: Callable[[Mode], Published]) -> Published:
    """The published site as most tests look at it."""
    return published_in(PUBLISHED)
