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
from typing import TYPE_CHECKING

from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cocrypt.calltree import CallTree
    from cocrypt.partition import Partition


@dataclass(frozen=True)
class Predictor:
    """Foresees the cycles of partitions.

    `tree` is the call tree of all software, `costs` the cycles of a call of each option, by
    function and option.
    """

    tree: CallTree
    costs: Mapping[tuple[str, str], float]

    @classmethod
    def calibrated(cls, tree: CallTree, singles: Iterable[tuple[str, str, int]]) -> Predictor:
        """Learns what options cost: `singles` are function, option and T of the run with it alone.

        A function that the software never calls costs nothing, whatever replaces it.
        """
        costs = {}
        for function, option, cycles in singles:
            calls = tree.calls(function)
            rest = tree.total - tree.spent(tree.below(function))
            costs[function, option] = (cycles - rest) / calls if calls else 0.0
        return cls(tree, costs)

    def cycles(self, partition: Partition) -> int | None:
        """T of a partition; None where an option was not calibrated."""
        chosen = {one: option for one, option in partition.choice.items() if option != SOFTWARE}
        if any(pair not in self.costs for pair in chosen.items()):
            return None
        gone = self.tree.joined(chosen)
        calls = {one: self.tree.calls(one, gone) for one in chosen}
        instead = sum(self.costs[pair] * calls[pair[0]] for pair in chosen.items())
        return round(self.tree.total - self.tree.spent(gone) + instead)
