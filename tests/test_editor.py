"""What an author sees in an editor: the settings and modelines that ship, and what yaml-language-server makes of them.

The server is the real one, driven over its own protocol as an editor drives it, and kept from the network.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from recordweave.sources import schemas
from recordweave.sources.repository import STEMS
from recordweave.sources.yaml_reader import Document, read
from tests.editor.server import PROGRAM, Server

REPOSITORY = Path(__file__).parents[1]
SETTINGS: dict[str, Any] = json.loads((REPOSITORY / ".vscode" / "settings.json").read_text(encoding="utf-8"))
SCHEMAS = schemas.load()
SHIPPED = [path.relative_to(REPOSITORY).as_posix() for path in sorted(REPOSITORY.glob("records/**/*.yml"))]
WRITTEN = ("system", *STEMS)
"""The schemas of the files that authors write."""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("editor") / "errors.txt"


@pytest.fixture(scope="module")
def server(errors: Path) -> Iterator[Server]:
    """One server for all tests, with the settings that ship. Each test opens files of names of its own."""
    assert PROGRAM.exists(), "the language server is not installed: make editor"
    with Server(REPOSITORY, SETTINGS, errors) as running:
        yield running


def named(stem: str, folder: str) -> str:
    """A file, which need not be there, that the settings take for one of a kind."""
    return f"records/{folder}/system.yml" if stem == "system" else f"records/{folder}/member/{stem}.yml"


def entries(stem: str) -> tuple[str, Mapping[str, Any]]:
    """The key of a file's list, and the schema of what stands in it."""
    ((key, schema),) = SCHEMAS.by_name[stem]["properties"].items()
    return key, schema["items"]


def marked(text: str) -> tuple[str, int, int]:
    """A text without the mark `^`, and the line and column at which it stands."""
    before, after = text.split("^")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def completed(server: Server, file: str, text: str) -> dict[str, tuple[str, str]]:
    """What is offered in an unsaved text where the mark stands."""
    plain, line, column = marked(text)
    server.open(file, plain)
    return server.complete(file, line, column)


def test_the_settings_name_the_schema_of_every_kind_of_file() -> None:
    of_members = {f"./schemas/{stem}.schema.json": f"records/*/*/{stem}.yml" for stem in STEMS}
    assert SETTINGS["yaml.schemas"] == {"./schemas/system.schema.json": "records/*/system.yml", **of_members}
    assert SETTINGS["yaml.schemaStore.enable"] is False
    for name in SETTINGS["yaml.schemas"]:
        assert (REPOSITORY / name).is_file()


@pytest.mark.parametrize("file", SHIPPED)
def test_every_file_that_ships_names_its_schema(file: str) -> None:
    path = REPOSITORY / file
    first = path.read_text(encoding="utf-8").split("\n")[0]
    modeline = re.fullmatch(r"# yaml-language-server: \$schema=((?:\.\./)+schemas/[a-z-]+\.schema\.json)", first)
    assert modeline, first
    assert (path.parent / modeline[1]).resolve() == REPOSITORY / "schemas" / f"{path.stem}.schema.json"


def test_every_file_that_ships_is_without_fault(server: Server) -> None:
    for file in SHIPPED:
        server.open(file)
    assert {file: server.diagnostics(file) for file in SHIPPED} == {file: [] for file in SHIPPED}
    for file in SHIPPED:
        schema = REPOSITORY / "schemas" / f"{Path(file).stem}.schema.json"
        assert f"[{schema.name}]({schema.as_uri()})" in server.hover(file, 2, 1)


def test_a_modeline_needs_no_settings(server: Server) -> None:
    """In a file whose name and folder say nothing."""
    text = "# yaml-language-server: $schema=../schemas/coverage.schema.json\nrow: []\n"
    server.open("elsewhere/notes.yml", text)
    assert server.diagnostics("elsewhere/notes.yml") == [
        '2:1: Missing property "rows".',
        "2:1: Property row is not allowed.",
    ]


@pytest.mark.parametrize("stem", STEMS)
def test_the_keys_that_are_not_there_yet_are_offered_and_explained(server: Server, stem: str) -> None:
    key, schema = entries(stem)
    first, *others = schema["properties"]
    offered = completed(server, named(stem, "keys"), f"{key}:\n  - {first}: x\n    ^\n")
    assert {each: offered[each][1] for each in others} == {
        each: schema["properties"][each]["description"] for each in others
    }
    assert first not in offered
    for each in others:
        assert offered[each][0].startswith(f"{each}:")


def test_the_keys_of_a_system_are_offered_and_explained(server: Server) -> None:
    properties = SCHEMAS.by_name["system"]["properties"]
    offered = completed(server, named("system", "keys"), "label: x\n^\n")
    assert {key: offered[key][1] for key in properties if key != "label"} == {
        key: each["description"] for key, each in properties.items() if key != "label"
    }


@pytest.mark.parametrize(
    ("stem", "vocabulary", "text"),
    [
        ("ledger", "route_function", "rows:\n  - function: ^\n"),
        ("ledger", "architectural_status", "rows:\n  - status: ^\n"),
        ("ledger", "content_relation", "rows:\n  - relation: ^\n"),
        ("routes", "conclusion_status", "records:\n  - status:\n      operation: ^\n"),
        ("routes", "evidence_layer", "records:\n  - evidence:\n      - layer: ^\n"),
        ("paths", "force", "records:\n  - force:\n      - ^\n"),
        ("system", "target_class", "label: x\ntarget_class: ^\n"),
        ("system", "evidence_tier", "label: x\nevidence_tier: ^\n"),
        ("system", "boundary_kind", "boundary:\n  kind: ^\n"),
        ("system", "source_kind", "sources:\n  - kind: ^\n"),
        ("system", "publication", "members:\n  - publication: ^\n"),
    ],
)
def test_controlled_values_are_offered_and_explained(server: Server, stem: str, vocabulary: str, text: str) -> None:
    known = SCHEMAS.vocabularies[vocabulary]
    offered = completed(server, named(stem, f"values-of-{vocabulary}"), text)
    assert {yaml.safe_load(inserted): meaning for inserted, meaning in offered.values()} == {
        value: meaning for value, meaning in known.meanings.items() if value not in known.described
    }


def test_a_value_that_comes_with_a_description_is_offered_as_a_key(server: Server) -> None:
    text = "rows:\n  - function:\n      o^\n"
    known = SCHEMAS.vocabularies["route_function"]
    assert completed(server, named("ledger", "described"), text)["other"] == ("other: ", known.meanings["other"])


def sample(schema: Mapping[str, Any]) -> Any:
    """A value with every key that the schema knows, whether or not they go together."""
    target = SCHEMAS.resolve(schema)[1]
    if "enum" in target.get("then", target):
        return target.get("then", target)["enum"][0]
    if "properties" in target:
        return {key: sample(each) for key, each in target["properties"].items()}
    if "items" in target:
        return [sample(target["items"])]
    if isinstance(target.get("additionalProperties"), dict):
        name = sample(target["propertyNames"])
        return {name: sample(target["additionalProperties"])}
    return "x"


def keys(schema: Mapping[str, Any], value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Every key of a sample that the schema explains: the way to it, and its schema."""
    target = SCHEMAS.resolve(schema)[1]
    if isinstance(value, list):
        yield from keys(target["items"], value[0], (*way, 0))
    elif isinstance(value, dict):
        for key, each in target.get("properties", {}).items():
            yield (*way, key), each
            yield from keys(each, value[key], (*way, key))


@pytest.mark.parametrize("stem", WRITTEN)
def test_a_key_is_explained_under_the_pointer(server: Server, stem: str) -> None:
    """And where it has a controlled value, the value as well, and all that could stand there."""
    schema = SCHEMAS.by_name[stem]
    value = sample(schema)
    file, text = named(stem, "pointer"), yaml.safe_dump(value, sort_keys=False)
    server.open(file, text)
    document, _ = read(text, file)
    assert isinstance(document, Document)
    explained = list(keys(schema, value))
    assert len(explained) > 3
    for way, each in explained:
        place = document.place(way, key=True)
        shown = server.hover(file, place.line, place.column + 1)
        name, target = SCHEMAS.resolve(each)
        assert each["description"] in shown, (way, shown)
        if name in SCHEMAS.vocabularies and "enum" in target.get("then", target):
            known = SCHEMAS.vocabularies[name]
            for one in set(known.meanings) - known.described:
                assert f"`: {known.meanings[one]}\n" in shown
            there = document.place(way)
            assert server.hover(file, there.line, there.column) == shown


def test_what_is_wrong_is_said_in_a_line(server: Server) -> None:
    """A wrong value, a wrong ID, a key that is none, and one that is missing, in a file that is not saved."""
    file = "records/arigraph/epistemic/ledger.yml"
    text = (REPOSITORY / file).read_text(encoding="utf-8")
    for right, wrong in (
        ("status: implemented", "status: implemnted"),
        ("function: content transformation", "function: transformation"),
        ("objects: [EPI-OBJ-observation-text]", "objects: [epi-obj-observation-text]"),
        ("target:", "tagret:"),
        ("see: [route]", "see: [routes]"),
    ):
        assert right in text
        text = text.replace(right, wrong, 1)
    functions = SCHEMAS.by_name["vocabularies"]["$defs"]["route_function"]["then"]["enum"]
    statuses = SCHEMAS.by_name["vocabularies"]["$defs"]["architectural_status"]["enum"]
    server.open(named("ledger", "wrong"), text.split("\n", 1)[1])
    assert server.diagnostics(named("ledger", "wrong")) == [
        '2:5: Missing property "target".',
        f"3:15: Value is not accepted. Valid values: {', '.join(map(json.dumps, functions))}.",
        f"4:13: Value is not accepted. Valid values: {', '.join(map(json.dumps, statuses))}.",
        "5:15: This is not a record's ID, such as EPI-RTE-answer-match.",
        "7:5: Property tagret is not allowed.",
        "8:23: This is none of route, record and a record's ID.",
    ]


def test_nothing_is_asked_of_the_network(server: Server, errors: Path, tmp_path: Path) -> None:
    """With the settings that ship; without them the server would fetch a catalogue of schemas."""
    server.open(named("claims", "network"), "records: []\n")
    assert server.diagnostics(named("claims", "network")) != []
    assert errors.read_text(encoding="utf-8") == ""
    others = tmp_path / "errors.txt"
    with Server(REPOSITORY, {}, others) as asking:
        asking.open(named("claims", "network"), "records: []\n")
        asking.diagnostics(named("claims", "network"))
    assert others.read_text(encoding="utf-8") == "connects to www.schemastore.org\n"
