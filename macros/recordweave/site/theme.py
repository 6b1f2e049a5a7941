"""What is mended in the theme's pages: names for readers who hear them, and a widget that asks another host.

The theme shows how many stars a repository has, which it asks the repository's host for; the link alone stays.
"""

import re

_NAME = re.compile(r'class="md-search__options" aria-label="([^"]*)"')
_DIALOG = 'data-md-component="search" role="dialog"'
_LANDMARK = 'class="md-search__inner" role="search"'
_ASKING = re.compile(r' data-md-component="source"(?=>)')


def mended(html: str) -> str:
    """A page of the theme, whose search has the name that the theme gives to its options, in the site's language."""
    html = _ASKING.sub("", html)
    found = _NAME.search(html)
    if found is None:
        return html
    name = f' aria-label="{found[1]}"'
    return html.replace(_DIALOG, _DIALOG + name, 1).replace(_LANDMARK, _LANDMARK + name, 1)
