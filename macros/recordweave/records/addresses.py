"""Addresses of repositories, and of places in them. What a record says of them is hostile until checked here."""

import re
from urllib.parse import quote

from recordweave.records.model import Source
from recordweave.records.values import Evidence

_REPOSITORY = re.compile(r"https://(?P<host>[a-z0-9.-]+)(?P<path>(?:/[A-Za-z0-9_.~-]+?)+?)(?:\.git)?/?")
_LINES = re.compile(r"(?P<first>[1-9][0-9]*)(?:-(?P<last>[1-9][0-9]*))?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def is_repository(address: str) -> bool:
    """Whether an address is a repository that links can be made from: https, a host, and a plain path."""
    match = _REPOSITORY.fullmatch(address)
    return match is not None and not any(set(step) == {"."} for step in match["path"].split("/"))


def is_commit(revision: str) -> bool:
    """Whether a revision is a full commit, in lower case."""
    return _COMMIT.fullmatch(revision) is not None


def permanent(source: Source, place: Evidence | None = None) -> str:
    """The forge's permanent page for a place in a source, or an empty string where there is none.

    GitHub, GitLab and Forgejo (Codeberg) are known by their host; nothing is made up for others.
    """
    repository, revision = source.repository, source.revision
    if repository.uncertainty or revision.uncertainty or not is_commit(revision.markdown):
        return ""
    match = _REPOSITORY.fullmatch(repository.markdown)
    if match is None or not is_repository(repository.markdown):
        return ""
    host, base = match["host"], f"https://{match['host']}{match['path']}"
    path = place.path if place else ""
    if {".", ".."} & set(path.split("/")):
        return ""
    folder = not path or path.endswith("/")
    if host == "github.com":
        middle = "tree" if folder else "blob"
    elif host.startswith("gitlab."):
        middle = "-/tree" if folder else "-/blob"
    elif host in ("codeberg.org", "gitea.com") or host.startswith("forgejo."):
        middle = "src/commit"
    else:
        return ""
    address = f"{base}/{middle}/{revision.markdown}"
    if path:
        address += "/" + quote(path.rstrip("/"))
    lines = _LINES.fullmatch(place.lines) if place and not folder else None
    if lines:
        joint = "-" if host.startswith("gitlab.") else "-L"
        address += f"#L{lines['first']}" + (f"{joint}{lines['last']}" if lines["last"] else "")
    return address
