"""Diagnostics as a good compiler prints them: the place first, the line with a caret, and how to mend it."""

from collections.abc import Sequence
from pathlib import Path

from recordweave.records.diagnostic import Diagnostic, Place, Severity


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
    try:
        text = (root / place.file).read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return []
    written = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not 0 < place.line <= len(written) or not written[place.line - 1].strip():
        return []
    line = written[place.line - 1]
    start = max(0, place.column - 80)
    shown = "".join(each if each.isprintable() else " " for each in line[start : start + 160])
    margin = " " * len(str(place.line))
    return [f"  {place.line} | {shown}", f"  {margin} | {' ' * (place.column - 1 - start)}^"]


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many errors and warnings, in words."""
    counts = [sum(each.severity is severity for each in diagnostics) for severity in Severity]
    words = [
        f"{count} {severity}{'' if count == 1 else 's'}"
        for count, severity in zip(counts, Severity, strict=True)
        if count
    ]
    return " and ".join(words) or "no faults"
