"""Figures of two versions beside each other: what grew, and by how much."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import house
from cocrypt.errors import InputError
from cocrypt.primitives import saved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FIGURES = ("total", "cycles", "rom", "ram", "stack", "energy_J")
"""What is compared, where both have it; less is better of each."""
ROUNDING = 1e-12
"""What a quotient of two figures may be off by itself."""
Key = tuple[str, ...]
FLAGS = "flags"


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
    """Compares two files that `--json` of a verb wrote, or measurements that were saved by name.

    Raises `InputError` for a file that is none of them.
    """
    before, after = (_rows(_read(saved.find(one))) for one in (old, new))
    shared = [key for key in before if key in after]
    if not shared:
        # Versions may differ in how they were compiled, if in nothing else.
        before, after = (_rows(_read(saved.find(one)), FLAGS) for one in (old, new))
        shared = [key for key in before if key in after]
    if not shared:
        raise InputError(
            f"{old} and {new} have no row in common",
            "compare runs of one study, or measurements of the same primitives",
        )
    changes = (one for key in shared for one in _changes(key, before[key], after[key]))
    gone = tuple(key for key in before if key not in after)
    added = tuple(key for key in after if key not in before)
    return Comparison(tuple(changes), gone, added)


def _changes(key: Key, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for figure in FIGURES:
        before, after = _figure(old, figure), _figure(new, figure)
        if isinstance(before, int | float) and isinstance(after, int | float):
            yield Change(key, figure, before, after)


def _figure(row: Mapping[str, Any], name: str) -> object:
    """A figure of a row; of several runs their mean."""
    found = row.get(name)
    return found.get("mean") if isinstance(found, dict) else found


def _read(path: Path) -> dict[str, Any]:
    """A file of figures; raises `InputError` for any other."""
    try:
        found = json.loads(house.read_bytes(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    is_run = isinstance(found, dict) and "cycles" in found and "device" in found
    if is_run or (isinstance(found, dict) and isinstance(found.get("rows"), list)):
        return dict(found)
    raise InputError(
        f"{path} is none of ours",
        "write it by --json of explore, measure, portfolio or run, or by `measure --save NAME`",
    )


def _rows(found: Mapping[str, Any], besides: str | None = None) -> dict[Key, Mapping[str, Any]]:
    """The rows of a file, by what they are rows of, but for one name; none if that is ambiguous."""
    if "rows" not in found:
        return {("run", str(found["device"])): found}
    rows = {_key(found, row, besides): row for row in found["rows"]}
    return rows if besides is None or len(rows) == len(found["rows"]) else {}


# What names a row, in the order in which it is told.
_NAMES = (
    *("primitive", "implementation", "scheme", "job", "operation", "length"),
    *("rom_budget", "ram_budget", "device", FLAGS, "name"),
)


def _key(found: Mapping[str, Any], row: Mapping[str, Any], besides: str | None) -> Key:
    names = [found.get("study"), found.get("workload")]
    # Which implementation is the fastest in a category may change; the category stays.
    is_category = "rom_budget" in row
    left_out = ("implementation", FLAGS) if is_category else (besides,)
    names += [row.get(name) for name in _NAMES if name not in left_out]
    names += [f"{name} {value}" for name, value in sorted(row.get("settings", {}).items())]
    return tuple(str(name) for name in names if name is not None)
