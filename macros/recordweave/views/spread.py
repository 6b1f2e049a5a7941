"""A picture of a system's ledger: how its functions and statuses are spread."""

from markupsafe import Markup

from recordweave.views.links import VALUES
from recordweave.views.measures import MEASURES
from recordweave.views.view import View, render


def spread(view: View) -> Markup:
    """A bar for each function with its number of rows, in parts by architectural status; nothing without a ledger."""
    functions, statuses = MEASURES["function"], MEASURES["status"]
    vocabularies = view.collection.analysis.vocabularies
    found = functions.by_value(view.collection)
    total = sum(map(len, found.values()))
    bars = []
    for key in functions.order(found, vocabularies[functions.vocabulary]):
        rows = found[key]
        told = [status for row in rows for status in statuses.keys(row)]
        parts, start = [], 0
        for status in statuses.order(told, vocabularies[statuses.vocabulary]):
            parts.append({"status": status[1], "start": start, "count": told.count(status)})
            start += told.count(status)
        href = view.links(VALUES, functions.anchor(key))
        bars.append({"name": key[1], "href": href, "count": len(rows), "parts": parts})
    legend = [
        status for _, status in statuses.order(statuses.by_value(view.collection), vocabularies[statuses.vocabulary])
    ]
    most = max(map(len, found.values()), default=0)
    return render("spread.html.j2", bars=bars, most=most, total=total, legend=legend)
