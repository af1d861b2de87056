"""Core files that lack a class are refused by its name, or run without its instructions."""

from __future__ import annotations

import random
import re
import shutil
import tomllib
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native, paths
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

DEVICES = paths.root() / "devices"
CORES = {
    "arm7tdmi": "arm7tdmi",
    "at91sam9": "arm926ej-s",
    "sa1110": "sa1110",
    "stm32f0": "cortex-m0",
    "rp2040": "cortex-m0plus",
    "stm32f1": "cortex-m3",
    "stm32f4-24mhz": "cortex-m4",
    "picorv32": "picorv32",
    "serv": "serv",
    "ibex-small": "ibex",
    "vexriscv": "vexriscv",
}
CLASS = re.compile(r"^\[\[class\.(\w+)\]\][^\n]*\n(?:(?!\[).*\n?)*", re.MULTILINE)
# Random words soon reach an illegal instruction, and often loads, stores and jumps before it.
PROGRAMS = 6
WORDS = 64
ANYWHERE = {"illegal", "interrupt", "return"}


def programs() -> list[bytes]:
    return [random.Random(seed).randbytes(4 * WORDS) for seed in range(PROGRAMS)]


def without(folder: Path, core: str, name: str) -> None:
    path = folder / "cores" / f"{core}.toml"
    path.write_text(CLASS.sub(lambda match: "" if match[1] == name else match[0], path.read_text()))


def outcome(device: Path, program: bytes, start: int) -> str:
    """The kind of stop, or the message if the device is refused."""
    try:
        run = Machine(device, program, load_address=start, start_at=start).run(20_000)
    except _native.DiagnosticError as error:
        return error.rendered
    return str(run.values["stop"]["kind"])


@pytest.mark.parametrize("device", CORES)
@pytest.mark.long
def test_a_core_without_a_class_runs_or_is_refused(device: str, tmp_path: Path) -> None:
    """A class that any program may need is required by name; others only lack instructions."""
    core = CORES[device]
    original = (DEVICES / "cores" / f"{core}.toml").read_text()
    described = tomllib.loads((DEVICES / f"{device}.toml").read_text())
    start = described["memory"][0]["base"]
    refused = set()
    for name in sorted(set(CLASS.findall(original))):
        folder = tmp_path / name
        shutil.copytree(DEVICES, folder)
        without(folder, core, name)
        assert f"[[class.{name}]]" not in (folder / "cores" / f"{core}.toml").read_text()
        stops = {outcome(folder / f"{device}.toml", program, start) for program in programs()}
        if any(f"[[class.{name}]]" in stop for stop in stops):
            assert len(stops) == 1
            refused.add(name)
    assert "illegal" in refused
    assert all(name in ANYWHERE or name.startswith("enter_") for name in refused)


@pytest.mark.parametrize(
    ("line", "wrong", "known"),
    [
        ('isa    = "armv7-m"', 'isa    = "armv7"', "`armv7e-m`"),
        ('code = "thumb"', 'code = "thum"', "`thumb`"),
    ],
)
def test_a_core_of_no_instruction_set_is_refused(
    line: str, wrong: str, known: str, tmp_path: Path
) -> None:
    shutil.copytree(DEVICES, tmp_path / "devices")
    core = tmp_path / "devices" / "cores" / "cortex-m3.toml"
    text = core.read_text()
    assert text.count(line) == 1
    core.write_text(text.replace(line, wrong))
    with pytest.raises(_native.DiagnosticError) as refused:
        _native.load_device(tmp_path / "devices" / "stm32f1.toml")
    number = text[: text.index(line)].count("\n") + 1
    assert f"cortex-m3.toml:{number}:" in refused.value.rendered
    assert known in refused.value.rendered
