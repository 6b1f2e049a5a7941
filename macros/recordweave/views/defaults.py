"""The pages that a system has even where nobody wrote them, as an author would begin them: headings and macros."""

from collections.abc import Iterable, Iterator

from recordweave.records.ids import KIND_BY_STEM, KINDS
from recordweave.records.model import TABLES, Member, Section, System
from recordweave.records.sections import STANDARD_SECTIONS
from recordweave.views.layouts import LAYOUTS
from recordweave.views.links import ALL_RECORDS, COMPARE, GLOSSARY, OVERVIEW, SOURCES
from recordweave.views.measures import MEASURES


def default_pages(system: System, stems: dict[str, set[str]]) -> dict[str, str]:
    """Text by name of page. `stems` are the files that each member has, so that a page shows what there is."""
    overview = [f"# {_plain(system.label)}", "{{ system() }}", "## Members", "{{ members() }}"]
    overview += ["## Records", "{{ counts() }}"]
    pages = {OVERVIEW: "\n\n".join(overview) + "\n", SOURCES: "# Sources\n\n{{ sources() }}\n"}
    for member in system.members:
        if member.published:
            pages[member.name] = _report(member, stems.get(member.name, set()))
    return pages


_LONG_LIST = "hide: [toc]\nsearch: {exclude: true}\n"
"""A long list needs the room, has no headings, and would be one result of the search beside those of its records."""


def default_portal() -> dict[str, str]:
    """The pages that the portal has even where nobody wrote them, by name."""
    told = {
        OVERVIEW: ("Analyses", "The systems analysed here, each with a site of its own.", ["{{ systems() }}"]),
        COMPARE: ("Compare", "All systems side by side, counted from their records.", _comparison()),
        ALL_RECORDS: (
            "All records",
            "Every record of every system, to be found by ID or word.",
            ["{{ all_records() }}"],
        ),
        GLOSSARY: ("Glossary", "Every controlled value and what it means.", ["{{ glossary() }}"]),
    }
    pages = {}
    for name, (title, description, parts) in told.items():
        head = f"---\ntitle: {title}\ndescription: {description}\n{_LONG_LIST if name == ALL_RECORDS else ''}---"
        pages[name] = "\n\n".join([head, f"# {title}", *parts]) + "\n"
    return pages


def _comparison() -> list[str]:
    parts = ["Every number leads to the rows or records that it counts."]
    for measure in MEASURES.values():
        parts += [f"## {measure.title}", f'{{{{ compare("{measure.name}") }}}}']
    return [*parts, "## Claims", '{{ compare("claims") }}']


def _report(member: Member, stems: set[str]) -> str:
    """A report: the sections that the member names, else the usual ones, and then what they leave out."""
    usual = STANDARD_SECTIONS.get(member.name, ())
    if not any(stem in TABLES for section in usual for stem in section.shows):
        usual = ()  # they do not say where tables stand
    sections = list(_once(member.sections)) or [each for each in usual if _is_there(each, stems)]
    shown = {stem for section in sections for stem in section.shows}
    sections += [Section(LAYOUTS[name].title, (name,)) for name in TABLES if name in stems - shown]
    declares = not member.sections and (member.name != "reconciliation" or not sections)
    if not shown & {"records", *KIND_BY_STEM} and (declares or stems & KIND_BY_STEM.keys()):
        sections.append(Section("Shared records", ("records",)))
    elif "records" not in shown:
        sections += [Section(kind.plural, (kind.stem,)) for kind in KINDS if kind.stem in stems - shown]
    if "annotations" in stems - shown:
        sections.append(Section("Annotations", ("annotations",)))
    return "\n\n".join([f"# {_plain(member.title)}", *(part for each in sections for part in _section(each))]) + "\n"


def _once(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections without what an earlier one shows, of which the checks complain."""
    shown: set[str] = set()
    for section in sections:
        shows = []
        for stem in section.shows:
            if stem not in shown:
                shows.append(stem)
                shown |= Section.excluded_by(stem)
        yield Section(section.title, tuple(shows))


def _is_there(section: Section, stems: set[str]) -> bool:
    return any(stem == "records" or stem in stems for stem in section.shows)


def _section(section: Section) -> Iterator[str]:
    yield f"## {_plain(section.title)}"
    for stem in section.shows:
        if stem == "records":
            for kind in KINDS:
                yield f"### {kind.plural}"
                yield f'{{{{ records("{kind.stem}") }}}}'
        elif stem in KIND_BY_STEM:
            yield f'{{{{ records("{stem}", level=3) }}}}'
        else:
            yield f"{{{{ {stem.replace('-', '_')}() }}}}"
    if not section.shows:
        yield "*Nobody has written this section yet.*"


def _plain(text: str) -> str:
    """A name as Markdown and template text that shows as it was written: what might be syntax, as numbers."""
    return "".join(each if each.isalnum() or each == " " else f"&#{ord(each)};" for each in " ".join(text.split()))
