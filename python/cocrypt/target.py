"""What code is compiled for: instruction sets, as far as toolchain and harnesses know them."""

from __future__ import annotations

from dataclasses import dataclass

PERIPHERALS = 0x8000_0000
"""Where the peripherals begin unless a program is told otherwise, as in cocrypt/device.h."""
EXIT = 0x20
"""How far behind that the exit device is."""


@dataclass(frozen=True)
class Convention:
    """How functions are called, and what `caller.S` of the runtime does around a call.

    `registers` and `stacked` are the words of arguments that go into registers and onto the stack,
    of which `caller.S` knows; values of 64 bits begin at an even one of them if they are `paired`.
    The stack is `aligned` to so many bytes, and `frame` of them are below its top when a function
    is called. `around` are the instructions that are executed for each call beside it.
    """

    registers: int
    stacked: int
    paired: bool
    aligned: int
    frame: int
    around: int


@dataclass(frozen=True)
class InstructionSet:
    """A family of cores: `folder` of the runtime, `machine` as a GCC's begins, `gcc` for example.

    `registers` are those that the machine shows, by their names in assembly, where `comment` begins
    what is not read.
    """

    name: str
    folder: str
    machine: str
    gcc: str
    comment: str
    registers: tuple[str, ...]
    convention: Convention


RISC_V = InstructionSet(
    name="RISC-V",
    folder="riscv32",
    machine="riscv",
    gcc="riscv64-unknown-elf-gcc",
    comment="#",
    registers=(
        *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3"),
        *("a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"),
        *("t3", "t4", "t5", "t6"),
    ),
    convention=Convention(8, 6, paired=False, aligned=16, frame=32, around=27),
)
# "Procedure Call Standard for the Arm Architecture" (IHI 0042), 6.1.1, 6.2.1 and 6.5.
ARM = InstructionSet(
    name="ARM",
    folder="arm",
    machine="arm",
    gcc="arm-none-eabi-gcc",
    comment="@",
    registers=(*(f"r{number}" for number in range(13)), "sp", "lr"),
    convention=Convention(4, 10, paired=True, aligned=8, frame=40, around=33),
)


@dataclass(frozen=True)
class Target:
    """An instruction set with its extensions, or a core by the name that compilers have for it.

    Code for a core with Thumb is all `thumb`, or else A32.
    """

    instructions: InstructionSet
    extensions: tuple[str, ...] = ()
    cpu: str | None = None
    thumb: bool = False

    @classmethod
    def of(cls, extensions: tuple[str, ...], cpu: str | None, code: str | None) -> Target:
        """That of a core with these extensions, or of one by its name and its kind of code."""
        if cpu is None:
            return cls(RISC_V, extensions)
        return cls(ARM, extensions, cpu, code == "thumb")

    @property
    def title(self) -> str:
        """For people."""
        if self.cpu is None:
            return f"RV32I{''.join(one for one in 'mac' if one in self.extensions).upper()}"
        return "Thumb" if self.thumb else "A32"
