"""The pages that a system has even where nobody wrote them, as an author would begin them: headings and macros."""

from recordweave.records.ids import KINDS
from recordweave.records.model import TABLES, Member, System
from recordweave.views.layouts import LAYOUTS
from recordweave.views.links import OVERVIEW, SOURCES


def default_pages(system: System, stems: dict[str, set[str]]) -> dict[str, str]:
    """Text by name of page. `stems` are the files that each member has, so that a page shows what there is."""
    overview = [f"# {_plain(system.label)}", "{{ system() }}", "## Members", "{{ members() }}"]
    overview += ["## Records", "{{ counts() }}"]
    pages = {OVERVIEW: "\n\n".join(overview) + "\n", SOURCES: "# Sources\n\n{{ sources() }}\n"}
    for member in system.members:
        if member.published:
            pages[member.name] = _report(member, stems.get(member.name, set()))
    return pages


def _report(member: Member, stems: set[str]) -> str:
    parts = [f"# {_plain(member.title)}"]
    for name in TABLES:
        if name in stems:
            parts += [f"## {LAYOUTS[name].title}", f"{{{{ {name.replace('-', '_')}() }}}}"]
    parts.append("## Shared records")
    for kind in KINDS:
        parts += [f"### {kind.plural}", f'{{{{ records("{kind.stem}") }}}}']
    if "annotations" in stems:
        parts += ["## Annotations", "{{ annotations() }}"]
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """A name as Markdown and template text that shows as it was written: what might be syntax, as numbers."""
    return "".join(each if each.isalnum() or each == " " else f"&#{ord(each)};" for each in " ".join(text.split()))
