"""How much each code weighs in a project whose configuration says something else than the checks do."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from recordweave.records.diagnostic import CODES, Diagnostic, Severity, did_you_mean

GUARDING = frozenset({"active-content", "bad-address", "unreadable-file"})
"""The codes that keep a site from being turned against its readers: nobody lowers or waives them."""

OMITTING = frozenset(
    {
        "yaml-syntax",
        "yaml-alias",
        "yaml-tag",
        "yaml-depth",
        "yaml-size",
        "yaml-encoding",
        "yaml-empty",
        "yaml-documents",
        "yaml-key",
        "yaml-indentation",
        "schema",
        "vocabulary",
        "unknown-key",
        "missing-key",
        "missing-system",
        "template",
        "unknown-macro",
        "macro-argument",
        "front-matter",
    }
)
"""The codes of faults for which a file, a record or a page is left out: nobody leaves out something without a word."""

Severities = Mapping[str, Severity | None]
"""The severity of some codes; none where the code is turned off."""

_VALUES: Mapping[object, Severity | None] = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "off": None,
    False: None,  # which is what YAML makes of `off`
}


def read_severities(raw: object) -> tuple[dict[str, Severity | None], list[str]]:
    """The severities that a configuration asks for, and what is wrong with them: sentences, each with its remedy."""
    if raw is None:
        return {}, []
    if not isinstance(raw, Mapping):
        return {}, ["`severity` holds no codes; write `severity: {range: error}`"]
    severities: dict[str, Severity | None] = {}
    complaints = []
    for code, value in raw.items():
        complaint = _complaint(code, value)
        if complaint:
            complaints.append(complaint)
        else:
            severities[str(code)] = _VALUES[value]
    return severities, complaints


def _complaint(code: object, value: object) -> str:
    if code not in CODES:
        hint = did_you_mean(str(code), CODES) or "the codes stand in brackets behind what a check tells"
        return f"`{code}` is not the code of a diagnostic; {hint}"
    if not isinstance(value, str | bool) or value not in _VALUES:
        hint = did_you_mean(str(value), ("error", "warning", "off")) or "write `error`, `warning` or `off`"
        return f"`{value}` is not a severity that `{code}` can have; {hint}"
    if code in GUARDING and _VALUES[value] is not Severity.ERROR:
        return f"`{code}` keeps readers from harm, so it can be raised and not lowered; remove it from `severity`"
    if code in OMITTING and _VALUES[value] is None:
        return f"what `{code}` is about is left out of the site, so it cannot be `off`; write `{code}: warning`"
    return ""


def weighed(
    found: Iterable[Diagnostic], severities: Severities, needed: Container[Diagnostic] = ()
) -> Iterator[Diagnostic]:
    """Diagnostics as a project weighs them. Those that are `needed` are at least warnings, whatever is turned off."""
    for each in found:
        severity = severities.get(each.code, each.severity)
        if severity is None and each in needed:
            severity = Severity.WARNING
        if severity is not None:
            yield replace(each, severity=severity)
