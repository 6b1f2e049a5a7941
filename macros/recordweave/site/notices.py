"""What `mkdocs serve` shows on a page of what is wrong with what it shows."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from recordweave.records.diagnostic import Diagnostic, Severity
from recordweave.report import formatted, summary

_NOTICE = Markup('<details class="{} rw-notice" open>\n<summary>{} in what this page shows</summary>\n{}</details>\n')
_ONE = Markup("<pre><code>{}</code></pre>\n")


def notice(found: Sequence[Diagnostic], root: Path) -> Markup:
    """A box with what was found; nothing where nothing was. `root` is the folder that file names are relative to."""
    if not found:
        return Markup("")
    kind = "failure" if any(each.severity is Severity.ERROR for each in found) else "warning"
    return _NOTICE.format(kind, summary(found), Markup("").join(_ONE.format(formatted(each, root)) for each in found))
