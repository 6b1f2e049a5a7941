"""What a build refuses to publish: collected while pages are rendered, told before any is written.

The checks have looked at every page before, as Markdown renders it without the site's own parts. This looks at what is
published in fact, whatever another plugin has done to it.
"""

from collections.abc import Sequence
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from recordweave.records.diagnostic import Diagnostic
from recordweave.sources.files import shown
from recordweave.sources.guard import IN_PROSE, Finding, refused


class Refusals:
    """Diagnostics of one build, each once."""

    def __init__(self) -> None:
        self.found: dict[Diagnostic, None] = {}

    def add_page(self, page: Page, findings: Sequence[Finding], config: MkDocsConfig) -> None:
        """What was found in the HTML that Python-Markdown made of a page."""
        if findings:
            path = Path(page.file.abs_src_path or page.file.src_uri)
            source = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
            name = shown(path, Path(config.config_file_path).parent)
            self.found |= dict.fromkeys(refused(findings, name, source, IN_PROSE))
