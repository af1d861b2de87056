"""`cocrypt harden`: a design in two rails, whose power depends less on its data."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import paths
from cocrypt.cli import output, tables
from cocrypt.cli.output import JsonOption
from cocrypt.cli.synth import DelaysOption, LibraryOption, WireOption
from cocrypt.errors import InputError
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import Delays
from cocrypt.gates.hardening import hardened
from cocrypt.gates.proof import USUAL_LIMIT
from cocrypt.gates.synthesis import Wires

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_DATA = 1_000_000
"""Data of all runs together, whose values are kept in memory."""


class Style(StrEnum):
    """The logic styles of hardened netlists."""

    WDDL = "wddl"


class Registers(StrEnum):
    """The forms of registers; see `cocrypt.gates.wddl`."""

    MASTER_SLAVE = "master-slave"
    GATED = "gated"


def command(
    design: Annotated[Path, typer.Argument(metavar="DESIGN", help="A file in FDL or Verilog.")],
    style: Annotated[
        Style, typer.Option("--style", help="`wddl`: wave dynamic differential logic.")
    ] = Style.WDDL,
    registers: Annotated[
        Registers,
        typer.Option(
            "--registers",
            help="`master-slave`: four flip-flops a bit; `gated`: two, with gates behind them.",
        ),
    ] = Registers.MASTER_SLAVE,
    top: Annotated[
        str | None,
        typer.Option("--top", metavar="NAME", help="The datapath or module; else the outermost."),
    ] = None,
    library: LibraryOption = libraries.USUAL,
    wire: WireOption = "5,3",
    delay: DelaysOption = "none",
    mismatch: Annotated[
        float,
        typer.Option(
            "--mismatch",
            metavar="PERCENT",
            min=0,
            max=100,
            help="Random deviation of each wire's capacitance, as a standard deviation.",
        ),
    ] = 0.0,
    runs: Annotated[
        int, typer.Option("--runs", min=1, max=100_000, help="Runs with random inputs.")
    ] = 256,
    cycles: Annotated[
        int,
        typer.Option(
            "--cycles", min=2, max=10_000, help="Data in each run; at most 1,000,000 in all."
        ),
    ] = 16,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**63 - 1, help="Of inputs and wires.")
    ] = 1,
    limit: Annotated[
        float,
        typer.Option(
            "--proof-limit",
            metavar="SECONDS",
            min=1,
            help="The time that ABC may take to compare the rails.",
        ),
    ] = USUAL_LIMIT,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the netlist in Verilog."),
    ] = None,
    with_cells: Annotated[
        bool, typer.Option("--cells", help="Add the behaviour of the cells, for simulators.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Harden a design against power analysis; compare the netlist with the unprotected one.

    Each net becomes two rails of which one is 1 while data are evaluated, and none in the cycle
    between two data. ABC proves both rails equal to the single rail, or the command fails. The
    netlist needs two clock cycles for each datum.
    """
    if runs * cycles > MOST_DATA:
        raise InputError(
            f"{runs:,} runs of {cycles:,} cycles are more than {MOST_DATA:,} data",
            "ask for fewer by --runs or --cycles",
        )
    wires, delays, chosen = Wires.parse(wire), Delays.parse(delay), libraries.load(library)
    with output.waiting(f"hardening {design.name}"):
        made = hardened(design, top, chosen, registers.value, limit)
        values = made.figures(wires, (mismatch / 100, seed), (runs, cycles, seed), delays)
    if target is not None:
        paths.write_text(target, made.verilog(with_cells))
    if as_json:
        assumed = {"base_F": wires.base, "fanout_F": wires.fanout, "mismatch": mismatch / 100}
        stimuli = {"runs": runs, "cycles": cycles, "seed": seed}
        inputs = {"wires": assumed, "delays": delays.record, "stimuli": stimuli}
        tools = {"yosys": made.mapped.yosys}
        output.print_json({**values, "style": style.value, **inputs, **tools})
        return
    _print(values)
    print(f"energy: {delays.title}")
    print(
        f"made by {made.mapped.yosys}; wires are assumed: {wire} fF a net and a pin, "
        f"deviation {mismatch:g} %"
    )


ROWS: tuple[tuple[str, str, str, Callable[[float], str]], ...] = (
    ("area, µm²", "area", "area", "{:,.1f}".format),
    ("area, GE", "area_GE", "", "{:,.1f}".format),
    ("longest path, ns", "period_s", "period", lambda value: f"{value * 1e9:.3f}"),
    ("time of a datum, ns", "interval_s", "interval", lambda value: f"{value * 1e9:.3f}"),
    ("energy of a datum, pJ", "mean_J", "energy", lambda value: f"{value * 1e12:.3f}"),
    ("its deviation, pJ", "deviation_J", "", lambda value: f"{value * 1e12:.4f}"),
    ("deviation / mean, %", "normalised_deviation", "", lambda value: f"{value * 100:.4f}"),
)


def _print(values: dict[str, Any]) -> None:
    columns = (tables.key(""), *(tables.figure(word) for word in ("single", "wddl", "ratio")))
    table = output.table(f"{values['name']} with {values['library']}", *columns)
    for title, key, ratio, shown in ROWS:
        figures = [values[name][key] for name in ("single", "double")]
        factor = values["ratios"].get(ratio)
        table.add_row(
            title,
            *("unknown" if figure is None else shown(figure) for figure in figures),
            "" if factor is None else f"{factor:.2f}",
        )
    output.print_table(table)
    if values["ratios"]["variation"] is not None:
        print(
            f"the relative deviation is {values['ratios']['variation']:,.1f} times smaller, "
            "in this model and with random inputs"
        )
    proof = values["proof"]
    print("checked: the ports and flip-flops of the netlist are those that the proofs are about")
    print(
        f"proven by ABC: both rails of {proof['outputs']:,} outputs and register inputs are "
        "those of the single rail"
    )
    print(
        "proven by evaluation: precharge reaches all rails, and `init` leaves valid codes in all "
        "registers from every state"
    )
