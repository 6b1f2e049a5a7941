"""Record IDs: their form, their kinds, and their mentions in running text.

An ID is `PREFIX-KIND-name`. The prefix names the member that declares the record, the kind is one of six codes, the
name is lowercase words joined by hyphens. Older sets also number their records and leave the prefix out (`RTE-4`).

IDs resolve in the system that they are written in. A reference to a record of another system names that system first:
`arigraph:EPI-OBJ-answer`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
SYSTEM_NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_ID = rf"[A-Z][A-Z0-9]*-(?:{_CODES})-{_NAME}|(?:{_CODES})-[0-9]+"
_PARTS = re.compile(rf"(?P<prefix>[A-Z][A-Z0-9]*)-(?P<kind>{_CODES})-{_NAME}|(?P<bare>{_CODES})-[0-9]+")
ADDRESS_PATTERN = r"[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s\x02\x03]*|(?<![^\W_])www\.[^\s\x02\x03]+"
"""An address of the web, in whose steps nothing is a mention. Python-Markdown puts what it has read between \\x02 and
\\x03, and that is no part of an address any more."""

_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060"
"""What is not seen in a line: a soft hyphen, a place for a break, and joiners."""

_LIKE_HYPHENS = f"-_\u2010\u2011\u2012\u2013\u2212{_UNSEEN}"
_HYPHEN = f"[{_LIKE_HYPHENS}]"
_HYPHENS = rf"{_HYPHEN}{{1,3}}"

RECORD_ID = re.compile(_ID)
REFERENCE = re.compile(rf"(?:{SYSTEM_NAME}:)?(?:{_ID})")

SOURCE_ID = re.compile(r"SRC-[1-9][0-9]*")
SOURCE_REFERENCE = re.compile(rf"(?:{SYSTEM_NAME}:)?{SOURCE_ID.pattern}")

_ALONE = (
    r"(?<![^\W_])(?<![-#])(?<![^\W_]_)(?<![^\W_]__)",
    r"(?!(?:-|[\u00ad\u200c\u200d\u2010\u2011\u2060]{1,3})?_*[^\W_])",
)
"""No word goes on before or behind, not even behind a hyphen that is not seen or that does not break; underscores may
stand there as marks of emphasis, if none goes on beyond them."""


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for something outside of addresses, whose group is `address`; faster where a text has none of them."""

    anywhere: re.Pattern[str]
    without: re.Pattern[str]

    def __call__(self, text: str) -> Iterator[re.Match[str]]:
        has_address = "://" in text or "www." in text.casefold()
        return (self.anywhere if has_address else self.without).finditer(text)


def _outside_addresses(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> _Search:
    address = f"(?P<address>{ADDRESS_PATTERN})"
    return _Search(re.compile(f"{address}|{pattern}", flags), re.compile(f"{pattern}(?P<address>){{0}}", flags))


_ALONE_MENTION = rf"{_ALONE[0]}(?:(?P<id>{REFERENCE.pattern})|(?P<source>{SOURCE_REFERENCE.pattern})){_ALONE[1]}"
MENTION_PATTERN = rf"(?P<address>{ADDRESS_PATTERN})|{_ALONE_MENTION}"
"""An address, which is left alone, or a reference to a record or a source: the longest that stands by itself."""

_MENTION = _outside_addresses(_ALONE_MENTION)
_ALONE_BEFORE, _ALONE_BEHIND = (re.compile(each) for each in _ALONE)
_LOOSE = _outside_addresses(
    rf"{_ALONE[0]}"
    rf"(?P<id>(?P<system>[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*:)?"
    rf"(?P<one>(?:[A-Z][A-Z0-9]*{_HYPHENS})?(?:{_CODES}){_HYPHENS}\w[\w{_UNSEEN}\u2010-\u2013\u2212-]*"
    rf"|SRC(?:{_HYPHENS}|(?-i:(?<=SRC)[ \u00a0]?))[0-9]{{1,6}}{_ALONE[1]}))",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"(?:(?P<prefix>[A-Z][A-Z0-9]*){_HYPHENS})?(?P<kind>{_CODES}){_HYPHENS}|(?P<source>SRC)[^0-9]*", re.IGNORECASE
)

_BLANK = r"\s{1,12}"
_APART = rf"(?:-{_BLANK}|{_BLANK}-)"
_BROKEN = _outside_addresses(
    rf"{_ALONE[0]}(?P<id>[A-Z][A-Z0-9]*(?:{_APART}(?:{_CODES})-{_NAME}"
    rf"|-(?:{_CODES}){_APART}{_NAME}|-(?:{_CODES})-{_NAME}{_APART}{_NAME})"
    rf"|{SYSTEM_NAME}:{_BLANK}(?:{_ID}|{SOURCE_ID.pattern})){_ALONE[1]}"
)
"""An ID that a blank or the end of a line breaks in two, or that stands apart from the name of a system."""

_JOINT = re.compile(r"\s*(?:through|thru|to|until|up to|[–—…]|\.{2,3})\s*", re.IGNORECASE)

_START = re.compile(
    rf"(?<![A-Za-z0-9])(?=(?:(?<!-)[A-Z][A-Z0-9-]*:(?:{_BLANK})?)?"
    rf"(?:(?:[A-Z][A-Z0-9]*(?:{_APART}|{_HYPHENS}))?(?:{_CODES})(?:{_HYPHENS}|{_APART})\w"
    rf"|SRC(?:{_HYPHENS}|[ \u00a0]?)[0-9]))",
    re.IGNORECASE,
)

_WITHIN = (*_CODES.casefold().split("|"), "src")
_LIKELY = re.compile(rf"(?:{_CODES.casefold()})[{_LIKE_HYPHENS}\s\\]|src[{_LIKE_HYPHENS}\s\\0-9]")


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference as it stands in a text: `text[start:end] == id` for a proper mention."""

    id: str
    start: int
    end: int


def is_record_id(text: str) -> bool:
    """Whether the whole of `text` is a record ID."""
    return RECORD_ID.fullmatch(text) is not None


def is_reference(text: str) -> bool:
    """Whether the whole of `text` is a record ID, with or without the name of a system before it."""
    return REFERENCE.fullmatch(text) is not None


def split(reference: str) -> tuple[str, str]:
    """The system that a reference names, empty where it names none, and the ID of a record or a source."""
    system, colon, one = reference.rpartition(":")
    return (system, one) if colon else ("", reference)


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


def name_of(record_id: str) -> str:
    """The name that an ID ends in: words joined by hyphens, or a number."""
    parts = _PARTS.fullmatch(record_id)
    return record_id[parts.end("kind" if parts["kind"] else "bare") + 1 :] if parts else ""


def is_source_id(text: str) -> bool:
    """Whether the whole of `text` is the ID of a source, with or without the name of a system before it."""
    return SOURCE_REFERENCE.fullmatch(text) is not None


def may_mention(text: str) -> bool:
    """Whether a text, with its markup or without, may hold a reference or what looks like one: a quick look."""
    folded = text.casefold()
    for code in _WITHIN:  # found much faster than the pattern, and most texts hold none
        if code in folded:
            return _LIKELY.search(folded) is not None
    return False


@lru_cache(maxsize=1024)
def references(text: str) -> Sequence[Mention]:
    """The proper mentions of records and of sources in a text without markup, in order."""
    if not may_mention(text):
        return ()
    found = (match for match in _MENTION(text) if not match["address"])
    return tuple(Mention(match[0], match.start(), match.end()) for match in found)


def mentions(text: str) -> Iterator[Mention]:
    """The proper mentions of records in a text without markup, in order."""
    return (each for each in references(text) if not is_source_id(each.id))


def starts(text: str) -> list[int]:
    """Where in a text something begins that may be an ID or look like one."""
    return [match.start() for match in _START.finditer(text)]


def near_misses(text: str) -> Iterator[Mention]:
    """What looks like a reference and is none, in order; `id` is what it is nearest to.

    Wrong case, underscores, odd hyphens or hyphens that are not seen, a number that begins with 0. What a blank breaks
    in two is a near miss only if there is such a record, which `is_broken` tells apart.
    """
    if not may_mention(text) or _is_well_formed(text):
        return
    found = [*_loose(text), *_broken(text)]
    yield from sorted(found, key=lambda each: (each.start, each.end))


def _is_well_formed(text: str) -> bool:
    """Whether what is like a reference in a text is one, as a rule without having to look for what is not."""
    rest = []
    done = 0
    for each in references(text):
        before, behind = text[max(each.start - 13, 0) : each.start].rstrip(), text[each.end : each.end + 13].lstrip()
        if before.endswith((":", "-")) or behind.startswith("-"):
            return False  # it may belong to something longer
        rest.append(text[done : each.start])
        done = each.end
    return not may_mention("\0".join([*rest, text[done:]]))


def is_broken(written: str) -> bool:
    """Whether a near miss has a blank in it, so that it may as well be no reference at all."""
    return any(each.isspace() for each in written)


def seen(written: str) -> str:
    """What a reader sees of a near miss."""
    return re.sub(f"[{_UNSEEN}]+", "", written)


def _loose(text: str) -> Iterator[Mention]:
    proper = references(text)
    starts_of = [mention.start for mention in proper]
    for match in _LOOSE(text):
        if not match["id"]:
            continue
        system = match["system"] or ""
        written = match["one"].rstrip(_LIKE_HYPHENS)
        start, end = match.start("id"), match.start("one") + len(written)
        first = bisect_left(starts_of, start)
        if first and proper[first - 1].end >= end:
            continue  # it is part of a proper mention, behind the name of a system
        within = [each for each in proper[first : first + 2] if each.end <= match.end("id")]
        if within:
            if system and [(each.start, each.end) for each in within] == [(match.start("one"), end)]:
                yield Mention(system.lower() + written, start, end)  # the name of the system alone is not right
            continue
        head = _HEAD.match(written)
        name = written[head.end() :] if head else ""
        if head and head["source"]:
            yield Mention(f"{system.lower()}SRC-{int(name)}", start, end)
            continue
        name = re.sub(f"{_HYPHEN}+", "-", seen(name)).lower()
        if head and (head["prefix"] or name.isdigit()):
            prefix = f"{head['prefix'].upper()}-" if head["prefix"] else ""
            yield Mention(f"{system.lower()}{prefix}{head['kind'].upper()}-{name}", start, end)


def _broken(text: str) -> Iterator[Mention]:
    for match in _BROKEN(text):
        if match["id"]:
            yield Mention("".join(match["id"].split()), *match.span("id"))


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
