"""A coprocessor given what the program itself gives a function: whether both leave the same.

So those functions are found that want more of their inputs than a vector says, as a cipher does
whose round keys begin with the key.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from cocrypt import _native, house
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
"""Ways to take inputs from arguments that are tried."""
Places = dict[str, "tuple[Argument, str]"]
"""The argument behind which a register's value is, and its form."""


def agreed(
    calls: Sequence[Called], operation: Operation, forms: Mapping[str, Callable[[bytes], bytes]]
) -> Places | None:
    """Where inputs and outputs are, if the coprocessor leaves the same in all these calls."""
    sizes = [len(value) for value in operation.vectors[0].outputs.values()]
    if sum(sizes) < LEAST_BYTES or not all(_may_be_left(calls[0], size) for size in sizes):
        return None
    ways = list(islice(_ways(calls[0], operation, forms), MOST))
    for way, outputs in zip(ways, _answered(calls[0], operation, ways, forms), strict=True):
        if _outputs(calls[:1], [outputs], forms) is None:
            continue
        others = [_answered(call, operation, [way], forms)[0] for call in calls[1:]]
        found = _outputs(calls, [outputs, *others], forms)
        if found is not None:
            return {**way, **found}
    return None


def _may_be_left(call: Called, size: int) -> bool:
    """Whether so many bytes behind an argument are others after the call, and no wiped ones."""
    return any(
        _is_output(call.after(one)[:size]) and call.after(one)[:size] != call.before(one)[:size]
        for one in call.pointers
        if len(call.before(one)) >= size
    )


def _is_output(value: bytes) -> bool:
    return len(set(value)) >= LEAST_DIFFERENT


def _answered(
    call: Called,
    operation: Operation,
    ways: Sequence[Places],
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> list[Mapping[str, bytes]]:
    """What the coprocessor gives, asked in each of these ways."""
    if not ways:
        return []
    asked = [_vector(call, operation, way, forms) for way in ways]
    register_map = _native.load_coprocessor(house.coprocessors()[operation.coprocessor])
    return [one.outputs for one in answers(register_map, asked)]


def _ways(
    call: Called, operation: Operation, forms: Mapping[str, Callable[[bytes], bytes]]
) -> Iterator[Places]:
    """Every input behind an argument of its own that has room for it, in each form."""
    options = [
        [one for one in call.pointers if len(call.before(one)) >= size]
        for size in operation.inputs.values()
    ]
    for chosen in product(*options):
        if len(set(chosen)) == len(chosen):
            placed = list(zip(operation.inputs, chosen, strict=True))
            yield from ({name: (one, form) for name, one in placed} for form in forms)


def _vector(
    call: Called,
    operation: Operation,
    way: Places,
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> Vector:
    """What the coprocessor is given in a call's place."""
    usual = operation.vectors[0]
    stated = [one.cycles for one in operation.vectors if one.cycles is not None]
    sizes = operation.inputs
    inputs = {
        name: forms[form](_behind(call, one)[: sizes[name]]) for name, (one, form) in way.items()
    }
    # How long it takes may depend on what it is given.
    cycles = max(stated) * 5 // 4 if stated else None
    return Vector("", usual.command, cycles, inputs, usual.outputs)


def _behind(call: Called, argument: Argument) -> bytes:
    """What stands behind the argument of the same place, which another call may have elsewhere."""
    same = (one for one in call.pointers if one.place == argument.place)
    return next((call.before(one) for one in same), b"")


def _outputs(
    calls: Sequence[Called],
    results: Sequence[Mapping[str, bytes]],
    forms: Mapping[str, Callable[[bytes], bytes]],
) -> Places | None:
    """Where the coprocessor's outputs are found behind arguments after each call."""
    found: Places = {}
    for name in results[0]:
        pairs = [(one, form) for one in calls[0].pointers for form in forms]
        values = [one[name] for one in results]
        met = [pair for pair in pairs if _is_left(calls, pair[0], forms[pair[1]], values)]
        if not met:
            return None
        found[name] = met[0]
    return found


def _is_left(
    calls: Sequence[Called],
    argument: Argument,
    form: Callable[[bytes], bytes],
    values: Sequence[bytes],
) -> bool:
    """Whether each call leaves its value behind an argument, where something else was before."""
    for call, value in zip(calls, values, strict=True):
        wanted = form(value)
        left = call.after(argument)
        if not left.startswith(wanted) or _behind(call, argument).startswith(wanted):
            return False
        if not _is_output(value):
            return False
    return True
