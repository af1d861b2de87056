"""Start-up code, linker scripts and the functions that GCC for SuperH calls, by GNU's binutils.

Quotients and copies are those of Python's integers and bytes, and functions change no other
register than GCC expects of them.
"""

from __future__ import annotations

import subprocess
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from host import ROOT
from sh_programs import ASSEMBLER, TOOLS
from test_sh import DEVICES, ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cocrypt.machine import Engine
    from sh_programs import Order

RUNTIME = ROOT / "runtime/superh"
SOURCES = ("crt0.S", "helpers/divide.S", "helpers/move.S")
WORD = 1 << 32
EDGES = [1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, WORD - 1]
KEPT = {"r2": 12, "r3": 13, "r7": 17, "r13": 23, "r14": 24}
"""Registers that all of them preserve, of those that the start-up code does not use behind them."""
SIZES = {f"__movmemSI{size}": size for size in range(4, 68, 4)} | {"__movmemSI12_i4": 12}
EVEN, ODD = (8, 16, 64, 200), (12, 20, 68, 204)
LONG = (64, 68, 72, 124, 128, 132, 248, 300)
COPIES = [
    *((name, size, 0) for name, size in SIZES.items()),
    *(("__movmem_i4_even", size, size // 8 - 1) for size in EVEN),
    *(("__movmem_i4_odd", size, size // 8 - 1) for size in ODD),
    # 16 less for each 64 bytes, and what is left behind the last ones, negative.
    *(("__movmem", size, 16 * (size // 64) - size % 64 // 4) for size in LONG),
]
"""Copies: the function, the number of bytes, and what is in R6."""
ROOM = 320
"""Bytes of a copy's target."""
FLASH = """
[[memory]]
name = "rom"
kind = "rom"
base = 0x8000_0000
size = 0x1_0000
fetch_wait = 2
data_wait = 2
"""


@pytest.fixture(autouse=True)
def _tools(need_tool: Callable[[str], str]) -> None:
    for name in (ASSEMBLER, f"{TOOLS}ld"):
        need_tool(name)


def linked(
    program: Sequence[str], order: Order, folder: Path, script: str = "ram.ld", *places: str
) -> bytes:
    """A program in assembly behind the start-up code, with the helpers."""
    main = folder / "main.s"
    main.write_text("\n".join([".globl main", "main:", *program, ""]))
    words = [f"-{order}", "-isa=sh3", "--defsym", "COCRYPT_PERIPHERALS=0xa4000000"]
    units = [folder / f"unit{number}.o" for number in range(len(SOURCES) + 1)]
    for source, unit in zip([*(RUNTIME / name for name in SOURCES), main], units, strict=True):
        subprocess.run([ASSEMBLER, *words, "-o", unit, source], check=True)
    flags = ["-EB" if order == "big" else "-EL", "--no-warn-rwx-segments", "-z", "noexecstack"]
    flags += ["--defsym=_ram_base=0x8c000000", "--defsym=_ram_size=0x10000", *places]
    image = folder / "image.elf"
    linker_words: list[str | Path] = [*flags, "-T", RUNTIME / script, *units, "-o", image]
    subprocess.run([f"{TOOLS}ld", *linker_words], check=True)
    return image.read_bytes()


def preserved(machine: Machine, **further: int) -> None:
    """Fails unless these registers have the values that they were given."""
    values, expected = machine.registers(), KEPT | further
    assert {name: values[name] for name in expected} == expected


def truncated(a: int, b: int) -> int:
    """The signed quotient of two words, towards zero."""
    x, y = (value - WORD if value >> 31 else value for value in (a, b))
    return (abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)) % WORD


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_quotients_are_those_of_python(device: str, order: Order, tmp_path: Path) -> None:
    source = Random(4)
    pairs = [(a, b) for a in [0, *EDGES] for b in EDGES]
    lengths = [(source.randrange(1, 33), source.randrange(1, 33)) for _ in range(200)]
    pairs += [(source.getrandbits(a), source.getrandbits(b) | 1) for a, b in lengths]
    lines = ["sts.l pr,@-r15", "mov.l place,r8", "mov.l count,r9"]
    lines += [f"mov #{value},{register}" for register, value in KEPT.items()]
    lines += ["mov #16,r6", "again: mov.l @r8,r4", "mov.l @(4,r8),r5"]
    names = ("__udivsi3", "__sdivsi3", "__udivsi3_i4i", "__sdivsi3_i4i")
    for number, name in enumerate(names):
        lines += [f"mov.l {name}_at,r0", "jsr @r0", "nop", f"mov.l r0,@({8 + 4 * number},r8)"]
    lines += ["mov.l r4,@(24,r8)", "mov.l r5,@(28,r8)", "add #32,r8", "dt r9", "bf again"]
    lines += ["lds.l @r15+,pr", "rts", "mov #0,r0", ".align 2", "place: .long table"]
    lines += [f"count: .long {len(pairs)}", *(f"{name}_at: .long {name}" for name in names)]
    lines += [".data", ".globl table", ".type table,@object", "table:"]
    lines += [f".long {a},{b},0,0,0,0,0,0" for a, b in pairs]
    machine = Machine(device, linked(lines, order, tmp_path))
    assert machine.run().values["stop"]["exit_code"] == 0
    words = [word for a, b in pairs for word in (a, b, *(a // b, truncated(a, b)) * 2, a, b)]
    assert machine.read("table", 4 * len(words)) == b"".join(
        word.to_bytes(4, order) for word in words
    )
    preserved(machine, r6=16)


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_copies_are_as_long_as_they_should_be(device: str, order: Order, tmp_path: Path) -> None:
    content = Random(5).randbytes(ROOM)
    lines = ["sts.l pr,@-r15"]
    lines += [f"mov #{value},{register}" for register, value in KEPT.items()]
    for number, (name, _, length) in enumerate(COPIES):
        lines += [f"mov.l target{number},r4", f"mov.l source{number},r5"]
        lines += [f"mov.l length{number},r6", f"mov.l at{number},r0", "jsr @r0", "nop"]
        lines += [f"bra behind{number}", "nop", ".align 2"]
        lines += [f"target{number}: .long copies+{ROOM * number}", f"source{number}: .long origin"]
        lines += [f"length{number}: .long {length}", f"at{number}: .long {name}"]
        lines += [f"behind{number}:"]
    lines += ["lds.l @r15+,pr", "rts", "mov #0,r0", ".data", ".align 2"]
    lines += [f"origin: .byte {','.join(map(str, content))}"]
    lines += [".bss", ".globl copies", ".type copies,@object", ".align 2"]
    lines += [f"copies: .space {ROOM * len(COPIES)}"]
    machine = Machine(device, linked(lines, order, tmp_path))
    assert machine.run().values["stop"]["exit_code"] == 0
    expected = [content[:size].ljust(ROOM, b"\0") for _, size, _ in COPIES]
    assert machine.read("copies", ROOM * len(COPIES)) == b"".join(expected)
    preserved(machine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_a_program_defines_its_handlers(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """A trap and, behind it, an access that is not aligned lead to the handler."""
    lines = ["mov #0,r8", "mov #1,r9", "trapa #5", "mov.l @r9,r1", "rts", "mov r8,r0", ".align 2"]
    lines += [".globl _exception_handler", "_exception_handler:"]
    lines += ["stc spc,r0", "mov #0xd4,r1", "mov.l @r1,r2", "mov #0xe0,r3", "extu.b r3,r3"]
    lines += ["cmp/eq r3,r2", "bf 1f", "add #2,r0", "ldc r0,spc", "1: rte", "add #1,r8"]
    machine = Machine(device, linked(lines, order, tmp_path), engine=engine)
    assert machine.run().values["stop"]["exit_code"] == 2


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_data_is_copied_from_flash(device: str, order: Order, tmp_path: Path) -> None:
    text = Device.load(device).path.read_text()
    board = tmp_path / "board.toml"
    board.write_text(text.replace("[[memory]]", f"{FLASH}\n[[memory]]", 1))
    lines = ["mov.l 1f,r1", "mov.l @r1,r0", "add #1,r0", "mov.l r0,@r1", "mov.l 2f,r1"]
    lines += ["mov.l @r1,r1", "rts", "add r1,r0", ".align 2", "1: .long counter", "2: .long empty"]
    lines += [".data", "counter: .long 41", ".bss", "empty: .space 4"]
    places = ("--defsym=_flash_base=0x80000000", "--defsym=_flash_size=0x10000")
    image = linked(lines, order, tmp_path, "flash.ld", *places)
    assert Machine(board, image).run().values["stop"]["exit_code"] == 42
