"""Targets of compilers: instruction sets, as far as toolchain and harnesses know them.

Their properties come from the native module, which has one description of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from cocrypt import _native, paths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PERIPHERALS = 0x8000_0000
"""The usual address of the peripherals, as in cocrypt/device.h."""
EXIT = 0x20
"""The offset of the exit device from the peripherals, in bytes."""
COPROCESSOR = 0x1_0000
"""The usual offset of a coprocessor from the peripherals, in bytes."""

Order = Literal["little", "big"]


@dataclass(frozen=True)
class Convention:
    """A calling convention, and what `caller.S` of the runtime does around a call.

    `registers` and `stacked` are the words of arguments that go into registers and onto the stack,
    of which `caller.S` knows, each of `word` bytes in this `order`; values of two words begin at an
    even one of them if they are `paired`, and have their highest word first in registers if these
    are used from the last one down (`descends`). The stack is `aligned` to so many bytes, and
    `frame` of them are below its top when a function is called. Of a result, `kept` words at most
    stand at the end of a call's record. `around` are the instructions that are executed for each
    call beside it. `arguments` are the numbers of the registers that words of arguments begin in,
    of which each takes `cells`.
    """

    arguments: tuple[int, ...]
    cells: int
    registers: int
    stacked: int
    word: int
    order: Order
    paired: bool
    descends: bool
    aligned: int
    frame: int
    kept: int
    around: int

    @classmethod
    def of(cls, values: Mapping[str, Any], order: Order) -> Convention:
        """The convention of the native module's description of an instruction set."""
        return cls(
            arguments=tuple(values["arguments"]),
            cells=values["registers"],
            registers=len(values["arguments"]),
            stacked=values["stacked"],
            word=values["word"],
            order=order,
            paired=values["paired"],
            descends=values["descends"],
            aligned=values["alignment"],
            frame=values["frame"],
            kept=values["kept"],
            around=values["around"],
        )

    @property
    def splits(self) -> bool:
        """True if an argument may begin in the last registers and end on the stack, as in memory.

        That has no order where registers are used from the last one down and memory from the first
        byte up, as on AVR, whose arguments are on the stack as a whole then.
        """
        return not (self.descends and self.order == "little")

    def argument(self, index: int, registers: Sequence[int]) -> int:
        """The word that an argument has, where a function begins with these values of registers."""
        bits = 8 * self.word // self.cells
        first = self.arguments[index]
        return sum(registers[first + cell] << (bits * cell) for cell in range(self.cells))


@dataclass(frozen=True)
class Encoding:
    """An encoding of programs; `mode` are the bits of a pointer to such code that select it."""

    name: str
    title: str
    mode: int


@dataclass(frozen=True)
class InstructionSet:
    """A family of cores: `folder` of the runtime, `machine` as a GCC's begins, `gcc` for example.

    `variants` are the `isa` of core files. `registers` are those that the machine shows, by their
    names in assembly, where `comment` begins what is not read, and a linker may shorten the calls
    and jumps of `steady`, but not what stands beside them. Differences of labels in data are
    `parenthesised` where assemblers read them only so. In assembly and in object files `prefix`
    stands before the names of C's functions and objects. `llvm` says that zig's compiler and LLD
    build for it; else GCC and the GNU linker do. `places_memories` says that the linker scripts
    tell flash memory from RAM, and `libgcc` that GCC's library is linked too; debug
    information of code that is left out leads to `nowhere`. A pointer to code counts
    `pointer_unit` bytes as one.
    `flags` are those of every unit by the kind of the compiler, and `probe` words that only a
    recent clang takes.
    """

    name: str
    variants: tuple[str, ...]
    folder: str
    machine: str
    gcc: str
    comment: str
    steady: tuple[tuple[str, str], ...]
    parenthesised: bool
    prefix: str
    llvm: bool
    places_memories: bool
    libgcc: bool
    nowhere: int
    pointer_unit: int
    registers: tuple[str, ...]
    stack_pointer: str
    convention: Convention
    encodings: tuple[Encoding, ...]
    probe: tuple[str, ...]
    flags: Mapping[str, tuple[str, ...]] = field(hash=False, compare=False)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> InstructionSet:
        """The instruction set of the native module's description."""
        tools = values["toolchain"]
        return cls(
            name=values["name"],
            variants=tuple(values["variants"]),
            folder=tools["runtime"],
            machine=tools["machine"],
            gcc=tools["gcc"],
            comment=tools["comment"],
            steady=tuple((call, instead) for call, instead in tools["steady"]),
            parenthesised=tools["parenthesised"],
            prefix=values["elf"]["prefix"],
            llvm=tools["llvm"],
            places_memories=tools["places_memories"],
            libgcc=tools["libgcc"],
            nowhere=tools["nowhere"],
            pointer_unit=values["pointer_unit"],
            registers=tuple(register["name"] for register in values["registers"]),
            stack_pointer=next(
                register["name"] for register in values["registers"] if register["role"] == "stack"
            ),
            convention=Convention.of(values["convention"], values["elf"]["order"]),
            encodings=tuple(Encoding(**encoding) for encoding in tools["encodings"]),
            probe=tuple(tools["probe"]),
            flags={kind: tuple(flags) for kind, flags in tools["flags"].items()},
        )

    @property
    def is_compiled(self) -> bool:
        """True if the runtime has start-up code for it; without, programs are linked elsewhere."""
        return (paths.runtime() / self.folder).is_dir()

    def encoding(self, name: str | None) -> Encoding:
        """The encoding of a name, or the usual one."""
        named = [encoding for encoding in self.encodings if encoding.name == name]
        return (named or self.encodings)[0]


INSTRUCTION_SETS = tuple(InstructionSet.of(values) for values in _native.instruction_sets())
"""All instruction sets."""


@cache
def instruction_set(variant: str) -> InstructionSet:
    """The instruction set of cores with this `isa`."""
    return next(
        instructions for instructions in INSTRUCTION_SETS if variant in instructions.variants
    )


@dataclass(frozen=True)
class Target:
    """A variant of an instruction set with its extensions, or a core as compilers name it.

    All compiled code has the encoding.
    """

    variant: str
    encoding: Encoding
    extensions: tuple[str, ...] = ()
    cpu: str | None = None

    @classmethod
    def of(
        cls, variant: str, extensions: tuple[str, ...], *, cpu: str | None, code: str | None
    ) -> Target:
        """The target of a core: a variant with extensions, or its name, and the kind of code."""
        return cls(variant, instruction_set(variant).encoding(code), extensions, cpu)

    @property
    def instructions(self) -> InstructionSet:
        """The instruction set."""
        return instruction_set(self.variant)

    @property
    def order(self) -> Order:
        """The order of the bytes of words in memory."""
        return self.instructions.convention.order

    @property
    def title(self) -> str:
        """The name of the target in messages and tables."""
        return _native.target_title(self.instructions.name, self._description)

    def words(self, kind: str, *, is_recent: bool) -> tuple[str, ...]:
        """The words that select the target for a kind of compiler.

        A clang is recent if it takes the words of the instruction set's probe.
        """
        name = self.instructions.name
        return tuple(_native.target_words(name, self._description, kind, is_recent))

    def pointer(self, address: int) -> int:
        """The value of a program's pointer to a compiled function."""
        return address // self.instructions.pointer_unit | self.encoding.mode

    @property
    def _description(self) -> tuple[list[str], str | None, str]:
        return list(self.extensions), self.cpu, self.encoding.name
