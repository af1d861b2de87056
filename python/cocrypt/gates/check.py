"""A netlist against the design that it was made from: the outputs of both for random inputs."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cocrypt.errors import InputError, ProgramError
from cocrypt.gates.hardening import RESET, bits
from cocrypt.gates.synthesis import FDL
from cocrypt.hardware.recording import record_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.gates.synthesis import Synthesis
    from cocrypt.hardware.recording import Port, Recording, Row

CYCLES = 16
"""Cycles of a run behind its reset."""
SMALL = 6
"""Bits of small inputs."""
TOGETHER = 512
"""Runs that the netlist makes at once."""


def check(
    made: Synthesis, top: str | None, runs: int, progress: Callable[[str, int, int], None]
) -> None:
    """Compares so many runs of a netlist with those of its design in FDL, cycle by cycle.

    The number of a run is the seed of its inputs. Raises `InputError` for a design in Verilog,
    `ProgramError` where an output differs, and `DiagnosticError` for what the simulator of gates
    does not cover.
    """
    if made.design.suffix != FDL:
        raise InputError(
            f"{made.design.name} is not a design in FDL; its netlist can be compared with nothing",
            "leave --check out, or prove the netlist equal to the Verilog by Yosys",
        )
    ports = record_rows(made.design, top, []).ins
    for first in range(0, runs, TOGETHER):
        recordings = []
        for seed in range(first, min(first + TOGETHER, runs)):
            progress("runs of the design and its netlist", seed, runs)
            recordings.append(record_rows(made.design, top, _random_rows(ports, seed)))
        for run, outputs in enumerate(made.outputs([_stimuli(each) for each in recordings])):
            _compare(made.design.name, first + run, recordings[run], outputs[1:])


def _random_rows(ports: list[Port], seed: int) -> list[Row]:
    """Rows of random inputs, half of them small, as addresses of registers are."""
    draw = Random(seed)
    bits_of = [(port.name, (port.width, min(port.width, SMALL))) for port in ports]
    return [
        {name: draw.getrandbits(draw.choice(widths)) for name, widths in bits_of}
        for _ in range(CYCLES)
    ]


def _stimuli(run: Recording) -> list[bytes]:
    """The cycle of the reset, and a row for each of a run."""
    return [_bits(run.ins, {}, 1), *(_bits(run.ins, row, 0) for row in run.inputs)]


def _bits(ports: list[Port], row: Mapping[str, int], reset: int) -> bytes:
    values = {port.verilog: (row.get(port.name, 0), port.width) for port in ports}
    return bits(values | {RESET: (reset, 1)})


def _compare(name: str, seed: int, run: Recording, outputs: list[bytes]) -> None:
    for cycle, (row, found) in enumerate(zip(run.outputs, outputs, strict=True)):
        start = 0
        for port in sorted(run.outs, key=lambda port: port.verilog):
            digits = found[start : start + port.width]
            start += port.width
            value = sum(bit << place for place, bit in enumerate(digits))
            if value != row[port.name]:
                raise ProgramError(
                    f"the netlist of {name} differs from the design: `{port.name}` is "
                    f"{value:#x} instead of {row[port.name]:#x} in cycle {cycle} of run {seed}"
                )
