"""The part of the report about one device."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import cocrypt
from cocrypt import paths
from cocrypt.report import charts, figures, tables, text
from cocrypt.report.diagrams.connections import CONNECTIONS
from cocrypt.report.flames import levels
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.calltree import CallTree
    from cocrypt.explore import Exploration


def section(result: Exploration, number: int, several: bool) -> str:
    """All parts about a device; if there are several, under a heading of its own."""
    head = _head(result, number) if several else ""
    parts = _hot(result) if result.hot is not None else _explored(result, number)
    return f"<section>{head}{''.join(parts)}{_repeat(result)}</section>"


def _head(result: Exploration, number: int) -> str:
    """The device's name and sentences; those of the first are at the top of the page."""
    sentences = f"{text.headline(result)}. {text.summary(result)}" if number else ""
    return (
        f'<h2 class="device">On {escape(result.study.device.title)}</h2>'
        f'<p class="summary">{escape(sentences)}</p>'
    )


def _hot(result: Exploration) -> list[str]:
    return [tables.hot_spots(result), _blocks(result)]


def _explored(result: Exploration, number: int) -> list[str]:
    return [
        _titled(
            "What is worth it",
            "Each point is a partition that was simulated; those on the line are worth it: none is "
            f"better in {escape(text.sought(result))} at once. Point at one to see what it is.",
            _chart("front", number, 420, "Partitions by what is looked for, with the Pareto front"),
        ),
        _titled(
            "All partitions",
            "Cycles, each measured on a cycle-exact model of the device. T = sigma + mu, "
            "sigma = software + driver + waiting. Shaded rows are on the Pareto front. A result is "
            "right if the program's output equals the study's vector. A click on a heading sorts.",
            f'<div class="box tall" tabindex="0">{tables.partitions(result)}</div>{_DOWNLOADS}',
        ),
        _leaking(result, number),
        _swept(result),
        _titled(
            "Where the cycles go, and the gain",
            f"The cycles of {charts.shown(result)}, the fastest first; bold names are on the "
            "Pareto front. Waiting is the poll loop while the coprocessor works, communication the "
            "time of transfers on the bus. Beside each bar T, and how many times as fast as "
            "software alone that is.",
            views("parts", number, ("cycles", "share of T"))
            + _chart("parts", number, charts.height(result), "Parts of T, and gain, by partition"),
        ),
        _errors(result, number),
        _flames(result, number),
        _blocks(result),
        _transaction(result),
        _states(result),
        _connections(result),
    ]


def _leaking(result: Exploration, number: int) -> str:
    sampled = result.study.leakage
    if sampled is None:
        return ""
    note = (
        f"Cycles against leakage of {escape(sampled.function)}, with {sampled.traces:,} simulated "
        "traces of the core and of its coprocessors as gates; the worst of them counts. Where no "
        "attack found the key, the point is at that number of traces, and the key may need few "
        "more. Point at one to see gates and energy."
    )
    return _titled(
        "What leaks",
        note,
        views("leakage", number, tuple(charts.LEAKAGE_VIEWS))
        + _chart("leakage", number, 420, "Partitions by cycles and leakage"),
    )


def _titled(title: str, note: str, body: str) -> str:
    return f'<h2>{title}</h2><p class="note">{note}</p>{body}'


def views(name: str, number: int, names: tuple[str, ...]) -> str:
    """Buttons that choose the view of a chart."""
    buttons = "".join(
        f'<button type="button" data-view="{view}" aria-pressed="{str(not index).lower()}">'
        f"{view}</button> "
        for index, view in enumerate(names)
    )
    return f'<p class="views" data-chart="{name}-{number}">{buttons}</p>'


def _chart(name: str, number: int, height: int, label: str) -> str:
    return (
        f'<div id="{name}-{number}" class="chart" style="height: {height}px" role="img" '
        f'aria-label="{escape(label)}"></div>'
    )


_DOWNLOADS = (
    '<p class="downloads"><button type="button" data-download="csv">Download as CSV</button> '
    '<button type="button" data-download="json">Download as JSON</button></p>'
)


def _swept(result: Exploration) -> str:
    if result.landscape is None:
        return ""
    note = f"{text.landscape(result, result.landscape)}."
    body = f'<div class="box" tabindex="0">{tables.swept(result)}</div>' if result.swept else ""
    return _titled("Other buses, other clocks, and more partitions", escape(note), body)


def _errors(result: Exploration, number: int) -> str:
    if not result.errors:
        return ""
    note = (
        "Partitions are predicted from one profiled run of the software and one run of each option "
        "alone; then they were simulated. The largest error is "
        f"{100 * max(result.errors):.3f} % of T."
    )
    return _titled(
        "Predicted and simulated", note, _chart("errors", number, 320, "Errors of predictions")
    )


def _flames(result: Exploration, number: int) -> str:
    if result.before is None:
        return ""
    best = text.fastest(result).measurement.partition
    parts = [
        _titled(
            "Which functions take the cycles",
            "Each box is a function, below its caller, as wide as the cycles that it takes with "
            "all it calls. Software alone; a click zooms.",
            _chart("before", number, _deep(result.before), "Flame graph of the software"),
        )
    ]
    if not best.is_software:
        parts.append(
            f'<p class="note">And with {escape(best.name)}, the fastest:</p>'
            + _chart("after", number, _deep(result.after), "Flame graph of the fastest partition")
        )
    return "".join(parts)


def _deep(tree: CallTree | None) -> int:
    """Pixels that a flame graph takes."""
    return 0 if tree is None else 24 * levels(tree) + 12


def _blocks(result: Exploration) -> str:
    return _titled(
        "The system",
        escape(text.device(result.study.device)),
        f'<div class="box plain" tabindex="0">{figures.block_diagram(result)}</div>',
    )


def _transaction(result: Exploration) -> str:
    transaction = result.transaction
    if transaction is None:
        return ""
    note = (
        f"The first call of {escape(transaction.coprocessor)} in the fastest partition, as it "
        "happened. At the left the core's cycle in which a transfer begins; transfers to one "
        "register in a row are one arrow."
    )
    drawn = figures.transaction_diagram(transaction)
    return _titled("One transaction", note, f'<div class="box plain" tabindex="0">{drawn}</div>')


def _states(result: Exploration) -> str:
    drawn = figures.state_diagrams(result)
    if not drawn:
        return ""
    return _titled(
        "What the coprocessor does",
        "The states of its controllers. A transition says its place among those of its state, its "
        "condition, and the signal flow graphs that run in that cycle.",
        drawn,
    )


def _connections(result: Exploration) -> str:
    drawn = figures.connection_diagrams(result)
    if not drawn:
        return ""
    return _titled("How the coprocessor is connected", CONNECTIONS, drawn)


def _repeat(result: Exploration) -> str:
    notes = "".join(f"<p class='note'>{escape(note)}.</p>" for note in result.notes)
    return (
        f"<h2>How to repeat it</h2>{notes}"
        f'<div class="box" tabindex="0"><pre>{escape(_command(result))}</pre></div>'
        f'<div class="box" tabindex="0">{tables.tools(_tools(result))}</div>'
        f'<details class="box"><summary>Images</summary>{tables.images(result)}</details>'
    )


def _command(result: Exploration) -> str:
    path = result.study.path.resolve()
    shown = path.stem if paths.studies().get(path.stem) == path else path.name
    words = ["cocrypt", "explore", shown, "--workload", result.workload.name]
    return shlex.join([*words, "--device", result.study.device.name])


def _tools(result: Exploration) -> dict[str, str]:
    values = {"cocrypt": cocrypt.__version__, **result.toolchain}
    return {
        key.replace("_", " "): value if isinstance(value, str) else shlex.join(value)
        for key, value in values.items()
    }
