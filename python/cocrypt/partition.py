"""Partitions: which candidates are in hardware, and what each partition is called."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cocrypt.study import Study


@dataclass(frozen=True)
class Partition:
    """One option for each candidate; `hw` keeps the order of the candidates."""

    name: str
    hw: tuple[str, ...]
    choice: dict[str, str]


def partition(study: Study, hw: tuple[str, ...]) -> Partition:
    """The partition with these functions in hardware, by the study's name for it if it has one."""
    functions = [candidate.function for candidate in study.candidates]
    ordered = tuple(function for function in functions if function in hw)
    choice = {one: "coprocessor" if one in ordered else "software" for one in functions}
    name = study.names.get(ordered) or " + ".join(ordered) or "all software"
    return Partition(name=name, hw=ordered, choice=choice)


def partitions(study: Study) -> tuple[Partition, ...]:
    """All 2^n partitions: the named ones in the study's order, then the others by their size."""
    functions = [candidate.function for candidate in study.candidates]
    sizes = range(len(functions) + 1)
    every = [choice for size in sizes for choice in combinations(functions, size)]
    named = [hw for hw in study.names if hw in every]
    others = [hw for hw in every if hw not in study.names]
    return tuple(partition(study, hw) for hw in named + others)
