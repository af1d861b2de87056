"""Programs for ARM: compiling, linking, and their results on QEMU's boards."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from arm_boards import BOARDS, Board, CallingOnBoard, Emulator
from cocrypt import _native, boundary
from cocrypt.compiler import compiler
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.primitives import library
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import Build, Task, read_vectors
from cocrypt.primitives.script import Buffer, Step, failures
from cocrypt.primitives.subject import Function, Subject
from cocrypt.target import instruction_set
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GCC = "arm-none-eabi-gcc"
COMPILERS = ("zig", GCC)
FLASH = ("stm32f0", "stm32f1", "stm32f4-24mhz", "stm32f4-168mhz", "nrf52840", "arm7tdmi")
RAM = ("rp2040", "at91sam9", "sa1110")
HELPERS = [*sorted((ROOT / "runtime/arm/helpers").glob("*.c")), ROOT / "runtime/libc/bits.c"]
# Words that are hard to divide and to count the bits of, beside random ones.
EDGES = (0, 1, 2, 3, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE, 0xFFFF_FFFF)
EDGES64 = (0, 1, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
PAIRS = 48
boards = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.core)

COMPUTES = f"""
#include <stdint.h>

#define PAIRS {PAIRS}
uint32_t words[2 * PAIRS] = {{ WORDS }};
uint64_t longs[2 * PAIRS] = {{ LONGS }};
uint32_t output32[5 * PAIRS];
uint64_t output64[9 * PAIRS];

int main(void)
{{
    uint32_t *to = output32;
    uint64_t *at = output64;
    for (int i = 0; i < PAIRS; i++) {{
        uint32_t a = words[2 * i], b = words[2 * i + 1];
        *to++ = a / b;
        *to++ = a % b;
        *to++ = (uint32_t)((int32_t)a / (int32_t)b);
        *to++ = (uint32_t)((int32_t)a % (int32_t)b);
        *to++ = a == 0 ? 32 : (uint32_t)__builtin_clz(a);
        uint64_t c = longs[2 * i], d = longs[2 * i + 1];
        *at++ = c / d;
        *at++ = c % d;
        *at++ = (uint64_t)((int64_t)c / (int64_t)d);
        *at++ = (uint64_t)((int64_t)c % (int64_t)d);
        *at++ = c * d;
        *at++ = c << (d & 63);
        *at++ = c >> (d & 63);
        *at++ = (uint64_t)((int64_t)c >> (d & 63));
        *at++ = (uint64_t)(c < d) | (uint64_t)((int64_t)c < (int64_t)d) << 1;
    }}
    return 0;
}}
"""

BOUNDED = """
static int twice(int a);

static __attribute__((noinline)) int once(int a) { return a + 1; }
int (*const through)(int) = twice;
int output[3];

static int twice(int a) { return once(once(a)); }

int main(void)
{
    output[0] = twice(5);
    output[1] = through(5);
    output[2] = once(5);
    return 0;
}
"""


def linked(
    device: Device, source: Path, compiled_by: str = "zig", level: str = "-O2", *bindings: str
) -> Path:
    """A program with start-up code and libc."""
    chain = Toolchain(device, compiled_by)
    bounds = ("twice",) if bindings else ()
    units = [*chain.runtime((level,)), Unit(source, (level, "-Wno-div-by-zero"), bounds=bounds)]
    objects = chain.compile_needed(units)
    return chain.link([*objects.values()], source.name, bindings)


def symbols(image: Path) -> dict[str, int]:
    info = _native.image_info(image.read_bytes(), str(image))
    return {symbol["name"]: int(symbol["address"]) for symbol in info["symbols"]}


def outputs(board: Board, device: Device, image: Path, sizes: dict[str, int]) -> list[list[int]]:
    """The contents of a program's arrays of words; sizes are in bytes and in words."""
    addresses, folder = symbols(image), device.path.parent
    emulator = Emulator(board, device, image, [])
    try:
        assert emulator.code() == 0
        arrays = []
        for name, count in sizes.items():
            size = 8 if name.endswith("64") else 4
            memory = emulator.read(addresses[name], size * count, folder)
            words = (memory[at : at + size] for at in range(0, len(memory), size))
            arrays.append([int.from_bytes(word, "little") for word in words])
        return arrays
    finally:
        emulator.stop()


@pytest.fixture
def qemu(need_tool: Callable[[str], str]) -> str:
    return need_tool("qemu-system-arm")


@pytest.mark.parametrize("name", [*FLASH, *RAM])
def test_images_begin_as_cores_want_them(name: str, tmp_path: Path) -> None:
    """The stack's top and the entry's address come first, or the first instruction."""
    device, source = Device.load(name), tmp_path / "main.c"
    source.write_text("int counter = 42; int main(void) { return counter - 42; }\n")
    image = linked(device, source)
    info, addresses = _native.image_info(image.read_bytes(), str(image)), symbols(image)
    assert info["segments"][0]["address"] == device.memories[0].base == addresses["_vectors"]
    assert info["entry"] == addresses["_start"]
    assert addresses["_stack_top"] == device.ram.base + device.ram.size
    assert addresses["counter"] >= device.ram.base
    if device.target.encoding.mode:
        content = image.read_bytes()
        offset = content.index(addresses["_stack_top"].to_bytes(4, "little"))
        entry = int.from_bytes(content[offset + 4 : offset + 8], "little")
        assert entry == addresses["_start"] | 1
    if name in FLASH:
        data = info["segments"][1]
        assert data["file_size"] == 4
        assert data["address"] == addresses["_data_load"] != addresses["_data_start"]
        assert device.memories[0].holds(addresses["_data_load"])


@pytest.mark.parametrize("name", ["stm32f0", "stm32f4-24mhz"])
def test_programs_may_have_handlers(name: str, tmp_path: Path) -> None:
    """The architecture numbers vectors: SysTick's is the 15th, the first external one the 16th."""
    handlers = {"SysTick_Handler": 15, "Interrupt_Handler": 16, "SVC_Handler": 11}
    source = tmp_path / "main.c"
    text = [f"void {handler}(void);\nvoid {handler}(void) {{ }}\n" for handler in handlers]
    source.write_text("".join(text) + "int main(void) { return 0; }\n")
    image = linked(Device.load(name), source)
    content, addresses = image.read_bytes(), symbols(image)
    table = content.index(addresses["_stack_top"].to_bytes(4, "little"))
    vectors = struct.unpack_from("<48I", content, table)
    entries = {handler: vectors[number] for handler, number in handlers.items()}
    assert entries == {handler: addresses[handler] | 1 for handler in handlers}
    assert vectors[3] == addresses["cocrypt_unhandled"] | 1
    assert {vectors[number] for number in range(16, 48)} == {entries["Interrupt_Handler"]}


def test_vectors_that_do_not_fit_the_memory_are_left_out() -> None:
    (subject,) = library.named(["sha1/small"])
    counts = {}
    for name in ("stm32f0", "stm32f4-24mhz"):
        rows = Task(subject, Device.load(name), Build(("-Os",)), (64,)).measure()
        assert all(row.verified for row in rows)
        counts[name] = rows[0].vectors
    assert 0 < counts["stm32f0"] < counts["stm32f4-24mhz"]


def test_a_program_that_is_too_large_is_one_message(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("char large[40000]; int main(void) { return large[1]; }\n")
    with pytest.raises(InputError, match="will not fit in region 'ram'"):
        linked(Device.load("stm32f0"), source)


def test_other_compilers_are_told_apart(need_tool: Callable[[str], str]) -> None:
    need_tool(GCC)
    assert compiler(GCC, instruction_set("armv4")).kind == "gcc"
    with pytest.raises(InputError, match="compiles for arm-none-eabi, not for RISC-V"):
        compiler(GCC, instruction_set("rv32"))
    with pytest.raises(InputError, match="not for ARM"):
        compiler(need_tool("riscv64-unknown-elf-gcc"), instruction_set("armv4"))


@pytest.mark.parametrize("cpu", ["arm strongarm1110", "arm arm7tdmi", "thumb cortex_m0"])
@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os", "-Oz"])
@pytest.mark.parametrize("path", HELPERS, ids=lambda path: path.stem)
def test_helpers_do_not_call_themselves(path: Path, level: str, cpu: str, tmp_path: Path) -> None:
    """The compiler may recognise the body of a helper and replace it by a call of that helper."""
    code, core = cpu.split()
    listing = tmp_path / "helpers.s"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", f"{code}-freestanding-eabi"]
    command += [f"-mcpu={core}", level, "-ffreestanding", "-fno-sanitize=undefined", "-S"]
    command += ["-I", str(ROOT / "runtime/include"), str(path), "-o", str(listing)]
    subprocess.run(command, check=True)
    graph: dict[str, set[str]] = {}
    name = ""
    for line in listing.read_text().splitlines():
        if label := re.match(r"([A-Za-z_]\w*):", line):
            name = label[1]
        elif call := re.match(
            r"\s+bl?(?:eq|ne|hs|lo|mi|pl|hi|ls|ge|lt|gt|le)?\s+([A-Za-z_]\w*)", line
        ):
            graph.setdefault(name, set()).add(call[1])
    for start in graph:
        reached, waiting = set[str](), {start}
        while waiting:
            waiting = set[str]().union(*(graph.get(caller, set()) for caller in waiting)) - reached
            reached |= waiting
        assert start not in reached


def _signed(value: int, bits: int) -> int:
    return value - (value >> bits - 1 << bits)


def _divided(a: int, b: int, bits: int) -> list[int]:
    """Quotient and remainder, unsigned and signed, as C defines them."""
    c, d = _signed(a, bits), _signed(b, bits)
    quotient = abs(c) // abs(d) * (1 if (c < 0) == (d < 0) else -1)
    return [number % (1 << bits) for number in (a // b, a % b, quotient, c - quotient * d)]


def _expected32(pairs: list[tuple[int, int]]) -> list[int]:
    return [number for a, b in pairs for number in [*_divided(a, b, 32), 32 - a.bit_length()]]


def _expected64(pairs: list[tuple[int, int]]) -> list[int]:
    numbers = []
    for c, d in pairs:
        by, signed = d & 63, (_signed(c, 64), _signed(d, 64))
        shifted = [c << by, c >> by, signed[0] >> by]
        less = (c < d) | (signed[0] < signed[1]) << 1
        numbers += [
            *_divided(c, d, 64),
            *(number % (1 << 64) for number in (c * d, *shifted)),
            less,
        ]
    return numbers


def _pairs(edges: tuple[int, ...], bits: int) -> list[tuple[int, int]]:
    """Operands with divisors that are not 0, of all sizes."""
    random = Random(f"pairs of {bits} bits")
    some = (*edges, *(random.getrandbits(random.randint(1, bits)) for _ in range(20)))
    return [(random.choice(some), random.choice(some) or 7) for _ in range(PAIRS)]


@boards
@pytest.mark.parametrize("built", ["zig -O2", "zig -Os", f"{GCC} -O2", f"{GCC} -Os"])
def test_what_a_core_lacks_is_computed(
    board: Board, built: str, qemu: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Quotients, products, shifts and counts of bits, in memory that start-up has to fill."""
    name, level = built.split()
    if name == GCC:
        need_tool(GCC)
    pairs, longs = _pairs(EDGES, 32), _pairs(EDGES64, 64)
    text = COMPUTES.replace("WORDS", ", ".join(f"{number}u" for pair in pairs for number in pair))
    text = text.replace("LONGS", ", ".join(f"{number}ull" for pair in longs for number in pair))
    source = tmp_path / "main.c"
    source.write_text(text)
    device = board.device(tmp_path)
    image = linked(device, source, name, level)
    sizes = {"output32": 5 * PAIRS, "output64": 9 * PAIRS}
    assert qemu
    assert outputs(board, device, image, sizes) == [_expected32(pairs), _expected64(longs)]


@boards
@pytest.mark.parametrize("built", COMPILERS)
def test_functions_are_replaced_within_a_source(
    board: Board, built: str, qemu: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """A call and a stored address both lead to the replacement of a static function."""
    if built == GCC:
        need_tool(GCC)
    source, instead = tmp_path / "main.c", tmp_path / "instead.c"
    source.write_text(BOUNDED)
    name = boundary.REPLACEMENT + "twice"
    instead.write_text(f"int {name}(int a);\nint {name}(int a) {{ return 100 * a; }}\n")
    device = board.device(tmp_path)
    chain = Toolchain(device, built)
    units = [*chain.runtime(("-O2",)), Unit(source, ("-O2",), bounds=("twice",)), Unit(instead)]
    objects = chain.compile_needed(units)
    assert qemu
    for replaced, expected in (((), [7, 7, 6]), (("twice",), [500, 500, 6])):
        bindings = boundary.bindings(["twice"], replaced)
        image = chain.link([*objects.values()], "bounded", bindings)
        assert outputs(board, device, image, {"output": 3}) == [expected]


CONVENTION = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Arguments in registers, of 64 bits at an even one, and on the stack. */
int32_t arguments(uint8_t *out, uint32_t a, uint64_t b, uint32_t c, uint64_t d, uint32_t e,
                  uint64_t f);

int32_t arguments(uint8_t *out, uint32_t a, uint64_t b, uint32_t c, uint64_t d, uint32_t e,
                  uint64_t f)
{
    const uint32_t words[] = {a, (uint32_t)b, c, (uint32_t)d, e, (uint32_t)f};
    memcpy(out, words, sizeof words);
    return -5;
}
"""


@boards
def test_arguments_go_where_functions_look_for_them(
    board: Board, qemu: str, tmp_path: Path
) -> None:
    roles = ("out", "a", "b64", "c", "d64", "e", "f64")
    source = tmp_path / "arguments.c"
    source.write_text(CONVENTION)
    subject = Subject(
        primitive="p",
        implementation="i",
        title="",
        about="",
        kind="hash",
        family="p",
        source=None,
        sizes={},
        include=(),
        functions={"call": Function("arguments", roles)},
        sources=(source,),
    )
    image = Images(board.device(tmp_path), subject).callable()
    out = Buffer(bytes(24))
    step = Step("call", {"out": out, **dict(zip(roles[1:], range(11, 17), strict=True))})
    assert qemu
    outcome = CallingOnBoard(board, subject, image, tmp_path).run([step, step])
    words = [outcome.contents[out][at : at + 4] for at in range(0, 24, 4)]
    assert [int.from_bytes(word, "little") for word in words] == list(range(11, 17))
    assert outcome.results[step] == -5


@boards
@pytest.mark.parametrize("built", ["zig -O2", "zig -Os", f"{GCC} -O2"])
@pytest.mark.parametrize("name", ["aes128/small", "sha512/small", "chacha20_poly1305/lean"])
def test_vectors_come_out(
    name: str, built: str, board: Board, qemu: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    with_, level = built.split()
    if with_ == GCC:
        need_tool(GCC)
    (subject,) = library.named([name])
    image = Images(board.device(tmp_path), subject, (level,), with_).callable()
    calling = CallingOnBoard(board, subject, image, tmp_path)
    checks = kind(subject).checks(subject, read_vectors(subject), calling.context_size)
    small = [check for check in checks if calling.fits(check)][:6]
    assert qemu
    assert small
    assert not failures(small, calling.check(small))
