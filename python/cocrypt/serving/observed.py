"""Gives a coprocessor what the program gives a function, and compares what both leave.

It serves functions whose inputs are more than a vector says, such as those of a cipher
whose round keys begin with the key.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.hardware.vectors import Vector, answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cocrypt.serving.called import Argument, Called
    from cocrypt.serving.operations import Operation

LEAST_BYTES = 8
"""Bytes of outputs that must agree, so that they do not by chance."""
LEAST_DIFFERENT = 4
"""Different bytes in an output: memory that a function wipes is none."""
MOST = 64
"""Assignments of inputs to arguments that are tried."""
Places = dict[str, "tuple[Argument, str]"]
"""The argument behind which a register's value is, and its form."""


def agreed(
    calls: Sequence[Called], operation: Operation, forms: Mapping[str, Callable[[bytes], bytes]]
) -> Places | None:
    """The arguments of inputs and outputs, if the coprocessor leaves the same in all calls."""
    sizes = [len(value) for value in operation.vectors[0].outputs.values()]
    if sum(sizes) < LEAST_BYTES or not all(_may_be_left(calls[0], size) for size in sizes):
        return None
    assignments = list(islice(_assignments(calls[0], operation, forms), MOST))
    for assignment, outputs in zip(
        assignments, _answered(calls[0], operation, assignments, forms), strict=True
    ):
        if _outputs(calls[:1], [outputs], forms) is None:
            continue
        other_results = [_answered(call, operation, [assignment], forms)[0] for call in calls[1:]]
        places = _outputs(calls, [outputs, *other_results], forms)
        if places is not None:
            return {**assignment, **places}
    return None


def _may_be_left(call: Called, size: int) -> bool:
    """Returns whether `size` bytes behind an argument change in the call, and are not wiped."""
    return any(
        _is_output(call.after(argument)[:size])
        and call.after(argument)[:size] != call.before(argument)[:size]
        for argument in call.pointers
        if len(call.before(argument)) >= size
    )


def _is_output(value: bytes) -> bool:
    return len(set(value)) >= LEAST_DIFFERENT


def _answered(
    call: Called,
    operation: Operation,
    assignments: Sequence[Places],
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> list[Mapping[str, bytes]]:
    """The coprocessor's outputs for each of these assignments."""
    if not assignments:
        return []
    vectors = [_vector(call, operation, assignment, forms) for assignment in assignments]
    register_map = _native.load_coprocessor(paths.coprocessors()[operation.coprocessor])
    return [answer.outputs for answer in answers(register_map, vectors)]


def _assignments(
    call: Called, operation: Operation, forms: Mapping[str, Callable[[bytes], bytes]]
) -> Iterator[Places]:
    """Every input behind an argument of its own that has room for it, in each form."""
    options = [
        [argument for argument in call.pointers if len(call.before(argument)) >= size]
        for size in operation.inputs.values()
    ]
    for chosen in product(*options):
        if len(set(chosen)) == len(chosen):
            placed = list(zip(operation.inputs, chosen, strict=True))
            yield from ({name: (argument, form) for name, argument in placed} for form in forms)


def _vector(
    call: Called,
    operation: Operation,
    assignment: Places,
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> Vector:
    """The vector that the coprocessor runs in a call's place."""
    usual = operation.vectors[0]
    stated = [vector.cycles for vector in operation.vectors if vector.cycles is not None]
    sizes = operation.inputs
    inputs = {
        name: forms[form](_behind(call, argument)[: sizes[name]])
        for name, (argument, form) in assignment.items()
    }
    # The duration may depend on the inputs.
    cycles = max(stated) * 5 // 4 if stated else None
    return Vector("", usual.command, cycles, inputs, usual.outputs)


def _behind(call: Called, argument: Argument) -> bytes:
    """The bytes behind the argument of the same index, whose address may be another."""
    same = (candidate for candidate in call.pointers if candidate.index == argument.index)
    return next((call.before(other) for other in same), b"")


def _outputs(
    calls: Sequence[Called],
    results: Sequence[Mapping[str, bytes]],
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> Places | None:
    """The arguments behind which the coprocessor's outputs are after each call."""
    places: Places = {}
    for name in results[0]:
        pairs = [(argument, form) for argument in calls[0].pointers for form in forms]
        values = [result[name] for result in results]
        matching = [pair for pair in pairs if _is_left(calls, pair[0], forms[pair[1]], values)]
        if not matching:
            return None
        places[name] = matching[0]
    return places


def _is_left(
    calls: Sequence[Called],
    argument: Argument,
    form: Callable[[bytes], bytes],
    values: Sequence[bytes],
) -> bool:
    """Returns whether each call leaves its value behind an argument that had another before."""
    for call, value in zip(calls, values, strict=True):
        expected = form(value)
        content = call.after(argument)
        if not content.startswith(expected) or _behind(call, argument).startswith(expected):
            return False
        if not _is_output(value):
            return False
    return True
