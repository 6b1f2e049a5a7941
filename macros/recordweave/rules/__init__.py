"""What no schema can say: rules about several values, files or systems at once.

A rule is a function that takes `Facts` and yields diagnostics. `check` runs them all.
"""

from collections.abc import Callable, Iterator

from recordweave.records.diagnostic import Diagnostic
from recordweave.rules import (
    aliases,
    amendments,
    annotations,
    comparison,
    containers,
    evidence,
    files,
    findings,
    kinds,
    layers,
    ledger,
    names,
    references,
    reports,
    supersessions,
    systems,
)
from recordweave.rules.facts import Facts

Rule = Callable[[Facts], Iterator[Diagnostic]]

RULES: tuple[Rule, ...] = (
    systems.names_are_unique,
    systems.names_are_free,
    systems.addresses_can_be_published,
    systems.listed_records_are_the_members,
    systems.sections_show_once,
    files.ids_are_unique,
    files.records_stand_in_the_right_file,
    aliases.aliases_are_nobody_elses,
    names.names_are_a_few_words,
    references.records_exist,
    references.mentions_are_well_formed,
    references.ranges_are_written_out,
    references.links_can_be_made,
    references.sources_exist,
    kinds.cells_hold_the_right_kinds,
    kinds.cells_defer_to_somebody,
    evidence.lines_are_in_a_file,
    evidence.searches_name_a_revision,
    evidence.captures_are_of_a_day,
    layers.conclusions_rest_on_their_layer,
    layers.sources_hold_the_layer,
    ledger.rows_are_about_one_function,
    comparison.claims_are_compared_once,
    findings.uncertainties_have_reasons,
    containers.nothing_is_part_of_itself,
    reports.withheld_reports_have_no_page,
    reports.reports_stand_in_one_file,
    reports.reports_have_their_sections,
    annotations.members_annotate_others,
    annotations.records_are_annotated_once,
    amendments.fields_are_those_of_the_record,
    supersessions.nothing_supersedes_itself,
    supersessions.nothing_is_superseded_round_a_circle,
    supersessions.nothing_is_superseded_twice,
    supersessions.several_are_parts,
)


def check(facts: Facts) -> list[Diagnostic]:
    """Run every rule over one system; sorted by place, each complaint once."""
    found = {diagnostic: None for rule in RULES for diagnostic in rule(facts)}
    return sorted(found, key=lambda each: (each.place, each.code, each.message))
