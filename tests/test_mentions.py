"""Mentions of records, as people write them, in records and in prose: what becomes a link, and what stays text."""

import json
import shutil
from pathlib import Path

import pytest

from tests.site.build import REPOSITORY, Builds
from tests.site.html import BuiltSite, faults
from tests.site.tree import Element

BASE = "https://example.org/site/"

SYSTEM = """\
label: Mentions
summary: "Records that are mentioned, X-OBJ-game among them.\\n\\nIn two paragraphs."
boundary: {statement: Everything.}
sources:
  - {id: SRC-1, kind: capture, identity: A page., revision: 2024-02-29, layers: [doctrine/design], inspected: All.}
members:
  - {name: report, title: Report, prefix: X, publication: published}
  - {name: other, title: Another, prefix: Y, publication: published, summary: "See X-OBJ-1.\\n\\n- X-OBJ-2"}
"""

OBJECTS = ("X-OBJ-game", "X-OBJ-game-cycle", "X-OBJ-1", "X-OBJ-10", "X-OBJ-2")

MENTIONS: list[tuple[str, str, list[str]]] = [
    ("see X-OBJ-game-cycle and X-OBJ-game", "", ["X-OBJ-game-cycle", "X-OBJ-game"]),
    ("see X-OBJ-1 and X-OBJ-10.", "", ["X-OBJ-1", "X-OBJ-10"]),
    ("(X-OBJ-1), “X-OBJ-2”", "", ["X-OBJ-1", "X-OBJ-2"]),
    ("X-OBJ-1's and X-OBJ-2: yes", "", ["X-OBJ-1", "X-OBJ-2"]),
    ("X-OBJ-1/X-OBJ-2", "", ["X-OBJ-1", "X-OBJ-2"]),
    ("X-OBJ-1—X-OBJ-2…", "", ["X-OBJ-1", "X-OBJ-2"]),
    ("X-OBJ-1 through X-OBJ-10", "", ["X-OBJ-1", "X-OBJ-10"]),
    ("**X-OBJ-1** and *see X-OBJ-2*", "X-OBJ-1 and see X-OBJ-2", ["X-OBJ-1", "X-OBJ-2"]),
    ("_X-OBJ-1_ and __X-OBJ-2__", "X-OBJ-1 and X-OBJ-2", ["X-OBJ-1", "X-OBJ-2"]),
    ("`X-OBJ-1` and ``see `X-OBJ-2` ``", "X-OBJ-1 and see `X-OBJ-2`", []),
    ("[X-OBJ-1](https://e.org/x)", "X-OBJ-1", ["X-OBJ-1 → https://e.org/x"]),
    ("[see **X-OBJ-1** now](https://e.org/x)", "see X-OBJ-1 now", ["see X-OBJ-1 now → https://e.org/x"]),
    ("[the game](X-OBJ-game)", "the game", ["the game → X-OBJ-game"]),
    ("a | b, `c \\| d` | X-OBJ-1 |", "a | b, c \\| d | X-OBJ-1 |", ["X-OBJ-1"]),
    ("one line\nand `X-OBJ-1` another, X-OBJ-2", "one line and X-OBJ-1 another, X-OBJ-2", ["X-OBJ-2"]),
    (
        "mentions:X-OBJ-1 and mentions:SRC-1",
        "",
        ["mentions:X-OBJ-1 → X-OBJ-1", "mentions:SRC-1 → mentions/sources/index.html"],
    ),
    ("[the game](mentions:X-OBJ-game)", "the game", ["the game → X-OBJ-game"]),
    ("Note:X-OBJ-1 and *mentions*:X-OBJ-2", "Note:X-OBJ-1 and mentions:X-OBJ-2", ["X-OBJ-1", "X-OBJ-2"]),
    (
        "`mentions:X-OBJ-1` and https://e.org/mentions:X-OBJ-1",
        "mentions:X-OBJ-1 and https://e.org/mentions:X-OBJ-1",
        [],
    ),
    ("https://e.org/X-OBJ-1 and http://e.org/?a=X-OBJ-1#X-OBJ-2 and www.e.org/X-OBJ-1", "", []),
]
"""Texts; how they are shown, where that is not as they stand here; and their links, each as its words (and, where
these are not the record's ID, the record or address that it leads to)."""


def write_mentions(root: Path) -> None:
    """A system whose records and prose hold `MENTIONS`."""
    folder = root / "records" / "mentions"
    (folder / "report").mkdir(parents=True)
    (folder / "system.yml").write_text(SYSTEM, encoding="utf-8")
    told = {"identity": "x", "form": {"symbolic": "x"}, "substrate": "x", "lineage": "x", "body": "x"}
    records = [{"id": one, "label": one.lower(), **told, "evidence": [{"source": "SRC-1"}]} for one in OBJECTS]
    (folder / "report" / "objects.yml").write_text(json.dumps({"records": records}), encoding="utf-8")
    rows = [{"operation": "x", "source": "SRC-1", "paths": ["x"], "coverage": text} for text, _, _ in MENTIONS]
    (folder / "report" / "coverage.yml").write_text(json.dumps({"rows": rows}), encoding="utf-8")
    other = {"operation": "x", "source": "SRC-1", "paths": ["x"], "coverage": "See X-OBJ-1.\n\n- X-OBJ-2\n\n> X-OBJ-1"}
    (folder / "other").mkdir()
    (folder / "other" / "coverage.yml").write_text(json.dumps({"rows": [other]}), encoding="utf-8")
    docs = root / "docs" / "mentions"
    docs.mkdir(parents=True)
    (root / "docs" / "index.md").write_text("# Analyses\n\n{{ systems() }}\n", encoding="utf-8")
    (docs / "both.md").write_text(BOTH, encoding="utf-8")
    (docs / "Größe und Maß").mkdir()
    (docs / "Größe und Maß" / "an öd name.md").write_text(ODD, encoding="utf-8")
    prose = "\n\n".join(text for text, _, _ in MENTIONS)
    (docs / "prose.md").write_text(f"# Prose\n\n{prose}\n", encoding="utf-8")
    (docs / "places.md").write_text(PLACES, encoding="utf-8")
    (docs / "game.png").write_bytes(b"")


PLACES = """\
# Places of X-OBJ-1

## X-OBJ-1: title

![X-OBJ-1](game.png "X-OBJ-1") <!-- X-OBJ-1 -->

> X-OBJ-1 in a quotation

```
X-OBJ-1 in a fence
```

    X-OBJ-1 in indented code

<div title="X-OBJ-1">X-OBJ-10</div>

-   X-OBJ-1 in a list

    > X-OBJ-2 in a quotation in a list

!!! note "X-OBJ-2 in the title of a box"

    X-OBJ-1 in a box

??? note "A box to open"

    X-OBJ-2 in it

| a table | of two |
| --- | --- |
| X-OBJ-1 | `X-OBJ-2` |

A term with X-OBJ-1
:   What it means, see X-OBJ-2

A footnote[^1], and {{ ref("X-OBJ-game", "the game") }}, and %%recordweave:0%%.

%%recordweave:0%%

[^1]: See X-OBJ-2.
"""

BOTH = """\
# Both

{{ coverage("report") }}

{{ coverage("other") }}
"""

ODD = """\
# A page with an odd name

See X-OBJ-1, {{ ref("X-OBJ-2", "this") }}, [the report](../report.md) and [Both](../both.md).

{{ records("objects", member="report") }}
"""

LINKED = [
    ("li", "X-OBJ-1"),
    ("div", "X-OBJ-1"),
    ("details", "X-OBJ-2"),
    ("td", "X-OBJ-1"),
    ("dt", "X-OBJ-1"),
    ("dd", "X-OBJ-2"),
    ("article", "the game"),
    ("li", "X-OBJ-2"),
]
"""What of `PLACES` is linked, in order: the block around it and the words. Its headings and titles may be, or not."""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> BuiltSite:
    root = tmp_path_factory.mktemp("mentions")
    shutil.copy(REPOSITORY / "mkdocs.yml", root / "published.yml")
    settings = f"INHERIT: published.yml\nsite_url: {BASE}\nnav:\n  - Analyses: index.md\n"
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    write_mentions(root)
    build = Builds().run(root, root / "site", strict=False)
    assert build.status == 0, build.output
    expected = ("of this range only the ends", "has a number for a name")
    assert [each for each in build.warnings if not any(one in each for one in expected)] == []
    assert len(build.warnings) == 2 + 3
    return BuiltSite(root / "site", BASE)


def links(site: BuiltSite, file: str, element: Element) -> list[str]:
    """Each link as `MENTIONS` has it."""
    found = []
    for link in element.find("a"):
        href = link.attributes["href"]
        target = href if "://" in href else site.follow(file, href)[0]
        record = next((one for one in OBJECTS if target == site.record_page("mentions", one)), target)
        found.append(link.words if link.words == record else f"{link.words} → {record}")
    return found


@pytest.mark.parametrize("number", range(len(MENTIONS)), ids=lambda number: MENTIONS[number][0])
@pytest.mark.parametrize("where", ["record", "prose"])
def test_a_mention_links_just_the_id(site, where, number):
    text, shown, expected = MENTIONS[number]
    file = f"mentions/{'report' if where == 'record' else 'prose'}/index.html"
    article = site.article(file)
    assert article is not None
    places = article.find("div", "rw-part--coverage") if where == "record" else article.find("p")
    place = list(places)[number]
    assert links(site, file, place) == expected
    assert place.words == (shown or text)


def test_mentions_in_prose_are_linked_where_they_are_references(site):
    file = "mentions/places/index.html"
    article = site.article(file)
    assert article is not None
    found = []
    for link in article.find("a", "rw-ref"):
        above = list(link.ancestors())
        if not any(each.tag in ("h1", "h2", "summary") or "admonition-title" in each.classes for each in above):
            block = next(each for each in above if each.tag in ("li", "div", "details", "td", "dt", "dd", "article"))
            found.append((block.tag, link.words))
    assert found == LINKED
    assert "%%recordweave:0%%" in article.words


def test_headings_titles_and_contents_stay_clean(site):
    root = site.page("mentions/places/index.html").root
    assert root.one("title").words.startswith("Places of X-OBJ-1 - ")
    assert next(root.find("h1")).attributes["id"] == "places-of-x-obj-1"
    assert next(root.find("h2")).attributes["id"] == "x-obj-1-title"
    contents = next(root.find("nav", "md-nav--secondary"))
    (entry,) = contents.find("a", href="#x-obj-1-title")
    assert entry.words == "X-OBJ-1: title"
    assert [each.tag for each in entry.walk() if each.tag not in ("a", "span")] == []


def test_mentions_are_links_wherever_they_stand(site):
    """In records, rows and prose, in several paragraphs, on pages with odd names; with these exceptions, as written."""
    linked = [f"mentions/{page}/index.html: mention: X-OBJ-1 in “X-OBJ-1”" for page in ("both", "prose", "report")]
    markup = "mentions/places/index.html: mention: X-OBJ-10 in “X-OBJ-10”"
    found = [str(each) for each in faults(site) if each.file.startswith("mentions/")]
    assert sorted(set(found)) == sorted([*linked, markup])


def test_the_portal_links_what_a_summary_mentions(site):
    assert [str(each) for each in faults(site) if not each.file.startswith("mentions/")] == []
