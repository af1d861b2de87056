"""The coverage of generated programs: instructions, endings, and jumps by alignment."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from cocrypt.fuzz.encoder import BRANCH, Insn, Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.fuzz.generate import Program

BRANCHES = frozenset({*BRANCH, "c.beqz", "c.bnez"})


def instructions(programs: Iterable[Program]) -> Counter[str]:
    """The number of occurrences of each instruction."""
    return Counter(
        item.name for program in programs for item in program.items if isinstance(item, Insn)
    )


def endings(programs: Iterable[Program]) -> Counter[str]:
    """The number of programs with each ending."""
    return Counter(program.ending for program in programs)


def executed(program: Program, issued: Iterable[tuple[int, int]]) -> Counter[str]:
    """The number of issues of each instruction; `issued` are pairs of cycle and address."""
    at = {address: item.name for address, item in _placed(program)}
    return Counter(at[pc] for _, pc in issued if pc in at)


def branch_ways(program: Program, issued: Iterable[tuple[int, int]]) -> set[tuple[int, ...]]:
    """Collect the outcomes of the program's branches.

    Each is (length of the branch, its address mod 4, 1 if taken, length of the next instruction,
    its address mod 4), lengths in bytes.
    """
    placed = dict(_placed(program))
    pcs = [pc for _, pc in issued]
    outcomes: set[tuple[int, ...]] = set()
    for pc, following in pairwise(pcs):
        branch, after = placed.get(pc), placed.get(following)
        if branch is not None and after is not None and branch.name in BRANCHES:
            taken = int(following != pc + branch.size)
            outcomes.add((branch.size, pc % 4, taken, after.size, following % 4))
    return outcomes


def _placed(program: Program) -> list[tuple[int, Insn]]:
    address, placed = 0, []
    for item in program.items:
        if isinstance(item, Insn):
            placed.append((address, item))
        if not isinstance(item, Label):
            address += item.size
    return placed
