"""The pages of measurements and of portfolios."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from cocrypt.primitives import portfolio as books
from cocrypt.primitives import results
from cocrypt.report.axes import logarithmic
from cocrypt.report.sheet import DOWNLOADS, chart, sheet, table, titled
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.measuring import Row
    from cocrypt.primitives.portfolio import Choice, Point, Portfolio

HEIGHT = 520
COLOURS = 8
"""Colours that pages have for series; beyond that shapes tell them apart."""
SHAPES = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star")
KINDS = {
    "block_cipher": "Block ciphers",
    "stream_cipher": "Stream ciphers",
    "mode": "Modes of block ciphers",
    "hash": "Hash functions",
    "mac": "Message authentication",
    "aead": "Authenticated encryption",
    "key_exchange": "Key exchange",
    "signature": "Signatures",
    "ecdsa": "ECDSA and ECDH",
    "rsa": "RSA",
    "rsa_toy": "RSA with 32 bits",
    "kem": "Key encapsulation",
    "signing": "Signatures with drawn keys",
}


def measurements(rows: Sequence[Row]) -> str:
    """The page of `measure`: for each device and kind a chart over message lengths, and a table."""
    figures: dict[str, Any] = {}
    parts = []
    for device in dict.fromkeys(row.on for row in rows):
        for kind, title in KINDS.items():
            selected = [row for row in rows if (row.on, row.subject.kind) == (device, kind)]
            if selected:
                name = f"lengths-{len(figures)}"
                drawn = _over_lengths(selected) or _size_and_speed(selected)
                figures[name] = drawn
                axis = drawn["layout"]["xaxis"]["title"]["text"]
                body = chart(name, HEIGHT, f"cycles against {axis}") + _row_table(selected)
                note = "Cycles from the first of the call to the last of the return."
                parts.append(titled(f"{title} on {device}", note, body))
    names = dict.fromkeys(row.subject.primitive for row in rows)
    downloads = {
        "name": "measurements",
        "json": {"rows": [results.record(row) for row in rows]},
        "csv": results.csv_text(rows),
    }
    checked = sum({row.subject.name: row.vectors for row in rows}.values())
    summary = (
        f"{len({row.subject.name for row in rows})} implementations; {checked} checks against "
        f"vectors came out right before a figure was written.{DOWNLOADS}"
    )
    headline = f"What {len(names)} primitives cost"
    return sheet("cocrypt measure", headline, summary, parts, figures, downloads)


def _over_lengths(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Cycles for a byte against the message's length; None if no row has a length."""
    series: dict[str, list[Row]] = {}
    for row in rows:
        if row.length is not None and row.operation != "block":
            series.setdefault(_series(row, rows), []).append(row)
    if not series:
        return None
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "marker": _look(index),
            "line": {"color": _look(index)["color"]},
            "x": [row.length for row in line],
            "y": [row.per_byte for row in line],
            "customdata": [f"{row.cycles:,}" for row in line],
            "hovertemplate": "%{fullData.name}<br>%{x:,} bytes: %{customdata} cycles, "
            "%{y:,.1f} a byte<extra></extra>",
        }
        for index, (name, line) in enumerate(series.items())
    ]
    lengths = sorted({row.length for line in series.values() for row in line if row.length})
    ticks = {"tickvals": lengths, "ticktext": [f"{length:,}" for length in lengths]}
    across = {**logarithmic(lengths, "length of the message, bytes"), **ticks}
    values = [row.per_byte or 1.0 for line in series.values() for row in line]
    return {"data": traces, "layout": _layout(across, values, "cycles per byte")}


def _series(row: Row, rows: Sequence[Row]) -> str:
    """A name for a row's line, without the parts that all rows share."""
    names = [row.subject.name]
    if len({other.operation for other in rows if other.length and other.operation != "block"}) > 1:
        names.append(row.operation)
    if len({other.build.name for other in rows}) > 1:
        names.append(row.build.name)
    return " ".join(names)


def _size_and_speed(rows: Sequence[Row]) -> dict[str, Any]:
    """Cycles against ROM, one point for each implementation, grouped by operation."""
    groups = {
        operation: [
            (f"{row.subject.name} {row.build.name}", row.rom, float(row.cycles))
            for row in rows
            if row.operation == operation
        ]
        for operation in dict.fromkeys(row.operation for row in rows)
    }
    return scattered(groups, "cycles of a call", with_front=False)


Points = list[tuple[str, int, float]]
"""Name, ROM in bytes, and cycles of implementations."""


def scattered(groups: Mapping[str, Points], up: str, *, with_front: bool) -> dict[str, Any]:
    """Cycles against ROM, each group in a colour; with the front of all, if they do the same."""
    all_points = [point for group in groups.values() for point in group]
    traces = [_points(index, *group) for index, group in enumerate(groups.items())]
    if with_front:
        traces.insert(0, _front(all_points))
    across = logarithmic((rom for _, rom, _ in all_points), "ROM, bytes")
    return {"data": traces, "layout": _layout(across, [cycles for _, _, cycles in all_points], up)}


def worthwhile(points: Points) -> Points:
    """The Pareto front: points that no other beats in size or speed without losing the other."""
    front: Points = []
    for point in sorted(points, key=lambda point: (point[1], point[2])):
        if not front or point[2] < front[-1][2]:
            front.append(point)
    return front


def _front(points: Points) -> dict[str, Any]:
    front = worthwhile(points)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "Pareto front",
        "x": [rom for _, rom, _ in front],
        "y": [cycles for _, _, cycles in front],
        "line": {"color": "--quiet", "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }


def _points(index: int, name: str, points: Points) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [point[1] for point in points],
        "y": [point[2] for point in points],
        "text": [point[0] for point in points],
        "hovertemplate": "%{text}<br>%{x:,} bytes, %{y:,.1f} cycles<extra></extra>",
        "marker": {"size": 9, **_look(index)},
    }


def _look(index: int) -> dict[str, str]:
    """A colour and a shape that no other series of a chart has."""
    shape = SHAPES[index // COLOURS % len(SHAPES)]
    return {"color": f"--series-{index % COLOURS + 1}", "symbol": shape}


def _layout(across: dict[str, Any], values: Sequence[float], up: str) -> dict[str, Any]:
    return {
        "margin": {"l": 8, "r": 24, "t": 8, "b": 8},
        "xaxis": across,
        "yaxis": logarithmic(values, up),
        "legend": {"x": 1.01, "y": 1, "xanchor": "left", "font": {"size": 11}},
        "hovermode": "closest",
    }


def _row_table(rows: Sequence[Row]) -> str:
    cells = [
        (
            row.subject.name,
            row.operation,
            row.build.name,
            "" if row.length is None else f"{row.length:,}",
            f"{row.cycles:,}",
            "" if row.per_byte is None else f"{row.per_byte:,.1f}",
            *(f"{figure:,}" for figure in (row.rom, row.ram, row.stack)),
            "yes" if row.subject.constant_time else "",
        )
        for row in rows
    ]
    heads = ("primitive", "operation", "built", "length", "cycles", "per byte")
    sizes = ("ROM", "RAM", "stack", "constant time")
    return table((*heads, *sizes), cells, 3, sortable=True)


def heat_map(result: Portfolio) -> str:
    """The page of `portfolio`: for each kind and job a map of categories, and the ends."""
    figures: dict[str, Any] = {}
    parts = []
    for kind, title in KINDS.items():
        for job in dict.fromkeys(choice.job for choice in result.choices if choice.kind == kind):
            choices = [
                choice for choice in result.choices if (choice.kind, choice.job) == (kind, job)
            ]
            name = f"points-{len(figures)}"
            figures[name] = _scattered(choices)
            body = (
                _map(result, choices) + chart(name, HEIGHT, "cycles against ROM") + _ends(choices)
            )
            note = (
                f"{_unit(choices[0].points[0])}, in each category of ROM and RAM that of the "
                "fastest implementation that fits; greener is faster. \u2212: a smaller category "
                "is as fast; \u00d7: nothing at hand fits. Points on the dotted line are the "
                "Pareto front: none is as small and faster."
            )
            parts.append(titled(f"{title}: {job}", note, body))
    measured = sum(len(choice.points) for choice in result.choices)
    summary = (
        f"{measured} points: implementations, compiled in several ways, on "
        f"{escape(result.device.title)}. ROM is code and constants with all that they pull in; "
        f"RAM counts context, parameters and stack.{DOWNLOADS}"
    )
    values = books.record(result)
    downloads = {"name": "portfolio", "json": values, "csv": csv_text(values)}
    headline = f"What fits, and how fast it is, on {result.device.name}"
    return sheet("cocrypt portfolio", headline, summary, parts, figures, downloads)


def csv_text(values: dict[str, Any]) -> str:
    """A portfolio's rows as comma-separated values."""
    rows = values["rows"]
    if not rows:
        return ""
    lines = [",".join(rows[0])]
    lines += [",".join("" if cell is None else str(cell) for cell in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _unit(point: Point) -> str:
    return "Cycles a byte" if point.size else "Cycles"


def speed(point: Point) -> float:
    """The figure that points are compared by: cycles for a byte, or of a call."""
    return point.per_byte or float(point.cycles)


def figure(value: float) -> str:
    """A number of cycles with as many digits as are significant."""
    return f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"


def _scattered(choices: Sequence[Choice]) -> dict[str, Any]:
    groups = {
        choice.primitive: [
            (f"{point.subject.name} {point.build.name}", point.rom, speed(point))
            for point in choice.points
        ]
        for choice in choices
    }
    unit = "a byte" if choices[0].points[0].size else "of a call"
    return scattered(groups, f"cycles {unit}", with_front=True)


def _map(result: Portfolio, choices: Sequence[Choice]) -> str:
    """The heat map, primitives down and categories across."""
    speeds = [speed(point) for choice in choices for point in choice.points]
    least, most = min(speeds), max(speeds)
    rom_budgets, ram_budgets = result.roms(choices[0].kind), result.rams(choices[0].kind)
    roms = "".join(
        f'<th colspan="{len(ram_budgets)}" class="group">ROM {rom:,}</th>' for rom in rom_budgets
    )
    rams = "".join(f"<th>RAM {ram:,}</th>" for _ in rom_budgets for ram in ram_budgets)
    body = "".join(_map_row(result, choice, (least, most)) for choice in choices)
    return (
        '<div class="box" tabindex="0"><table class="heat"><thead><tr><th></th>'
        f'{roms}</tr><tr><th class="text">primitive</th>{rams}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _map_row(result: Portfolio, choice: Choice, ends: tuple[float, float]) -> str:
    cells = []
    for rom in result.roms(choice.kind):
        for ram in result.rams(choice.kind):
            entry = result.entry(choice, rom, ram)
            cells.append(_cell(entry.verdict, entry.point, ends))
    return f'<tr><th class="text">{escape(choice.title)}</th>{"".join(cells)}</tr>'


def _cell(verdict: str, point: Point | None, ends: tuple[float, float]) -> str:
    if point is None:
        return '<td class="none">\u00d7</td>'
    words = (
        f"{point.subject.implementation}, {point.build.name}: {point.cycles:,} cycles, "
        f"ROM {point.rom:,}, RAM {point.ram:,}"
    )
    text = "\u2212" if verdict == "satiated" else figure(speed(point))
    return (
        f'<td style="--heat:{_heat(speed(point), ends):.0f}%" class="warm" '
        f'title="{escape(words)}">{text}</td>'
    )


def _heat(value: float, ends: tuple[float, float]) -> float:
    """The speed from 0 (slowest) to 100 (fastest), on a logarithmic scale."""
    least, most = ends
    if most <= least:
        return 100.0
    return 100 * (1 - log(value / least) / log(most / least))


def _ends(choices: Sequence[Choice]) -> str:
    heads = ("primitive", "end", "implementation", "built", "cycles", "per byte", "ROM", "RAM")
    rows = []
    for choice in choices:
        ends = (
            ("least ROM", choice.smallest),
            ("least RAM", choice.leanest),
            ("fastest", choice.fastest),
        )
        for name, point in ends:
            per_byte = "" if point.per_byte is None else figure(point.per_byte)
            texts = (choice.title, name, point.subject.implementation, point.build.name)
            figures = (f"{point.cycles:,}", per_byte, f"{point.rom:,}", f"{point.ram:,}")
            rows.append((*texts, *figures))
    return table(heads, rows, 4, sortable=True)
