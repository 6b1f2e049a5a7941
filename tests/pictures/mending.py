"""The pictures of `docs/guide/mending.md`: `make pictures`. They need neovim and tmux beside what the tests need.

Each is taken of the real thing, with the record as the page itself has it: an editor that talks to the language server
for YAML, a terminal, and a browser before `mkdocs serve`.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.site.build import REPOSITORY
from tests.site.served import ARGUMENTS, chromium
from tests.test_serve import serving

PAGE = REPOSITORY / "docs" / "guide" / "mending.md"
IMAGES = REPOSITORY / "docs" / "guide" / "images"
RECORDS = Path("records", "arigraph", "epistemic", "objects.yml")
SERVER = REPOSITORY / "tests" / "editor" / "node_modules" / ".bin" / "yaml-language-server"
LIGHT = TerminalTheme(
    (255, 255, 255),
    (36, 41, 47),
    [
        (36, 41, 47),
        (190, 30, 45),
        (0, 110, 50),
        (140, 95, 0),
        (20, 90, 190),
        (130, 50, 170),
        (0, 115, 135),
        (90, 90, 90),
    ],
)
EDITOR = f"""
vim.opt.number = true
vim.opt.signcolumn = "yes"
vim.opt.swapfile = false
vim.opt.laststatus = 0
vim.opt.cmdheight = 1
vim.cmd("highlight clear SignColumn | highlight clear Delimiter")
local on_one_line = function(each) return (each.message:gsub("%s+", " ")) end
vim.diagnostic.config({{ virtual_text = {{ prefix = "●", format = on_one_line }}, signs = true, underline = true }})
vim.api.nvim_create_autocmd("FileType", {{ pattern = "yaml", callback = function()
  local client = vim.lsp.start_client({{
    name = "yaml",
    cmd = {{ "{SERVER}", "--stdio" }},
    root_dir = vim.fn.getcwd(),
    settings = {{ yaml = {{ schemaStore = {{ enable = false, url = "" }} }} }},
  }})
  vim.lsp.buf_attach_client(0, client)
end }})
"""


def stages() -> list[str]:
    """The record as the page has it, from faulty to clean."""
    return re.findall(r"^```yaml\n(.*?)^```\n", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def repository(folder: Path, stage: str) -> Path:
    """A copy of the repository with the record at one of its stages."""
    root = folder / "repository"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("docs", "records", "schemas"):
        shutil.copytree(REPOSITORY / name, root / name)
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    with (root / RECORDS).open("a", encoding="utf-8") as file:
        file.write(f"\n{stage}")
    return root


def terminal(command: str, root: Path, columns: int, rows: int, seconds: float) -> str:
    """What a terminal shows some seconds after a command was given, with its colours."""
    tmux = ["tmux", "-L", "recordweave-pictures", "-f", "/dev/null"]
    size = ["-x", str(columns), "-y", str(rows)]
    subprocess.run([*tmux, "new-session", "-d", *size, "-c", str(root), f"{command}; sleep 60"], check=True)
    try:
        time.sleep(seconds)
        shown = subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True, capture_output=True, encoding="utf-8")
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)
    return shown.stdout.rstrip()


def photograph(shown: str, columns: int, title: str, target: Path) -> None:
    """Draw what a terminal showed."""
    console = Console(record=True, width=columns, file=sys.stderr, force_terminal=True)
    console.print(Text.from_ansi(shown), soft_wrap=True)
    drawing = console.export_svg(title=title, theme=LIGHT)
    drawing = re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_content(f"<body style='margin: 0'>{drawing}</body>")
        page.locator("svg").screenshot(path=target)
        browser.close()


def main() -> None:
    _, misshapen, astray, _ = stages()
    with tempfile.TemporaryDirectory() as folder:
        root = repository(Path(folder), misshapen)
        (root / "editor.lua").write_text(EDITOR, encoding="utf-8")
        start = (root / RECORDS).read_text(encoding="utf-8").count("\n") - misshapen.count("\n") - 1
        command = f"nvim --clean -u editor.lua '+{start + 2}' '+normal zt' {RECORDS}"
        photograph(terminal(command, root, 120, 17, 12), 120, RECORDS.name, IMAGES / "mending-editor.png")
        root = repository(Path(folder), astray)
        check = shlex.quote(str(Path(sys.executable).with_name("recordweave")))
        shown = terminal(f"{check} check", root, 110, 20, 6)
        photograph(f"$ .venv/bin/recordweave check\n{shown}", 110, "terminal", IMAGES / "mending-terminal.png")
        with serving(root) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            page = browser.new_page(viewport={"width": 1300, "height": 760}, color_scheme="light")
            page.goto(f"{address}arigraph/records/epi-obj-prompt-log/")
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / "mending-page.png")
            browser.close()


if __name__ == "__main__":
    main()
