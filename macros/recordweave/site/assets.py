"""The site's own style sheet and scripts: part of the package, added to every site that is built."""

from importlib.resources import files as resources

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from recordweave.views.links import STYLE

SCRIPTS = tuple(f"assets/recordweave-{name}.js" for name in ("finder", "pages", "return", "tables", "tooltips"))


def add_assets(files: Files, config: MkDocsConfig) -> None:
    """Add style sheet and scripts to the files and to the configuration."""
    for asset in (STYLE, *SCRIPTS):
        text = (resources("recordweave") / "views" / asset).read_text(encoding="utf-8")
        files.append(File.generated(config, asset, content=text))
    if STYLE not in config.extra_css:
        config.extra_css.append(STYLE)
    config.extra_javascript.extend(each for each in SCRIPTS if each not in config.extra_javascript)
