"""What a reference leads to, in the words of a link: its title, whether it stands, and whose site it is on."""

from dataclasses import dataclass

from recordweave.records.collection import Library
from recordweave.records.ids import kind_of
from recordweave.records.text import plain, sentence_around


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a reference: a record's ID, and the system that has it, empty where that is the site's own.

    `title` says in a few words what it is, and whether it is superseded.
    """

    system: str
    id: str
    title: str
    withheld: bool
    superseded: bool = False

    @property
    def css(self) -> str:
        """The classes of a link to it."""
        marks = {"withheld": self.withheld, "elsewhere": bool(self.system), "superseded": self.superseded}
        return " ".join(["rw-ref", *(f"rw-ref--{name}" for name, is_so in marks.items() if is_so)])


def target(reference: str, library: Library, site: str) -> Target | None:
    """The target of a reference that stands on the site of a system, or on the portal where `site` is empty.

    Nothing where it leads nowhere. A page of another site has no preview, so the title of a link to one says more.
    """
    found = library.find(reference)
    if found is None:
        return None
    collection, one = found
    record = collection.record(one)
    label = record.label if record else "declaration not published"
    superseded = collection.superseded_in(one) is not None
    if superseded:
        label += " (superseded)"
    if collection.system.name == site:
        return Target("", one, label, record is None, superseded)
    title = f"{collection.system.label}, {kind_of(one).singular}: {label}"
    if record and (body := record.markdown("body")):
        title += f". {sentence_around(plain(body), 0)}"
    return Target(collection.system.name, one, title, record is None, superseded)
