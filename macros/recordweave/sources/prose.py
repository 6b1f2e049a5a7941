"""What a page of prose says, as far as a machine needs to know: which records it mentions, which macros it calls.

Templates may call macros with constants and do nothing else: so a page can be checked without running it, and cannot
run anything. What remains is rendered once with marks in it, to see what of it is text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from jinja2 import Environment, TemplateSyntaxError, nodes

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.ids import is_reference, is_source_id, near_misses, ranges, references, stands_alone, starts
from recordweave.records.values import Pointer
from recordweave.sources.effort import EffortError
from recordweave.sources.guard import IN_PROSE, refused
from recordweave.sources.shown_text import Gap, Shown, shown, unmarked
from recordweave.sources.waivers import Waiver, in_prose
from recordweave.sources.yaml_document import Lines
from recordweave.sources.yaml_reader import Value, read

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<yaml>.*?\n)(?:\.{3}|---)[ \t]*\n", re.DOTALL)
_METADATA = re.compile(r" {0,3}[\w-]+:[^\n]*(?:\n(?: {0,3}[\w-]+:| {4}|\t)[^\n]*)*", re.ASCII)
_BLANK_LINE = re.compile(r"[^\S\n]*\n")
_TAG = re.compile(r"(?P<raw>\{%[-+]?\s*raw\s*[-+]?%\})|\{[{%#]")
_END = {
    "raw": re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}"),
    "{{": re.compile(r"\}\}"),
    "{%": re.compile(r"%\}"),
    "{#": re.compile(r"#\}"),
}
"""What ends a tag of a template, by what begins it, and what ends a part that is no template."""

_HEADING = re.compile(r"#[ \t]+(?P<title>[^\n]*?)[ \t]*#*[ \t]*(?:\n|$)")
_SECTION = re.compile(r"^#(?=#(?!#))|^(?=\w[^\n]*\n-+[ \t]*$)", re.MULTILINE)
"""Where a section's heading may begin, up to the character that is marked to find it again."""

MAX_PAGE: Final = 300_000
"""The most characters of a page."""

_NO = frozenset({"n", "no", "false", "off"})
_PLAIN_VALUE = re.compile(
    r"[-+.]?[0-9][0-9_.,:eExXa-fA-F+-]*(?:[Tt ][0-9:.Zz+-]+)?|~|null|true|false|yes|no|on|off|[-+]?\.inf|\.nan",
    re.IGNORECASE,
)
"""What YAML may read as something else than text, where it is not quoted."""

_RAW = "to show braces as text, put them between `{% raw %}` and `{% endraw %}`"


@dataclass(frozen=True, slots=True)
class Call:
    """A macro call in a page: its name, its constant arguments, and where the name stands.

    `alone` says whether the call is a paragraph of its own, as one that shows a table or a card has to be.
    """

    name: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    place: Place
    alone: bool


@dataclass
class Prose:
    """One page, with its title as far as it is written down.

    What it mentions carries its place; near misses say what was written and what is nearest to it. `headings` are
    those of its sections.
    """

    file: str
    title: str = ""
    mentions: list[tuple[str, Place]] = field(default_factory=list)
    sources: list[tuple[str, Place]] = field(default_factory=list)
    near_misses: list[tuple[str, str, Place]] = field(default_factory=list)
    ranges: list[tuple[str, str, Place]] = field(default_factory=list)
    headings: list[tuple[str, Place]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)


def read_prose(text: str, file: str) -> Prose:
    """Read one page; `file` is as shown to its author. No text makes it raise."""
    lines = Lines(text, file)
    prose = Prose(file)
    if len(lines.text) > MAX_PAGE:
        message = f"the page has more than {MAX_PAGE:,} characters"
        prose.diagnostics.append(
            Diagnostic("unreadable-file", Severity.ERROR, message, lines.place(MAX_PAGE), "make several pages of it")
        )
        return prose
    begin, is_template = _head(lines.text, prose)
    text = re.sub(r"[^\n]", " ", lines.text[:begin]) + lines.text[begin:]
    if not prose.title and (heading := _HEADING.match(text, begin)):
        prose.title = heading["title"]
    gaps: list[Gap] = []
    if is_template:
        _template(text, prose)
        hiding = set(re.findall(r"^(\w+)[ \t]*:", lines.text[:begin], re.MULTILINE))
        for call in prose.calls:
            if call.name in hiding:
                message = f"`{call.name}` in the front matter hides the macro of that name"
                hint = "give the key another name"
                prose.diagnostics.append(Diagnostic("front-matter", Severity.ERROR, message, call.place, hint))
        gaps = list(_gaps(text))
    try:
        wanted = {*starts(text), *(each.end() for each in _SECTION.finditer(text))}
        page = shown(text, sorted(each for each in wanted if each >= begin), gaps, begin)
        prose.waivers = in_prose(lines, gaps, begin)
    except EffortError as error:
        place = lines.place(_find(error.text, lines.text))
        hint = "split it, or part what is in it by empty lines"
        prose.diagnostics.append(Diagnostic("unreadable-file", Severity.ERROR, str(error), place, hint))
        return prose
    except Exception as error:  # whatever it is that Markdown cannot render, MkDocs cannot either
        message = f"Markdown cannot render this page: {error}"
        hint = "look for HTML or lists that go wrong or very deep"
        prose.diagnostics.append(Diagnostic("unreadable-file", Severity.ERROR, message, Place(file), hint))
        return prose
    prose.diagnostics += refused(page.findings, file, lines.text, IN_PROSE)
    _told(page, lines, prose)
    _refuse_hidden(page, gaps, lines, prose)
    return prose


def _find(part: str, text: str) -> int:
    """Where a page holds what was rendered from it, by its longest piece that is the same in both.

    A line that holds nothing else is looked for first.
    """
    ends = part if len(part) < 20_000 else f"{part[:10_000]}\n{part[-10_000:]}"
    pieces = (piece[:1_000].strip() for row in ends.split("\n") for piece in unmarked(row))
    longest = max(pieces, key=len, default="")
    row = re.search(rf"^[ \t>#*+-]*{re.escape(longest)}[ \t#]*$", text, re.MULTILINE) if longest else None
    return row.start() if row else max(text.find(longest), 0)


def _head(text: str, prose: Prose) -> tuple[int, bool]:
    """Where a page begins behind its front matter and empty lines, as MkDocs reads it, and whether it is a template."""
    front = _FRONT_MATTER.match(text)
    values = _front_matter(front["yaml"], prose) if front else None
    if front and values is not None:
        prose.title = str(values.get("title", ""))
        return _behind_empty(text, front.end()), str(values.get("render_macros", "")).lower() not in _NO
    if front:
        return 0, True
    begin = 0
    if lost := _METADATA.match(text):
        message = "a page that begins like this loses these lines: they are taken for metadata"
        hint = "begin it with a heading or an empty line"
        prose.diagnostics.append(Diagnostic("front-matter", Severity.ERROR, message, Place(prose.file), hint))
        begin = min(lost.end() + 1, len(text))
    if blank := _BLANK_LINE.match(text, begin):
        begin = blank.end()
    return _behind_empty(text, begin), True


def _behind_empty(text: str, begin: int) -> int:
    return len(text) - len(text[begin:].lstrip("\n"))


def _gaps(text: str) -> Iterator[Gap]:
    """The template's tags, as parts of a page that are not what is shown."""
    endless: set[str] = set()
    at = 0
    while tag := _TAG.search(text, at):
        kinds = ["raw", "{%"] if tag["raw"] else [tag[0]]
        ends = ((kind, _END[kind].search(text, tag.end())) for kind in kinds if kind not in endless)
        at = tag.start() + 1
        for kind, end in ends:
            if end is None:
                endless.add(kind)
                continue
            if kind == "raw":
                yield Gap(*tag.span())
                yield Gap(*end.span())
            else:
                yield Gap(tag.start(), end.end())
            at = end.end()
            break


def _told(page: Shown, lines: Lines, prose: Prose) -> None:
    """Note what the text of a page mentions, in the order of its source."""
    mentioned: set[tuple[int, str]] = set()
    source = re.sub(r"\\[-_]", "  ", lines.text)  # an escaped character is none that a word goes on with
    for link in page.links:
        if is_reference(link.text) or is_source_id(link.text):
            mentioned.add((link.source(0), link.text))
        for each in near_misses(link.text):
            if (each.start, each.end) == (0, len(link.text)):
                prose.near_misses.append((link.text, each.id, lines.place(link.source(0))))
    for text in page.texts:
        found = ((text.source(each.start), each.id) for each in references(text.text))
        mentioned |= {(at, each) for at, each in found if stands_alone(source, at, at + len(each))}
        for each in near_misses(text.text):
            written = text.text[each.start : each.end]
            prose.near_misses.append((written, each.id, lines.place(text.source(each.start))))
        for first, last in ranges(text.text):
            prose.ranges.append((first.id, last.id, lines.place(text.source(first.start))))
    for heading in page.headings:
        prose.headings.append((heading.text.strip(), replace(lines.place(heading.source(0)), column=1)))
    for offset, mention in sorted(mentioned):
        (prose.sources if is_source_id(mention) else prose.mentions).append((mention, lines.place(offset)))


def _refuse_hidden(page: Shown, gaps: Sequence[Gap], lines: Lines, prose: Prose) -> None:
    """Refuse calls that stand in code, where what they make would be shown as it is, or in a link or comment."""
    hidden = [gap for number, gap in enumerate(gaps) if number not in page.gaps]
    starts = [lines.place(gap.start) for gap in hidden]
    ends = [lines.place(gap.end) for gap in hidden]
    calls, prose.calls = prose.calls, []
    for call in calls:
        before = bisect_right(starts, call.place)
        if before and call.place < ends[before - 1]:
            message = f"`{call.name}` is called in code, in a comment or in a link, where it cannot show anything"
            prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, call.place, _RAW))
        else:
            prose.calls.append(call)


def _front_matter(yaml: str, prose: Prose) -> dict[str, Value] | None:
    """Check the front matter, and return its values; nothing where it is none, and part of the text."""
    if not yaml.strip():
        return None
    document, diagnostics = read(yaml, prose.file)

    def fault(message: str, place: Place, hint: str, severity: Severity = Severity.ERROR, also: Any = ()) -> None:
        related = tuple((word, other.below(1)) for word, other in also)
        prose.diagnostics.append(Diagnostic("front-matter", severity, message, place.below(1), hint, related))

    for each in diagnostics:
        message = each.message.replace("the file", "the front matter")
        hint = each.hint.replace("the file", "the front matter")
        fault(message, each.place, hint, each.severity, each.related)
    if document is None:
        return {}
    if not isinstance(document.value, dict):
        return None
    for way, text in _scalars(document.value):
        if re.search(r"\{[{%#]", text):
            message = f"`{way[0]}` in the front matter holds template syntax, which is not for front matter"
            fault(message, document.place(way), "write plain text")
    for key in ("title", "description"):  # MkDocs reads these with another reader, and wants text
        given = document.value.get(key, "text")
        if not isinstance(given, str) or not given or (_PLAIN_VALUE.fullmatch(given) and _unquoted(yaml, key, given)):
            message = f"`{key}` in the front matter is no text to MkDocs"
            fault(message, document.place((key,)), "put it in double quotes")
    if not isinstance(document.value.get("search", {}), dict):
        hint = "write `search: {exclude: true}`"
        fault("`search` in the front matter holds no settings", document.place(("search",)), hint)
    for key in ("template", "icon", "ignore_macros"):
        if key in document.value:
            fault(f"`{key}` is not for pages of this site", document.place((key,), key=True), "remove it")
    return document.value


def _unquoted(yaml: str, key: str, text: str) -> bool:
    return re.search(rf"^{key}:[ \t]+{re.escape(text)}[ \t]*(?:#|$)", yaml, re.MULTILINE) is not None


def _scalars(value: Value, way: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Every text in a value, with the way to it."""
    if isinstance(value, str):
        yield way, value
        return
    for step, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _scalars(each, (*way, step))


def _template(text: str, prose: Prose) -> None:
    try:
        tree = Environment(autoescape=False).parse(text)
    except TemplateSyntaxError as error:
        line = error.lineno
        written = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
        mark = re.search(r"\{[{%#]", written)
        place = Place(prose.file, line, mark.start() + 1 if mark else 1)
        message = f"the template syntax is wrong: {error.message or 'it does not end'}"
        hint = "`{#` begins a comment; write `{ #` with a space" if mark and mark[0] == "{#" else _RAW
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, hint))
        return
    except (RecursionError, ValueError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else "holds a number that is too long"
        longest = max(_gaps(text), key=lambda gap: gap.end - gap.start, default=Gap(max(text.find("{"), 0), 0))
        place = Lines(text, prose.file).place(longest.start)
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, f"the template syntax {what}", place, _RAW))
        return
    page = _Written(text, prose.file)
    for node in tree.body:
        parts = node.nodes if isinstance(node, nodes.Output) else [node]
        for part in parts:
            if not isinstance(part, nodes.TemplateData):
                _expression(part, page, prose)


def _expression(node: nodes.Node, page: "_Written", prose: Prose) -> None:
    name = _named(node)
    place = page.find(node.lineno, name)
    if isinstance(node, nodes.Const):
        return
    if isinstance(node, nodes.Name):
        message = f"`{name}` is not called"
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, f"write `{{{{ {name}() }}}}`"))
        return
    try:
        if (
            not isinstance(node, nodes.Call)
            or not isinstance(node.node, nodes.Name)
            or node.dyn_args
            or node.dyn_kwargs
        ):
            raise nodes.Impossible
        args = tuple(_constant(each) for each in node.args)
        kwargs = {each.key: _constant(each.value) for each in node.kwargs}
    except nodes.Impossible:
        message = "a page can call macros with plain values and nothing else"
        hint = f'write it like `{{{{ records("routes") }}}}`; {_RAW}'
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, hint))
        return
    prose.calls.append(Call(name, args, kwargs, place, page.is_alone(place.line)))


def _constant(node: nodes.Expr) -> Any:
    """The value of a constant that is written out; nothing is computed, since that could take for ever."""
    if not isinstance(node, nodes.Const):
        raise nodes.Impossible
    return node.value


def _named(node: nodes.Node) -> str:
    first = node.node if isinstance(node, nodes.Call) else node
    return first.name if isinstance(first, nodes.Name) else ""


class _Written:
    """The lines of a page, to find in them what the template's parser knows the line of, each line looked at once."""

    def __init__(self, text: str, file: str) -> None:
        self.lines = ["", *text.split("\n"), ""]
        self.file = file
        self.names: dict[tuple[str, int], list[int]] = {}
        self.alone: dict[int, bool] = {}

    def find(self, line: int, name: str) -> Place:
        """Where a name stands in a line, each of several in turn; where templates start in it if it does not."""
        if (columns := self.names.get((name, line))) is None:
            pattern = re.compile(rf"\b{re.escape(name)}\b" if name else r"\{[{%]")
            columns = [each.start() + 1 for each in pattern.finditer(self.lines[line])] or [1]
            columns.reverse()
            self.names[name, line] = columns
        return Place(self.file, line, columns.pop() if len(columns) > 1 else columns[0])

    def is_alone(self, line: int) -> bool:
        """Whether a line holds one call and nothing else, between empty lines or headings."""
        if line not in self.alone:
            beside = (self.lines[line - 1].strip(), self.lines[line + 1].strip())
            self.alone[line] = (
                all(not each or each.startswith("#") for each in beside)
                and re.fullmatch(r"\{\{[^{}]*\}\}", self.lines[line].strip()) is not None
            )
        return self.alone[line]
