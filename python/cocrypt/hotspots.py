"""Hot spots of a program, their bounds by Amdahl's law, and coprocessors that could serve.

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
"""The number of functions that are listed, and tried in sets."""
LARGEST_SET = 3
# Start-up code and `main` are no candidates.
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
    """Functions that become hardware together, and the bound of their gain."""

    functions: tuple[str, ...]
    cycles: int
    bound: float


@dataclass(frozen=True)
class HotSpots:
    """The hot spots of one run of software alone; `cycles` are T, those of the whole run."""

    cycles: int
    spots: tuple[Spot, ...]
    sets: tuple[SpotSet, ...]


def _untried(_function: str) -> Judgement:
    return Judgement()


def _may_be_replaced(function: str) -> bool:
    return bool(function) and function not in _OURS


def hot_spots(
    tree: CallTree,
    judge: Callable[[str], Judgement] = _untried,
    may_be_replaced: Callable[[str], bool] = _may_be_replaced,
) -> HotSpots:
    """The functions of a program by what is spent in them and below, and the best sets of them.

    `judge` finds the coprocessors that could serve a function; those that `may_be_replaced` are
    listed.
    """
    functions = [function for function in tree.functions if may_be_replaced(function["name"])]
    functions.sort(key=lambda function: (-function["total_cycles"], -function["self_cycles"]))
    spots = [_spot(function, tree.total, judge(function["name"])) for function in functions[:SHOWN]]
    sets = _best_sets(tree, [spot.name for spot in spots])
    return HotSpots(tree.total, tuple(spots), tuple(sets))


def _spot(function: Mapping[str, Any], total: int, judgement: Judgement) -> Spot:
    return Spot(
        name=function["name"],
        calls=function["calls"],
        self_cycles=function["self_cycles"],
        total_cycles=function["total_cycles"],
        bound=_bound(total, function["total_cycles"]),
        serves=tuple(serving.coprocessor for serving in judgement.servings),
        servings=judgement.servings,
        refusals=judgement.refusals,
    )


def _best_sets(tree: CallTree, functions: Sequence[str]) -> list[SpotSet]:
    """The best set of each size: most cycles are spent in and below its functions.

    Nothing counts twice, and none of them is only called from the others.
    """
    best = []
    for size in range(2, LARGEST_SET + 1):
        sets = (names for names in combinations(functions, size) if _is_apart(tree, names))
        spent_in_sets = [(tree.spent(tree.joined(names)), names) for names in sets]
        if spent_in_sets:
            spent, names = max(spent_in_sets, key=lambda pair: pair[0])
            best.append(SpotSet(names, spent, _bound(tree.total, spent)))
    return best


def _is_apart(tree: CallTree, names: Sequence[str]) -> bool:
    """Returns whether each function also runs where none of the others called it."""
    others = {name: [other for other in names if other != name] for name in names}
    return all(tree.below(name) - tree.joined(others[name]) for name in names)


def _bound(cycles: int, spent: int) -> float:
    """Amdahl's bound: how many times as fast the program could become."""
    return cycles / max(1, cycles - spent)
