"""Calls of a subroutine on a simulated RL78: results, cycles, and the memory that it touches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cocrypt.device import Device
from cocrypt.errors import ProgramError
from cocrypt.machine import Machine
from cocrypt.subroutines.images import ORIGIN, code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.subroutines.catalogue import Subroutine

DEVICE = "rl78-g13"
START = 0x100
STACK = 0xFFEE0
"""The end of the stack, which is also that of the memory below the registers."""
BLOCK = 0xFF900
RAM = 0xFEF00
DEEPEST = 512
"""The most bytes of stack: the paper's largest budget of RAM."""
KEPT_HL = 0xA55A
"""The value of HL that a subroutine must keep."""
BANKS = (1, 2, 3)
"""Register banks that a subroutine must keep, unless it says otherwise."""
LIMIT = 100_000_000
PAINTS = (b"\x00", b"\xff")
"""Values of unused memory, in calls that are otherwise the same: a changed byte differs from one
of them."""


@dataclass(frozen=True)
class Call:
    """A call: cycles from the first of the call instruction to the last of the return.

    `block` is the parameter block afterwards.
    """

    cycles: int
    block: bytes


class Caller(ABC):
    """A device with a subroutine, which every call finds in the state after reset.

    `image` is the flash memory from address 0 on: from `START` on it calls the subroutine, to
    return to the address `behind`.
    """

    def __init__(self, subroutine: Subroutine, device: Device | None = None) -> None:
        self.subroutine = subroutine
        self.code = code(subroutine)
        stub = bytes.fromhex("cbf8") + (STACK & 0xFFFF).to_bytes(2, "little")  # movw sp, #
        stub += b"\x36" + KEPT_HL.to_bytes(2, "little")  # movw hl, #
        stub += b"\x30" + (BLOCK & 0xFFFF).to_bytes(2, "little")  # movw ax, #
        self._before = START + len(stub)
        stub += b"\xfd" + ORIGIN.to_bytes(2, "little")  # call !
        self.behind = START + len(stub)
        stub += bytes.fromhex("effe")  # br $
        self.image = (bytes(START) + stub).ljust(ORIGIN, b"\0") + self.code
        self._machine = Machine(
            device or Device.load(DEVICE),
            self.image,
            name=subroutine.title,
            load_address=0,
            start_at=START,
        )
        self._begin = self._run_to(self._machine, self._before)

    @property
    def rom(self) -> int:
        """Bytes of code and tables."""
        return len(self.code)

    @property
    def ram(self) -> int:
        """Bytes of parameter block and stack, including the return address."""
        return self.subroutine.block + self.stack

    @cached_property
    def stack(self) -> int:
        """The deepest stack over all operations, by painted memory.

        Raises `ProgramError` if a call changes other memory.
        """
        return max(self._stack(operation) for operation in self.subroutine.operations)

    @abstractmethod
    def example(self, operation: str) -> bytes:
        """A parameter block for an operation."""

    @abstractmethod
    def secrets(self, operation: str) -> dict[str, tuple[int, int]]:
        """Offset and size in bytes of what is secret in an operation's block, by name."""

    def block(self, operation: str, parts: Mapping[int, bytes]) -> bytes:
        """A parameter block with these parts by offset.

        The bytes that the subroutine sets itself are not 0.
        """
        values = bytearray(b"\xc3" * self.subroutine.block)
        for place, part in parts.items():
            values[place : place + len(part)] = part
        if self.subroutine.mode is not None:
            values[self.subroutine.mode] = self.subroutine.operations[operation]
        return bytes(values)

    def before(self, block: bytes) -> Machine:
        """A machine that is about to call the subroutine with a parameter block."""
        machine = self._machine.copy()
        machine.write(BLOCK, block)
        return machine

    def call(self, block: bytes) -> Call:
        """Calls the subroutine with a parameter block."""
        return self._call(self._machine.copy(), block)

    def _call(self, machine: Machine, block: bytes) -> Call:
        machine.write(BLOCK, block)
        cycle = self._run_to(machine, self.behind)
        registers = machine.registers()
        self._require_banks(registers)
        kept = registers["h"] << 8 | registers["l"]
        if kept != KEPT_HL or registers["sp"] != STACK:
            raise ProgramError(f"{self.subroutine.title} does not restore HL or the stack pointer")
        return Call(cycle - self._begin, machine.read(BLOCK, len(block)))

    def _require_banks(self, registers: Mapping[str, int]) -> None:
        """Raises `ProgramError` if a bank is not as after reset that must be kept."""
        for bank in set(BANKS).difference(self.subroutine.banks):
            if any(registers[f"{name}{bank}"] for name in "xacbedlh"):
                raise ProgramError(f"{self.subroutine.title} changes register bank {bank}")

    def painted(self, operation: str, paint: bytes) -> tuple[bytes, bytes]:
        """The bytes of RAM before a call and after it, with a value of unused memory.

        They are those from `RAM` to `STACK`, and the call is that of the example.
        """
        block = self.example(operation)
        machine = self._machine.copy()
        machine.write(RAM, paint * (STACK - RAM))
        machine.write(BLOCK, block)
        before = machine.read(RAM, STACK - RAM)
        self._call(machine, block)
        return before, machine.read(RAM, STACK - RAM)

    def deepest(self, before: bytes, after: bytes) -> int:
        """Bytes from the lowest one that changes outside of the parameter block to the end."""
        inside = range(BLOCK - RAM, BLOCK - RAM + self.subroutine.block)
        pairs = enumerate(zip(before, after, strict=True))
        changed = (at for at, (old, new) in pairs if old != new and at not in inside)
        return STACK - RAM - next(changed, STACK - RAM)

    def _stack(self, operation: str) -> int:
        deepest = max(self.deepest(*self.painted(operation, paint)) for paint in PAINTS)
        if deepest > DEEPEST:
            raise ProgramError(f"{self.subroutine.title} changes memory outside of its block")
        return deepest

    def _run_to(self, machine: Machine, address: int) -> int:
        cycle, stop = machine.native.run_to(address, LIMIT)
        if cycle is None or stop is not None:
            raise ProgramError(f"{self.subroutine.title} does not return: {stop}")
        return cycle
