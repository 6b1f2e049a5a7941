"""Quotations in prose, in real builds: their last line says where they are from, and leads to that very place."""

from pathlib import Path

import yaml

from tests.site.build import PUBLISHED, Builds
from tests.site.tree import Element

PAGE = "hipporag/memory"
FORGE = "https://github.com/OSU-NLP-Group/HippoRAG/blob"


def revision(repository: Path) -> str:
    system = yaml.safe_load((repository / "records/hipporag/system.yml").read_text(encoding="utf-8"))
    return str(system["sources"][0]["revision"])


def quotations(repository: Path, builds: Builds, *texts: str) -> list[Element]:
    """The quotations of a report, once these texts have been written there, each under a heading of its own."""
    report = repository / "docs" / f"{PAGE}.md"
    added = "".join(f"\n## Quoted {number}\n\n{text}\n" for number, text in enumerate(texts, 1))
    report.write_text(report.read_text(encoding="utf-8") + added, encoding="utf-8")
    build = builds.run(repository, repository / "site")
    assert build.status == 0, build.output
    site = PUBLISHED.site(build.folder)
    article = site.article(site.file_of(PAGE))
    assert article is not None
    return list(article.find("blockquote"))


def footers(found: list[Element]) -> list[str]:
    return [" ".join(footer.words.split()) for each in found for footer in each.find("footer")]


def links(found: list[Element]) -> list[str]:
    return [link.attributes["href"] for each in found for link in each.find("a")]


def test_the_place_of_a_quotation_is_a_link_to_it(repository: Path, builds: Builds) -> None:
    commit = revision(repository)
    found = quotations(
        repository,
        builds,
        f"> The lines, with MEM-RTE-index.\n> --- `src/hipporag/HippoRAG.py:12-20` @ `{commit}`\n\n"
        f"> More.\n>\n> More still.\n> -- `README.md` @ `{commit[:7]}`\n\n"
        f"> Last.\n>\n> — `main.py:3` @ `{commit[:12]}`, as it was read",
    )
    assert [each.words.split()[0] for each in found] == ["The", "More.", "Last."]
    assert footers(found) == [
        f"src/hipporag/HippoRAG.py:12-20 @ {commit}",
        f"README.md @ {commit[:7]}",
        f"main.py:3 @ {commit[:12]}, as it was read",
    ]
    assert links(found) == [
        f"{FORGE}/{commit}/src/hipporag/HippoRAG.py#L12-L20",
        f"{FORGE}/{commit}/README.md",
        f"{FORGE}/{commit}/main.py#L3",
    ]


def test_who_said_it_may_be_anybody(repository: Path, builds: Builds) -> None:
    found = quotations(repository, builds, "> It was said.\n> --- *Somebody*, in `a <b>`")
    assert footers(found) == ["Somebody, in a <b>"]
    assert links(found) == []


def test_what_is_no_place_at_that_revision_is_no_link(repository: Path, builds: Builds) -> None:
    commit = revision(repository)
    lines = [
        "`src/a.py:1` @ `1234567`",
        f"`src/a.py:1` @ `{commit[:6]}`",
        f"`../../secret` @ `{commit}`",
        f"`src/../../secret` @ `{commit}`",
        f"`javascript:alert(1)` @ `{commit}`",
        "`src/a.py` @ `HEAD`",
        f"`src/a.py` `b` @ `{commit}`",
    ]
    found = quotations(repository, builds, *(f"> It was said.\n> --- {line}" for line in lines))
    assert footers(found) == [line.replace("`", "") for line in lines]
    assert links(found) == []


def test_a_dash_elsewhere_is_text(repository: Path, builds: Builds) -> None:
    texts = ["> One --- or two.", "> - a list\n> - of two", "> Yes.\n> --- this is\n> said first", ">     --- code"]
    found = quotations(repository, builds, *texts)
    assert [" ".join(each.words.split()) for each in found] == [
        "One --- or two.",
        "a list of two",
        "Yes. --- this is said first",
        "--- code",
    ]
    assert footers(found) == []
