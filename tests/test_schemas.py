"""The schemas: sound and explained throughout, true to the domain's lists, and read alike by both validators."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from recordweave.records.ids import KIND_BY_STEM, RECORD_ID, is_reference
from recordweave.records.model import TABLES
from recordweave.sources import schemas
from recordweave.sources.yaml_reader import read_bytes

SCHEMAS = schemas.load()
ROOTS = (Path(__file__).parents[1], Path(__file__).parent / "checks" / "sound")


def parts(schema: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema inside a schema, with the way to it."""
    if not isinstance(schema, dict):
        return
    yield way, schema
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs", "patternProperties"):
            for name, each in value.items():
                yield from parts(each, f"{way}/{keyword}/{name}")
        elif keyword in ("oneOf", "anyOf", "allOf", "prefixItems"):
            for number, each in enumerate(value):
                yield from parts(each, f"{way}/{keyword}/{number}")
        elif keyword in ("items", "additionalProperties", "propertyNames", "if", "then", "else", "not", "contains"):
            yield from parts(value, f"{way}/{keyword}")


ALL = [(f"{name}{way}", each) for name, schema in SCHEMAS.by_name.items() for way, each in parts(schema)]


@pytest.mark.parametrize("name", SCHEMAS.by_name)
def test_each_is_a_schema_of_the_draft_that_it_names(name: str) -> None:
    schema = SCHEMAS.by_name[name]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]


def test_there_is_one_for_each_file() -> None:
    assert SCHEMAS.by_name.keys() == {
        "common",
        "vocabularies",
        "diagnostics",
        "records",
        "system",
        "annotations",
        *KIND_BY_STEM,
        *TABLES,
    }


def test_every_property_is_explained() -> None:
    """Conditions (`if` and its branches) name properties again, without saying anew what they are."""
    poor = [
        f"{way}/properties/{name}"
        for way, schema in ALL
        if "type" in schema
        for name, each in schema.get("properties", {}).items()
        if not (str(each.get("title", "")).strip() and re.search(r"[.!]\Z", str(each.get("description", ""))))
    ]
    assert poor == []


def test_no_object_takes_just_any_key() -> None:
    """How strict the schema of the published data is, `test_records_json` sees to."""
    lax = [
        way
        for way, schema in ALL
        if "object" in ([schema.get("type")] if isinstance(schema.get("type"), str) else schema.get("type", []))
        and not (schema.get("additionalProperties") is False or isinstance(schema.get("additionalProperties"), dict))
        and not ("else" in schema and schema["else"]["additionalProperties"] is False)
        and not way.startswith("records/")
    ]
    assert lax == []


def test_every_reference_leads_somewhere() -> None:
    for _, schema in ALL:
        if str(schema.get("$ref", "")).startswith("#"):
            continue
        name, target = SCHEMAS.resolve(schema)
        assert target is not None
        assert bool(name) is ("$ref" in schema)


def test_the_schema_of_an_id_is_that_of_the_records() -> None:
    pattern = re.compile(SCHEMAS.by_name["common"]["$defs"]["record_id"]["pattern"])
    for text in ("EPI-RTE-answer-match", "RTE-4", "MEM-OBJ-2", "RTE-game", "rte-4", "X-XXX-y", "A-CMP-a_b", "A-CMP-A"):
        assert bool(pattern.fullmatch(text)) is bool(RECORD_ID.fullmatch(text))


def test_the_schema_of_a_reference_is_that_of_the_records() -> None:
    """Alone, and as an owner that a cell defers to, which may also be a word."""
    definitions = SCHEMAS.by_name["common"]["$defs"]
    reference = re.compile(definitions["reference"]["pattern"])
    owner = re.compile(definitions["cell"]["properties"]["see"]["items"]["pattern"])
    for text in (
        "EPI-RTE-a", "RTE-4", "ace:EPI-RTE-a", "a-b1:RTE-4", "Ace:EPI-RTE-a", "ace:epi-rte-a", "a:b:RTE-4", ":RTE-4",
        "a_b:RTE-4", "1a:RTE-4", "a-:RTE-4", "ace: RTE-4", "ace:SRC-1", "ace:RTE-a", "ace:", "ace:RTE-4\n",
    ):  # fmt: skip
        assert bool(reference.fullmatch(text)) is is_reference(text), text
        assert bool(owner.fullmatch(text)) is is_reference(text), text
    assert [text for text in ("route", "record", "ace:route", "ace") if owner.fullmatch(text)] == ["route", "record"]


def test_the_fields_of_each_kind_are_told_with_their_titles() -> None:
    """Those in groups as well, and not the ID."""
    fields = SCHEMAS.record_fields
    assert fields.keys() == KIND_BY_STEM.keys()
    assert list(fields["claims"]) == ["label", "part_of", "operation", "claimed_by", "body", "evidence"]
    assert fields["routes"]["fields"] == "Route fields"
    assert fields["routes"]["later_read_back"] == "Later read-back"
    assert fields["components"]["version_pinned"] == "Version pinned"
    assert not any("id" in each for each in fields.values())


# The lists of DOMAIN.md, section 4; what stands behind the bar comes with a description.
CONTROLLED: dict[str, str] = {
    "conclusion_status": "absent, inapplicable, uninspected, claimed, afforded, wired, observed, causally supported",
    "guarantee_strength": "invariant, protocol, policy, best effort, deployment guarantee, no claimed guarantee",
    "evidence_layer": "implementation, doctrine/design, reported operation, observed run, causal experiment",
    "representational_form": "natural-language, symbolic, distributed-parametric",
    "force": "advisory, ranking, permissive, enforcing",
    "target_class": "enclosing runtime, embedded inner runtime, runtime client, returning computation, workflow, "
    "extension or tool mechanism, builder or improvement plane, host integration, "
    "memory/knowledge/context-engineering system | other",
    "boundary_kind": "whole-system, subsystem-only, complete artifact; partial loop",
    "evidence_tier": "code-grounded, doc-grounded",
    "disposition": "complete, blocked, out-of-scope",
    "route_function": "content transformation, check/evidence production, disposition/acceptance, retention, "
    "lifecycle integration, operational admission/selection/consumption, behavior/policy adaptation, "
    "lineage/freshness/recovery | other",
    "architectural_status": "implemented, observed; implementation uninspected, doctrine only, "
    "no route found within boundary, not determinable",
    "content_relation": "truth-apt transformation: acquisition/import, "
    "truth-apt transformation: non-ampliative reshaping, truth-apt transformation: entailed derivation, "
    "truth-apt transformation: ampliative conjecture, truth-apt transformation: indeterminate, no content change "
    "| non-truth-apt policy/content update",
}


@pytest.mark.parametrize("name", CONTROLLED)
def test_the_controlled_values_are_those_of_the_domain(name: str) -> None:
    plain, _, described = CONTROLLED[name].partition(" | ")
    values = [each.replace(";", ",") for each in plain.split(", ")]
    vocabulary = SCHEMAS.vocabularies[name]
    assert list(vocabulary.meanings) == [*values, *filter(None, [described])]
    assert vocabulary.described == set(filter(None, [described]))


def test_every_value_has_a_meaning_of_one_line() -> None:
    for vocabulary in SCHEMAS.vocabularies.values():
        assert vocabulary.title
        assert vocabulary.description
        for value, meaning in vocabulary.meanings.items():
            assert value == value.strip()
            assert re.fullmatch(r"[A-Z`].{10,}\.", meaning), (vocabulary.name, value)
        assert len(set(vocabulary.meanings.values())) == len(vocabulary.meanings)


def test_editors_complete_from_the_list_of_the_vocabulary_itself() -> None:
    """Completion does not follow the condition that tells values with a description from the others."""
    for name, schema in SCHEMAS.by_name["vocabularies"]["$defs"].items():
        assert schema.get("anyOf") == ([{"$ref": f"#/$defs/{name}/then"}, True] if "then" in schema else None)


def test_every_pattern_says_in_words_what_it_asks_for() -> None:
    """To an editor, which would show the pattern. Nobody writes what the other two describe."""
    unsaid = [
        way
        for way, schema in ALL
        if "pattern" in schema
        and not way.startswith(("records/", "diagnostics/"))
        and not re.fullmatch(r"This is .+\.", schema.get("patternErrorMessage", ""))
    ]
    assert unsaid == []


def documents() -> list[tuple[str, Any]]:
    """Every record file of the published collection and of the sound system, with the name of its schema."""
    found = []
    for root in ROOTS:
        for path in sorted((root / "records").rglob("*.yml")):
            document, diagnostics = read_bytes(path.read_bytes(), path.name)
            assert document is not None
            assert diagnostics == []
            found.append((path.stem, document.value))
    return found


DOCUMENTS = documents()


def verdicts(name: str, value: Any) -> tuple[bool, bool]:
    """Whether a value is valid, according to the quick validator and to the thorough one."""
    return SCHEMAS.is_valid(name, value), not list(SCHEMAS.errors(name, value))


@pytest.mark.parametrize(("name", "value"), DOCUMENTS)
def test_both_validators_accept_what_is_published(name: str, value: Any) -> None:
    assert verdicts(name, value) == (True, True)


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a value: the list or mapping, and the index or key in it."""
    for key in range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ():
        yield value, key
        yield from spots(value[key])


OTHER: list[Any] = [
    "", " ", "x", "\n", "\ufeff", "\u2028", "\xa0", "é", "absent", "other", "published", "withheld", "git",
    "7-12", "7-12\n", "12-7", "0", "SRC-1", "SRC-1\n", "SRC-٣", "MEM-RTE-a", "MEM-RTE-a\n", "RTE-a", "RTE-4",
    "../a", "/a", "a/./b", "a//b", "a\\b", "a\n", "~a", "a\u2028",
    [], ["x"], ["", ""], ["MEM-RTE-a", "MEM-RTE-a"], [[]], [{}], {}, {"x": "y"}, {"": ""},
    {"inapplicable": "x"}, {"uninspected": ""}, {"inapplicable": "x", "uninspected": "y"}, {"unpublished": "x"},
    {"see": ["route"]}, {"see": []}, {"see": "route"}, {"see": ["MEM-RTE-a\n"]}, {"other": "x"}, {"wired": "x"},
    {"symbolic": "x"}, {"distributed-parametric": "x"}, {"layer": "wired"}, {"Layer": "wired"},
]  # fmt: skip

OTHER += [
    "ace:MEM-RTE-a", "Ace:MEM-RTE-a", {"see": ["ace:MEM-RTE-a"]}, {"see": ["ace:route"]},
    [{"holder": "x"}], [{"holder": "x", "use": "y"}], [{"use": "x"}], [{"holder": " "}], {"holder": "x"},
    [{"title": "x", "shows": ["records"]}], [{"title": "x", "shows": ["sources"]}], [{"title": "x", "shows": []}],
]  # fmt: skip

SMALL = [(name, value) for name, value in DOCUMENTS if len(str(value)) < 4000]


def changed(data: st.DataObject, value: Any) -> Any:
    """A copy of a value in which something is replaced, dropped, doubled or renamed, up to three times."""
    value = copy.deepcopy(value)
    for _ in range(data.draw(st.integers(1, 3))):
        places = list(spots(value))
        if not places:
            break
        holder, key = data.draw(st.sampled_from(places))
        change = data.draw(st.sampled_from(["replace", "drop", "double", "rename"]))
        if change == "drop":
            del holder[key]
        elif change == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif change == "rename" and isinstance(holder, dict):
            names = [f"{key}s", "x", "", "id", "see", "other", "records"]
            holder[data.draw(st.sampled_from(names))] = holder.pop(key)
        else:
            holder[key] = copy.deepcopy(data.draw(st.sampled_from(OTHER)))
    return value


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_both_validators_say_the_same_of_what_is_wrong(data: st.DataObject) -> None:
    name, value = data.draw(st.sampled_from(SMALL))
    quick, thorough = verdicts(name, changed(data, value))
    assert quick is thorough


OBJECT = {"id": "X-OBJ-a", "label": "a", "identity": "x", "form": {"symbolic": "x"}, "lineage": "x", "body": "x"}
ISSUE = {"issue": "x", "concerns": ["X-OBJ-a"]}
AMENDMENT = {"record": "X-OBJ-a", "superseded": "x", "replacement": "y", "evidence": [{"source": "SRC-1"}]}
SUPERSESSION = {"record": "X-OBJ-a", "by": ["X-OBJ-b"]}
SYSTEM = {"label": "x", "summary": "x", "boundary": {"statement": "x"}}


def with_substrate(value: Any) -> tuple[str, Any]:
    return "objects", {"records": [{**OBJECT, "substrate": value, "evidence": [{"source": "SRC-1"}]}]}


def row(name: str, told: dict[str, Any], fields: dict[str, Any]) -> tuple[str, Any]:
    """A file with one row, in which some fields are others, or are not there."""
    return name, {"rows": [{key: each for key, each in {**told, **fields}.items() if each is not None}]}


def with_issue(**fields: Any) -> tuple[str, Any]:
    return row("integration-issues", ISSUE, fields)


def with_amendment(**fields: Any) -> tuple[str, Any]:
    return row("amendments", AMENDMENT, fields)


def with_supersession(**fields: Any) -> tuple[str, Any]:
    return row("supersessions", SUPERSESSION, fields)


def with_sections(value: Any, publication: str = "published") -> tuple[str, Any]:
    told = {"id": "SRC-1", "kind": "capture", "identity": "x", "revision": "x", "layers": ["implementation"]}
    member = {"name": "x", "title": "x", "prefix": "X", "publication": publication, "sections": value}
    return "system", {**SYSTEM, "sources": [{**told, "inspected": "x"}], "members": [member]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        with_substrate("A file."),
        with_substrate({"uninspected": "Nobody looked."}),
        with_substrate([{"holder": "A file."}]),
        with_substrate([{"holder": "A file."}, {"holder": "A table.", "use": "Looking up."}]),
        with_issue(),
        with_issue(account="x", evidence=[{"source": "SRC-1"}], concerns=["RTE-4", "X-OBJ-a"]),
        with_amendment(),
        with_amendment(record="RTE-4", field="later_read_back", account="x", affected=[]),
        with_amendment(field="Later read-back", affected=["X-OBJ-a", "X-OBJ-b"]),
        with_supersession(),
        with_supersession(by=["X-OBJ-b", "RTE-4"], account="x", evidence=[{"source": "SRC-1"}]),
        with_sections([{"title": "Nothing yet"}]),
        with_sections([{"title": "x", "shows": ["amendments", "supersessions"]}]),
        with_sections([{"title": "x", "shows": ["records", "integration-issues", "claim-comparison", "annotations"]}]),
    ],
)
def test_what_the_schemas_take(name: str, value: Any) -> None:
    assert verdicts(name, value) == (True, True), [each.message for each in SCHEMAS.errors(name, value)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        with_substrate([]),
        with_substrate(""),
        with_substrate(" "),
        with_substrate(["A file."]),
        with_substrate([{}]),
        with_substrate([{"use": "Looking up."}]),
        with_substrate([{"holder": " "}]),
        with_substrate([{"holder": "A file.", "use": ""}]),
        with_substrate([{"holder": {"uninspected": "Nobody looked."}}]),
        with_substrate([{"holder": "A file.", "size": "Big."}]),
        with_substrate([[{"holder": "A file."}]]),
        with_substrate({"holder": "A file."}),
        with_substrate({"uninspected": "x", "inapplicable": "y"}),
        with_issue(issue=None),
        with_issue(issue=" "),
        with_issue(account=""),
        with_issue(concerns=None),
        with_issue(concerns=[]),
        with_issue(concerns=["X-OBJ-a", "X-OBJ-a"]),
        with_issue(concerns="X-OBJ-a"),
        with_issue(concerns=["ace:X-OBJ-a"]),
        with_issue(concerns=["SRC-1"]),
        with_issue(evidence=[]),
        with_issue(gap="x"),
        with_amendment(record=None),
        with_amendment(record=["X-OBJ-a"]),
        with_amendment(record="ace:X-OBJ-a"),
        with_amendment(field=""),
        with_amendment(field=["owner"]),
        with_amendment(field="owner\n"),
        with_amendment(field="<b>"),
        with_amendment(superseded=None),
        with_amendment(superseded=" "),
        with_amendment(replacement=None),
        with_amendment(replacement={"see": ["record"]}),
        with_amendment(account=""),
        with_amendment(affected="X-OBJ-a"),
        with_amendment(affected=["X-OBJ-a", "X-OBJ-a"]),
        with_amendment(evidence=None),
        with_amendment(evidence=[]),
        with_amendment(by=["X-OBJ-b"]),
        with_supersession(record=None),
        with_supersession(record="SRC-1"),
        with_supersession(by=None),
        with_supersession(by=[]),
        with_supersession(by="X-OBJ-b"),
        with_supersession(by=["ace:X-OBJ-b"]),
        with_supersession(by=["X-OBJ-b", "X-OBJ-b"]),
        with_supersession(account=" "),
        with_supersession(evidence=[]),
        with_supersession(replacement="x"),
        with_sections([]),
        with_sections([{"shows": ["records"]}]),
        with_sections([{"title": " "}]),
        with_sections([{"title": "x", "shows": []}]),
        with_sections([{"title": "x", "shows": ["records", "records"]}]),
        with_sections([{"title": "x", "shows": ["sources"]}]),
        with_sections([{"title": "x", "text": "y"}]),
        with_sections([{"title": "x"}], publication="withheld"),
    ],
)
def test_what_the_schemas_refuse(name: str, value: Any) -> None:
    assert verdicts(name, value) == (False, False)
