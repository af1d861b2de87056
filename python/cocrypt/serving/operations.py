"""What the coprocessors of the library compute, by their vectors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from cocrypt import _native, house
from cocrypt.hardware import vectors as files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.hardware.vectors import Vector

WORD = 4
LEAST = 2
"""Vectors that an operation needs, so that nothing meets them by chance."""


@dataclass(frozen=True)
class Operation:
    """One command of a coprocessor, with the vectors that state inputs and outputs for it.

    `said` are parts of the names of functions that the coprocessor could serve.
    """

    coprocessor: str
    name: str
    said: tuple[str, ...]
    vectors: tuple[Vector, ...]

    def suggests(self, function: str) -> bool:
        """Whether a function's name is one that the coprocessor could serve."""
        return any(part in function.lower() for part in self.said)

    @property
    def inputs(self) -> dict[str, int]:
        """Bytes of each input."""
        return {name: len(value) for name, value in self.vectors[0].inputs.items()}

    def without(self, absent: str) -> Operation | None:
        """The same with one input that always has the same value, if enough vectors are left."""
        values = Counter(one.inputs[absent] for one in self.vectors)
        (most, _), *_ = values.most_common(1)
        left = tuple(one for one in self.vectors if one.inputs[absent] == most)
        return replace(self, vectors=left) if _differ(left) else None

    def chosen(self, most: int) -> list[Vector]:
        """So many of its vectors at most, from all over the file, as wide as their numbers are."""
        step = max(1, len(self.vectors) // most)
        found = list(self.vectors[::step][:most])
        if not _differ(found):
            found = list(self.vectors)
        return _trimmed(found)


@cache
def of_library() -> tuple[Operation, ...]:
    """The operations of all coprocessors that have vectors."""
    found: list[Operation] = []
    for name, path in house.coprocessors().items():
        values = _native.load_coprocessor(path)
        file = path.parent / files.FILE
        if file.is_file():
            found += _operations(name, values, files.load(values, file))
    return tuple(found)


def _operations(
    name: str, register_map: Mapping[str, Any], vectors: Sequence[Vector]
) -> Iterable[Operation]:
    """One for each command; vectors without inputs or outputs only lead to others."""
    whole = [one for one in vectors if one.inputs and one.outputs]
    for command in dict.fromkeys(one.command for one in whole):
        same = [one for one in whole if one.command == command]
        shapes = Counter(map(_shape, same))
        usual = shapes.most_common(1)[0][0]
        alike = tuple(one for one in same if _shape(one) == usual)
        if _differ(alike):
            yield Operation(
                name, _said(register_map, command), tuple(register_map["serves"]), alike
            )


def _shape(vector: Vector) -> tuple[tuple[str, int], ...]:
    both = (*vector.inputs.items(), *vector.outputs.items())
    return tuple((name, len(value)) for name, value in both)


def _differ(vectors: Sequence[Vector]) -> bool:
    """Whether there are enough that want different answers."""
    return len({tuple(one.outputs.values()) for one in vectors}) >= LEAST


def _said(register_map: Mapping[str, Any], command: int | None) -> str:
    """A command by the fields of the control register that are not 0."""
    if command is None:
        return ""
    controls = [one for one in register_map["registers"] if one["role"] == "control"]
    fields = controls[0]["fields"] if controls else []
    said = []
    for field in fields:
        low, high = field["bits"]
        value = command >> low & ((1 << (high - low + 1)) - 1)
        if value:
            said.append(field["name"] if high == low else f"{field['name']} {value}")
    return ", ".join(said)


def _trimmed(vectors: list[Vector]) -> list[Vector]:
    """Numbers without the words that are 0 in all of them, where all registers are as wide."""
    values = [value for one in vectors for value in (*one.inputs.values(), *one.outputs.values())]
    if len(set(map(len, values))) != 1:
        return vectors
    used = max(len(value.rstrip(b"\0")) for value in values)
    width = max(WORD, -(-used // WORD) * WORD)
    return [
        replace(
            one,
            inputs={name: value[:width] for name, value in one.inputs.items()},
            outputs={name: value[:width] for name, value in one.outputs.items()},
        )
        for one in vectors
    ]
