"""Partitions: the option that is chosen for each candidate, and the name of each partition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.paths import suggestion
from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.study import Candidate, Study

_ALL_SOFTWARE = "all software"


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
        """The number of functions that need hardware which the device does not have by itself."""
        return len(self.hw) + len(self.extended)

    @property
    def key(self) -> tuple[str, ...]:
        """The chosen options, in the order of the candidates."""
        return tuple(self.choice.values())

    @property
    def replaced(self) -> int:
        """The number of functions that are not as they were."""
        return sum(option != SOFTWARE for option in self.choice.values())

    @property
    def is_software(self) -> bool:
        """True if every function is as it was."""
        return self.replaced == 0


def partition(study: Study, hw: tuple[str, ...]) -> Partition:
    """The partition with these functions in hardware, each by its first coprocessor."""
    return chosen(
        study,
        {
            candidate.function: _first(candidate)
            for candidate in study.candidates
            if candidate.function in hw
        },
    )


def chosen(study: Study, choice: Mapping[str, str]) -> Partition:
    """The partition of these options; candidates that are not named stay as they are."""
    full = {
        candidate.function: choice.get(candidate.function, SOFTWARE)
        for candidate in study.candidates
    }
    options = {
        candidate.function: candidate.option(full[candidate.function])
        for candidate in study.candidates
    }
    hw = tuple(name for name, option in options.items() if option and option.coprocessor)
    extended = tuple(name for name, option in options.items() if option and option.extensions)
    return Partition(_name(study, full, hw), hw, full, extended)


def named(study: Study, text: str) -> Partition:
    """The partition that a text on the command line names.

    The text is a name as `explore` prints it, `software`, or functions with commas between them,
    each with `=OPTION` unless the first coprocessor (or else the first option) is meant.

    Raises `InputError` where the study has no such partition, or its device no room for it.
    """
    by_name = {name: hw for hw, name in study.names.items()}
    if text in by_name:
        result = partition(study, by_name[text])
    elif text in (SOFTWARE, _ALL_SOFTWARE):
        result = partition(study, ())
    else:
        parts = [part.strip() for part in text.replace(" + ", ",").split(",") if part.strip()]
        result = chosen(study, dict(_named_option(study, text, part) for part in parts))
    coprocessors = study.coprocessors(result.choice)
    if not study.device.has_room(coprocessors):
        rooms = Counter(port.kind for port in study.device.ports)
        raise InputError(
            f"the partition `{text}` needs {len(coprocessors)} coprocessors, and "
            f"{study.device.name} has room for {rooms['coprocessor']} at windows and for "
            f"{rooms['link']} at links",
            "name fewer functions, or take a device with more windows or links for coprocessors",
        )
    return result


def _named_option(study: Study, text: str, part: str) -> tuple[str, str]:
    """A function and its option, as one part of a partition's text names them."""
    separator = "=" if "=" in part else ":"
    function, separated, option = (word.strip() for word in part.partition(separator))
    candidates = {candidate.function: candidate for candidate in study.candidates}
    if function not in candidates:
        names = [*study.names.values(), SOFTWARE, *candidates]
        raise InputError(f"{study.path} has no partition `{text}`", suggestion(part, names))
    options = [SOFTWARE, *(option.name for option in candidates[function].options)]
    option = option if separated else _usual(candidates[function])
    if option not in options:
        raise InputError(
            f"{study.path}: `{function}` has no option `{option}`", suggestion(option, options)
        )
    return function, option


def partitions(study: Study) -> tuple[Partition, ...]:
    """All combinations of options that the device has room for.

    The named ones come first, in the study's order, then the others by how much is replaced.
    """
    functions = [candidate.function for candidate in study.candidates]
    options = [
        (SOFTWARE, *(option.name for option in candidate.options)) for candidate in study.candidates
    ]
    every = [dict(zip(functions, names, strict=True)) for names in product(*options)]
    every.sort(key=lambda choice: sum(name != SOFTWARE for name in choice.values()))
    fitting = [choice for choice in every if study.device.has_room(study.coprocessors(choice))]
    named = [partition(study, hw).choice for hw in study.names]
    named = [choice for choice in named if choice in fitting]
    others = [choice for choice in fitting if choice not in named]
    return tuple(chosen(study, choice) for choice in named + others)


def _first(candidate: Candidate) -> str:
    """The first option that is a coprocessor."""
    return next((option.name for option in candidate.options if option.coprocessor), SOFTWARE)


def _usual(candidate: Candidate) -> str:
    """The option that replaces a function where only the function is named."""
    options = [SOFTWARE, *(option.name for option in candidate.options)]
    return _first(candidate) if candidate.may_be_hardware else options[:2][-1]


def _name(study: Study, choice: Mapping[str, str], hw: tuple[str, ...]) -> str:
    """The study's name for it; else the replaced functions, with options that are not the first."""
    firsts = {candidate.function: _first(candidate) for candidate in study.candidates}
    if all(option in (SOFTWARE, firsts[function]) for function, option in choice.items()):
        name = study.names.get(hw)
        if name is not None:
            return name
    replaced = [
        function if option == firsts[function] else f"{function}: {option}"
        for function, option in choice.items()
        if option != SOFTWARE
    ]
    return " + ".join(replaced) or _ALL_SOFTWARE
