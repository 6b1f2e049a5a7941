"""The published repository, really built: every link in every mode, the pages there have to be, and failed builds."""

import gzip
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.site.build import MODES, PUBLISHED, REPOSITORY, Mode, contents
from tests.site.html import BuiltSite, addresses, faults

KINDS = {
    "CMP": "components",
    "OBJ": "objects",
    "RTE": "routes",
    "CLM": "claims",
    "ABS": "absences",
    "BAP": "paths",
}
SYSTEMS = sorted(path.parent.name for path in (REPOSITORY / "records").glob("*/system.yml"))
PORTAL = ("compare", "records", "glossary")
"""The pages of the portal that nobody wrote."""


def read(path: Path) -> Any:
    """A YAML file as text, without the package's own reader."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


def declared(system: str) -> dict[str, str]:
    """The records that the files of a system declare, with their labels."""
    files = [path for stem in KINDS.values() for path in (REPOSITORY / "records" / system).glob(f"*/{stem}.yml")]
    return {record["id"]: record["label"] for path in files for record in read(path)["records"]}


def withheld(system: str) -> set[str]:
    """The records that the withheld members of a system list."""
    members = read(REPOSITORY / "records" / system / "system.yml")["members"]
    return {record_id for member in members for record_id in member.get("records", ())}


@pytest.fixture(params=MODES, ids=lambda mode: mode.name)
def mode(request) -> Mode:
    value: Mode = request.param
    return value


@pytest.fixture
def site(published) -> BuiltSite:
    value: BuiltSite = published.site
    return value


def test_every_link_and_every_mention_leads_to_the_right_place(published_in, mode):
    site = published_in(mode).site
    assert [str(each) for each in faults(site)] == []


def test_nothing_but_the_canonical_address_names_the_host(published_in, mode):
    """So the site works where it is looked at before it is published."""
    site = published_in(mode).site
    named = {
        (file, address)
        for file in site.pages
        for element in site.page(file).root.walk()
        for _, address, _ in addresses(element)
        if site.is_ours(address) and "canonical" not in element.attributes.get("rel", "")
    }
    assert named == set()


def test_the_site_has_exactly_the_pages_there_are(published_in, mode):
    """None is missing, and nothing of a system stands in the portal, nor of the portal in a system."""
    site = published_in(mode).site
    docs = {
        path.relative_to(REPOSITORY / "docs").with_suffix("").as_posix() for path in REPOSITORY.glob("docs/**/*.md")
    }
    assert not docs & set(PORTAL)
    names = docs | {"404", *PORTAL}
    for system in SYSTEMS:
        members = read(REPOSITORY / "records" / system / "system.yml")["members"]
        names |= {
            f"{system}/{name}" for name in ("404", "index", "sources", "records/index", "records/values", "records/map")
        }
        names |= {f"{system}/{member['name']}" for member in members if member["publication"] == "published"}
        names |= {f"{system}/records/{stem}" for stem in KINDS.values()}
        names |= {f"{system}/records/{record_id.lower()}" for record_id in declared(system).keys() | withheld(system)}
    expected = {f"{name}.html" if name.endswith("404") else site.file_of(name) for name in names}
    assert set(site.pages) == expected
    data = {f"{system}/records.json" for system in SYSTEMS}
    others = {file for file in site.files if not file.endswith(".html") and "assets/" not in file} - data
    places = ["", *(f"{system}/" for system in SYSTEMS)]
    made = {f"{p}{f}" for p in places for f in ("search/search_index.json", "sitemap.xml", "sitemap.xml.gz")}
    assert others - made == {file for file in contents(REPOSITORY / "docs") if not file.endswith(".md")}
    assert made <= others


def test_sitemaps_list_the_pages_of_their_own_site(published_in, mode):
    site = published_in(mode).site
    for top in ["", *(f"{system}/" for system in SYSTEMS)]:
        inner = tuple(f"{top}{system}/" for system in ([] if top else SYSTEMS))
        listed = re.findall("<loc>(.*?)</loc>", (site.folder / top / "sitemap.xml").read_text(encoding="utf-8"))
        own = [file for file in site.pages if file.startswith(top) and not (inner and file.startswith(inner))]
        assert sorted(listed) == sorted(site.address(file) for file in own if not file.endswith("404.html"))


def test_the_portal_leads_to_each_system_and_each_system_back(site):
    def led_to(file: str) -> set[str]:
        links = [each.attributes.get("href", "") for each in site.page(file).root.find("a")]
        return {site.follow(file, href)[0] for href in links if "://" not in href and not href.startswith("mailto:")}

    overviews = {site.file_of(f"{system}/index") for system in SYSTEMS}
    for name in ("index", "compare", "records"):
        assert overviews <= led_to(site.file_of(name)), name
    for file in (each for each in site.pages if not each.endswith("404.html")):
        made = {"compare", "records"} if file.split("/")[0] not in SYSTEMS else set()
        assert {site.file_of(name) for name in ("index", "glossary", *made)} <= led_to(file), file


def test_a_reference_to_another_system_leads_to_its_page_and_says_what_it_is(site):
    """The title names the system and the label; there is no preview, since the page is on another site."""
    labels = {system: read(REPOSITORY / "records" / system / "system.yml")["label"] for system in SYSTEMS}
    known = {
        system: dict.fromkeys(withheld(system), "declaration not published") | declared(system) for system in SYSTEMS
    }
    seen: dict[str, set[str]] = {}
    for file in site.pages:
        for link in site.page(file).root.find("a", "rw-ref"):
            target = site.follow(file, link.attributes["href"])[0]
            system = target.split("/")[0]
            (one,) = (each for each in known[system] if site.record_page(system, each) == target)
            elsewhere = system != file.split("/")[0]
            assert elsewhere == ("rw-ref--elsewhere" in link.classes), f"{file}: {link.words}"
            assert elsewhere == ("data-preview" not in link.attributes), f"{file}: {link.words}"
            assert (one in withheld(system)) == ("rw-ref--withheld" in link.classes), f"{file}: {link.words}"
            title, label = link.attributes["title"], known[system][one]
            assert (
                re.fullmatch(rf"{labels[system]}, [\w -]+: {re.escape(label)}(\. .+)?", title)
                if elsewhere
                else title == label
            )
            if elsewhere:
                seen.setdefault(file, set()).add(system)
    assert seen[site.file_of("records")] == seen[site.file_of("compare")] == set(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_record_has_a_page_that_says_what_it_is(site, system):
    for record_id, label in declared(system).items():
        article = site.article(site.record_page(system, record_id))
        assert article is not None
        assert article.one("h1").words == f"{record_id} {label}"
        assert article.one("div", "rw-summary").one("a", "rw-chip--kind").words
        assert not list(article.find(css="rw-withheld"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_withheld_record_has_a_page_with_what_the_reports_say_of_it(site, system):
    for record_id in withheld(system):
        article = site.article(site.record_page(system, record_id))
        assert article is not None
        assert article.one("h1").words == record_id
        assert "not published here" in article.one("p", "rw-withheld").words
        assert list(article.find("ul", "rw-cited")), f"nothing is said of {record_id}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_indexes_list_every_record_of_their_kind(site, system):
    every = declared(system).keys() | withheld(system)
    pages = {stem: {one for one in every if re.search(rf"\b{code}-", one)} for code, stem in KINDS.items()}
    for name, expected in {**pages, "index": every}.items():
        file = site.file_of(f"{system}/records/{name}")
        article = site.article(file)
        assert article is not None
        references = {each.words: each.attributes["href"] for each in article.find("a", "rw-ref")}
        containers = {each.words for cell in article.find("td") for each in cell.find("a", "rw-ref")}
        assert references.keys() - containers <= expected <= references.keys()
        for record_id, href in references.items():
            assert site.follow(file, href)[0] == site.record_page(system, record_id)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_citation_leads_to_the_very_place_that_cites(site, system):
    """The element at the anchor is the reference itself, or the field around it, or the heading of the annotation.

    Each record is cited somewhere.
    """
    for record_id in declared(system).keys() | withheld(system):
        file = site.record_page(system, record_id)
        article = site.article(file)
        assert article is not None
        links = [a for cited in article.find("ul", "rw-cited") for a in cited.find("a")]
        assert links, f"{record_id} is cited nowhere"
        for link in links:
            target, anchor = site.follow(file, link.attributes["href"])
            place = site.page(target).root.one(id=anchor)
            hrefs = [each.attributes["href"] for each in place.find("a", "rw-ref")]
            leads = {site.follow(target, href)[0] for href in hrefs}
            assert file in leads, f"{record_id}: {link.words} leads to {target}#{anchor}, where it is not cited"


def test_as_many_citations_are_shown_as_have_been_counted(site):
    """All systems together have more than 400 citations, and each system its share."""
    counted = {
        system: sum(
            len(list(cited.find("a")))
            for file in site.pages
            if file.startswith(f"{system}/records/")
            for cited in site.page(file).root.find("ul", "rw-cited")
        )
        for system in SYSTEMS
    }
    assert sum(counted.values()) > 400, counted
    assert all(count > len(declared(system)) + len(withheld(system)) for system, count in counted.items()), counted


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_reference_in_a_report_is_among_the_citations_of_its_record(site, system):
    """So the way there and the way back are the same."""
    back: dict[str, set[tuple[str, str]]] = {}
    for record_id in declared(system).keys() | withheld(system):
        file = site.record_page(system, record_id)
        article = site.article(file)
        assert article is not None
        links = [a.attributes["href"] for cited in article.find("ul", "rw-cited") for a in cited.find("a")]
        back[file] = {site.follow(file, href) for href in links}
    members = read(REPOSITORY / "records" / system / "system.yml")["members"]
    reports = [member["name"] for member in members if member["publication"] == "published"]
    missing = []
    for file in (site.file_of(f"{system}/{name}") for name in ("index", "sources", *reports)):
        article = site.article(file)
        assert article is not None
        for link in article.find("a", "rw-ref"):
            around = [each.attributes.get("id", "") for each in (link, *link.ancestors())]
            target, _ = site.follow(file, link.attributes["href"])
            own = {site.record_page(system, each.partition("--")[0]) for each in around if each}
            is_repeated = any({"rw-see", "rw-matrix"} & each.classes for each in link.ancestors())
            if target not in own and not is_repeated and not any((file, each) in back[target] for each in around):
                missing.append(f"{file}: {link.words} at {[each for each in around if each]}")
    assert missing == []


def test_a_build_writes_nothing_but_the_site(repository, builds):
    PUBLISHED.configure(repository)
    before = contents(repository)
    build = builds.run(repository, repository / "site")
    assert build.status == 0, build.output
    shutil.rmtree(repository / "site")
    assert contents(repository) == before


def test_two_builds_give_the_same_bytes(published, repository, builds, tmp_path):
    """In another folder, in another process with other hashes, over an old site whose pages have to go.

    The sitemap tells the day of the build, and its compressed form the second: MkDocs takes both from
    `SOURCE_DATE_EPOCH` where that is set, and from the clock here.
    """
    PUBLISHED.configure(repository)
    old = ["gone/index.html", "arigraph/records/gone/index.html", "arigraph/assets/gone.css", "gone.json"]
    for name in old:
        (tmp_path / "other" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "other" / name).write_text("old", encoding="utf-8")
    environment = {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    build = builds.run(repository, tmp_path / "other", environment=environment)
    assert build.status == 0, build.output

    def bytes_of(folder: Path) -> dict[str, bytes]:
        found = contents(folder)
        for name, data in found.items():
            if name.endswith(("sitemap.xml", "sitemap.xml.gz")):
                text = gzip.decompress(data) if name.endswith(".gz") else data
                found[name] = re.sub(rb"<lastmod>.*?</lastmod>", b"", text)
        return found

    first, second = bytes_of(published.site.folder), bytes_of(tmp_path / "other")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def break_a_record(root: Path) -> None:
    path = next(root.glob("records/arigraph/*/routes.yml"))
    path.write_text(path.read_text(encoding="utf-8").replace("label:", "lable:", 1), encoding="utf-8")


def break_yaml(root: Path) -> None:
    (root / "records/arigraph/system.yml").write_text("label: [", encoding="utf-8")


def cite_nothing(root: Path) -> None:
    with (root / "docs/arigraph/index.md").open("a", encoding="utf-8") as page:
        page.write("\nSee EPI-RTE-no-such-route.\n")


def cite_nothing_in_the_register(root: Path) -> None:
    path = root / "records/arigraph/system.yml"
    text = path.read_text(encoding="utf-8").replace("RT-RTE-game-cycle and", "RT-RTE-game-cycel and", 1)
    path.write_text(text, encoding="utf-8")


def link_nowhere(root: Path) -> None:
    with (root / "docs/arigraph/index.md").open("a", encoding="utf-8") as page:
        page.write("\nSee [this](nowhere.md).\n")


def break_the_theme(root: Path) -> None:
    """A fault that only the build of a system comes across, when the portal is long written."""
    (root / "theme").mkdir()
    fault = "{% if page and page.file.src_uri == 'sources.md' %}{{ undefined.attribute }}{% endif %}"
    text = "{% extends 'base.html' %}{% block content %}" + fault + "{{ super() }}{% endblock %}"
    (root / "theme" / "main.html").write_text(text, encoding="utf-8")
    config = (root / "published.yml").read_text(encoding="utf-8")
    config = config.replace("name: material\n", "name: material\n  custom_dir: theme\n", 1)
    (root / "published.yml").write_text(config, encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "strict", "said"),
    [
        (break_a_record, False, r"records/arigraph/epistemic/routes\.yml:4:5: error: .*`lable`.*\[unknown-key\]"),
        (break_yaml, False, r"records/arigraph/system\.yml:1:\d+: error: .*\[yaml-syntax\]"),
        (cite_nothing, False, r"docs/arigraph/index\.md:\d+:5: error: `EPI-RTE-no-such-route` is not declared"),
        (cite_nothing_in_the_register, False, r"records/arigraph/system\.yml:\d+:\d+: error: `RT-RTE-game-cycel`"),
        (link_nowhere, True, r"nowhere\.md"),
        (break_the_theme, False, "'undefined' is undefined"),
    ],
    ids=["record", "yaml", "citation", "citation in the register", "link", "theme"],
)
def test_a_failed_build_says_why_and_leaves_the_earlier_site_whole(
    published, repository, builds, tmp_path, damage, strict, said
):
    PUBLISHED.configure(repository)
    damage(repository)
    earlier = contents(published.site.folder)
    shutil.copytree(published.site.folder, tmp_path / "site")
    build = builds.run(repository, tmp_path / "site", strict=strict)
    assert build.status != 0, build.output
    assert re.search(said, "\n".join([*build.warnings, build.output])), build.output
    now = contents(tmp_path / "site")
    assert now.keys() == earlier.keys()
    assert [name for name in earlier if now[name] != earlier[name]] == []


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_what_the_sites_have_in_common_stands_once(repository, builds, tmp_path, mode):
    """The theme's files, and style sheets, scripts and a logo of the configuration's own."""
    for name in ("own.css", "own.js", "late.js", "logo.svg"):
        (repository / "docs" / name).write_text("<svg/>" if name == "logo.svg" else "", encoding="utf-8")
    settings = (repository / "mkdocs.yml").read_text(encoding="utf-8")
    settings = re.sub(r"  icon:\n    logo: .*\n", "  logo: logo.svg\n", settings)
    more = "extra_css: [own.css]\nextra_javascript: [own.js, {path: late.js, defer: true}]\n"
    (repository / "published.yml").write_text(settings + more, encoding="utf-8")
    mode.configure(repository)
    assert builds.run(repository, tmp_path / "site").status == 0
    site = mode.site(tmp_path / "site")
    assert [str(each) for each in faults(site)] == []
    for system in SYSTEMS:
        assert not (site.folder / system / "assets").exists()
        for file in (site.file_of(f"{system}/index"), f"{system}/404.html"):
            page = site.page(file).root
            styles = [site.follow(file, each.attributes["href"])[0] for each in page.find("link", rel="stylesheet")]
            sources = [each.attributes["src"] for each in page.find("script") if "src" in each.attributes]
            scripts = [site.follow(file, each)[0] for each in sources]
            assert {"own.css", "assets/recordweave.css"} <= set(styles)
            assert {"own.js", "late.js"} <= set(scripts)
