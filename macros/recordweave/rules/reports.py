"""Rules about the pages that are reports: their sections, and whose reports they are."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from recordweave.records.diagnostic import Diagnostic, Place
from recordweave.records.model import Member
from recordweave.records.sections import STANDARD_SECTIONS
from recordweave.rules.facts import Facts, error, warning
from recordweave.sources.prose import Prose


def withheld_reports_have_no_page(facts: Facts) -> Iterator[Diagnostic]:
    """A page that has the name of a withheld member would be taken for its report."""
    for member, page in _reports(facts):
        if not member.published:
            message = f"the member `{member.name}` is withheld, and this page would be its report"
            hint = "publish the member in `system.yml`, or give the file another name"
            yield warning("withheld-report", message, Place(page.file), hint)


def reports_stand_in_one_file(facts: Facts) -> Iterator[Diagnostic]:
    """The page of a folder that has a member's name would have the address of that member's report."""
    system = facts.collection.system
    for page in facts.pages:
        *_, folder, member, name = ("", "", *page.file.split("/"))
        report = f"{system.name}/{member}.md"
        if folder == system.name and name in ("index.md", "README.md") and system.member(member):
            message = f"`{page.file}` would take an address that belongs to the report of `{member}`"
            written = any(each.file.endswith(f"/{report}") for each in facts.pages)
            hint = "give the file another name" if written else f"move it to `{page.file.removesuffix(f'/{name}')}.md`"
            yield error("reserved-name", message, Place(page.file), hint)


def reports_have_their_sections(facts: Facts) -> Iterator[Diagnostic]:
    """A report has the sections that `system.yml` names for it, or else the usual ones, in their order.

    The usual ones are not asked for where a report has none of them, and so another form. Further sections may stand
    anywhere.
    """
    for member, page in _reports(facts):
        standard = STANDARD_SECTIONS.get(member.name, ()) if not member.sections else ()
        titles = [section.title for section in member.sections or standard]
        headings: dict[str, tuple[int, Place]] = {}
        for number, (title, place) in enumerate(page.headings):
            headings.setdefault(_plain(title), (number, place))
        there = [title for title in titles if _plain(title) in headings]
        if not member.published or (standard and not there):
            continue
        yield from _missing(titles, headings, page, standard=bool(standard))
        order = [headings[_plain(title)][0] for title in there]
        for index in sorted(set(range(len(there))) - _longest_rise(order)):
            message = f"the section `{there[index]}` is out of order"
            where = f"behind `## {there[index - 1]}`" if index else f"before `## {there[1]}`"
            yield warning("section-order", message, headings[_plain(there[index])][1], f"put it {where}")


def _reports(facts: Facts) -> Iterator[tuple[Member, Prose]]:
    """The members whose reports an author wrote, with these pages."""
    system = facts.collection.system
    pages = {page.file: page for page in sorted(facts.pages, key=lambda page: -page.file.count("/"))}
    by_end = {"/".join(file.split("/")[-2:]): page for file, page in pages.items()}
    for member in system.members:
        if page := by_end.get(f"{system.name}/{member.name}.md"):
            yield member, page


def _missing(
    titles: Sequence[str], headings: dict[str, tuple[int, Place]], page: Prose, *, standard: bool
) -> Iterator[Diagnostic]:
    """The sections that are not there; those that would stand together are said together."""
    before, missing = "", []
    for title in (*titles, ""):
        if title and _plain(title) not in headings:
            missing.append(title)
            continue
        if missing:
            named = " and ".join(f"`{each}`" for each in missing)
            where = f"behind `## {before}`" if before else f"before `## {title}`" if title else "into the report"
            own = ", or name the report's own sections under `sections` in `system.yml`" if standard else ""
            message = f"the report lacks the section{'s' if len(missing) > 1 else ''} {named}"
            near = headings.get(_plain(before or title), (0, Place(page.file)))[1]
            put = " and ".join(f"`## {each}`" for each in missing)
            yield warning("missing-section", message, near, f"put {put} {where}{own}")
        before, missing = title, []


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    """The indexes of the most numbers that rise from each to the next."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        at = bisect_left(ends, number)
        before.append(last[at - 1] if at else -1)
        ends[at:], last[at:] = [number, *ends[at + 1 :]], [index, *last[at + 1 :]]
    chain: set[int] = set()
    step = last[-1] if last else -1
    while step >= 0:
        chain.add(step)
        step = before[step]
    return chain


def _plain(title: str) -> str:
    """A heading without its case and punctuation."""
    return re.sub(r"[\W_]+", " ", title.casefold()).strip()
