"""Looks over a whole built site, as a reader would come across its faults, and lists them.

What is looked for: links and anchors that lead nowhere, whatever attribute they stand in, in pages, style sheets,
sitemaps and search indexes; the same ID twice on a page; a link in a link; broken markup; anything that makes a browser
fetch from another host; record IDs in running text that are no link to the page of just that record; and controlled
values that are no link to their own explanation.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from tests.site.tree import Element, Page, names, parse

URL_ATTRIBUTES = names(
    "action background cite data formaction href icon longdesc manifest ping poster src usemap xlink:href"
)
FETCHING_RELATIONS = names(
    "dns-prefetch icon apple-touch-icon manifest mask-icon modulepreload preconnect prefetch preload prerender "
    "shortcut stylesheet"
)
INERT = names("code pre kbd samp blockquote script style template svg")
HEADINGS = names("h1 h2 h3 h4 h5 h6")

MENTION = re.compile(
    r"(?<![\w-])(?:(?P<system>[a-z][a-z0-9]*(?:-[a-z0-9]+)*):)?"
    r"(?P<id>[A-Z][A-Z0-9]*-(?:CMP|OBJ|RTE|CLM|ABS|BAP)-[a-z0-9]+(?:-[a-z0-9]+)*|SRC-[0-9]+)(?![\w-])"
)
"""A reference to a record or a source in text, with the system that it names, if it names one. It is written down once
more here: a fault in the package's own pattern shows."""

_ADDRESS = re.compile(r"\S*(?:://|www\.)\S*")
_STYLE_URL = re.compile(r"""url\(\s*(?P<quote>["']?)(?P<url>.*?)(?P=quote)\s*\)|@import\s+["'](?P<import>[^"']+)""")


@dataclass(frozen=True, order=True)
class Fault:
    """One fault: the file it stands in, what kind it is, and the details."""

    file: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.file}: {self.kind}: {self.detail}"


class BuiltSite:
    """A site in a folder, as it is published at the address `base` (with a slash at its end)."""

    def __init__(self, folder: Path, base: str, *, directory_urls: bool = True) -> None:
        self.folder = folder
        self.base = base
        self.directory_urls = directory_urls
        self._parsed: dict[str, Page] = {}
        self._ids: dict[str, Counter[str]] = {}
        self._explained: dict[str, dict[str, tuple[str, str]]] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Every file, by its path in the site."""
        return frozenset(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    @cached_property
    def pages(self) -> list[str]:
        return sorted(file for file in self.files if file.endswith(".html"))

    @cached_property
    def systems(self) -> list[str]:
        """The systems that have a site inside this one."""
        return sorted(file.split("/")[0] for file in self.files if re.fullmatch(r"[^/]+/records\.json", file))

    def page(self, file: str) -> Page:
        if file not in self._parsed:
            self._parsed[file] = parse((self.folder / file).read_text(encoding="utf-8"))
        return self._parsed[file]

    def article(self, file: str) -> Element | None:
        """What an author wrote or a view made of a page, without the theme around it."""
        return next(self.page(file).root.find("article", "md-content__inner"), None)

    def ids(self, file: str) -> Counter[str]:
        """How often each ID stands on a page."""
        if file not in self._ids:
            elements = self.page(file).root.walk()
            self._ids[file] = Counter(each.attributes["id"] for each in elements if "id" in each.attributes)
        return self._ids[file]

    def explained(self, file: str) -> dict[str, tuple[str, str]]:
        """The controlled values that a page explains, by anchor: each with its meaning."""
        if file not in self._explained:
            told = self._explained[file] = {}
            for glossary in self.page(file).root.find("dl", "rw-glossary"):
                for entry in (each for each in glossary.walk() if "id" in each.attributes):
                    for term in entry.find(css="rw-term"):
                        told[entry.attributes["id"]] = (term.attributes["data-value"], entry.one("dd").words)
        return self._explained[file]

    def file_of(self, name: str) -> str:
        """The file of the page with this name, such as `arigraph/epistemic`."""
        if name in ("", "index") or name.endswith("/index"):
            return f"{name or 'index'}.html"
        return f"{name}/index.html" if self.directory_urls else f"{name}.html"

    def record_page(self, system: str, record_id: str) -> str:
        return self.file_of(f"{system}/records/{record_id.lower()}")

    def address(self, file: str) -> str:
        """The address at which a file is published."""
        address = self.base + quote(file)
        return address.removesuffix("index.html") if self.directory_urls else address

    def is_ours(self, address: str) -> bool:
        """Whether an absolute address is on the site's own host."""
        there, here = urlsplit(address), urlsplit(self.base)
        return there.scheme in ("http", "https") and there.netloc == here.netloc

    def follow(self, file: str, href: str) -> tuple[str, str]:
        """The file and the anchor that a link in `file` leads to. Raises `LookupError` where it leads nowhere."""
        url = urlsplit(urljoin(self.base + file, href))
        base = urlsplit(self.base).path
        if not (url.path + "/").startswith(base):
            raise LookupError(f"{href} leads out of the site")
        path = unquote(url.path[len(base) :])
        if not path or path.endswith("/"):
            if not self.directory_urls and path + "index.html" in self.files:
                raise LookupError(f"{href} is a folder, and this site links to files")
            path += "index.html"
        if path not in self.files:
            raise LookupError(f"{href} leads to {path}, which is not there")
        anchor = unquote(url.fragment)
        if anchor and anchor != "top" and path.endswith(".html") and anchor not in self.ids(path):
            raise LookupError(f"{href}: there is no #{anchor} on {path}")
        return path, anchor


def faults(site: BuiltSite) -> list[Fault]:
    """Every fault of a site, sorted."""
    found: list[Fault] = []
    for file in site.pages:
        page = site.page(file)
        found += [Fault(file, "markup", each) for each in page.faults]
        found += [Fault(file, "duplicate-id", each) for each, count in site.ids(file).items() if count > 1]
        for element in page.root.walk():
            found += _nesting(file, element)
            found += _addresses(site, file, element)
            found += _term(site, file, element)
        found += [Fault(file, "mention", each) for each in _plain_mentions(site, file)]
    for file in sorted(site.files):
        if file.endswith(".css"):
            found += _style(site, file, (site.folder / file).read_text(encoding="utf-8"))
        elif file.endswith("sitemap.xml"):
            found += _sitemap(site, file)
        elif file.endswith("search_index.json"):
            found += _search(site, file)
    return sorted(found)


def _nesting(file: str, element: Element) -> Iterator[Fault]:
    if element.tag == "a" and any(each.tag == "a" for each in element.ancestors()):
        yield Fault(file, "nested-link", element.attributes.get("href", ""))


def addresses(element: Element) -> Iterator[tuple[str, str, bool]]:
    """Each address of an element: its attribute, itself, and whether a browser fetches it unasked."""
    relations = set(element.attributes.get("rel", "").lower().split())
    for name, value in element.attributes.items():
        if name in URL_ATTRIBUTES and not (name == "data" and element.tag != "object"):
            links = element.tag in ("a", "area") or name == "cite"
            yield name, value.strip(), bool(relations & FETCHING_RELATIONS) if element.tag == "link" else not links
        elif name in ("srcset", "imagesrcset"):
            for each in value.split(","):
                yield name, each.split()[0], True
        elif name == "style":
            for address in _in_style(value):
                yield name, address, True
        elif name == "content" and element.attributes.get("http-equiv", "").lower() == "refresh":
            yield name, value.partition("=")[2].strip(" '\""), True
    if element.tag == "style":
        for address in _in_style(element.text):
            yield "text", address, True


def _in_style(text: str) -> Iterator[str]:
    for match in _STYLE_URL.finditer(text):
        yield match["url"] or match["import"] or ""


def _addresses(site: BuiltSite, file: str, element: Element) -> Iterator[Fault]:
    for name, address, fetched in addresses(element):
        where = f"<{element.tag} {name}>"
        yield from _address(site, file, where, address, fetched)
        relations = element.attributes.get("rel", "").split()
        if "canonical" in relations and address != site.address(file):
            yield Fault(file, "canonical", f"{address} is not {site.address(file)}")
        if element.tag == "a" and name == "href" and "href" in element.attributes and not address:
            yield Fault(file, "link", f"{where} is empty")


def _address(site: BuiltSite, file: str, where: str, address: str, fetched: bool) -> Iterator[Fault]:
    absolute = urljoin(site.base + file, address)
    scheme = urlsplit(absolute).scheme
    if scheme not in ("http", "https", "mailto", "tel", "data"):
        yield Fault(file, "scheme", f"{where} {address}")
    elif scheme in ("http", "https") and not site.is_ours(absolute):
        if fetched:
            yield Fault(file, "third-party", f"{where} {address}")
    elif scheme == "data" and not fetched:
        yield Fault(file, "scheme", f"{where} {address}")
    elif scheme in ("http", "https"):
        if file.endswith("404.html") and not urlsplit(address).scheme and address[:1] not in ("/", "#"):
            yield Fault(file, "link", f"{where} {address} is relative, on a page that is shown at any address")
        try:
            site.follow(file, address)
        except LookupError as error:
            yield Fault(file, "anchor" if "#" in str(error).partition(":")[2] else "link", f"{where} {error}")


def _style(site: BuiltSite, file: str, text: str) -> Iterator[Fault]:
    for address in _in_style(text):
        if address:
            yield from _address(site, file, "url()", address, True)


def _sitemap(site: BuiltSite, file: str) -> Iterator[Fault]:
    text = (site.folder / file).read_text(encoding="utf-8")
    for address in re.findall(r"<loc>(.*?)</loc>", text):
        if not site.is_ours(address):
            yield Fault(file, "link", f"<loc> {address} is not on this site")
        else:
            yield from _address(site, file, "<loc>", address, False)


def _search(site: BuiltSite, file: str) -> Iterator[Fault]:
    top = file.removesuffix("search/search_index.json")
    for each in json.loads((site.folder / file).read_text(encoding="utf-8"))["docs"]:
        yield from _address(site, f"{top}index.html", "search", each["location"] or ".", False)


def _term(site: BuiltSite, file: str, element: Element) -> Iterator[Fault]:
    """A controlled value that is no link to the place where just this value is explained, in the words of its title."""
    if "rw-term" not in element.classes:
        return
    value, title = element.attributes.get("data-value", ""), " ".join(element.attributes.get("title", "").split())
    if element.tag != "a":
        if not any("rw-glossary" in each.classes for each in element.ancestors()):
            yield Fault(file, "term", f"{value} is not explained")
        return
    try:
        target, anchor = site.follow(file, element.attributes.get("href", ""))
    except LookupError:
        return  # told as the fault of a link
    meaning = site.explained(target).get(anchor) if target.endswith(".html") else None
    if meaning is None:
        yield Fault(file, "term", f"{value} leads to {target}#{anchor}, where no value is explained")
    elif meaning[0] != value or value != element.words:
        yield Fault(file, "term", f"{element.words} ({value}) leads to the explanation of {meaning[0]}")
    elif meaning[1] != title:
        yield Fault(file, "term", f"{value} is said to mean “{title}”, and means “{meaning[1]}”")


def _plain_mentions(site: BuiltSite, file: str) -> Iterator[str]:
    """Record IDs in the running text of a page that are no link to their record."""
    article = site.article(file)
    for element, text in article.strings() if article else ():
        above = [element, *element.ancestors()]
        for match in MENTION.finditer(_ADDRESS.sub("", text)):
            if any(each.tag in INERT or _may_be_plain(each) for each in above):
                continue
            link = next((each for each in above if each.tag == "a"), Element("a", {}))
            named = match["system"] or _named_before(site, link, match)
            if not _leads_to(site, file, link, named, match["id"]):
                yield f"{match[0]} in “{' '.join(element.text.split())[:90]}”"


def _named_before(site: BuiltSite, link: Element, mention: re.Match[str]) -> str:
    """The system that stands before a link whose text begins with an ID, as a reader reads it: `sys:` and the link."""
    siblings = link.parent.children if link.parent else []
    number = next((number for number, each in enumerate(siblings) if each is link), 0)
    text = siblings[number - 1] if number else ""
    named = (
        re.search(r"(?<![\w-])([a-z][a-z0-9-]*):\Z", text) if isinstance(text, str) and not mention.start() else None
    )
    return named[1] if named and named[1] in site.systems else ""


def _may_be_plain(element: Element) -> bool:
    """Where a reader expects the bare ID: in a heading; in the name of a field, whose value has the link; and in a list
    of citations, whose links are named after the place that they lead to, beside the sentence that stands there."""
    if element.tag == "dt":
        return any("rw-fields" in each.classes for each in element.ancestors())
    return element.tag in HEADINGS or "rw-cited" in element.classes


def _leads_to(site: BuiltSite, file: str, link: Element, named: str, record_id: str) -> bool:
    """Whether a link leads to a record's page, or to the record's card or a field of it in a report.

    Whose record it has to be, `_owners` tells. The register of another system may be referred to as a whole.
    """
    href = link.attributes.get("href", "")
    if not href:
        return False
    try:
        target, anchor = site.follow(file, href)
    except LookupError:
        return False
    systems = _owners(site, file, link, named)
    if record_id.startswith("SRC-"):
        is_place = anchor == record_id or (not anchor and named and not file.startswith(f"{named}/"))
        return bool(is_place) and target in [site.file_of(f"{each}/sources") for each in systems]
    if target in [site.record_page(each, record_id) for each in systems]:
        return True
    return target.split("/")[0] in systems and re.sub("^on-|--.*$", "", anchor) == record_id


def _owners(site: BuiltSite, file: str, link: Element, named: str) -> list[str]:
    """The systems that a mention may mean: the one that it names; on a system's site, that system; in the portal, the
    system that the row or card around it is about, and where that is about none, any."""
    home = named or file.split("/")[0]
    if named or home in site.systems:
        return [each for each in site.systems if each == home]
    for around in link.ancestors():
        if around.tag == "tr" or "rw-card" in around.classes:
            about = _overviews(site, file, around)
            if len(about) == 1:
                return about
    return site.systems


def _overviews(site: BuiltSite, file: str, element: Element) -> list[str]:
    """The systems whose overviews are linked in an element."""
    overviews = {site.file_of(f"{each}/index"): each for each in site.systems}
    found: dict[str, None] = {}
    for link in element.find("a"):
        try:
            target, anchor = site.follow(file, link.attributes.get("href", ""))
        except LookupError:
            continue
        if target in overviews and not anchor:
            found[overviews[target]] = None
    return list(found)
