"""What a partition will take, from one profiled run of software and one run for each option.

The call tree of the software says how many cycles are spent in a function and below it, and how
often it is called from outside of the other functions that are replaced too. The run with one
option alone says what a call of that option costs, driver, waiting and transfers included. A
partition takes the software's cycles, without those of the functions that are replaced, and with
their options' instead.

That is exact as long as nothing crosses the borders of functions: what the linker places elsewhere,
and what a pipeline or a cache carries over, is not foreseen. So each prediction stands beside what
was simulated, as far as that was done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.partition import Partition


@dataclass(frozen=True)
class Part:
    """A function in the software's call tree: its nodes, and all nodes that are it or below it."""

    nodes: frozenset[int]
    below: frozenset[int]


@dataclass(frozen=True)
class Predictor:
    """Foresees the cycles of partitions.

    `total` is T of all software, `tree` its call tree, `costs` the cycles of a call of each option,
    by function and option.
    """

    total: int
    tree: Sequence[Mapping[str, Any]]
    parts: Mapping[str, Part]
    costs: Mapping[tuple[str, str], float]

    @classmethod
    def calibrated(
        cls,
        total: int,
        tree: Sequence[Mapping[str, Any]],
        singles: Iterable[tuple[str, str, int]],
    ) -> Predictor:
        """Learns what options cost: `singles` are function, option and T of the run with it alone.

        A function that the software never calls costs nothing, whatever replaces it.
        """
        runs = list(singles)
        parts = {function: _part(function, tree) for function, _, _ in runs}
        costs = {}
        for function, option, cycles in runs:
            part = parts[function]
            calls = _calls(part.nodes, frozenset(), tree)
            rest = total - _spent(part.below, tree)
            costs[function, option] = (cycles - rest) / calls if calls else 0.0
        return cls(total, tree, parts, costs)

    def cycles(self, partition: Partition) -> int | None:
        """T of a partition; None where an option was not calibrated."""
        chosen = {one: option for one, option in partition.choice.items() if option != SOFTWARE}
        if any(pair not in self.costs for pair in chosen.items()):
            return None
        gone = frozenset[int]().union(*(self.parts[one].below for one in chosen))
        predicted = float(self.total - _spent(gone, self.tree))
        for pair in chosen.items():
            nodes = self.parts[pair[0]].nodes
            predicted += self.costs[pair] * _calls(nodes, gone, self.tree)
        return round(predicted)


def _part(function: str, tree: Sequence[Mapping[str, Any]]) -> Part:
    """Callers stand before callees in the tree."""
    nodes, below = set(), set()
    for number, node in enumerate(tree):
        if node["name"] == function and node["parent"] not in below:
            nodes.add(number)
        if number in nodes or node["parent"] in below:
            below.add(number)
    return Part(frozenset(nodes), frozenset(below))


def _spent(nodes: frozenset[int], tree: Sequence[Mapping[str, Any]]) -> int:
    return sum(int(tree[number]["self_cycles"]) for number in nodes)


def _calls(nodes: frozenset[int], gone: frozenset[int], tree: Sequence[Mapping[str, Any]]) -> int:
    """How often a function is still called where its caller is not gone itself."""
    remaining = (tree[number] for number in nodes if tree[number]["parent"] not in gone)
    return sum(int(node["calls"]) for node in remaining)
