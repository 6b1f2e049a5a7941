"""Damaged files: what the repository publishes under `records/` and `docs/`, broken in every way that people, editors,
merges and disks break files, and in those that only somebody with bad intentions does.

A number makes the same file every time, whatever was made before: `damaged(number)`. Every damage is a function of a
source of chance and the bytes so far, and gives other bytes.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from tests.site.build import REPOSITORY

Damage = Callable[[random.Random, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file of the repository, by its path, the names of what was done to it, and what it holds then."""

    number: int
    file: str
    damages: tuple[str, ...]
    data: bytes

    def __str__(self) -> str:
        return f"number {self.number}: {self.file}, {' and '.join(self.damages)}"


@cache
def published() -> Mapping[str, bytes]:
    """Every file of records and of prose, by its path."""
    paths = [path for folder in ("records", "docs") for path in (REPOSITORY / folder).rglob("*")]
    kept = sorted(path for path in paths if path.suffix in (".yml", ".md"))
    return {path.relative_to(REPOSITORY).as_posix(): path.read_bytes() for path in kept}


def damaged(number: int) -> Damaged:
    """The damaged file of a number. Files take turns, and so do the damages; a few are damaged several times."""
    files = sorted(published())
    file = files[number % len(files)]
    chance = random.Random(number)
    kinds = DAMAGES[file.rpartition(".")[2]]
    names = [list(kinds)[number // len(files) % len(kinds)]]
    while chance.random() < 0.15:
        names.append(chance.choice([each for each in kinds if each not in HUGE]))
    data = published()[file]
    for name in names:
        data = kinds[name](chance, data) if data else data
    return Damaged(number, file, tuple(names), data)


# --- bytes

ODD = (
    *(bytes([each]) for each in (0, 1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 27, 28, 31, 127)),
    *(each.encode() for each in "\x80\x85\x9b\xa0\xad\u0301\u180e\u200b\u200e\u2028\u2029\u202e\u2060\u3000\ufdd0"),
    *(each.encode() for each in "\ue000\ufeff\ufffd\uffff\U0001f389\U000f0000\U00100000\U0010ffff"),
    *(b"\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xff\xfe"),
    *(each.encode() for each in "#:-?,&*!|>'\"%@`[]{}<\\~^$=+;/().") ,
    *(b"\r\n", b"\n\r", b" #", b": ", b"- ", b"{{", b"}}", b"{%", b"<!--", b"\n---\n", b"\n...\n", b"\n\n\n"),
)  # fmt: skip
"""Bytes and characters that mean something to some reader, or that no text should hold."""


def _at(chance: random.Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def flip(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 20))):
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def remove(chance: random.Random, data: bytes) -> bytes:
    at = _at(chance, data)
    return data[:at] + data[at + chance.choice((1, 1, 2, 10, 200)) :]


def insert(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 3))):
        at = _at(chance, data)
        data = data[:at] + chance.choice(ODD) * chance.choice((1, 1, 1, 2, 3, 50)) + data[at:]
    return data


def scatter(chance: random.Random, data: bytes) -> bytes:
    """One odd thing in the place of another character, all over the file."""
    old = chance.choice((b" ", b"\n", b"e", b":", b"-", b"a"))
    return data.replace(old, chance.choice(ODD))


def truncate(chance: random.Random, data: bytes) -> bytes:
    return data[: _at(chance, data)]


def behead(chance: random.Random, data: bytes) -> bytes:
    return data[_at(chance, data) :]


def join(chance: random.Random, data: bytes) -> bytes:
    """The beginning of a file and the end of another one, as after a merge that went wrong."""
    other = published()[chance.choice(sorted(published()))]
    return data[: _at(chance, data)] + other[_at(chance, other) :]


def conflict(chance: random.Random, data: bytes) -> bytes:
    """The marks of a merge that was left unfinished."""
    lines = data.split(b"\n")
    first, second = sorted((_at(chance, b"x" * len(lines)), _at(chance, b"x" * len(lines))))
    marked = [b"<<<<<<< HEAD", *lines[first:second], b"=======", *lines[first:second], b">>>>>>> branch"]
    return b"\n".join([*lines[:first], *marked, *lines[second:]])


def encode(chance: random.Random, data: bytes) -> bytes:
    """The same text in another encoding, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    ways = ("utf-16", "utf-16-le", "utf-8-sig", "utf-32", "cp1252", "cp437", "utf-7")
    match chance.choice((*ways, "\r\n", "\r", "\n\r", "\r\r\n")):
        case way if way in ways:
            return text.encode(way, "replace")
        case end:
            return data.replace(b"\n", end.encode())


def empty(chance: random.Random, data: bytes) -> bytes:
    return chance.choice(
        (b"", b"\n", b"\xef\xbb\xbf", b" ", b"\t", b"\0", b"#", b"---\n", b"---\n---\n", b"...", b"\r")
    )


# --- lines


def lines(change: Callable[[random.Random, list[str], int], object]) -> Damage:
    """A damage to the lines of a text, at one of them."""

    def damage(chance: random.Random, data: bytes) -> bytes:
        kept = data.decode("utf-8", "surrogateescape").split("\n")
        for _ in range(chance.choice((1, 1, 2, 8))):
            change(chance, kept, chance.randrange(len(kept)))
            kept = kept or [""]
        return "\n".join(kept).encode("utf-8", "surrogateescape")

    return damage


def _lose(chance: random.Random, kept: list[str], at: int) -> None:
    del kept[at : at + chance.choice((1, 1, 1, 3, 20))]


def _double(chance: random.Random, kept: list[str], at: int) -> None:
    kept[at:at] = kept[at : at + chance.choice((1, 1, 3, 20))]


def _swap(chance: random.Random, kept: list[str], at: int) -> None:
    other = chance.choice((at - 1, chance.randrange(len(kept))))
    kept[at], kept[other] = kept[other], kept[at]


def _glue(chance: random.Random, kept: list[str], at: int) -> None:
    if at + 1 < len(kept):
        kept[at] += chance.choice((" ", "", "\\")) + kept.pop(at + 1).lstrip(" ")


def _break(chance: random.Random, kept: list[str], at: int) -> None:
    cut = chance.randint(0, len(kept[at]))
    kept[at : at + 1] = [kept[at][:cut], kept[at][cut:]]


def _indent(chance: random.Random, kept: list[str], at: int) -> None:
    given = chance.choice((" ", "  ", "\t", " \t", "\xa0", "    ", " " * 200, "> ", "- "))
    for number in range(at, min(len(kept), at + chance.choice((1, 1, 5, 50)))):
        kept[number] = given + kept[number]


def _outdent(chance: random.Random, kept: list[str], at: int) -> None:
    by = chance.choice((1, 2, 4, 99))
    for number in range(at, min(len(kept), at + chance.choice((1, 1, 5, 50)))):
        kept[number] = re.sub(f"^ {{1,{by}}}", "", kept[number])


def _tabs(chance: random.Random, kept: list[str], at: int) -> None:
    for number in range(at, min(len(kept), at + chance.choice((1, 10)))):
        kept[number] = re.sub(r"^(?: {2})+", lambda each: "\t" * (len(each[0]) // 2), kept[number])


def _comment(chance: random.Random, kept: list[str], at: int) -> None:
    kept[at] = chance.choice(("# ", "#", f"{kept[at]} # ", f"{kept[at]} #", "<!-- ", f"{kept[at]} -->")) + kept[at]


WAIVERS = (
    "recordweave: allow range: so it is", "recordweave: allow", "recordweave:", "recordweave: allow x: y",
    "recordweave: allow yaml-syntax: no", "recordweave: allow range", "recordweave: allow range:",
    "recordweave: allow schema: \0", "recordweave: allow range: " + "y" * 5000, "recordweave: allow :::", "recordweave",
)  # fmt: skip


def _waive(chance: random.Random, kept: list[str], at: int) -> None:
    form = chance.choice(("# {}", " # {}", "#{}", "<!-- {} -->", "<!-- {}", "<!--{}-->", "{{# {} #}}", "`<!-- {} -->`"))
    said = form.format(chance.choice(WAIVERS))
    if chance.random() < 0.5:
        kept[at] += f" {said}"
    else:
        kept[at:at] = [said] * chance.choice((1, 1, 2, 40))


# --- values of YAML

VALUES = (
    "", "~", "null", "[]", "{}", "[x]", "{a: b}", "[[[]]]", "3", "-0", "2024-02-30", "true", "NO", "1e400", ".inf",
    ".nan", "0x1F", "0o17", "1_000", "9" * 5000, "-" * 500, "12:30:45", "''", '""', "' '", '"\\u0000"', '"\\ud800"',
    '"\\uFEFF"', '"\\x85"', "|", ">", "|-\n      x", ">-\n      x\n\n      y", "? x", "? [x]\n      : y", "!!str 1",
    "!!int 1", "!!binary eA==", "!!python/object/apply:os.system [ls]", "!!python/name:os.system", "!ENV [HOME, x]",
    "!unknown x", "!<tag:x> y", "!", "!!set {a, b}", "&a x", "*a", "&a [*a]", "&a {b: *a}", "{<<: *a}", "{<<: x}",
    "&a", "*", "&", "%x", "@x", "`x`", "{{ x }}", "{% x %}", "[x](y)", "**x**", "- x", "x: y", "x #y", "x # y", "#",
    "RT-RTE-nothing", "SRC-99", "SRC-1", "EPI-RTE-x EPI-RTE-y", "epi-rte-x", "EPI-RTE-1 through EPI-RTE-9999",
    "ace:EPI-RTE-nothing", "nowhere:EPI-RTE-x", "../../etc/passwd", "javascript:alert(1)", "12-3", "0-0", "9" * 400,
    "<script>alert(1)</script>", "x" * 300, "é" * 300, "\U0001f389", "x\u200by", "\xa0x", "{see: [x]}", "{see: []}",
    "{unpublished: x}", "{uninspected: ''}", "{inapplicable: {a: b}}", "{other: x}", "{[a]: b}", "{? [a] : b}",
    "{a: 1, a: 2}", "{'': x}", "{~: x}", "{1: x}", '{"\\0": x}', "[,]", "[x", "{x", "'x", '"x', "]", "}", "x: y: z",
)  # fmt: skip

_ENTRY = re.compile(r"^( *(?:- )?)([\w-]+|\"[^\"\n]*\")(: ?)([^\n]*)$", re.MULTILINE)


def entries(change: Callable[[random.Random, str, Sequence[re.Match[str]], re.Match[str]], str]) -> Damage:
    """A damage to a line `key: value` of a text; with a text that has none, nothing is done."""

    def damage(chance: random.Random, data: bytes) -> bytes:
        for _ in range(chance.choice((1, 1, 1, 3))):
            text = data.decode("utf-8", "surrogateescape")
            if found := list(_ENTRY.finditer(text)):
                data = change(chance, text, found, chance.choice(found)).encode("utf-8", "surrogateescape")
        return data

    return damage


def _put(text: str, one: re.Match[str], group: int, new: str) -> str:
    return text[: one.start(group)] + new + text[one.end(group) :]


def _revalue(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    """Another value, with or without the lines below that belong to the old one."""
    end = one.end()
    if chance.random() < 0.7:
        depth = len(one[1])
        while (below := re.compile(rf"\n(?: {{{depth + 1},}}[^\n]*|[ \t]*(?=\n))").match(text, end)) is not None:
            end = below.end()
    return f"{text[: one.start(3)]}: {chance.choice(VALUES)}{text[end:]}"


def _exchange(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    return _put(text, one, 4, chance.choice(found)[4])


def _rekey(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    ways = (
        one[2].upper(), one[2] + "s", one[2][:-1], one[2].replace("_", "-"), chance.choice(found)[2], "", "<<", "[a]",
        "{a: b}", "? x", "~", "1", "null", "on", "'", '"', "&a x", "*a", "!t x", "\xa0" + one[2], one[2] + "\u200b",
        f'"{one[2]}"', "x" * 2000, "constructor", "__class__", "$ref", "{{ x }}", "- ", "#", "2024-02-30",
    )  # fmt: skip
    return _put(text, one, 2, chance.choice(ways))


def _redouble(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    other = chance.choice(found)
    return f"{text[: other.end()]}\n{' ' * len(other[1])}{one[2]}{one[3]}{one[4]}{text[other.end() :]}"


def _unspace(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    return _put(text, one, 3, chance.choice((":", " :", "", "  ", "=", ":\t", ":\xa0", "::", " : ", "：")))


def _anchor(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    text = _put(text, one, 3, f": {chance.choice(('&a', '&a &b', '*a', '&a *a', '!x', '!!str', '&'))} ")
    later = [each for each in _ENTRY.finditer(text) if each.start() > one.start()]
    return _put(text, chance.choice(later), 4, "*a") if later and chance.random() < 0.8 else text


def _document(chance: random.Random, text: str, found: Sequence[re.Match[str]], one: re.Match[str]) -> str:
    marks = (
        "---",
        "...",
        "--- x",
        "---\n---",
        "...\n---",
        "%YAML 1.2\n---",
        "%TAG ! x\n---",
        "%x",
        "<<: *a",
        "? x",
        ":",
    )
    return f"{text[: one.start()]}{chance.choice(marks)}\n{text[one.start() :]}"


def change_tree(chance: random.Random, data: bytes) -> bytes:
    """The values of a file as another program would write them, and one of them, or several, of another kind."""
    try:
        value = yaml.load(data.decode("utf-8", "replace"), yaml.BaseLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return data
    for _ in range(chance.choice((1, 2, 5))):
        value = _changed(chance, value)
    return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=chance.random() < 0.2)).encode()


def _changed(chance: random.Random, value: Any) -> Any:
    other: Any = ("", "x", None, 3, True, 1.5, [], {}, ["x"], {"x": "y"}, [[]], {"see": ["x"]}, "RT-RTE-x", "SRC-7")
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        match chance.randrange(12):
            case 0:
                return {each: one for each, one in value.items() if each != key}
            case 1:
                return {(f"{key}x" if each == key else each): one for each, one in value.items()}
            case 2:
                return value | {chance.choice(list(value)): value[key]}
            case _:
                return value | {key: _changed(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        match chance.randrange(12):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
            case 2:
                return [*value, chance.choice(other)]
            case _:
                return [*value[:at], _changed(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, str) and chance.random() < 0.5:
        at = chance.randint(0, len(value))
        return value[:at] + chance.choice(VALUES) + value[at:]
    return chance.choice(other)


# --- what takes a reader's time or memory

SHAPES = (
    "[", "]", "(", "![", "[a](", "[a][", "[a]: b\n", "[^a]", "[^a]: b\n", "*", "**a ", "* ", "*a", "_", "_a ", "***a",
    "`", "`a", "``` \n", "~~~\n", ">", "> ", "> a\n", "- ", "- a\n", " - a\n", "1. ", "    ", "\t", "<", "<a", "<a ",
    '<a b="', "<b>", "</", "<div>", "<div>\n", "<!--", "-->", "<!", "<?", "<![CDATA[", "&", "&#", "&amp;", "\\", "|",
    "|a", "a|b\n", "# a\n", "## a\n", "#", "a\n=\n", "a\n-\n", "* * *\n", "{", "}", "{{", "}}", "{%", "{#", "{{ x() }}",
    "{{x()}}\n\n", "{{1+", "{{ (", "{{ [", "{{ x(x(", "{{ x|y", "{{ 'a' ~ ", "{{ not ", "{% if x %}", "{% raw %}",
    "{% for x in y %}", "{: ", '{: a="', "!!! a\n", "??? a\n", ": a\n", "a\n: b\n\n", "http://", "www.", "a@b",
    "<http:",
    "RT-RTE-a ", "RT-RTE-", "RT-", "RTE-", "rt-rte-a ", "RT_RTE_a ", "RT-RTE-1 to ", "ace:", "ace:RT-RTE-a ", "SRC-1 ",
    "SRC ", "SRC-", "RT- RTE-a ", "RT-RTE-\n", "a:1-2 ", "a/", "../", "> --- `a:1-2` @ `b`\n", "\"a\" ", "'", "a. A",
    "$", "x", "x ", "é", "\u200b", "\u0301", "\n", "a\n\n", "\x02", "\x03", "\x02wzxhzdk:0\x03", "\x02klzzwxh:0\x03",
    "&a ", "*a ", "!a ", "? ", ": ", "- - ", "a: ", "{a: ", "[[", '"', "# ", " #", "%", "---\n", "...\n",
    "<!-- recordweave: allow range: b -->\n", "# recordweave: allow range: b\n", "\U000f0000", "\ud7ff",
)  # fmt: skip
"""What is repeated to make readers slow that look back, look ahead or go deeper at every step."""


def _repeated(chance: random.Random, most: Sequence[int]) -> bytes:
    shape = chance.choice(SHAPES)
    text = shape * max(1, chance.choice(most) // len(shape))
    if chance.random() < 0.3:
        text += chance.choice(("]", ")", "}}", "%}", ">", "*", "`", "\"", "a", "\n\n"))  # fmt: skip
    return text.encode()


def repeat(chance: random.Random, data: bytes) -> bytes:
    """A shape many times over, in the middle of something or on lines of its own."""
    at, between = _at(chance, data), chance.choice((b"", b"", b"\n\n"))
    return data[:at] + between + _repeated(chance, (30, 300, 3_000, 30_000)) + between + data[at:]


def repeat_in_value(chance: random.Random, data: bytes) -> bytes:
    """A shape many times over, as the whole of a value."""
    found = list(_ENTRY.finditer(data.decode("utf-8", "surrogateescape")))
    if not found:
        return repeat(chance, data)
    text, one = data.decode("utf-8", "surrogateescape"), chance.choice(found)
    value = _repeated(chance, (300, 3_000, 30_000)).decode()
    style = chance.choice(("plain", "quoted", "block", "block"))
    if style == "quoted":
        value = "'" + value.replace("'", "''") + "'"
    elif style == "block":
        indent = "\n" + " " * (len(one[1]) + 4)
        value = f"|-{indent}x" + value.replace("\n", indent)
    return _put(text, one, 4, value).encode("utf-8", "surrogateescape")


def huge(chance: random.Random, data: bytes) -> bytes:
    """Several megabytes of one shape, in the middle."""
    at = _at(chance, data)
    return data[:at] + _repeated(chance, (1_000_000, 5_000_000, 7_900_000, 10_000_000)) + data[at:]


def long_value(chance: random.Random, data: bytes) -> bytes:
    """A value of megabytes, in each of the ways in which one can be written."""
    text = data.decode("utf-8", "surrogateescape")
    word = chance.choice(("x", "x ", "RT-RTE-a ", "é", "see RT-RTE-a. ", "`", "a:b ", "https://e.org/ ", "SRC-1 "))
    value = word * (chance.choice((1_000_000, 4_000_000, 7_000_000)) // len(word))
    forms = (
        value,
        f'"{value}"',
        f"'{value}'",
        f"|-\n      {value}",
        "|-" + f"\n      {value[:70]}" * (len(value) // 70),
    )
    found = list(_ENTRY.finditer(text))
    if not found:
        return data + value.encode()
    return _put(text, chance.choice(found), 4, chance.choice(forms)).encode("utf-8", "surrogateescape")


def many(chance: random.Random, data: bytes) -> bytes:
    """Very many keys, items, entries, pages' worth of lines."""
    text = data.decode("utf-8", "surrogateescape")
    match chance.randrange(5):
        case 0:
            return data + "".join(f"\nkey{each}: x" for each in range(100_000)).encode()
        case 1:
            return data + ("\nitems:" + "\n- x" * 50_000).encode()
        case 2:  # the last entry of a list again and again
            at = text.rfind("\n  - ")
            return (
                (text + text[at + 1 :] * (min(2_000_000 // len(text[at + 1 :]), 50_000))).encode() if at > 0 else data
            )
        case 3:
            found = list(_ENTRY.finditer(text))
            value = f"[{', '.join(['x'] * 50_000)}]"
            return _put(text, chance.choice(found), 4, value).encode() if found else data
        case _:
            return data + text.encode("utf-8", "surrogateescape") * min(200, 3_000_000 // (len(data) + 1))


def deep(chance: random.Random, data: bytes) -> bytes:
    """Ten thousand levels, in each of the ways in which something can stand inside something else."""
    count = chance.choice((100, 1_000, 10_000))
    forms = (
        "[" * count + "]" * count, "{a: " * count + "b" + "}" * count, "- " * count + "a", "> " * count + "a",
        "".join(f"{'  ' * each}a:\n" for each in range(min(count, 2_000))),
        "".join(f"{'  ' * each}- a\n" for each in range(min(count, 2_000))),
        "".join(f"{'    ' * each}- a\n\n" for each in range(min(count, 1_000))),
        "".join(f"{'> ' * each}a\n" for each in range(min(count, 2_000))),
        "*" * count + "a" + "*" * count, "*a **b " * count + "**c* " * count, "[" * count + "a" + "](b)" * count,
        "<b>" * count + "a" + "</b>" * count, "<div markdown>\n" * count + "a\n" + "</div>\n" * count,
        "{{ " + "(" * count + ")" * count + " }}", "{{ " + "x(" * count + ")" * count + " }}",
        "{{ " + "-" * count + "1 }}", "{{ " + "1+" * count + "1 }}", "{{ x" + "|y" * count + " }}",
        "{{ x" + ".y" * count + " }}", "{% if x %}" * count + "{% endif %}" * count, "&a [" * count + "*a]" * count,
        "\n" + "".join(f"a{each}: &a{each} [{f'*a{each - 1}, ' * 9 if each else 'x'}]\n" for each in range(20)),
        "!!! a\n" + "".join(f"{'    ' * each}!!! a\n" for each in range(min(count, 1_000))),
        "1. " * count + "a", "[^a]: " * count + "[^a]", "```\n" * count, "(" * count + "RT-RTE-a" + ")" * count,
    )  # fmt: skip
    text, form = data.decode("utf-8", "surrogateescape"), chance.choice(forms)
    found = list(_ENTRY.finditer(text))
    if found and chance.random() < 0.5:
        return _put(text, chance.choice(found), 4, form).encode("utf-8", "surrogateescape")
    at = _at(chance, data)
    return data[:at] + b"\n\n" + form.encode() + b"\n\n" + data[at:]


# --- prose

PIECES = (
    "{{", "}}", "{{ ledger(", "{{ ledger() }", "{ { ledger() } }", "{{ ledger(ledger()) }}", "{{ 7*7 }}", "{{ x | e }}",
    "{{ ''.__class__ }}", "{{ 10 ** 10 ** 10 }}", "{{ 'x' * 10 ** 9 }}", "{{ range(10 ** 9) | list }}",
    "{{ records() }}",
    '{{ records("routes", level=9) }}', '{{ records("routes", level=1e400) }}', '{{ records("x") }}', "{{ ref() }}",
    '{{ records(level="2", kind=3) }}', '{{ ref("RT-RTE-nothing") }}', '{{ ref(["x"]) }}', '{{ ref("") }}', "{{ ref(",
    '{{ records(*x) }}', '{{ records(**x) }}', "{{ ledger(member='x') }}", "{{ ledger(member=none) }}", "{{ ledger }}",
    "{{ \"\\ud800\" }}", "{{ \"\\N{X}\" }}", "{{ 0x }}", "{{ 1_0_ }}", "{{ ٣ }}", "{{ é() }}", "{{ a.b.c() }}", "{{ }}",
    "{{ ledger() }} {{ ledger() }}", "{% include 'x' %}", "{% import 'x' as y %}", "{% extends 'x' %}", "{% raw %}",
    "{% endraw %}", "{% raw %}{{ x }}{% endraw %}", "{%- raw -%}{%- endraw -%}", "{% set x = 1 %}", "{% macro a() %}",
    "{% endmacro %}", "{% block x %}", "{% for x in y %}", "{% if x %}{% else %}", "{% x", "{%", "%}", "{#",
    "#}", "{# x",
    "{#x}", "{{ '{{' }}", "{{ '}}' }}", "`{{ x }}`", "```\n{{ ledger() }}\n```", "<!-- {{ ledger() }} -->", "{{\nx\n}}",
    "<script>alert(1)</script>", "<style>", "<iframe src=x>", "<b", "<b onclick=x>", "<!--", "<!-->", "<![x",
    "<!DOCTYPE",
    "<?php", "</div>", "<div>", "<div markdown>", "<img src=//x>", "<svg>", "&#0;", "&#xD800;", "&#1114112;", "&x;",
    "[x](javascript:x)", "[x][y]", "[x]:", "[x]: y", "[^1]", "[^1]:", "[^1]: x", "![x](y)", "[x](<", "[x](y 'z",
    "<x@y>",
    "RT-RTE-nothing", "rt-rte-x", "RT-RTE-", "RT_RTE_x", "RT-RTE-1 to RT-RTE-99999999", "nowhere:RT-RTE-x", "SRC-99",
    "ace:RT-RTE-x", "RT-RTE-a\u00adb", "RT- RTE-x", "RT-\nRTE-x", "SRC 1", "src-1", "*RT-RTE-x*", "RT-RTE-x-",
    "RT-RTE-É",
    "# x", "## x", "## Boundary and evidence", "x\n===", "x\n---", "---", "***", "| a | b |\n|---|---|\n| c |",
    "|", "||",
    "> x\n> --- `a.py:1-2` @ `b`", "> --- `../x` @ `HEAD`", "> --- `", "- x\n    - y\n  - z", "1) x",
    "!!! note", "??? x",
    "{: #x .y }", "{: onclick=x }", "{: ", ": x", "*[x]: y", "$$x$$", "\\", "  \n", "```", "~~~",
    "````\n```\n````", "`",
    "\x02", "\x03", "\x02wzxhzdk:0\x03", "\x02klzzwxh:0\x03", "\x02amp\x03", "%%\U00100000%%", "\U000f0000", "\0", "\f",
)  # fmt: skip

FRONTS = (
    "---\ntitle: x\n---\n", "---\ntitle: x\n", "---\n", "---\n---\n", "---\ntitle: [x]\n---\n", "---\ntitle: 3\n---\n",
    "---\ntitle: x\ntitle: y\n---\n", "---\n- x\n---\n", "---\nx\n---\n", "---\ntitle: {{ x }}\n---\n", "x: y\n",
    "---\ntitle: '{{ x }}'\n---\n", "---\nrender_macros: false\n---\n", "---\nrender_macros: [x]\n---\n",
    "---\n\0\n---\n",
    "---\nledger: x\n---\n", "---\nsearch: x\n---\n", "---\nsearch: {exclude: true}\n---\n", "---\ntemplate: x\n---\n",
    "---\na: &a [*a]\n---\n", "---\na: !!python/object:x y\n---\n", "---\n\ttitle: x\n---\n", "---\ntitle: x\n...\n",
    "---\na: " + "[" * 10_000 + "\n---\n", "---\na: " + "x" * 1_000_000 + "\n---\n", "---\n? [x]\n: y\n---\n", "\ufeff",
    "---\n# recordweave: allow front-matter: x\n---\n", "---\r\ntitle: x\r\n---\r\n", "----\n", "--- \n",
    "---\ntitle: x\n--\n",
    "---\ntitle: 2024-02-30\n---\n", "---\ntitle: 1e400\n---\n", "---\ntitle: \u2028\n---\n",
    "---\ndescription:\n---\n",
    "title: x\n    y\n" * 5_000, "---\n" + "".join(f"k{each}: x\n" for each in range(100_000)) + "---\n",
)  # fmt: skip


def put_in(chance: random.Random, data: bytes) -> bytes:
    """Something that means something to Markdown, to the template or to a reader of HTML."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        at, around = _at(chance, data), chance.choice(("", "", " ", "\n", "\n\n"))
        data = data[:at] + f"{around}{chance.choice(PIECES)}{around}".encode() + data[at:]
    return data


def front(chance: random.Random, data: bytes) -> bytes:
    return chance.choice(FRONTS).encode() + data


def in_call(chance: random.Random, data: bytes) -> bytes:
    """A damage inside a macro call, where there is one."""
    calls = list(re.finditer(rb"\{\{.*?\}\}", data))
    if not calls:
        return put_in(chance, data)
    at = chance.randint(*chance.choice(calls).span())
    return data[:at] + chance.choice(PIECES).encode() + data[at + chance.choice((0, 0, 1, 3)) :]


HUGE = frozenset({"huge", "long value", "many", "deep"})
"""The damages that take long to make and to read, which come one at a time."""

ANY: dict[str, Damage] = {
    "bits flipped": flip,
    "bytes removed": remove,
    "bytes inserted": insert,
    "a character replaced everywhere": scatter,
    "cut off": truncate,
    "beheaded": behead,
    "joined with another": join,
    "an unfinished merge": conflict,
    "another encoding": encode,
    "nearly nothing left": empty,
    "lines lost": lines(_lose),
    "lines doubled": lines(_double),
    "lines swapped": lines(_swap),
    "lines glued": lines(_glue),
    "a line broken": lines(_break),
    "lines indented": lines(_indent),
    "lines outdented": lines(_outdent),
    "tabs": lines(_tabs),
    "lines commented": lines(_comment),
    "waivers": lines(_waive),
    "a shape repeated": repeat,
}
OFTEN: dict[str, Damage] = {
    "bits flipped again": flip,
    "bytes inserted again": insert,
    "lines lost again": lines(_lose),
}
DAMAGES: Mapping[str, Mapping[str, Damage]] = {
    "yml": {
        **ANY,
        "a value of another kind": entries(_revalue),
        "another value of another kind": entries(_revalue),
        "one more value of another kind": entries(_revalue),
        "values exchanged": entries(_exchange),
        "keys renamed": entries(_rekey),
        "other keys renamed": entries(_rekey),
        "keys doubled": entries(_redouble),
        "colons": entries(_unspace),
        "anchors and aliases": entries(_anchor),
        "documents and directives": entries(_document),
        "written by another program": change_tree,
        "written by another program again": change_tree,
        "a shape in a value": repeat_in_value,
        "a shape in another value": repeat_in_value,
        **OFTEN,
    },
    "md": {
        **ANY,
        "something put in": put_in,
        "something else put in": put_in,
        "one more thing put in": put_in,
        "a call": in_call,
        "another call": in_call,
        "front matter": front,
        "a shape repeated again": repeat,
        "a shape repeated once more": repeat,
        **OFTEN,
    },
}
LARGE: Mapping[str, Damage] = {"huge": huge, "long value": long_value, "many": many, "deep": deep}


def large(number: int) -> Damaged:
    """The same of the damages that make files of megabytes, or of thousands of levels."""
    files = sorted(published())
    chance = random.Random(f"large {number}")
    file = chance.choice(files)
    name = list(LARGE)[number % len(LARGE)]
    return Damaged(number, file, (name,), LARGE[name](chance, published()[file]))
