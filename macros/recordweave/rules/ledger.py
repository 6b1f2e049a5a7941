"""A rule about the ledger: a row is about one function."""

import re
from collections.abc import Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.records.values import Term
from recordweave.rules.facts import Facts, error

_JOINTS = re.compile(r"\s*(?:[,;+&/]|\b(?:and|or|then|with|plus)\b)\s*", re.IGNORECASE)


def rows_are_about_one_function(facts: Facts) -> Iterator[Diagnostic]:
    """`other` is for what no function of the vocabulary says, and not for several of them in one row.

    Descriptions that say anything besides the names of functions are let alone.
    """
    vocabulary = facts.collection.analysis.vocabularies.get("route_function")
    names = vocabulary.meanings if vocabulary else ()
    known = {_plain(part): name for name in names if name != "other" for part in (name, *name.split("/"))}
    for row in facts.collection.analysis.rows:
        function = row.value("function")
        if row.table != "ledger" or not isinstance(function, Term) or not function.description:
            continue
        told = _plain(function.description)
        parts = [told] if told in known else [_plain(each) for each in _JOINTS.split(told) if each]
        if not parts or not all(each in known for each in parts):
            continue
        named = list(dict.fromkeys(f"`{known[each]}`" for each in parts))
        place = facts.place(row, (*row.origin.pointer, "function", function.value))
        if len(named) > 1:
            message = f"{' and '.join(named)} are merged in one row"
            yield error("merged-functions", message, place, "write a row for each of them")
        else:
            message = f"`{function.value}` says what {named[0]} says"
            yield error("merged-functions", message, place, f"write {named[0]} on the line of its key")


def _plain(text: str) -> str:
    """A name without case, markup and the ending by which an act is spoken of: `Checking` is `check`."""
    return re.sub(r"(?<=check)ing\b", "", " ".join(text.replace("`", "").casefold().strip(" .").split()))
