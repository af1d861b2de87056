"""Figures of two versions beside each other: what grew, and by how much."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from cocrypt import house
from cocrypt.errors import InputError
from cocrypt.primitives import saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

FIGURES = ("total", "cycles", "rom", "ram", "stack", "energy_J")
"""What is compared, where both have it; less is better of each."""
ROUNDING = 1e-12
"""What a quotient of two figures may be off by itself."""
Key = tuple[str, ...]
FLAGS = "flags"
MOST = 1e18
"""No figure is greater."""
SHOWN = 60
"""How much of a wrong value is shown."""
WRITTEN_BY = "write it by --json of explore, measure, portfolio or run, or by `measure --save NAME`"


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
    changes = tuple(one for key in shared for one in _changes(key, before[key], after[key]))
    if not changes:
        raise InputError(
            f"{old} and {new} have no figure in common",
            "compare what the same verb printed of both; figures that are null say nothing",
        )
    gone = tuple(key for key in before if key not in after)
    added = tuple(key for key in after if key not in before)
    return Comparison(changes, gone, added)


def _changes(key: Key, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for figure in FIGURES:
        before, after = _figure(old, figure), _figure(new, figure)
        if before is not None and after is not None:
            yield Change(key, figure, before, after)


def _figure(row: Mapping[str, Any], name: str) -> float | None:
    """A figure of a row; of several runs their mean."""
    found = row.get(name)
    mean = found.get("mean") if isinstance(found, dict) else found
    return mean if isinstance(mean, int | float) else None


def _read(path: Path) -> dict[str, Any]:
    """A file of figures; raises `InputError` for any other."""
    try:
        found = json.loads(house.read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}", WRITTEN_BY) from error
    is_run = isinstance(found, dict) and "cycles" in found and "device" in found
    if is_run or (isinstance(found, dict) and isinstance(found.get("rows"), list)):
        _require_values(path, found)
        return dict(found)
    raise InputError(f"{path} is none of ours", WRITTEN_BY)


def _require_values(path: Path, found: Mapping[str, Any]) -> None:
    """Sees to it that what is compared is what it should be, in a file that somebody may edit."""
    for name in ("study", "workload", "device"):
        _require(path, name, found.get(name), "a name", _is_name)
    rows = found.get("rows")
    each = {"": found} if rows is None else {f"rows[{at}]": row for at, row in enumerate(rows)}
    for place, row in each.items():
        _require(path, place, row, "an object", lambda value: isinstance(value, dict))
        dot = f"{place}." if place else ""
        for name in _NAMES:
            _require(path, dot + name, row.get(name), "a name or a number", _is_name)
        for name in FIGURES:
            value = row.get(name)
            of = value.get("mean") if isinstance(value, dict) else value
            _require(
                path, dot + name, of, "a figure, which is a number from 0, or null", _is_figure
            )
        _require(path, f"{dot}settings", row.get("settings", {}), "an object of values", _is_table)


def _require(
    path: Path, place: str, value: object, what: str, is_fit: Callable[[object], bool]
) -> None:
    if not is_fit(value):
        text = json.dumps(value)
        short = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        raise InputError(f"{path}: `{place}` is {short}, not {what}", WRITTEN_BY)


def _is_name(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_name, value.values()))


def _is_figure(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and 0 <= cast("float", value) <= MOST)


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
