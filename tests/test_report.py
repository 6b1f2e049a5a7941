"""Diagnostics as text: the place, the line with the caret under the right character, and how to mend it."""

from pathlib import Path

import pytest

from recordweave.records.diagnostic import Diagnostic, Place, Severity
from recordweave.report import formatted, summary


def told(root: Path, line: int, column: int, file: str = "a.yml") -> list[str]:
    """What is printed of a fault, without its first line."""
    fault = Diagnostic("schema", Severity.ERROR, "this is wrong", Place(file, line, column))
    first, *rest = formatted(fault, root).split("\n")
    assert first == f"{file}:{line}:{column}: error: this is wrong [schema]"
    return rest


def test_everything_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("a: 1\nb: 2\n", encoding="utf-8")
    (tmp_path / "b.yml").write_text("c: 3\n", encoding="utf-8")
    related = (("the first is here", Place("b.yml", 1, 4)), ("and nowhere", Place("none.yml", 7, 1)))
    fault = Diagnostic("range", Severity.WARNING, "this is odd", Place("a.yml", 2, 4), "mend it", related)
    assert formatted(fault, tmp_path) == (
        "a.yml:2:4: warning: this is odd [range]\n"
        "  2 | b: 2\n"
        "    |    ^\n"
        "  b.yml:1:4: the first is here\n"
        "  1 | c: 3\n"
        "    |    ^\n"
        "  none.yml:7:1: and nowhere\n"
        "  help: mend it"
    )


EXCERPTS: dict[str, tuple[bytes, int, int, list[str]]] = {
    "first character": (b"abc", 1, 1, ["  1 | abc", "    | ^"]),
    "behind the last": (b"abc", 1, 4, ["  1 | abc", "    |    ^"]),
    "line of many digits": (b"\n" * 999 + b"abc", 1000, 2, ["  1000 | abc", "       |  ^"]),
    "Windows line ends": (b"a\r\nbcd\r\n", 2, 3, ["  2 | bcd", "    |   ^"]),
    "old line ends": (b"a\rbcd\r", 2, 3, ["  2 | bcd", "    |   ^"]),
    "byte-order mark": (b"\xef\xbb\xbfabc", 1, 2, ["  1 | abc", "    |  ^"]),
    "tabs": (b"\t\ta", 1, 3, ["  1 |   a", "    |   ^"]),
    "wide characters": ("漢字 x".encode(), 1, 4, ["  1 | 漢字 x", "    |      ^"]),
    "emoji": ("🎉 x".encode(), 1, 3, ["  1 | 🎉 x", "    |    ^"]),
    "combining marks": ("e\u0301e\u0301 x".encode(), 1, 6, ["  1 | e\u0301e\u0301 x", "    |    ^"]),
    "escape codes": (b"\x1b[31mred", 1, 6, ["  1 |  [31mred", "    |      ^"]),
    "other line ends inside": ("a\u2028b\x85c".encode(), 1, 5, ["  1 | a b c", "    |     ^"]),
    "text of another direction": ("\u202eab".encode(), 1, 2, ["  1 |  ab", "    |  ^"]),
    "not UTF-8": (b"caf\xe9 x", 1, 6, ["  1 | caf\ufffd x", "    |      ^"]),
    "empty line": (b"a\n\nb", 2, 1, []),
    "blank line": (b"a\n   \nb", 2, 2, []),
    "no such line": (b"a", 9, 1, []),
    "line zero": (b"a", 0, 1, []),
    "nothing": (b"", 1, 1, []),
    "not text": (b"a\x00b", 1, 1, []),
    "a very long line": (
        b"x" * 1000 + b"!" + b"y" * 1000,
        1,
        1001,
        [f"  1 | {'x' * 79}!{'y' * 80}", f"    | {' ' * 79}^"],
    ),
    "a long line of wide ones": (
        ("漢" * 200 + "!").encode(),
        1,
        201,
        [f"  1 | {'漢' * 79}!", f"    | {'  ' * 79}^"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "line", "column", "expected"), EXCERPTS.values(), ids=EXCERPTS)
def test_excerpts(data: bytes, line: int, column: int, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_bytes(data)
    assert told(tmp_path, line, column) == expected


def test_no_excerpt_of_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    assert told(tmp_path, 1, 1, "none.yml") == []
    assert told(tmp_path, 1, 1, "folder") == []
    assert told(tmp_path, 1, 1, "loop") == []


def test_no_excerpt_of_what_lies_outside(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret\n", encoding="utf-8")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.yml").symlink_to("../secret")
    for file in ("a.yml", "../secret", str(tmp_path / "secret")):
        assert told(root, 1, 1, file) == []


def test_the_excerpt_is_that_of_the_file_as_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("one", encoding="utf-8")
    assert told(tmp_path, 1, 1)[0] == "  1 | one"
    (tmp_path / "a.yml").write_text("three", encoding="utf-8")
    assert told(tmp_path, 1, 1)[0] == "  1 | three"


@pytest.mark.parametrize(
    ("errors", "warnings", "words"),
    [(0, 0, "no faults"), (1, 0, "1 error"), (2, 1, "2 errors and 1 warning"), (0, 3, "3 warnings")],
)
def test_summary(errors: int, warnings: int, words: str) -> None:
    severities = [Severity.WARNING] * warnings + [Severity.ERROR] * errors
    assert summary([Diagnostic("schema", each, "x", Place("a.yml")) for each in severities]) == words


def test_a_code_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no such diagnostic code: nonsense"):
        Diagnostic("nonsense", Severity.ERROR, "x", Place("a.yml"))


@pytest.mark.parametrize("mark", ["`", "'"])
def test_what_a_message_quotes_is_cut_to_what_can_be_read(mark: str) -> None:
    told = Diagnostic("template", Severity.ERROR, f"expected x, got {mark}{'_' * 900}{mark} here", Place("a.md"))
    assert told.message == f"expected x, got {mark}{'_' * 100}…{mark} here"
