"""Renders values for one page: knows the collection, the links as seen from the page, and nothing of MkDocs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup, escape

from recordweave.records.addresses import permanent
from recordweave.records.collection import Collection, Library
from recordweave.records.model import Entry, Row, slug
from recordweave.records.ties import Ties
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
from recordweave.views.links import GLOSSARY, SOURCES, Links, record_page
from recordweave.views.targets import target


@cache
def templates() -> Environment:
    """The package's templates, with autoescape on."""
    environment = Environment(
        loader=PackageLoader("recordweave.views"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}  # in the order in which things were given
    return environment


def render(template: str, **values: Any) -> Markup:
    """A template as HTML, without white space at its ends."""
    return Markup(_template(template).render(**values).strip())


@cache
def _template(name: str) -> Template:
    return templates().get_template(name)


@cache
def _macros() -> Any:
    return templates().get_template("values.html.j2").module


def forget_templates() -> None:
    """Read the templates anew when they are next asked for."""
    for kept in (templates, _template, _macros):
        kept.cache_clear()


def term_link(value: str, href: str, meaning: str, description: str = "") -> Markup:
    """A controlled value with its address in the glossary, its meaning, and what is said of it where it stands."""
    return Markup(_macros().term(value, href, meaning, description))


def term_anchor(vocabulary: str, value: str) -> str:
    """The anchor of a controlled value in the glossary."""
    return slug(f"{vocabulary} {value}")


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
    """One page's view of a collection, the library's `home`.

    `shown` says on which page each card, row and annotation stands, by member and anchor; `mentioned` is what the
    prose mentions, by ID; `titles` are the titles of pages, by name; `others` are views of the systems that refer to
    this one, `ties` what the records of this one have to do with each other.
    """

    library: Library
    links: Links
    shown: Mapping[tuple[str, str], str] = field(default_factory=dict)
    mentioned: Mapping[str, Sequence[ProseCitation]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    glossary: str = GLOSSARY
    others: Sequence["View"] = ()
    ties: Ties | None = None

    @property
    def collection(self) -> Collection:
        assert self.library.home is not None
        return self.library.home

    def address(self, entry: Entry) -> str:
        """The address of a card, row or annotation in the report that shows it; empty where none does."""
        page = self.shown.get((entry.member, entry.anchor))
        return self.links(page, entry.anchor) if page else ""

    def reference(self, reference: str, text: str = "") -> Markup:
        """A link to a record's page, or to a source in the register; what leads nowhere stays text."""
        if self.library.find_source(reference):
            return self.source_link(reference, text)
        to = target(reference, self.library, self.links.site)
        if to is None:
            return escape(text or reference)
        page = record_page(to.id)
        href = self.links.on(to.system, page) if to.system else self.links(page)
        return Markup(_macros().reference(href, text or reference, to))

    def source_link(self, reference: str, text: str = "") -> Markup:
        """A link to a source in its register, where a page shows that; else to the page of sources."""
        found = self.library.find_source(reference)
        if found is None:
            return escape(text or reference)
        collection, one = found
        if collection is self.collection:
            page = self.shown.get(("", one))
            href = self.links(page, one) if page else self.links(SOURCES)
        else:
            href = self.links.on(collection.system.name, SOURCES)
        owner = collection.system.label if collection.system.name != self.links.site else ""
        return Markup(_macros().source(href, text or reference, f"{owner}, source {one}" if owner else ""))

    def text(self, markdown: str) -> Markup:
        """Inline text as HTML; several paragraphs with their `<p>`."""
        return inline.render(markdown, self.reference)

    def paragraphs(self, markdown: str) -> Markup:
        """Text as HTML, a single paragraph with its `<p>` too."""
        return inline.paragraphs(markdown, self.reference)

    def meaning(self, vocabulary: str, value: str) -> str:
        known = self.collection.analysis.vocabularies.get(vocabulary)
        return known.meanings.get(value, "") if known else ""

    def explanation(self, vocabulary: str, value: str) -> tuple[str, str]:
        """The address of a controlled value in the glossary, and its meaning; empty where it has none."""
        meaning = self.meaning(vocabulary, value)
        href = self.links.on("", self.glossary, term_anchor(vocabulary, value)) if meaning else ""
        return href, meaning

    def term(self, term: Term) -> Markup:
        description = self.text(term.description) if term.description else ""
        href, meaning = self.explanation(term.vocabulary, term.value)
        return term_link(term.value, href, meaning, description)

    def statuses(self, status: Mapping[str, str]) -> Markup:
        told = [(layer, value, *self.explanation("conclusion_status", value)) for layer, value in status.items()]
        return Markup(_macros().statuses(told))

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
                href, meaning = self.explanation("conclusion_status", uncertainty)
                return Markup(macros.finding(self.text(markdown), uncertainty, href, meaning))
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
            paths = [each.text for each in field.value.items if isinstance(each, Plain)]
            return (
                field.title,
                Markup(_macros().items([self._path(one, entry) for one in paths], "rw-items")),
                field.help,
            )
        if field.key == "substrate" and isinstance(field.value, Items):
            forms = [each for each in field.value.items if isinstance(each, Group)]
            told = [[(part.key, self.value(part.value)) for part in each.fields] for each in forms]
            return field.title, Markup(_macros().storage(told)), field.help
        if field.key == "source" and isinstance(field.value, Plain):
            return field.title, self.evidence(Evidence(field.value.text)), field.help
        return field.title, self.value(field.value, entry), field.help

    def _path(self, path: str, entry: Entry | None) -> Markup:
        """A path in the source that the entry names, linked to the forge where it can be."""
        named = entry.value("source") if entry else None
        source = self.collection.system.source(named.text) if isinstance(named, Plain) else None
        address = permanent(source, Evidence(source.id, path)) if source else ""
        return Markup(_macros().path(path, address))

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
        return Markup(_macros().evidence(place, self.source_link(place.source), address, layer, shows))

    def prose_citations(self, record_id: str) -> Sequence[ProseCitation]:
        return self.mentioned.get(record_id, ())
