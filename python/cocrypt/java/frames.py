"""Programs in Java while they run: the native module is told how their interpreter is followed.

The interpreter jumps to an address for each instruction of its own; there a register points to the
bytecode, which says the method and the line. So a profile has methods in Java as functions, in one
call tree with those in C, without an instruction or a cycle more on the device.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.java import debug
from cocrypt.java.emit import NATIVE
from cocrypt.java.encode import opcodes

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from cocrypt.java.debug import MethodDebug
    from cocrypt.machine import Machine

LABELS = "java_labels"
"""The interpreter's table of addresses."""
LEAVE = "leave_code"
TOP = "java_top"
IN_C = re.compile(r"Java_\w+|aot_\w+")
SLOT, FRAME = 4, 12
"""Bytes of a slot of Java's stack, and of what a frame has below its operands (`vm.h`)."""
PROBED = 400
"""Instructions of the interpreter by which its register is found."""
PROBE_CYCLES = 100_000_000


@dataclass(frozen=True)
class Method:
    """A method, or a function in C that methods call: cycles of its own and with what it calls.

    Of its own cycles the interpreter spent `interface_cycles` on calls of functions in C, from the
    bytecode to the function and back; those of the function that takes the arguments from Java's
    stack are among them, and beyond its own.
    """

    name: str
    is_native: bool
    calls: int
    self_cycles: int
    interface_cycles: int
    total_cycles: int

    def record(self) -> dict[str, Any]:
        """The method in the output of `--json`."""
        return {
            "name": self.name,
            "native": self.is_native,
            "calls": self.calls,
            "self_cycles": self.self_cycles,
            "interface_cycles": self.interface_cycles,
            "total_cycles": self.total_cycles,
        }


def is_java(machine: Machine) -> bool:
    """Returns whether a machine is about to run a program in Java."""
    return {LABELS, LEAVE, TOP} <= {each["name"] for each in machine.info["symbols"]}


def follow(machine: Machine) -> None:
    """Follows a program in Java, so that the machine's profile has its methods as functions.

    The machine has not run yet. Raises `InputError` where the interpreter cannot be followed.
    """
    methods = debug.read(machine.content)
    if not methods:
        raise InputError("the image has no debug data of Java", "build it with `cocrypt java`")
    try:
        description = json.dumps(_Interpreter(machine, methods).description())
        machine.native.follow_guest(description)
    except debug.BROKEN as error:
        raise debug.broken() from error


def methods(values: Mapping[str, Any]) -> list[Method]:
    """The methods of a profile by their own cycles, those with most first."""
    interface: dict[str, int] = defaultdict(int)
    for row in values["bytecodes"]:
        interface[row["function"]] += row["interface_cycles"]
    for name, cycles in _stubs(values["tree"]):
        if name in interface:
            interface[name] += cycles
    known = {row["name"] for row in values["functions"]}
    rows = (_method(row, _name(row["name"], known), interface) for row in values["functions"])
    return sorted(filter(None, rows), key=lambda each: -each.self_cycles)


def _method(row: Mapping[str, Any], name: str, interface: Mapping[str, int]) -> Method | None:
    """A function of the profile as a method; None for one of the machine."""
    is_native = name not in interface
    if is_native and not IN_C.fullmatch(name):
        return None
    own, total = row["self_cycles"], row["total_cycles"]
    return Method(name, is_native, row["calls"], own, interface.get(name, 0), total)


def _name(function: str, known: Container[str]) -> str:
    """The name of a function, or of the one that the compiler has put into it.

    A compiled method may be part of the function that takes its arguments from Java's stack.
    """
    called = function.removeprefix(NATIVE)
    return function if called in known else called


def may_be_replaced(name: str, main: str) -> bool:
    """Returns whether a function of a profile is a method in Java that a study could replace.

    Constructors and initialisers cannot be replaced, nor can the entry `main`, a class or method.
    """
    method, is_signature, _ = name.partition("(")
    return bool(is_signature) and not method.endswith(">") and method not in (main, f"{main}.main")


def record(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `profile --json` prints of a program in Java; None for any other."""
    if values["bytecodes"] is None:
        return None
    listed = methods(values)
    spent = sum(row["cycles"] - row["interface_cycles"] for row in values["bytecodes"])
    return {
        "interpreter_cycles": spent,
        "interface_cycles": sum(each.interface_cycles for each in listed),
        "methods": [each.record() for each in listed],
        "bytecodes": values["bytecodes"],
    }


def _stubs(tree: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """The callers of functions that take arguments from Java's stack, with the cycles of those."""
    known = {node["name"] for node in tree}
    callers: dict[int, str] = {}
    found = []
    for number, node in enumerate(tree):
        name, parent = node["name"], node["parent"]
        if parent is not None and name.startswith(NATIVE) and _name(name, known) == name:
            callers[number] = tree[parent]["name"]
        elif parent in callers and node["inlined"] and not IN_C.fullmatch(name):
            callers[number] = callers[parent]
        if number in callers:
            found.append((callers[number], node["self_cycles"]))
    return found


class _Interpreter:
    """The interpreter of a program: where it begins an instruction, and what points to that."""

    def __init__(self, machine: Machine, known: list[MethodDebug]) -> None:
        self.machine = machine
        self.symbols = {each["name"]: each for each in machine.info["symbols"]}
        table = self.symbols[LABELS]
        words = machine.native.read(table["address"], table["size"])
        order = machine.device.target.order
        self.labels = [
            int.from_bytes(words[at : at + 4], order) & ~1 for at in range(0, len(words), 4)
        ]
        # Compilers make one block of all jumps to the next instruction, and `nop` is nothing else.
        self.stops = sorted(set(self.labels) - {self.labels[opcodes()["nop"]]})
        self.methods = [each for each in known if each.symbol in self.symbols]
        self.opcodes = {
            self._begin(each) + instruction.offset: opcodes().get(instruction.opcode, -1)
            for each in self.methods
            for instruction in each.instructions
        }
        self.opcodes[self.symbols[LEAVE]["address"]] = opcodes()["leave"]

    def _begin(self, method: MethodDebug) -> int:
        address: int = self.symbols[method.symbol]["address"]
        return address

    def description(self) -> dict[str, Any]:
        """All of it, as the native module reads it."""
        register, ahead = self._register()
        natives = [
            each["address"]
            for name, each in self.symbols.items()
            if each["kind"] == "function" and name.startswith(NATIVE)
        ]
        return {
            "stops": self.stops,
            "register": register,
            "ahead": ahead,
            "leave": self.symbols[LEAVE]["address"],
            "natives": natives,
            "top": self.symbols[TOP]["address"],
            "is_big_endian": self.machine.device.target.order == "big",
            "frame": FRAME,
            "slot": SLOT,
            "methods": [self._method(each) for each in self.methods],
        }

    def _method(self, method: MethodDebug) -> dict[str, Any]:
        begin = self._begin(method)
        ends = [*(instruction.offset for instruction in method.instructions[1:]), method.size]
        return {
            "name": method.name,
            "file": method.file,
            "handlers": [begin + offset for offset in method.handlers],
            "instructions": [
                {
                    "address": begin + instruction.offset,
                    "length": min(end - instruction.offset, 0xFF),
                    "text": instruction.text,
                    "line": instruction.line,
                    "effect": _effect(instruction.opcode),
                }
                for instruction, end in zip(method.instructions, ends, strict=True)
            ],
        }

    def _register(self) -> tuple[int, int]:
        """The register that points to the bytecode, and how far it is ahead of it."""
        numbers = list(range(len(self.machine.native.registers())))
        visits = self.machine.native.copy().visits(self.stops, numbers, PROBED, PROBE_CYCLES)
        for number in numbers:
            for ahead in (1, 0):
                if visits and all(
                    self._is_at(address, values[number] - ahead) for _, address, values in visits
                ):
                    return number, ahead
        raise InputError("no register of the interpreter points to the bytecode at all times")

    def _is_at(self, label: int, bytecode: int) -> bool:
        """Returns whether the interpreter is at this address for the bytecode at another."""
        opcode = self.opcodes.get(bytecode, -1)
        return 0 <= opcode < len(self.labels) and self.labels[opcode] == label


def _effect(opcode: str) -> str:
    """What an instruction of the machine does to the stack of methods."""
    if opcode.startswith("return"):
        return "return"
    return "call" if opcode.startswith("invoke") or opcode == "initialize" else "plain"
