"""Where a program's cycles go, what Amdahl's law leaves to gain there, and what could serve.

One run with its call tree says for each function, and for sets of them, how many cycles are spent
in it and below. If hardware did that in no time, the program would be T / (T - those cycles) times
as fast; no partition gains more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cocrypt.serving import Judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cocrypt.calltree import CallTree
    from cocrypt.serving import Refusal, Serving

SHOWN = 12
"""How many functions are listed, and tried in sets."""
LARGEST_SET = 3
# What the start-up code and the compiler bring along is nobody's choice.
_OURS = frozenset({"_start", "_reset", "main"})


@dataclass(frozen=True)
class Spot:
    """A function, with cycles in it alone and with all that it calls.

    `serves` are the coprocessors of the library that compute the same, `servings` says how that
    shows, and `refusals` why others do not that its name suggests.
    """

    name: str
    calls: int
    self_cycles: int
    total_cycles: int
    bound: float
    serves: tuple[str, ...] = ()
    servings: tuple[Serving, ...] = ()
    refusals: tuple[Refusal, ...] = ()


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


def _untried(_function: str) -> Judgement:
    return Judgement()


def hot_spots(tree: CallTree, judge: Callable[[str], Judgement] = _untried) -> HotSpots:
    """The functions of a program by what is spent in them and below, and the best sets of them.

    `judge` says of a function what could serve it.
    """
    functions = [one for one in tree.functions if one["name"] and one["name"] not in _OURS]
    functions.sort(key=lambda one: (-one["total_cycles"], -one["self_cycles"]))
    spots = [_spot(one, tree.total, judge(one["name"])) for one in functions[:SHOWN]]
    sets = _best_sets(tree, [one.name for one in spots])
    return HotSpots(tree.total, tuple(spots), tuple(sets))


def _spot(function: Mapping[str, Any], total: int, judgement: Judgement) -> Spot:
    return Spot(
        name=function["name"],
        calls=function["calls"],
        self_cycles=function["self_cycles"],
        total_cycles=function["total_cycles"],
        bound=_bound(total, function["total_cycles"]),
        serves=tuple(one.coprocessor for one in judgement.servings),
        servings=judgement.servings,
        refusals=judgement.refusals,
    )


def _best_sets(tree: CallTree, functions: Sequence[str]) -> list[SpotSet]:
    """Of each size: the functions in and below which most cycles are spent.

    Nothing counts twice, and none of them is only called from the others.
    """
    best = []
    for size in range(2, LARGEST_SET + 1):
        sets = (names for names in combinations(functions, size) if _is_apart(tree, names))
        found = [(tree.spent(tree.joined(names)), names) for names in sets]
        if found:
            spent, names = max(found, key=lambda one: one[0])
            best.append(SpotSet(names, spent, _bound(tree.total, spent)))
    return best


def _is_apart(tree: CallTree, names: Sequence[str]) -> bool:
    """Whether each function also runs where none of the others called it."""
    others = {name: [one for one in names if one != name] for name in names}
    return all(tree.below(name) - tree.joined(others[name]) for name in names)


def _bound(cycles: int, spent: int) -> float:
    """Amdahl's bound: how many times as fast the program could become."""
    return cycles / max(1, cycles - spent)
