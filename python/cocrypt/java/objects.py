"""Objects that exist when a program starts: what static initialisers leave that the host runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt.java.classfile import slots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.java.classfile import Constant, Field, Method

Value = Any
"""An int or a long as a number, an object, or None for null."""
WIDTHS = {"[Z": 1, "[B": 1, "[C": 2, "[S": 2, "[I": 4, "[J": 8, "[F": 4, "[D": 8}
"""Bytes of the elements of arrays of numbers."""
HEADER = 4
"""Bytes of an object in front of its fields, or of an array in front of its length."""


def is_object(descriptor: str) -> bool:
    """True for the type of a class or array."""
    return descriptor[0] in "L["


@dataclass(eq=False)
class Object:
    """An object or an array: its class or its descriptor, and its fields or elements.

    A string literal has its `constant`, and no fields before they are read.
    """

    kind: str
    elements: list[Value] = field(default_factory=list)
    fields: dict[Field, Value] = field(default_factory=dict)
    constant: Constant | None = None
    is_fixed: bool = False
    """True for the letters of a literal."""

    @property
    def is_array(self) -> bool:
        """True for an array."""
        return self.kind.startswith("[")

    @property
    def size(self) -> int:
        """The bytes that it takes on the device."""
        if self.is_array:
            width = WIDTHS.get(self.kind, 4)
            return HEADER + 4 + (len(self.elements) * width + 3) // 4 * 4
        return HEADER + 4 * sum(slots(each.descriptor) for each in self.fields)

    @property
    def referred(self) -> list[Object]:
        """The objects that it refers to."""
        values = [*self.elements, *self.fields.values()]
        return [each for each in values if isinstance(each, Object)]


@dataclass
class Initials:
    """The static fields of classes whose initialisers the host has run, and why others stay.

    `reasons` are by the name of a class, as ends of the sentence `it …`.
    """

    values: dict[Field, Value] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    run: dict[Method, int] = field(default_factory=dict)
    """The initialisers that were run, with the number of instructions that were executed."""
    uses: dict[str, set[str]] = field(default_factory=dict)
    """The classes above a class, and those that its initialiser uses, by the name of the class."""
    written: set[Object] = field(default_factory=set)
    """The objects that the program may write to."""
    constants: set[Field] = field(default_factory=set)
    """The fields that the program only reads."""

    def objects_of(self, name: str) -> list[Object]:
        """The objects that the fields of a class lead to, but literals."""
        return list(reachable(self._values(name)))

    def has_literals(self, name: str) -> bool:
        """True if the fields of a class lead to literals."""
        found = [each for part in self.objects_of(name) for each in part.referred]
        return any(each.constant for each in (*found, *self._values(name)))

    def _values(self, name: str) -> list[Object]:
        own = (value for found, value in self.values.items() if found.owner.name == name)
        return [each for each in own if isinstance(each, Object)]

    def without(self, names: set[str]) -> None:
        """Lets the initialisers of these classes run on the device."""
        self.values = {
            found: each for found, each in self.values.items() if found.owner.name not in names
        }
        self.run = {
            method: count for method, count in self.run.items() if method.owner.name not in names
        }


def reachable(roots: Iterable[Object]) -> dict[Object, None]:
    """The objects that these lead to, themselves included, in the order of discovery."""
    found: dict[Object, None] = {}
    waiting = list(roots)[::-1]
    while waiting:
        each = waiting.pop()
        if each not in found and each.constant is None:
            found[each] = None
            waiting += each.referred[::-1]
    return found
