"""The command line. It prints what the lower layers found, and turns it into an exit status."""

from pathlib import Path
from textwrap import fill

import click
from rich.console import Console
from rich.text import Text

from recordweave import __version__
from recordweave.project import load
from recordweave.records.diagnostic import CODES, did_you_mean, usual_severity
from recordweave.report import formatted, summary
from recordweave.sources import explanations


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="recordweave")
def main() -> None:
    """Documentation sites woven from structured records and prose."""


@main.command()
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of `mkdocs.yml`, with `records/` and `docs/` in it.  [default: the current folder]",
)
def check(root: Path) -> None:
    """Check every record and every page of prose. Exit status 0 if nothing is wrong, 1 if something is."""
    root = root.absolute()
    if not (root / "records").is_dir():
        raise click.UsageError(
            f"there is no folder `records` in `{root}`; run this where `mkdocs.yml` is, or give `--root`"
        )
    project = load(root, root / "records", root / "docs")
    told = project.diagnostics
    for diagnostic in told:
        click.echo(formatted(diagnostic, root))
    collections = [system.collection for system in project.systems.values() if system.collection]
    entries = sum(len(list(each.analysis.entries())) for each in collections)
    systems = f"{len(project.systems)} system{'' if len(project.systems) == 1 else 's'}"
    click.echo(f"{systems}, {entries} records, rows and annotations: {summary(told)}")
    raise SystemExit(1 if told else 0)


def usages() -> list[tuple[str, str]]:
    """Every command with its usage line, and what its help says: for the documentation."""
    told = []
    for name, command in sorted(main.commands.items()):
        context = click.Context(command, info_name=f"recordweave {name}")
        options = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        texts = [command.help or "", *(f"`{flags}`: {text}" for flags, text in options)]
        told.append((usage, "\n\n".join(" ".join(text.split()) for text in texts)))
    return told


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
