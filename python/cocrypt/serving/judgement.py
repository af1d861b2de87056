"""Tries what coprocessors compute on a function, and says what it met and what not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.measurement import MAX_CYCLES
from cocrypt.serving.called import Argument, Called
from cocrypt.serving.observed import agreed
from cocrypt.serving.operations import of_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cocrypt.hardware.vectors import Vector
    from cocrypt.machine import Machine
    from cocrypt.serving.called import Outcome
    from cocrypt.serving.operations import Operation

VECTORS = 6
"""Vectors that a function must meet, where an operation has so many."""
BUDGET = 40_000_000
"""Instructions that are spent on one function."""
CALLS = 3
"""Calls of the program's own that a coprocessor is compared with."""
MOST = 600
"""Ways to give a function the inputs of an operation that are tried."""


@dataclass(frozen=True)
class Serving:
    """A coprocessor's operation that computes what a function does.

    `vectors` is how many of its vectors the function met, or else `calls` how many of the program's
    own calls the coprocessor did. `places` say where each register's value is: what an argument
    points to, an argument, the result, or nowhere. `form` is how bytes lie there.
    """

    coprocessor: str
    operation: str
    vectors: int
    places: Mapping[str, str]
    form: str
    calls: int = 0

    def __str__(self) -> str:
        command = f" ({self.operation})" if self.operation else ""
        places = ", ".join(f"`{name}` {place}" for name, place in self.places.items())
        by = f"{self.calls} of the program's own calls"
        if self.vectors:
            by = f"{self.vectors} vectors"
        return f"{self.coprocessor}{command} computes the same, by {by}: {places}; {self.form}"


@dataclass(frozen=True)
class Refusal:
    """A coprocessor that a function's name suggests, and why it is not known to serve."""

    coprocessor: str
    why: str

    def __str__(self) -> str:
        return f"{self.coprocessor}, which the name suggests, is not known to serve: {self.why}"


@dataclass(frozen=True)
class Judgement:
    """What was found of a function."""

    servings: tuple[Serving, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def _swapped(value: bytes) -> bytes:
    """Words with their bytes turned around; the last one may be short."""
    return b"".join(value[at : at + 4][::-1] for at in range(0, len(value), 4))


FORMS: Mapping[str, Callable[[bytes], bytes]] = {
    "as on the bus": bytes,
    "each word turned around": _swapped,
    "all bytes turned around": lambda value: value[::-1],
}


@dataclass(frozen=True)
class _Given:
    """How a function is given an input: behind an argument, as one, or not at all."""

    argument: Argument | None
    points: bool = False

    def __str__(self) -> str:
        if self.argument is None:
            return "nowhere"
        return f"behind {self.argument}" if self.points else str(self.argument)


Placement = dict[str, _Given]
Found = dict[str, tuple[int | None, str]]
"""The argument behind which each output was found, None for the result; and its form."""


def judge(machine: Machine, name: str, content: bytes) -> Judgement:
    """What of the library computes what a function does; the machine has not begun to run.

    `content` are the bytes of its image, whose debug information says how many arguments there are.
    """
    named = [one for one in of_library() if one.suggests(name)]
    functions = [one for one in machine.info["symbols"] if one["kind"] == "function"]
    places = [int(one["address"]) for one in functions if one["name"] == name]
    cycle = machine.native.run_to(places[0], MAX_CYCLES)[0] if places else None
    if cycle is None:
        return _refused(named, "the program does not call it by its name")
    (parameters,) = _native.function_parameters(content, places[:1])
    calls = [Called(machine.copy(), parameters, BUDGET)]
    if not calls[0].returns:
        return _refused(named, "it does not come back by itself: it uses peripherals, or is long")
    while len(calls) < CALLS and machine.native.run_to(places[0], MAX_CYCLES)[0] is not None:
        calls.append(Called(machine.copy(), parameters, 0))
    return judged(calls, name)


def _refused(named: list[Operation], why: str) -> Judgement:
    coprocessors = dict.fromkeys(one.coprocessor for one in named)
    return Judgement(refusals=tuple(Refusal(one, why) for one in coprocessors))


def judged(calls: Sequence[Called], name: str) -> Judgement:
    """The operations that a function computes, and why those do not fit that its name suggests.

    The first of the program's calls is tried with the vectors; all show what the function does.
    """
    called = calls[0]
    servings: list[Serving] = []
    refusals: list[Refusal] = []
    for coprocessor, operations in _by_coprocessor(name).items():
        found = (_serving(called, one) for one in operations)
        seen = (_observed(calls, one) for one in operations)
        served = next((one for one in chain(found, seen) if one is not None), None)
        if served is not None:
            servings.append(served)
        elif operations[0].suggests(name):
            refusals.append(Refusal(coprocessor, _why(called, operations)))
    return Judgement(tuple(servings), tuple(refusals))


def _by_coprocessor(name: str) -> dict[str, list[Operation]]:
    """The operations of each coprocessor; first those that a name suggests."""
    ordered = sorted(of_library(), key=lambda one: not one.suggests(name))
    found: dict[str, list[Operation]] = {}
    for one in ordered:
        found.setdefault(one.coprocessor, []).append(one)
    return found


def _why(called: Called, operations: list[Operation]) -> str:
    if called.left <= 0:
        return "trying it took too long"
    if not any(True for one in operations for _ in _placements(called, one)):
        needed = ", ".join(f"`{name}`" for name in operations[0].inputs)
        return f"its arguments have no room for {needed}"
    return "given the inputs of the vectors, it leaves other outputs"


def _serving(called: Called, operation: Operation) -> Serving | None:
    """How a function computes an operation, if it does."""
    for placement in islice(_placements(called, operation), MOST):
        absent = next((name for name, given in placement.items() if not given.argument), None)
        narrowed = operation if absent is None else operation.without(absent)
        if narrowed is None:
            continue
        vectors = narrowed.chosen(VECTORS)
        for form in FORMS:
            found = _met(called, placement, form, vectors)
            if found is not None:
                return _said(operation, placement, form, found, len(vectors))
    return None


def _observed(calls: Sequence[Called], operation: Operation) -> Serving | None:
    """How the coprocessor does what the program's own calls do, if it does so each time."""
    found = agreed(calls, operation, FORMS)
    if found is None:
        return None
    places = {name: f"behind {one}" for name, (one, _) in found.items()}
    shapes = [form for _, form in found.values()]
    form = f"inputs {shapes[0]}; outputs {shapes[-1]}"
    return Serving(operation.coprocessor, operation.name, 0, places, form, len(calls))


def _placements(called: Called, operation: Operation) -> Iterator[Placement]:
    """The ways to give a function the inputs; one input may be something that it has by itself."""
    options = []
    for size in operation.inputs.values():
        behind = [_Given(one, points=True) for one in called.pointers]
        directly = [_Given(one) for one in called.arguments] if size <= called.word else []
        options.append([*behind, *directly, _Given(None)])
    for chosen in product(*options):
        used = [one.argument for one in chosen if one.argument is not None]
        if used and len(set(used)) == len(used) >= len(chosen) - 1:
            yield dict(zip(operation.inputs, chosen, strict=True))


def _met(called: Called, placement: Placement, form: str, vectors: list[Vector]) -> Found | None:
    """Where a function leaves the outputs of the vectors, if it does so for each of them."""
    outcome = _call(called, placement, form, vectors[0])
    if outcome is None:
        return None
    places = [_places(outcome, value, called) for value in vectors[0].outputs.values()]
    for chosen in islice(product(*places), MOST):
        found = dict(zip(vectors[0].outputs, chosen, strict=True))
        if all(_left(called, placement, form, one, found) for one in vectors[1:]):
            return found
    return None


def _call(called: Called, placement: Placement, form: str, vector: Vector) -> Outcome | None:
    if called.left <= 0:
        return None
    pointed, words = {}, {}
    for name, given in placement.items():
        if given.argument is None:
            continue
        value = FORMS[form](vector.inputs[name])
        if given.points:
            pointed[given.argument] = value
        else:
            words[given.argument] = int.from_bytes(value, "little")
    return called.call(pointed, words)


def _places(outcome: Outcome, value: bytes, called: Called) -> list[tuple[int | None, str]]:
    """Where an output was found, in which form."""
    found: list[tuple[int | None, str]] = [
        (place, form)
        for place, content in outcome.contents.items()
        for form, shaped in FORMS.items()
        if content.startswith(shaped(value))
    ]
    if len(value) <= called.word and outcome.result == int.from_bytes(value, "little"):
        found.append((None, next(iter(FORMS))))
    return found


def _left(called: Called, placement: Placement, form: str, vector: Vector, found: Found) -> bool:
    """Whether a function leaves the outputs of another vector at the same places."""
    outcome = _call(called, placement, form, vector)
    if outcome is None:
        return False
    return all(
        found[name] in _places(outcome, value, called) for name, value in vector.outputs.items()
    )


def _said(
    operation: Operation, placement: Placement, form: str, found: Found, vectors: int
) -> Serving:
    places = {name: str(given) for name, given in placement.items()}
    for name, (place, _) in found.items():
        places[name] = "its result" if place is None else f"behind argument {place + 1}"
    shapes = [shape for _, shape in found.values()]
    shown = f"inputs {form}; outputs {shapes[-1]}"
    return Serving(operation.coprocessor, operation.name, vectors, places, shown)
