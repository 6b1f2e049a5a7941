"""The systems as they stand in the repository and in their published data, against facts taken from the reports.

The facts lie beside the repository, a file for each system in `shared/facts/`, and not in it; without them there is
nothing to compare.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recordweave.project import Project, load
from recordweave.records.collection import Collection
from recordweave.records.ids import mentions
from recordweave.records.model import Row
from recordweave.records.values import Evidence, Group, Items, Plain, Term
from tests.site.build import REPOSITORY

FILES = {path.stem: path for path in sorted((REPOSITORY.parent / "shared" / "facts").glob("*.json"))}
FACTS: dict[str, Any] = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
MEMBERS = [(system, member) for system, told in FACTS.items() for member in told["members"]]

HIPPORAG = "https://github.com/OSU-NLP-Group/HippoRAG"
COMMIT = "d5c8329422e0a0b834a15874545cb6a74b4f9b26"

pytestmark = pytest.mark.skipif(not FACTS, reason="there are no facts beside the repository")
of_each_system = pytest.mark.parametrize("system", FACTS)
of_each_member = pytest.mark.parametrize(("system", "member"), MEMBERS, ids="-".join)


@cache
def project() -> Project:
    return load(REPOSITORY, REPOSITORY / "records", REPOSITORY / "docs")


@pytest.fixture
def facts(system) -> Any:
    return FACTS[system]


@pytest.fixture
def collection(system) -> Collection:
    found = project().systems[system].collection
    assert found is not None
    return found


@pytest.fixture
def data(published, system) -> Any:
    return json.loads((published.site.folder / system / "records.json").read_text(encoding="utf-8"))


def test_every_system_is_held_to_its_facts():
    assert {name: told["system"] for name, told in FACTS.items()} == {name: name for name in project().systems}


def term(row: Row, key: str) -> str:
    value = row.value(key)
    assert isinstance(value, Term)
    return value.value


def first_evidence(row: Row) -> str:
    value = row.value("evidence")
    assert isinstance(value, Items)
    place = value.items[0]
    assert isinstance(place, Evidence)
    return f"{place.source}, {place.path}"


def paths(row: Row) -> list[str]:
    value = row.value("paths")
    assert isinstance(value, Items)
    return [each.text for each in value.items if isinstance(each, Plain)]


def cited(row: Row) -> list[str]:
    """The records that a row's texts mention, in order, each once."""
    return list(dict.fromkeys(each.id for _, markdown in row.texts() for each in mentions(markdown)))


@of_each_system
def test_members_are_those_of_the_facts(facts, collection):
    published = [member.name for member in collection.system.members if member.published]
    assert sorted(published) == sorted(facts["members"])


@of_each_system
def test_declared_and_withheld_records(facts, collection, data):
    assert sorted(record.id for record in collection.records) == facts["declared"]
    assert sorted(collection.withheld) == facts["withheld_cited"]
    assert sorted(each["id"] for each in data["records"] if each["declared"]) == facts["declared"]
    assert sorted(each["id"] for each in data["records"] if not each["declared"]) == facts["withheld_cited"]


def record_facts(
    record_id: str, label: str, part_of: str | None, status: dict[str, str], route_fields: int
) -> dict[str, Any]:
    """A declaration as the facts have it: what a kind does not have is left out."""
    told: dict[str, Any] = {"part_of": part_of, "status": status, "route_fields": route_fields}
    return {"id": record_id, "label": label} | {key: value for key, value in told.items() if value}


@of_each_member
def test_declarations_in_the_files(facts, collection, member):
    found = []
    for record in collection.records:
        if record.member == member:
            fields = record.value("fields")
            number = len(fields.fields) if isinstance(fields, Group) else 0
            found.append(record_facts(record.id, record.label, record.part_of or None, record.status, number))
    assert found == facts["members"][member]["declared"]


@of_each_member
def test_declarations_in_the_data(facts, data, member):
    found = [
        record_facts(each["id"], each["label"], each["part_of"], each["status"], len(each.get("fields", ())))
        for each in data["records"]
        if each["member"] == member
    ]
    assert found == facts["members"][member]["declared"]


@of_each_member
def test_annotations(facts, collection, data, member):
    expected = facts["members"][member]["annotates"]
    assert [each.on for each in collection.annotations_by(member)] == expected
    assert [each["on"] for each in data["annotations"] if each["member"] == member] == expected


@of_each_member
def test_ledger_in_the_files(facts, collection, member):
    found = [
        {
            "routes": list(row.ids("routes")),
            "function": term(row, "function"),
            "status": term(row, "status"),
            "objects": list(row.ids("objects")),
            "relation": term(row, "relation"),
            "evidence": first_evidence(row),
            "claims": list(row.ids("claims")),
        }
        for row in collection.rows(member, "ledger")
    ]
    assert found == facts["members"][member]["ledger"]


def rows(data: Any, table: str, member: str) -> list[Any]:
    return [row for row in data["tables"][table] if row["member"] == member]


def published_evidence(row: Any) -> str:
    return f"{row['evidence'][0]['source']}, {row['evidence'][0]['path']}"


@of_each_member
def test_ledger_in_the_data(facts, data, member):
    keys = ("routes", "function", "status", "objects", "relation", "claims")
    found = [
        {**{key: row[key] for key in keys}, "evidence": published_evidence(row)} for row in rows(data, "ledger", member)
    ]
    assert found == facts["members"][member]["ledger"]


@of_each_member
def test_inventory(facts, collection, data, member):
    expected = facts["members"][member]["inventory"]
    in_files = [
        {"objects": list(row.ids("objects")), "evidence": first_evidence(row)}
        for row in collection.rows(member, "inventory")
    ]
    in_data = [
        {"objects": row["objects"], "evidence": published_evidence(row)} for row in rows(data, "inventory", member)
    ]
    assert in_files == expected
    assert in_data == expected


@of_each_member
def test_coverage(facts, collection, data, member):
    expected = facts["members"][member]["coverage"]
    in_files = [
        {"operation_no": row.number, "paths": paths(row), "cited": cited(row)}
        for row in collection.rows(member, "coverage")
    ]
    in_data = [
        {"operation_no": row["number"], "paths": row["paths"], "cited": row["cited"]}
        for row in rows(data, "coverage", member)
    ]
    assert in_files == expected
    assert in_data == expected


@of_each_member
def test_claim_comparison(facts, collection, data, member):
    expected = facts["members"][member]["claim_comparison"]
    in_files = [
        {"claim": row.ids("claim")[0], "implemented_routes": list(row.ids("routes"))}
        for row in collection.rows(member, "claim-comparison")
    ]
    in_data = [{"claim": row["claim"], "implemented_routes": row["routes"]} for row in rows(data, "claims", member)]
    assert in_files == expected
    assert in_data == expected


def mentions_in(system: str, member: str) -> Counter[str]:
    """How often each ID stands in a member's files and page, its declaration included, as the facts count it.

    The files are taken as text: neither YAML nor Markdown is understood.
    """
    found: Counter[str] = Counter()
    for path in [*REPOSITORY.glob(f"records/{system}/{member}/*.yml"), REPOSITORY / f"docs/{system}/{member}.md"]:
        found.update(each.id for each in mentions(Path(path).read_text(encoding="utf-8")))
    return found


def strings(value: Any) -> Iterator[str]:
    """Every text in a piece of data, but for addresses and the lists that are made from other texts."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in ("url", "cited", "cited_by"):
                yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def mentions_in_data(data: Any, member: str) -> Counter[str]:
    """The same for what is published of a member: its records, rows and annotations, and what its page cites."""
    entries = [each for each in data["records"] if each["member"] == member]
    entries += [row for table in data["tables"].values() for row in table if row["member"] == member]
    entries += [each for each in data["annotations"] if each["member"] == member]
    found = Counter(each.id for entry in entries for text in strings(entry) for each in mentions(text))
    (page,) = (each["url"] for each in data["members"] if each["name"] == member)
    for record in data["records"]:
        found[record["id"]] += sum(each["url"].startswith(f"{page}#ref-") for each in record["cited_by"])
    return found


@of_each_member
@pytest.mark.parametrize("where", ["files", "data"])
def test_no_citation_was_lost(facts, data, system, member, where):
    """Each member cites each record at least as often as its report does."""
    found = mentions_in(system, member) if where == "files" else mentions_in_data(data, member)
    fewer = {
        record_id: (found[record_id], count)
        for record_id, count in facts["members"][member]["cited"].items()
        if found[record_id] < count
    }
    assert fewer == {}


def places(value: Any) -> Iterator[Any]:
    """Every place in a source that a piece of data names as evidence."""
    if isinstance(value, dict):
        if "source" in value and "path" in value:
            yield value
        for each in value.values():
            yield from places(each)
    elif isinstance(value, list):
        for each in value:
            yield from places(each)


def frozen(path: str) -> str:
    """The permanent page of a path in HippoRAG's repository; of a folder where it ends like one."""
    return f"{HIPPORAG}/{'tree' if path.endswith('/') else 'blob'}/{COMMIT}/{path.rstrip('/')}"


@pytest.mark.skipif("hipporag" not in FACTS, reason="there are no facts on HippoRAG")
@pytest.mark.parametrize("system", ["hipporag"])
def test_the_evidence_on_hipporag_leads_to_the_frozen_commit(published, data):
    """In the data and on every page: the repository and the commit are named, and places are on the commit's pages."""
    (source,) = data["sources"]
    assert (source["repository"], source["revision"]) == (HIPPORAG, COMMIT)
    assert source["url"] == f"{HIPPORAG}/tree/{COMMIT}"
    found = list(places(data))
    assert len(found) > 30
    for place in found:
        assert place["url"].partition("#")[0] == frozen(place["path"])
    covered = [frozen(path) for row in data["tables"]["coverage"] for path in row["paths"]]
    site = published.site
    linked: set[str] = set()
    for file in (each for each in site.pages if each.startswith("hipporag/")):
        article = site.article(file)
        hrefs = (link.attributes.get("href", "") for link in article.find("a")) if article else ()
        linked |= {href for href in hrefs if "github.com" in href}
    assert linked == {HIPPORAG, source["url"], *covered, *(place["url"] for place in found)}
