"""Calls of functions that SDCC compiled: the records of `caller.asm`, and a stack that grows up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.primitives.calling import Calling, Cost, limit_of, pairs_of
from cocrypt.primitives.script import Buffer
from cocrypt.sdcc.compiling import internal_data
from cocrypt.sdcc.images import ENTRY
from cocrypt.sdcc.names import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.machine import Machine
    from cocrypt.measurement import Run
    from cocrypt.primitives.calling import Layout
    from cocrypt.primitives.script import Step, Timing
    from cocrypt.sdcc.images import SdccImages, Signature
    from cocrypt.target import Convention

WORD = 4
"""Bytes of the words in which `caller.asm` counts records: DPTR, B and A."""
RECORD, STATIC = 64, 9
"""Bytes of a record, and where those of static parameters begin in it."""
POINTER = 3
"""Bytes of a pointer that says itself which memory it is for; external data is number 0."""
AROUND, FOR_BYTE = 89, 19
"""Instructions of `caller.asm` for a call, and for a byte of static parameters."""
PAINTS = (0x00, 0xFF)
"""What the stack is filled with before a call: a byte that it writes differs from one of them."""


class StaticCalling(Calling):
    """A subject's image whose functions have static parameters."""

    def __init__(self, images: SdccImages) -> None:
        super().__init__(images.device, images.subject, images.callable())
        # SDCC 4.2 does so with Camellia's 192-bit keys: ucsim computes the same wrong answer.
        self.blames_compiler = images.is_ours
        symbols = {symbol["name"]: symbol["address"] for symbol in self._fresh.info["symbols"]}
        self._entries = {
            operation: symbols[f"{ENTRY}{number}"]
            for number, operation in enumerate(images.subject.functions)
        }
        internal = internal_data(images.device)
        self._end = internal.base + internal.size
        self._start = internal.base + symbols["_internal_stack"]
        self._signatures: dict[str, Signature] = images.signatures(symbols)
        for operation, signature in self._signatures.items():
            if signature.result == 0:
                self._silent[operation] = ""
            else:
                self._result_sizes[operation] = signature.result or 2
        self._require_judgements()

    def total(self, timing: Timing) -> Cost:
        """The cost of the calls that count together; the stack is that of the deepest."""
        cost = super().total(timing)
        return replace(cost, stack=max(self._depths(timing.steps, timing.counted)))

    def each(
        self,
        steps: Sequence[Step],
        counted: Sequence[int],
        results: Sequence[tuple[Step, int]] = (),
    ) -> list[Cost]:
        """The cost of each of some calls, without their instructions."""
        costs = super().each(steps, counted, results)
        depths = self._depths(steps, counted)
        return [replace(cost, stack=depth) for cost, depth in zip(costs, depths, strict=True)]

    def stack_bound(self, operations: Iterable[str]) -> int | None:
        """None: what follows code for a bound does not know a stack that grows up."""
        del operations
        return None

    def _convention(self) -> Convention:
        return replace(self.device.target.instructions.convention, word=WORD)

    @property
    def _room(self) -> int:
        """Bytes for calls and their memory: the stack is elsewhere."""
        return self._top - self._table

    def _depths(self, steps: Sequence[Step], counted: Sequence[int]) -> list[int]:
        """The bytes of stack that each of some calls takes.

        The memory above the stack is filled before, and what has changed in it was stack.
        """
        layout = self._layout(steps)
        with self._lent(layout) as machine:
            self._require_end(machine.run(limit_of(steps)), machine, layout)
            pairs = pairs_of(machine)
        depths = [0] * len(counted)
        size = self._end - self._start
        for paint in PAINTS:
            with self._lent(layout) as machine:
                for place, index in enumerate(counted):
                    machine.run(pairs[index][1])
                    machine.write(self._start, bytes([paint]) * size)
                    machine.run(pairs[index + 1][1])
                    stack = machine.read(self._start, size).rstrip(bytes([paint]))
                    depths[place] = max(depths[place], len(stack))
        return depths

    def _depth(self, result: Run, steps: Sequence[Step]) -> int:
        """0: `total` and `each` find the depth otherwise."""
        del result, steps
        return 0

    def _require_room(self, result: Run, layout: Layout) -> None:
        """Raises `DoesNotFitError` if the stack ran over the end of internal data."""
        del layout
        stop = result.values["stop"]
        if stop["kind"] == "bus_fault" and stop["address"] == self._end:
            raise DoesNotFitError(
                f"{self.subject.name} needs more memory than {self.device.name} has: its stack "
                f"runs over the end of internal data, where it has {self._end - self._start} bytes",
                "take a device with 256 bytes of internal data",
                "internal data is too small for its stack",
            )

    def _around(self, steps: Sequence[Step]) -> int:
        copied = sum(sum(self._signatures[step.operation].static) for step in steps)
        return AROUND * len(steps) + FOR_BYTE * copied

    def _result(self, machine: Machine, layout: Layout, index: int) -> int:
        size = self._result_sizes.get(layout.steps[index].operation, 2)
        stored = machine.read(layout.result(index), WORD)
        return int.from_bytes(stored[:size], "little", signed=True)

    def _record(self, step: Step, addresses: dict[Buffer, int]) -> bytes:
        """The entry, the first argument, and the static parameters behind their address."""
        signature = self._signatures[step.operation]
        roles = self.subject.function(step.operation).arguments
        arguments = [self._argument(role, step, addresses) for role in roles]
        first, *others = arguments or [0]
        if len(others) != len(signature.static):
            raise InputError(
                f"{self.subject.name}: `{self.subject.functions[step.operation].name}` has "
                f"{len(signature.static)} parameters behind the first one, not {len(others)}"
            )
        static = b"".join(
            (value % (1 << 8 * size)).to_bytes(size, "little")
            for value, size in zip(others, signature.static, strict=True)
        )
        if STATIC + len(static) > RECORD - WORD:
            raise DoesNotFitError(
                f"{self.subject.name}: {step.operation} takes too many arguments",
                reason="it has more parameters than the calls of the host take",
            )
        head: bytes = self._entries[step.operation].to_bytes(2, "little")
        head += (first % (1 << 8 * WORD)).to_bytes(WORD, "little")
        head += signature.address.to_bytes(2, "little") + bytes([len(static)])
        return (head + static).ljust(RECORD, b"\0")

    def _argument(self, role: str, step: Step, addresses: dict[Buffer, int]) -> int:
        """The value of an argument; a pointer is one to external data."""
        value = self._value(role, step)
        if isinstance(value, tuple):
            value, offset = value
            return (addresses.get(value, EXTERNAL) - EXTERNAL + offset) & 0xFFFF
        if isinstance(value, Buffer):
            return addresses.get(value, EXTERNAL) - EXTERNAL
        return value
