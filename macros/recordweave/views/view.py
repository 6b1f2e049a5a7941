"""Renders values for one page: knows the collection, the links as seen from the page, and nothing of MkDocs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from recordweave.records.addresses import permanent
from recordweave.records.collection import Collection
from recordweave.records.model import Entry, Row
from recordweave.records.values import (
    OWN_RECORDS,
    Cell,
    Evidence,
    Field,
    Finding,
    Group,
    Ids,
    Items,
    Plain,
    Term,
    Text,
    Value,
)
from recordweave.views import inline
from recordweave.views.links import SOURCES, Links, record_page


@cache
def templates() -> Environment:
    """The package's templates, with autoescape on."""
    return Environment(
        loader=PackageLoader("recordweave.views"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **values: Any) -> Markup:
    """A template as HTML, without white space at its ends."""
    return Markup(templates().get_template(template).render(**values).strip())


@cache
def _macros() -> Any:
    return templates().get_template("values.html.j2").module


@dataclass(frozen=True, slots=True)
class ProseCitation:
    """A mention of a record in prose: the page and the anchor it stands at, the heading above it, its sentence."""

    target: str
    page: str
    anchor: str
    heading: str
    sentence: str


@dataclass(frozen=True)
class View:
    """One page's view of a collection.

    `shown` says on which page each card, row and annotation stands, by member and anchor; `mentioned` is what the
    prose mentions, by ID; `titles` are the titles of pages, by name.
    """

    collection: Collection
    links: Links
    shown: Mapping[tuple[str, str], str] = field(default_factory=dict)
    mentioned: Mapping[str, Sequence[ProseCitation]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def reference(self, record_id: str, text: str = "") -> Markup:
        """A link to a record's page, or to a source in the register; an ID that leads nowhere stays text."""
        collection = self.collection
        if collection.system.source(record_id):
            return Markup('<a class="rw-source" href="{}">{}</a>').format(self.source(record_id), text or record_id)
        if not collection.knows(record_id):
            return escape(text or record_id)
        withheld = collection.record(record_id) is None
        title = "declaration not published" if withheld else collection.label(record_id)
        href = self.links(record_page(record_id))
        return Markup(_macros().reference(href, text or record_id, title, withheld))

    def source(self, source_id: str) -> str:
        """The address of a source in the register, wherever a page shows that; else of the page of sources."""
        page = self.shown.get(("", source_id))
        return self.links(page, source_id) if page else self.links(SOURCES)

    def text(self, markdown: str) -> Markup:
        """Inline text as HTML; several paragraphs with their `<p>`."""
        return inline.render(markdown, self.reference)

    def paragraphs(self, markdown: str) -> Markup:
        """Text as HTML, a single paragraph with its `<p>` too."""
        return inline.paragraphs(markdown, self.reference)

    def meaning(self, vocabulary: str, value: str) -> str:
        known = self.collection.analysis.vocabularies.get(vocabulary)
        return known.meanings.get(value, "") if known else ""

    def term(self, term: Term) -> Markup:
        description = self.text(term.description) if term.description else ""
        return Markup(_macros().term(term.value, self.meaning(term.vocabulary, term.value), description))

    def statuses(self, status: Mapping[str, str]) -> Markup:
        pairs = [(layer, value, self.meaning("conclusion_status", value)) for layer, value in status.items()]
        return Markup(_macros().statuses(pairs))

    def value(self, value: Value, entry: Entry | None = None, *, labelled: bool = False) -> Markup:
        """Any value as HTML. `entry` is the row or record it belongs to; `labelled` shows labels beside IDs."""
        macros = _macros()
        match value:
            case Plain(text):
                return escape(text)
            case Text(markdown):
                return self.text(markdown)
            case Term():
                return self.term(value)
            case Finding(markdown, uncertainty):
                meaning = self.meaning("conclusion_status", uncertainty)
                return Markup(macros.finding(self.text(markdown), uncertainty, meaning))
            case Cell():
                return self._cell(value, entry)
            case Ids(ids):
                return Markup(
                    macros.ids([(self.reference(one), self.collection.label(one) if labelled else "") for one in ids])
                )
            case Evidence():
                return self.evidence(value)
            case Items(items):
                if items and isinstance(items[0], Evidence):
                    return self._evidence_list(items)
                return Markup(macros.items([self.value(each, entry) for each in items], "rw-items"))
            case Group():
                return Markup(macros.group([self.named(each, entry) for each in value.fields]))

    def named(self, field: Field, entry: Entry | None = None) -> tuple[str, Markup, str]:
        """A field's title, its value as HTML, and what the schema says of it."""
        if field.key == "endpoints" and isinstance(field.value, Items):
            return (
                field.title,
                Markup(_macros().steps([self.value(each, entry) for each in field.value.items])),
                field.help,
            )
        if field.key in ("paths", "searched_roots") and isinstance(field.value, Items):
            codes = [
                Markup("<code>{}</code>").format(each.text) for each in field.value.items if isinstance(each, Plain)
            ]
            return field.title, Markup(_macros().items(codes, "rw-items")), field.help
        if field.key == "source" and isinstance(field.value, Plain):
            return field.title, self.evidence(Evidence(field.value.text)), field.help
        return field.title, self.value(field.value, entry), field.help

    def _cell(self, cell: Cell, entry: Entry | None) -> Markup:
        text = self.text(cell.markdown) if cell.markdown and cell.markdown != "none" else Markup("")
        if cell.markdown == "none":
            text = Markup('<span class="rw-none">none</span>')
        groups: list[tuple[str, list[Markup]]] = []
        for owner in cell.see:
            if owner in OWN_RECORDS:
                own = entry.own(owner) if isinstance(entry, Row) else ()
                if len(own) == 1:
                    groups.append(("", [self.reference(own[0], owner)]))
                else:
                    groups.append((f"{owner}s", [self.reference(one) for one in own]))
            else:
                groups.append(("", [self.reference(owner)]))
        scope = self.text(cell.scope) if cell.scope else ""
        return Markup(_macros().cell(text, groups, scope, cell.markdown.rstrip().endswith((".", ";", ":", "!", "?"))))

    def _evidence_list(self, items: Iterable[Value]) -> Markup:
        return Markup(_macros().items([self.value(each) for each in items], "rw-evidence"))

    def evidence(self, place: Evidence) -> Markup:
        """A place in a source, linked to the register and, where it can be, to the forge."""
        source = self.collection.system.source(place.source)
        address = permanent(source, place) if source else ""
        layer = self.term(Term("evidence_layer", place.layer)) if place.layer else ""
        shows = self.text(place.shows) if place.shows else ""
        return Markup(_macros().evidence(place, self.source(place.source), address, layer, shows))

    def prose_citations(self, record_id: str) -> Sequence[ProseCitation]:
        return self.mentioned.get(record_id, ())
