"""Arranges the index that the theme's search has made, so that a record is found by its ID, whole or in part.

The theme cuts everything at hyphens, in pages as in what a reader types, and no setting changes that for a reader's
words. An ID is then a handful of common words, and its own page drowns among those that mention it. So each record
gets fields of its own in the index, which are searched and not shown, weighed so that what is typed finds

1.  with a kind in it (`EPI-RTE-…`): the records of that kind before all else, the one with most of the words first;
2.  with words alone: prose under such a title, records with such an ID, then such a label, then the text of prose;
3.  an ID that others begin with: the very record before the longer ones.

Prose is what stands on pages that are not made of records. What a record's page repeats of other pages, and the lists
of records, are left out of the index.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.pages import Page

from recordweave.records.ids import KINDS, is_source_id, kind_of, references
from recordweave.records.model import slug
from recordweave.site.generated import html
from recordweave.site.links import page_url
from recordweave.site.search_text import Entry, entries_by_theme, entries_of
from recordweave.site.system import SystemSite
from recordweave.views.finder import search_results
from recordweave.views.links import MAP, RECORDS, VALUES, kind_page, record_page
from recordweave.views.portal import PortalView
from recordweave.views.view import View, term_anchor

log = get_plugin_logger("recordweave")

DEFAULT_SEPARATOR = r"[\s\-]+"
"""What the theme cuts words at where nobody has set anything else."""

SEPARATOR = r"[\s\-\u00ad\u2010-\u2015,;:!?=+*()\[\]{}\"“”„«»/·…→]+|\.(?!\w)|&(?:amp|lt|gt|quot);"
"""Instead of it: marks around a word are no part of it, so that `(EPI-OBJ-answer)` in a text is found like others."""

KIND, NAME, WHOLE = "rw_kind", "rw_name", "rw_whole"
FIELDS = {KIND: {"boost": 1e9}, NAME: {"boost": 1e5}, WHOLE: {"boost": 3e3}}
"""The fields of records, with weights; the theme's own are 1e3 for a title and 1 for a text.

`KIND` outweighs all else together. `NAME` has the words of the ID twice, which makes 1.375 of its weight, and other
words once. `WHOLE` has a word that begins like the last one of the ID, so that an ID comes before those it begins.
"""

SUGGESTIONS = "search.suggest"
"""The theme's feature that completes what is typed. It takes the words of an ID for themselves, and so makes of
`epi-rte-r` the ID `epi-rte-rte`."""

FREQUENT = frozenset({"rte", "obj", "src"})
"""The kinds that texts name so often that the theme thinks little of the word; these have the field `KIND`. It is not
for the others: the last word of a search may go on in any way, and `a` would find every `ABS` before all else."""

PAGE, SECTION, VALUE = 165, 400, 165
"""How much more prose and controlled values weigh. The theme itself multiplies a page that has all words by 5, and a
section by 2. In units of 1e5, a title of prose then weighs 8, the ID of a record 7, its label 5, and a value 3."""

REPEATED = frozenset({"amendments", "cited-by", "cited-elsewhere", "neighbourhood", "parts", "rows"})
"""The sections of a record's page that repeat what stands elsewhere."""


@dataclass(frozen=True)
class Findable:
    """A record or a source, with what it is found by besides its ID: its label and the name of its system."""

    id: str
    label: str = ""
    system: str = ""

    @cached_property
    def kind(self) -> str:
        """The kind as IDs have it, in lower case, if it is a frequent one."""
        code = "src" if is_source_id(self.id) else kind_of(self.id).code.lower()
        return code if code in FREQUENT else ""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the ID in lower case, each once."""
        return tuple(dict.fromkeys(self.id.lower().split("-")))

    @cached_property
    def other_words(self) -> tuple[str, ...]:
        """The words of the label and of the system's name that are not in the ID."""
        words = dict.fromkeys(_words(f"{self.label} {self.system}"))
        return tuple(each for each in words if each not in self.words)

    @property
    def last(self) -> str:
        """The last word of the ID, the only one whose beginning is enough for the theme."""
        return self.id.lower().rpartition("-")[2]

    def own_word(self, number: int) -> str:
        """A word that nothing else has and that begins like the last of the ID."""
        return f"{self.last}_{number}_{self.system}_{self.id}".replace("-", "_").lower()


@dataclass(frozen=True)
class Contents:
    """What has to be known of a site to arrange its index. Locations are those of the index.

    `findable` are records and sources by the location of their entry. Of the pages `lists` only the title is kept, of
    `outlines` also the titles of sections. `added` are entries that the theme has not made, or not made well.
    """

    findable: Mapping[str, Findable]
    lists: Collection[str] = ()
    outlines: Collection[str] = ()
    added: Sequence[Entry] = ()

    @cached_property
    def of_records(self) -> frozenset[str]:
        """The pages that are made of records."""
        return frozenset(location.partition("#")[0] for location in self.findable)

    def is_left_out(self, location: str) -> bool:
        """Whether what an entry says stands elsewhere."""
        page, _, anchor = location.partition("#")
        return bool(anchor) and (page in self.lists or (page in self.findable and anchor in REPEATED))


def read_for(site: SystemSite, page: str) -> str | None:
    """What the theme is to read of a page that is made from records: what would be left out again is no part of it.

    Nothing for a page that somebody wrote, which is read as a whole.
    """
    blocks = site.blocks.get(page)
    if blocks is None:
        return None
    if page in (RECORDS, MAP, *map(kind_page, KINDS)):
        blocks = [replace(blocks[0], html=Markup(""))]
    elif page == VALUES:
        blocks = [replace(each, html=Markup("")) for each in blocks if each.heading]
    told = []
    is_told = True
    for block in blocks:
        is_told = block.heading.id not in REPEATED if block.heading else is_told
        if is_told:
            told.append(html(block))
    return "".join(told)


_ROWS = re.compile(r'(<tbody id="rw-finder-rows">).*?(</tbody>)', re.DOTALL)


def without_rows(html: str) -> str:
    """What the theme is to read of a page of the portal: the rows of all records are no part of it."""
    return _ROWS.sub(r"\1\2", html)


def has_added(config: MkDocsConfig, page: Page, html: str) -> bool:
    """Add a page to the index of the theme's search, if that is known. False where the theme has to do it."""
    plugin: Any = config.plugins.get("material/search")
    index = getattr(plugin, "search_index", None)
    if index is None or "search" in page.meta or "tags" in page.meta:
        return False
    entries = entries_of(page.url, html, str(page.meta.get("title", page.title)))
    index.entries.extend(entries or ())
    return entries is not None


def without_suggestions(config: MkDocsConfig, *, tell: bool) -> None:
    """Turn off the suggestions, whose IDs would be wrong."""
    features = config.theme.get("features") or []
    if SUGGESTIONS in features:
        config.theme["features"] = [each for each in features if each != SUGGESTIONS]
        if tell:
            log.info("the theme's feature `%s` is left out: it would complete IDs wrongly", SUGGESTIONS)


def of_system(site: SystemSite) -> Contents:
    """What the site of a system has."""

    def location(page: str) -> str:
        return page_url(page, site.directory_urls)

    collection = site.collection
    found = {location(record_page(one)): Findable(one, collection.label(one)) for one in collection.ids}
    for source in collection.system.sources:
        if page := site.source_page(source.id):
            found[f"{location(page)}#{source.id}"] = Findable(source.id)
    lists = [location(page) for page in (RECORDS, MAP, *map(kind_page, KINDS))]
    added = [entry for file in site.record_files if file.page for entry in _of_record(site, file.page)]
    return Contents(found, lists, [location(VALUES)], added)


def _of_record(site: SystemSite, page: Page) -> list[Entry]:
    """The entries of a record's page that MkDocs does not show to the theme's search."""
    html = read_for(site, page.file.src_uri.removesuffix(".md")) or ""
    entries = entries_of(page.url, html, str(page.title))
    return entries_by_theme(page, html) if entries is None else entries


def of_portal(view: PortalView) -> Contents:
    """What the portal has besides its pages: the records and the sources of all systems, and the controlled values.

    `view` is that of the portal's first page.
    """
    found: dict[str, Findable] = {}
    added: list[Entry] = []
    for findable, entries in view.from_each("search", _of_one):
        found |= findable
        added += entries
    for vocabulary in view.vocabularies.values():
        heading = view.links(view.glossary, slug(vocabulary.title))
        added.append(_entry(heading, vocabulary.title, vocabulary.description))
        for value, meaning in vocabulary.meanings.items():
            anchor = term_anchor(vocabulary.name, value)
            added.append(_entry(view.links(view.glossary, anchor), value, meaning) | {"boost": VALUE / SECTION})
    return Contents(found, added=list({each["location"]: each for each in added}.values()))


def _of_one(view: View) -> tuple[dict[str, Findable], list[Entry]]:
    """What the portal's search has of a system: records and sources, and the entries for them."""
    collection, name = view.collection, view.collection.system.name
    added = search_results(view)
    found = {
        entry["location"]: Findable(one, collection.label(one), name)
        for one, entry in zip(collection.ids, added, strict=True)
    }
    for source in collection.system.sources:
        if page := view.shown.get(("", source.id)):
            found[view.links(page, source.id)] = Findable(source.id, "", name)
            # The theme shows a section below its page, and wants the page first.
            added.append(_entry(view.links(page), f"Sources · {collection.system.label}"))
            added.append(_entry(view.links(page, source.id), f"{source.id} · {collection.system.label}"))
    return found, added


def _entry(location: str, title: str, text: str = "") -> Entry:
    return {"location": location, "title": str(escape(title)), "text": str(escape(text))}


def rewrite(site_dir: Path, contents: Contents) -> None:
    """Arrange the index of a site that has been built, if there is a search."""
    path = site_dir / "search" / "search_index.json"
    if path.is_file():
        index = arranged(json.loads(path.read_text(encoding="utf-8")), contents)
        path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def arranged(index: Mapping[str, Any], contents: Contents) -> dict[str, Any]:
    """The index with its records made findable."""
    config = dict(index["config"])
    if config.get("separator") == DEFAULT_SEPARATOR:
        config["separator"] = SEPARATOR
    new = {each["location"] for each in contents.added}
    entries = [*(each for each in index["docs"] if each["location"] not in new), *contents.added]
    if "fields" in config:  # else it is the search of another theme, which knows no weights
        config["fields"] = config["fields"] | FIELDS
        fields = _fields(contents.findable)
        kept = (each for each in entries if not contents.is_left_out(each["location"]))
        entries = [_weighed(each, contents) | fields.get(each["location"], {}) for each in kept]
    return {**index, "config": config, "docs": entries}


def _weighed(entry: Entry, contents: Contents) -> Entry:
    page, _, anchor = entry["location"].partition("#")
    if page in contents.lists or page in contents.outlines:
        entry = entry | {"text": ""}
    if page in contents.of_records or page in contents.lists or any(references(unescape(entry["title"]))):
        return entry
    own = entry.get("boost", 1)  # from the front matter of its page, where anything may stand
    return entry | {"boost": (own if isinstance(own, int | float) else 1) * (SECTION if anchor else PAGE)}


def _fields(findable: Mapping[str, Findable]) -> dict[str, Entry]:
    """The fields of each record or source, by the location of its entry."""
    fields: dict[str, Entry] = {}
    names: dict[Findable, set[str]] = {}
    ordered = sorted(findable.values(), key=lambda each: each.id)
    ids = [each.id for each in ordered]
    for location, one in sorted(findable.items(), key=lambda each: -len(each[1].id)):
        ahead = 0
        for number in range(bisect_right(ids, one.id), len(ids)):
            if not ids[number].startswith(one.id):
                break
            ahead = max(ahead, len(_beginning(names[ordered[number]], one) - set(one.words)))
        even = [one.own_word(number) for number in range(1, ahead + 1)]
        names[one] = {*one.words, *one.other_words, *even}
        name = [*one.words, *even] * 2 + [*one.other_words]
        fields[location] = {NAME: " ".join(name), WHOLE: one.own_word(0)} | ({KIND: one.kind} if one.kind else {})
    return fields


def _beginning(words: set[str], one: Findable) -> set[str]:
    """Those of the words that are found by the last word of an ID."""
    return {each for each in words if each.startswith(one.last)}


def _words(text: str) -> list[str]:
    return [each for each in re.split(rf"{SEPARATOR}|[<>&\\]+", text.lower()) if each]
