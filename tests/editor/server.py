"""yaml-language-server as an editor talks to it: JSON-RPC messages over standard input and output.

Texts are opened as they would be in an editor, saved or not; nothing is written to the disk.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any, Self

HERE = Path(__file__).parent
PROGRAM = HERE / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
PATIENCE = 60
"""Seconds until a server that does not answer is stopped, and the test fails."""

CAPABILITIES = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {},
    },
}


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the server asks for them: `{"yaml.hover": true}` becomes `{"yaml": {"hover": true}}`."""
    told: dict[str, Any] = {}
    for name, value in settings.items():
        *above, last = name.split(".")
        here = told
        for each in above:
            here = here.setdefault(each, {})
        here[last] = value
    return told


class Server:
    """A running server, with `root` as the folder that is open in the editor.

    What it says on standard error, and what it would have reached in the network, is written to `errors`.
    """

    def __init__(self, root: Path, settings: Mapping[str, Any], errors: Path) -> None:
        self.root = root
        self.settings = nested(settings)
        self.texts: dict[str, str] = {}
        self._errors = errors
        self._numbers = count(1)
        self._answers: dict[int, Any] = {}
        self._diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._is_set_up = False

    def __enter__(self) -> Self:
        command = ["node", "--require", str(HERE / "offline.cjs"), str(PROGRAM), "--stdio"]
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, "LANG": "C"}
            )
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        told = {"processId": os.getpid(), "rootUri": folder["uri"], "workspaceFolders": [folder]}
        self._request("initialize", {**told, "capabilities": CAPABILITIES})
        self._notify("initialized", {})
        while not self._is_set_up:
            self._receive()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def open(self, file: str, text: str | None = None) -> None:
        """Open a file of the folder, with a text that need not be the one on the disk."""
        self.texts[file] = (self.root / file).read_text(encoding="utf-8") if text is None else text
        document = {"uri": self._uri(file), "languageId": "yaml", "version": 1, "text": self.texts[file]}
        self._notify("textDocument/didOpen", {"textDocument": document})

    def diagnostics(self, file: str) -> list[str]:
        """What is wrong in an open file, as `line:column: message`, both counted from 1."""
        while self._uri(file) not in self._diagnostics:
            self._receive()
        told = [(each["range"]["start"], each["message"]) for each in self._diagnostics[self._uri(file)]]
        found = sorted((at["line"] + 1, at["character"] + 1, message) for at, message in told)
        return [f"{line}:{column}: {message}" for line, column, message in found]

    def hover(self, file: str, line: int, column: int) -> str:
        """What the pointer would show at a place, both counted from 1; as Markdown, without its backslashes."""
        told = self._request("textDocument/hover", self._at(file, line, column))
        return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", told["contents"]["value"]) if told else ""

    def complete(self, file: str, line: int, column: int) -> dict[str, tuple[str, str]]:
        """What can be written at a place: what each entry of the list inserts, and its explanation."""
        told = self._request("textDocument/completion", self._at(file, line, column))
        return {each["label"]: (each["insertText"], _plain(each.get("documentation", ""))) for each in told["items"]}

    def _uri(self, file: str) -> str:
        return (self.root / file).as_uri()

    def _at(self, file: str, line: int, column: int) -> dict[str, Any]:
        position = {"line": line - 1, "character": column - 1}
        return {"textDocument": {"uri": self._uri(file)}, "position": position}

    def _request(self, method: str, params: Mapping[str, Any]) -> Any:
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": params})
        while number not in self._answers:
            self._receive()
        return self._answers.pop(number)

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _receive(self) -> None:
        """Take one message, and answer it if the server asks something."""
        message = self._read()
        match message:
            case {"method": "workspace/configuration", "id": number, "params": {"items": items}}:
                wanted = [each["section"] for each in items]
                self._send({"id": number, "result": [self.settings.get(each, {}) for each in wanted]})
                self._is_set_up |= "yaml" in wanted
            case {"method": _, "id": number}:
                self._send({"id": number, "result": None})
            case {"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "diagnostics": found}}:
                self._diagnostics[uri] = found
            case {"error": error}:
                raise AssertionError(error)
            case {"id": number, "result": result}:
                self._answers[number] = result

    def _read(self) -> Any:
        timer = Timer(PATIENCE, self._process.kill)
        timer.start()
        try:
            assert self._process.stdout
            length = 0
            while (line := self._process.stdout.readline()) != b"\r\n":
                assert line, f"the language server ended:\n{self._errors.read_text()}"
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            return json.loads(self._process.stdout.read(length))
        finally:
            timer.cancel()


def _plain(documentation: Any) -> str:
    return str(documentation["value"] if isinstance(documentation, dict) else documentation)
