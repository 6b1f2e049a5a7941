"""The site's own style sheet: part of the package, added to every site that is built."""

from importlib.resources import files as resources

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

STYLE = "assets/recordweave.css"


def add_assets(files: Files, config: MkDocsConfig) -> None:
    """Add the style sheet to the files and to the configuration; a file of the same name in `docs/` goes first."""
    text = (resources("recordweave") / "views" / STYLE).read_text(encoding="utf-8")
    if files.get_file_from_path(STYLE) is None:
        files.append(File.generated(config, STYLE, content=text))
    if STYLE not in config.extra_css:
        config.extra_css.append(STYLE)
