"""The operations that the coprocessors of the library compute, by their vectors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.hardware import vectors as files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.hardware.vectors import Vector

WORD = 4
LEAST = 2
"""Vectors that an operation needs, so that no function meets them by chance."""


@dataclass(frozen=True)
class Operation:
    """One command of a coprocessor, with the vectors that state inputs and outputs for it.

    `hints` are parts of the names of functions that the coprocessor could serve.
    """

    coprocessor: str
    name: str
    hints: tuple[str, ...]
    vectors: tuple[Vector, ...]

    def suggests(self, function: str) -> bool:
        """Returns whether a function's name is one that the coprocessor could serve."""
        return any(part in function.lower() for part in self.hints)

    @property
    def inputs(self) -> dict[str, int]:
        """Bytes of each input."""
        return {name: len(value) for name, value in self.vectors[0].inputs.items()}

    def without(self, absent: str) -> Operation | None:
        """The operation with one input at its most frequent value, if enough vectors are left."""
        values = Counter(vector.inputs[absent] for vector in self.vectors)
        (most, _), *_ = values.most_common(1)
        remaining = tuple(vector for vector in self.vectors if vector.inputs[absent] == most)
        return replace(self, vectors=remaining) if _differ(remaining) else None

    def chosen(self, most: int) -> list[Vector]:
        """At most `most` of its vectors, from all over the file, as wide as their numbers are."""
        step = max(1, len(self.vectors) // most)
        vectors = list(self.vectors[::step][:most])
        if not _differ(vectors):
            vectors = list(self.vectors)
        return _trimmed(vectors)


@cache
def of_library() -> tuple[Operation, ...]:
    """The operations of all coprocessors that have vectors."""
    operations: list[Operation] = []
    for name, path in paths.coprocessors().items():
        values = _native.load_coprocessor(path)
        file = path.parent / files.FILE
        if file.is_file():
            operations += _operations(name, values, files.load(values, file))
    return tuple(operations)


def _operations(
    name: str, register_map: Mapping[str, Any], vectors: Sequence[Vector]
) -> Iterable[Operation]:
    """An operation for each command; vectors without inputs or outputs only lead to others."""
    whole = [vector for vector in vectors if vector.inputs and vector.outputs]
    for command in dict.fromkeys(vector.command for vector in whole):
        same = [vector for vector in whole if vector.command == command]
        shapes = Counter(map(_shape, same))
        usual = shapes.most_common(1)[0][0]
        alike = tuple(vector for vector in same if _shape(vector) == usual)
        if _differ(alike):
            yield Operation(
                name, _command_name(register_map, command), tuple(register_map["serves"]), alike
            )


def _shape(vector: Vector) -> tuple[tuple[str, int], ...]:
    values = (*vector.inputs.items(), *vector.outputs.items())
    return tuple((name, len(value)) for name, value in values)


def _differ(vectors: Sequence[Vector]) -> bool:
    """Returns whether there are enough vectors with different outputs."""
    return len({tuple(vector.outputs.values()) for vector in vectors}) >= LEAST


def _command_name(register_map: Mapping[str, Any], command: int | None) -> str:
    """A command by the fields of the control register that are not 0."""
    if command is None:
        return ""
    controls = [register for register in register_map["registers"] if register["role"] == "control"]
    fields = controls[0]["fields"] if controls else []
    names = []
    for field in fields:
        low, high = field["bits"]
        value = command >> low & ((1 << (high - low + 1)) - 1)
        if value:
            names.append(field["name"] if high == low else f"{field['name']} {value}")
    return ", ".join(names)


def _trimmed(vectors: list[Vector]) -> list[Vector]:
    """Numbers without the words that are 0 in all of them, where all registers are as wide."""
    values = [
        value for vector in vectors for value in (*vector.inputs.values(), *vector.outputs.values())
    ]
    if len(set(map(len, values))) != 1:
        return vectors
    used = max(len(value.rstrip(b"\0")) for value in values)
    width = max(WORD, -(-used // WORD) * WORD)
    return [
        replace(
            vector,
            inputs={name: value[:width] for name, value in vector.inputs.items()},
            outputs={name: value[:width] for name, value in vector.outputs.items()},
        )
        for vector in vectors
    ]
