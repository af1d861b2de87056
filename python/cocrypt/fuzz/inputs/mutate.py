"""Changes of a file, as by a slip or by malice; the same for the same seed."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_CHANGES = 3
# Words that readers are known to fail on, in any notation.
WORDS = (
    *(b"", b"0", b"-1", b"1", b"00", b"zz", b"8 bits", b"1e999", b"NaN", b"-Infinity", b"null"),
    *(b"true", b'"x"', b'""', b"[]", b"{}", b"[[]]", b"{x = 1}", b'{"x": [1]}', b"[1, 2]", b"'"),
    *(
        b"99999999999999999999",
        b"9" * 5000,
        b"4294967296",
        b"1.5",
        b"\xff\xfe",
        b"\x00",
        b"\xef\xbb\xbf",
    ),
    *(
        b"[" * 3000,
        b'{"a":' * 3000,
        b"=",
        b"#",
        b"\r\n",
        b"\n\n",
        b"../../x",
        b"\xe2\x80\xae",
        b"a" * 4000,
    ),
)
NUMBER = re.compile(rb"\d+")
# A value behind its name, quoted or not; in TOML, JSON and records alike.
VALUE = re.compile(rb"(?<=[=:])[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^\s,{}\[\]]+)")


def mutate(content: bytes, seed: int) -> bytes:
    """The content with one to three changes."""
    draw = Random(seed)
    for _ in range(draw.randint(1, MOST_CHANGES)):
        content = draw.choice(CHANGES)(content, draw)
    return content


def _flip(content: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(content) + 1)
    return content[:at] + bytes([draw.randrange(256)]) + content[at + 1 :]


def _insert(content: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(content) + 1)
    return content[:at] + draw.choice(WORDS) + content[at:]


def _remove(content: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(content) + 1)
    return content[:at] + content[at + draw.choice((1, 1, 2, 7, 40)) :]


def _cut(content: bytes, draw: Random) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def _line(content: bytes, draw: Random) -> bytes:
    """Deletes, copies or exchanges lines."""
    lines = content.splitlines(keepends=True) or [b""]
    line, other_line = (draw.randrange(len(lines)) for _ in range(2))
    match draw.randrange(3):
        case 0:
            del lines[line]
        case 1:
            lines.insert(other_line, lines[line])
        case _:
            lines[line], lines[other_line] = lines[other_line], lines[line]
    return b"".join(lines)


def _number(content: bytes, draw: Random) -> bytes:
    return _replace(content, draw, [match.span() for match in NUMBER.finditer(content)])


def _value(content: bytes, draw: Random) -> bytes:
    return _replace(content, draw, [match.span(1) for match in VALUE.finditer(content)])


def _shorten(content: bytes, draw: Random) -> bytes:
    """Shortens or extends a value."""
    spans = [match.span(1) for match in VALUE.finditer(content)]
    if not spans:
        return content
    begin, end = draw.choice(spans)
    quotes = content[begin : begin + 1] in (b'"', b"'")
    inside = content[begin + quotes : end - quotes]
    changed = draw.choice(
        (inside[:-1], inside[:-2], inside[:2], b"", inside + b"0", inside + b"00")
    )
    return content[: begin + quotes] + changed + content[end - quotes :]


def _exchange(content: bytes, draw: Random) -> bytes:
    """Replaces a value by another one of the file."""
    spans = [match.span(1) for match in VALUE.finditer(content)]
    if not spans:
        return content
    (begin, end), (start, stop) = draw.choice(spans), draw.choice(spans)
    return content[:begin] + content[start:stop] + content[end:]


def _replace(content: bytes, draw: Random, spans: list[tuple[int, int]]) -> bytes:
    if not spans:
        return content
    begin, end = draw.choice(spans)
    return content[:begin] + draw.choice(WORDS) + content[end:]


CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_flip, _insert, _remove, _cut, _line, _line),
    *(_number, _value, _value, _shorten, _shorten, _exchange),
)
