"""A run of a design on our simulator, recorded: its inputs and outputs, cycle by cycle."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.errors import HostError, InputError, ProgramError
from cocrypt.rtl.blocks import libraries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Row = dict[str, int]


@dataclass(frozen=True)
class Port:
    """A port of the top, with its names in the exported texts."""

    name: str
    output: bool
    width: int
    verilog: str
    vhdl: str


@dataclass(frozen=True)
class Recording:
    """A design's top, and a row of inputs and one of outputs for each cycle."""

    name: str
    verilog: str
    vhdl: str
    ports: tuple[Port, ...]
    inputs: tuple[Row, ...]
    outputs: tuple[Row, ...]

    @property
    def ins(self) -> list[Port]:
        """The inputs, in order."""
        return [port for port in self.ports if not port.output]

    @property
    def outs(self) -> list[Port]:
        """The outputs, in order."""
        return [port for port in self.ports if port.output]


def record(
    design: Path, top: str | None, cycles: int, seed: int, stimuli: Path | None
) -> Recording:
    """Run a design with the inputs of a file, or with random ones."""
    ins = [port for port in _ports(design, top) if not port.output]
    rows = random_rows(ins, cycles, seed) if stimuli is None else _read(stimuli, ins)
    return record_rows(design, top, rows)


def record_rows(design: Path, top: str | None, rows: Sequence[Row]) -> Recording:
    """Run a design with these inputs, one row for each cycle, each with every input."""
    described = _native.fdl_ports(design, top)
    return Recording(
        described["name"],
        described["verilog"],
        described["vhdl"],
        tuple(_ports(design, top)),
        tuple(rows),
        tuple(_simulated(design, top, rows)),
    )


def _simulated(design: Path, top: str | None, rows: Sequence[Row]) -> list[Row]:
    try:
        return _native.fdl_simulate(design, top, list(rows), libraries=libraries(design, top))
    except ValueError as error:
        raise ProgramError(str(error)) from error


def _ports(design: Path, top: str | None) -> list[Port]:
    return [Port(**port) for port in _native.fdl_ports(design, top)["ports"]]


def random_rows(ports: list[Port], cycles: int, seed: int) -> list[Row]:
    """Inputs for `cycles` cycles, often extreme; the same for the same seed."""
    rng = Random(seed)
    return [{port.name: _corner(rng, port.width) for port in ports} for _ in range(cycles)]


def _corner(rng: Random, width: int) -> int:
    top = 1 << (width - 1)
    extreme = rng.choice((0, 1, top, top - 1, 2 * top - 1))
    return rng.choice((rng.getrandbits(width), rng.getrandbits(width), extreme))


def _read(path: Path, ports: list[Port]) -> list[Row]:
    """The rows of a file; an input keeps its value until a row sets it again."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HostError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(entries, list) or not entries:
        raise InputError(f'{path} must hold a list of rows, such as [{{"a": 1, "b": "0xff"}}]')
    row = {port.name: 0 for port in ports}
    widths = {port.name: port.width for port in ports}
    rows = []
    for number, changes in enumerate(entries):
        row = row | _changes(f"{path}, row {number}", changes, widths)
        rows.append(row)
    return rows


def _changes(location: str, changes: object, widths: dict[str, int]) -> Row:
    if not isinstance(changes, dict):
        raise InputError(f"{location}: not an object of inputs")
    row = {}
    for name, value in changes.items():
        if name not in widths:
            raise InputError(
                f"{location}: the design has no input `{name}`; it has {', '.join(widths)}"
            )
        try:
            row[name] = int(value, 0) if isinstance(value, str) else int(value)
        except (TypeError, ValueError):
            raise InputError(f"{location}: `{value}` is no number for `{name}`") from None
        row[name] &= (1 << widths[name]) - 1
    return row
