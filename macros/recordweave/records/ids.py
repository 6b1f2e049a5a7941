"""Record IDs: their form, their kinds, and their mentions in running text.

An ID is `PREFIX-KIND-name`. The prefix names the member that declares the record, the kind is one of six codes, the
name is lowercase words joined by hyphens. Older sets also number their records and leave the prefix out (`RTE-4`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the six kinds of record. `stem` names both the YAML file of the kind and its index page."""

    code: str
    stem: str
    singular: str
    plural: str

    @property
    def with_article(self) -> str:
        return f"{'an' if self.singular[0] in 'aeio' else 'a'} {self.singular}"


KINDS: tuple[Kind, ...] = (
    Kind("CMP", "components", "component", "Components"),
    Kind("OBJ", "objects", "operative object", "Operative objects"),
    Kind("RTE", "routes", "route", "Routes"),
    Kind("CLM", "claims", "claim", "Claims"),
    Kind("ABS", "absences", "evidenced absence", "Evidenced absences"),
    Kind("BAP", "paths", "behavioral-authority path", "Behavioral-authority paths"),
)
"""The kinds in the order in which reports list them."""

KIND_BY_CODE = {kind.code: kind for kind in KINDS}
KIND_BY_STEM = {kind.stem: kind for kind in KINDS}

_CODES = "|".join(KIND_BY_CODE)
_ID = rf"[A-Z][A-Z0-9]*-(?:{_CODES})-[a-z0-9]+(?:-[a-z0-9]+)*|(?:{_CODES})-[0-9]+"
_ADDRESS = r"[A-Za-z][A-Za-z0-9+.-]*://\S*|\bwww\.\S+"
_HYPHEN = r"[-_\u00ad\u2010-\u2013\u2212]"

RECORD_ID = re.compile(_ID)

SOURCE_ID = re.compile(r"SRC-[1-9][0-9]*")

MENTION_PATTERN = rf"(?P<address>{_ADDRESS})|(?<![\w-])(?:(?P<id>{_ID})|(?P<source>{SOURCE_ID.pattern}))(?!-?\w)"
"""An address, which is left alone, or the ID of a record or a source: the longest that stands by itself."""

_MENTION = re.compile(MENTION_PATTERN)
_LOOSE = re.compile(
    rf"(?P<address>{_ADDRESS})|(?<![\w-])(?P<id>(?:[A-Z][A-Z0-9]*{_HYPHEN})?(?:{_CODES}){_HYPHEN}\w[\w\u00ad\u2010-\u2013\u2212-]*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """An ID as it stands in a text: `text[start:end] == id` for a proper mention."""

    id: str
    start: int
    end: int


def is_record_id(text: str) -> bool:
    """Whether the whole of `text` is a record ID."""
    return RECORD_ID.fullmatch(text) is not None


def kind_of(record_id: str) -> Kind:
    """The kind that an ID names. Raises `ValueError` for what is no ID."""
    if not is_record_id(record_id):
        raise ValueError(f"not a record ID: {record_id!r}")
    return next(KIND_BY_CODE[part] for part in record_id.split("-")[:2] if part in KIND_BY_CODE)


def prefix_of(record_id: str) -> str:
    """The prefix that an ID names, or an empty string for an ID that has none."""
    prefix = record_id.split("-", 1)[0]
    return "" if prefix in KIND_BY_CODE else prefix


def is_source_id(text: str) -> bool:
    """Whether the whole of `text` is the ID of a source."""
    return SOURCE_ID.fullmatch(text) is not None


def references(text: str) -> Iterator[Mention]:
    """The proper mentions of records and of sources in a text without markup, in order."""
    for match in _MENTION.finditer(text):
        if not match["address"]:
            yield Mention(match[0], match.start(), match.end())


def mentions(text: str) -> Iterator[Mention]:
    """The proper mentions of records in a text without markup, in order."""
    return (each for each in references(text) if not is_source_id(each.id))


def near_misses(text: str) -> Iterator[Mention]:
    """What looks like an ID and is none: wrong case, underscores, odd hyphens. `id` is the ID it is nearest to."""
    proper = {(mention.start, mention.end) for mention in mentions(text)}
    for match in _LOOSE.finditer(text):
        if not match["id"]:
            continue
        written = match["id"].rstrip("-\u00ad\u2010\u2011\u2012\u2013\u2212_")
        start, end = match.start("id"), match.start("id") + len(written)
        if any(start <= a and b <= match.end("id") for a, b in proper):
            continue
        normal = re.sub(_HYPHEN, "-", written)
        head = re.match(rf"(?:[A-Z][A-Z0-9]*-)?(?:{_CODES})-", normal, re.IGNORECASE)
        if head:
            yield Mention(head[0].upper() + normal[head.end() :].lower(), start, end)


def address_of(record_id: str) -> str:
    """The last step of a record's address on its system's site."""
    return record_id.lower()
