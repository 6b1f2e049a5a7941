"""What a build refuses to publish: collected while pages are rendered, told before any is written."""

from collections.abc import Iterable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.site.guard import RUNNING, Finding, in_svg, line_of


class Refusals:
    """Diagnostics of one build, each once."""

    def __init__(self) -> None:
        self.found: dict[Diagnostic, None] = {}

    def add_files(self, files: Files, config: MkDocsConfig) -> None:
        """A file in `docs/` that a browser would run is published only where the configuration names it."""
        named = {str(script) for script in config.extra_javascript}
        for file in files:
            path = Path(file.abs_src_path or "")
            if file.src_uri.lower().endswith(".svg") and file.src_dir == config.docs_dir and path.is_file():
                source = path.read_bytes().decode("utf-8", "replace")
                for finding in in_svg(source):
                    place = Place(_shown(path, config), *line_of(finding, source))
                    self._add(finding.message.replace("prose", "a drawing"), place, "remove it from the drawing")
        for file in files:
            if file.src_uri.lower().endswith(RUNNING) and file.src_dir == config.docs_dir and file.src_uri not in named:
                place = Place(_shown(Path(config.docs_dir) / file.src_uri, config))
                hint = "write Markdown; a script of the site's own is named in `extra_javascript` of `mkdocs.yml`"
                self._add(f"`{file.src_uri}` is a file that a browser runs", place, hint)

    def add_page(self, page: Page, findings: Iterable[Finding], config: MkDocsConfig) -> None:
        """What was found in the HTML that Python-Markdown made of a page."""
        path = Path(page.file.abs_src_path or page.file.src_uri)
        for finding in findings:
            source = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
            place = Place(_shown(path, config), *line_of(finding, source))
            self._add(finding.message, place, "write Markdown; to show it as text, put it into backticks")

    def _add(self, message: str, place: Place, hint: str) -> None:
        self.found[Diagnostic("active-content", Severity.ERROR, message, place, hint)] = None


def _shown(path: Path, config: MkDocsConfig) -> str:
    root = Path(config.config_file_path).parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
