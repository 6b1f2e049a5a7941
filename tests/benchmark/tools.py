"""Where the generators are that the build benchmark compares: ours, plain MkDocs, and Hugo.

Plain MkDocs needs mkdocs-autorefs, which is no dependency of this project. It gets a virtual environment of its own
below `build/`, with the versions of everything else that ours has.
"""

import shutil
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path

from tests.benchmark.repository import ROOT

OURS = str(Path(sys.executable).with_name("mkdocs"))

_PLAIN = ROOT / "build" / "plain-mkdocs"
_SHARED = ("Jinja2", "Markdown", "mkdocs", "mkdocs-material", "pymdown-extensions")


class Missing(Exception):
    """A generator that is not here; the message says why."""


def plain_mkdocs() -> str:
    """The command of plain MkDocs; installs it if that has not been done yet."""
    packages = [*(f"{name}=={version(name)}" for name in _SHARED), "mkdocs-autorefs"]
    made_from = _PLAIN / "made-from"
    if not made_from.exists() or made_from.read_text().splitlines() != packages:
        pip = [str(_PLAIN / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        try:
            venv.create(_PLAIN, clear=True, with_pip=True)
            subprocess.run([*pip, *packages], check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            told = str(getattr(error, "stderr", None) or error).strip().splitlines()
            raise Missing(f"mkdocs-autorefs cannot be installed into {_PLAIN}: {told[-1]}") from error
        made_from.write_text("\n".join(packages))
    return str(_PLAIN / "bin" / "mkdocs")


def hugo() -> str:
    """The command of Hugo."""
    if found := shutil.which("hugo"):
        return found
    raise Missing("it is not installed. On Debian: apt-get install hugo")
