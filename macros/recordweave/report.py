"""Diagnostics as a good compiler prints them: the place first, the line with a caret, and how to mend it."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rich.cells import cell_len

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.sources.files import leads_out


def formatted(diagnostic: Diagnostic, root: Path) -> str:
    """One diagnostic as text of several lines. `root` is the folder that its file is relative to."""
    lines = [f"{diagnostic.place}: {diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]"]
    lines += _excerpt(diagnostic.place, root)
    for word, place in diagnostic.related:
        lines += [f"  {place}: {word}", *_excerpt(place, root)]
    if diagnostic.hint:
        lines.append(f"  help: {diagnostic.hint}")
    return "\n".join(lines)


def _excerpt(place: Place, root: Path) -> list[str]:
    written = _written(place, root)
    if not written.strip():
        return []
    start = max(0, place.column - 80)
    shown = "".join(each if each.isprintable() else " " for each in written[start : start + 160])
    margin = " " * len(str(place.line))
    before = cell_len(shown[: place.column - 1 - start])
    return [f"  {place.line} | {shown}", f"  {margin} | {' ' * before}^"]


def _written(place: Place, root: Path) -> str:
    """The line at a place; nothing where there is none to be read, or none of the repository's own."""
    try:
        path = root / place.file
        if leads_out(path, root):
            return ""
        lines = _lines(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return ""
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


@lru_cache(maxsize=2)
def _lines(path: Path, changed: int) -> list[str]:
    """The lines of a file in the state of a moment; one file often has many faults."""
    data = path.read_bytes()
    if b"\0" in data:
        return []
    text = data.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many errors and warnings, in words."""
    counts = [sum(each.severity is severity for each in diagnostics) for severity in Severity]
    words = [
        f"{count} {severity}{'' if count == 1 else 's'}"
        for count, severity in zip(counts, Severity, strict=True)
        if count
    ]
    return " and ".join(words) or "no faults"
