"""Our simulator against the exported texts under Icarus Verilog, Verilator and GHDL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.fuzz.fdl.hierarchy import source
from cocrypt.hardware import simulators
from cocrypt.hardware.recording import Recording, record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Exported:
    """A random design: its file, its recorded run, and its texts."""

    path: Path
    recording: Recording
    verilog: str
    vhdl93: str
    vhdl2008: str


def make(folder: Path, seed: int, count: int, cycles: int) -> tuple[list[Exported], int]:
    """So many accepted designs from this seed on, and the seed after the last one.

    A design whose values may grow without end is refused rightly, and left out.
    """
    made: list[Exported] = []
    while len(made) < count:
        path = folder / f"random_{seed}.fdl"
        path.write_text(source(f"random_{seed}", seed), encoding="utf-8")
        try:
            made.append(_export(path, seed, cycles))
        except _native.DiagnosticError as error:
            if {one["code"] for one in error.diagnostics} != {"fdl.unbounded-value"}:
                raise
        seed += 1
    return made, seed


def _export(path: Path, seed: int, cycles: int) -> Exported:
    return Exported(
        path,
        record(path, None, cycles, seed, None),
        _native.fdl_verilog(path, None),
        _native.fdl_vhdl(path, None, 93),
        _native.fdl_vhdl(path, None, 2008),
    )


def _interpreted_only(designs: list[Exported]) -> list[str]:
    """The designs whose compiled run differs from the interpreted one, which was recorded."""
    return [
        one.recording.name
        for one in designs
        if tuple(_native.fdl_simulate(one.path, None, list(one.recording.inputs), compiled=True))
        != one.recording.outputs
    ]


def differing(designs: list[Exported], folder: Path) -> dict[str, list[str]]:
    """Of each simulator: the designs whose benches did not pass."""
    recordings = [design.recording for design in designs]
    verilog = [design.verilog for design in designs]
    runs: dict[str, Callable[[Path], str]] = {
        "Icarus Verilog": lambda at: simulators.icarus(recordings, verilog, at),
        "Verilator": lambda at: simulators.verilator(recordings, verilog, at),
        "GHDL, VHDL-93": lambda at: simulators.ghdl(
            recordings, [design.vhdl93 for design in designs], at, "93"
        ),
        "GHDL, VHDL-2008": lambda at: simulators.ghdl(
            recordings, [design.vhdl2008 for design in designs], at, "08"
        ),
    }
    names = {recording.name for recording in recordings}
    found = {"compiled": sorted(_interpreted_only(designs))}
    for number, (simulator, run) in enumerate(runs.items()):
        at = folder / f"run_{number}"
        at.mkdir(parents=True)
        passed, _ = simulators.verdicts(run(at))
        found[simulator] = sorted(names - passed)
    return found
