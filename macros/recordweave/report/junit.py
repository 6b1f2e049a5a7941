"""A report as JUnit's XML, which most services for continuous integration show: a test case for each file."""

import xml.etree.ElementTree as etree
from collections import defaultdict

from recordweave.records.diagnostic import Diagnostic, Severity
from recordweave.report.contents import Report, harmless
from recordweave.report.text import formatted, summary


def in_junit(report: Report) -> str:
    """One suite. A file with faults is a failed case, and its failure holds them all."""
    faults: dict[str, list[Diagnostic]] = defaultdict(list)
    for each in report.diagnostics:
        faults[each.place.file].append(each)
    files = sorted({*report.files, *faults})
    counts = {"tests": str(len(files)), "failures": str(len(faults)), "errors": "0", "skipped": "0"}
    suites = etree.Element("testsuites", counts)
    suite = etree.SubElement(suites, "testsuite", {"name": "recordweave", **counts})
    for file in files:
        case = etree.SubElement(suite, "testcase", {"classname": "recordweave", "name": harmless(file)})
        if found := faults.get(file):
            severity = Severity.ERROR if any(each.severity is Severity.ERROR for each in found) else Severity.WARNING
            message = harmless(found[0].message) if len(found) == 1 else summary(found)
            failure = etree.SubElement(case, "failure", {"type": severity.value, "message": message})
            failure.text = "\n".join(formatted(each, report.root) for each in found)
    etree.indent(suites)
    xml: bytes = etree.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return xml.decode("ascii") + "\n"
