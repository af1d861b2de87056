"""The words of an FDL text, by the rules that stand in `crates/fdl/src/lexer.rs`.

The patterns are read from the attributes there, so that a word which is new in the language is new
here too. The longest match is taken, and of equally long ones a fixed word before a pattern, as
logos does.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

LEXER = ROOT / "crates/fdl/src/lexer.rs"
ATTRIBUTE = re.compile(r'#\[(token|regex)\(r?"((?:[^"\\]|\\.)*)"\)\]\s*(\w+),')
SPACE = re.compile(r"[ \t\r\n\f]+")
COMMENT = re.compile(r"(//|#!)[^\n]*|/\*.*?\*/", re.DOTALL)


class Word(NamedTuple):
    """A word: its kind as the lexer calls it, and its offsets."""

    kind: str
    start: int
    end: int


@cache
def rules() -> tuple[tuple[str, re.Pattern[str], bool], ...]:
    """The rules: kind, pattern, and whether the word is fixed."""
    attributes = ATTRIBUTE.findall(LEXER.read_text(encoding="utf-8"))
    return tuple(
        (kind, re.compile(pattern), form == "token")
        for form, text, kind in attributes
        for pattern in _patterns(form, text)
    )


def _patterns(form: str, text: str) -> list[str]:
    """An attribute's text as patterns of Python, one for each choice, since Python takes the first.

    Quotes are escaped in Rust.
    """
    return [re.escape(text)] if form == "token" else text.replace('\\"', '"').split("|")


def words(text: str) -> Iterator[Word]:
    """The words of a text; comments are of the kind `Comment`. Raises `ValueError` for others."""
    at = 0
    while at < len(text):
        if space := SPACE.match(text, at):
            at = space.end()
            continue
        word = _comment(text, at) or _longest(text, at)
        yield word
        at = word.end


def _comment(text: str, at: int) -> Word | None:
    match = COMMENT.match(text, at)
    return Word("Comment", at, match.end()) if match else None


def _longest(text: str, at: int) -> Word:
    matches = [
        (match.end(), is_fixed, kind)
        for kind, pattern, is_fixed in rules()
        if (match := pattern.match(text, at))
    ]
    if not matches or text.startswith("/*", at):
        raise ValueError(f"no word begins with {text[at : at + 10]!r}")
    end, _, kind = max(matches)
    return Word(kind, at, end)
