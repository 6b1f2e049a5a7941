"""What `mkdocs.yml` says about the check, read without MkDocs and without running any plugin.

`INHERIT` and `!ENV` mean what they mean to MkDocs; every other tag, such as that of a Python function, is passed over,
since no setting of the check can have one.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from recordweave.records.severities import Severities, read_severities

PLUGIN = "recordweave"


class SettingsError(Exception):
    """The configuration cannot be used; the text is a sentence for whoever wrote it."""


@dataclass(frozen=True)
class Settings:
    """The folders of the records and of the prose, relative to that of the configuration, and the severities.

    `scripts` are the files in the folder of the prose that the site lets browsers run.
    """

    records: str = "records"
    docs: str = "docs"
    severities: Severities = field(default_factory=dict)
    scripts: frozenset[str] = frozenset()


def read_settings(root: Path) -> Settings:
    """The settings of the repository in a folder; those that hold by default where it has no configuration."""
    file = next((root / each for each in ("mkdocs.yml", "mkdocs.yaml") if (root / each).exists()), None)
    if file is None:
        return Settings()
    raw = _load(file, ())
    mine = _of_plugin(raw.get("plugins"))
    severities, complaints = read_severities(mine.get("severity"))
    if complaints:
        raise SettingsError(f"`severity` of the plugin `{PLUGIN}` in `{file.name}`: {'; and '.join(complaints)}")
    records = _folder(mine.get("records", "records"), f"`records` of the plugin `{PLUGIN}` in `{file.name}`")
    docs = _folder(raw.get("docs_dir", "docs"), f"`docs_dir` in `{file.name}`")
    return Settings(records, docs, severities, frozenset(_scripts(raw.get("extra_javascript"))))


def _scripts(named: object) -> Iterator[str]:
    """The files among the scripts that are named; each is a text, or a mapping with a `path`."""
    for each in named if isinstance(named, list) else ():
        path = each.get("path") if isinstance(each, Mapping) else each
        if isinstance(path, str):
            yield path


def _folder(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{name} is not the name of a folder; write one, or leave it out")
    return value


def _of_plugin(plugins: object) -> Mapping[str, Any]:
    """The settings of the plugin, in a list of plugins or in a mapping."""
    listed = plugins if isinstance(plugins, list) else [plugins]
    for each in listed:
        if isinstance(each, Mapping) and isinstance(each.get(PLUGIN), Mapping):
            mine: Mapping[str, Any] = each[PLUGIN]
            return mine
    return {}


def _load(file: Path, below: tuple[Path, ...]) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            raw = yaml.load(stream, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{file.name}:{mark.line + 1}:{mark.column + 1}: " if mark else f"{file.name}: "
        raise SettingsError(f"{where}{error.problem or 'this is not YAML'}") from error
    except OSError as error:
        raise SettingsError(f"`{file}` cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SettingsError(f"`{file.name}` cannot be read: {error}") from error
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise SettingsError(f"`{file.name}` holds no settings; write `key: value` lines")
    inherited = raw.pop("INHERIT", None)
    if inherited is None:
        return raw
    parent = Path(os.path.normpath(file.parent / str(inherited)))
    if parent in (file, *below):
        raise SettingsError(f"`{file.name}` inherits from itself; remove `INHERIT`")
    return _merged(_load(parent, (file, *below)), raw)


def _merged(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    """As MkDocs does it: mappings are merged, anything else is replaced."""
    merged = dict(parent)
    for key, value in child.items():
        inherited = parent.get(key)
        if isinstance(value, Mapping) and isinstance(inherited, Mapping):
            value = _merged(inherited, value)
        merged[key] = value
    return merged


class _Loader(yaml.SafeLoader):
    """MkDocs' reading of YAML, without what would run something."""


def _environment(loader: _Loader, node: yaml.Node) -> Any:
    """The first variable that is set, of several with the default behind them; nothing where none is set."""
    default: Any = None
    names = [node]
    if isinstance(node, yaml.SequenceNode):
        names = node.value
        if len(names) > 1:
            default = loader.construct_object(names[-1], deep=True)
            names = names[:-1]
    for each in names:
        if isinstance(each, yaml.ScalarNode) and each.value in os.environ:
            value = os.environ[each.value]
            tag = loader.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
            return loader.construct_object(yaml.ScalarNode(tag, value))
    return default


def _passed_over(loader: _Loader, suffix: str, node: yaml.Node) -> None:
    return None


_Loader.add_constructor("!ENV", _environment)
_Loader.add_multi_constructor("!", _passed_over)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _passed_over)
