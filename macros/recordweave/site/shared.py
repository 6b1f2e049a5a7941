"""What the sites of all systems have in common: files of the theme and of the configuration, which the portal has once.

A system's site is a folder of the portal's. Its pages take style sheets, scripts and pictures from there.
"""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

FOLDER = "assets/"
"""Where the theme and this package have their files; a folder that no author can write."""


def leave_out(files: Files) -> None:
    """Take from a system's files those that the portal has."""
    for file in list(files):
        if file.src_uri.startswith(FOLDER):
            files.remove(file)


def look_up(env: Environment, config: MkDocsConfig, system: str) -> None:
    """Let the templates of a system's site find them where the portal has them."""
    theme = (str(config.theme.get(each) or "") for each in ("logo", "favicon"))
    named = {*config.extra_css, *(str(each) for each in config.extra_javascript), *theme}

    def up(found: Callable[[Context, Any], str], context: Context, value: Any) -> str:
        """Where something is, once it is known where it would be on the site of the system."""
        text = str(value)
        if not text.startswith(FOLDER) and text not in named:
            return found(context, value)
        here = found(context, text)
        if ":" in here or here.startswith("//"):
            return here
        return here.replace(f"/{system}/", "/", 1) if here.startswith("/") else f"../{here}"

    address, script = env.filters["url"], env.filters["script_tag"]

    @pass_context
    def url(context: Context, value: Any) -> str:
        return up(address, context, value)

    @pass_context
    def script_tag(context: Context, value: Any) -> str:
        tag = str(script(context, value))
        wrong = Markup.escape(address(context, str(value)))
        return Markup(tag.replace(f'src="{wrong}"', f'src="{Markup.escape(url(context, value))}"', 1))

    env.filters |= {"url": url, "script_tag": script_tag}
