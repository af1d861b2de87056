"""Class diagrams, in rows: classes stand above those that they use."""

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
    numbers = sorted({each.row for each in every})
    rows = [[each for each in every if each.row == number] for number in numbers]
    sizes = {each.name: _size(each) for each in every}
    width = max(sum(sizes[each.name][0] + GAP for each in row) + GAP for row in rows)
    corners: dict[str, tuple[float, float]] = {}
    y = 12.0
    for row in rows:
        x = (width - sum(sizes[each.name][0] for each in row) - GAP * (len(row) - 1)) / 2
        for each in row:
            corners[each.name] = (x, y)
            x += sizes[each.name][0] + GAP
        y += max(sizes[each.name][1] for each in row) + BETWEEN
    parts = [_arrow(corners, sizes, each.name, used) for each in every for used in each.uses]
    for each in every:
        parts += _drawn(each, *corners[each.name], *sizes[each.name])
    return picture(width, y - BETWEEN + 12, parts, title)


def _size(described: Class) -> tuple[float, float]:
    widest = max(map(wide, (described.name, described.kind, *described.members)))
    return widest + 26, LINE * (1 + bool(described.kind) + len(described.members)) + 24


def _drawn(described: Class, x: float, y: float, width: float, height: float) -> list[str]:
    centre = x + width / 2
    parts = [box(x, y, width, height, "box")]
    head = y + 14
    if described.kind:
        parts.append(text(centre, head, described.kind, kind="quiet"))
        head += LINE
    parts.append(text(centre, head, described.name, kind="strong"))
    edge = head + LINE / 2 + 4
    parts.append(line(x, edge, x + width, edge, "wire"))
    for number, member in enumerate(described.members):
        parts.append(text(x + 12, edge + 12 + LINE * number, member, "start", "quiet"))
    return parts


def _arrow(
    corners: dict[str, tuple[float, float]],
    sizes: dict[str, tuple[float, float]],
    source: str,
    target: str,
) -> str:
    (x1, y1), (x2, y2) = corners[source], corners[target]
    (w1, h1), (w2, _) = sizes[source], sizes[target]
    if y1 == y2:
        start, end = (x1 + w1, x2) if x1 < x2 else (x1, x2 + w2)
        return line(start, y1 + 20, end, y2 + 20, "wire", "open")
    start_x, end_x, start_y = x1 + w1 / 2, x2 + w2 / 2, y1 + h1
    bend = (start_y + y2) / 2
    numbers = (start_x, start_y, start_x, bend, end_x, bend, end_x, y2)
    data = "M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}".format(*numbers)
    return path(data, "wire", "open")
