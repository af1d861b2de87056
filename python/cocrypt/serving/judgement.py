"""Tries coprocessors' operations on a function, and says which of them it computes."""

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
"""Vectors that a function must meet, if an operation has as many."""
BUDGET = 40_000_000
"""Instructions that are spent on one function."""
CALLS = 3
"""Calls of the program's own that a coprocessor is compared with."""
MOST = 600
"""Placements of an operation's inputs that are tried on a function."""


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
    """The operations that a function computes, and those that it does not."""

    servings: tuple[Serving, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def _swapped(value: bytes) -> bytes:
    """Words with their bytes reversed; the last word may be short."""
    return b"".join(value[at : at + 4][::-1] for at in range(0, len(value), 4))


FORMS: Mapping[str, Callable[[bytes], bytes]] = {
    "as on the bus": bytes,
    "each word turned around": _swapped,
    "all bytes turned around": lambda value: value[::-1],
}


@dataclass(frozen=True)
class _Source:
    """The place of an input: behind an argument, as an argument, or nowhere."""

    argument: Argument | None
    points: bool = False

    def __str__(self) -> str:
        if self.argument is None:
            return "nowhere"
        return f"behind {self.argument}" if self.points else str(self.argument)


Placement = dict[str, _Source]
Outputs = dict[str, tuple[int | None, str]]
"""The argument behind which each output is, None for the result; and its form."""


def judge(machine: Machine, name: str, content: bytes) -> Judgement:
    """Finds the library's operations that a function computes; the machine has not begun to run.

    `content` are the bytes of its image, whose debug information says how many arguments there are.
    """
    named = [operation for operation in of_library() if operation.suggests(name)]
    functions = [symbol for symbol in machine.info["symbols"] if symbol["kind"] == "function"]
    addresses = [int(function["address"]) for function in functions if function["name"] == name]
    cycle = machine.native.run_to(addresses[0], MAX_CYCLES)[0] if addresses else None
    if cycle is None:
        return _refused(named, "the program does not call it by its name")
    (parameters,) = _native.function_parameters(content, addresses[:1])
    calls = [Called(machine.copy(), parameters, BUDGET)]
    if not calls[0].returns:
        return _refused(named, "it does not come back by itself: it uses peripherals, or is long")
    while len(calls) < CALLS and machine.native.run_to(addresses[0], MAX_CYCLES)[0] is not None:
        calls.append(Called(machine.copy(), parameters, 0))
    return judged(calls, name)


def _refused(named: list[Operation], why: str) -> Judgement:
    coprocessors = dict.fromkeys(operation.coprocessor for operation in named)
    return Judgement(refusals=tuple(Refusal(coprocessor, why) for coprocessor in coprocessors))


def judged(calls: Sequence[Called], name: str) -> Judgement:
    """The operations that a function computes, and why those that its name suggests do not fit.

    The first of the program's calls is tried with the vectors; all show what the function does.
    """
    called = calls[0]
    servings: list[Serving] = []
    refusals: list[Refusal] = []
    for coprocessor, operations in _by_coprocessor(name).items():
        by_vectors = (_serving(called, operation) for operation in operations)
        by_calls = (_observed(calls, operation) for operation in operations)
        served = next(
            (serving for serving in chain(by_vectors, by_calls) if serving is not None), None
        )
        if served is not None:
            servings.append(served)
        elif operations[0].suggests(name):
            refusals.append(Refusal(coprocessor, _why(called, operations)))
    return Judgement(tuple(servings), tuple(refusals))


def _by_coprocessor(name: str) -> dict[str, list[Operation]]:
    """The operations of each coprocessor; first those that a name suggests."""
    ordered = sorted(of_library(), key=lambda operation: not operation.suggests(name))
    groups: dict[str, list[Operation]] = {}
    for operation in ordered:
        groups.setdefault(operation.coprocessor, []).append(operation)
    return groups


def _why(called: Called, operations: list[Operation]) -> str:
    if called.left <= 0:
        return "trying it took too long"
    if not any(True for operation in operations for _ in _placements(called, operation)):
        needed = ", ".join(f"`{name}`" for name in operations[0].inputs)
        return f"its arguments have no room for {needed}"
    return "given the inputs of the vectors, it leaves other outputs"


def _serving(called: Called, operation: Operation) -> Serving | None:
    """Returns how a function computes an operation, None if it does not."""
    for placement in islice(_placements(called, operation), MOST):
        absent = next((name for name, source in placement.items() if not source.argument), None)
        narrowed = operation if absent is None else operation.without(absent)
        if narrowed is None:
            continue
        vectors = narrowed.chosen(VECTORS)
        for form in FORMS:
            outputs = _matched(called, placement, form, vectors)
            if outputs is not None:
                return _described(operation, placement, form, outputs, len(vectors))
    return None


def _observed(calls: Sequence[Called], operation: Operation) -> Serving | None:
    """Returns how a coprocessor does what all the program's own calls do, None if it does not."""
    outputs = agreed(calls, operation, FORMS)
    if outputs is None:
        return None
    places = {name: f"behind {argument}" for name, (argument, _) in outputs.items()}
    shapes = [form for _, form in outputs.values()]
    form = f"inputs {shapes[0]}; outputs {shapes[-1]}"
    return Serving(operation.coprocessor, operation.name, 0, places, form, len(calls))


def _placements(called: Called, operation: Operation) -> Iterator[Placement]:
    """The placements of a function's inputs; the function itself may have one of the inputs."""
    options = []
    for size in operation.inputs.values():
        behind = [_Source(argument, points=True) for argument in called.pointers]
        directly = (
            [_Source(argument) for argument in called.arguments] if size <= called.word else []
        )
        options.append([*behind, *directly, _Source(None)])
    for chosen in product(*options):
        used = [source.argument for source in chosen if source.argument is not None]
        if used and len(set(used)) == len(used) >= len(chosen) - 1:
            yield dict(zip(operation.inputs, chosen, strict=True))


def _matched(
    called: Called, placement: Placement, form: str, vectors: list[Vector]
) -> Outputs | None:
    """Returns where a function leaves the outputs of all vectors; None if it does not."""
    outcome = _call(called, placement, form, vectors[0])
    if outcome is None:
        return None
    candidates = [_places(outcome, value, called) for value in vectors[0].outputs.values()]
    for chosen in islice(product(*candidates), MOST):
        outputs = dict(zip(vectors[0].outputs, chosen, strict=True))
        if all(_left(called, placement, form, vector, outputs) for vector in vectors[1:]):
            return outputs
    return None


def _call(called: Called, placement: Placement, form: str, vector: Vector) -> Outcome | None:
    if called.left <= 0:
        return None
    pointed, words = {}, {}
    for name, source in placement.items():
        if source.argument is None:
            continue
        value = FORMS[form](vector.inputs[name])
        if source.points:
            pointed[source.argument] = value
        else:
            words[source.argument] = int.from_bytes(value, "little")
    return called.call(pointed, words)


def _places(outcome: Outcome, value: bytes, called: Called) -> list[tuple[int | None, str]]:
    """The places in which an output is, each with its form."""
    places: list[tuple[int | None, str]] = [
        (index, form)
        for index, content in outcome.contents.items()
        for form, shaped in FORMS.items()
        if content.startswith(shaped(value))
    ]
    if len(value) <= called.word and outcome.result == int.from_bytes(value, "little"):
        places.append((None, next(iter(FORMS))))
    return places


def _left(
    called: Called, placement: Placement, form: str, vector: Vector, outputs: Outputs
) -> bool:
    """Returns whether a function leaves the outputs of another vector at the same places."""
    outcome = _call(called, placement, form, vector)
    if outcome is None:
        return False
    return all(
        outputs[name] in _places(outcome, value, called) for name, value in vector.outputs.items()
    )


def _described(
    operation: Operation, placement: Placement, form: str, outputs: Outputs, vectors: int
) -> Serving:
    places = {name: str(source) for name, source in placement.items()}
    for name, (index, _) in outputs.items():
        places[name] = "its result" if index is None else f"behind argument {index + 1}"
    shapes = [shape for _, shape in outputs.values()]
    shown = f"inputs {form}; outputs {shapes[-1]}"
    return Serving(operation.coprocessor, operation.name, vectors, places, shown)
