"""A report as workflow commands, which GitHub Actions shows beside the lines of a pull request.

The commands come first, then the text for whoever reads the log. What it quotes might hold a command of its own, so
none is obeyed while it is printed; the word that ends this is made of the text, so that nothing in it can be that word.
"""

from hashlib import sha256

from recordweave.records.diagnostic import Diagnostic
from recordweave.report.contents import Report, encodable, harmless
from recordweave.report.text import in_text


def in_github(report: Report) -> str:
    """A command for each diagnostic, and the text."""
    text = in_text(report)
    word = sha256(text.encode()).hexdigest()
    commands = "".join(f"{_command(each)}\n" for each in report.diagnostics)
    return f"{commands}::stop-commands::{word}\n{text}::{word}::\n"


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties = {"file": encodable(place.file), "line": place.line, "col": place.column, "title": diagnostic.code}
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    related = [f"{each}: {word}" for word, each in diagnostic.related]
    told = [diagnostic.message, *related, *([f"help: {diagnostic.hint}"] if diagnostic.hint else [])]
    message = "\n".join(harmless(each) for each in told)
    return f"::{diagnostic.severity} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return harmless(_data(text).replace(":", "%3A").replace(",", "%2C"))
