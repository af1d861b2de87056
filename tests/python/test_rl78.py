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
