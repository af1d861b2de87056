"""A design's recorded run against its exported texts, under Icarus Verilog, Verilator and GHDL."""

from __future__ import annotations

from dataclasses import dataclass
from os import cpu_count
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.hardware import simulators
from cocrypt.interrupt import by_any_signal, threads

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.hardware.recording import Recording


@dataclass(frozen=True)
class Exported:
    """A design: its file, its recorded run, and its texts."""

    path: Path
    recording: Recording
    verilog: str
    vhdl93: str
    vhdl2008: str

    @classmethod
    def of(cls, path: Path, top: str | None, recording: Recording) -> Exported:
        """All texts of a design."""
        return cls(
            path,
            recording,
            _native.fdl_verilog(path, top),
            _native.fdl_vhdl(path, top, 93),
            _native.fdl_vhdl(path, top, 2008),
        )


def _interpreted_only(designs: list[Exported]) -> list[str]:
    """The designs whose compiled run differs from the recorded run of the interpreter."""
    return [
        design.recording.name
        for design in designs
        if tuple(
            _native.fdl_simulate(
                design.path, design.recording.name, list(design.recording.inputs), compiled=True
            )
        )
        != design.recording.outputs
    ]


def differing(designs: list[Exported], folder: Path) -> dict[str, list[str]]:
    """The designs whose benches did not pass, by simulator; the simulators run side by side."""
    recordings = [design.recording for design in designs]
    names = {recording.name for recording in recordings}
    verilog = [design.verilog for design in designs]
    vhdl = {"93": [design.vhdl93 for design in designs]}
    vhdl["08"] = [design.vhdl2008 for design in designs]

    def failed(simulate: Callable[[Path], str], number: int) -> list[str]:
        at = folder / f"run_{number}"
        at.mkdir(parents=True)
        passed, _ = simulators.verdicts(simulate(at))
        return sorted(names - passed)

    runs: dict[str, Callable[[Path], str]] = {
        "Icarus Verilog": lambda at: simulators.icarus(recordings, verilog, at),
        "Verilator": lambda at: simulators.verilator(recordings, verilog, at),
        "GHDL, VHDL-93": lambda at: simulators.ghdl(recordings, vhdl["93"], at, "93"),
        "GHDL, VHDL-2008": lambda at: simulators.ghdl(recordings, vhdl["08"], at, "08"),
    }
    with by_any_signal(), threads(cpu_count()) as pool:
        # Those that take longest begin first.
        work = {
            simulator: pool.submit(failed, simulate, number)
            for number, (simulator, simulate) in reversed(list(enumerate(runs.items())))
        }
        compiled = sorted(_interpreted_only(designs))
        return {"compiled": compiled} | {simulator: work[simulator].result() for simulator in runs}
