"""The tables of the report, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.report import text
from cocrypt.report.text import fastest, settings
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.explore import Exploration, Row
    from cocrypt.hotspots import HotSpots, Spot

_COLUMNS = (
    ("T", "total cycles"),
    ("w", "gain: T of all software / T"),
    ("gamma", "overhead: mu / T"),
    ("sigma", "computation: software + driver + waiting"),
    ("software", "cycles of the software itself"),
    ("driver", "cycles of the drivers beside their transfers"),
    ("waiting", "cycles of poll loops beside their transfers"),
    ("mu", "communication: transfers times the cycles of each"),
    ("ROM", "bytes of the whole image"),
    ("stack", "bytes, high-water mark"),
)
_ENERGY = ("energy", "joules")
_AREA = (
    "GE",
    "gate equivalents of the coprocessors: Yosys's count of transistors by 4, an estimate",
)
_LEAKAGE = {
    "leakage_t": ("|t|", "the largest |t| of the core and of coprocessors as gates"),
    "leakage_deviation": (
        "dev %",
        "the deviation of a coprocessor's energy at a cycle, over the mean energy",
    ),
    "disclosure_traces": ("traces", "traces from which on an attack has the key"),
}
_ERROR = (
    "error",
    "how far off T was predicted from the software's profile and a run of each option alone",
)


def partitions(result: Exploration) -> str:
    """All partitions with their figures."""
    # Columns that are unknown in all rows are left out.
    has_energy = any(row.measurement.energy is not None for row in result.rows)
    has_predictions = any(row.predicted is not None for row in result.rows)
    has_area = any(row.areas is not None for row in result.rows)
    columns = (
        *_COLUMNS,
        *(_ENERGY,) * has_energy,
        *(_AREA,) * has_area,
        *(tuple(_LEAKAGE.values()) if result.study.leakage else ()),
        *(_ERROR,) * has_predictions,
    )
    heads = [f'<th title="{escape(why)}">{escape(name)}</th>' for name, why in columns]
    body = "\n".join(_row(row, has_energy, has_predictions) for row in result.rows)
    ok = '<th title="whether the result is the expected one">ok</th>'
    names = f'<th class="text">partition</th><th class="text">in hardware</th>{ok}'
    return (
        f'<table class="sortable"><thead><tr>{names}{"".join(heads)}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def devices(results: Sequence[Exploration]) -> str:
    """The fastest partition of each device beside those of the others."""
    rows = []
    for result in results:
        best = fastest(result)
        measurement = best.measurement
        milliseconds = f"{1000 * best.seconds:,.3f}"
        energy = "–" if measurement.energy is None else f"{measurement.energy:.3g}"
        cells = (f"{result.software.measurement.split.total:,}", f"{measurement.split.total:,}")
        figures = "".join(
            f"<td>{cell}</td>" for cell in (*cells, f"{best.gain:.2f}", milliseconds, energy)
        )
        rows.append(
            f'<tr><th scope="row" class="text">{escape(result.study.device.name)}</th>'
            f'<td class="text names">{escape(measurement.partition.name)}</td>{figures}</tr>'
        )
    names = ("T of software", "T", "w", "ms", "joules")
    heads = "".join(f"<th>{name}</th>" for name in names)
    return (
        "<h2>Devices</h2><p class='note'>The fastest partition on each of them.</p>"
        '<div class="box" tabindex="0"><table class="sortable"><thead><tr>'
        f'<th class="text">device</th><th class="text">fastest partition</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def swept(result: Exploration) -> str:
    """The points that were predicted and then simulated, as on other buses and clocks."""
    names = ("T", "w", "gamma", "mu", "predicted", "error")
    heads = "".join(f"<th>{name}</th>" for name in names)
    body = "".join(_swept(row) for row in result.swept)
    return (
        '<table class="sortable"><thead><tr><th class="text">partition</th>'
        f'<th class="text">bus and clock</th>{heads}</tr></thead><tbody>{body}</tbody></table>'
    )


def _swept(row: Row) -> str:
    measurement = row.measurement
    figures = (
        f"<b>{measurement.split.total:,}</b>",
        f"{row.gain:.2f}",
        f"{100 * row.overhead:.2f} %",
        f"{measurement.split.communication:,}",
        "–" if row.predicted is None else f"{row.predicted:,}",
        "–" if row.error is None else f"{100 * row.error:+.3f} %",
    )
    cells = "".join(f"<td>{figure}</td>" for figure in figures)
    kind = ' class="front"' if row.pareto else ""
    return (
        f'<tr{kind}><th scope="row" class="text">{escape(measurement.partition.name)}</th>'
        f'<td class="text">{escape(settings(measurement.device))}</td>{cells}</tr>'
    )


def hot_spots(result: Exploration) -> str:
    """The cycles of each function, as a section; empty if the study names candidates."""
    if result.hot is None:
        return ""
    heads = "".join(f"<th>{name}</th>" for name in ("calls", "alone", "with callees", "%", "bound"))
    body = "\n".join(_spot(spot, result.hot.cycles) for spot in result.hot.spots)
    return (
        '<h2>Where the cycles go</h2><p class="note">Cycles of each function, alone and with all '
        "that it calls. The bound is Amdahl's: how many times as fast the program is if the "
        "function takes no time. What could serve are coprocessors of the library that compute "
        "the same: the function was called with the inputs of their vectors.</p>"
        '<div class="box" tabindex="0"><table class="sortable"><thead><tr>'
        '<th class="text">function</th>'
        f'{heads}<th class="text">could serve</th></tr></thead><tbody>{body}</tbody></table></div>'
        f"{_served(result.hot)}"
    )


def _served(hot: HotSpots) -> str:
    """The functions that met the vectors of coprocessors, and the reasons of others, as a list."""
    results = [
        (spot.name, reason) for spot in hot.spots for reason in (*spot.servings, *spot.refusals)
    ]
    if not results:
        return ""
    items = "".join(f"<li>{escape(f'{name}: {reason}')}</li>" for name, reason in results)
    return f'<ul class="note">{items}</ul>'


def _spot(spot: Spot, cycles: int) -> str:
    figures = (
        f"{spot.calls:,}",
        f"{spot.self_cycles:,}",
        f"{spot.total_cycles:,}",
        f"{100 * spot.total_cycles / cycles:.1f}",
        f"{spot.bound:.2f}",
    )
    cells = "".join(f"<td>{figure}</td>" for figure in figures)
    serves = escape(", ".join(spot.serves)) or "–"
    return (
        f'<tr><th scope="row" class="text">{escape(spot.name)}</th>{cells}'
        f'<td class="text names">{serves}</td></tr>'
    )


def images(result: Exploration) -> str:
    """The hash of each partition's image."""
    pairs = [(row.measurement.partition.name, row.measurement.image_hash) for row in result.rows]
    return _pairs(("partition", "image: hash of loaded segments and entry"), pairs)


def tools(versions: dict[str, str]) -> str:
    """Tool versions and flags."""
    return _pairs(("tool", "version, flags"), list(versions.items()))


def _row(row: Row, energy: bool, predicted: bool) -> str:
    measurement, split = row.measurement, row.measurement.split
    parts = (split.computation, split.software, split.driver, split.waiting, split.communication)
    figures = [f"<b>{split.total:,}</b>", f"{row.gain:.2f}", f"{100 * row.overhead:.2f} %"]
    figures += ["–" if part is None else f"{part:,}" for part in parts]
    figures += [
        f"{measurement.rom:,}",
        "–" if measurement.stack is None else f"{measurement.stack:,}",
    ]
    if energy:
        figures.append("–" if measurement.energy is None else f"{measurement.energy:.3g}")
    if row.gate_equivalents is not None:
        figures.append(f"{row.gate_equivalents:,.0f}")
    if row.leakage is not None:
        figures += [text.leakage(row, name) for name in _LEAKAGE]
    cells = "".join(f"<td>{figure}</td>" for figure in figures) + _error(row) * predicted
    hardware = escape(", ".join(measurement.partition.hw)) or "–"
    verified = _verified(measurement.verified)
    kind = ' class="front"' if row.pareto else "" if row.within else ' class="out"'
    # The name of a partition without its own is its hardware, which the next cell lists.
    own = measurement.partition.name != " + ".join(measurement.partition.hw)
    name = escape(measurement.partition.name) if own else ""
    return (
        f'<tr{kind}><th scope="row" class="text">{name}</th>'
        f'<td class="text names">{hardware}</td>{verified}{cells}</tr>'
    )


def _verified(verified: bool | None) -> str:
    """A cell that shows whether the output was right."""
    if verified is None:
        return "<td>–</td>"
    return _mark("good", "right", "✓") if verified else _mark("bad", "wrong", "✗")


def _error(row: Row) -> str:
    """The error of the prediction; hovering shows the prediction."""
    if row.error is None:
        return "<td>–</td>"
    return f'<td title="{row.predicted:,} cycles">{100 * row.error:+.3f} %</td>'


def _mark(kind: str, word: str, sign: str) -> str:
    return (
        f'<td class="{kind}"><span role="img" aria-label="{word}" title="{word}">{sign}</span></td>'
    )


def _pairs(heads: tuple[str, str], pairs: Sequence[tuple[str, str]]) -> str:
    head = "".join(f'<th class="text">{escape(name)}</th>' for name in heads)
    rows = "\n".join(
        f'<tr><th scope="row" class="text">{escape(name)}</th>'
        f'<td class="text"><code>{escape(value)}</code></td></tr>'
        for name, value in pairs
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
