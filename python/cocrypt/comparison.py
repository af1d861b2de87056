"""Figures of two versions beside each other: what grew, and by how much."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import house
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FIGURES = ("total", "cycles", "rom", "ram", "stack", "energy_J")
"""What is compared, where both have it; less is better of each."""
ROUNDING = 1e-12
"""What a quotient of two figures may be off by itself."""
Key = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A figure of a row, before and after."""

    row: Key
    figure: str
    old: float
    new: float

    @property
    def growth(self) -> float:
        """By which fraction it grew; infinite where something came of nothing."""
        if self.old == 0:
            return 0.0 if self.new == 0 else float("inf")
        return self.new / self.old - 1


@dataclass(frozen=True)
class Comparison:
    """All figures that both have, and the rows that only one has."""

    changes: tuple[Change, ...]
    gone: tuple[Key, ...]
    added: tuple[Key, ...]

    def worse(self, bound: float) -> list[Change]:
        """What grew by more than this fraction, the most first."""
        grown = [one for one in self.changes if one.growth > bound + ROUNDING]
        return sorted(grown, key=lambda one: -one.growth)


def compare(old: Path, new: Path) -> Comparison:
    """Compares two files that `--json` of `explore` or `run` wrote.

    Raises `InputError` for a file that is none of them.
    """
    before, after = _rows(old), _rows(new)
    shared = [key for key in before if key in after]
    if not shared:
        raise InputError(f"{old} and {new} have no row in common", "compare runs of one study")
    changes = (one for key in shared for one in _changes(key, before[key], after[key]))
    gone = tuple(key for key in before if key not in after)
    added = tuple(key for key in after if key not in before)
    return Comparison(tuple(changes), gone, added)


def _changes(key: Key, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for figure in FIGURES:
        before, after = old.get(figure), new.get(figure)
        if isinstance(before, int | float) and isinstance(after, int | float):
            yield Change(key, figure, before, after)


def _rows(path: Path) -> dict[Key, Mapping[str, Any]]:
    """The rows of a file, by what they are rows of."""
    try:
        found = json.loads(house.read_bytes(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    if isinstance(found, dict) and isinstance(found.get("rows"), list):
        return {_key(found, row): row for row in found["rows"]}
    if isinstance(found, dict) and "cycles" in found and "device" in found:
        return {("run", str(found["device"])): found}
    raise InputError(f"{path} is none of ours", "write it by `cocrypt explore STUDY --json`")


def _key(found: Mapping[str, Any], row: Mapping[str, Any]) -> Key:
    names = [found.get("study"), found.get("workload"), row.get("device"), row.get("name")]
    names += [f"{name} {value}" for name, value in sorted(row.get("settings", {}).items())]
    return tuple(str(name) for name in names if name is not None)
