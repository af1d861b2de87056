"""The pages of the mutual-authentication network: the steps of a handshake, and waiting times."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.authenticate import records
from cocrypt.authenticate.handshake import NAMES
from cocrypt.authenticate.layout import Phase
from cocrypt.authenticate.steps import CALLED
from cocrypt.report.diagrams import Message, sequence
from cocrypt.report.sheet import chart, sheet, table, titled
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.authenticate.crowd import Crowd
    from cocrypt.authenticate.handshake import Handshake
    from cocrypt.authenticate.steps import Step

FEWEST_BARS, MOST_BARS = 8, 60
"""The fewest and the most bars of a histogram."""
SHORT = 1000
"""The sequence diagram leaves out computations below this fraction (1/n) of the longest."""

KINDS = (
    ("makes its key pair", "--driver", (Phase.KEY,)),
    ("signs", "--communication", (Phase.SIGN,)),
    ("agrees on Q_k", "--front", (Phase.AGREE,)),
    ("verifies", "--software", (Phase.VERIFY,)),
    ("encrypts, decrypts", "--good", (Phase.SEAL, Phase.UNSEAL)),
)
"""The kinds of steps on the axis of time, with colours and phases; all others are short."""
REST = ("all else", "--waiting")


def handshake(result: Handshake) -> str:
    """The page of one handshake."""
    network = result.scenario.network
    summary = (
        f"Encryption by <code>{escape(network.suite)}</code> over {escape(network.line)} lines of "
        f"{network.rate:,} bit/s with {network.latency_us} µs. "
        + " ".join(
            f"{escape(sentence[0].upper() + sentence[1:])}."
            for sentence in records.sentences(result)
        )
    )
    parts = [
        titled(
            "Who said what",
            "Messages with their bytes; what a node computed before, unless it was short; at the "
            "margin the time in milliseconds.",
            f'<div class="box plain" tabindex="0">{_sequence(result)}</div>',
        ),
        titled(
            "Initialisation, on one axis of time",
            "Seconds from the reset of all nodes.",
            chart("initialisation", 230, "what each node did during the initialisation"),
        ),
        titled(
            "Authentication, on one axis of time",
            "Seconds from the terminal's hello; what is empty is waiting.",
            chart("authentication", 230, "what each node did during the authentication"),
        ),
        titled("Steps", "All of them, in the order of their beginnings.", _table(result)),
        titled("What each node spent", "In cycles of its own clock.", _spent(result)),
    ]
    early = [step for step in result.steps if step.at < result.began]
    late = [step for step in result.steps if step.at >= result.began]
    figures = {
        "initialisation": _timeline(early, 0.0),
        "authentication": _timeline(late, result.began),
    }
    headline = "Both ends hold the same key" if result.is_open else "No session"
    downloads = {
        "name": f"{result.scenario.study.name}-handshake",
        "json": records.handshake(result),
    }
    return sheet(result.scenario.study.title, headline, summary, parts, figures, downloads)


def _sequence(result: Handshake) -> str:
    longest = max((step.seconds for step in result.steps if not step.is_message), default=0.0)
    messages = []
    for step in result.steps:
        if step.to is not None:
            words = f"{step.what}, {step.bytes} bytes"
            messages.append(Message(step.node, step.to, words, left=_ms(step.at)))
        elif step.seconds * SHORT > longest:
            words = f"{step.what}: {step.cycles:,} cycles"
            messages.append(Message(step.node, step.node, words, left=_ms(step.at)))
    return sequence(NAMES, messages, "sequence of messages")


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _timeline(steps: list[Step], began: float) -> dict[str, Any]:
    """Bars for the steps of nodes, a colour for each kind of step."""
    left = [step for step in steps if not step.is_message]
    traces: list[dict[str, Any]] = []
    for kind, colour, phases in KINDS:
        called = {CALLED[phase] for phase in phases}
        selected = [step for step in left if step.what in called]
        left = [step for step in left if step.what not in called]
        traces += [_bars(kind, colour, selected, began)] if selected else []
    traces.append(_bars(*REST, left, began))
    sent = [step for step in steps if step.is_message]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "messages",
            "x": [step.at - began for step in sent],
            "y": [NAMES[step.node] for step in sent],
            "text": [f"{step.what} to {NAMES[step.to or 0]}" for step in sent],
            "hovertemplate": "%{text}, %{x:.4f} s<extra></extra>",
            "marker": {"symbol": "triangle-down", "size": 9, "color": "--ink"},
        }
    )
    layout = {
        "barmode": "overlay",
        "xaxis": {"title": {"text": "seconds"}},
        "yaxis": {"categoryorder": "array", "categoryarray": list(reversed(NAMES))},
        "legend": {"orientation": "h", "y": 1.25},
        "margin": {"l": 70, "r": 10, "t": 40, "b": 40},
    }
    return {"data": traces, "layout": layout}


def _bars(kind: str, colour: str, steps: list[Step], began: float) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": kind,
        "base": [step.at - began for step in steps],
        "x": [step.seconds for step in steps],
        "y": [NAMES[step.node] for step in steps],
        "text": [f"{step.what}: {step.cycles:,} cycles" for step in steps],
        "textposition": "none",
        "hovertemplate": "%{text}, from %{base:.4f} s<extra></extra>",
        "marker": {"color": colour},
    }


def _table(result: Handshake) -> str:
    heads = ("node", "step", "at ms", "bytes", "cycles", "ms", "mJ")
    rows = []
    for step in result.steps:
        step_name = step.what if step.to is None else f"→ {NAMES[step.to]}: {step.what}"
        energy = "" if step.energy_J is None else f"{1000 * step.energy_J:.4f}"
        cycles = "" if step.cycles is None else f"{step.cycles:,}"
        size = "" if step.bytes is None else str(step.bytes)
        times = (f"{1000 * step.at:,.3f}", size, cycles, f"{1000 * step.seconds:,.3f}", energy)
        rows.append((NAMES[step.node], step_name, *times))
    return table(heads, rows, 2)


def _spent(result: Handshake) -> str:
    seats = list(result.scenario.seats.values())
    rows = [
        (
            NAMES[share.node],
            seats[share.node].device.name,
            seats[share.node].partition,
            f"{share.busy:,}",
            f"{share.waited:,}",
            f"{share.seconds:.3f}",
            "not known" if share.energy_J is None else f"{1000 * share.energy_J:.3f}",
        )
        for share in result.spent
    ]
    heads = ("node", "device", "in hardware", "busy", "waited", "seconds", "mJ")
    return table(heads, rows, 3)


def crowd(met: Crowd) -> str:
    """The page of many terminals at one server."""
    count = len(met.terminals)
    summary = (
        f"{count:,} terminals came to one server; {count - met.failed:,} have a session, "
        f"{met.per_second:.2f} a second. Half of the users waited less than "
        f"{met.percentile(50):.2f} s, one in twenty more than {met.percentile(95):.2f} s."
    )
    parts = [
        titled(
            "How long users waited",
            "From the user's coming to the open session.",
            chart("latency", 340, "a histogram of latencies"),
        ),
        titled(
            "When sessions were opened",
            "How many users had come, and how many sessions were open, in the course of time.",
            chart("course", 340, "users and open sessions against time"),
        ),
        titled(
            "What a server can bear",
            "Sessions a second at most, by what the server has in hardware: its clock by the "
            "cycles of one session.",
            chart("capacity", 60 + 34 * len(met.capacities), "sessions a second by partition"),
        ),
        titled(
            "Figures",
            "Times are simulated ones.",
            table(("figure", "value"), records.figures(met), 2),
        ),
    ]
    figures = {
        "latency": _latency(met),
        "course": _course(met),
        "capacity": _capacity(met),
    }
    downloads = {"name": f"{met.scenario.study.name}-crowd", "json": records.crowd(met)}
    title = met.scenario.study.title
    return sheet(title, f"{count:,} terminals at one server", summary, parts, figures, downloads)


def _axes(across: str, up: str) -> dict[str, Any]:
    return {
        "xaxis": {"title": {"text": across}},
        "yaxis": {"title": {"text": up}},
        "margin": {"l": 70, "r": 10, "t": 10, "b": 50},
    }


def _latency(met: Crowd) -> dict[str, Any]:
    bins = min(MOST_BARS, max(FEWEST_BARS, round(2 * len(met.latencies) ** 0.5)))
    counts, edges = np.histogram(met.latencies, bins=bins)
    bars = {
        "type": "bar",
        "x": [(start + end) / 2 for start, end in pairwise(map(float, edges))],
        "y": counts.tolist(),
        "width": float(edges[1] - edges[0]),
        "marker": {"color": "--software"},
        "hovertemplate": "about %{x:.3f} s: %{y}<extra></extra>",
    }
    return {"data": [bars], "layout": _axes("seconds", "terminals")}


def _course(met: Crowd) -> dict[str, Any]:
    def line(name: str, times: list[float], colour: str) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": [0.0, *sorted(times)],
            "y": list(range(len(times) + 1)),
            "line": {"color": colour, "shape": "hv"},
        }

    opened = [terminal.opened for terminal in met.terminals]
    data = [
        line("users that came", [terminal.came for terminal in met.terminals], "--waiting"),
        line("open sessions", opened, "--front"),
    ]
    layout = {**_axes("seconds", "terminals"), "legend": {"orientation": "h", "y": 1.12}}
    return {"data": data, "layout": layout}


def _capacity(met: Crowd) -> dict[str, Any]:
    # The library draws the first row at the bottom, and the best should stand at the top.
    rows = sorted(met.capacities, key=lambda row: row.per_second)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [row.per_second for row in rows],
        "y": [row.partition for row in rows],
        "text": [f"{row.per_second:.2f}" for row in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": "--software"},
        "hovertemplate": "%{y}: %{x:.3f} a second<extra></extra>",
    }
    layout = {**_axes("sessions a second", ""), "margin": {"l": 90, "r": 40, "t": 10, "b": 45}}
    return {"data": [bars], "layout": layout}
