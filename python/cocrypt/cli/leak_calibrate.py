"""`cocrypt leak calibrate DEVICE`: energies of instructions and bits from the gates of its core."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import paths
from cocrypt.cli import choosing, output
from cocrypt.cli.leak_trace import primitive_target
from cocrypt.cli.output import JsonOption
from cocrypt.cli.synth import DelaysOption, LibraryOption, WireOption
from cocrypt.cli.tables import figure, key
from cocrypt.errors import InputError, ProgramError
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import Delays
from cocrypt.gates.synthesis import Wires
from cocrypt.paths import USUAL_DEVICE

if TYPE_CHECKING:
    from cocrypt.leakage.calibration import Calibration, Program

PICO = 1e-12
CHECKED = "aes128/ref"
KINDS = (
    key("kind"),
    figure("instructions"),
    figure("pJ"),
    figure("deviation"),
    figure("R²"),
    figure("between runs"),
    figure("residual"),
)
CHECKS = (
    key("program"),
    figure("instructions"),
    figure("differing runs"),
    figure("correlation"),
    figure("between runs"),
    figure("of `hamming`"),
    figure("energy off by"),
    figure("by classes"),
)


def calibrate(
    device: Annotated[
        str, typer.Argument(metavar="DEVICE", help="A device; its core must be one with gates.")
    ] = USUAL_DEVICE,
    library: LibraryOption = libraries.USUAL,
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check", metavar="PRIMITIVE", help="A program to predict; aes128/ref; repeatable."
        ),
    ] = None,
    programs: Annotated[
        int, typer.Option("--programs", min=1, metavar="N", help="Random programs to fit.")
    ] = 12,
    instructions: Annotated[
        int, typer.Option("--instructions", min=50, metavar="N", help="Instructions of each.")
    ] = 400,
    runs: Annotated[
        int, typer.Option("--runs", "-n", min=2, metavar="N", help="Runs of each program.")
    ] = 32,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="The seed of programs and data.")
    ] = 0,
    wire: WireOption = "5,3",
    delay: DelaysOption = "none",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write model.toml and device.toml there."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit a leakage model and energies of instructions to the gates of a device's core.

    The core's netlist runs random programs with many data, each cycle with its energy, and least
    squares give the energy of each kind of instructions and of the bits that it sets and changes.
    Cycles, addresses and data of every run must be those of the core's model. A program that was
    not fitted shows how well the weights predict. `leak trace --model` reads model.toml, and
    `run` and `measure` print energies with device.toml.
    """
    # NumPy is loaded only where it is used.
    from cocrypt.gates.core import core_netlist
    from cocrypt.leakage import calibrated
    from cocrypt.leakage.calibration import Size, record
    from cocrypt.leakage.calibration import calibrate as fit

    chosen = choosing.devices([device])[0]
    wires, delays, cells = Wires.parse(wire), Delays.parse(delay), libraries.load(library)
    if folder is not None:
        calibrated.require_without_power(chosen)
    others = [_program(word, device) for word in check or [CHECKED]]
    began = time.monotonic()
    with output.waiting(f"synthesising the core of {chosen.name}"):
        netlist = core_netlist(chosen, cells)
    with output.progress("the netlist is kept") as step:
        size = Size(programs, instructions, runs, seed)
        found = fit(netlist, others, size, step, wires, delays)
    if folder is not None:
        for name, text in (
            (calibrated.MODEL, calibrated.model(found)),
            (calibrated.DEVICE, calibrated.device(found)),
        ):
            paths.write_image(folder / name, text.encode())
    if as_json:
        host = {"seconds": time.monotonic() - began}
        output.print_json({**record(found), "host": host})
    else:
        _show(found)
    different = found.different + sum(each.different for each in found.checks)
    if different:
        raise ProgramError(
            f"in {different:,} runs the netlist does something else than the model of the core",
            "compare core and model by `cocrypt verify`; do not use these weights",
        )


def _program(word: str, device: str) -> Program:
    """A primitive's operation, whose inputs are drawn."""
    from cocrypt.leakage.calibration import Program

    target = primitive_target(word, device, None, None, None)
    given = dict(target.constants)
    inputs = [memory for role, memory in target.ranges.items() if role in given]
    if not inputs:
        raise InputError(f"{target.title} has no input that could vary", "name another by --check")
    start = target.machine.address(target.function)
    ranges = tuple((memory.address, memory.size) for memory in inputs)
    return Program(f"{target.title} {target.function}", target.machine, start, ranges)


def _show(found: Calibration) -> None:
    # NumPy is loaded only where it is used.
    from cocrypt.leakage.fit import stated

    made, device = found.netlist.synthesis, found.netlist.device
    table = output.table(f"Energies of {device.name} as gates of {made.library.name}", *KINDS)
    for fit in found.fits.values():
        explained = (_shown(fit.r_squared), _shown(fit.between_runs))
        spread = (f"{fit.mean / PICO:.3f}", f"{fit.deviation / PICO:.3f}")
        table.add_row(
            fit.kind, f"{fit.instructions:,}", *spread, *explained, f"{fit.residual / PICO:.3f}"
        )
    output.print_table(table)
    print(
        f"all: R² {stated(found.r_squared)}, between runs {stated(found.between_runs)}, "
        f"residual {found.residual / PICO:.3f} pJ"
    )
    print(f"clock: {found.clock / PICO:.3f} pJ a cycle, {found.clock_power * 1e6:.1f} µW")
    checks = output.table("Predictions of programs that were not fitted", *CHECKS)
    for row in _rows(found):
        checks.add_row(*row)
    output.print_table(checks)
    if _has_unknown(found):
        print("-: unknown, since nothing varies, or since runs take several paths")
    print(f"runs of the fit: {found.runs:,}, of which {found.different:,} differ from the model")
    print(f"{found.delays.title}; made by {made.yosys}; hash {found.netlist.digest}")


def _has_unknown(found: Calibration) -> bool:
    """Returns true if a table has a figure that cannot be computed."""
    shares = [share for fit in found.fits.values() for share in (fit.r_squared, fit.between_runs)]
    for each in found.checks:
        shares += [each.correlation, each.between_runs, each.hamming]
    return None in shares


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _rows(found: Calibration) -> list[Any]:
    return [
        (
            each.name,
            f"{each.instructions:,}",
            f"{each.different:,} of {each.runs:,}",
            _shown(each.correlation),
            _shown(each.between_runs),
            _shown(each.hamming),
            f"{each.error:+.2%}",
            f"{each.class_error:+.2%}",
        )
        for each in found.checks
    ]
