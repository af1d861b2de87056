"""AVR's instructions and their cycles against simavr: random instructions on random states.

Both run the same commands: `tests/python/avr/simavr.c` on the library, and
`crates/isa-avr/examples/avr_evaluate.rs` on the reference evaluator and the cost model. After every
instruction all registers, the status register, the stack pointer, some I/O registers, all of SRAM
(by a digest) and the cycles must be equal. Run as a program, `python test_avr_simavr.py COUNT`, it
does the same on COUNT states of each device.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from host import ROOT
from rust_examples import example, output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = 25_000
EXECUTED = 200_000
"""Instructions of a compiled program, which takes more (SHA-1 of six blocks)."""
CORNERS = [0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xF0, 0xFE, 0xFF]
LEFT_OUT = {"sleep", "break", "spm", "spm Z+", "des", "wdr"}
"""Instructions that stop the run, or reach what simavr has around the core."""
SP, STATUS = (0x3D, 0x3E), 0x3F
RAMPZ, EIND = 0x3B, 0x3C
FIELDS = ("pc", "sreg", "sp", "rampz", "eind", "registers", "i/o", "digest", "cycles")


@dataclass(frozen=True)
class Mcu:
    """A device by simavr's name and ours."""

    name: str
    device: str
    core: tuple[str, ...]
    flash: int
    sram: int
    size: int
    plain: tuple[int, ...]
    """I/O registers that only keep what is written (GPIOR)."""
    wide: bool = False

    @property
    def io(self) -> set[int]:
        """I/O registers that instructions may name."""
        far = {RAMPZ} if self.flash > 1 << 16 else set()
        return {*self.plain, *SP, STATUS, *far, *({EIND} if self.wide else set())}


MCUS = [
    Mcu("atmega328p", "atmega328p", ("avre+", "16384"), 0x8000, 0x100, 0x800, (0x1E, 0x2A, 0x2B)),
    Mcu(
        "atmega2560", "atmega2560", ("avre+", "131072", "wide"), 0x40000, 0x200, 0x2000,
        (0x1E, 0x2A, 0x2B), wide=True,
    ),
    Mcu("attiny85", "attiny85", ("avre", "4096"), 0x2000, 0x60, 0x200, (0x11, 0x12, 0x13)),
]  # fmt: skip


@dataclass(frozen=True)
class Words:
    """First words of instructions that are tried, by mnemonic."""

    of: dict[str, list[int]]
    names: list[str]
    text: dict[int, str]

    def draw(self, random: Random) -> int:
        """Draws a word; all mnemonics are equally likely."""
        return random.choice(self.of[random.choice(self.names)])


def is_tried(mcu: Mcu, word: int, text: str) -> bool:
    """Returns whether both sides define what an instruction does."""
    name = text.split(" ")[0]
    if name in LEFT_OUT or text in LEFT_OUT or "undefined" in text:
        return False
    if name in ("in", "out"):
        return (word >> 5 & 0x30 | word & 15) in mcu.io
    if name in ("sbi", "cbi", "sbic", "sbis"):
        return (word >> 3 & 31) in mcu.io
    return True


def words(mcu: Mcu, disassembly: Path) -> Words:
    """The instructions of a device."""
    of: dict[str, list[int]] = {}
    texts: dict[int, str] = {}
    for line in output([disassembly, *mcu.core]).splitlines():
        word, text = int(line[:4], 16), line[5:]
        if is_tried(mcu, word, text):
            # A pointer's forms are instructions of their own.
            form = "".join(sign for sign in text if sign in "+-XYZ")
            of.setdefault(f"{text.split(' ')[0]} {form}", []).append(word)
            texts[word] = text
    return Words(of, sorted(of), texts)


def program(mcu: Mcu, words: Words, random: Random) -> list[int]:
    """Flash memory full of instructions, behind long ones an address that they may name."""
    code: list[int] = []
    while len(code) < mcu.flash // 2:
        word = words.draw(random)
        code.append(word)
        if words.text[word].split(" ")[0] in ("lds", "sts"):
            code.append(address(mcu, random))
    return code[: mcu.flash // 2]


def address(mcu: Mcu, random: Random) -> int:
    """An address in the data space that is not a peripheral's."""
    kind = random.random()
    if kind < 0.1:
        return random.randrange(26)
    if kind < 0.2:
        return 0x20 + random.choice(sorted(mcu.io))
    return mcu.sram + 64 + random.randrange(mcu.size - 192)


def is_misread(code: list[int], at: int, words: Words) -> bool:
    """Returns whether simavr 1.6 skips adiw or sbiw as two words (docs/timing-avr.md)."""
    skips = words.text[code[at]].split(" ")[0] in ("cpse", "sbrc", "sbrs", "sbic", "sbis")
    return skips and code[at + 1] & 0xFE0C == 0x960C


def state(mcu: Mcu, code: list[int], words: Words, random: Random) -> str:
    """A state in front of a word of the program that is an instruction."""
    at = random.randrange(len(code) - 2)
    while code[at] not in words.text or is_misread(code, at, words):
        at = random.randrange(len(code) - 2)
    registers = [
        random.choice(CORNERS) if random.random() < 0.3 else random.randrange(256)
        for _ in range(32)
    ]
    name, _, operands = words.text[code[at]].partition(" ")
    if name in ("ld", "st", "ldd", "std"):
        for pair in (26, 28, 30):
            # Displacements could lead from registers to peripherals.
            pointer = address(mcu, random)
            while "+" in operands.strip("+") and pointer < mcu.sram and name in ("ldd", "std"):
                pointer = address(mcu, random)
            pointer += "-" in operands
            registers[pair : pair + 2] = pointer & 255, pointer >> 8
    rampz = random.randrange(mcu.flash >> 16) if mcu.flash > 1 << 16 else 0
    if name in ("lpm", "elpm"):
        last = min(mcu.flash, 1 << 16) - 2
        pointer = random.randrange(last)
        registers[30:32] = pointer & 255, pointer >> 8
    if random.random() < 0.3 and name == "cpse":
        registers[code[at] & 15 | code[at] >> 5 & 16] = registers[code[at] >> 4 & 31]
    eind = random.randrange(2) if mcu.wide else 0
    stack = mcu.sram + 16 + random.randrange(mcu.size - 32)
    values = bytes(registers).hex()
    seed = random.randrange(1 << 32)
    status = random.randrange(256)
    return f"s {2 * at:x} {status:x} {stack:x} {rampz:x} {eind:x} {values} {seed:x}\nr 1\n"


def commands(mcu: Mcu, words: Words, random: Random, states: int) -> str:
    """The commands for a program and states."""
    code = program(mcu, words, random)
    image = struct.pack(f"<{len(code)}H", *code).hex()
    watched = " ".join(str(0x20 + register) for register in mcu.plain)
    steps = "".join(state(mcu, code, words, random) for _ in range(states))
    return f"p {image}\nw {watched}\n{steps}"


def simulator(compiler: str, folder: Path) -> Path:
    """Compiles the program on simavr's library."""
    target, source = folder / "simavr", ROOT / "tests/python/avr/simavr.c"
    command = [compiler, "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", str(source)]
    subprocess.run([*command, "-o", str(target), "-lsimavr", "-lelf", "-lm"], check=True)
    return target


def difference(text: str, ours: str, theirs: str) -> str | None:
    """Returns the values in which two lines differ."""
    pairs = zip_longest(FIELDS, ours.split(), theirs.split(), fillvalue="nothing")
    differing = [
        f"{field} {our_value} {their_value}"
        for field, our_value, their_value in pairs
        if our_value != their_value
    ]
    return f"{text}: {'; '.join(differing)}" if differing else None


def executed(commands: str, words: Words) -> Iterator[tuple[str, str]]:
    """The instruction and the state of each line of output."""
    lines = commands.splitlines()
    image = bytes.fromhex(lines[0][2:])
    code = struct.unpack(f"<{len(image) // 2}H", image)
    for line in lines[2::2]:
        yield words.text[code[int(line.split(" ")[1], 16) // 2]], line


def compare(mcu: Mcu, tools: tuple[Path, Path, Path], random: Random, states: int) -> list[str]:
    """Returns the differences over a number of states."""
    disassembly, evaluate, simavr = tools
    first_words = words(mcu, disassembly)
    command_lines = commands(mcu, first_words, random, states)
    device = ROOT / "devices" / f"{mcu.device}.toml"
    ours = output([evaluate, device], text=command_lines).splitlines()
    theirs = output([simavr, mcu.name, hex(mcu.sram)], text=command_lines).splitlines()
    assert len(ours) == len(theirs) == states
    lines = zip(executed(command_lines, first_words), ours, theirs, strict=True)
    differences = (
        difference(f"{text} [{line}]", our_line, their_line)
        for (text, line), our_line, their_line in lines
    )
    return [text for text in differences if text is not None]


def tools(compiler: str, folder: Path, *, optimised: bool = False) -> tuple[Path, Path, Path]:
    """The programs that run both sides."""
    disassemble = example("avr_disassembly", optimised=optimised)
    evaluate = example("avr_evaluate", optimised=optimised)
    return disassemble, evaluate, simulator(compiler, folder)


@pytest.mark.parametrize("mcu", MCUS, ids=lambda mcu: mcu.name)
def test_instructions_do_and_cost_what_simavr_says(
    need_tool: Callable[[str], str], tmp_path: Path, mcu: Mcu
) -> None:
    need_tool("simavr")
    differences = compare(mcu, tools(need_tool("cc"), tmp_path), Random(mcu.name), STATES)
    assert not differences, differences[:8]


def compiled(compiler: str, objcopy: str, folder: Path, level: str) -> str:
    """Commands that run a compiled program from reset on."""
    source, room = ROOT / "tests/cases/avr/digests.c", ROOT / "primitives/sha1/ref"
    elf, image = folder / "digests.elf", folder / "digests.bin"
    flags = ["-mmcu=atmega328p", "-std=c11", level, f"-I{room}", f"-I{ROOT / 'primitives/common'}"]
    subprocess.run([compiler, *flags, source, room / "sha1.c", "-o", elf], check=True)
    subprocess.run([objcopy, "-O", "binary", elf, image], check=True)
    registers = bytes(32).hex()
    return f"p {image.read_bytes().hex()}\ns 0 0 8ff 0 0 {registers} 1\nr {EXECUTED}\n"


@pytest.mark.long
@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_a_compiled_program_runs_as_under_simavr(
    need_tool: Callable[[str], str], tmp_path: Path, level: str
) -> None:
    """Every instruction of the program leaves the same state, in the same cycle."""
    need_tool("simavr")
    mcu, (_, evaluate, simavr) = MCUS[0], tools(need_tool("cc"), tmp_path)
    command_lines = compiled(need_tool("avr-gcc"), need_tool("avr-objcopy"), tmp_path, level)
    ours = output(
        [evaluate, ROOT / "devices" / f"{mcu.device}.toml"], text=command_lines
    ).splitlines()
    theirs = output([simavr, mcu.name, hex(mcu.sram)], text=command_lines).splitlines()
    assert len(ours) == len(theirs) == EXECUTED
    pairs = enumerate(zip(ours, theirs, strict=True))
    differences = (
        difference(str(at), our_line, their_line) for at, (our_line, their_line) in pairs
    )
    assert next((difference for difference in differences if difference), None) is None


def main() -> None:
    """Compares the number of states given on the command line."""
    count, batch = int(sys.argv[1]), 50_000
    with tempfile.TemporaryDirectory() as folder:
        programs = tools(shutil.which("cc") or "cc", Path(folder), optimised=True)
        for mcu in MCUS:
            for seed in range(0, count, batch):
                states = min(batch, count - seed)
                differences = compare(mcu, programs, Random(f"{mcu.name} {seed}"), states)
                sys.stdout.write(
                    f"{mcu.name}: {seed + states} states, {len(differences)} differences\n"
                )
                sys.stdout.writelines(f"  {text}\n" for text in differences[:8])


if __name__ == "__main__":
    main()
