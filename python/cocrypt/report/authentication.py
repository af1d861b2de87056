"""The pages of the mutual-authentication network: who said what when, and how long users wait."""

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
"""Bars of a histogram at least and at most."""
SHORT = 1000
"""A computation that takes less than one part in so many is left out of the sequence diagram."""

KINDS = (
    ("makes its key pair", "--driver", (Phase.KEY,)),
    ("signs", "--communication", (Phase.SIGN,)),
    ("agrees on Q_k", "--front", (Phase.AGREE,)),
    ("verifies", "--software", (Phase.VERIFY,)),
    ("encrypts, decrypts", "--good", (Phase.SEAL, Phase.UNSEAL)),
)
"""What is told apart on the axis of time, and its colour; all else is short."""
REST = ("all else", "--waiting")


def handshake(done: Handshake) -> str:
    """The page of one handshake."""
    network = done.scenario.network
    summary = (
        f"Encryption by <code>{escape(network.suite)}</code> over {escape(network.line)} lines of "
        f"{network.rate:,} bit/s with {network.latency_us} µs. "
        + " ".join(f"{escape(one[0].upper() + one[1:])}." for one in records.sentences(done))
    )
    parts = [
        titled(
            "Who said what",
            "Messages with their bytes; what a node computed before, unless it was short; at the "
            "margin the time in milliseconds.",
            f'<div class="box plain" tabindex="0">{_sequence(done)}</div>',
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
        titled("Steps", "All of them, in the order of their beginnings.", _table(done)),
        titled("What each node spent", "In cycles of its own clock.", _spent(done)),
    ]
    early = [step for step in done.steps if step.at < done.began]
    late = [step for step in done.steps if step.at >= done.began]
    figures = {
        "initialisation": _timeline(early, 0.0),
        "authentication": _timeline(late, done.began),
    }
    headline = "Both ends hold the same key" if done.is_open else "No session"
    found = {"name": f"{done.scenario.study.name}-handshake", "json": records.handshake(done)}
    return sheet(done.scenario.study.title, headline, summary, parts, figures, found)


def _sequence(done: Handshake) -> str:
    longest = max((step.seconds for step in done.steps if not step.is_message), default=0.0)
    messages = []
    for step in done.steps:
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
    """Bars of what nodes did, a colour for each kind of step."""
    left = [step for step in steps if not step.is_message]
    traces: list[dict[str, Any]] = []
    for kind, colour, phases in KINDS:
        called = {CALLED[phase] for phase in phases}
        those = [step for step in left if step.what in called]
        left = [step for step in left if step.what not in called]
        traces += [_bars(kind, colour, those, began)] if those else []
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


def _table(done: Handshake) -> str:
    heads = ("node", "step", "at ms", "bytes", "cycles", "ms", "mJ")
    rows = []
    for step in done.steps:
        what = step.what if step.to is None else f"→ {NAMES[step.to]}: {step.what}"
        energy = "" if step.energy_J is None else f"{1000 * step.energy_J:.4f}"
        cycles = "" if step.cycles is None else f"{step.cycles:,}"
        size = "" if step.bytes is None else str(step.bytes)
        times = (f"{1000 * step.at:,.3f}", size, cycles, f"{1000 * step.seconds:,.3f}", energy)
        rows.append((NAMES[step.node], what, *times))
    return table(heads, rows, 2)


def _spent(done: Handshake) -> str:
    seats = list(done.scenario.seats.values())
    rows = [
        (
            NAMES[one.node],
            seats[one.node].device.name,
            seats[one.node].partition,
            f"{one.busy:,}",
            f"{one.waited:,}",
            f"{one.seconds:.3f}",
            "not known" if one.energy_J is None else f"{1000 * one.energy_J:.3f}",
        )
        for one in done.spent
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
    found = {"name": f"{met.scenario.study.name}-crowd", "json": records.crowd(met)}
    title = met.scenario.study.title
    return sheet(title, f"{count:,} terminals at one server", summary, parts, figures, found)


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

    opened = [one.opened for one in met.terminals]
    data = [
        line("users that came", [one.came for one in met.terminals], "--waiting"),
        line("open sessions", opened, "--front"),
    ]
    layout = {**_axes("seconds", "terminals"), "legend": {"orientation": "h", "y": 1.12}}
    return {"data": data, "layout": layout}


def _capacity(met: Crowd) -> dict[str, Any]:
    # The library draws the first row at the bottom, and the best should stand at the top.
    rows = sorted(met.capacities, key=lambda one: one.per_second)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [one.per_second for one in rows],
        "y": [one.partition for one in rows],
        "text": [f"{one.per_second:.2f}" for one in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": "--software"},
        "hovertemplate": "%{y}: %{x:.3f} a second<extra></extra>",
    }
    layout = {**_axes("sessions a second", ""), "margin": {"l": 90, "r": 40, "t": 10, "b": 45}}
    return {"data": [bars], "layout": layout}
