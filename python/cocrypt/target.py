"""What code is compiled for: instruction sets, as far as toolchain and harnesses know them.

All that is said of one comes from the native module, where each has one description.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cocrypt import _native

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PERIPHERALS = 0x8000_0000
"""Where the peripherals begin unless a program is told otherwise, as in cocrypt/device.h."""
EXIT = 0x20
"""How far behind that the exit device is."""
COPROCESSOR = 0x1_0000
"""How far behind that a program looks for its coprocessor unless it is told otherwise."""

Order = Literal["little", "big"]


@dataclass(frozen=True)
class Convention:
    """How functions are called, and what `caller.S` of the runtime does around a call.

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
    def of(cls, said: Mapping[str, Any], order: Order) -> Convention:
        """That of a description."""
        return cls(
            arguments=tuple(said["arguments"]),
            cells=said["registers"],
            registers=len(said["arguments"]),
            stacked=said["stacked"],
            word=said["word"],
            order=order,
            paired=said["paired"],
            descends=said["descends"],
            aligned=said["alignment"],
            frame=said["frame"],
            kept=said["kept"],
            around=said["around"],
        )

    def argument(self, index: int, registers: Sequence[int]) -> int:
        """The word that an argument has, where a function begins with these values of registers."""
        bits = 8 * self.word // self.cells
        first = self.arguments[index]
        return sum(registers[first + cell] << (bits * cell) for cell in range(self.cells))


@dataclass(frozen=True)
class Encoding:
    """What programs are compiled to; `mode` are the bits of a pointer to such code that say so."""

    name: str
    title: str
    mode: int


@dataclass(frozen=True)
class InstructionSet:
    """A family of cores: `folder` of the runtime, `machine` as a GCC's begins, `gcc` for example.

    `variants` are the `isa` of core files. `registers` are those that the machine shows, by their
    names in assembly, where `comment` begins what is not read, and a linker may shorten the calls
    and jumps of `steady`, but not what stands beside them. Differences of labels in data are
    `parenthesised` where assemblers read them only so. `places_memories` says that the
    linker scripts tell flash memory from RAM, and `libgcc` that GCC's library is linked too; debug
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
    def of(cls, said: Mapping[str, Any]) -> InstructionSet:
        """That of a description."""
        tools = said["toolchain"]
        return cls(
            name=said["name"],
            variants=tuple(said["variants"]),
            folder=tools["runtime"],
            machine=tools["machine"],
            gcc=tools["gcc"],
            comment=tools["comment"],
            steady=tuple((said, instead) for said, instead in tools["steady"]),
            parenthesised=tools["parenthesised"],
            places_memories=tools["places_memories"],
            libgcc=tools["libgcc"],
            nowhere=tools["nowhere"],
            pointer_unit=said["pointer_unit"],
            registers=tuple(one["name"] for one in said["registers"]),
            stack_pointer=next(one["name"] for one in said["registers"] if one["role"] == "stack"),
            convention=Convention.of(said["convention"], said["elf"]["order"]),
            encodings=tuple(Encoding(**one) for one in tools["encodings"]),
            probe=tuple(tools["probe"]),
            flags={kind: tuple(flags) for kind, flags in tools["flags"].items()},
        )

    def encoding(self, name: str | None) -> Encoding:
        """The encoding of a name, or the one that programs have unless somebody says otherwise."""
        named = [one for one in self.encodings if one.name == name]
        return (named or self.encodings)[0]


INSTRUCTION_SETS = tuple(InstructionSet.of(one) for one in _native.instruction_sets())
"""All of them."""


def instruction_set(variant: str) -> InstructionSet:
    """The instruction set of cores with this `isa`."""
    return next(one for one in INSTRUCTION_SETS if variant in one.variants)


@dataclass(frozen=True)
class Target:
    """A variant of an instruction set with its extensions, or a core as compilers name it.

    All code that compilers make has the encoding.
    """

    variant: str
    encoding: Encoding
    extensions: tuple[str, ...] = ()
    cpu: str | None = None

    @classmethod
    def of(
        cls, variant: str, extensions: tuple[str, ...], *, cpu: str | None, code: str | None
    ) -> Target:
        """That of a core of this variant with these extensions, or by its name and kind of code."""
        return cls(variant, instruction_set(variant).encoding(code), extensions, cpu)

    @property
    def instructions(self) -> InstructionSet:
        """The instruction set."""
        return instruction_set(self.variant)

    @property
    def title(self) -> str:
        """For people."""
        return _native.target_title(self.instructions.name, self._said)

    def words(self, kind: str, *, is_recent: bool) -> tuple[str, ...]:
        """The words by which a kind of compiler is told of it.

        A clang is recent if it takes the words of the instruction set's probe.
        """
        name = self.instructions.name
        return tuple(_native.target_words(name, self._said, kind, is_recent))

    def pointer(self, address: int) -> int:
        """What a program holds as the pointer to a function that compilers made."""
        return address // self.instructions.pointer_unit | self.encoding.mode

    @property
    def _said(self) -> tuple[list[str], str | None, str]:
        return list(self.extensions), self.cpu, self.encoding.name
