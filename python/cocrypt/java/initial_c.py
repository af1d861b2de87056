"""The objects that exist when a program starts, in C: in ROM, or in RAM if they are written to."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from cocrypt.java.classfile import slots
from cocrypt.java.names import integer
from cocrypt.java.objects import WIDTHS, Object, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.java.classfile import Constant
    from cocrypt.java.layout import Layout
    from cocrypt.java.objects import Value

C_TYPES = {"[Z": "int8_t", "[B": "int8_t", "[C": "uint16_t", "[S": "int16_t"}
"""The elements of arrays of numbers that are no words."""
LOW = 0xFFFFFFFF


class InitialObjects:
    """The objects of a layout; each is a variable `initial_` with its number."""

    def __init__(self, made: Layout) -> None:
        self.layout, self.written = made, made.reached.initials.written

    def literals(self) -> list[Constant]:
        """The string literals that fields and objects lead to."""
        initials, statics = self.layout.reached.initials, self.layout.statics
        values = [value for found, value in initials.values.items() if found in statics]
        referred = [part for each in self.layout.initial for part in each.referred]
        found = [each for each in (*values, *referred) if isinstance(each, Object)]
        return [each.constant for each in found if each.constant is not None]

    def source(self) -> str:
        """The variables: all are declared before the first one refers to another."""
        parts = [self._declaration(each) for each in self.layout.initial]
        names = {self._literal(each) for each in self.literals()}
        parts += [f"static const java_constant {name};" for name in sorted(names)]
        parts += [self._definition(each) for each in self.layout.initial]
        return "\n".join([*parts, ""])

    def roots(self) -> str:
        """The table of the objects in RAM that may refer to others, for the collector."""
        kept = [
            f"(java_object *)(void *)&initial_{number}"
            for each, number in self.layout.initial.items()
            if each in self.written and _has_references(each)
        ]
        rows = ", ".join([*kept, "0"])
        return f"java_object *const java_initial[] = {{{rows}}};\n"

    def sizes(self, name: str) -> tuple[int, int]:
        """Bytes of all objects that a class's initialiser left, and of those that are in RAM."""
        initials = self.layout.reached.initials
        found = [each for each in initials.objects_of(name) if each in self.layout.initial]
        in_ram = (each.size for each in found if each in self.written)
        return sum(each.size for each in found), sum(in_ram)

    def words(self, value: Value, descriptor: str) -> list[str]:
        """The words of a value."""
        if is_object(descriptor):
            return [self._reference(value)]
        if slots(descriptor) == 2:
            return [f"{value & LOW:#x}u", f"{value >> 32 & LOW:#x}u"]
        return [f"{value & LOW:#x}u"]

    def _reference(self, value: Object | None) -> str:
        if value is None:
            return "0"
        if value.constant is not None:
            return f"(uint32_t)&{self._literal(value.constant)}"
        return f"(uint32_t)&initial_{self.layout.initial[value]}"

    def _literal(self, constant: Constant) -> str:
        return f"object_{self.layout.objects[constant]}"

    def _head(self, each: Object) -> str:
        number = self.layout.initial[each]
        qualified = "static" if each in self.written else "static const"
        return f"{qualified} struct initial_{number} initial_{number}"

    def _declaration(self, each: Object) -> str:
        """The type of an object, and its variable without a value."""
        number = self.layout.initial[each]
        count = len(each.elements) if each.is_array else len(self._contents(each))
        length = "int32_t length; " if each.is_array else ""
        kind, times = C_TYPES.get(each.kind, "uint32_t"), 2 if each.kind in ("[J", "[D") else 1
        parts = f"{kind} parts[{count * times}]; " if count else ""
        struct = f"struct initial_{number} {{ uintptr_t type; {length}{parts}}};"
        return f"{struct}\n{self._head(each)};"

    def _definition(self, each: Object) -> str:
        of = f"(uintptr_t)(java_classes + {self.layout.classes[each.kind]})"
        length = [str(len(each.elements))] if each.is_array else []
        contents = self._contents(each)
        parts = ["{" + ", ".join(contents) + "}"] if contents else []
        text = textwrap.fill(", ".join([of, *length, *parts]), 110)
        return f"{self._head(each)} = {{\n{text}\n}};"

    def _contents(self, each: Object) -> list[str]:
        """The elements or the fields of an object."""
        if each.kind in C_TYPES:
            return list(map(integer, each.elements))
        kind = each.kind[1:]
        parts: Iterable[tuple[str, Value]] = ((kind, value) for value in each.elements)
        if not each.is_array:
            parts = ((found.descriptor, value) for found, value in each.fields.items())
        return [word for kind, value in parts for word in self.words(value, kind)]


def _has_references(each: Object) -> bool:
    """True for an array of objects, and for an object with fields that are objects."""
    if each.is_array:
        return each.kind not in WIDTHS
    return any(is_object(found.descriptor) for found in each.fields)
