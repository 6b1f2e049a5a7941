"""The macros: what each is called, what it takes, which entries it shows, and what it puts on a page.

A call is bound to its macro before anything is rendered, so that a wrong argument is found by the checks and not in
the middle of a build. `Request` is a call that is known to be right.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Collection as AnyOf
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from recordweave.records.collection import Collection, Library
from recordweave.records.diagnostic import did_you_mean
from recordweave.records.ids import KIND_BY_STEM, split
from recordweave.records.model import AMENDMENTS, TABLES, Entry
from recordweave.views import cards, overview, reconciled, tables
from recordweave.views.blocks import Block
from recordweave.views.layouts import LAYOUTS
from recordweave.views.view import View


class BadCall(Exception):
    """A call that its macro does not take: `code`, one sentence, and how to mend it."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Request:
    """A call with its arguments complete. `member` is the member whose records it shows, where it shows any."""

    macro: "Macro"
    arguments: Mapping[str, Any]
    member: str = ""


Entries = Callable[[Collection, Request], Sequence[Entry]]
Render = Callable[[Any, Request], tuple[Block, ...]]
"""Makes the blocks of a request; the first argument is the view of the page: a `View`, or the portal's own."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro. `signature` is an empty function whose parameters are the macro's; its docstring explains it.

    `entries` are what it shows of a collection; `of_member` ones show those of one member; `inline` ones stand in a
    sentence; `choices` are the values that a parameter can have.
    """

    name: str
    signature: Callable[..., None]
    render: Render
    entries: Entries = lambda collection, request: ()
    of_member: bool = False
    inline: bool = False
    choices: Mapping[str, AnyOf[str]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[[str], "Macro"], tuple[str]]:
        """What is kept of a macro is its name: functions cannot be."""
        return _known, (self.name,)

    @property
    def help(self) -> str:
        return inspect.getdoc(self.signature) or ""

    @property
    def usage(self) -> str:
        """The macro's signature as one would write it, without types."""
        parameters = inspect.signature(self.signature).parameters.values()
        return f"{self.name}({', '.join(str(each.replace(annotation=inspect.Parameter.empty)) for each in parameters)})"


def _known(name: str) -> Macro:
    """A macro of a system's pages."""
    return MACROS[name]


def bind(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    page: str,
    macros: Mapping[str, Macro],
    library: Library,
) -> Request:
    """Bind a call that stands on a page of the library's `home`, or of the portal.

    Raises `BadCall` for a macro that does not exist and for arguments that it does not take.
    """
    macro = macros.get(name)
    if macro is None:
        raise BadCall("unknown-macro", f"there is no macro `{name}` here", _choose(name, macros, "macros"))
    usage = f"write `{{{{ {macro.usage} }}}}`"
    signature = inspect.signature(macro.signature)
    for given in kwargs:
        if given not in signature.parameters:
            message = f"`{name}` has no parameter `{given}`"
            raise BadCall("macro-argument", message, did_you_mean(given, signature.parameters) or usage)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise BadCall("macro-argument", f"`{name}`: {error}", usage) from None
    bound.apply_defaults()
    for parameter in signature.parameters.values():
        given = bound.arguments[parameter.name]
        if type(given) is not parameter.annotation:
            wanted = "a whole number" if parameter.annotation is int else "text in quotes"
            raise BadCall("macro-argument", f"`{name}`: `{parameter.name}` is not {wanted}", usage)
        choices = macro.choices.get(parameter.name)
        if choices is not None and given not in choices:
            message = f"`{name}`: `{given}` is not a {parameter.name}"
            raise BadCall("macro-argument", message, _choose(given, choices, f"{parameter.name}s"))
    if "level" in bound.arguments and not 2 <= bound.arguments["level"] <= 6:
        message = f"`{name}`: there is no heading of level {bound.arguments['level']}"
        raise BadCall("macro-argument", message, "give a level from 2 to 6")
    if "id" in bound.arguments and not library.find(bound.arguments["id"]):
        reference = bound.arguments["id"]
        if library.home is None and not split(reference)[0]:
            raise BadCall("unknown-id", *library.nameless(reference))
        if (system := split(reference)[0]) and system not in library.systems:
            raise BadCall("unknown-id", f"there is no system `{system}`", did_you_mean(system, library.systems))
        if new := library.renamed(reference):
            raise BadCall("former-id", f"`{reference}` is now called `{new}`", f"write `{new}`")
        hint = did_you_mean(reference, library.near)
        message = f"`{reference}` is not declared"
        raise BadCall("unknown-id", message, hint or "give the ID of a record that is declared or withheld")
    return Request(macro, bound.arguments, _member(macro, bound.arguments, library.home, page) if library.home else "")


def _choose(wrong: str, right: Iterable[str], name: str) -> str:
    return did_you_mean(wrong, right) or f"the {name} are " + ", ".join(f"`{each}`" for each in right)


def _member(macro: Macro, arguments: Mapping[str, Any], collection: Collection, page: str) -> str:
    if not macro.of_member:
        return ""
    published = [member.name for member in collection.system.members if member.published]
    named = str(arguments["member"] or "")
    if named and named not in published:
        hint = did_you_mean(named, published) or "the published members are " + ", ".join(
            f"`{each}`" for each in published
        )
        raise BadCall("macro-argument", f"`{macro.name}`: there is no published member `{named}`", hint)
    if not named and page not in published:
        hint = " or ".join(f'`member="{each}"`' for each in published)
        raise BadCall(
            "macro-argument",
            f"`{macro.name}`: this page is no member's report, so the macro cannot tell whose records to show",
            f"add {hint}",
        )
    return named or page


def _coverage(member: str = "") -> None:
    """The coverage table of a member: of the page's own member, unless another is named."""


def _inventory(member: str = "") -> None:
    """The object inventory of a member: of the page's own member, unless another is named."""


def _ledger(member: str = "") -> None:
    """The authority-route ledger of a member: of the page's own member, unless another is named."""


def _claim_comparison(member: str = "") -> None:
    """The comparison of claims and routes of a member: of the page's own member, unless another is named."""


def _integration_issues(member: str = "") -> None:
    """The integration issues of a member: of the page's own member, unless another is named."""


def _amendments(member: str = "") -> None:
    """The amendments that a member makes to records: those of the page's own member, unless another is named."""


def _supersessions(member: str = "") -> None:
    """The records that a member declares superseded: those of the page's own member, unless another is named."""


def _records(kind: str, member: str = "", level: int = 4) -> None:
    """A card for each record of a kind (`components`, `objects`, `routes`, `claims`, `absences`, `paths`) that a member
    declares, under headings of the given level; a line that says so where there are none."""


def _annotations(member: str = "", level: int = 3) -> None:
    """A card for each annotation that a member makes on records of others, under headings of the given level."""


def _ref(id: str, text: str = "") -> None:
    """A reference to a record, inside a sentence, that shows a text of its own in place of the ID."""


def _sources(level: int = 2) -> None:
    """The source register of the system, under headings of the given level."""


def _system() -> None:
    """Who the system is, what the analysis takes in, and the frozen state of each source."""


def _members() -> None:
    """The members of the analysis, published and withheld."""


def _counts() -> None:
    """How many records of each kind are declared and cited, with links to their indexes."""


def _rows(name: str) -> Entries:
    return lambda collection, request: collection.rows(request.member, name)


def _table(name: str) -> Render:
    def rendered(view: View, request: Request) -> tuple[Block, ...]:
        rows = view.collection.rows(request.member, name)
        if name == AMENDMENTS:
            rows = [reconciled.named(view, row) for row in rows]
        return (Block(tables.table(view, name, rows)),)

    return rendered


def _parts(name: str) -> Entries:
    """The parts of `system.yml` whose name begins so."""
    return lambda collection, request: [part for part in collection.system.parts() if part.name.startswith(name)]


def _html(make: Callable[[View], Markup]) -> Render:
    return lambda view, request: (Block(make(view)),)


_SIGNATURES = {
    "coverage": _coverage,
    "inventory": _inventory,
    "ledger": _ledger,
    "claim-comparison": _claim_comparison,
    "integration-issues": _integration_issues,
    "amendments": _amendments,
    "supersessions": _supersessions,
}

MACROS: dict[str, Macro] = {
    macro.name: macro
    for macro in (
        *(
            Macro(name.replace("-", "_"), _SIGNATURES[name], _table(name), _rows(name), of_member=True)
            for name in TABLES
            if name in LAYOUTS
        ),
        Macro(
            "records",
            _records,
            lambda view, request: cards.cards(
                view,
                view.collection.declared_by(request.member, request.arguments["kind"]),
                request.arguments["level"],
            ),
            lambda collection, request: collection.declared_by(request.member, request.arguments["kind"]),
            of_member=True,
            choices={"kind": KIND_BY_STEM},
        ),
        Macro(
            "annotations",
            _annotations,
            lambda view, request: cards.annotation_cards(
                view, view.collection.annotations_by(request.member), request.arguments["level"]
            ),
            lambda collection, request: collection.annotations_by(request.member),
            of_member=True,
        ),
        Macro("ref", _ref, lambda view, request: (), inline=True),
        Macro(
            "sources",
            _sources,
            lambda view, request: overview.sources(view, request.arguments["level"]),
            _parts("SRC-"),
        ),
        Macro("system", _system, _html(overview.system), _parts("system")),
        Macro("members", _members, _html(overview.members), _parts("member-")),
        Macro("counts", _counts, _html(overview.counts)),
    )
}
"""The macros of a system's pages, by name."""
