"""Markdown inline text to HTML: the one place where text from records becomes markup.

References become links, code stays literal, and whatever looks like HTML or template syntax is shown as written.
"""

from collections.abc import Callable, Iterable

from markdown_it.token import Token
from markupsafe import Markup, escape

from recordweave.records.ids import is_reference
from recordweave.records.text import parse

Reference = Callable[[str, str], Markup]
"""Makes a link of a reference, and of the text to show in its place (the reference itself where empty)."""

_TAGS = {
    "strong_open": Markup("<strong>"),
    "strong_close": Markup("</strong>"),
    "em_open": Markup("<em>"),
    "em_close": Markup("</em>"),
    "softbreak": Markup("\n"),
    "hardbreak": Markup("<br>\n"),
    "paragraph_open": Markup("<p>"),
    "paragraph_close": Markup("</p>"),
    "bullet_list_open": Markup("<ul>"),
    "bullet_list_close": Markup("</ul>"),
    "ordered_list_open": Markup("<ol>"),
    "ordered_list_close": Markup("</ol>"),
    "list_item_open": Markup("<li>"),
    "list_item_close": Markup("</li>"),
    "blockquote_open": Markup("<blockquote>"),
    "blockquote_close": Markup("</blockquote>"),
}


def render(markdown: str, reference: Reference) -> Markup:
    """A text as HTML. One paragraph stands without `<p>`, so that it fits into a cell or a sentence."""
    tokens = parse(markdown)
    if [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]:
        return _inline(tokens[1].children or (), reference)
    return Markup("").join(_block(token, reference) for token in tokens)


def paragraphs(markdown: str, reference: Reference) -> Markup:
    """A text as HTML, a single paragraph with its `<p>` too."""
    html = render(markdown, reference)
    begins = html.startswith(("<p>", "<ul>", "<ol>", "<pre>", "<blockquote>"))
    return html if begins else Markup("<p>{}</p>").format(html)


def _block(token: Token, reference: Reference) -> Markup:
    if token.type == "inline":
        return _inline(token.children or (), reference)
    if token.type in ("paragraph_open", "paragraph_close") and token.hidden:
        return Markup("")
    if token.type == "fence":
        return Markup("<pre><code>{}</code></pre>").format(token.content)
    return _TAGS[token.type]


def _inline(tokens: Iterable[Token], reference: Reference) -> Markup:
    made: list[Markup] = []
    target = ""
    inside: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            href = str(token.attrs["href"])
            target, inside = (href, []) if is_reference(href) else ("", [])
            made.append(Markup("") if target else Markup('<a href="{}" rel="noopener nofollow">').format(href))
        elif token.type == "link_close":
            made.append(reference(target, "".join(inside)) if target else Markup("</a>"))
            target = ""
        elif target:
            inside.append(token.content)
        elif token.type == "mention":
            made.append(reference(token.content, ""))
        elif token.type == "code_inline":
            made.append(Markup("<code>{}</code>").format(token.content))
        else:
            made.append(_TAGS.get(token.type) or escape(token.content))
    return Markup("").join(made)
