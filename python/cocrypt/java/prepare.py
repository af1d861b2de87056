"""The reachable part of a program whose static initialisers the host has run where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java.classfile import dotted
from cocrypt.java.initial import evaluate
from cocrypt.java.reach import reach
from cocrypt.java.verify import reached as executed
from cocrypt.java.written import constant_fields, written

if TYPE_CHECKING:
    from cocrypt.java.classfile import Method
    from cocrypt.java.objects import Initials
    from cocrypt.java.reach import Reached
    from cocrypt.java.verify import Verified
    from cocrypt.java.world import World

METHOD_BYTES = 20
"""Bytes of the description of a method in `vm.h`."""
LARGER = "leaves objects that are written to and would take more ROM than it saves"


def prepare(world: World, entry: Method) -> Reached:
    """The part of a program that is reachable from an entry, without what only the host runs.

    An object that is written to takes ROM for its first values, which heap and bytecode do not. A
    class whose initialiser saves less than that keeps it.
    """
    whole = reach(world, entry)
    initials = evaluate(whole)
    while True:
        found = reach(world, entry, initials, whole.methods)
        initials.written = written(found, initials)
        larger = {
            method.owner.name
            for method in initials.run
            if (verified := whole.methods[method]) and _is_larger(verified, initials)
        }
        if not larger:
            initials.constants = constant_fields(found, initials)
            return found
        _leave(initials, dict.fromkeys(larger, LARGER))


def _leave(initials: Initials, reasons: dict[str, str]) -> None:
    """Leaves initialisers to the device, and those of the classes that use these.

    There are objects of no class before its initialiser has run, for its methods rely on that.
    """
    while reasons:
        initials.reasons |= reasons
        initials.without(set(reasons))
        names = [method.owner.name for method in initials.run]
        used = {name: initials.uses[name] & reasons.keys() for name in names}
        reasons = {
            name: f"uses {dotted(min(of))}, whose initialiser runs on the device"
            for name, of in used.items()
            if of
        }


def _is_larger(verified: Verified, initials: Initials) -> bool:
    """True if the objects of an initialiser take more ROM than its bytecode and what ROM keeps."""
    objects = initials.objects_of(verified.method.owner.name)
    in_ram = sum(each.size for each in objects if each in initials.written)
    in_rom = sum(each.size for each in objects if each not in initials.written)
    return in_ram > in_rom + executed([verified]) + METHOD_BYTES
