"""What one system tells others of itself: what their pages show of it, in short, to know whether that has changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from recordweave.records.collection import Collection, Library
from recordweave.records.ids import split
from recordweave.views.places import cited_at
from recordweave.views.targets import target
from recordweave.views.view import View


@dataclass(frozen=True)
class Told:
    """Digests: of what links to a record say of it, by ID; of all that is cited of another system, by its name; and of
    the system's own name and sources."""

    records: Mapping[str, bytes] = field(default_factory=dict)
    citations: Mapping[str, bytes] = field(default_factory=dict)
    itself: bytes = b""
    portal: bytes = b""
    """And of all that the portal may show of it; empty where that is not known."""

    def to(self, system: str, references: Iterable[str]) -> list[bytes]:
        """What it tells a system that has some references."""
        records = [self.records.get(split(one)[1], b"") for one in sorted(references)]
        return [self.itself, self.citations.get(system, b""), *records]


def told_by(view: View) -> Told:
    """What a system tells others; `view` is the system as these see it."""
    collection = view.collection
    name = collection.system.name
    library = Library({name: collection})
    citations: dict[str, list[object]] = defaultdict(list)
    for reference in sorted({*collection.cited, *view.mentioned}):
        other = split(reference)[0]
        if other:
            places = cited_at(view, reference)
            citations[other].append((reference, places, [view.titles.get(place.page) for place in places]))
    return Told(
        {one: _digest(target(f"{name}:{one}", library, "")) for one in collection.ids},
        {other: _digest(each) for other, each in citations.items() if other != name},
        _digest(_itself(collection)),
    )


def _itself(collection: Collection) -> object:
    system = collection.system
    return system.label, [source.id for source in system.sources]


def _digest(told: object) -> bytes:
    return blake2b(repr(told).encode(errors="surrogatepass"), digest_size=8).digest()
