"""Start-up code, linker script and the compiler's helpers on the model of the device."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from device import SOC, plain, run, table
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRMWARE = ROOT / "tests/firmware"
RAM = 0x20000
ROW = 13 * 8


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def truncated(a: int, b: int) -> tuple[int, int]:
    """Quotient towards zero, and remainder: C11, 6.5.5."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


def expected(a: int, b: int, bits: int) -> list[int]:
    whole, rest = truncated(signed(a, bits), signed(b, bits))
    return [value % (1 << bits) for value in (a * b, a // b, a % b, whole, rest)]


def operands() -> list[tuple[int, int]]:
    """Pairs of all lengths, without those that C leaves undefined."""
    source = random.Random(2)
    edges = [1, 2, 3, 2**31 - 1, 2**31 + 1, 2**32 + 1, 2**63 - 1, 2**63 + 1, 2**64 - 1]
    pairs = [(a, b) for a in [0, *edges, 2**63, 2**31] for b in edges]
    pairs += [
        (source.getrandbits(source.randrange(1, 65)), source.getrandbits(source.randrange(1, 65)))
        for _ in range(300)
    ]
    least = [(a, b) for a, b in pairs if a == 2**63 and b == 2**64 - 1]
    least += [(a, b) for a, b in pairs if a % 2**32 == 2**31 and b % 2**32 == 2**32 - 1]
    return [pair for pair in pairs if pair[1] % 2**32 and pair not in least]


@pytest.mark.parametrize("core", ["RV32IMC", "RV32I"])
def test_arithmetic_as_the_compiler_writes_it(core: str, tmp_path: Path) -> None:
    device = Device.load(SOC) if core == "RV32IMC" else plain(tmp_path)
    pairs = operands()
    rows = b"".join(
        a.to_bytes(8, "little") + b.to_bytes(8, "little") + bytes(ROW - 16) for a, b in pairs
    )
    source = table(tmp_path, rows, count=len(pairs))
    finished = run(device, [FIRMWARE / "arithmetic.c", source])
    assert finished.result["stop"]["kind"] == "exit", finished.result["stop"]
    # The helpers are in the image where the core needs them, and only there.
    assert ("__mulsi3" in finished.symbols) == (core == "RV32I")
    memory = finished.bytes_at("table", len(rows))
    for index, (a, b) in enumerate(pairs):
        row = memory[index * ROW + 16 : (index + 1) * ROW]
        wide = [int.from_bytes(row[i : i + 8], "little") for i in range(0, 64, 8)]
        narrow = [int.from_bytes(row[i : i + 4], "little") for i in range(64, 84, 4)]
        shifts = [a << b % 64, a >> b % 64, signed(a, 64) >> b % 64]
        assert wide == [*expected(a, b, 64), *(value % 2**64 for value in shifts)], (a, b)
        assert narrow == expected(a % 2**32, b % 2**32, 32), (a, b)


def test_start_up() -> None:
    """Data cleared at every start, the stack at the end of the RAM, the exit code of main."""
    finished = run(Device.load(SOC), [FIRMWARE / "start_up.c"])
    assert finished.result["stop"]["kind"] == "exit"
    assert finished.result["stop"]["exit_code"] == 7
    assert finished.word("starts") == 42
    assert finished.word("dirty") == 0
    assert finished.word("cleared") == 0xA5A5A5A5
    assert finished.symbols["_stack_top"] == RAM
    assert 0 < finished.word("depth") <= finished.result["stack"] < 256


@pytest.mark.parametrize(("given", "size"), [([], RAM), (["--defsym=_ram_size=0x4000"], 0x4000)])
def test_the_stack_starts_at_the_end_of_the_ram(
    given: list[str], size: int, tmp_path: Path
) -> None:
    source, unit, image = (tmp_path / name for name in ("top.S", "top.o", "top.elf"))
    source.write_text('.section .text.start, "ax"\n.globl _start\n_start: .word _stack_top\n')
    zig = [sys.executable, "-m", "ziglang"]
    compile_ = [*zig, "cc", "-target", "riscv32-freestanding", "-c", str(source), "-o", str(unit)]
    subprocess.run(compile_, check=True)
    script = ROOT / "runtime/riscv32/link.ld"
    link = [*zig, "ld.lld", "-T", str(script), *given, str(unit), "-o", str(image)]
    subprocess.run([*link, "--oformat=binary"], check=True)
    assert image.read_bytes()[:4] == size.to_bytes(4, "little")
