"""The reference: what the code and the schemas say of themselves, so that the documentation cannot fall behind them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from recordweave.records.model import Vocabulary, slug
from recordweave.views import inline
from recordweave.views.blocks import Block, Heading
from recordweave.views.view import render

Schema = Mapping[str, Any]


def _text(markdown: str) -> Markup:
    return inline.render(markdown, lambda record_id, text: escape(text or record_id))


def _heading(title: str) -> Heading:
    return Heading(2, slug(title), Markup("{}").format(title), title)


def vocabularies(known: Mapping[str, Vocabulary]) -> tuple[Block, ...]:
    """Every vocabulary with its values and their meanings."""
    return tuple(
        Block(render("vocabularies.html.j2", vocabulary=each), _heading(each.title)) for each in known.values()
    )


def files(schemas: Mapping[str, Schema]) -> tuple[Block, ...]:
    """Every kind of file with its keys."""
    blocks = []
    for name, schema in schemas.items():
        if "$defs" in schema or name == "records":
            continue
        keys = list(_keys(schema, schemas))
        html = render("keys.html.j2", file=f"{name}.yml", description=_text(schema["description"]), keys=keys)
        blocks.append(Block(html, _heading(schema["title"])))
    return tuple(blocks)


def _keys(schema: Schema, schemas: Mapping[str, Schema], depth: int = 0) -> Iterator[dict[str, Any]]:
    for key, each in schema.get("properties", {}).items():
        file, _, name = str(each.get("$ref", "")).partition(".schema.json#/$defs/")
        title = schemas["vocabularies"]["$defs"][name]["title"] if file == "vocabularies" else ""
        yield {
            "name": key,
            "depth": depth,
            "title": each["title"],
            "required": key in schema.get("required", ()),
            "description": _text(each["description"]),
            "vocabulary": title,
        }
        inner = each.get("items", each)
        if isinstance(inner, Mapping) and "properties" in inner:
            yield from _keys(inner, schemas, depth + 1)


def definitions(told: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """Names with what they mean: macros, commands, codes of diagnostics."""
    texts = [(name, _text(text)) for name, text in told]
    return (Block(render("definitions.html.j2", definitions=texts)),)
