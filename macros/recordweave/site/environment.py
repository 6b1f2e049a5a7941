"""The theme's templates for many sites one after the other: compiled once, and looked for once."""

from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from mkdocs.theme import Theme


class _Compiled(BytecodeCache):
    """Keeps what templates are compiled to, for as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self._kept.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._kept[bucket.key] = bucket.checksum, bucket.code


_COMPILED = _Compiled()


def compile_once(env: Environment) -> None:
    """Let an environment take and leave what templates are compiled to."""
    env.bytecode_cache = _COMPILED


def of_system(theme: Theme) -> Environment:
    """The environment for the site of a system, which has none of the theme's files that are not templates.

    MkDocs finds those by looking at every file of the theme, ten thousand icons among them.
    """
    env = Theme.get_env(theme)
    compile_once(env)
    loader: Any = env.loader
    loader.list_templates = list
    return env
