"""What the rules look at: one system's collection, its files, and its pages of prose."""

from collections.abc import Sequence
from dataclasses import dataclass

from recordweave.records.collection import Collection
from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.model import Entry
from recordweave.records.values import Pointer
from recordweave.sources.prose import Prose
from recordweave.sources.repository import Loaded


@dataclass(frozen=True)
class Facts:
    """Everything known of one system before anything is rendered."""

    collection: Collection
    loaded: Loaded
    pages: Sequence[Prose] = ()

    def place(self, entry: Entry, way: Pointer = (), *, text: str = "") -> Place:
        """Where an entry stands, or the value at `way` in its file, or a text inside that value."""
        return self.loaded.place(entry.origin, way, text=text)


def error(
    code: str, message: str, place: Place, hint: str = "", related: tuple[tuple[str, Place], ...] = ()
) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place, hint, related)
