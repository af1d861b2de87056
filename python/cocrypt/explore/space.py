"""All partitions of a study as numbers, so that a million of them are arrays and not objects.

A partition's number has the options of its candidates as digits, the last candidate's lowest; the
options of a candidate are numbered from its software, 0, on. So 0 is all software.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.coprocessor import PORTS, Coprocessor
from cocrypt.errors import InputError
from cocrypt.partition import Partition, chosen
from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from cocrypt.study import Alternative, Study


MOST_CANDIDATES = 63
"""The limit, since a word has a bit for each candidate that is replaced."""


@dataclass(frozen=True)
class DualRail:
    """A coprocessor with two rails; it has them in a partition if one of its options asks."""

    register_map: Path


@dataclass(frozen=True)
class Space:
    """The partitions of a study.

    `options` are those of each candidate, None for its software first; `coprocessors` and
    `extensions` are those that options need, each once. `dual_rails` are the coprocessors that
    options have with two rails.
    """

    study: Study
    options: tuple[tuple[Alternative | None, ...], ...]
    coprocessors: tuple[Path, ...]
    extensions: tuple[str, ...]
    dual_rails: tuple[Path, ...] = ()

    @classmethod
    def of(cls, study: Study) -> Space:
        """The space that a study's candidates span.

        Raises `InputError` if there are more than a word has bits.
        """
        count = len(study.candidates)
        if count > MOST_CANDIDATES:
            raise InputError(
                f"{study.path} has {count} candidates, {MOST_CANDIDATES} are possible",
                "leave out those that `cocrypt explore` without candidates shows to be cold",
            )
        options = tuple((None, *candidate.options) for candidate in study.candidates)
        all_options = [option for row in options for option in row if option]
        return cls(
            study,
            options,
            tuple(
                dict.fromkeys(option.coprocessor for option in all_options if option.coprocessor)
            ),
            tuple(dict.fromkeys(name for option in all_options for name in option.extensions)),
            tuple(
                dict.fromkeys(
                    option.coprocessor
                    for option in all_options
                    if option.coprocessor and option.wddl
                )
            ),
        )

    @property
    def count(self) -> int:
        """The number of partitions, with those that the device has no room for."""
        return prod(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of options of each candidate."""
        return tuple(map(len, self.options))

    def digits(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The option of each candidate, a row for each partition's number."""
        if not self.sizes:
            return np.zeros((len(numbers), 0), dtype=np.int64)
        return np.stack(np.unravel_index(numbers, self.sizes), axis=1).astype(np.int64)

    def choice(self, digits: NDArray[np.int64]) -> dict[str, str]:
        """The options of one partition by their names."""
        pairs = zip(self.study.candidates, self.options, digits, strict=True)
        return {
            candidate.function: _name(options[int(digit)]) for candidate, options, digit in pairs
        }

    def partition(self, digits: NDArray[np.int64]) -> Partition:
        """One partition."""
        return chosen(self.study, self.choice(digits))

    def digits_of(self, partition: Partition) -> list[int]:
        """The option of each candidate in one partition, by its number."""
        pairs = zip(self.options, partition.choice.values(), strict=True)
        return [[_name(option) for option in options].index(chosen) for options, chosen in pairs]

    def uses(self, digits: NDArray[np.int64], what: object) -> NDArray[np.bool_]:
        """A mask of partitions that use a coprocessor (a register map) or an extension (a name).

        `DualRail` of a register map stands for the coprocessor with two rails.
        """
        used = np.zeros(len(digits), dtype=bool)
        for column, options in enumerate(self.options):
            lookup = np.array([_needs(option, what) for option in options])
            used |= lookup[digits[:, column]]
        return used

    def hardware(self, digits: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of functions of each partition that need a coprocessor or an extension."""
        count = np.zeros(len(digits), dtype=np.int64)
        for column, options in enumerate(self.options):
            lookup = np.array([_is_hardware(option) for option in options])
            count += lookup[digits[:, column]]
        return count

    def fits(self, digits: NDArray[np.int64]) -> NDArray[np.bool_]:
        """A mask of the partitions that the device has windows for."""
        fitting = np.ones(len(digits), dtype=bool)
        for kind in PORTS.values():
            used = np.zeros(len(digits), dtype=np.int64)
            for path in self.coprocessors:
                if Coprocessor.load(path).port == kind:
                    used += self.uses(digits, path)
            fitting &= used <= sum(port.kind == kind for port in self.study.device.ports)
        return fitting


def _name(option: Alternative | None) -> str:
    return SOFTWARE if option is None else option.name


def _is_hardware(option: Alternative | None) -> int:
    return int(option is not None and bool(option.coprocessor or option.extensions))


def _needs(option: Alternative | None, what: object) -> bool:
    if option is None:
        return False
    if isinstance(what, DualRail):
        return option.wddl and option.coprocessor == what.register_map
    return option.coprocessor == what or what in option.extensions
