"""The reference: what the code and the schemas say of themselves, so that the documentation cannot fall behind them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from recordweave.records.diagnostic import CODES, Explanation, usual_severity
from recordweave.records.ids import KIND_BY_STEM
from recordweave.records.model import TABLES, Vocabulary, slug
from recordweave.views import inline
from recordweave.views.blocks import Block, Heading
from recordweave.views.view import render, term_anchor

Schema = Mapping[str, Any]


def _text(markdown: str) -> Markup:
    return inline.render(markdown, _unlinked)


def _unlinked(record_id: str, text: str) -> Markup:
    """An ID in what the package itself says, which is of no system that is shown here."""
    return escape(text or record_id)


def _heading(title: str) -> Heading:
    return Heading(2, slug(title), Markup("{}").format(title), title)


def vocabularies(known: Mapping[str, Vocabulary]) -> tuple[Block, ...]:
    """Every vocabulary with its values and their meanings."""
    return tuple(
        Block(render("vocabularies.html.j2", vocabulary=each, anchor=term_anchor), _heading(each.title))
        for each in known.values()
    )


def files(schemas: Mapping[str, Schema]) -> tuple[Block, ...]:
    """Every kind of file with its keys, and the shapes that several of them share."""
    places = {"system": "records/<system>/system.yml"}
    places |= {stem: f"records/<system>/<member>/{stem}.yml" for stem in (*KIND_BY_STEM, *TABLES, "annotations")}
    blocks = [_file(schemas[name], place, schemas) for name, place in places.items()]
    shapes = schemas["common"]["$defs"]
    lead = Markup("<p>{}</p>").format("Shapes that several kinds of file use; the tables above name them.")
    blocks.append(Block(lead, _heading("Shared shapes")))
    blocks.extend(_shape(each, schemas) for each in shapes.values())
    return tuple(blocks)


def _file(schema: Schema, place: str, schemas: Mapping[str, Schema]) -> Block:
    keys = list(_keys(schema, schemas))
    html = render("keys.html.j2", file=place, description=_text(schema["description"]), keys=keys)
    return Block(html, _heading(schema["title"]))


def _shape(schema: Schema, schemas: Mapping[str, Schema]) -> Block:
    keys = list(_keys(schema.get("items", schema), schemas))
    html = render("keys.html.j2", file=schema["title"], description=_text(schema["description"]), keys=keys)
    title = schema["title"]
    return Block(html, Heading(3, f"shape-{slug(title)}", Markup("{}").format(title), title))


def _keys(schema: Schema, schemas: Mapping[str, Schema], depth: int = 0) -> Iterator[dict[str, Any]]:
    for key, each in schema.get("properties", {}).items():
        file, _, name = str(each.get("$ref", "")).partition(".schema.json#/$defs/")
        title = schemas[file]["$defs"][name]["title"] if file else ""
        yield {
            "name": key,
            "depth": depth,
            "title": each["title"],
            "required": key in schema.get("required", ()),
            "description": _text(each["description"]),
            "shape": title if file == "common" and name != "text" else "",
            "shape_anchor": f"shape-{slug(title)}",
            "vocabulary": title if file == "vocabularies" else "",
        }
        inner = each.get("items", each)
        if isinstance(inner, Mapping) and "properties" in inner:
            yield from _keys(inner, schemas, depth + 1)


def definitions(told: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """Names with what they mean: macros and commands."""
    texts = [(name, _text(text)) for name, text in told]
    return (Block(render("definitions.html.j2", definitions=texts)),)


def diagnostics(explanations: Mapping[str, Explanation]) -> tuple[Block, ...]:
    """Every code of a diagnostic with its severity, its sentence, why it is, and an example of wrong and right."""
    return tuple(_diagnostic(code, sentence, explanations[code]) for code, sentence in CODES.items())


def _diagnostic(code: str, sentence: str, explanation: Explanation) -> Block:
    html = render(
        "diagnostic.html.j2",
        severity=usual_severity(code).capitalize(),
        sentence=_text(sentence),
        why=inline.paragraphs(explanation.why, _unlinked),
        examples={"Wrong": explanation.wrong, "Right": explanation.right},
    )
    return Block(html, Heading(2, code, Markup("<code>{}</code>").format(code), code))
