"""What was found, told to people and to machines: as text, and in the formats that other tools read.

Each module makes one format of a `Report`; none decides anything about what is told.
"""

from recordweave.report.text import formatted, summary

__all__ = ["formatted", "summary"]
