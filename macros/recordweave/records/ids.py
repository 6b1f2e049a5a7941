"""Record IDs: their form, their kinds, and their mentions in running text.

An ID is `PREFIX-KIND-name`. The prefix names the member that declares the record, the kind is one of six codes, the
name is lowercase words joined by hyphens. Older sets also number their records and leave the prefix out (`RTE-4`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


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
_NAME = "[a-z0-9]+(?:-[a-z0-9]+)*"
_ID = rf"[A-Z][A-Z0-9]*-(?:{_CODES})-{_NAME}|(?:{_CODES})-[0-9]+"
_PARTS = re.compile(rf"(?P<prefix>[A-Z][A-Z0-9]*)-(?P<kind>{_CODES})-{_NAME}|(?P<bare>{_CODES})-[0-9]+")
ADDRESS_PATTERN = r"[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s\x02\x03]*|(?<![^\W_])www\.[^\s\x02\x03]+"
"""An address of the web, in whose steps nothing is a mention. Python-Markdown puts what it has read between \\x02 and
\\x03, and that is no part of an address any more."""

_HYPHEN = r"[-_\u00ad\u2010-\u2013\u2212]"

RECORD_ID = re.compile(_ID)

SOURCE_ID = re.compile(r"SRC-[1-9][0-9]*")

_ALONE = (r"(?<![^\W_])(?<![-#])(?<![^\W_]_)(?<![^\W_]__)", r"(?!-?_*[^\W_])")
"""No word goes on before or behind; underscores may stand there as marks of emphasis, if none goes on beyond them."""

MENTION_PATTERN = (
    rf"(?P<address>{ADDRESS_PATTERN})|{_ALONE[0]}(?:(?P<id>{_ID})|(?P<source>{SOURCE_ID.pattern})){_ALONE[1]}"
)
"""An address, which is left alone, or the ID of a record or a source: the longest that stands by itself."""

_MENTION = re.compile(MENTION_PATTERN)
_ALONE_BEFORE, _ALONE_BEHIND = (re.compile(each) for each in _ALONE)
_LOOSE = re.compile(
    rf"(?P<address>{ADDRESS_PATTERN})|{_ALONE[0]}"
    rf"(?P<id>(?:[A-Z][A-Z0-9]*{_HYPHEN})?(?:{_CODES}){_HYPHEN}\w[\w\u00ad\u2010-\u2013\u2212-]*)",
    re.IGNORECASE,
)

_JOINT = re.compile(r"\s*(?:through|thru|to|until|up to|[–—…]|\.{2,3})\s*", re.IGNORECASE)

_START = re.compile(
    rf"(?<![A-Za-z0-9])(?=(?:[A-Z][A-Z0-9]*{_HYPHEN})?(?:{_CODES}){_HYPHEN}\w|SRC-[0-9])",
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
    parts = _PARTS.fullmatch(record_id)
    if parts is None:
        raise ValueError(f"not a record ID: {record_id!r}")
    return KIND_BY_CODE[parts["kind"] or parts["bare"]]


def prefix_of(record_id: str) -> str:
    """The prefix that an ID names, or an empty string for an ID that has none."""
    parts = _PARTS.fullmatch(record_id)
    return (parts["prefix"] or "") if parts else ""


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


def starts(text: str) -> list[int]:
    """Where in a text something begins that may be an ID or look like one."""
    return [match.start() for match in _START.finditer(text)]


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
        head = re.match(rf"(?P<prefix>[A-Z][A-Z0-9]*-)?(?:{_CODES})-", normal, re.IGNORECASE)
        if head and (head["prefix"] or normal[head.end() :].isdigit()):
            yield Mention(head[0].upper() + normal[head.end() :].lower(), start, end)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether what is at these offsets of a text is not part of a longer word."""
    return _ALONE_BEFORE.match(text, start) is not None and _ALONE_BEHIND.match(text, end) is not None


def ranges(text: str) -> Iterator[tuple[Mention, Mention]]:
    """Two mentions that stand for those between them as well: numbered IDs with a word or dash such as `through`."""
    found = list(mentions(text))
    for first, last in pairwise(found):
        if _JOINT.fullmatch(text, first.end, last.start) and between(first.id, last.id):
            yield first, last


def between(first: str, last: str) -> list[str]:
    """The IDs between two numbered ones that differ in their number alone."""
    stem, number = _numbered(first)
    other_stem, other = _numbered(last)
    if stem != other_stem or not number or not other or len(number) > 4 or len(other) > 4:
        return []
    return [f"{stem}{each}" for each in range(int(number) + 1, int(other))]


def _numbered(record_id: str) -> tuple[str, str]:
    stem = record_id.rstrip("0123456789")
    return stem, record_id[len(stem) :]


def address_of(record_id: str) -> str:
    """The last step of a record's address on its system's site."""
    return record_id.lower()
