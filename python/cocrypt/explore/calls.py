"""A program's call tree, summed up for predictions about many partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.boundary import REPLACEMENT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.calltree import CallTree


@dataclass(frozen=True)
class Calls:
    """A call tree, summed up by the candidates on the path to each node.

    The key is a set of candidates as bits, the first candidate's lowest. `spent` are the cycles of
    nodes that lie in or below just these candidates; `entries` are, of each candidate, its calls
    from nodes that lie in or below just these others.
    """

    total: int
    spent: Mapping[int, int]
    entries: tuple[Mapping[int, int], ...]

    @classmethod
    def of(cls, tree: CallTree, functions: Sequence[str]) -> Calls:
        """Sums up a tree for these candidates, or for the functions that replace them."""
        bits = {name: 1 << index for index, name in enumerate(functions)}
        masks: list[int] = []
        spent: dict[int, int] = {}
        entries: tuple[dict[int, int], ...] = tuple({} for _ in functions)
        for node in tree.nodes:
            parent_mask = 0 if node["parent"] is None else masks[node["parent"]]
            bit = bits.get(str(node["name"]).removeprefix(REPLACEMENT), 0)
            masks.append(parent_mask | bit)
            spent[masks[-1]] = spent.get(masks[-1], 0) + int(node["self_cycles"])
            if bit and not parent_mask & bit:
                calls = entries[bit.bit_length() - 1]
                calls[parent_mask] = calls.get(parent_mask, 0) + int(node["calls"])
        return cls(tree.total, spent, entries)

    def left(self, replaced: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The cycles that remain if these candidates, as bits, are replaced."""
        cycles = np.full(len(replaced), float(self.total))
        for mask, spent in self.spent.items():
            cycles -= spent * ((replaced & np.uint64(mask)) != 0)
        return cycles

    def entered(self, candidate: int, replaced: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The calls of a candidate from callers that are not replaced themselves."""
        calls = np.zeros(len(replaced))
        for mask, count in self.entries[candidate].items():
            calls += count * ((replaced & np.uint64(mask)) == 0)
        return calls

    def calls(self, candidate: int) -> int:
        """The number of calls of a candidate."""
        return sum(self.entries[candidate].values())

    def leads_on(self, candidate: int) -> bool:
        """Returns true if other candidates are called from a candidate, or from below it."""
        others = (calls for number, calls in enumerate(self.entries) if number != candidate)
        return any(callers >> candidate & 1 for calls in others for callers in calls)


def replaced(digits: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The candidates that are replaced in each partition, as bits."""
    bits = np.zeros(len(digits), dtype=np.uint64)
    for column in range(digits.shape[1]):
        bits |= (digits[:, column] != 0).astype(np.uint64) << np.uint64(column)
    return bits
