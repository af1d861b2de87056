"""The cycles of any partition on any bus and clock, as arrays over many partitions.

The inputs are one profiled run of the software alone and one run of each option alone. The call
tree gives the cycles in a function and below it, and the number of its calls from outside of the
other functions that are replaced too. A partition takes the software's cycles, without those of the
functions that are replaced, and with the costs of their options. An option that calls other
candidates itself, as another algorithm does, changes the calls of others: the tree of its own run
then replaces the software's, and other options are run once beside it.

That is exact as long as nothing crosses the borders of functions: other addresses from the linker,
and state that a pipeline or a cache carries over, are not predicted. So each prediction is shown
beside the simulated figure, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.explore.calls import Calls, replaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.explore.costs import Bus, Cost

Shape = tuple[int, ...]
"""For each candidate the option that calls other candidates, or 0."""
Leaf = tuple[Shape, int, int]
"""A shape, a candidate and its option."""


@dataclass(frozen=True)
class Model:
    """Predicts T.

    `shapes` are the call trees of programs with options that call other candidates, and of the one
    without any of them; `costs` are those of a call of every other option, by shape, candidate and
    option. `bus` is the bus of the trees; `slope` is the number of cycles that software alone loses
    for each further cycle that a transfer waits.
    """

    shapes: Mapping[Shape, Calls]
    costs: Mapping[Leaf, Cost]
    bus: Bus
    slope: float = 0.0

    def rests_on(self, digits: Sequence[int]) -> bool:
        """Returns true if the model was calibrated with a run of this partition."""
        leaves = [
            option
            for (shape, option) in zip(self._shape(digits), digits, strict=True)
            if not shape and option
        ]
        return len(leaves) <= 1

    def _shape(self, digits: Sequence[int]) -> Shape:
        leading = self._leading_options()
        return tuple(
            option if (column, option) in leading else 0 for column, option in enumerate(digits)
        )

    def _leading_options(self) -> set[tuple[int, int]]:
        """The options that call other candidates, each with its candidate."""
        return {
            (column, option)
            for shape in self.shapes
            for column, option in enumerate(shape)
            if option
        }

    def cycles(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """T of each partition, shape (buses, partitions); not a number where unknown."""
        waits = np.array([self.slope * (bus.wait - self.bus.wait) for bus in buses])
        costs = {leaf: [cost.at(bus) for bus in buses] for leaf, cost in self.costs.items()}
        total: NDArray[np.float64] = self._summed(digits, len(buses), costs) + waits[:, None]
        return total

    def communication(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """Mu of each partition, shape (buses, partitions)."""
        waits = {leaf: [cost.waits(bus) for bus in buses] for leaf, cost in self.costs.items()}
        return self._summed(digits, len(buses), waits, share=0.0)

    def added(
        self, digits: NDArray[np.int64], software: float, options: Mapping[Leaf, float]
    ) -> NDArray[np.float64]:
        """Another quantity that adds up over calls, by partition.

        `software` is that of the software, which is spread as its cycles are; `options` has that of
        a call of each option.
        """
        costs = {leaf: [added] for leaf, added in options.items()}
        share = software / self.shapes[min(self.shapes)].total
        summed: NDArray[np.float64] = self._summed(digits, 1, costs, share)[0]
        return summed

    def _summed(
        self,
        digits: NDArray[np.int64],
        width: int,
        costs: Mapping[Leaf, Sequence[float]],
        share: float = 1.0,
    ) -> NDArray[np.float64]:
        """The remaining cycles of the software, times a share, plus the costs of options."""
        total = np.full((width, len(digits)), np.nan)
        for shape, rows in self._by_shape(digits):
            calls = self.shapes.get(shape)
            if calls is None:
                continue
            # Options that the tree has already are not replaced in it.
            leaves = np.where(digits[rows] == np.array(shape), 0, digits[rows])
            bits = replaced(leaves)
            summed = np.tile(calls.left(bits) * share, (width, 1))
            for column in range(digits.shape[1]):
                options = np.unique(leaves[:, column])
                if not options.any():
                    continue
                lookup = np.zeros((width, int(options.max()) + 1))
                for option in options[options != 0]:
                    leaf = (column, int(option))
                    leaf_costs = costs.get((shape, *leaf), costs.get((min(self.shapes), *leaf)))
                    lookup[:, option] = np.nan if leaf_costs is None else leaf_costs
                summed += lookup[:, leaves[:, column]] * calls.entered(column, bits)
            total[:, rows] = summed
        return total

    def _by_shape(self, digits: NDArray[np.int64]) -> Iterator[tuple[Shape, NDArray[np.int64]]]:
        """The partitions of each shape, by their row numbers."""
        leading = self._leading_options()
        keys = np.zeros_like(digits)
        for column, option in leading:
            keys[:, column] += np.where(digits[:, column] == option, option, 0)
        if not leading:
            yield (0,) * digits.shape[1], np.arange(len(digits))
            return
        shapes, numbers = np.unique(keys, axis=0, return_inverse=True)
        for number, shape in enumerate(shapes):
            yield tuple(map(int, shape)), np.flatnonzero(numbers.ravel() == number)
