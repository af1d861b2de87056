"""Floating point without hardware: every core's results are those of the host, to the bit."""

from __future__ import annotations

import random
import struct
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cocrypt.device import Device
from cocrypt.measurement import require_clean, run
from cocrypt.toolchain import Toolchain, Unit, sources_of
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Devices with the compilers from which the names of their helpers come.
CORES = [
    ("picorv32", "zig"),
    ("serv", "zig"),
    ("vexriscv", "riscv64-unknown-elf-gcc"),
    ("ibex-small", "riscv64-unknown-elf-gcc"),
    ("stm32f0", "zig"),
    ("stm32f4-24mhz", "arm-none-eabi-gcc"),
    ("sa1110", "zig"),
    ("arm7tdmi", "arm-none-eabi-gcc"),
    ("atmega2560", "avr-gcc"),
]
PAIRS = 40
PROGRAM = """#include <stdint.h>
typedef {type} FLOAT;
typedef uint{width}_t BITS;
typedef union {{ FLOAT value; BITS bits; }} BOTH;
typedef union {{ {other} value; uint{other_width}_t bits; }} OTHER;
static volatile const BITS operands[][2] = {{ {operands} }};
static volatile const uint64_t integers[] = {{ {integers} }};
enum {{ PAIRS = sizeof operands / sizeof *operands, INTEGERS = sizeof integers / 8 }};
uint64_t output[11 * PAIRS + 4 * INTEGERS];
static uint64_t *next = output;

static void leave(FLOAT value)
{{
    BOTH it = {{ value }};
    *next++ = it.bits;
}}

int main(void)
{{
    for (int i = 0; i < PAIRS; i++) {{
        BOTH a = {{ .bits = operands[i][0] }}, b = {{ .bits = operands[i][1] }};
        FLOAT x = a.value, y = b.value;
        leave(x + y);
        leave(x - y);
        leave(x * y);
        leave(x / y);
        leave(-x);
        *next++ = (uint64_t)(x == y) | (uint64_t)(x < y) << 1 | (uint64_t)(x <= y) << 2
            | (uint64_t)(x > y) << 3 | (uint64_t)(x >= y) << 4 | (uint64_t)(x != y) << 5
            | (uint64_t)(__builtin_isunordered(x, y) != 0) << 6;
        *next++ = (uint64_t)(int64_t)(int32_t)x;
        *next++ = (uint32_t)x;
        *next++ = (uint64_t)(int64_t)x;
        *next++ = (uint64_t)x;
        OTHER made = {{ ({other})x }};
        *next++ = made.bits;
    }}
    for (int i = 0; i < INTEGERS; i++) {{
        uint64_t size = integers[i];
        leave((FLOAT)(int32_t)size);
        leave((FLOAT)(uint32_t)size);
        leave((FLOAT)(int64_t)size);
        leave((FLOAT)size);
    }}
    return 0;
}}
"""
SPECIAL: dict[int, list[int]] = {
    32: [0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00001, 0x7F800001],
    64: [
        *(0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x3FF0000000000000),
        *(0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000001, 0x7FF0000000000001),
    ],
}
TYPES = {32: ("float", np.float32, np.uint32), 64: ("double", np.float64, np.uint64)}
INTEGERS = [0, 1, 2**24 + 1, 2**31, 2**32 - 1, 2**53 + 1, 2**63, 2**64 - 1, 3 * 2**38 + 1]


def drawn(draw: random.Random, width: int) -> tuple[int, int]:
    """Two operands: special, near each other, or any."""
    fraction = 23 if width == 32 else 52

    def operand() -> int:
        sign = draw.getrandbits(1) << (width - 1)
        if draw.random() < 0.25:
            return sign | draw.choice(SPECIAL[width])
        return draw.getrandbits(width)

    a, b = operand(), operand()
    if draw.random() < 0.4:
        # Exponents that are near each other, where sums are rounded and cancel out.
        b = (a + (draw.randint(-4, 4) << fraction) + draw.choice([-1, 0, 1])) % 2**width
        b ^= draw.getrandbits(1) << (width - 1)
    if draw.random() < 0.2:
        # Products and quotients near the smallest numbers, and integers.
        b = (draw.randint(1, 70) + (2 ** (width - 2 - fraction) - 8) << fraction) % 2**width
    return a, b


def is_nan(bits: int, width: int) -> bool:
    """Returns whether bits stand for no number (NaN)."""
    infinite, sign = SPECIAL[width][6], 1 << (width - 1)
    return bits % sign > infinite


def clamped(value: float, lowest: int, highest: int) -> int:
    """The nearest integer in range, rounded towards 0."""
    if np.isnan(value):
        return 0
    if np.isinf(value):
        return highest if value > 0 else lowest
    return max(lowest, min(highest, int(value)))


def bits_of(value: np.ndarray, width: int) -> int:
    """The bits of one number."""
    return int(value.astype(TYPES[width][1]).view(TYPES[width][2])[0])


def computed(a: int, b: int, width: int, other_width: int) -> list[int]:
    """The host's results for two operands, in the order of the program."""
    _, kind, bits = TYPES[width]
    x, y = (np.array([number], bits).view(kind) for number in (a, b))
    with np.errstate(all="ignore"):
        results = [bits_of(result, width) for result in (x + y, x - y, x * y, x / y, -x)]
        order = [x == y, x < y, x <= y, x > y, x >= y, x != y, np.isnan(x) | np.isnan(y)]
        converted = bits_of(x, other_width)
    limits = [(-(2**31), 2**31 - 1), (0, 2**32 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1)]
    rounded = [clamped(float(x[0]), *limit) % 2**64 for limit in limits]
    return [*results, sum(int(flag[0]) << at for at, flag in enumerate(order)), *rounded, converted]


def converted(integer: int, width: int) -> list[int]:
    """The numbers nearest to an integer of 32 or 64 bits, with and without sign."""
    kinds = (np.int32, np.uint32, np.int64, np.uint64)
    words = np.array([integer], np.uint64)
    with np.errstate(all="ignore"):
        return [
            bits_of(
                words.astype(np.uint32).view(kind) if kind in kinds[:2] else words.view(kind), width
            )
            for kind in kinds
        ]


def same(actual: int, expected: int, width: int) -> bool:
    """Returns whether results are the same; any NaN equals any other."""
    return actual == expected or (is_nan(actual, width) and is_nan(expected, width))


def executed(folder: Path, device: str, compiler: str, source: str) -> bytes:
    """Returns the output that a program leaves."""
    (folder / "main.c").write_text(source)
    chain = Toolchain(Device.load(device), compiler)
    flags = ("-Os", "-w")
    units = [*chain.runtime(flags), Unit(folder / "main.c", flags)]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], device, sources=sources_of(objects))
    ended = run(chain.device, image.read_bytes(), device)
    require_clean(ended)
    size = next(symbol["size"] for symbol in ended.info["symbols"] if symbol["name"] == "output")
    return ended.output("output", size)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize(("device", "compiler"), CORES)
def test_results_are_those_of_the_host(
    tmp_path: Path, device: str, compiler: str, width: int, need_tool: Callable[[str], str]
) -> None:
    if compiler != "zig":
        need_tool(compiler)
    if device == "atmega2560" and width == 64:
        return  # The double of avr-gcc has 32 bits.
    draw = random.Random(f"{device} {width}")
    pairs = [drawn(draw, width) for _ in range(PAIRS)]
    integers = [*INTEGERS, *(draw.getrandbits(draw.randint(1, 64)) for _ in range(12))]
    other_width = 32 if device == "atmega2560" else 96 - width
    source = PROGRAM.format(
        type=TYPES[width][0],
        width=width,
        other=TYPES[other_width][0],
        other_width=other_width,
        operands=", ".join(f"{{ {a:#x}u, {b:#x}u }}" for a, b in pairs),
        integers=", ".join(f"{integer:#x}ull" for integer in integers),
    )
    expected = [result for pair in pairs for result in computed(*pair, width, other_width)]
    expected += [result for integer in integers for result in converted(integer, width)]
    output = executed(tmp_path, device, compiler, source)
    results = struct.unpack(f"<{len(expected)}Q", output)
    for index, (result, right) in enumerate(zip(results, expected, strict=True)):
        column, pair = index % 11, pairs[min(index // 11, PAIRS - 1)]
        bits = other_width if index < 11 * PAIRS and column == 10 else width
        assert same(result, right, bits), (
            f"{index}: column {column} of {pair}: {result:#x}, not {right:#x}"
        )


@pytest.mark.parametrize(
    ("device", "name"), [("picorv32", "__adddf3"), ("stm32f0", "__aeabi_dadd")]
)
def test_a_program_may_have_its_own(tmp_path: Path, device: str, name: str) -> None:
    source = f"double {name}(double a, double b) {{ return a; }}\nvolatile double a = 2, b = 3;\n"
    source += "double output;\nint main(void) { output = a + b; output = output * b; return 0; }\n"
    assert executed(tmp_path, device, "zig", source) == struct.pack("<d", 6.0)


def test_two_million_operands_on_the_host(tmp_path: Path) -> None:
    """The sources are compared with the host's processor."""
    folder = ROOT / "runtime/float"
    sources = [ROOT / "tests/cases/float/host.c", folder / "single.c", folder / "double.c"]
    command = ["cc", "-O2", "-w", "-I", folder, *sources, "-lm", "-o", tmp_path / "host"]
    subprocess.run(list(map(str, command)), check=True)
    process = subprocess.run([str(tmp_path / "host")], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (0, "")
