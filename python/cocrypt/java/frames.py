"""Cycles by method of a program in Java: what the interpreter spends on each, and what C does.

The interpreter jumps to an address for each instruction of its own; there a register points to the
bytecode, which says the method. Cycles from one such address to the next belong to that bytecode,
except those from the entry of a function in C that a method calls to the next bytecode.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.java.encode import opcodes

if TYPE_CHECKING:
    from cocrypt.machine import Machine

LABELS = "interpret.labels"
"""The interpreter's table of addresses, as LLVM names a static variable of a function."""
LEAVE = "leave_code"
IN_C = re.compile(r"Java_\w+|aot_\w+")
PROBED = 400
"""Instructions of the interpreter by which its register is found."""
PROBE_CYCLES = 100_000_000
MOST = 2_000_000
"""Instructions of the interpreter that are followed at most."""


@dataclass
class Method:
    """A method, or a function in C that one calls; cycles of its own and with what it calls."""

    name: str
    is_native: bool
    calls: int = 0
    self_cycles: int = 0
    total_cycles: int = 0

    def record(self) -> dict[str, Any]:
        """The method in the output of `--json`."""
        return {
            "name": self.name,
            "native": self.is_native,
            "calls": self.calls,
            "self_cycles": self.self_cycles,
            "total_cycles": self.total_cycles,
        }


@dataclass
class _Stack:
    """The methods that are under way; `first` is the address of each one's bytecode, 0 in C."""

    methods: dict[str, Method] = field(default_factory=dict)
    frames: list[tuple[str, int]] = field(default_factory=list)

    def push(self, name: str, first: int) -> None:
        method = self.methods.setdefault(name, Method(name, is_native=first == 0))
        method.calls += 1
        self.frames.append((name, first))

    def spend(self, cycles: int) -> None:
        """Gives cycles to the method on top, and once to each that leads there."""
        if self.frames:
            self.methods[self.frames[-1][0]].self_cycles += cycles
        for name in {name for name, _ in self.frames}:
            self.methods[name].total_cycles += cycles

    def pop_to(self, first: int) -> bool:
        """Leaves methods until one with this bytecode is on top; False if none has it."""
        for depth in range(len(self.frames), 0, -1):
            if self.frames[depth - 1][1] == first:
                del self.frames[depth:]
                return True
        return False

    def pop_to_c(self) -> None:
        """Leaves the methods that a function in C has called."""
        while self.frames and self.frames[-1][1] != 0:
            self.frames.pop()


def is_java(machine: Machine) -> bool:
    """Returns whether a machine is about to run a program in Java."""
    return {LABELS, LEAVE} <= {each["name"] for each in machine.info["symbols"]}


def methods(machine: Machine, cycles: int) -> list[Method]:
    """The methods of a program in Java by their own cycles, those with most first.

    The machine has not run yet, and is left where it is; `cycles` are those of the run. Raises
    `InputError` where the interpreter cannot be followed, or the program is too long.
    """
    return _Follower(machine).run(cycles)


class _Follower:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        symbols = {each["name"]: each for each in machine.info["symbols"]}
        table = symbols[LABELS]
        words = machine.native.read(table["address"], table["size"])
        self.labels = [
            int.from_bytes(words[at : at + 4], "little") & ~1 for at in range(0, len(words), 4)
        ]
        # Compilers make one block of all jumps to the next instruction, and `nop` is nothing else.
        self.stops = sorted(set(self.labels) - {self.labels[opcodes()["nop"]]})
        code = [
            (each["address"], each["size"], name)
            for name, each in symbols.items()
            if each["kind"] == "object" and ("(" in name or name == LEAVE)
        ]
        self.code = sorted(code)
        numbers = opcodes()
        self.calling = {
            number
            for name, number in numbers.items()
            if name.startswith("invoke") or name == "initialize"
        }
        self.starts = [address for address, _, _ in self.code]
        self.functions = {
            each["address"]: name
            for name, each in symbols.items()
            if each["kind"] == "function" and IN_C.fullmatch(name)
        }

    def run(self, cycles: int) -> list[Method]:
        register, ahead = self._register()
        stops = [*self.stops, *self.functions]
        visits = self.machine.native.copy().visits(stops, [register], MOST, cycles)
        if len(visits) == MOST:
            raise InputError(f"the program interprets more than {MOST:,} instructions")
        stack = _Stack()
        at, was_call = 0, True
        for cycle, address, (value,) in visits:
            stack.spend(cycle - at)
            at = cycle
            if address in self.functions:
                # Calls between functions in C are those of the table of functions.
                if not stack.frames or stack.frames[-1][1] != 0:
                    stack.push(self.functions[address], 0)
                continue
            was_call = self._step(stack, value - ahead, was_call)
        stack.spend(cycles - at)
        return sorted(stack.methods.values(), key=lambda each: -each.self_cycles)

    def _step(self, stack: _Stack, bytecode: int, was_call: bool) -> bool:
        """Moves to the method of an instruction; returns whether the next may begin a method."""
        first, name = self._method(bytecode)
        if name == LEAVE:
            stack.pop_to_c()
            return True
        if not name:
            return was_call
        is_begin = bytecode == first and was_call
        if is_begin or not stack.pop_to(first):
            stack.push(name, first)
        opcode = self.machine.native.read(bytecode, 1)[0]
        return opcode in self.calling

    def _method(self, bytecode: int) -> tuple[int, str]:
        """Beginning and name of the method that an address is in; the name is empty for others."""
        place = bisect_right(self.starts, bytecode) - 1
        if place < 0:
            return 0, ""
        address, size, name = self.code[place]
        return (address, name) if bytecode < address + size else (0, "")

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
        if not self._method(bytecode)[1]:
            return False
        opcode = self.machine.native.read(bytecode, 1)[0]
        return opcode < len(self.labels) and self.labels[opcode] == label
