"""Designs in FDL or Verilog as netlists of a library's cells, made by Yosys and ABC."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native, cache, log, paths
from cocrypt.cache import digest, obtain
from cocrypt.errors import InputError
from cocrypt.gates.glitches import SETTLED, Delays
from cocrypt.gates.library import FEMTO, Library
from cocrypt.hardware.yosys import DESIGN, OWN, files, module_name, synthesise, yosys

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Tables become ROMs, whose multiplexers ABC maps to far fewer gates than those of a case statement.
# A register behind a ROM stays one of its own, or it might come twice.
SCRIPT = """read_verilog -sv {design}
hierarchy -check {top}
proc
flatten
memory -nordff
synth
dfflibmap -liberty {own}/library.lib
abc -liberty {own}/library.lib -constr {own}/constraints.txt
setundef -zero
opt_clean -purge
write_json netlist.json
"""
RUNS = (16, 4, 1)
"""Cycles, batches of 512 runs, and the seed of the inputs for energies."""
TOGGLED = 1e-16
"""Farads of the unit in which the simulator counts toggled capacitance."""
MOST_WIRE = 1e-9
"""The largest capacitance of a wire, farads; sums of energies stay below 64 bits."""
FDL, VERILOG = ".fdl", (".v", ".sv")


@dataclass(frozen=True)
class Wires:
    """The capacitance of a net's wire, farads: a base, and more for each pin that it leads to."""

    base: float = 5 * FEMTO
    fanout: float = 3 * FEMTO

    @classmethod
    def parse(cls, text: str) -> Wires:
        """Wires from `BASE,FANOUT` in femtofarads; raises `InputError` for anything else."""
        try:
            base, fanout = (float(part) * FEMTO for part in text.split(","))
        except ValueError:
            base = fanout = -1.0
        if not (0 <= base <= MOST_WIRE and 0 <= fanout <= MOST_WIRE):
            raise InputError(
                f"`{text}` is no capacitance of wires",
                f"write two numbers from 0 to {MOST_WIRE / FEMTO:.0f} fF, such as 5,3",
            )
        return cls(base, fanout)


@dataclass(frozen=True)
class Synthesis:
    """A design's netlist in Yosys's JSON, with its library."""

    design: Path
    library: Library
    netlist: str
    yosys: str

    def report(self, wires: Wires) -> dict[str, Any]:
        """The area, the cells and the longest path; see `gates_report` of the native module."""
        model = (wires.base, wires.fanout, self.library.output_load)
        return _native.gates_report(*self._library, self.netlist, model)

    def energy(self, wires: Wires, delays: Delays = SETTLED) -> dict[str, float | None]:
        """Energy of a cycle with random inputs: `mean_J` and `deviation_J`.

        Both are null for a library that states no supply, and for what the simulator does not
        cover, such as latches; the reason is said on stderr.
        """
        model = (wires.base, wires.fanout, self.library.output_load)
        try:
            return _native.gates_energy(
                *self._library, self.netlist, model, (0.0, 0), delays.tick, RUNS
            )
        except _native.DiagnosticError as error:
            log.warn(f"the energy is not known: {error.diagnostics[0]['message']}")
            return {"mean_J": None, "deviation_J": None}

    def simulate(
        self,
        stimuli: Sequence[Sequence[bytes]],
        wires: Wires,
        mismatch: tuple[float, int] = (0.0, 0),
        delays: Delays = SETTLED,
    ) -> tuple[list[list[bytes]], list[list[int]], dict[str, int]]:
        """Outputs and energies of runs, as `gates_simulate` of the native module has them.

        `mismatch` is the relative deviation of wires and a seed. Raises `DiagnosticError` for what
        the simulator does not cover.
        """
        model = (wires.base, wires.fanout, self.library.output_load)
        return _native.gates_simulate(
            *self._library, self.netlist, model, mismatch, delays.tick, stimuli
        )

    def outputs(self, stimuli: Sequence[Sequence[bytes]]) -> list[list[bytes]]:
        """Outputs of runs alone, sooner than `simulate`, whose stimuli they take."""
        return _native.gates_outputs(*self._library, self.netlist, stimuli)

    def verilog(self) -> str:
        """The netlist as structural Verilog."""
        return _native.gates_verilog(*self._library, self.netlist)

    @property
    def _library(self) -> tuple[str, str]:
        return str(self.library.path), self.library.text


def synthesis(design: Path, top: str | None, library: Library) -> Synthesis:
    """A design as gates; kept by the content of all that the netlist is made from.

    Raises `InputError` for a design that Yosys refuses, `HostError` if Yosys is missing, and
    `DiagnosticError` for FDL with errors.
    """
    verilog = verilog_of(design, top)
    command, name = yosys()
    script = SCRIPT.format(design=DESIGN, own=OWN, top=chosen_top(design, top))
    constraints = library.constraints()
    contents = [path.read_bytes() for path in files(verilog)]
    key = digest([name, script, constraints, library.text, *contents])

    def make(target: Path, scratch: Path) -> None:
        own = {"library.lib": library.text, "constraints.txt": constraints}
        synthesise(command, verilog, script, scratch, own)
        shutil.copy(scratch / "netlist.json", target)

    kept = obtain(cache.folder("gates") / f"{key}.json", make)
    return Synthesis(design, library, kept.read_text(encoding="utf-8"), name)


def chosen_top(design: Path, top: str | None) -> str:
    """The option of Yosys's `hierarchy` that selects the module."""
    return "-auto-top" if top is None or design.suffix == FDL else f"-top {module_name(top)}"


def verilog_of(design: Path, top: str | None) -> Path:
    """The Verilog of a design; FDL is exported. Raises as `synthesis` does."""
    if design.suffix == FDL:
        text = _native.fdl_verilog(design, top)
        return paths.kept(f"{design.stem}.v", text)
    if design.suffix not in VERILOG:
        raise InputError(
            f"{design.name} is neither FDL nor Verilog", "give a file named *.fdl, *.v or *.sv"
        )
    try:
        paths.read_bytes(design).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{design} is no text in UTF-8", "give a file in Verilog") from error
    return design
