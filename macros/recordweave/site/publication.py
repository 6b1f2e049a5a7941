"""The publication of what MkDocs builds: it builds aside, and what a strict build warned of is not published."""

import logging
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.utils import CountHandler

from recordweave.publication import Publication

log = get_plugin_logger("recordweave")


class BuildPublication(Publication):
    """Where one build goes. Begun before MkDocs clears the folder, which is then that of the new site."""

    def __init__(self, config: MkDocsConfig) -> None:
        self.config = config
        self.warnings = CountHandler()
        self.warnings.setLevel(logging.WARNING)
        super().__init__(Path(config.site_dir), log.info)
        logging.getLogger("mkdocs").addHandler(self.warnings)
        config.site_dir = str(self.aside)

    def publish(self) -> bool:
        """Finish, unless MkDocs is about to say that a strict build failed. Gives whether the site is published."""
        if self.config.strict and self.warnings.get_counts():
            self.abandon()
            return False
        self.finish()
        return True

    def _end(self) -> None:
        super()._end()
        logging.getLogger("mkdocs").removeHandler(self.warnings)
        self.config.site_dir = str(self.folder)
