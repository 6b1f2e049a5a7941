"""AriGraph as it stands in the repository and in its published data, against the facts taken from the reports.

The facts lie beside the repository, in `shared/facts/`, and not in it; without them there is nothing to compare.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from recordweave.project import SystemProject, load
from recordweave.records.collection import Collection
from recordweave.records.ids import mentions
from recordweave.records.model import Row
from recordweave.records.values import Evidence, Group, Items, Plain, Term
from tests.site.build import REPOSITORY

FACTS = REPOSITORY.parent / "shared" / "facts" / "arigraph.json"

pytestmark = pytest.mark.skipif(not FACTS.exists(), reason=f"there are no facts at {FACTS}")


@pytest.fixture(scope="module")
def facts() -> Any:
    return json.loads(FACTS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def system() -> SystemProject:
    return load(REPOSITORY, REPOSITORY / "records", REPOSITORY / "docs").systems["arigraph"]


@pytest.fixture(scope="module")
def collection(system) -> Collection:
    assert system.collection is not None
    found: Collection = system.collection
    return found


@pytest.fixture(scope="module")
def data(published) -> Any:
    return json.loads((published.site.folder / "arigraph" / "records.json").read_text(encoding="utf-8"))


@pytest.fixture(params=["epistemic", "workflow"])
def member(request) -> str:
    name: str = request.param
    return name


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


def test_members_are_those_of_the_facts(facts, collection):
    published = [member.name for member in collection.system.members if member.published]
    assert sorted(published) == sorted(facts["members"])


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


def test_declarations_in_the_files(facts, collection, member):
    found = []
    for record in collection.records:
        if record.member == member:
            fields = record.value("fields")
            number = len(fields.fields) if isinstance(fields, Group) else 0
            found.append(record_facts(record.id, record.label, record.part_of or None, record.status, number))
    assert found == facts["members"][member]["declared"]


def test_declarations_in_the_data(facts, data, member):
    found = [
        record_facts(each["id"], each["label"], each["part_of"], each["status"], len(each.get("fields", ())))
        for each in data["records"]
        if each["member"] == member
    ]
    assert found == facts["members"][member]["declared"]


def test_annotations(facts, collection, data, member):
    expected = facts["members"][member]["annotates"]
    assert [each.on for each in collection.annotations_by(member)] == expected
    assert [each["on"] for each in data["annotations"] if each["member"] == member] == expected


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


def test_ledger_in_the_data(facts, data, member):
    keys = ("routes", "function", "status", "objects", "relation", "claims")
    found = [
        {**{key: row[key] for key in keys}, "evidence": published_evidence(row)} for row in rows(data, "ledger", member)
    ]
    assert found == facts["members"][member]["ledger"]


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


def test_claim_comparison(facts, collection, data, member):
    expected = facts["members"][member]["claim_comparison"]
    in_files = [
        {"claim": row.ids("claim")[0], "implemented_routes": list(row.ids("routes"))}
        for row in collection.rows(member, "claim-comparison")
    ]
    in_data = [{"claim": row["claim"], "implemented_routes": row["routes"]} for row in rows(data, "claims", member)]
    assert in_files == expected
    assert in_data == expected


def mentions_in(member: str) -> Counter[str]:
    """How often each ID stands in a member's files and page, its declaration included, as the facts count it.

    The files are taken as text: neither YAML nor Markdown is understood.
    """
    found: Counter[str] = Counter()
    for path in [*REPOSITORY.glob(f"records/arigraph/{member}/*.yml"), REPOSITORY / f"docs/arigraph/{member}.md"]:
        found.update(each.id for each in mentions(Path(path).read_text(encoding="utf-8")))
    return found


def test_no_citation_was_lost(facts, member):
    """Each member cites each record at least as often as its report does."""
    found = mentions_in(member)
    fewer = {
        record_id: (found[record_id], count)
        for record_id, count in facts["members"][member]["cited"].items()
        if found[record_id] < count
    }
    assert fewer == {}
