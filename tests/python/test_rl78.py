"""RL78 in the machine: a program in assembly, on every engine and device.

tests/cases/rl78/sums.elf is what the GNU tools made of sums.s beside it, by the commands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.compiler import compiler
from cocrypt.device import Device
from cocrypt.errors import HostError, InputError
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.machine import Engine

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto")
PROGRAM = ROOT / "tests/cases/rl78/sums.elf"
SQUARE = 1 + 6
"""Cycles of `mulu` and `ret`."""
ROUND = 1 + 1 + 3 + SQUARE + 1 + 1 + 1 + 4
"""Cycles of a round of the first loop, behind which it goes on."""
LETTER = 1 + 3 + 1 + 2 + 1 + 1 + 1 + 1 + 1 + 1 + 3
"""Cycles of a letter: its read waits for flash memory."""
CYCLES = 3 + (10 * ROUND - 2) + 7 + 1 + (1 + 4 * LETTER + 4 + 1 + 4) + (1 + 1 + 1 + 3) + 3 + 1
"""All cycles, counted by hand: the first letter is at an address that was written just before, and
the machine stops in the cycle behind the last one."""
INSTRUCTIONS = 3 + 10 * 9 + 6 + 1 + 4 * 10 + 3 + 4 + 3


@pytest.mark.parametrize("device", ["rl78-g13", "rl78-g14"])
def test_a_program_ends_alike_on_every_engine(device: str) -> None:
    """Banks are memory, the mirror area shows flash memory, and cycles are those of the table."""
    figures = set()
    for engine in ENGINES:
        result = Machine(Device.load(device), PROGRAM, engine=engine).run()
        assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
        assert bytes(result.values["console"]) == b"rl78"
        figures.add((result.cycles, result.values["instructions"]))
    assert figures == {(CYCLES, INSTRUCTIONS)}


START = 0x100
MULTIPLIES = (
    "cfe80000"  # mov !F00E8H, #0
    "303412 bef0 307856 bef2 00"  # 1234H by 5678H; nop
    "aef6 bf00fe aef4 bf02fe"  # the product to FFE00
)
DIVIDES = (
    "cfe80080"  # mov !F00E8H, #80H
    "306100 bef0 30614e bef2"  # 4E610061H …
    "300001 bef6 f6 bef4"  # … by 100H
    "cfe80081"  # mov !F00E8H, #81H
    "8fe800 3103fa"  # until it is done: mov a, !F00E8H; bt a.0, $-6
    "aef0 bf00fe aef2 bf02fe"  # the quotient to FFE00
    "afe000 bf04fe afe200 bf06fe"  # the remainder behind it
)
ENDS = "f6 bf2008 bf2208 effe"
"""Writes 0 to the exit device."""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_unit_of_the_g13_multiplies(engine: Engine) -> None:
    image = bytes(START) + bytes.fromhex(MULTIPLIES + ENDS)
    machine = Machine(
        Device.load("rl78-g13"), image, name="unit", engine=engine, load_address=0, start_at=START
    )
    assert machine.run().values["stop"]["exit_code"] == 0
    assert machine.read(0xFFE00, 4) == (0x1234 * 0x5678).to_bytes(4, "little")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_unit_of_the_g13_divides_while_the_program_waits(engine: Engine) -> None:
    image = bytes(START) + bytes.fromhex(DIVIDES + ENDS)
    machine = Machine(
        Device.load("rl78-g13"), image, name="unit", engine=engine, load_address=0, start_at=START
    )
    result = machine.run()
    assert result.values["stop"]["exit_code"] == 0
    assert machine.read(0xFFE00, 8) == bytes([0, 0x61, 0x4E, 0, 0x61, 0, 0, 0])
    # DIVST is read in the cycles 1, 7 and 13 behind its write, and is 0 in the 19th; the machine
    # stops in the cycle behind the last one.
    assert result.cycles == 10 + 3 * (1 + 5) + (1 + 3) + 8 + 3 + 1


def test_a_core_with_products_of_its_own_has_no_unit() -> None:
    image = bytes(START) + bytes.fromhex(MULTIPLIES + ENDS)
    machine = Machine(Device.load("rl78-g14"), image, name="unit", load_address=0, start_at=START)
    assert machine.run().values["stop"]["kind"] == "bus_fault"


def test_a_profile_names_functions() -> None:
    machine = Machine(Device.load("rl78-g13"), PROGRAM, contexts=True)
    total = machine.run().cycles
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    # Ten times `mulu` and `ret`.
    assert functions["square"]["calls"] == 10
    assert functions["square"]["self_cycles"] == 10 * (1 + 6)
    assert functions["_start"]["total_cycles"] == total


def test_zig_is_refused_with_what_to_do() -> None:
    chain = Toolchain(Device.load("rl78-g13"), "zig")
    with pytest.raises(InputError, match="zig does not compile for RL78") as refused:
        chain.compile([Unit(ROOT / "tests/cases/avr/mixing.c", ("-Os",))])
    assert "compile with `rl78-elf-gcc`" in (refused.value.help or "")


def test_a_compiler_that_is_not_there_can_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    compiler.cache_clear()
    chain = Toolchain(Device.load("rl78-g13"))
    with pytest.raises(HostError, match="`rl78-elf-gcc` is not installed") as refused:
        chain.compile([Unit(ROOT / "tests/cases/avr/mixing.c", ("-Os",))])
    assert "`cocrypt toolchain rl78-elf`" in (refused.value.help or "")
