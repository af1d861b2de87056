"""A coprocessor as gates, with one rail or two: its figures, and energies of runs on its bus."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt import cache
from cocrypt.cache import digest, obtain
from cocrypt.gates.glitches import SETTLED
from cocrypt.gates.hardening import INITIAL, RESET, bits, hardened, stimuli
from cocrypt.gates.synthesis import TOGGLED, Synthesis, Wires, synthesis, verilog_of
from cocrypt.gates.wddl import MASTER_SLAVE
from cocrypt.hardware.yosys import files, yosys

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cocrypt.gates.glitches import Delays
    from cocrypt.gates.hardening import Data
    from cocrypt.gates.library import Library
    from cocrypt.gates.wddl import Hardened

FORMAT = 1
"""The format of kept figures; it changes with their content."""
CLOCK = "clk"
READ_DATA = "rdata"
RESETS = 2
"""Cycles of reset before a run."""


@dataclass(frozen=True)
class Netlist:
    """A design's netlist; `rails` are those of each signal, `made` describes two of them."""

    synthesis: Synthesis
    made: Hardened | None

    @property
    def rails(self) -> int:
        """The rails of each signal."""
        return 1 if self.made is None else 2

    def simulate(
        self,
        runs: Sequence[Data],
        mismatch: tuple[float, int] = (0.0, 0),
        delays: Delays = SETTLED,
    ) -> tuple[NDArray[np.float64], list[list[int]]]:
        """Joules of each run's data, and what could be read on the bus at each of them.

        With two rails, a datum has the cycle that evaluates it and the precharge behind it. Raises
        `DiagnosticError` for what the simulator does not cover.
        """
        rows = [self._rows(run) for run in runs]
        outputs, energies, _ = self.synthesis.simulate(rows, Wires(), mismatch, delays)
        taken = np.array(energies, np.float64)
        first, step = (0, 1) if self.made is None else (INITIAL, 2)
        summed = taken[:, first:].reshape(len(runs), -1, step).sum(2)
        volts = float(self.synthesis.library.values["volts"])
        start, width = self._read_data()
        answers = [
            [_number(row[start : start + width]) for row in run[first::step]] for run in outputs
        ]
        return summed * (TOGGLED * volts * volts / 2), answers

    def _rows(self, run: Data) -> list[bytes]:
        if self.made is None:
            ports = {name: len(port["bits"]) for name, port in self._ports("input").items()}
        else:
            ports = {name: len(pins) for name, (pins, out) in self.made.ports.items() if not out}
        widths = tuple(sorted((name, width) for name, width in ports.items() if name != CLOCK))
        names = [name for name, _ in widths]
        rows = [tuple(row.get(name, 0) for name in names) for row in run]
        if self.made is None:
            return [_row(widths, row) for row in rows]
        # A datum's code and its precharge do not depend on other data.
        coded: dict[tuple[int, ...], list[bytes]] = {}
        for row in dict.fromkeys(rows):
            start, coded[row] = _divided(stimuli(self.made, [dict(zip(names, row, strict=True))]))
        return [*start, *(each for row in rows for each in coded[row])]

    def _read_data(self) -> tuple[int, int]:
        """The place of the data that the bus reads among the outputs' bits."""
        name = READ_DATA if self.made is None else f"{READ_DATA}_t"
        start = 0
        for port, values in sorted(self._ports("output").items()):
            if port == name:
                return start, len(values["bits"])
            start += len(values["bits"])
        return 0, 0

    def _ports(self, direction: str) -> dict[str, Any]:
        return _ports_of(self.synthesis.netlist)[direction]


@lru_cache(maxsize=8)
def _ports_of(netlist: str) -> dict[str, dict[str, Any]]:
    """The ports of a netlist in Yosys's JSON, by their direction."""
    module = next(
        module
        for module in json.loads(netlist)["modules"].values()
        if "blackbox" not in module.get("attributes", {})
    )
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, port in module["ports"].items():
        found[port["direction"]][name] = port
    return found


@lru_cache(maxsize=1 << 16)
def _row(widths: tuple[tuple[str, int], ...], values: tuple[int, ...]) -> bytes:
    pairs = zip(widths, values, strict=True)
    return bits({name: (value & (1 << width) - 1, width) for (name, width), value in pairs})


def _divided(rows: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The rows of the start, and those of data."""
    return rows[:INITIAL], rows[INITIAL:]


def _number(digits: bytes) -> int:
    return sum(digit << place for place, digit in enumerate(digits))


def netlist(design: Path, top: str | None, library: Library, *, dual: bool) -> Netlist:
    """A design as gates, with two rails if asked; raises as `synthesis` and `hardened` do."""
    if not dual:
        return Netlist(synthesis(design, top, library), None)
    pair = hardened(design, top, library, MASTER_SLAVE)
    return Netlist(pair.double, pair.hardened)


@dataclass(frozen=True)
class Rails:
    """The size of a netlist: gate equivalents, and the shortest period in seconds."""

    area_GE: float  # noqa: N815 - gate equivalents are GE.
    period_s: float
    tools: str


def rails(design: Path, top: str | None, library: Library, *, dual: bool) -> Rails:
    """The figures of a netlist, kept by the content that it is made from."""

    def make(target: Path, _scratch: Path) -> None:
        made = netlist(design, top, library, dual=dual).synthesis
        report = made.report(Wires())
        values = {
            "area_GE": report["area_GE"],
            "period_s": report["period_s"],
            "tools": f"{made.yosys} with {library.name}",
        }
        target.write_text(json.dumps(values), encoding="utf-8")

    name = f"rails-{content(design, top, library, dual=dual)}.json"
    kept = obtain(cache.folder("gates") / name, make)
    return Rails(**json.loads(kept.read_text(encoding="utf-8")))


def content(design: Path, top: str | None, library: Library, *, dual: bool) -> str:
    """A hash of all that a netlist is made from."""
    sources = [path.read_bytes() for path in files(verilog_of(design, top))]
    style = MASTER_SLAVE if dual else ""
    return digest([yosys()[1], library.text, repr((FORMAT, top, style)), *sources])


def reset(rows: Data) -> Data:
    """Rows of a run behind `RESETS` cycles of reset."""
    return [*[{RESET: 1}] * RESETS, *({RESET: 0, **row} for row in rows)]
