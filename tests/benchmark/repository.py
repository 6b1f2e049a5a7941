"""The content of the build benchmark as a repository of this project."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.benchmark.content import LEDGER, Report, System

ROOT = Path(__file__).parents[2]
SETTINGS = "published.yml"
"""The published configuration, which the benchmark's own inherit, its theme and its Markdown extensions included."""


def write_repository(root: Path, systems: Sequence[System]) -> None:
    """Write `records/`, `docs/` and `mkdocs.yml` into a new folder."""
    (root / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "mkdocs.yml", root / SETTINGS)
    (root / "mkdocs.yml").write_text(f"INHERIT: {SETTINGS}\nnav: [index.md, compare.md, records.md, glossary.md]\n")
    (root / "docs" / "index.md").write_text("# Analyses\n\n{{ systems() }}\n")
    for system in systems:
        _write_system(root, system)


def _write_system(root: Path, system: System) -> None:
    records, docs = root / "records" / system.name, root / "docs" / system.name
    docs.mkdir()
    _dump(records / "system.yml", _described(system))
    (docs / "index.md").write_text(
        f"# {system.label}\n\n{{{{ system() }}}}\n\n{system.summary}\n\n## Members\n\n{{{{ members() }}}}\n"
    )
    for report in system.reports:
        for stem, found in report.records.items():
            _dump(records / report.name / f"{stem}.yml", {"records": found})
        (docs / f"{report.name}.md").write_text(_prose(report))
    _dump(records / LEDGER / "ledger.yml", {"rows": system.rows})


def _described(system: System) -> dict[str, Any]:
    return {
        "label": system.label,
        "summary": system.summary,
        "evidence_tier": "code-grounded",
        "boundary": {"statement": "All of SRC-1."},
        "sources": [
            {
                "id": "SRC-1",
                "kind": "git",
                "identity": f"The repository of {system.label}.",
                "repository": f"https://example.org/{system.name}/code",
                "revision": "0123456789abcdef0123456789abcdef01234567",
                "layers": ["implementation", "doctrine/design"],
                "inspected": "Every file.",
            }
        ],
        "members": [
            {
                "name": report.name,
                "title": report.title,
                "prefix": report.prefix,
                "publication": "published",
                "summary": report.summary,
            }
            for report in system.reports
        ],
    }


def _prose(report: Report) -> str:
    lines = [f"# {report.title}", report.summary]
    for title, paragraphs in report.sections.items():
        lines += [f"## {title}", *paragraphs]
    if report.name == LEDGER:
        lines += ["## Ledger", "{{ ledger() }}"]
    lines += ["## Records", *(f'{{{{ records("{stem}") }}}}' for stem in report.records)]
    return "\n\n".join(lines) + "\n"


def _dump(file: Path, data: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110))
