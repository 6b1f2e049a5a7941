"""The command line. It prints what the lower layers found, and turns it into an exit status."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

import click
from rich.console import Console
from rich.text import Text

from recordweave import __version__, caches, checking, parts
from recordweave.records.diagnostic import CODES, Diagnostic, did_you_mean, usual_severity
from recordweave.report.contents import Report, harmless
from recordweave.report.data import in_json
from recordweave.report.github import in_github
from recordweave.report.junit import in_junit
from recordweave.report.sarif import in_sarif
from recordweave.report.text import closing, in_colour, in_text
from recordweave.settings import Settings, SettingsError, read_settings
from recordweave.sources import explanations
from recordweave.sources.files import Files, shown
from recordweave.sources.repository import system_folders
from recordweave.verdict import Checked, verdict

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": in_text,
    "github": in_github,
    "json": in_json,
    "sarif": in_sarif,
    "junit": in_junit,
}
FOR_PEOPLE = ("text", "github")
"""The formats that say by themselves how much was read."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="recordweave")
def main() -> None:
    """Documentation sites woven from structured records and prose."""


in_root = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of `mkdocs.yml`, with `records/` and `docs/` in it.  [default: the current folder]",
)


@main.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@in_root
@click.option(
    "--format",
    "layout",
    type=click.Choice(list(FORMATS)),
    default="text",
    help="How faults are told: as text, as commands of GitHub Actions with the text behind them, as JSON, as SARIF "
    "2.1.0, or as JUnit's XML.  [default: text]",
)
@click.option(
    "--cache/--no-cache",
    default=True,
    help="Whether what has not changed since the last time is left as it was found then, which is kept in your own "
    "folder for caches.  [default: cache]",
)
def check(paths: tuple[Path, ...], root: Path, layout: str, cache: bool) -> None:
    """Check every record and every page of prose.

    With a PATH, a file or a folder in `records/` or `docs/`, everything is checked all the same, and only the faults
    that concern it are told. Exit status 0 if nothing is wrong, 1 if something is, 2 if the call or `mkdocs.yml` is
    wrong.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever it cannot show is no reason to stop
    root = root.resolve()
    settings = _settings(root)
    asked = [_asked(path, root, settings) for path in paths]
    kept = checking.kept_in(root) if cache else None
    checked = checking.check(root, root / settings.records, root / settings.docs, kept, scripts=settings.scripts)
    report = _report(root, checked, settings, asked)
    if layout == "text" and _has_colours():
        console = Console(force_terminal=True, highlight=False)
        for line in in_colour(report, console.width):
            console.print(line, soft_wrap=True)
        if report.diagnostics:
            more = f"What is behind a code: recordweave explain {report.diagnostics[0].code}"
            console.print(Text(more, "dim"), soft_wrap=True)
    else:
        click.echo(FORMATS[layout](report), nl=False)
    if layout not in FOR_PEOPLE:
        click.echo(closing(report).plain, err=True)
    raise SystemExit(1 if report.diagnostics else 0)


def _settings(root: Path) -> Settings:
    """The settings of a repository. Raises where there is none."""
    try:
        settings = read_settings(root)
    except SettingsError as error:
        raise click.UsageError(str(error)) from error
    if not (root / settings.records).is_dir():
        raise click.UsageError(
            f"there is no folder `{settings.records}` in `{root}`; run this where `mkdocs.yml` is, or give `--root`"
        )
    return settings


def _asked(path: Path, root: Path, settings: Settings) -> str:
    """A path of the command line, as file names are shown. Raises where there is nothing to check."""
    if not os.path.lexists(path):
        raise click.UsageError(f"there is no `{path}`")
    absolute = Path(os.path.normpath(path.absolute()))
    if not absolute.is_relative_to(root):
        absolute = absolute.parent.resolve() / absolute.name
    folders = [Path(os.path.normpath(root / each)) for each in (settings.records, settings.docs)]
    if absolute != root and not any(absolute.is_relative_to(each) for each in folders):
        named = " nor ".join(f"`{shown(each, root)}`" for each in folders)
        raise click.UsageError(f"`{path}` lies neither in {named}, so nothing of it is checked")
    return shown(absolute, root)


def _report(root: Path, checked: Sequence[Checked], settings: Settings, asked: list[str]) -> Report:
    """What is told: everything, or what concerns the paths that were asked about."""

    def concerns(file: str) -> bool:
        return not asked or any(each in (".", file) or file.startswith(f"{each}/") for each in asked)

    def is_told(diagnostic: Diagnostic) -> bool:
        return any(concerns(each.file) for each in (diagnostic.place, *(place for _, place in diagnostic.related)))

    told = [each for each in verdict(checked, settings.severities) if is_told(each)]
    files = sorted({file for each in checked for file in each.files if concerns(file)})
    entries = sum(each.entries for each in checked)
    scope = ", ".join(f"`{each}`" for each in dict.fromkeys(asked))
    return Report(root, told, files, sum(bool(each.system) for each in checked), entries, scope)


def _has_colours() -> bool:
    """Whether standard output is a terminal that shows colours to somebody who wants them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def usages() -> list[tuple[str, str]]:
    """Every command with its usage line, and what its help says: for the documentation."""
    told = []
    commands = dict(main.commands)
    for name, group in main.commands.items():
        if isinstance(group, click.Group):
            del commands[name]
            commands |= {f"{name} {each}": command for each, command in group.commands.items()}
    for name, command in sorted(commands.items()):
        context = click.Context(command, info_name=f"recordweave {name}")
        records = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
        options = [record for record in records if record[1]]  # the usage line names the arguments
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        texts = [command.help or "", *(f"`{flags}`: {text}" for flags, text in options)]
        told.append((usage, "\n\n".join(" ".join(text.split()) for text in texts)))
    return told


@main.command()
@click.option(
    "--parts",
    "count",
    metavar="N",
    type=click.IntRange(min=1),
    required=True,
    help="How many parts there are to be. There are never more than systems.",
)
@in_root
def matrix(count: int, root: Path) -> None:
    """Spread the systems over machines that build a part of the site each.

    Prints a line of JSON, `{"include": [{"part": 1, "systems": "ace hipporag"}, …]}`, which a workflow of GitHub takes
    for its `strategy.matrix`: the number of each part, and the names of its systems as the setting `systems` of
    `mkdocs.yml` takes them. The parts are even by the size of their files, and always the same for the same files.
    Where there is one part only, it is the whole site. Exit status 0, 1 if a folder has no name that a system can have,
    2 if the call or `mkdocs.yml` is wrong.
    """
    root = root.resolve()
    settings, files = _settings(root), Files(root)
    records, docs = root / settings.records, root / settings.docs
    names = [folder.name for folder in system_folders(records, files)]
    try:
        shares = parts.spread(files, records, docs, names, count)
    except parts.PartsError as error:
        raise click.ClickException(harmless(str(error))) from error
    include = [{"part": number, "systems": " ".join(share)} for number, share in enumerate(shares, 1)]
    click.echo(json.dumps({"include": include}))


@main.command()
@click.argument(
    "folders",
    metavar="PART...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--into",
    "site",
    metavar="SITE",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder of the site. What it holds is replaced in one step, but for files whose names begin with a dot.",
)
def join(folders: tuple[Path, ...], site: Path) -> None:
    """Join parts of a site into SITE.

    Each PART is a folder that some of the systems were built into; `recordweave-part.json` in it says which. The result
    is what one build of all systems makes, byte for byte. Refused are parts that were not made from the same files,
    settings and program, that lack a system between them, that hold different bytes under one name, or that hold
    anything but files and folders; SITE then stays as it was. A site without `recordweave-part.json` is whole, and can
    only be given alone. Exit status 0 if SITE is there, 1 if it cannot be made of the parts, 2 if the call is wrong.
    """
    for folder in folders:
        here, there = folder.resolve(), site.resolve()
        if here.is_relative_to(there) or there.is_relative_to(here):
            raise click.UsageError(f"`{folder}` and `{site}` lie in each other; join into another folder")
    try:
        parts.join(folders, site, lambda told: click.echo(told, err=True))
    except parts.PartsError as error:
        raise click.ClickException(harmless(str(error))) from error
    except OSError as error:
        what = harmless(f"`{error.filename or site}` cannot be read or written: {error.strerror}")
        raise click.ClickException(what) from error
    click.echo(f"the site stands in {site}")


@main.group("cache")
def cache_group() -> None:
    """What is kept from one check or build to the next."""


@cache_group.command()
def clear() -> None:
    """Forget everything that was found or built before, of every repository."""
    folder = caches.folder()
    if folder:
        shutil.rmtree(folder)
    click.echo(f"nothing is kept in `{folder}` any more" if folder else "nothing is kept")


@main.command()
@click.argument("code", default="")
def explain(code: str) -> None:
    """Explain the `CODE` that stands in brackets behind a message, with an example of wrong and right; without one,
    list all codes."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not code:
        width = max(len(each) for each in CODES)
        for each, sentence in CODES.items():
            console.print(Text.assemble((each.ljust(width), "bold"), "  ", sentence), soft_wrap=True)
        return
    wanted = code.strip(" []`").casefold()
    if wanted not in CODES:
        hint = did_you_mean(wanted, CODES) or "`recordweave explain` lists all codes"
        raise click.UsageError(f"there is no code `{wanted}`; {hint}")
    explanation = explanations.load()[wanted]
    console.print(Text.assemble((wanted, "bold"), f" ({usual_severity(wanted)})"))
    console.print(Text(CODES[wanted]), soft_wrap=True)
    console.print()
    console.print(Text(fill(" ".join(explanation.why.split()), min(console.width, 88))), soft_wrap=True)
    for word, colour, example in (("Wrong", "red", explanation.wrong), ("Right", "green", explanation.right)):
        console.print()
        console.print(Text.assemble((word, f"bold {colour}"), f", in {example.file}:"), soft_wrap=True)
        console.print()
        for line in example.text.splitlines():
            console.print(Text(f"    {line}" if line else "", colour), soft_wrap=True)
