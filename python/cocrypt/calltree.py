"""A program's call tree, and the cycles that are spent in and below its functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt import measurement
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.builder import Built
    from cocrypt.device import Device

Nodes = frozenset[int]
"""Nodes of a tree, by their indices."""
NOWHERE: Nodes = frozenset()


@dataclass(frozen=True, eq=False)
class CallTree:
    """The nodes of a profile's tree, callers before callees; `total` are the cycles of the run."""

    total: int
    nodes: Sequence[Mapping[str, Any]]
    functions: Sequence[Mapping[str, Any]] = ()
    _below: dict[str, Nodes] = field(default_factory=dict)

    def below(self, function: str) -> Nodes:
        """The nodes of a function and of those that it calls."""
        if function not in self._below:
            self._below[function] = self._search(function)
        return self._below[function]

    def _search(self, function: str) -> Nodes:
        inside: set[int] = set()
        for number, node in enumerate(self.nodes):
            if node["name"] == function or node["parent"] in inside:
                inside.add(number)
        return Nodes(inside)

    def entries(self, function: str) -> Nodes:
        """The nodes at which a function is entered from outside of itself."""
        below = self.below(function)
        return Nodes(number for number in below if self.nodes[number]["parent"] not in below)

    def joined(self, functions: Iterable[str]) -> Nodes:
        """The nodes of several functions and of all that they call, each once."""
        return Nodes().union(*(self.below(function) for function in functions))

    def spent(self, nodes: Nodes) -> int:
        """Cycles spent at nodes, without those of their callees."""
        return sum(int(self.nodes[number]["self_cycles"]) for number in nodes)

    def calls(self, function: str, gone: Nodes = NOWHERE) -> int:
        """The number of calls of a function whose callers are not among the nodes `gone`."""
        remaining = (self.nodes[number] for number in self.entries(function))
        return sum(int(node["calls"]) for node in remaining if node["parent"] not in gone)


def profiled(device: Device, built: Built, max_cycles: int = measurement.MAX_CYCLES) -> CallTree:
    """Runs an image and counts by calling context.

    Raises `ProgramError` where the program does not end well.
    """
    machine = Machine(device, built.image, name=built.name, contexts=True)
    run = machine.run(max_cycles)
    measurement.require_clean(run)
    values = machine.profile().values
    return CallTree(run.cycles, values["tree"], values["functions"])
