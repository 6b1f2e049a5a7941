"""A build of some systems only: which these are, and what tells that parts belong together."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from mkdocs.config.base import BaseConfigOption, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

from recordweave import caches
from recordweave.checking import Repository, digest_of
from recordweave.parts import Part
from recordweave.project import Project
from recordweave.records.diagnostic import did_you_mean
from recordweave.site.outputs import settings_of
from recordweave.site.plain import own_code
from recordweave.sources.files import Files
from recordweave.sources.repository import system_folders
from recordweave.views.links import PORTAL


class SystemsOption(BaseConfigOption[tuple[str, ...]]):
    """`systems`: names in a list, or in a text with blanks or commas between them. Without any, all are meant."""

    default: tuple[str, ...] = ()

    def run_validation(self, value: object) -> tuple[str, ...]:
        if value is None:  # what `!ENV` gives for a variable that is set to nothing
            return ()
        names = re.split(r"[\s,]+", value) if isinstance(value, str) else value
        if not isinstance(names, Sequence) or not all(isinstance(each, str) and each.isprintable() for each in names):
            raise ValidationError("this is neither a text with the names of systems nor a list of them")
        return tuple(dict.fromkeys(each for each in names if each))


def chosen(named: Sequence[str], root: Path, records: Path) -> tuple[str, ...]:
    """The systems that are to be built, in their order: those that are named, or all. Raises for one that is none."""
    there = [folder.name for folder in system_folders(records, Files(root))]
    wrong = [name for name in named if name not in there]
    if wrong:
        hints = {name: did_you_mean(name, there) for name in wrong}
        told = ", ".join(f"`{name}`{f' ({hint})' if hint else ''}" for name, hint in hints.items())
        raise Abort(f"recordweave: `systems` names what is no system: {told}")
    return tuple(name for name in there if not named or name in named)


def part_of(project: Project, config: MkDocsConfig, records: Path, built: tuple[str, ...]) -> Part | None:
    """What a build of some systems is a part of; nothing where these are all."""
    systems, root = tuple(project.systems), project.root
    if built == systems:
        return None
    repository = Repository(Files(root), records, Path(config.docs_dir), systems)
    own = {name: project.digests.get(name) or digest_of(repository, name, linked=True) for name in (PORTAL, *systems)}
    code = [(os.path.relpath(path, root), path.read_bytes()) for path in own_code(config)]
    settings = settings_of(config).replace(json.dumps(str(root))[1:-1], "")  # wherever the repository lies
    made_from = repr((own, settings, config.nav, code))
    return Part(caches.digest(caches.program() + made_from.encode(errors="surrogatepass")).hex(), systems, built)
