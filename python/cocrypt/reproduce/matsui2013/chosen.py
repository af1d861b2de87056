"""Our fastest subroutines in the paper's categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.reproduce.matsui2013.best import best, most

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.reproduce.matsui2013.categories import Printed
    from cocrypt.subroutines import Measured


@dataclass(frozen=True)
class Category:
    """A category of the paper and our fastest subroutine there; None if none of ours fits.

    `satiated` says that ours in a smaller category of the paper is as fast.
    """

    printed: Printed
    ours: Measured | None
    satiated: bool

    @property
    def cycles(self) -> int | None:
        """Our cycles of a block: the most of the measured blocks."""
        return most(self.ours, self.printed) if self.ours else None

    @property
    def reached(self) -> bool | None:
        """Returns whether ours is no slower than the paper's; None unless both have a figure."""
        figure = self.printed.figure
        if self.cycles is None or isinstance(figure, str):
            return None
        return self.cycles <= figure


def count(categories: Iterable[Category]) -> tuple[int, int]:
    """The numbers of reached categories, and of those in which the paper and we have figures."""
    verdicts = [category.reached for category in categories if category.reached is not None]
    return sum(verdicts), len(verdicts)


def sort(measured: Sequence[Measured], figures: Iterable[Printed]) -> tuple[Category, ...]:
    """The paper's categories, each with the fastest of our subroutines."""
    chosen = {figure: best(measured, figure) for figure in figures}
    return tuple(
        Category(figure, ours, ours is not None and _is_satiated(figure, ours, chosen))
        for figure, ours in chosen.items()
    )


def _is_satiated(
    figure: Printed, ours: Measured, chosen: Mapping[Printed, Measured | None]
) -> bool:
    """Returns whether one of ours in a smaller category takes no more cycles."""
    return any(
        found is not None and most(found, smaller) <= most(ours, figure)
        for smaller, found in chosen.items()
        if smaller.is_within(figure)
    )
