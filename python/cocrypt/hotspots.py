"""Where a program's cycles go, what Amdahl's law leaves to gain there, and who could serve.

One run with its call tree says for each function, and for sets of them, how many cycles are spent
in it and below. If hardware did that in no time, the program would be T / (T - those cycles) times
as fast; no partition gains more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cocrypt import _native, house, measurement
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.builder import Built
    from cocrypt.study import Device

SHOWN = 12
"""How many functions are listed, and tried in sets."""
LARGEST_SET = 3
# What the start-up code and the compiler bring along is nobody's choice.
_OURS = frozenset({"_start", "_reset", "main"})


@dataclass(frozen=True)
class Spot:
    """A function, with cycles in it alone and with all that it calls; `serves` are coprocessors."""

    name: str
    calls: int
    self_cycles: int
    total_cycles: int
    bound: float
    serves: tuple[str, ...]


@dataclass(frozen=True)
class SpotSet:
    """Functions that become hardware together, and what that could gain at most."""

    functions: tuple[str, ...]
    cycles: int
    bound: float


@dataclass(frozen=True)
class HotSpots:
    """What one run of software alone says of its functions; cycles of the whole run are T."""

    cycles: int
    spots: tuple[Spot, ...]
    sets: tuple[SpotSet, ...]


def hot_spots(device: Device, built: Built, max_cycles: int = measurement.MAX_CYCLES) -> HotSpots:
    """Runs an image with its call tree, and ranks its functions.

    Raises `ProgramError` where the program does not end well.
    """
    machine = Machine(device, built.image, name=built.name, contexts=True)
    run = machine.run(max_cycles)
    measurement.require_clean(run)
    return ranked(run.cycles, machine.profile().values)


def ranked(cycles: int, profile: Mapping[str, Any]) -> HotSpots:
    """The functions of a profile by what is spent in them and below, and the best sets of them."""
    served = _served()
    functions = [one for one in profile["functions"] if one["name"] and one["name"] not in _OURS]
    functions.sort(key=lambda one: (-one["total_cycles"], -one["self_cycles"]))
    spots = [
        Spot(
            name=one["name"],
            calls=one["calls"],
            self_cycles=one["self_cycles"],
            total_cycles=one["total_cycles"],
            bound=_bound(cycles, one["total_cycles"]),
            serves=_serving(one["name"], served),
        )
        for one in functions[:SHOWN]
    ]
    return HotSpots(cycles, tuple(spots), tuple(_best_sets(cycles, spots, profile["tree"])))


def _best_sets(
    cycles: int, spots: Sequence[Spot], tree: Sequence[Mapping[str, Any]]
) -> list[SpotSet]:
    """Of each size: the functions in and below which most cycles are spent.

    Nothing counts twice, and none of them is only called from the others.
    """
    below = {one.name: _below(one.name, tree) for one in spots}
    own = [int(node["self_cycles"]) for node in tree]
    best = []
    for size in range(2, LARGEST_SET + 1):
        sets = (names for names in combinations(below, size) if _is_apart(below, names))
        found = [(sum(own[node] for node in _joined(below, names)), names) for names in sets]
        if found:
            spent, names = max(found, key=lambda one: one[0])
            best.append(SpotSet(names, spent, _bound(cycles, spent)))
    return best


def _is_apart(below: Mapping[str, frozenset[int]], names: Sequence[str]) -> bool:
    """Whether each function also runs where none of the others called it."""
    others = {name: [one for one in names if one != name] for name in names}
    return all(below[name] - _joined(below, others[name]) for name in names)


def _below(name: str, tree: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    """The nodes of a call tree that are a function, or were called from it; callers come first."""
    inside: set[int] = set()
    for number, node in enumerate(tree):
        if node["name"] == name or node["parent"] in inside:
            inside.add(number)
    return frozenset(inside)


def _joined(below: Mapping[str, frozenset[int]], names: Sequence[str]) -> frozenset[int]:
    return frozenset[int]().union(*(below[name] for name in names))


def _bound(cycles: int, spent: int) -> float:
    """Amdahl's bound: how many times as fast the program could become."""
    return cycles / max(1, cycles - spent)


def _served() -> dict[str, list[str]]:
    """Of each coprocessor of the library: parts of the names of functions that it could serve."""
    maps = {name: _native.load_coprocessor(path) for name, path in house.coprocessors().items()}
    return {name: list(values["serves"]) for name, values in maps.items()}


def _serving(function: str, served: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    lowered = function.lower()
    return tuple(name for name, parts in served.items() if any(one in lowered for one in parts))
