"""The GNU debugger on RL78 and SuperH: registers, steps, calls, and the cycles of a run without it.

The programs are recorded images. `gdb-multiarch` knows SuperH; RL78's debugger is the one that
`cocrypt toolchain rl78-elf --only debugger` builds.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cocrypt.machine import Machine
from host import ROOT
from test_gdb import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Board:
    """A device with a recorded program, and registers that hold what one may write to them."""

    device: str
    image: str
    registers: tuple[str, ...]
    step: int
    """Bytes of the first instruction of `main`."""


BOARDS = {
    "rl78-g10": Board("rl78-g10", "tests/cases/rl78/runtime-quotients-g10", ("ax", "bc", "de"), 3),
    "rl78-g13": Board("rl78-g13", "tests/cases/rl78/runtime-quotients-g13", ("ax", "bc", "de"), 3),
    "rl78-g14": Board("rl78-g14", "tests/cases/rl78/runtime-quotients-g14", ("ax", "bc", "de"), 3),
    "sh7729": Board("sh7729", "studies/matsuoka2004/aes/software", ("r0", "r8", "r14"), 2),
}


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Board:
    """The device under test."""
    return BOARDS[request.param]


@pytest.fixture
def gdb(
    board: Board, need_tool: Callable[[str], str], need_part: Callable[[str, str], Path]
) -> str:
    """A debugger for the device."""
    if board.device.startswith("rl78"):
        return str(need_part("rl78-elf", "debugger") / "bin" / "rl78-elf-gdb")
    return need_tool("gdb-multiarch")


@pytest.fixture
def image(board: Board, tmp_path: Path) -> Path:
    """The program."""
    path = tmp_path / "program.elf"
    path.write_bytes(lzma.decompress((ROOT / f"{board.image}.elf.xz").read_bytes()))
    return path


def test_breakpoints_steps_and_registers(gdb: str, board: Board, image: Path) -> None:
    sets = [f"set ${name} = {100 + at}" for at, name in enumerate(board.registers)]
    shown = [f"print/d ${name}" for name in board.registers]
    script = ("break *main", "continue", "stepi", "print/d (int) $pc - (int) &main", *sets, *shown)
    session = Session(gdb, image, *script, "detach", device=board.device)
    main = session.machine.address("main")
    assert session.finds(r"^Breakpoint 1, (0x\w+) in main \(\)") == [(f"0x{main:08x}",)]
    numbers = session.figures(r"^\$\d+ = (-?\d+)$")
    assert numbers == [board.step, *range(100, 100 + len(board.registers))], session.said
    assert session.end == "detached"


def test_watching_changes_no_cycle(gdb: str, board: Board, image: Path) -> None:
    alone = Machine(board.device, image).run()
    session = Session(
        gdb, image, "break *main", "continue", "stepi", "stepi", "detach", device=board.device
    )
    result = session.machine.run()
    assert result.values["stop"]["kind"] == "exit"
    assert result.cycles == alone.cycles
    assert result.values["instructions"] == alone.values["instructions"]


def test_a_program_ends_under_the_debugger(gdb: str, board: Board, image: Path) -> None:
    session = Session(gdb, image, "continue", device=board.device)
    assert "exited normally" in session.said
    assert session.end == "ended"
