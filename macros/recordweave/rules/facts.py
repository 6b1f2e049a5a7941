"""What the rules look at: one system's collection, its files and its pages of prose, and the other systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.model import Entry, Origin, System
from recordweave.records.text import may_refer, nearly_cited
from recordweave.records.values import Pointer
from recordweave.sources.prose import Prose
from recordweave.sources.repository import Loaded


@dataclass(frozen=True)
class Facts:
    """Everything known of one system before anything is rendered.

    `systems` are the files of all systems, by name.
    """

    collection: Collection
    loaded: Loaded
    pages: Sequence[Prose]
    library: Library
    systems: Mapping[str, Loaded]

    @cached_property
    def near_misses(self) -> list[tuple[str, str, Place]]:
        """What looks like an ID and is none: as written, what is nearest to it, and where it stands."""
        found = [
            (miss.written, miss.meant, text.place(miss.written, miss.before))
            for text in self.texts
            for miss in nearly_cited(text.markdown)
        ]
        return [*found, *(each for page in self.pages for each in page.near_misses)]

    def place(self, entry: Entry, way: Pointer = ()) -> Place:
        """Where an entry stands, or the value at `way` in its file."""
        return self.loaded.place(entry.origin, way)

    @cached_property
    def texts(self) -> list["Written"]:
        """The Markdown texts in the files of the system that may refer to something."""
        found: list[Written] = []
        every: tuple[System | Entry, ...] = (self.collection.system, *self.collection.analysis.entries())
        for each in every:
            told = ((way, markdown) for way, markdown in each.texts() if may_refer(markdown))
            found += (Written(markdown, each.origin, way, self.loaded) for way, markdown in told)
        return found


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
