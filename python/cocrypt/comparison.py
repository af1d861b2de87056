"""Compares the figures of two versions: those that grew, and by how much."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.primitives import saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

FIGURES = ("total", "cycles", "rom", "ram", "stack", "energy_J")
"""The figures that are compared, where both have them; less is better of each."""
ROUNDING = 1e-12
"""The relative error of a quotient of two figures."""
Key = tuple[str, ...]
FLAGS = "flags"
MOST = 1e18
"""The greatest value of a figure."""
SHOWN = 60
"""The number of characters of a wrong value that are shown."""
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
        """The fraction by which the figure grew; infinite where it was 0."""
        if self.old == 0:
            return 0.0 if self.new == 0 else float("inf")
        return self.new / self.old - 1


@dataclass(frozen=True)
class Comparison:
    """All figures that both files have, and the rows that one file alone has."""

    changes: tuple[Change, ...]
    gone: tuple[Key, ...]
    added: tuple[Key, ...]

    def worse(self, bound: float) -> list[Change]:
        """The changes that grew by more than this fraction, the largest first."""
        grown = [change for change in self.changes if change.growth > bound + ROUNDING]
        return sorted(grown, key=lambda change: -change.growth)


def compare(old: Path, new: Path) -> Comparison:
    """Compares two files that `--json` of a verb wrote, or measurements that were saved by name.

    Raises `InputError` for a file that is none of them.
    """
    before, after = (_rows(_read(saved.find(path))) for path in (old, new))
    shared = [key for key in before if key in after]
    if not shared:
        # Versions may differ in how they were compiled, if in nothing else.
        before, after = (_rows(_read(saved.find(path)), FLAGS) for path in (old, new))
        shared = [key for key in before if key in after]
    if not shared:
        raise InputError(
            f"{old} and {new} have no row in common",
            "compare runs of one study, or measurements of the same primitives",
        )
    changes = tuple(change for key in shared for change in _changes(key, before[key], after[key]))
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
    value = row.get(name)
    mean = value.get("mean") if isinstance(value, dict) else value
    return mean if isinstance(mean, int | float) else None


def _read(path: Path) -> dict[str, Any]:
    """A file of figures; raises `InputError` for any other."""
    try:
        values = json.loads(paths.read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}", WRITTEN_BY) from error
    is_run = isinstance(values, dict) and "cycles" in values and "device" in values
    if is_run or (isinstance(values, dict) and isinstance(values.get("rows"), list)):
        _require_values(path, values)
        return dict(values)
    raise InputError(f"{path} is none of ours", WRITTEN_BY)


def _require_values(path: Path, values: Mapping[str, Any]) -> None:
    """Raises `InputError` for a compared value of a wrong kind: users may edit the file."""
    for name in ("study", "workload", "device"):
        _require(path, name, values.get(name), "a name", _is_name)
    rows = values.get("rows")
    located = (
        {"": values} if rows is None else {f"rows[{index}]": row for index, row in enumerate(rows)}
    )
    for location, row in located.items():
        _require(path, location, row, "an object", lambda value: isinstance(value, dict))
        dot = f"{location}." if location else ""
        for name in _NAMES:
            _require(path, dot + name, row.get(name), "a name or a number", _is_name)
        for name in FIGURES:
            value = row.get(name)
            mean = value.get("mean") if isinstance(value, dict) else value
            _require(
                path, dot + name, mean, "a figure, which is a number from 0, or null", _is_figure
            )
        _require(path, f"{dot}settings", row.get("settings", {}), "an object of values", _is_table)


def _require(
    path: Path, location: str, value: object, kind: str, is_fit: Callable[[object], bool]
) -> None:
    if not is_fit(value):
        text = json.dumps(value)
        short = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        raise InputError(f"{path}: `{location}` is {short}, not {kind}", WRITTEN_BY)


def _is_name(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_name, value.values()))


def _is_figure(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and 0 <= cast("float", value) <= MOST)


def _rows(values: Mapping[str, Any], besides: str | None = None) -> dict[Key, Mapping[str, Any]]:
    """The rows of a file by key, without the name `besides`; none if that is ambiguous."""
    if "rows" not in values:
        return {("run", str(values["device"])): values}
    rows = {_key(values, row, besides): row for row in values["rows"]}
    return rows if besides is None or len(rows) == len(values["rows"]) else {}


# The values that name a row, in the order in which they are printed.
_NAMES = (
    *("primitive", "implementation", "scheme", "job", "operation", "length"),
    *("rom_budget", "ram_budget", "device", FLAGS, "name"),
)


def _key(values: Mapping[str, Any], row: Mapping[str, Any], besides: str | None) -> Key:
    names = [values.get("study"), values.get("workload")]
    # Which implementation is the fastest in a category may change; the category stays.
    is_category = "rom_budget" in row
    left_out = ("implementation", FLAGS) if is_category else (besides,)
    names += [row.get(name) for name in _NAMES if name not in left_out]
    names += [f"{name} {value}" for name, value in sorted(row.get("settings", {}).items())]
    return tuple(str(name) for name in names if name is not None)
