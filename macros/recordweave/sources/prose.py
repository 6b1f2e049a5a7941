"""What a page of prose says, as far as a machine needs to know: which records it mentions, which macros it calls.

The page is rendered by Python-Markdown, which knows no lines and columns, so its source is read here once more: code,
quotations, comments and addresses are blanked out, keeping every offset, and what remains is searched. Templates may
call macros with constants and do nothing else: so a page can be checked without running it, and cannot run anything.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.records.ids import Mention, is_source_id, near_misses, references
from recordweave.sources.yaml_reader import read

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(
    r"^(?P<indent>[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*)(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_QUOTE = re.compile(r"^[ \t]*>[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*", re.MULTILINE)
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_HIDDEN = re.compile(
    r"<!--.*?-->"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`)"
    r"|(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
    r"|^[ ]{0,3}\[[^\]\n]+\]:[^\n]*"
    r"|</?[A-Za-z][^<>]*>|<[a-z]+:[^<>\s]*>",
    re.MULTILINE | re.DOTALL,
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)]|!!!|\?\?\?\+?|:|\[\^[^\]]+\]:)(?:[ \t]|$)")
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
    """One page. What it mentions carries its place; near misses say what was written and what is nearest to it."""

    file: str
    mentions: list[tuple[str, Place]] = field(default_factory=list)
    sources: list[tuple[str, Place]] = field(default_factory=list)
    near_misses: list[tuple[str, str, Place]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_prose(text: str, file: str) -> Prose:
    """Read one page; `file` is as shown to its author. No text makes it raise."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    prose = Prose(file)
    is_template = True
    if front := _FRONT_MATTER.match(text):
        is_template = _front_matter(front["yaml"] or "", prose)
        text = _blanked(front) + text[front.end() :]
    if is_template:
        _template(text, prose)
        text = _TEMPLATE.sub(_blanked, text)
    _mentions(text, prose)
    return prose


def _front_matter(yaml: str, prose: Prose) -> bool:
    """Check the front matter. False where it says that the page is no template, and its braces are text."""
    if not yaml.strip():
        return True
    document, diagnostics = read(yaml, prose.file)
    for each in diagnostics:
        place = Place(each.place.file, each.place.line + 1, each.place.column)
        prose.diagnostics.append(Diagnostic("front-matter", each.severity, each.message, place, each.hint))
    if document is None or not isinstance(document.value, dict):
        return True
    for key, value in document.value.items():
        if isinstance(value, str) and re.search(r"\{[{%#]", value):
            place = document.place((key,))
            message = f"`{key}` in the front matter holds template syntax, which is not for front matter"
            place = Place(place.file, place.line + 1, place.column)
            prose.diagnostics.append(Diagnostic("front-matter", Severity.ERROR, message, place, "write plain text"))
    return document.value.get("render_macros") != "false"


def _template(text: str, prose: Prose) -> None:
    try:
        tree = Environment(autoescape=False).parse(text)
    except TemplateSyntaxError as error:
        line = error.lineno
        written = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
        mark = re.search(r"\{[{%#]", written)
        place = Place(prose.file, line, mark.start() + 1 if mark else 1)
        message = f"the template syntax is wrong: {error.message or 'it does not end'}"
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, _RAW))
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
        args = tuple(each.as_const() for each in node.args)
        kwargs = {each.key: each.value.as_const() for each in node.kwargs}
    except nodes.Impossible:
        message = "a page can call macros with plain values and nothing else"
        hint = f'write it like `{{{{ records("routes") }}}}`; {_RAW}'
        prose.diagnostics.append(Diagnostic("template", Severity.ERROR, message, place, hint))
        return
    prose.calls.append(Call(name, args, kwargs, place, _alone(text, place.line)))


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


def _mentions(text: str, prose: Prose) -> None:
    text = _FENCE.sub(_blanked, text)
    text = _QUOTE.sub(_blanked, text)
    text = _without_indented_code(text)
    text = _HIDDEN.sub(_blanked, text)
    starts = [0, *(each.end() for each in re.finditer("\n", text))]
    line = 0
    for mention in references(text):
        while line + 1 < len(starts) and starts[line + 1] <= mention.start:
            line += 1
        place = Place(prose.file, line + 1, mention.start - starts[line] + 1)
        (prose.sources if is_source_id(mention.id) else prose.mentions).append((mention.id, place))
    for written, mention in _written(text):
        number = text.count("\n", 0, mention.start)
        place = Place(prose.file, number + 1, mention.start - starts[number] + 1)
        prose.near_misses.append((written, mention.id, place))


def _written(text: str) -> Iterator[tuple[str, Mention]]:
    for mention in near_misses(text):
        yield text[mention.start : mention.end], mention


def _without_indented_code(text: str) -> str:
    """Blank out lines indented by four that follow an empty line and stand in no list, admonition or footnote."""
    lines = text.split("\n")
    nested = empty_before = False
    code = False
    for number, line in enumerate(lines):
        if not line.strip():
            empty_before = True
            continue
        indented = line.startswith(("    ", "\t"))
        if not indented:
            nested = bool(_ITEM.match(line)) or (nested and not empty_before)
        code = indented and not nested and (code or empty_before)
        if code:
            lines[number] = " " * len(line)
        empty_before = False
    return "\n".join(lines)


def _blanked(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
