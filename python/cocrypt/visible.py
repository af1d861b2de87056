r"""Text that came from elsewhere, made fit to be shown: no control character reaches a reader.

Names in a program file, in debug information or a design may hold anything, escape sequences of a
terminal too, which could hide what is shown, or forge it. They are shown as what they are: `\x1b`.
"""

from __future__ import annotations

import html
import re
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

# Controls of ASCII and of Latin 1, line separators, what turns the direction of writing, and halves
# of surrogate pairs, which no encoding takes.
_UNFIT = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_NAMES = re.compile(f"[{_UNFIT}]")
_IN_TEXT = re.compile(rf"(?![\n\t])[{_UNFIT}]")
# Colours and other renditions, `ESC [ … m`, change nothing but looks.
_ON_CONSOLE = re.compile(rf"(\x1b\[[0-9;:]*m)|(?![\n\t\r\b\f\v\a])[{_UNFIT}]")


def name(text: str) -> str:
    """A name or a cell of a table, in one line."""
    return text if text.isascii() and text.isprintable() else _IN_NAMES.sub(_shown, text)


def lines(text: str) -> str:
    """A text of several lines, in which tabs stay."""
    return _IN_TEXT.sub(_shown, text)


def console(text: str) -> str:
    """The output of a program, for a terminal: lines and colours stay."""
    return _ON_CONSOLE.sub(lambda match: match[1] or _shown(match), text)


def json(text: str) -> str:
    """A JSON text, in which only strings can hold what is unfit."""
    return _IN_TEXT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def escape(text: str, *, quote: bool = True) -> str:
    """A text within HTML or SVG; with `quote` within an attribute, too."""
    return html.escape(lines(text), quote=quote)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class Stream:
    """A text stream to a person; `raw` is the one behind it, for what we control ourselves."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Writes a text without control characters."""
        self.raw.write(lines(text))
        return len(text)

    def writelines(self, texts: list[str]) -> None:
        """Writes several texts without control characters."""
        for text in texts:
            self.write(text)

    def __getattr__(self, attribute: str) -> object:
        return getattr(self.raw, attribute)


def raw(stream: IO[str]) -> TextIO:
    """The stream behind one that shows control characters, or that stream itself."""
    return cast("TextIO", stream.raw if isinstance(stream, Stream) else stream)


@contextmanager
def streams() -> Iterator[None]:
    """Shows control characters on stdout and stderr."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", Stream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
