"""What the package imports is what it asks for: an install without the developers' tools has everything."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from tests.site.build import REPOSITORY


def imported() -> set[str]:
    """The top-level names that the package imports from elsewhere."""
    names: set[str] = set()
    for path in (REPOSITORY / "macros" / "recordweave").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {each.name.split(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return names - sys.stdlib_module_names - {"recordweave"}


def test_every_import_is_a_dependency():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=!~; \[]", each)[0].lower().replace("_", "-") for each in project["dependencies"]}
    known = packages_distributions()
    found = {name: {each.lower().replace("_", "-") for each in known[name]} for name in imported()}
    assert len(found) > 8
    assert {name for name, distributions in found.items() if not distributions & asked} == set()
