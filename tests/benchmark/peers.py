"""The content of the build benchmark as a project of plain MkDocs, and as one of Hugo.

Both get the same Markdown: a page for each record and each report, an index of each system and of its records, every
mention a link that the generator resolves and checks. Who cites a record is told by neither.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from recordweave.records.ids import kind_of, mentions, split
from tests.benchmark.content import LEDGER, Report, System
from tests.benchmark.repository import ROOT, SETTINGS

Link = Callable[[str, str], str]
"""A link to a record, by its system and its ID."""

_HUGO_SETTINGS = """\
baseURL = "http://127.0.0.1:8000/"
title = "Analyses"
disableKinds = ["taxonomy", "term", "RSS"]
"""
_HUGO_LAYOUTS = {
    "baseof": """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ .Title }}</title></head>
<body>
<nav><a href="{{ site.Home.RelPermalink }}">{{ site.Title }}</a></nav>
<main>{{ block "main" . }}{{ end }}</main>
</body>
</html>
""",
    "single": '{{ define "main" }}{{ .Content }}{{ end }}\n',
    "list": """\
{{ define "main" }}{{ .Content }}
<ul>{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>
{{ end }}
""",
}


def write_mkdocs(root: Path, systems: Sequence[System]) -> None:
    """Plain MkDocs: one site with the published theme and extensions. Records are not in the navigation, as in ours:
    with them, each page would repeat it all, and twenty systems take four times as long.
    """
    pages = _Pages(_autoref, "index.md")
    _write(root / "docs", pages.of_all(systems))
    shutil.copy(ROOT / "mkdocs.yml", root / SETTINGS)
    nav = [
        {
            system.label: [
                f"{system.name}/index.md",
                *(f"{system.name}/{report.name}.md" for report in system.reports),
                f"{system.name}/records/index.md",
            ]
        }
        for system in systems
    ]
    settings = {
        "INHERIT": SETTINGS,
        "nav": ["index.md", *nav],
        "not_in_nav": "/*/records/*.md",
        "plugins": ["search", "autorefs"],
    }
    (root / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False))


def write_hugo(root: Path, systems: Sequence[System]) -> None:
    """Hugo, with the least that a template can have."""
    pages = _Pages(_relref, "_index.md")
    _write(root / "content", pages.of_all(systems))
    _write(root / "layouts" / "_default", ((f"{name}.html", text) for name, text in _HUGO_LAYOUTS.items()))
    (root / "config.toml").write_text(_HUGO_SETTINGS)


def page_of(record_id: str) -> str:
    """The file of a record below the folder of its system, the same for both."""
    return f"records/{record_id.casefold()}.md"


def _autoref(system: str, record_id: str) -> str:
    return f"[{record_id}][{_anchor(system, record_id)}]"


def _relref(system: str, record_id: str) -> str:
    return f'[{record_id}]({{{{< relref "/{system}/{page_of(record_id)}" >}}}})'


def _anchor(system: str, record_id: str) -> str:
    return f"{system}-{record_id.casefold()}"


def _write(folder: Path, files: Iterator[tuple[str, str]]) -> None:
    for name, text in files:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@dataclass(frozen=True)
class _Pages:
    """The Markdown of each page, by its file. `index` is what the page of a folder is called."""

    link: Link
    index: str

    def of_all(self, systems: Sequence[System]) -> Iterator[tuple[str, str]]:
        yield self.index, _page("Analyses", "", *(f"-   {system.label}: {system.summary}" for system in systems))
        for system in systems:
            for name, text in self.of_system(system):
                yield f"{system.name}/{name}", text

    def of_system(self, system: System) -> Iterator[tuple[str, str]]:
        reports = [f"-   {report.title}: {report.summary}" for report in system.reports]
        yield self.index, _page(system.label, "", system.summary, *reports)
        listed = [f"-   {self.link(system.name, each['id'])} {each['label']}" for each in system.records]
        yield f"records/{self.index}", _page(f"Records of {system.label}", "", *listed)
        for report in system.reports:
            yield f"{report.name}.md", self.report(system, report)
        for record in system.records:
            yield page_of(record["id"]), self.record(system, record)

    def report(self, system: System, report: Report) -> str:
        parts = [report.summary]
        for title, paragraphs in report.sections.items():
            parts += [f"## {title}", *(self.linked(system, each) for each in paragraphs)]
        if report.name == LEDGER:
            parts += ["## Ledger", "\n".join(self.table(system))]
        for stem, records in report.records.items():
            items = (f"-   {self.link(system.name, each['id'])} {each['label']}" for each in records)
            parts += [f"## {stem.capitalize()}", *items]
        return _page(report.title, "", *parts)

    def table(self, system: System) -> Iterator[str]:
        columns = list(system.rows[0])
        yield f"| {' | '.join(map(_title, columns))} |"
        yield "|---" * len(columns) + "|"
        for row in system.rows:
            yield f"| {' | '.join(self.inline(system, row[column]) for column in columns)} |"

    def record(self, system: System, record: dict[str, Any]) -> str:
        parts = [f"`{record['id']}`, {kind_of(record['id']).with_article}"]
        parts += (self.field(system, name, value) for name, value in record.items() if name not in ("id", "label"))
        return _page(record["label"], _anchor(system.name, record["id"]), *parts)

    def field(self, system: System, name: str, value: Any) -> str:
        if name == "body":
            return f"## Description\n\n{self.linked(system, value)}"
        if isinstance(value, dict):
            value = [f"**{_title(key)}.** {each}" for key, each in value.items()]
        if isinstance(value, list):
            return f"## {_title(name)}\n\n" + "\n".join(f"-   {self.inline(system, each)}" for each in value)
        return f"**{_title(name)}.** {self.inline(system, value)}"

    def inline(self, system: System, value: Any) -> str:
        """A value of a record or a cell of a table, on one line."""
        if isinstance(value, dict):
            return ", ".join(self.inline(system, each) for each in value.values())
        if isinstance(value, list):
            return "; ".join(self.inline(system, each) for each in value)
        return self.linked(system, str(value))

    def linked(self, system: System, text: str) -> str:
        """A text whose mentions of records are links."""
        done, parts = 0, []
        for mention in mentions(text):
            other, record_id = split(mention.id)
            parts += [text[done : mention.start], self.link(other or system.name, record_id)]
            done = mention.end
        return "".join([*parts, text[done:]])


def _title(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()


def _page(title: str, anchor: str, *parts: str) -> str:
    heading = f"# {title} {{ #{anchor} }}" if anchor else f"# {title}"
    return f"---\ntitle: {title}\n---\n\n" + "\n\n".join([heading, *parts]) + "\n"
