"""What many sites one after the other have in common: templates are compiled and looked for once, git is asked once."""

from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from mkdocs.theme import Theme
from mkdocs_macros import context


class _Compiled(BytecodeCache):
    """Keeps what templates are compiled to: for as long as the program runs, and in a folder where there is one."""

    def __init__(self) -> None:
        self.folder: FileSystemBytecodeCache | None = None
        self._kept: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self._kept.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif self.folder:
            self.folder.load_bytecode(bucket)
            self._keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._keep(bucket)
        if self.folder:
            with suppress(OSError):
                self.folder.dump_bytecode(bucket)

    def _keep(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._kept[bucket.key] = bucket.checksum, bucket.code


_COMPILED = _Compiled()


def keep_compiled(folder: Path | None) -> None:
    """Keep what templates are compiled to in a folder from now on, which is made if need be."""
    _COMPILED.folder = None
    if folder:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _COMPILED.folder = FileSystemBytecodeCache(str(folder))


def ask_git_once() -> None:
    """Let the plugin `macros` ask git only once for what it asks before each site, by a dozen commands."""
    if not hasattr(context.get_git_info, "cache_info"):
        context.get_git_info = cache(context.get_git_info)


def compile_once(env: Environment) -> None:
    """Let an environment take and leave what templates are compiled to."""
    env.bytecode_cache = _COMPILED


def leave_files_out(theme: Theme) -> None:
    """Let MkDocs find none of a theme's files that are not templates, for a site that needs none of them.

    It finds those by looking at every file of the theme, ten thousand icons among them.
    """
    theme.get_env = partial(_without_files, theme)  # type: ignore[method-assign]


def _without_files(theme: Theme) -> Environment:
    env = Theme.get_env(theme)
    compile_once(env)
    loader: Any = env.loader
    loader.list_templates = list
    return env
