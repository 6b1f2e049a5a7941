"""The map of a site for search engines: it names the pages of records too, and not the day of the build.

That day says nothing about a page, and would make a site differ from what it was the day before.
"""

import gzip
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.structure.files import Files

from recordweave.site.record_pages import RecordFile

NAME = "sitemap.xml"
_DAY = re.compile(r"\s*<lastmod>[^<]*</lastmod>")


def with_records(context: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """What the map is rendered with, the pages of records among it."""
    return {**context, "pages": [*context["pages"], *(each for each in files if isinstance(each, RecordFile))]}


def without_days(output: str) -> str:
    """The map without the days on which its pages were built."""
    return _DAY.sub("", output)


def compress(site_dir: Path) -> None:
    """Write the compressed map anew: the one that is there holds the day of the build."""
    if (site_dir / NAME).is_file():
        data = gzip.compress((site_dir / NAME).read_bytes(), mtime=0)
        (site_dir / f"{NAME}.gz").write_bytes(data)
