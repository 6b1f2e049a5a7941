"""The published data of every system: its schema is strict and keeps step with the files, and the data agrees with
files and pages."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from recordweave.project import load
from recordweave.records.ids import KINDS
from recordweave.sources import schemas
from tests.site.build import MODES, REPOSITORY

SCHEMA = schemas.load().by_name["records"]
DEFINITIONS = {
    "components": "component",
    "objects": "object",
    "routes": "route",
    "claims": "claim",
    "absences": "absence",
    "paths": "path",
}
TABLES = {
    "coverage": "coverage",
    "inventory": "inventory",
    "ledger": "ledger",
    "claims": "claim-comparison",
    "integration_issues": "integration-issues",
    "amendments": "amendments",
    "supersessions": "supersessions",
}
MAPS = {"form", "status"}
"""What has keys of the authors' own, or none."""

FORM = ("holder", "use")
SYSTEMS = sorted(path.parent.name for path in (REPOSITORY / "records").glob("*/system.yml"))


def data_of(site: Any, system: str) -> Any:
    return json.loads((site.folder / system / "records.json").read_text(encoding="utf-8"))


@pytest.fixture(params=SYSTEMS)
def system(request) -> str:
    name: str = request.param
    return name


@pytest.fixture
def data(published, system) -> Any:
    return data_of(published.site, system)


def objects(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every object in the data whose keys are the schema's."""
    if isinstance(value, dict):
        if not (way and way[-1] in MAPS):
            yield way
        for key, each in value.items():
            yield from objects(each, (*way, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from objects(each, (*way, index))


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_the_data_keeps_to_its_schema(published_in, mode, system):
    known = schemas.load()
    data = data_of(published_in(mode).site, system)
    assert [f"{error.json_path}: {error.message}" for error in known.errors("records", data)] == []
    assert known.is_valid("records", data)


def test_no_object_may_hold_what_the_schema_does_not_know(data):
    known = schemas.load()
    shapes = {tuple("*" if isinstance(step, int) else step for step in way): way for way in objects(data)}
    assert len(shapes) > 12
    for way in shapes.values():
        at(data, way)["unheard-of"] = "x"
        assert not known.is_valid("records", data), f"a stranger at {way}"
        del at(data, way)["unheard-of"]
    assert known.is_valid("records", data)


def changed(way: tuple[Any, ...], value: Any, system: str = "arigraph") -> Any:
    return pytest.param(system, way, value, id=f"{system}:{'.'.join(map(str, way))}={value}")


def in_hipporag(way: tuple[Any, ...], value: Any) -> Any:
    """The first record of HippoRAG is an object with several storage forms, and it alone has integration issues."""
    return changed(way, value, "hipporag")


STORAGE = ("records", 0, "substrate")
ISSUE = ("tables", "integration_issues", 0)


@pytest.mark.parametrize(
    ("system", "way", "value"),
    [
        changed(("system",), "Ari Graph"),
        changed(("label",), " "),
        changed(("boundary",), None),
        changed(("boundary", "statement"), None),
        changed(("sources", 0, "kind"), "tarball"),
        changed(("sources", 0, "id"), "SRC-0"),
        changed(("sources", 0, "repository"), None),
        changed(("sources", 0, "url"), "javascript:alert(1)"),
        changed(("sources", 0, "layers", 0), "hearsay"),
        changed(("members", 0, "publication"), "published"),
        changed(("members", 1, "publication"), "withheld"),
        changed(("members", 1, "url"), "/workflow/"),
        changed(("members", 1, "url"), "../workflow/"),
        changed(("records", 0, "kind"), "route"),
        changed(("records", 0, "declared"), False),
        changed(("records", 0, "id"), "epi-obj-observation-text"),
        changed(("records", 0, "label"), None),
        changed(("records", 0, "part_of"), "the game"),
        changed(("records", 0, "url"), "https://example.org/records/x/"),
        changed(("records", 0, "status"), {"implementation": "wired"}),
        changed(("records", 0, "form"), {"musical": "A tune."}),
        changed(("records", 0, "evidence"), []),
        changed(("records", 0, "evidence", 0, "path"), "../x"),
        changed(("records", 0, "cited_by", 0, "url"), "https://example.org/"),
        changed(("records", -1, "label"), "Known after all"),
        changed(("records", -1, "kind"), "rumour"),
        changed(("tables", "ledger", 0, "function"), "wishful thinking"),
        changed(("tables", "ledger", 0, "function"), "other"),
        changed(("tables", "ledger", 0, "function_description"), "Needless."),
        changed(("tables", "ledger", 0, "routes"), []),
        changed(("tables", "ledger", 0, "number"), 0),
        changed(("tables", "ledger", 0, "url"), "epistemic/"),
        changed(("tables", "ledger", 0, "result"), {"see": []}),
        changed(("tables", "ledger", 0, "cited"), None),
        changed(("tables", "claims", 0, "claim"), ["RT-CLM-memory-performance"]),
        changed(("tables", "coverage", 0, "paths"), ["/etc/passwd"]),
        changed(("tables", "ledger", 0, "cited"), ["AriGraph:EPI-OBJ-answer"]),
        changed(("annotations", 0, "on"), "SRC-1"),
        changed(("annotations", 0, "on"), "ace:EPI-OBJ-judgement"),
        in_hipporag(STORAGE, []),
        in_hipporag(STORAGE, ["A file."]),
        in_hipporag(STORAGE, " "),
        in_hipporag(STORAGE, None),
        in_hipporag(STORAGE, {"holder": "A file."}),
        in_hipporag(STORAGE, {"inapplicable": "A.", "uninspected": "B."}),
        in_hipporag(STORAGE, [{"use": "For nothing."}]),
        in_hipporag((*STORAGE, 0), {"holder": "A file.", "size": "Big."}),
        in_hipporag((*STORAGE, 0, "holder"), ""),
        in_hipporag((*STORAGE, 0, "holder"), {"uninspected": "Nobody looked."}),
        in_hipporag((*STORAGE, 0, "use"), None),
        in_hipporag((*ISSUE, "issue"), " "),
        in_hipporag((*ISSUE, "issue"), None),
        in_hipporag((*ISSUE, "account"), ""),
        in_hipporag((*ISSUE, "concerns"), []),
        in_hipporag((*ISSUE, "concerns"), None),
        in_hipporag((*ISSUE, "concerns"), ["RT-RTE-a", "RT-RTE-a"]),
        in_hipporag((*ISSUE, "concerns"), ["ace:EPI-OBJ-judgement"]),
        in_hipporag((*ISSUE, "concerns"), ["SRC-1"]),
        in_hipporag((*ISSUE, "evidence"), []),
        in_hipporag((*ISSUE, "evidence", 0, "path"), "/etc/passwd"),
        in_hipporag((*ISSUE, "number"), 0),
        in_hipporag((*ISSUE, "url"), "memory/"),
        in_hipporag((*ISSUE, "cited"), None),
        in_hipporag(("tables", "integration_issues"), None),
        changed(("tables", "amendments"), None),
        changed(("tables", "supersessions"), {}),
        changed(("records", 0, "superseded_by"), None),
        changed(("records", 0, "superseded_by"), ["SRC-1"]),
        changed(("records", -1, "superseded_by"), "EPI-OBJ-answer"),
        changed(("records", 0, "supersedes"), ["ace:EPI-OBJ-judgement"]),
        changed(("records", -1, "supersedes"), ["EPI-OBJ-answer", "EPI-OBJ-answer"]),
    ],
)
def test_the_schema_refuses(data, system, way, value):
    """Each of them in the real data; both validators agree."""
    known = schemas.load()
    wrong = copy.deepcopy(data)
    at(wrong, way[:-1])[way[-1]] = value
    assert not known.is_valid("records", wrong)
    assert list(known.errors("records", wrong))


@pytest.mark.parametrize(
    ("system", "way", "value"),
    [
        changed(("tables", "ledger", 0, "cited"), ["ace:EPI-OBJ-judgement"]),
        in_hipporag(STORAGE, "A file."),
        in_hipporag(STORAGE, {"uninspected": "Nobody looked."}),
        in_hipporag(STORAGE, [{"holder": "A file."}, {"holder": "A table.", "use": "Looking up."}]),
        in_hipporag((*ISSUE, "concerns"), ["RTE-4"]),
        in_hipporag(("tables", "integration_issues"), []),
        changed(("records", 0, "superseded_by"), ["EPI-OBJ-answer", "RT-RTE-a"]),
        changed(("records", -1, "supersedes"), ["EPI-OBJ-answer"]),
    ],
)
def test_the_schema_takes(data, system, way, value):
    """What is nearest to what it refuses."""
    known = schemas.load()
    at(data, way[:-1])[way[-1]] = value
    assert known.is_valid("records", data)
    assert list(known.errors("records", data)) == []


@pytest.mark.parametrize("table", TABLES)
def test_no_table_may_be_missing(data, table):
    del data["tables"][table]
    assert not schemas.load().is_valid("records", data)


@pytest.mark.parametrize("key", ["system", "sources", "members", "records", "tables", "annotations"])
def test_nothing_may_be_missing(data, key):
    assert not schemas.load().is_valid("records", {name: each for name, each in data.items() if name != key})


def subschemas(schema: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        yield way, schema
        for key, each in schema.items():
            yield from subschemas(each, f"{way}/{key}")
    elif isinstance(schema, list):
        for index, each in enumerate(schema):
            yield from subschemas(each, f"{way}/{index}")


def test_every_property_says_what_it_is():
    """Objects are closed, and every property of theirs has a title and a description."""
    for way, schema in subschemas(SCHEMA):
        conditional = re.search(r"/(?:if|then|else)\b", way)
        if schema.get("type") == "object" and schema.get("properties") and not conditional:
            assert schema.get("additionalProperties") is False or way == "/properties/records/items", way
            for name, each in schema["properties"].items():
                assert each.get("title"), f"{way}/{name}"
                assert each.get("description", "").endswith("."), f"{way}/{name}"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.stem)
def test_records_have_the_fields_that_the_files_have(kind):
    authored = schemas.load().by_name[kind.stem]["properties"]["records"]["items"]
    told = SCHEMA["$defs"][DEFINITIONS[kind.stem]]
    added = {"kind", "member", "declared", "aliases", "part_of", "status", "superseded_by", "supersedes"}
    added |= {"url", "cited_by"}
    assert told["properties"].keys() - added == authored["properties"].keys() - added
    assert set(told["required"]) - added == set(authored["required"]) - added
    assert told["properties"]["kind"]["const"] == kind.singular


@pytest.mark.parametrize("table", TABLES)
def test_rows_have_the_fields_that_the_files_have(table):
    authored = schemas.load().by_name[TABLES[table]]["properties"]["rows"]["items"]
    told = SCHEMA["properties"]["tables"]["properties"][table]["items"]
    added = {"member", "number", "url", "cited"}
    described = {"function_description", "relation_description"}
    assert told["properties"].keys() - added - described == authored["properties"].keys()
    assert set(told["required"]) - added == set(authored["required"])


def count(value: Any, *keys: str) -> int:
    """How many addresses the records, rows, annotations and citations of a system have to have."""
    return len(value) + sum(len(each[key]) for each in value for key in keys)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_address_in_the_data_resolves(published_in, mode, system):
    """Of every record, citation, row, annotation and published member."""
    site = published_in(mode).site
    data = data_of(site, system)
    index = site.file_of(f"{system}/index")
    followed = 0
    for way in objects(data):
        address = at(data, way).get("url")
        if address is None or address.startswith("https://"):
            continue
        file, anchor = site.follow(index, address)
        assert file.startswith(f"{system}/")
        followed += 1
        match way:
            case ("records", _):
                assert file == site.record_page(system, at(data, way)["id"])
            case ("tables", *_) | ("annotations", _):
                assert anchor
                assert file == site.file_of(f"{system}/{at(data, way)['member']}")
            case ("records", int(number), "cited_by", _):
                place = site.page(file).root.one(id=anchor)
                leads = {site.follow(file, link.attributes["href"])[0] for link in place.find("a", "rw-ref")}
                assert site.record_page(system, data["records"][number]["id"]) in leads
    rows = [row for table in data["tables"].values() for row in table]
    members = [each for each in data["members"] if each["publication"] == "published"]
    assert followed == count(data["records"], "cited_by") + len(rows) + len(data["annotations"]) + len(members)


def test_the_data_has_what_the_files_have(data, system):
    project = load(REPOSITORY, REPOSITORY / "records", REPOSITORY / "docs")
    collection = project.systems[system].collection
    assert collection is not None
    assert [record["id"] for record in data["records"]] == list(collection.ids)
    for record in data["records"]:
        known = collection.record(record["id"])
        assert record["declared"] == (known is not None)
        assert record["aliases"] == (list(known.aliases) if known else [])
        assert record["part_of"] == ((known.part_of or None) if known else None)
        assert record["status"] == (known.status if known else {})
        assert record["superseded_by"] == list(collection.superseded_by(record["id"]))
    for key, table in TABLES.items():
        rows = [(row.member, row.number) for row in collection.analysis.rows if row.table == table]
        assert [(row["member"], row["number"]) for row in data["tables"][key]] == rows
    annotations = [(each.member, each.on) for each in collection.analysis.annotations]
    assert [(each["member"], each["on"]) for each in data["annotations"]] == annotations
    members = [(member.name, member.published) for member in collection.system.members]
    assert [(each["name"], each["publication"] == "published") for each in data["members"]] == members


def authored(system: str, member: str, stem: str, key: str) -> list[Any]:
    """What a member's file holds, without the package's own reader."""
    path = REPOSITORY / "records" / system / member / f"{stem}.yml"
    found: list[Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)[key] if path.exists() else []
    return found


def as_authored(value: Any) -> Any:
    """A piece of the data as an author would have written it."""
    if isinstance(value, list):
        return [as_authored(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {"url", "member", "number", "cited", "cited_by", "kind", "declared", "superseded_by", "supersedes"}
    told = {key: as_authored(each) for key, each in value.items() if key not in made and each not in (None, {})}
    if not told.get("aliases", True):
        del told["aliases"]
    for key in ("function", "relation"):
        if f"{key}_description" in told:
            told[key] = {told[key]: told.pop(f"{key}_description")}
    return told


def test_the_data_says_what_the_files_say(data, system):
    """Word by word and in the same order: records, rows and annotations."""
    compared = 0
    for member in [each["name"] for each in data["members"] if each["publication"] == "published"]:
        for kind in KINDS:
            of_kind = [each for each in data["records"] if (each["member"], each["kind"]) == (member, kind.singular)]
            assert [as_authored(each) for each in of_kind] == authored(system, member, kind.stem, "records")
            compared += len(of_kind)
        for key, table in TABLES.items():
            rows = [each for each in data["tables"][key] if each["member"] == member]
            assert [as_authored(each) for each in rows] == authored(system, member, table, "rows")
            compared += len(rows)
        annotations = [each for each in data["annotations"] if each["member"] == member]
        assert [as_authored(each) for each in annotations] == authored(system, member, "annotations", "annotations")
        compared += len(annotations)
    rows = [row for table in data["tables"].values() for row in table]
    assert compared == sum(each["declared"] for each in data["records"]) + len(rows) + len(data["annotations"])


def test_the_pages_show_each_form_in_which_an_object_is_stored(published):
    """On its own page, in order: what holds it, and what that form is for."""
    seen = 0
    for system in SYSTEMS:
        for record in data_of(published.site, system)["records"]:
            if isinstance(forms := record.get("substrate"), list):
                article = published.site.article(published.site.record_page(system, record["id"]))
                items = article.one("div", "rw-field--substrate").find("li")
                shown = [{key: each.words for key in FORM for each in item.find(css=f"rw-{key}")} for item in items]
                assert shown == [{key: " ".join(form[key].replace("`", "").split()) for key in form} for form in forms]
                seen += len(forms)
    assert seen > 12


def test_the_pages_show_as_many_citations_as_the_data_has(published, data, system):
    site = published.site
    for record in data["records"]:
        article = site.article(site.record_page(system, record["id"]))
        shown = [link for cited in article.find("ul", "rw-cited") for link in cited.find("a")]
        told = [" ".join(each["where"].split()) for each in record["cited_by"]]
        assert sorted(each.words for each in shown) == sorted(told)
