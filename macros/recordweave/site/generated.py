"""Pages that are made from records alone, as MkDocs knows pages: files, HTML and tables of contents."""

import json
from collections.abc import Sequence
from html import unescape
from typing import Any

from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from recordweave.site.links import PageLinks, page_url
from recordweave.views.blocks import Block, PageView
from recordweave.views.links import record_page

_HEADING = Markup('<h{0} id="{1}">{2}</h{0}>\n')
_LINKED_HEADING = Markup(
    '<h{0} id="{1}">{2}<a class="headerlink" href="#{1}" title="Permanent link">&para;</a></h{0}>\n'
)
_REDIRECT = Markup("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{old} is now {new}</title>
<meta http-equiv="refresh" content="1; url={address}">
</head>
<body>
<p>{old} is now <a href="{address}">{new}</a>.</p>
<script>location.replace(document.querySelector("a").href + location.hash)</script>
</body>
</html>
""")
"""The script keeps the part behind the `#`, which a browser that is sent on does not."""

_BOX = Markup('<article class="{}">\n{}</article>\n')


def page_file(config: MkDocsConfig, name: str, title: str, description: str, *, in_nav: bool) -> File:
    """An empty page of the given name and title, which `fill` fills once everything is known."""
    told = {"title": title, "description": description, "render_macros": False}
    front = json.dumps(told, ensure_ascii=False)
    inclusion = InclusionLevel.INCLUDED if in_nav else InclusionLevel.NOT_IN_NAV
    return File.generated(config, f"{name}.md", content=f"---\n{front}\n---\n", inclusion=inclusion)


def text_file(config: MkDocsConfig, name: str, text: str) -> File:
    """A page with Markdown text that nobody has written as a file."""
    return File.generated(config, f"{name}.md", content=text, inclusion=InclusionLevel.INCLUDED)


def redirect(config: MkDocsConfig, links: PageLinks, old: str, new: str) -> File:
    """What stands at the address of a record's former ID, and leads on to the record; `links` are seen from there."""
    html = _REDIRECT.format(old=old, new=new, address=links(record_page(new)))
    name = page_url(record_page(old), config.use_directory_urls)
    return File.generated(config, f"{name}index.html" if config.use_directory_urls else name, content=html)


def fill(page: Page, view: PageView) -> None:
    """Put a view into the page that MkDocs is about to write."""
    page.content = "".join(html(block) for block in view.blocks)
    page.toc = contents(view.blocks)
    page.meta["title"] = page.title = escape(view.title)
    page.meta["description"] = escape(view.description)
    page.present_anchor_ids = {block.heading.id for block in view.blocks if block.heading}


def html(block: Block) -> Markup:
    """A block as HTML, with the permanent link that the theme shows beside headings."""
    inner = block.html + "\n" if block.html else Markup("")
    if heading := block.heading:
        shape = _HEADING if heading.level == 1 else _LINKED_HEADING
        inner = shape.format(heading.level, heading.id, heading.html) + inner
    return _BOX.format(block.box, inner) if block.box else inner


def contents(blocks: Sequence[Block]) -> TableOfContents:
    """The table of contents of blocks, nested by the level of their headings."""
    top: list[AnchorLink] = []
    open_: list[AnchorLink] = []
    for heading in (block.heading for block in blocks):
        if heading is None:
            continue
        link = AnchorLink(str(Markup.escape(heading.label)), heading.id, heading.level)
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        (open_[-1].children if open_ else top).append(link)
        open_.append(link)
    return TableOfContents(top)


def show_as_text(page: Page) -> None:
    """Let title, front matter and edit link of a page be text to the theme, which takes all of them as HTML."""
    page.title = _text(str(page.title))
    if page.edit_url:
        page.edit_url = escape(page.edit_url)
    page.meta = {key: _shown(value) for key, value in page.meta.items()}
    if not page.is_homepage:
        # Without this, the theme makes the document's title from the other one by undoing its escapes.
        page.meta.setdefault("title", page.title)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return [_shown(each) for each in value]
    return {key: _shown(each) for key, each in value.items()} if isinstance(value, dict) else value


def _text(text: str) -> Markup:
    return escape(unescape(text))
