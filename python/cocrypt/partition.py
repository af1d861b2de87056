"""Partitions: which option is chosen for each candidate, and what each partition is called."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.study import Candidate, Study


@dataclass(frozen=True)
class Partition:
    """One option for each candidate.

    `hw` are the functions in hardware, in the order of the candidates, `extended` those that need
    further instructions.
    """

    name: str
    hw: tuple[str, ...]
    choice: dict[str, str]
    extended: tuple[str, ...] = ()

    @property
    def hardware(self) -> int:
        """How many functions need hardware that the device does not have by itself."""
        return len(self.hw) + len(self.extended)

    @property
    def key(self) -> tuple[str, ...]:
        """The chosen options, in the order of the candidates."""
        return tuple(self.choice.values())

    @property
    def replaced(self) -> int:
        """How many functions are not as they were."""
        return sum(option != SOFTWARE for option in self.choice.values())

    @property
    def is_software(self) -> bool:
        """Whether every function is as it was."""
        return self.replaced == 0


def partition(study: Study, hw: tuple[str, ...]) -> Partition:
    """The partition with these functions in hardware, each by its first coprocessor."""
    return chosen(
        study, {each.function: _first(each) for each in study.candidates if each.function in hw}
    )


def chosen(study: Study, choice: Mapping[str, str]) -> Partition:
    """The partition of these options; candidates that are not named stay as they are."""
    full = {each.function: choice.get(each.function, SOFTWARE) for each in study.candidates}
    options = {each.function: each.option(full[each.function]) for each in study.candidates}
    hw = tuple(name for name, option in options.items() if option and option.coprocessor)
    extended = tuple(name for name, option in options.items() if option and option.extensions)
    return Partition(_name(study, full, hw), hw, full, extended)


def partitions(study: Study) -> tuple[Partition, ...]:
    """All combinations of options that the device has room for.

    The named ones come first, in the study's order, then the others by how much is replaced.
    """
    functions = [each.function for each in study.candidates]
    options = [(SOFTWARE, *(option.name for option in each.options)) for each in study.candidates]
    every = [dict(zip(functions, names, strict=True)) for names in product(*options)]
    every.sort(key=lambda choice: sum(name != SOFTWARE for name in choice.values()))
    windows = len(study.device.windows)
    fitting = [choice for choice in every if len(study.coprocessors(choice)) <= windows]
    named = [partition(study, hw).choice for hw in study.names]
    named = [choice for choice in named if choice in fitting]
    others = [choice for choice in fitting if choice not in named]
    return tuple(chosen(study, choice) for choice in named + others)


def _first(candidate: Candidate) -> str:
    """The first option that is a coprocessor."""
    return next((option.name for option in candidate.options if option.coprocessor), SOFTWARE)


def _name(study: Study, choice: Mapping[str, str], hw: tuple[str, ...]) -> str:
    """The study's name for it; else what is replaced, and by what where that could be several."""
    firsts = {each.function: _first(each) for each in study.candidates}
    if all(option in (SOFTWARE, firsts[function]) for function, option in choice.items()):
        named = study.names.get(hw)
        if named is not None:
            return named
    replaced = [
        function if option == firsts[function] else f"{function}: {option}"
        for function, option in choice.items()
        if option != SOFTWARE
    ]
    return " + ".join(replaced) or "all software"
