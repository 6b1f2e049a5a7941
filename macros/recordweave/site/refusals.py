"""What a build refuses to publish: collected while pages are rendered, told before any is written."""

from collections.abc import Sequence
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.site.guard import RUNNING, Finding, in_svg, line_of
from recordweave.sources.files import shown


class Refusals:
    """Diagnostics of one build, each once."""

    def __init__(self) -> None:
        self.found: dict[Diagnostic, None] = {}

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """A file in `docs/` that a browser would run is published only where the configuration names it."""
        named = {str(script) for script in config.extra_javascript}
        for file in files:
            path = Path(file.abs_src_path or "")
            if file.src_dir != config.docs_dir or not path.is_file():
                continue
            ending = file.src_uri.lower()
            if ending.endswith(".svg"):
                source = path.read_bytes().decode("utf-8", "replace")
                self._add_findings(in_svg(source), path, source, config, "remove it from the drawing")
            elif ending.endswith(RUNNING) and file.src_uri not in named:
                hint = "write Markdown; a script of the site's own is named in `extra_javascript` of `mkdocs.yml`"
                self._add(f"`{file.src_uri}` is a file that a browser runs", Place(_shown(path, config)), hint)

    def add_page(self, page: Page, findings: Sequence[Finding], config: MkDocsConfig) -> None:
        """What was found in the HTML that Python-Markdown made of a page."""
        if findings:
            path = Path(page.file.abs_src_path or page.file.src_uri)
            source = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
            hint = "write Markdown; to show it as text, put it into backticks"
            self._add_findings(findings, path, source, config, hint)

    def _add_findings(
        self, findings: Sequence[Finding], path: Path, source: str, config: MkDocsConfig, hint: str
    ) -> None:
        for finding in findings:
            self._add(finding.message, Place(_shown(path, config), *line_of(finding, source)), hint)

    def _add(self, message: str, place: Place, hint: str) -> None:
        self.found[Diagnostic("active-content", Severity.ERROR, message, place, hint)] = None


def _shown(path: Path, config: MkDocsConfig) -> str:
    return shown(path, Path(config.config_file_path).parent)
