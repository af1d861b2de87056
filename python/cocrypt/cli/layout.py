"""The layout of a table on a terminal: the columns that fit, their widths and parts.

Names in the columns that tell rows apart are never left out, words do not break, figures do not
wrap. Where that is too wide, columns that may be spared go first; what is then still too wide
stands in a further part of the table, below the first, with the names again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len, chop_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

READABLE = 24
"""Width up to which long texts are wide before a column is left out for them."""
UNBROKEN = 32
"""Length up to which words never break; longer ones, such as paths, do where there is no space."""
LEAST = 8
"""Width below which the names of rows are not broken, however narrow the terminal."""
BETWEEN = 3
"""The width of a column beside its text: a line and two spaces."""


@dataclass(frozen=True)
class Column:
    """A column: `key` tells rows apart, `text` is words; `right` aligns it, as it does figures.

    Of columns with a rank in `spare` the greatest is left out first; those without one never are.
    """

    name: str
    kind: Literal["key", "text", "figure"]
    spare: int = 0
    right: bool = False


@dataclass(frozen=True)
class Size:
    """Widths of a column: with unbroken words, for reading, and for every cell in one line."""

    least: int
    readable: int
    full: int


@dataclass(frozen=True)
class Part:
    """Columns that stand beside one another, by number, each with its width."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """The parts of a table, the columns left out, and the width that would show all of them."""

    parts: tuple[Part, ...]
    left_out: tuple[int, ...]
    whole: int


def size(column: Column, cells: Iterable[str]) -> Size:
    """The widths of a column with these cells."""
    cells = list(cells)
    head = _longest_word([column.name])
    full = max(length(line) for text in (column.name, *cells) for line in text.split("\n"))
    if column.kind == "figure":
        least = max([head, *map(length, cells)])
        return Size(least, least, full)
    least = max(head, min(_longest_word(cells), UNBROKEN))
    return Size(least, max(least, min(full, READABLE)), full)


def fit(columns: Sequence[Column], sizes: Sequence[Size], width: int) -> Layout:
    """The layout for a terminal of `width` characters."""
    shown = list(range(len(columns)))
    spare = sorted((n for n in shown if columns[n].spare), key=lambda n: (columns[n].spare, n))
    full_width = total(size.readable for size in sizes)
    while spare and total(sizes[n].readable for n in shown) > width:
        shown.remove(spare.pop())
    left_out = tuple(sorted(set(range(len(columns))) - set(shown)))
    return Layout(tuple(_parts(columns, sizes, shown, width)), left_out, full_width)


def _parts(
    columns: Sequence[Column], sizes: Sequence[Size], shown: Sequence[int], width: int
) -> list[Part]:
    """One part if all columns fit, else several, each with the columns that name the rows."""
    if total(sizes[n].least for n in shown) <= width:
        return [_part(sizes, shown, width)]
    keys = [n for n in shown if columns[n].kind == "key"]
    rest = [n for n in shown if columns[n].kind != "key"]
    widest = max((sizes[n].least for n in rest), default=0)
    narrow = _narrowed(sizes, keys, width - widest - BETWEEN)
    parts, part_columns = [], list(keys)
    for n in rest:
        if (
            len(part_columns) > len(keys)
            and total(narrow[m].least for m in (*part_columns, n)) > width
        ):
            parts.append(_part(narrow, part_columns, width))
            part_columns = list(keys)
        part_columns.append(n)
    return [*parts, _part(narrow, part_columns, width)]


def _narrowed(sizes: Sequence[Size], keys: Sequence[int], width: int) -> list[Size]:
    """Sizes with which names leave room for one more column; their words break if needed."""
    narrow = list(sizes)
    while keys and total(narrow[n].least for n in keys) > width:
        widest = max(keys, key=lambda n: narrow[n].least)
        if narrow[widest].least <= LEAST:
            break
        least = narrow[widest].least - 1
        narrow[widest] = Size(least, least, narrow[widest].full)
    return narrow


def _part(sizes: Sequence[Size], shown: Sequence[int], width: int) -> Part:
    """A part with columns of full width; the widest are narrowed, down to their limits, to fit."""
    widths = {n: sizes[n].full for n in shown}
    for floor in ("readable", "least"):
        over = total(widths.values()) - width
        while over > 0:
            wider = [n for n in shown if widths[n] > getattr(sizes[n], floor)]
            if not wider:
                break
            widths[max(wider, key=lambda n: widths[n])] -= 1
            over -= 1
    return Part(tuple(shown), tuple(widths.values()))


def wrap(text: str, width: int) -> list[str]:
    """The lines of a text; a word is broken only if it is longer than a line."""
    if length(text) <= width and "\n" not in text:
        return [text]
    return [line for paragraph in text.split("\n") for line in _wrap_line(paragraph, width)]


def _wrap_line(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if length(joined) <= width:
            lines[-1] = joined
            continue
        pieces = [word] if length(word) <= width else _broken(word, width)
        lines += pieces
    return [line for line in lines if line] or [""]


def _broken(word: str, width: int) -> list[str]:
    """Pieces of a word; behind a mark within it, as paths have, rather than anywhere."""
    pieces = [""]
    for piece in re.findall(r"[^/_.:,;+-]*[/_.:,;+-]?", word):
        if length(pieces[-1] + piece) <= width:
            pieces[-1] += piece
        else:
            pieces += chop_cells(piece, width)
    return [piece for piece in pieces if piece]


def length(text: str) -> int:
    """Columns of a terminal that a text takes; most are of ASCII."""
    return len(text) if text.isascii() else cell_len(text)


def _longest_word(texts: Iterable[str]) -> int:
    return max((length(word) for text in texts for word in text.split()), default=0)


def total(widths: Iterable[int]) -> int:
    """The width of columns with the lines around them."""
    widths = list(widths)
    return sum(widths) + BETWEEN * len(widths) + 1
