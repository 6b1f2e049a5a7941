"""Permanent links into a source: right for each forge, and none at all for what is not certainly an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recordweave.records.addresses import is_commit, is_repository, permanent
from recordweave.records.model import Origin, Source
from recordweave.records.values import Evidence, Finding

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GITHUB = "https://github.com/e/r"


def source(repository: str, revision: str = COMMIT) -> Source:
    return Source("SRC-1", "git", Finding(repository), Finding(revision), (), Origin("system.yml"))


def at(path: str = "", lines: str = "", repository: str = GITHUB) -> str:
    return permanent(source(repository), Evidence("SRC-1", path, lines))


LINKS: dict[str, tuple[str, str, str, str]] = {
    "the whole repository": (GITHUB, "", "", f"{GITHUB}/tree/{COMMIT}"),
    "file": (GITHUB, "a/b.py", "", f"{GITHUB}/blob/{COMMIT}/a/b.py"),
    "line": (GITHUB, "a.py", "7", f"{GITHUB}/blob/{COMMIT}/a.py#L7"),
    "lines": (GITHUB, "a.py", "7-12", f"{GITHUB}/blob/{COMMIT}/a.py#L7-L12"),
    "folder": (GITHUB, "a/b/", "", f"{GITHUB}/tree/{COMMIT}/a/b"),
    "folders have no lines": (GITHUB, "a/", "7", f"{GITHUB}/tree/{COMMIT}/a"),
    "lines without a file": (GITHUB, "", "7", f"{GITHUB}/tree/{COMMIT}"),
    "spaces": (GITHUB, "a b.py", "", f"{GITHUB}/blob/{COMMIT}/a%20b.py"),
    "letters": (GITHUB, "ü/漢.py", "", f"{GITHUB}/blob/{COMMIT}/%C3%BC/%E6%BC%A2.py"),
    "what could break out": (GITHUB, "a\"'<>?#&%\\.py", "", f"{GITHUB}/blob/{COMMIT}/a%22%27%3C%3E%3F%23%26%25%5C.py"),
    "climbing path": (GITHUB, "a/../../../x", "", ""),
    "lines that are none": (GITHUB, "a", "0-x", f"{GITHUB}/blob/{COMMIT}/a"),
    "repository with its ending": (f"{GITHUB}.git", "a", "", f"{GITHUB}/blob/{COMMIT}/a"),
    "repository with a slash": (f"{GITHUB}/", "a", "", f"{GITHUB}/blob/{COMMIT}/a"),
    "GitLab": ("https://gitlab.com/g/s/r", "a.py", "7-12", f"https://gitlab.com/g/s/r/-/blob/{COMMIT}/a.py#L7-12"),
    "folder on GitLab": ("https://gitlab.com/g/r", "a/", "", f"https://gitlab.com/g/r/-/tree/{COMMIT}/a"),
    "own GitLab": ("https://gitlab.e.org/g/r", "a", "3", f"https://gitlab.e.org/g/r/-/blob/{COMMIT}/a#L3"),
    "Codeberg": ("https://codeberg.org/e/r", "a", "3-4", f"https://codeberg.org/e/r/src/commit/{COMMIT}/a#L3-L4"),
    "folder on Codeberg": ("https://codeberg.org/e/r", "a/", "", f"https://codeberg.org/e/r/src/commit/{COMMIT}/a"),
    "own Forgejo": ("https://forgejo.e.org/e/r", "a", "", f"https://forgejo.e.org/e/r/src/commit/{COMMIT}/a"),
    "unknown forge": ("https://git.e.org/e/r", "a", "", ""),
    "not GitHub": ("https://github.com.evil.org/e/r", "a", "", ""),
    "not GitLab": ("https://notgitlab.com/e/r", "a", "", ""),
}


@pytest.mark.parametrize(("repository", "path", "lines", "link"), LINKS.values(), ids=LINKS)
def test_permanent_links(repository: str, path: str, lines: str, link: str) -> None:
    assert at(path, lines, repository) == link


def test_the_state_of_a_repository() -> None:
    assert permanent(source(GITHUB)) == f"{GITHUB}/tree/{COMMIT}"


HOSTILE_REPOSITORIES = [
    "", "--output=/tmp/x", "javascript:alert(1)", "javascript://github.com/e/r", "data:text/html,x",
    "file:///etc/passwd", "http://github.com/e/r", "ssh://git@github.com/e/r", "git@github.com:e/r",
    "//github.com/e/r", "github.com/e/r", "HTTPS://github.com/e/r", "https://GITHUB.com/e/r", "https://gïthub.com/e/r",
    "https://github.com", "https://github.com/", "https:///e/r", "https://[::1]/e/r", "https://github.com:8443/e/r",
    "https://user:pass@github.com/e/r", "https://user@github.com/e/r", "https://github.com\\@evil.org/e/r",
    "https://github.com/../..", "https://github.com/e/../../x", "https://github.com/./r", "https://github.com/e/...",
    "https://github.com/e/%2e%2e/x", "https://github.com//r", "https://github.com/e/r//", "https://github.com/e;x/r",
    "https://github.com/e/r?x=1", "https://github.com/e/r#x", "https://github.com/e/r\n", "https://github.com/e/r\nx",
    " https://github.com/e/r", "https://github.com/e/r ", "https://github.com/e/r\x00", "https://github.com/e/<b>",
    'https://github.com/e/"onclick="x',
]  # fmt: skip


@pytest.mark.parametrize("repository", HOSTILE_REPOSITORIES)
def test_hostile_repositories(repository: str) -> None:
    assert not is_repository(repository)
    assert permanent(source(repository), Evidence("SRC-1", "a.py")) == ""


@pytest.mark.parametrize(
    "address",
    ["https://github.com/e/r", "https://e.org/r", "https://git.e-x.org/~a/b.c_d-e", "https://e.org/a/b/c.git"],
)
def test_repositories(address: str) -> None:
    assert is_repository(address)


@pytest.mark.parametrize(
    "revision",
    [
        "", "main", "v1.0", "--output=/tmp/x", COMMIT[:-1], COMMIT + "0", COMMIT.upper(), COMMIT + "\n", " " + COMMIT,
        COMMIT[:-1] + "g", "../" + COMMIT[:-3], "٣" * 40, COMMIT[:-4] + "\n" * 4, "0" * 41, "0" * 63,
    ],
)  # fmt: skip
def test_hostile_revisions(revision: str) -> None:
    assert not is_commit(revision)
    assert permanent(source(GITHUB, revision), Evidence("SRC-1", "a.py")) == ""


def test_commits_of_both_lengths() -> None:
    assert is_commit("a" * 40)
    assert is_commit("0" * 64)
    assert permanent(source(GITHUB, "a" * 64)) == f"{GITHUB}/tree/{'a' * 64}"


def test_what_is_not_published_has_no_link() -> None:
    for repository, revision in [
        (Finding("It is private.", "unpublished"), Finding(COMMIT)),
        (Finding(GITHUB), Finding("Not told.", "unpublished")),
        (Finding(GITHUB, "unpublished"), Finding(COMMIT, "unpublished")),
    ]:
        hidden = Source("SRC-1", "git", repository, revision, (), Origin("system.yml"))
        assert permanent(hidden, Evidence("SRC-1", "a.py")) == ""


@given(st.text(), st.text(st.sampled_from("0123456789-L#\"'<>"), max_size=5), st.text())
def test_no_text_breaks_out_of_a_link(path: str, lines: str, repository: str) -> None:
    link = at(path, lines)
    assert link == "" or link.startswith((f"{GITHUB}/blob/{COMMIT}/", f"{GITHUB}/tree/{COMMIT}"))
    assert not set(link) & set("\"'<> \n\t\\")
    assert at("a", "", repository) in ("", at("a", "", repository.removesuffix("/").removesuffix(".git")))
