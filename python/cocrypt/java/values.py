"""Values of Java in C: the type of each kind, parameters of functions, slots of Java's stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java.classfile import slots, types
from cocrypt.java.objects import is_object

if TYPE_CHECKING:
    from cocrypt.java.classfile import Method

C_TYPES = {"i": "int32_t ", "j": "int64_t ", "a": "java_object *"}
"""The type of each kind: an int, a long, an object."""


def letter_of(descriptor: str) -> str:
    """The kind of a value of this type."""
    return "a" if is_object(descriptor) else "j" if slots(descriptor) == 2 else "i"


def parameters_of(method: Method) -> list[tuple[int, str]]:
    """The first local variable and the kind of each parameter, `this` included."""
    found, at = [], 0
    for each in [*([] if method.is_static else ["L"]), *types(method.descriptor)[0]]:
        found.append((at, letter_of(each)))
        at += slots(each)
    return found


def declaration(method: Method, name: str) -> str:
    """The head of a compiled method's function."""
    _, result = types(method.descriptor)
    kind = "void " if result == "V" else C_TYPES[letter_of(result)]
    own = (f"{C_TYPES[letter]}l{at}{letter}" for at, letter in parameters_of(method))
    return f"static {kind}{name}({', '.join(own) or 'void'})"


def entry(method: Method, name: str, stub: str) -> str:
    """A function that takes a compiled method's arguments from Java's stack."""
    own = ", ".join(taken(at, letter) for at, letter in parameters_of(method))
    _, result = types(method.descriptor)
    call = f"{name}({own})"
    if result != "V":
        call = put_in("slots", 0, letter_of(result), call)
    unused = "" if own or result != "V" else "(void)slots; "
    return f"static void {stub}(int32_t *slots)\n{{\n    {unused}{call};\n}}\n"


def taken(at: int, letter: str, base: str = "slots") -> str:
    """The value of a kind in a slot."""
    if letter == "j":
        return f"java_get_long({base} + {at})"
    return f"JAVA_OBJECT({base}[{at}])" if letter == "a" else f"{base}[{at}]"


def put_in(base: str, at: int, letter: str, value: str) -> str:
    """A statement that writes a value of a kind to a slot."""
    if letter == "j":
        return f"java_put_long({base} + {at}, {value})"
    return f"{base}[{at}] = " + (f"JAVA_REFERENCE({value})" if letter == "a" else value)
