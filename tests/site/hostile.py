"""A system whose every text is hostile, and the same system with harmless names in the same places.

`write` makes one record of each kind, one row of each table, one member and one source for each text that it is given,
and puts that text into every field that holds words. So two sites that differ in nothing but their texts can be laid
side by side: whatever else differs came out of a text. A second system, `friend`, has no hostile texts of its own; it
refers to the first, and the first to it, so that texts come onto its pages as well.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

COMMIT = "0123456789abcdef0123456789abcdef01234567"

SHOWN_AS_WRITTEN: tuple[str, ...] = (
    "<script>alert(1)</script>",
    "</title></textarea><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    "</td></tr></table></details></article><h1>x</h1>",
    "<!-- gone --> <![CDATA[gone]]> <?gone ?>",
    "use <name> now",
    "&lt;b&gt; &amp;amp; &#60;i&#62; x",
    "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; x",
    "[x](JaVaScRiPt:alert(1))",
    "[x](y){: onmouseover=alert(1) }",
    "x {: .evil #evil onclick=alert(1) }",
    "[x](data:text/html,<script>alert(1)</script>)",
    '<mailto:x@e.org"onclick="alert(1)>',
    "{{ 7*7 }} {{ config }} {{ undefined }}",
    "{% raw %} {% include 'x' %} {# gone #} {% endraw %}",
    "${{ github.ref }} {#id}",
    "%%recordweave:0%% %%recordweave:1%%",
    "a | b || c |",
    "# x ## y ===",
    "!!! note ??? x [^1] [TOC] ++ ~~x~~ :smile: x",
)
"""Texts that are shown as they were written, wherever they stand: none of them is Markdown that records may hold."""

IN_CODE: tuple[str, ...] = (
    "<script>alert(1)</script>",
    "&lt;b&gt; </code>",
    "{{ 7*7 }} {% raw %} ${{ github.ref }}",
    "[x](y) *x* <mailto:x@e.org> | %%recordweave:0%%",
)
"""Texts that are shown as they were written inside a code span; where no Markdown is read, its marks are shown too."""

ATTACKS = SHOWN_AS_WRITTEN + IN_CODE
NAMES: tuple[str, ...] = tuple(f"harmless{number:02}words" for number in range(len(ATTACKS)))


def texts(words: Sequence[str]) -> list[str]:
    """The words as `write` takes them: the last of them as code."""
    plain = len(SHOWN_AS_WRITTEN)
    return [*words[:plain], *(f"`{each}`" for each in words[plain:])]


def swap(text: str) -> str:
    """A text of the harmless system, with the attacks that stand in its place in the other."""
    for name, attack in zip(NAMES, ATTACKS, strict=True):
        text = text.replace(name, attack)
    return text


def write(root: Path, texts: Sequence[str]) -> None:
    """Write `records/hostile`, which all of `texts` are in, and `friend` beside it."""
    folder = root / "records" / "hostile"
    every = " / ".join(texts)
    _dump(folder / "system.yml", _system(texts, every))
    numbers = range(len(texts))
    files: dict[str, list[dict[str, Any]]] = {
        "components": [_component(number, texts[number]) for number in numbers],
        "objects": [_object(number, texts[number]) for number in numbers],
        "routes": [_route(number, texts[number]) for number in numbers],
        "claims": [_claim(number, texts[number]) for number in numbers],
        "absences": [_absence(number, texts[number]) for number in numbers],
        "paths": [_path(number, texts[number]) for number in numbers],
    }
    rows: dict[str, list[dict[str, Any]]] = {
        "coverage": [_coverage(number, texts[number]) for number in numbers],
        "inventory": [_inventory(number, texts[number]) for number in numbers],
        "ledger": [_ledger(number, texts[number]) for number in numbers],
        "claim-comparison": [_comparison(number, texts[number]) for number in numbers],
        "integration-issues": [_issue(number, texts[number]) for number in numbers],
    }
    for name, records in files.items():
        _dump(folder / "x" / f"{name}.yml", {"records": records})
    for name, each in rows.items():
        _dump(folder / "x" / f"{name}.yml", {"rows": each})
    _dump(folder / "m0" / "amendments.yml", {"rows": [_amendment(number, texts[number]) for number in numbers]})
    _dump(folder / "m0" / "supersessions.yml", {"rows": [_supersession(number, texts[number]) for number in numbers]})
    annotations = [
        {"on": f"X-OBJ-n{number}", "body": texts[number], "evidence": _evidence(number, texts[number])}
        for number in numbers
    ]
    _dump(folder / "m0" / "annotations.yml", {"annotations": annotations})
    _write_friend(root, len(texts))


def _write_friend(root: Path, number_of_texts: int) -> None:
    """A system that refers to every object of the hostile one: in a row, in `see`, in a record, and in prose."""
    folder = root / "records" / "friend"
    source = {"id": "SRC-1", "kind": "capture", "identity": "A page.", "revision": "1", "inspected": "All."}
    _dump(
        folder / "system.yml",
        {
            "label": "Friend",
            "summary": "A friend of hostile:X-RTE-n0.",
            "boundary": {"statement": "All of it."},
            "sources": [{**source, "layers": ["implementation"]}],
            "members": [{"name": "f", "title": "The friend", "prefix": "F", "publication": "published"}],
        },
    )
    told: dict[str, Any] = {"identity": "x", "form": {"symbolic": "x"}, "substrate": "x", "lineage": "x"}
    told |= {"body": "See hostile:X-CMP-n0 and hostile:SRC-1.", "evidence": [{"source": "SRC-1"}]}
    _dump(folder / "f" / "objects.yml", {"records": [{"id": "F-OBJ-a", "label": "a", **told}]})
    others = [f"hostile:X-OBJ-n{number}" for number in range(number_of_texts)]
    rows = [
        {"objects": ["F-OBJ-a"], "content": f"See {one}.", "role": {"see": [one]}, "evidence": [{"source": "SRC-1"}]}
        for one in others
    ]
    _dump(folder / "f" / "inventory.yml", {"rows": [{**row, "gap": "none"} for row in rows]})
    docs = root / "docs" / "friend"
    docs.mkdir(parents=True, exist_ok=True)
    listed = "\n".join(f'- {one} and {{{{ ref("{one}", "the object") }}}}' for one in others)
    (docs / "notes.md").write_text(f"# Notes\n\n{listed}\n", encoding="utf-8")


def _dump(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100_000), encoding="utf-8")


def _evidence(number: int, text: str) -> list[dict[str, Any]]:
    place = {"source": f"SRC-{number + 1}", "path": f"{text}.py", "lines": "2-7", "symbol": text}
    place["layer"] = "implementation"
    return [{**place, "shows": text, "quotation": text}]


def _system(texts: Sequence[str], every: str) -> dict[str, Any]:
    public: dict[str, Any] = {"repository": "https://github.com/e/e", "revision": COMMIT}
    sources: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        frozen = [public, {"repository": {"unpublished": text}, "revision": {"unpublished": text}}][number % 2]
        kind = {"kind": "git", **frozen} if number % 3 else {"kind": "capture", "revision": text}
        told = {"identity": text, "layers": ["implementation"], "inspected": text, "anchors": text, "gaps": text}
        sources.append({"id": f"SRC-{number + 1}", **kind, **told})
    members: list[dict[str, Any]] = [
        {"name": f"m{number}", "title": text, "prefix": f"M{number}", "publication": "published", "summary": text}
        for number, text in enumerate(texts)
    ]
    shows = ["coverage", "inventory", "ledger", "claim-comparison", "integration-issues", "records"]
    sections: list[dict[str, Any]] = [{"title": text} for text in texts]
    for section, shown in zip(sections, shows, strict=False):
        section["shows"] = [shown]
    x = {"name": "x", "title": "The records", "prefix": "X", "publication": "published", "sections": sections}
    members.append(x)
    members += [
        {"name": f"w{number}", "title": text, "prefix": f"W{number}", "publication": "withheld", "summary": text}
        for number, text in enumerate(texts)
    ]
    return {
        "label": every,
        "summary": every,
        "target_class": {"other": every},
        "boundary": {"statement": every, "exclusions": every},
        "sources": sources,
        "members": members,
    }


def _record(code: str, number: int, text: str, **fields: Any) -> dict[str, Any]:
    told = {"body": text, "evidence": _evidence(number, text)}
    return {"id": f"X-{code}-n{number}", "label": text, "part_of": f"W{number}-RTE-n{number}", **fields, **told}


def _component(number: int, text: str) -> dict[str, Any]:
    parameters = {"change_in_operation": text, "version_pinned": text, "mutable_endpoint": text}
    form = {"distributed-parametric": text}
    return _record("CMP", number, text, identity=text, form=form, substrate=text, lineage=text, parameters=parameters)


def _object(number: int, text: str) -> dict[str, Any]:
    stored = [{"holder": text, "use": text}, {"holder": text}]
    return _record("OBJ", number, text, identity=text, form={"symbolic": text}, substrate=stored, lineage=text)


def _route(number: int, text: str) -> dict[str, Any]:
    fields: dict[str, Any] = dict.fromkeys(
        ("later_read_back", "selection_predicate", "invalidation_or_expiry", "evidence_limits"), text
    )
    fields |= {"delegated_visibility": {"inapplicable": text}, "activation_or_effect": {"uninspected": text}}
    return _record(
        "RTE",
        number,
        text,
        endpoints=[text, text],
        owner=text,
        status={"implementation": "wired"},
        fields={"immediate_return": text, **fields},
        **dict.fromkeys(("proposer", "decider", "veto", "oracle", "operating_mode", "recovery"), text),
    )


def _claim(number: int, text: str) -> dict[str, Any]:
    return _record("CLM", number, text, operation=text, claimed_by=_evidence(number, text))


def _absence(number: int, text: str) -> dict[str, Any]:
    roots = [place["path"] for place in _evidence(number, text)]
    told = {"searched_roots": roots, "query": text, "revision": {"unpublished": text}, "conclusion": text}
    return _record("ABS", number, text, status="absent", **told)


def _path(number: int, text: str) -> dict[str, Any]:
    return _record("BAP", number, text, consumer=text, channel=text, force=["advisory"], horizon=text)


def _coverage(number: int, text: str) -> dict[str, Any]:
    place = _evidence(number, text)[0]
    return {"operation": text, "source": place["source"], "paths": [place["path"]], "coverage": text, "limit": text}


def _see(text: str) -> dict[str, Any]:
    return {"text": text, "see": ["record"], "for": text}


def _inventory(number: int, text: str) -> dict[str, Any]:
    objects = [f"X-OBJ-n{number}", f"X-CMP-n{number}"]
    gap = {"text": text, "see": ["friend:F-OBJ-a"], "for": text}
    return {"objects": objects, "content": text, "role": _see(text), "evidence": _evidence(number, text), "gap": gap}


def _ledger(number: int, text: str) -> dict[str, Any]:
    cells = ("target", "evaluator", "activation", "result", "force", "epistemic_authority", "operational_authority")
    return {
        "routes": [f"X-RTE-n{number}"],
        "function": {"other": text},
        "status": "implemented",
        "objects": [f"X-OBJ-n{number}"],
        "relation": {"non-truth-apt policy/content update": text},
        **dict.fromkeys(cells, text),
        "authority_path": _see(text),
        "evidence": _evidence(number, text),
        "claims": [f"X-CLM-n{number}"],
        "mismatch": text,
        "gap": _see(text),
    }


def _comparison(number: int, text: str) -> dict[str, Any]:
    cells = ("operation", "design", "observed_run", "causal", "conclusion", "mismatch")
    told = {"claim": f"X-CLM-n{number}", "claimed_by": _evidence(number, text), "routes": [f"X-RTE-n{number}"]}
    return {**told, **dict.fromkeys(cells, text)}


def _issue(number: int, text: str) -> dict[str, Any]:
    told = {"issue": text, "account": text, "concerns": [f"X-OBJ-n{number}", f"W{number}-RTE-n{number}"]}
    return {**told, "evidence": _evidence(number, text)}


def _amendment(number: int, text: str) -> dict[str, Any]:
    """Of every fourth record as a whole, of the others in a field that shows a text."""
    field: dict[str, Any] = {"field": ("label", "lineage", "substrate")[number % 4]} if number % 4 < 3 else {}
    told = {"record": f"X-OBJ-n{number}", **field, **dict.fromkeys(("superseded", "replacement", "account"), text)}
    affected = [f"X-CLM-n{number}", f"W{number}-RTE-n{number}"]
    return {**told, "affected": affected, "evidence": _evidence(number, text)}


def _supersession(number: int, text: str) -> dict[str, Any]:
    told = {"record": f"X-OBJ-n{number}", "by": [f"X-CMP-n{number}"], "account": text}
    return {**told, "evidence": _evidence(number, text)}
