"""State diagrams of designs in FDL.

The states of each controller stand below each other in the order in which they are reached, with
transitions as arcs beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.report.diagrams.svg import LINE, box, path, picture, text, wide

if TYPE_CHECKING:
    from pathlib import Path

_MACHINE = re.compile(r'^\s*label="([^"]*)"; fontname')
_STATE = re.compile(r'^\s*(s\d+_\d+) \[label="([^"]*)"')
_EDGE = re.compile(r'^\s*(s\d+_\d+) -> (s\d+_\d+) \[label="([^"]*)"')
_START = re.compile(r"^\s*start\d+ -> (s\d+_\d+);")
MOST = 60
"""The most letters of a condition that are shown; hovering shows all."""
MOST_STATES = 24


@dataclass
class Machine:
    """A controller: its states by their order, and its transitions with their labels."""

    name: str
    states: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str, list[str]]] = field(default_factory=list)
    start: str = ""


def machines(
    design: Path, top: str | None, words: tuple[str, ...] = ("",)
) -> list[tuple[str, str]]:
    """Each controller of a design with its name and its diagram.

    The diagram has the first state and the states whose names have one of the words.
    """
    described = _read(_native.fdl_diagram(design, "states", top))
    selected = [_selected(machine, words) for machine in described]
    return [
        (machine.name, _drawn(machine))
        for machine in selected
        if 1 < len(machine.states) <= MOST_STATES
    ]


def _read(described: str) -> list[Machine]:
    """The machines that the native module describes as text for Graphviz."""
    read_machines: list[Machine] = []
    for line in described.splitlines():
        if match := _MACHINE.match(line):
            read_machines.append(Machine(match[1]))
        elif match := _STATE.match(line):
            read_machines[-1].states[match[1]] = match[2]
        elif match := _START.match(line):
            read_machines[-1].start = match[1]
        elif match := _EDGE.match(line):
            labels = [label.strip() for label in match[3].split("\\l") if label.strip()]
            read_machines[-1].edges.append((match[1], match[2], labels))
    return read_machines


def _selected(machine: Machine, words: tuple[str, ...]) -> Machine:
    """A machine with only the first state and those whose names have one of the words."""
    states = {
        state: name
        for state, name in machine.states.items()
        if state == machine.start or any(word in name for word in words)
    }
    edges = [edge for edge in machine.edges if edge[0] in states and edge[1] in states]
    return Machine(machine.name, states, edges, machine.start)


def _ordered(machine: Machine) -> list[str]:
    """The states in the order in which they are reached from the first, depth first."""
    order: list[str] = []
    waiting = [machine.start or next(iter(machine.states))]
    while waiting:
        state = waiting.pop()
        if state in order:
            continue
        order.append(state)
        waiting += reversed([target for source, target, _ in machine.edges if source == state])
    return order + [state for state in machine.states if state not in order]


def _drawn(machine: Machine) -> str:
    order = _ordered(machine)
    index = {state: number for number, state in enumerate(order)}
    size = max(wide(name) for name in machine.states.values()) + 30
    onward = {(index[s], index[t]): words for s, t, words in machine.edges if index[s] != index[t]}
    alone = {index[s]: words for s, t, words in machine.edges if s == t}
    # Labels of transitions to the next state stand below a state, those of loops beside it.
    heights = [max(34, LINE * len(alone.get(n, [])) + 10) for n in range(len(order))]
    gaps = [max(34, LINE * len(onward.get((n, n + 1), [])) + 22) for n in range(len(order))]
    tops, y = [], 14.0
    for height, gap in zip(heights, gaps, strict=True):
        tops.append(y)
        y += height + gap
    total = y - gaps[-1] + 14
    left, lefts = _arcs(onward, back=True)
    right, rights = _arcs(onward, back=False)
    x = 24 + lefts
    centre = x + size / 2
    middles = [top + height / 2 for top, height in zip(tops, heights, strict=True)]
    parts: list[str] = []
    widest = x + size
    for number, state in enumerate(order):
        kind = "box core" if number == 0 else "box"
        parts.append(box(x, middles[number] - 15, size, 30, kind))
        parts.append(text(centre, middles[number], machine.states[state], kind="strong"))
        if number in alone:
            start, words = x + size, alone[number]
            data = f"M{start} {middles[number] - 7} c26 -10 26 24 2 15"
            parts.append(path(data, "wire", "tip"))
            first = middles[number] - (len(words) - 1) * LINE / 2
            parts += _lines(start + 28, first, words)
            widest = max(widest, start + 34 + max(wide(_short(w)) for w in words))
        if words := onward.get((number, number + 1), []):
            low, high = middles[number] + 15, middles[number + 1] - 16
            parts.append(path(f"M{centre} {low} L{centre} {high}", "wire", "tip"))
            first = (low + high) / 2 - (len(words) - 1) * LINE / 2
            parts += _lines(centre + 10, first, words)
            widest = max(widest, centre + 16 + max(wide(_short(w)) for w in words))
    for (source, target), words, lane in left:
        parts += _arc(x, x - 20 - lane, middles[source], middles[target], words, "end")
    edge = widest + 6
    for (source, target), words, lane in right:
        parts += _arc(x + size, edge + lane, middles[source], middles[target], words, "start")
    return picture(edge + rights + 14, total, parts, f"states of {machine.name}")


Arc = tuple[tuple[int, int], list[str], float]


def _arcs(onward: dict[tuple[int, int], list[str]], back: bool) -> tuple[list[Arc], float]:
    """The transitions beside the states: back at the left, ahead by more than one at the right.

    Each has a lane of its own, short ones near the states; the second value is their width.
    """
    chosen = [
        (pair, words)
        for pair, words in onward.items()
        if (pair[1] < pair[0] if back else pair[1] > pair[0] + 1)
    ]
    chosen.sort(key=lambda arc: abs(arc[0][0] - arc[0][1]))
    lane, arcs = 0.0, []
    for pair, words in chosen:
        arcs.append((pair, words, lane))
        lane += 20 + max(wide(_short(label)) for label in words)
    return arcs, lane + 20 if arcs else 0.0


def _arc(
    x: float, lane: float, start: float, end: float, words: list[str], anchor: str
) -> list[str]:
    shift = 5 if end > start else -5
    data = f"M{x} {start + shift} L{lane} {start + shift} L{lane} {end - shift} L{x} {end - shift}"
    middle = (start + end) / 2 - (len(words) - 1) * LINE / 2
    return [
        path(data, "wire", "tip"),
        *_lines(lane + (-5 if anchor == "end" else 5), middle, words, anchor),
    ]


def _lines(x: float, first: float, words: list[str], anchor: str = "start") -> list[str]:
    return [
        f"<g><title>{_escaped(label)}</title>"
        + text(x, first + number * LINE, _short(label), anchor, "quiet")
        + "</g>"
        for number, label in enumerate(words)
    ]


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;")


def _short(words: str) -> str:
    return words if len(words) <= MOST else f"{words[: MOST - 1]}…"
