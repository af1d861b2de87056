"""Class diagrams, in rows from what uses to what is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.report.diagrams.svg import LINE, box, line, path, picture, text, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 28
BETWEEN = 46


@dataclass(frozen=True)
class Class:
    """A class with its members, its row from the top, and the names of those that it uses."""

    name: str
    members: tuple[str, ...]
    row: int
    uses: tuple[str, ...] = ()
    kind: str = ""


def classes(every: Sequence[Class], title: str) -> str:
    """A class diagram."""
    rows = [[one for one in every if one.row == row] for row in sorted({one.row for one in every})]
    sizes = {one.name: _size(one) for one in every}
    width = max(sum(sizes[one.name][0] + GAP for one in row) + GAP for row in rows)
    places: dict[str, tuple[float, float]] = {}
    y = 12.0
    for row in rows:
        x = (width - sum(sizes[one.name][0] for one in row) - GAP * (len(row) - 1)) / 2
        for one in row:
            places[one.name] = (x, y)
            x += sizes[one.name][0] + GAP
        y += max(sizes[one.name][1] for one in row) + BETWEEN
    parts = [_arrow(places, sizes, one.name, used) for one in every for used in one.uses]
    for one in every:
        parts += _drawn(one, *places[one.name], *sizes[one.name])
    return picture(width, y - BETWEEN + 12, parts, title)


def _size(one: Class) -> tuple[float, float]:
    widest = max(map(wide, (one.name, one.kind, *one.members)))
    return widest + 26, LINE * (1 + bool(one.kind) + len(one.members)) + 24


def _drawn(one: Class, x: float, y: float, width: float, height: float) -> list[str]:
    centre = x + width / 2
    parts = [box(x, y, width, height, "box")]
    head = y + 14
    if one.kind:
        parts.append(text(centre, head, one.kind, kind="quiet"))
        head += LINE
    parts.append(text(centre, head, one.name, kind="strong"))
    edge = head + LINE / 2 + 4
    parts.append(line(x, edge, x + width, edge, "wire"))
    for number, member in enumerate(one.members):
        parts.append(text(x + 12, edge + 12 + LINE * number, member, "start", "quiet"))
    return parts


def _arrow(
    places: dict[str, tuple[float, float]],
    sizes: dict[str, tuple[float, float]],
    source: str,
    target: str,
) -> str:
    (x1, y1), (x2, y2) = places[source], places[target]
    (w1, h1), (w2, _) = sizes[source], sizes[target]
    if y1 == y2:
        start, end = (x1 + w1, x2) if x1 < x2 else (x1, x2 + w2)
        return line(start, y1 + 20, end, y2 + 20, "wire", "open")
    start_x, end_x, start_y = x1 + w1 / 2, x2 + w2 / 2, y1 + h1
    bend = (start_y + y2) / 2
    numbers = (start_x, start_y, start_x, bend, end_x, bend, end_x, y2)
    data = "M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}".format(*numbers)
    return path(data, "wire", "open")
