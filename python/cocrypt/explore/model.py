"""What any partition takes on any bus and clock, for as many partitions at once as memory holds.

Known are one profiled run of the software alone and one run of each option alone. The call tree
says how many cycles are spent in a function and below it, and how often it is called from outside
of the other functions that are replaced too. A partition takes the software's cycles, without those
of the functions that are replaced, and with what their options cost instead. An option that calls
other candidates itself, as another algorithm does, changes who calls whom: its own run's tree then
takes the place of the software's.

That is exact as long as nothing crosses the borders of functions: what the linker places elsewhere,
and what a pipeline or a cache carries over, is not foreseen. So each prediction stands beside what
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


@dataclass(frozen=True)
class Model:
    """Foresees T.

    `shapes` are the call trees of programs with options that call other candidates, that without
    any of them among the rest; `costs` are those of a call of every other option, by candidate and
    option. `bus` is the bus of the trees, `slope` by how many cycles software alone gets slower
    with each cycle that a transfer waits more.
    """

    shapes: Mapping[Shape, Calls]
    costs: Mapping[tuple[int, int], Cost]
    bus: Bus
    slope: float = 0.0

    def cycles(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """T of each partition, shape (buses, partitions); not a number where unknown."""
        waits = np.array([self.slope * (bus.wait - self.bus.wait) for bus in buses])
        each = {place: [cost.at(bus) for bus in buses] for place, cost in self.costs.items()}
        total: NDArray[np.float64] = self._summed(digits, len(buses), each) + waits[:, None]
        return total

    def added(
        self, digits: NDArray[np.int64], software: float, options: Mapping[tuple[int, int], float]
    ) -> NDArray[np.float64]:
        """Something else that adds up with calls, by partition.

        The software has so much of it, spread as its cycles are, and a call of an option as much as
        `options` say.
        """
        each = {place: [one] for place, one in options.items()}
        share = software / self.shapes[min(self.shapes)].total
        summed: NDArray[np.float64] = self._summed(digits, 1, each, share)[0]
        return summed

    def _summed(
        self,
        digits: NDArray[np.int64],
        width: int,
        each: Mapping[tuple[int, int], Sequence[float]],
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
                    lookup[:, option] = each.get((column, int(option)), np.nan)
                summed += lookup[:, leaves[:, column]] * calls.entered(column, bits)
            total[:, rows] = summed
        return total

    def _by_shape(self, digits: NDArray[np.int64]) -> Iterator[tuple[Shape, NDArray[np.int64]]]:
        """The partitions of each shape, by their places."""
        structural = {
            (column, option)
            for shape in self.shapes
            for column, option in enumerate(shape)
            if option
        }
        keys = np.zeros_like(digits)
        for column, option in structural:
            keys[:, column] += np.where(digits[:, column] == option, option, 0)
        if not structural:
            yield (0,) * digits.shape[1], np.arange(len(digits))
            return
        distinct, place = np.unique(keys, axis=0, return_inverse=True)
        for number, shape in enumerate(distinct):
            yield tuple(int(one) for one in shape), np.flatnonzero(place.ravel() == number)
