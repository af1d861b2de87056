"""`cocrypt synth`: a design as gates of a cell library, with its area and longest path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cocrypt import paths
from cocrypt.cli import output, tables
from cocrypt.cli.output import JsonOption
from cocrypt.gates import library as libraries
from cocrypt.gates.check import check
from cocrypt.gates.glitches import Delays
from cocrypt.gates.synthesis import Wires, synthesis

LibraryOption = Annotated[
    str,
    typer.Option(
        "--library",
        "-l",
        metavar="NAME|FILE",
        help="`generic180` with assumed figures, `osu018` if it is installed, or a Liberty file.",
    ),
]
WireOption = Annotated[
    str,
    typer.Option(
        "--wire",
        metavar="BASE,FANOUT",
        help="Capacitance of a net's wire, and more for each pin that it leads to, fF.",
    ),
]
DelaysOption = Annotated[
    str,
    typer.Option(
        "--delays",
        metavar="none|unit|TICK",
        help="Glitches in energies: of equal delays, or of the library's in steps such as 10ps.",
    ),
]


def command(
    design: Annotated[Path, typer.Argument(metavar="DESIGN", help="A file in FDL or Verilog.")],
    top: Annotated[
        str | None,
        typer.Option("--top", metavar="NAME", help="The datapath or module; else the outermost."),
    ] = None,
    library: LibraryOption = libraries.USUAL,
    wire: WireOption = "5,3",
    delay: DelaysOption = "none",
    runs: Annotated[
        int,
        typer.Option(
            "--check",
            metavar="RUNS",
            min=0,
            help="Compare the netlist with the design in FDL on so many runs with random inputs.",
        ),
    ] = 0,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the netlist in Verilog."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Synthesise a design; print area, cells, longest path and energy of a cycle.

    Yosys and ABC map the design to the cells of a library, the longest path follows from the
    library's tables, and the energy from toggles with random inputs. Netlists are kept by the
    content of design and library.
    """
    wires, delays, chosen = Wires.parse(wire), Delays.parse(delay), libraries.load(library)
    with output.waiting(f"synthesising {design.name}"):
        made = synthesis(design, top, chosen)
    if runs:
        with output.progress("the netlist") as progress:
            check(made, top, runs, progress)
    if target is not None:
        paths.write_text(target, made.verilog())
    values = {**made.report(wires), "energy": made.energy(wires, delays)}
    if as_json:
        assumed = {"base_F": wires.base, "fanout_F": wires.fanout}
        output.print_json(
            {
                **values,
                "wires": assumed,
                "delays": delays.record,
                "yosys": made.yosys,
                "checked_runs": runs,
            }
        )
        return
    _print(values)
    print(f"energy: {delays.title}")
    print(f"made by {made.yosys}; wires are assumed: {wire} fF a net and a pin")
    if runs:
        print(f"computes what the design does in {runs:,} runs with random inputs")


def _print(values: dict[str, Any]) -> None:
    ge = values["area_GE"]
    equivalents = "GE unknown, no NAND of two inputs" if ge is None else f"{ge:,.1f} GE"
    count = sum(values["cells"].values())
    print(f"{values['name']} with {values['library']}: {count:,} cells")
    print(f"area: {values['area']:,.1f} µm², {equivalents}")
    print(f"registers: {values['registers_area']:,.1f} µm²")
    _print_timing(values)
    mean, deviation = values["energy"]["mean_J"], values["energy"]["deviation_J"]
    if mean is not None:
        print(
            f"energy of a cycle with random inputs: {mean * 1e12:.3f} pJ, "
            f"standard deviation {deviation * 1e12:.3f} pJ"
        )
    table = output.table("Cells", "cell", "number")
    for name, number in values["cells"].items():
        table.add_row(name, f"{number:,}")
    output.print_table(table)


def _print_timing(values: dict[str, Any]) -> None:
    period, reason = values["period_s"], values["period_unknown"]
    if period is None:
        print("longest path: none" if reason is None else f"longest path: not known, {reason}")
        return
    # A design of wires alone has paths without a delay.
    most = f", at most {1e-6 / period:,.1f} MHz" if period > 0 else ""
    print(f"longest path: {period * 1e9:.3f} ns{most}")
    output.print_table(_path(values["path"]))


def _path(steps: list[dict[str, Any]]) -> tables.Plain:
    columns = (tables.key("net"), tables.text("cell"), tables.text("edge"), tables.figure("ns"))
    table = output.table("Longest path", *columns)
    for step in steps:
        edge = "rises" if step["rises"] else "falls"
        cell = step["cell"] or "input"
        table.add_row(step["net"], cell, edge, f"{step['arrival_s'] * 1e9:.3f}")
    return table
