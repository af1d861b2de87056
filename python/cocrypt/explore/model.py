"""What any partition takes on any bus and clock, for as many partitions at once as memory holds.

Known are one profiled run of the software alone and one run of each option alone. The call tree
says how many cycles are spent in a function and below it, and how often it is called from outside
of the other functions that are replaced too. A partition takes the software's cycles, without those
of the functions that are replaced, and with what their options cost instead. An option that calls
other candidates itself, as another algorithm does, changes who calls whom, and with what: its own
run's tree then takes the place of the software's, and other options are run once beside it.

That is exact as long as nothing crosses the borders of functions: what the linker places elsewhere,
and what a pipeline or a cache carries over, is not predicted. So each prediction stands beside what
was simulated, as far as that was done.
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
"""Of each candidate the option that other candidates are called from, or 0."""
Leaf = tuple[Shape, int, int]
"""A shape, a candidate and its option."""


@dataclass(frozen=True)
class Model:
    """Predicts T.

    `shapes` are the call trees of programs with options that call other candidates, that without
    any of them among the rest; `costs` are those of a call of every other option, by shape,
    candidate and option. `bus` is the bus of the trees, `slope` by how many cycles software alone
    gets slower with each cycle that a transfer waits more.
    """

    shapes: Mapping[Shape, Calls]
    costs: Mapping[Leaf, Cost]
    bus: Bus
    slope: float = 0.0

    def rests_on(self, digits: Sequence[int]) -> bool:
        """Whether a partition was run to learn from it."""
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
        """The options that other candidates are called from, each beside its candidate."""
        return {
            (column, option)
            for shape in self.shapes
            for column, option in enumerate(shape)
            if option
        }

    def cycles(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """T of each partition, shape (buses, partitions); not a number where unknown."""
        waits = np.array([self.slope * (bus.wait - self.bus.wait) for bus in buses])
        each = {leaf: [cost.at(bus) for bus in buses] for leaf, cost in self.costs.items()}
        total: NDArray[np.float64] = self._summed(digits, len(buses), each) + waits[:, None]
        return total

    def communication(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """Mu of each partition, shape (buses, partitions)."""
        each = {leaf: [cost.waits(bus) for bus in buses] for leaf, cost in self.costs.items()}
        return self._summed(digits, len(buses), each, share=0.0)

    def added(
        self, digits: NDArray[np.int64], software: float, options: Mapping[Leaf, float]
    ) -> NDArray[np.float64]:
        """Something else that adds up with calls, by partition.

        The software has so much of it, spread as its cycles are, and a call of an option as much as
        `options` say.
        """
        each = {leaf: [added] for leaf, added in options.items()}
        share = software / self.shapes[min(self.shapes)].total
        summed: NDArray[np.float64] = self._summed(digits, 1, each, share)[0]
        return summed

    def _summed(
        self,
        digits: NDArray[np.int64],
        width: int,
        each: Mapping[Leaf, Sequence[float]],
        share: float = 1.0,
    ) -> NDArray[np.float64]:
        """What is left of the software, times a share, and what calls of options add to it."""
        total = np.full((width, len(digits)), np.nan)
        for shape, rows in self._by_shape(digits):
            calls = self.shapes.get(shape)
            if calls is None:
                continue
            # What the tree has already is not replaced in it.
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
                    known = each.get((shape, *leaf), each.get((min(self.shapes), *leaf)))
                    lookup[:, option] = np.nan if known is None else known
                summed += lookup[:, leaves[:, column]] * calls.entered(column, bits)
            total[:, rows] = summed
        return total

    def _by_shape(self, digits: NDArray[np.int64]) -> Iterator[tuple[Shape, NDArray[np.int64]]]:
        """The partitions of each shape, by their places."""
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
