"""The choice of methods that are compiled ahead of time, by the names that a user gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java.classfile import dotted
from cocrypt.java.names import mangled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.java.classfile import Method
    from cocrypt.java.layout import Layout
    from cocrypt.java.reach import Reached
    from cocrypt.java.verify import Verified

ALL = "all"
SUBROUTINES = "its subroutines have different stacks, and it stays bytecode"


def chosen(made: Layout, asked: Sequence[str]) -> dict[Method, str]:
    """The functions in C of the methods that are compiled, by method.

    A name is `all`, a class, `Class.method` or `Class.method(descriptor)`. Raises `InputError` for
    a name of nothing that the program can reach, and for a method that cannot be compiled.
    """
    found: dict[Method, None] = {}
    for name in asked:
        found.update(dict.fromkeys(_named(made.reached, name)))
    return {method: symbol(method, made.methods[method]) for method in found}


def reachable(reached: Reached, asked: Sequence[str]) -> list[str]:
    """Those of the asked names whose methods a program can reach as bytecode."""
    in_java = [method for method, each in reached.methods.items() if each is not None]
    return [name for name in asked if any(name in names(method) for method in in_java)]


def symbol(method: Method, number: int) -> str:
    """The name in C of a compiled method; `number` tells overloaded ones apart."""
    return f"aot_{mangled(method.owner.name)}_{mangled(method.name.strip('<>'))}_{number}"


def _named(reached: Reached, name: str) -> list[Method]:
    in_java = {method: each for method, each in reached.methods.items() if each is not None}
    meant = [method for method in in_java if name == ALL or name in names(method)]
    if not meant and any(name in names(method) for method in reached.methods):
        raise InputError(f"{name} is native: there is no bytecode to compile")
    if not meant and any(name in names(method) for method in reached.initials.run):
        # The host has run all that there was to compile.
        return []
    if not meant:
        raise InputError(
            f"there is no method {name} to compile that the program can reach",
            "name a class, Class.method, Class.method(descriptor), or `all`; --json lists them",
        )
    refusals = {method: refusal(in_java[method]) for method in meant}
    kept = [method for method, why in refusals.items() if not why]
    if not kept:
        raise InputError(f"{name} cannot be compiled: {next(iter(refusals.values()))}")
    return kept


def names(method: Method) -> tuple[str, ...]:
    """The names of a method that choose it: its class, itself, and with its descriptor."""
    owner = dotted(method.owner.name)
    short = f"{owner}.{method.name}"
    return owner, short, short + method.descriptor


def refusal(verified: Verified) -> str:
    """The reason why a method stays bytecode; empty if it can be compiled."""
    return "" if verified.stacks.keys() == verified.instructions.keys() else SUBROUTINES
