"""What a page of prose says, as far as a machine needs to know: which records it mentions, which macros it calls.

Templates may call macros with constants and do nothing else: so a page can be checked without running it, and cannot
run anything. What remains is rendered once with marks in it, to see what of it is text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.ids import is_reference, is_source_id, near_misses, ranges, references, stands_alone, starts
from recordweave.records.values import Pointer
from recordweave.sources.guard import IN_PROSE, refused
from recordweave.sources.shown_text import Gap, Shown, shown
from recordweave.sources.waivers import Waiver, in_prose
from recordweave.sources.yaml_document import Lines
from recordweave.sources.yaml_reader import Value, read

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<yaml>.*?\n)(?:\.{3}|---)[ \t]*\n", re.DOTALL)
_METADATA = re.compile(r" {0,3}[\w-]+:[^\n]*(?:\n(?: {0,3}[\w-]+:| {4}|\t)[^\n]*)*", re.ASCII)
_BLANK_LINE = re.compile(r"[^\S\n]*\n")
_RAW_BLOCK = re.compile(r"(\{%[-+]?\s*raw\s*[-+]?%\})(.*?)(\{%[-+]?\s*endraw\s*[-+]?%\})", re.DOTALL)
_TAG = re.compile(rf"{_RAW_BLOCK.pattern}|\{{\{{.*?\}}\}}|\{{%.*?%\}}|\{{#.*?#\}}", re.DOTALL)
_HEADING = re.compile(r"#[ \t]+(?P<title>[^\n]*?)[ \t]*#*[ \t]*(?:\n|$)")
_SECTION = re.compile(r"^#(?=#(?!#))|^(?=\w[^\n]*\n-+[ \t]*$)", re.MULTILINE)
"""Where a section's heading may begin, up to the character that is marked to find it again."""

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
    begin, is_template = _head(lines.text, prose)
    text = re.sub(r"[^\n]", " ", lines.text[:begin]) + lines.text[begin:]
    if not prose.title and (heading := _HEADING.match(text, begin)):
        prose.title = heading["title"]
    gaps: list[Gap] = []
    if is_template:
        _template(text, prose)
        for call in prose.calls:
            if re.search(rf"^{call.name}[ \t]*:", lines.text[:begin], re.MULTILINE):
                message = f"`{call.name}` in the front matter hides the macro of that name"
                hint = "give the key another name"
                prose.diagnostics.append(Diagnostic("front-matter", Severity.ERROR, message, call.place, hint))
        gaps = list(_gaps(text))
    try:
        wanted = {*starts(text), *(each.end() for each in _SECTION.finditer(text))}
        page = shown(text, sorted(each for each in wanted if each >= begin), gaps, begin)
        prose.waivers = in_prose(lines, gaps, begin)
    except Exception as error:  # whatever it is that Markdown cannot render, MkDocs cannot either
        message = f"Markdown cannot render this page: {error}"
        hint = "look for HTML or lists that go wrong or very deep"
        prose.diagnostics.append(Diagnostic("unreadable-file", Severity.ERROR, message, Place(file), hint))
        return prose
    prose.diagnostics += refused(page.findings, file, lines.text, IN_PROSE)
    _told(page, lines, prose)
    _refuse_hidden(page, gaps, lines, prose)
    return prose


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
    for tag in _TAG.finditer(text):
        if tag[1]:
            yield Gap(*tag.span(1))
            yield Gap(*tag.span(3))
        else:
            yield Gap(*tag.span())


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
    hidden = [lines.place(gap.start) for number, gap in enumerate(gaps) if number not in page.gaps]
    ends = [lines.place(gap.end) for number, gap in enumerate(gaps) if number not in page.gaps]
    for call in list(prose.calls):
        if any(start <= call.place < end for start, end in zip(hidden, ends, strict=True)):
            message = f"`{call.name}` is called in code, in a comment or in a link, where it cannot show anything"
            prose.calls.remove(call)
            prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, call.place, _RAW))


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
    except RecursionError:
        message = "the template syntax is nested too deeply"
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, Place(prose.file), _RAW))
        return
    except TemplateSyntaxError as error:
        line = error.lineno
        written = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
        mark = re.search(r"\{[{%#]", written)
        place = Place(prose.file, line, mark.start() + 1 if mark else 1)
        message = f"the template syntax is wrong: {error.message or 'it does not end'}"
        hint = "`{#` begins a comment; write `{ #` with a space" if mark and mark[0] == "{#" else _RAW
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, hint))
        return
    used: dict[tuple[str, int], int] = {}
    for node in tree.body:
        parts = node.nodes if isinstance(node, nodes.Output) else [node]
        for part in parts:
            if not isinstance(part, nodes.TemplateData):
                _expression(part, text, prose, used)


def _expression(node: nodes.Node, text: str, prose: Prose, used: dict[tuple[str, int], int]) -> None:
    name = _named(node)
    place = _find(text, prose.file, node.lineno, name, used)
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
    prose.calls.append(Call(name, args, kwargs, place, _alone(text, place.line)))


def _constant(node: nodes.Expr) -> Any:
    """The value of a constant that is written out; nothing is computed, since that could take for ever."""
    if not isinstance(node, nodes.Const):
        raise nodes.Impossible
    return node.value


def _alone(text: str, line: int) -> bool:
    """Whether a line holds one call and nothing else, between empty lines or headings."""
    lines = ["", *text.split("\n"), ""]
    beside = (lines[line - 1].strip(), lines[line + 1].strip())
    return (
        all(not each or each.startswith("#") for each in beside)
        and re.fullmatch(r"\{\{[^{}]*\}\}", lines[line].strip()) is not None
    )


def _named(node: nodes.Node) -> str:
    first = node.node if isinstance(node, nodes.Call) else node
    return first.name if isinstance(first, nodes.Name) else ""


def _find(text: str, file: str, line: int, name: str, used: dict[tuple[str, int], int]) -> Place:
    """Where a name stands in a line, each of several in turn; where templates start in it if it does not."""
    written = text.split("\n")[line - 1]
    pattern = re.compile(rf"\b{re.escape(name)}\b" if name else r"\{[{%]")
    found = [each.start() + 1 for each in pattern.finditer(written)] or [1]
    turn = used.get((name, line), 0)
    used[name, line] = turn + 1
    return Place(file, line, found[min(turn, len(found) - 1)])
