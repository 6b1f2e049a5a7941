"""Diagnostics as a good compiler prints them: the place first, the line with a caret, and how to mend it.

On a terminal the parts have colours, and an excerpt is as wide as the window; otherwise the text is plain.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.report.contents import Report, harmless
from recordweave.sources.files import leads_out

_WIDEST = 160
_STYLES = {
    Severity.ERROR: Style(color="red", bold=True),
    Severity.WARNING: Style(color="yellow", bold=True),
}
_STRONG, _QUIET, _HELP, _SOUND = (Style.parse(each) for each in ("bold", "blue", "bold cyan", "bold green"))


def formatted(diagnostic: Diagnostic, root: Path) -> str:
    """One diagnostic as text of several lines. `root` is the folder that its file is relative to."""
    return "\n".join(each.plain for each in styled(diagnostic, root))


def styled(diagnostic: Diagnostic, root: Path, width: int = 0) -> Iterator[Text]:
    """The lines of a diagnostic with their colours. Excerpts are no wider than `width` cells, if it is given."""
    style = _STYLES[diagnostic.severity]
    yield Text.assemble(
        (harmless(f"{diagnostic.place}:"), _STRONG),
        " ",
        (f"{diagnostic.severity}:", style),
        " ",
        (harmless(diagnostic.message), _STRONG),
        " ",
        (f"[{diagnostic.code}]", style),
    )
    yield from _excerpt(diagnostic.place, root, width, style)
    for word, place in diagnostic.related:
        yield Text.assemble("  ", (harmless(f"{place}:"), _STRONG), harmless(f" {word}"))
        yield from _excerpt(place, root, width, _QUIET)
    if diagnostic.hint:
        yield Text.assemble("  ", ("help:", _HELP), harmless(f" {diagnostic.hint}"))


def _excerpt(place: Place, root: Path, width: int, style: Style) -> list[Text]:
    written = _written(place, root)
    if not written.strip():
        return []
    start = max(0, place.column - _WIDEST // 2)
    shown = "".join(each if each.isprintable() else " " for each in written[start : start + _WIDEST])
    margin = " " * len(str(place.line))
    at = place.column - 1 - start
    if width:
        shown, at = _fitted(shown, at, width - len(margin) - 5)
    return [
        Text.assemble("  ", (f"{place.line} |", _QUIET), f" {shown}"),
        Text.assemble("  ", (f"{margin} |", _QUIET), f" {' ' * cell_len(shown[:at])}", ("^", style)),
    ]


def _fitted(shown: str, at: int, width: int) -> tuple[str, int]:
    """The part of a line around a character that is no wider than so many cells, and where the character is then."""
    if cell_len(shown) <= width:
        return shown, at
    cut = 0
    while cell_len(shown[cut:]) > width - bool(cut) and cell_len(shown[cut : at + 1]) > max(width // 2, 2):
        cut += 1
    if cut:
        shown, at = "…" + shown[cut:], at - cut + 1
    if cell_len(shown) > width:
        shown = set_cell_size(shown, max(width - 1, 1)).rstrip() + "…"
    return shown, at


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


def closing(report: Report) -> Text:
    """The last line: how much was read, and how much of it is faulty."""
    gravest = min((each.severity for each in report.diagnostics), key=list(Severity).index, default=None)
    systems = f"{report.systems} system{'' if report.systems == 1 else 's'}"
    return Text.assemble(
        f"{systems}, {report.entries} records, rows and annotations: ",
        (summary(report.diagnostics), _STYLES[gravest] if gravest else _SOUND),
        harmless(f" in {report.scope}") if report.scope else "",
    )


def in_text(report: Report) -> str:
    """Everything that is told, plain."""
    told = [formatted(each, report.root) for each in report.diagnostics]
    return "".join(f"{each}\n" for each in (*told, closing(report).plain))


def in_colour(report: Report, width: int) -> Iterator[Text]:
    """Everything that is told, line by line, for a terminal of a width."""
    for diagnostic in report.diagnostics:
        yield from styled(diagnostic, report.root, width)
    yield closing(report)
