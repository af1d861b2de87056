"""Start-up code, linker scripts and the functions that GCC for SuperH calls, by GNU's binutils.

Quotients, shifts, products and copies are those of Python's integers and bytes, and functions
change no other register than GCC expects of them.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from host import ROOT
from sh_programs import ASSEMBLER, TOOLS
from test_sh import DEVICES, ENGINES
from test_sh2 import board as board_of_sh2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.machine import Engine
    from sh_programs import Order

    Link = Callable[["Core", Sequence[str]], bytes]


@dataclass(frozen=True)
class Core:
    """A core as the compiler knows it, and where a device with it has memory and peripherals."""

    number: int
    order: Order
    device: str
    ram: int
    peripherals: int
    flash: int | None = None

    def board(self, folder: Path) -> str | Path:
        """The device, with 64 kB of RAM."""
        if self.number == 3:
            return self.device
        path = board_of_sh2(folder, is_sh2=self.number == 2)
        text = path.read_text()
        path.write_text(text.replace("size       = 0x1000\n", "size       = 0x10000\n"))
        return path


RUNTIME = ROOT / "runtime/superh"
SOURCES = ("crt0.S", "helpers/divide.S", "helpers/move.S", "helpers/shift.S")
SH3 = tuple(Core(3, order, device, 0x8C000000, 0xA4000000) for device, order in DEVICES)
SH1_AND_2 = tuple(Core(number, "big", "sh7034", 0x0F000000, 0x05000000, 0) for number in (1, 2))
CORES = (*SH3, *SH1_AND_2)
ALL = pytest.mark.parametrize("core", CORES, ids=lambda core: f"sh{core.number}-{core.order}")
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


@pytest.fixture(scope="session")
def preprocessed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Core, str], Path]:
    """Where a source of the runtime is, as the preprocessor leaves it for a core."""
    folder = tmp_path_factory.mktemp("superh")

    def of(core: Core, source: str) -> Path:
        path = folder / f"{core.number}-{source.replace('/', '-')}.s"
        if not path.exists():
            words = ["-w", "-E", "-P", "-x", "assembler-with-cpp", "-undef"]
            words += [f"-D__sh{core.number}__", f"-DCOCRYPT_PERIPHERALS={core.peripherals}"]
            command = [sys.executable, "-m", "ziglang", "cc", *words, str(RUNTIME / source)]
            path.write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        return path

    return of


@pytest.fixture
def linked(
    preprocessed: Callable[[Core, str], Path], tmp_path: Path
) -> Callable[[Core, Sequence[str]], bytes]:
    """Links a program in assembly behind the start-up code, with the helpers."""

    def link(core: Core, program: Sequence[str]) -> bytes:
        main = tmp_path / "main.s"
        main.write_text("\n".join([".globl main", "main:", *program, ""]))
        words = [f"-{core.order}", "-isa=sh" if core.number == 1 else f"-isa=sh{core.number}"]
        units = [tmp_path / f"unit{number}.o" for number in range(len(SOURCES) + 1)]
        sources = [*(preprocessed(core, name) for name in SOURCES), main]
        for source, unit in zip(sources, units, strict=True):
            subprocess.run([ASSEMBLER, *words, "-o", unit, source], check=True)
        flags = ["-EB" if core.order == "big" else "-EL", "--no-warn-rwx-segments"]
        flags += ["-z", "noexecstack", f"--defsym=_ram_base={core.ram}"]
        flags += ["--defsym=_ram_size=0x10000"]
        if core.flash is not None:
            flags += [f"--defsym=_flash_base={core.flash}", "--defsym=_flash_size=0x10000"]
        script = RUNTIME / ("ram.ld" if core.flash is None else "flash.ld")
        image = tmp_path / "image.elf"
        subprocess.run([f"{TOOLS}ld", *flags, "-T", script, *units, "-o", image], check=True)
        return image.read_bytes()

    return link


def ended(core: Core, image: bytes, folder: Path) -> Machine:
    """The machine behind a program that ends well."""
    machine = Machine(core.board(folder), image)
    assert machine.run().values["stop"]["exit_code"] == 0
    return machine


def words_at(machine: Machine, core: Core, symbol: str, count: int) -> list[int]:
    """Words of memory."""
    content = machine.read(symbol, 4 * count)
    return [int.from_bytes(content[at : at + 4], core.order) for at in range(0, 4 * count, 4)]


def signed(word: int) -> int:
    """A word as a number of two's complement."""
    return word - WORD if word >> 31 else word


def preserved(machine: Machine, **further: int) -> None:
    """Fails unless these registers have the values that they were given."""
    values, expected = machine.registers(), KEPT | further
    assert {name: values[name] for name in expected} == expected


def truncated(a: int, b: int) -> int:
    """The signed quotient of two words, towards zero."""
    x, y = signed(a), signed(b)
    return (abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)) % WORD


@ALL
def test_quotients_are_those_of_python(core: Core, linked: Link, tmp_path: Path) -> None:
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
    lines += ["mov.l r4,@(24,r8)", "mov.l r5,@(28,r8)", "add #32,r8"]
    lines += ["add #-1,r9", "tst r9,r9", "bf again"]
    lines += ["lds.l @r15+,pr", "rts", "mov #0,r0", ".align 2", "place: .long table"]
    lines += [f"count: .long {len(pairs)}", *(f"{name}_at: .long {name}" for name in names)]
    lines += [".data", ".globl table", ".type table,@object", "table:"]
    lines += [f".long {a},{b},0,0,0,0,0,0" for a, b in pairs]
    machine = ended(core, linked(core, lines), tmp_path)
    words = [word for a, b in pairs for word in (a, b, *(a // b, truncated(a, b)) * 2, a, b)]
    assert words_at(machine, core, "table", len(words)) == words
    preserved(machine, r6=16)


@ALL
def test_copies_are_as_long_as_they_should_be(core: Core, linked: Link, tmp_path: Path) -> None:
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
    machine = ended(core, linked(core, lines), tmp_path)
    expected = [content[:size].ljust(ROOM, b"\0") for _, size, _ in COPIES]
    assert machine.read("copies", ROOM * len(COPIES)) == b"".join(expected)
    preserved(machine)


@pytest.mark.parametrize("core", SH1_AND_2, ids=lambda core: f"sh{core.number}")
def test_shifts_are_those_of_python(core: Core, linked: Link, tmp_path: Path) -> None:
    """By all counts, and beyond a word by their remainder."""
    values = [0xFFFFFFFF, 0x80000001, 0x7FFFFFFE, *(Random(6).getrandbits(32) for _ in range(5))]
    counts = [*range(32), 33, 64, 0xFFFFFFFF]
    cases = [(value, count) for value in values for count in counts]
    names = ("__ashlsi3_r0", "__lshrsi3_r0", "__ashrsi3")
    lines = ["sts.l pr,@-r15", "mov.l place,r8", "mov.l count,r9"]
    lines += [f"mov #{value},{register}" for register, value in (KEPT | {"r6": 16}).items()]
    lines += ["again: mov.l @r8,r4", "mov.l @(4,r8),r5"]
    for number, name in enumerate(names):
        lines += [f"mov.l {name}_at,r1", "mov r5,r0", "jsr @r1", "nop"]
        lines += [f"mov.l r0,@({8 + 4 * number},r8)"]
    lines += ["mov.l r4,@(20,r8)", "mov.l r5,@(24,r8)", "mov.l r1,@(28,r8)", "add #32,r8"]
    lines += ["add #-1,r9", "tst r9,r9", "bf again", "lds.l @r15+,pr", "rts", "mov #0,r0"]
    lines += [".align 2", "place: .long table", f"count: .long {len(cases)}"]
    lines += [*(f"{name}_at: .long {name}" for name in names), ".data", ".globl table"]
    lines += [".type table,@object", "table:", *(f".long {a},{n},0,0,0,0,0,0" for a, n in cases)]
    machine = ended(core, linked(core, lines), tmp_path)
    found = words_at(machine, core, "table", 8 * len(cases))
    # The address of the last function is where it was put, since they change no other register.
    last = found[7]
    expected = [
        word
        for a, n in cases
        for word in (
            *(a, n, (a << n % 32) % WORD, a >> n % 32, (signed(a) >> n % 32) % WORD),
            *(a, n, last),
        )
    ]
    assert found == expected
    preserved(machine, r6=16)


@pytest.mark.parametrize("core", SH1_AND_2, ids=lambda core: f"sh{core.number}")
def test_right_shifts_by_a_constant_change_nothing_else(
    core: Core, linked: Link, tmp_path: Path
) -> None:
    value = 0x9ABCDEF1
    lines = ["sts.l pr,@-r15", "mov.l place,r8", "bra first", "nop", ".align 2"]
    lines += ["place: .long table", "first:"]
    lines += [f"mov #{kept},{register}" for register, kept in (KEPT | {"r5": 15}).items()]
    for count in range(1, 32):
        lines += [f"mov.l value{count},r4", f"mov.l at{count},r0", "jsr @r0", "nop"]
        lines += ["mov.l r4,@r8", "add #4,r8", f"bra behind{count}", "nop", ".align 2"]
        lines += [f"value{count}: .long {value}", f"at{count}: .long __ashiftrt_r4_{count}"]
        lines += [f"behind{count}:"]
    lines += ["lds.l @r15+,pr", "rts", "mov #0,r0", ".bss", ".globl table"]
    lines += [".type table,@object", "table: .space 128"]
    machine = ended(core, linked(core, lines), tmp_path)
    expected = [(signed(value) >> count) % WORD for count in range(1, 32)]
    assert words_at(machine, core, "table", 31) == expected
    preserved(machine, r5=15)


def test_an_sh1_multiplies_halfwords(linked: Link, tmp_path: Path) -> None:
    core = SH1_AND_2[0]
    source = Random(7)
    pairs = [(a, b) for a in [0, *EDGES] for b in [0, *EDGES]]
    pairs += [(source.getrandbits(32), source.getrandbits(32)) for _ in range(100)]
    lines = ["sts.l pr,@-r15", "mov.l place,r8", "mov.l count,r9", "mov #16,r6", "mov #17,r7"]
    lines += ["again: mov.l @r8,r4", "mov.l @(4,r8),r5", "mov.l at,r0", "jsr @r0", "nop"]
    lines += ["mov.l r0,@(8,r8)", "mov.l r4,@(12,r8)", "mov.l r5,@(16,r8)", "add #20,r8"]
    lines += ["add #-1,r9", "tst r9,r9", "bf again", "lds.l @r15+,pr", "rts", "mov #0,r0"]
    lines += [".align 2", "place: .long table", f"count: .long {len(pairs)}"]
    lines += ["at: .long __mulsi3", ".data", ".globl table", ".type table,@object", "table:"]
    lines += [f".long {a},{b},0,0,0" for a, b in pairs]
    machine = ended(core, linked(core, lines), tmp_path)
    expected = [word for a, b in pairs for word in (a, b, a * b % WORD, a, b)]
    assert words_at(machine, core, "table", len(expected)) == expected
    values = machine.registers()
    assert (values["r6"], values["r7"]) == (16, 17)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("core", SH3, ids=lambda core: core.order)
def test_a_program_defines_its_handlers(
    core: Core, engine: Engine, linked: Link, tmp_path: Path
) -> None:
    """A trap and, behind it, an access that is not aligned lead to the handler."""
    lines = ["mov #0,r8", "mov #1,r9", "trapa #5", "mov.l @r9,r1", "rts", "mov r8,r0", ".align 2"]
    lines += [".globl _exception_handler", "_exception_handler:"]
    lines += ["stc spc,r0", "mov #0xd4,r1", "mov.l @r1,r2", "mov #0xe0,r3", "extu.b r3,r3"]
    lines += ["cmp/eq r3,r2", "bf 1f", "add #2,r0", "ldc r0,spc", "1: rte", "add #1,r8"]
    machine = Machine(core.board(tmp_path), linked(core, lines), engine=engine)
    assert machine.run().values["stop"]["exit_code"] == 2


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("core", SH1_AND_2, ids=lambda core: f"sh{core.number}")
def test_a_program_defines_the_handlers_of_the_table(
    core: Core, engine: Engine, linked: Link, tmp_path: Path
) -> None:
    """A trap, an access that is not aligned, and the timer's interrupt."""
    lines = ["mov #0,r8", "mov #1,r9", "trapa #40", "mov.l @r9,r1", "nop"]
    lines += ["mov.l timer,r4", "mov #0,r5", "mov.l r5,@(8,r4)", "mov.l r5,@(12,r4)"]
    lines += ["ldc r5,sr", "mov #100,r6", "1: add #-1,r6", "tst r6,r6", "bf 1b"]
    lines += ["rts", "mov r8,r0", ".align 2", f"timer: .long {core.peripherals + 0x40}"]
    lines += [".globl _exception_handler, _interrupt_handler"]
    lines += ["_exception_handler: rte", "add #1,r8"]
    lines += ["_interrupt_handler: mov #-1,r5", "mov.l r5,@(12,r4)", "rte", "add #16,r8"]
    machine = Machine(core.board(tmp_path), linked(core, lines), engine=engine)
    assert machine.run().values["stop"]["exit_code"] == 18


@pytest.mark.parametrize("core", CORES, ids=lambda core: f"sh{core.number}-{core.order}")
def test_data_is_copied_from_flash(core: Core, linked: Link, tmp_path: Path) -> None:
    board = Path(core.board(tmp_path))
    if core.flash is None:
        core = replace(core, flash=0x80000000)
        text = Device.load(core.device).path.read_text()
        board = tmp_path / "board.toml"
        board.write_text(text.replace("[[memory]]", f"{FLASH}\n[[memory]]", 1))
    lines = ["mov.l 1f,r1", "mov.l @r1,r0", "add #1,r0", "mov.l r0,@r1", "mov.l 2f,r1"]
    lines += ["mov.l @r1,r1", "rts", "add r1,r0", ".align 2", "1: .long counter", "2: .long empty"]
    lines += [".data", "counter: .long 41", ".bss", "empty: .space 4"]
    assert Machine(board, linked(core, lines)).run().values["stop"]["exit_code"] == 42
