"""What the rules look at: one system's collection, its files and its pages of prose, and the other systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.model import Entry, Origin
from recordweave.records.text import nearly_cited
from recordweave.records.values import Pointer
from recordweave.sources.prose import Prose
from recordweave.sources.repository import Loaded


@dataclass(frozen=True)
class Facts:
    """Everything known of one system before anything is rendered.

    `systems` are the files of all systems, by name; `portal` are the references on the pages of the portal.
    """

    collection: Collection
    loaded: Loaded
    pages: Sequence[Prose]
    library: Library
    systems: Mapping[str, Loaded]
    portal: frozenset[str] = frozenset()

    @cached_property
    def near_misses(self) -> list[tuple[str, str, Place]]:
        """What looks like an ID and is none: as written, what is nearest to it, and where it stands."""
        found = [
            (miss.written, miss.meant, text.place(miss.written, miss.before))
            for text in self.texts()
            for miss in nearly_cited(text.markdown)
        ]
        return [*found, *(each for page in self.pages for each in page.near_misses)]

    def place(self, entry: Entry, way: Pointer = ()) -> Place:
        """Where an entry stands, or the value at `way` in its file."""
        return self.loaded.place(entry.origin, way)

    def texts(self) -> Iterator["Written"]:
        """Every Markdown text in the files of the system."""
        system = self.collection.system
        for way, markdown in system.texts():
            yield Written(markdown, system.origin, way, self.loaded)
        for entry in self.collection.analysis.entries():
            for way, markdown in entry.texts():
                yield Written(markdown, entry.origin, way, self.loaded)


@dataclass(frozen=True)
class Written:
    """A Markdown text, and where its author wrote it."""

    markdown: str
    origin: Origin
    way: Pointer
    loaded: Loaded

    def place(self, part: str, before: int) -> Place:
        """Where a part of the text stands that was written so many times before in it."""
        return self.loaded.place(self.origin, self.way, text=part, before=before)


def error(
    code: str, message: str, place: Place, hint: str = "", related: tuple[tuple[str, Place], ...] = ()
) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place, hint, related)


def warning(
    code: str, message: str, place: Place, hint: str = "", related: tuple[tuple[str, Place], ...] = ()
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, place, hint, related)
