"""A design in two rails beside its single rail: areas, delays, energies, and what was proven."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from cocrypt import _native, log
from cocrypt.gates.glitches import SETTLED, Delays
from cocrypt.gates.mapped import Mapped, mapped, with_registers
from cocrypt.gates.models import models
from cocrypt.gates.netlist import FLIP_FLOP
from cocrypt.gates.pairs import Pairs
from cocrypt.gates.proof import USUAL_LIMIT, Proof, prove
from cocrypt.gates.synthesis import TOGGLED, Synthesis
from cocrypt.gates.wddl import EVALUATE, INITIALISE, Hardened, harden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.gates.library import Library
    from cocrypt.gates.netlist import Netlist
    from cocrypt.gates.synthesis import Wires

Data = list[dict[str, int]]
"""Values of the inputs, a row for each datum."""
RESET = "rst"
DIGITS = bytes(max(0, code - ord("0")) & 1 for code in range(256))
"""Translates the digits of a binary number to bytes of 0 and 1."""
INITIAL = 2
"""Cycles with `init`, after which the first datum may come."""


class HardeningError(Exception):
    """The two rails are not what they must be: a bug of cocrypt."""


@dataclass(frozen=True)
class Pair:
    """A design with one rail and with two, over one library."""

    design: Path
    library: Library
    pairs: Pairs
    mapped: Mapped
    hardened: Hardened
    proof: Proof

    def verilog(self, with_cells: bool) -> str:
        """The netlist of two rails as structural Verilog, if asked with the cells' behaviour."""
        text = self.double.verilog()
        if not with_cells:
            return text
        return f"{text}\n{models(self.hardened.netlist, self.pairs, self.mapped.flip_flop)}"

    @property
    def single(self) -> Synthesis:
        """The netlist of the single rail."""
        netlist = with_registers(self.mapped.single, self.mapped.flip_flop)
        return Synthesis(self.design, self.library, netlist.text(), self.mapped.yosys)

    @property
    def double(self) -> Synthesis:
        """The netlist of two rails."""
        text = self.hardened.netlist.text()
        return Synthesis(self.design, self.library, text, self.mapped.yosys)

    def figures(
        self,
        wires: Wires,
        mismatch: tuple[float, int],
        size: tuple[int, int, int],
        delays: Delays = SETTLED,
    ) -> dict[str, Any]:
        """Both netlists' figures, their ratios and the proof; see docs/json.md.

        `size` is the number of runs, of data in each, and the seed of the random data.
        """
        single = self.single.report(wires)
        double = self.double.report(wires)
        energies = self._energies(wires, mismatch, size, delays)
        rows = {
            "single": {**_chosen(single, 1), **energies[0]},
            "double": {**_chosen(double, 2), **energies[1]},
        }
        return {
            "name": single["name"],
            "library": single["library"],
            "registers": self.hardened.style,
            **rows,
            "ratios": _ratios(rows["single"], rows["double"]),
            "proof": asdict(self.proof),
        }

    def _energies(
        self,
        wires: Wires,
        mismatch: tuple[float, int],
        size: tuple[int, int, int],
        delays: Delays,
    ) -> list[dict[str, float | None]]:
        runs, length, seed = size
        draw = Random(seed)
        data = [random_data(self.mapped.single, length, draw) for _ in range(runs)]
        try:
            single, double = self.simulate(data, wires, mismatch, delays)
        except _native.DiagnosticError as error:
            log.warn(
                "the energy is not known, and outputs are not compared by simulation: "
                f"{error.diagnostics[0]['message']}"
            )
            return [_spread([], None), _spread([], None)]
        volts = self.library.values["volts"]
        return [_spread(single, volts), _spread(double, volts)]

    def simulate(
        self,
        data: Sequence[Data],
        wires: Wires,
        mismatch: tuple[float, int] = (0.0, 0),
        delays: Delays = SETTLED,
    ) -> tuple[list[list[int]], list[list[int]]]:
        """Energies of both netlists by run and datum, in tenths of femtofarads.

        Those of two rails are of the cycle that evaluates a datum and of the precharge behind it.
        The first datum, whose registers come from the start, is left out. Raises `DiagnosticError`
        for what the simulator does not cover, `HardeningError` if the values of the two differ.
        """
        single, double = self.single, self.double
        ports = [port for port in self.mapped.single.ports if not self._is_clock(port.bits)]
        outputs, energies, _ = single.simulate(
            [[bits({p.name: (row[p.name], len(p.bits)) for p in ports if not p.is_output})
              for row in rows] for rows in data],
            wires, mismatch, delays,
        )  # fmt: skip
        found, taken, _ = double.simulate(
            [stimuli(self.hardened, rows) for rows in data], wires, mismatch, delays
        )
        widths = {port.name: len(port.bits) for port in ports if port.is_output}
        for rows, rails in zip(outputs, found, strict=True):
            if rails[INITIAL:] != [part for row in rows for part in coded(widths, row)]:
                raise HardeningError(f"the two rails of {self.design.name} compute other values")
        sums = [[row[n] + row[n + 1] for n in range(INITIAL + 2, len(row), 2)] for row in taken]
        return [row[1:] for row in energies], sums

    def _is_clock(self, bits: Sequence[object]) -> bool:
        clocks = {cell.pins["C"] for cell in self.mapped.single.cells if cell.kind == FLIP_FLOP}
        return len(bits) == 1 and bits[0] in clocks


def hardened(
    design: Path, top: str | None, library: Library, registers: str, limit: float = USUAL_LIMIT
) -> Pair:
    """Hardens a design; ABC may take `limit` seconds to compare the rails.

    Raises as `synthesis` does, and `InputError` as `wddl.harden` and `prove`.
    """
    pairs = Pairs(library)
    found = mapped(design, top, library, pairs)
    made = harden(found.pairs, pairs, found.flip_flop, registers)
    with tempfile.TemporaryDirectory(prefix="cocrypt-wddl-") as scratch:
        proof = prove(found.single, made, pairs, Path(scratch), limit)
    if not proof.holds:
        raise HardeningError(f"the two rails of {design.name} are not proven: {proof}")
    return Pair(design, library, pairs, found, made, proof)


def random_data(netlist: Netlist, length: int, draw: Random) -> Data:
    """Random values of all inputs; a reset is 1 for the first datum only."""
    inputs = [port for port in netlist.ports if not port.is_output]
    return [
        {
            port.name: int(number == 0) if port.name == RESET else draw.getrandbits(len(port.bits))
            for port in inputs
        }
        for number in range(length)
    ]


def stimuli(hardened: Hardened, data: Data) -> list[bytes]:
    """Rows for the inputs of two rails: the start, then for each datum its code and precharge."""
    inputs = {name: len(bits) for name, (bits, is_out) in hardened.ports.items() if not is_out}
    idle = dict.fromkeys(inputs, 0)

    def row(values: dict[str, int], valid: int, start: int) -> bytes:
        ports = {}
        for name, width in inputs.items():
            full = (1 << width) - 1 if valid else 0
            ports[f"{name}_t"] = values[name] & full, width
            ports[f"{name}_f"] = ~values[name] & full, width
        controls = {INITIALISE: (start, 1), EVALUATE: (valid, 1)}
        return bits(ports | {name: controls[name] for name in hardened.controls})

    rows = [row(idle, 0, 1)] * INITIAL
    for values in data:
        rows += [row(values, 1, 0), row(idle, 0, 0)]
    return rows


def coded(widths: dict[str, int], row: bytes) -> list[bytes]:
    """The outputs of two rails for a row of the single one: its code, and precharge."""
    rails: dict[str, bytes] = {}
    start = 0
    for name in sorted(widths):
        bits = row[start : start + widths[name]]
        start += widths[name]
        rails[f"{name}_t"], rails[f"{name}_f"] = bits, bytes(1 - bit for bit in bits)
    return [b"".join(rails[name] for name in sorted(rails)), bytes(2 * len(row))]


def bits(ports: dict[str, tuple[int, int]]) -> bytes:
    """A byte for each bit, port by port in the order of their names, the lowest bit first."""
    texts = (f"{value:0{width}b}"[::-1] for _, (value, width) in sorted(ports.items()))
    return "".join(texts).encode().translate(DIGITS)


def _chosen(report: dict[str, Any], cycles: int) -> dict[str, Any]:
    """Figures of a netlist that takes a datum in so many cycles."""
    keys = ("area", "registers_area", "area_GE", "cells", "period_s")
    period = report["period_s"]
    interval = None if period is None else cycles * period
    return {**{key: report[key] for key in keys}, "interval_s": interval}


def _spread(energies: list[list[int]], volts: float | None) -> dict[str, float | None]:
    """Mean energy of a datum in joules, its deviation, and their ratio."""
    values = [value for row in energies for value in row]
    if not values or volts is None:
        return {"mean_J": None, "deviation_J": None, "normalised_deviation": None}
    joules = TOGGLED * volts * volts / 2
    mean, deviation = fmean(values), pstdev(values)
    return {
        "mean_J": mean * joules,
        "deviation_J": deviation * joules,
        "normalised_deviation": deviation / mean if mean else None,
    }


def _ratios(single: dict[str, Any], double: dict[str, Any]) -> dict[str, float | None]:
    """The price of two rails, and by which factor the variation becomes smaller."""

    def ratio(above: float | None, below: float | None) -> float | None:
        return above / below if above is not None and below else None

    return {
        "area": ratio(double["area"], single["area"]),
        "period": ratio(double["period_s"], single["period_s"]),
        "interval": ratio(double["interval_s"], single["interval_s"]),
        "energy": ratio(double["mean_J"], single["mean_J"]),
        "variation": ratio(single["normalised_deviation"], double["normalised_deviation"]),
    }
