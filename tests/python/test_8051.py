"""Programs of SDCC on the 8051: primitives compute what others do, in the cycles of ucsim."""

from __future__ import annotations

import hashlib
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto")
PRIMITIVES = ROOT / "primitives"
PROGRAM = ROOT / "tests/cases/8051/digests.c"
MESSAGE = bytes((at * at + 1) & 255 for at in range(70))
RESULTS = {
    "sha1": hashlib.sha1(MESSAGE).hexdigest(),
    "sha256": hashlib.sha256(MESSAGE).hexdigest(),
    "aes128": "3925841d02dc09fbdc118597196a0b32",
}
"""Those of Python's library, and of FIPS 197, appendix B."""
ACCEPTED = 1
"""Cycles from the end of the store to where the exit device accepts the code, and our run ends."""
FOLDERS = {"aes128": "aes"}


def image(folder: Path, name: str, *words: str) -> Path:
    """The program with a primitive by SDCC, which compiles one unit at a time."""
    room = PRIMITIVES / FOLDERS.get(name, name) / "ref"
    options = ["sdcc", "-mmcs51", "--std-c11", *words, f"-I{room}", f"-I{PRIMITIVES / 'common'}"]
    objects = []
    for source in (PROGRAM, *sorted(room.glob(f"{name}*.c"))):
        objects.append(folder / f"{source.stem}.rel")
        run([*options, f"-DUSE_{name.upper()}", "-c", source, "-o", objects[-1]], folder)
    program = folder / f"{name}.ihx"
    run([*options, "--iram-size", "256", *objects, "-o", program], folder)
    return program


def run(command: list[str | Path], folder: Path) -> None:
    """Runs a command, whose message an error shows."""
    process = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("device", ["i8052", "c8051f020"])
def test_primitives_compute_what_others_do(
    need_tool: Callable[[str], str], tmp_path: Path, name: str, device: str
) -> None:
    need_tool("sdcc")
    program = image(tmp_path, name, "--model-large")
    figures = set()
    for engine in ENGINES:
        result = Machine(Device.load(device), program, engine=engine).run()
        assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
        assert bytes(result.values["console"]).decode().strip() == RESULTS[name]
        figures.add((result.values["cycles"], result.values["instructions"]))
    assert len(figures) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", RESULTS)
def test_programs_take_the_cycles_of_ucsim(
    need_tool: Callable[[str], str], tmp_path: Path, name: str
) -> None:
    """Both count to the last store to the exit device, which ucsim takes for memory."""
    need_tool("sdcc")
    program = image(tmp_path, name, "--model-large", "-DQUIET")
    cycles = Machine(Device.load("i8052"), program).run().values["cycles"]
    process = subprocess.run(
        [need_tool("s51"), "-t", "C52", "-b", program],
        input="break xram w 0xf023\nrun\nstate\nquit\n",
        capture_output=True, text=True, check=True, errors="replace", timeout=60,
    )  # fmt: skip
    assert int(re.findall(r"\((\d+) clks\)", process.stdout)[0]) + ACCEPTED == cycles
