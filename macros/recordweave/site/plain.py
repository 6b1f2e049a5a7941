"""Whether a site is made by the program alone, so that it is known what its pages depend on and who changes them."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

KNOWN = frozenset({"search", "macros", "recordweave", "material/search"})
"""The plugins of which it is known what they do to a page, and what their output depends on."""

_OWN_MACROS = ("modules", "include_dir", "include_yaml")
"""Settings of the plugin `macros` that let a repository add code and data of its own."""


def is_plain(config: MkDocsConfig) -> bool:
    """Whether nothing of the repository's own takes part in a build, as far as anybody can tell."""
    macros: Any = config.plugins["macros"].config
    root = Path(config.config_file_path).parent
    module = root / str(macros["module_name"])
    return (
        not config.hooks
        and not config.theme.custom_dir
        and config.plugins.keys() <= KNOWN
        and not any(macros[each] for each in _OWN_MACROS)
        and not module.exists()
        and not module.with_suffix(".py").exists()
    )


def is_known(config: MkDocsConfig) -> bool:
    """Whether it is known what MkDocs, the theme and the search make of a page, so that it can be made without them."""
    return is_plain(config) and has_known_theme(config)


def own_code(config: MkDocsConfig) -> Iterator[Path]:
    """The files of hooks, templates, macros and data with which a repository takes part in its builds."""
    macros: Any = config.plugins["macros"].config
    hooks: Any = config.hooks
    root = Path(config.config_file_path).parent
    module = root / str(macros["module_name"])
    data = (each for one in macros["include_yaml"] for each in (one.values() if isinstance(one, dict) else (one,)))
    named = [*hooks, config.theme.custom_dir or module, macros["include_dir"] or module, *data]
    for path in dict.fromkeys([module, module.with_suffix(".py"), *(root / str(each) for each in named)]):
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (each for each in found if each.is_file() and each.suffix != ".pyc")


def has_known_theme(config: MkDocsConfig) -> bool:
    """Whether theme and search are those whose pages and index are known. With `jieba`, the search cuts words anew."""
    is_other_search = "search" in config.plugins  # MkDocs' own, which `/search` asks for
    return config.theme.name == "material" and not is_other_search and find_spec("jieba") is None
