"""`cocrypt run`: the figures of one run of an image."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import house, measurement, records
from cocrypt.cli import output
from cocrypt.cli.output import DeviceOption, JsonOption, MaxCyclesOption
from cocrypt.measurement import MAX_CYCLES
from cocrypt.study import Device

if TYPE_CHECKING:
    from rich.table import Table

ImageArgument = Annotated[Path, typer.Argument(metavar="IMAGE", help="An ELF file.")]
CoprocessorOption = Annotated[
    list[Path] | None,
    typer.Option("--coprocessor", "-c", metavar="FILE", help="A register map, on the bus."),
]


def command(
    image: ImageArgument,
    device: DeviceOption,
    coprocessor: CoprocessorOption = None,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Run an image on a device; print cycles, instructions, ROM, RAM, stack and energy."""
    on, result = simulate(image, device, coprocessor or [], max_cycles)
    values = records.run(on, str(image), result)
    if as_json:
        output.print_json(values)
    else:
        _show_console(result.values["console"])
        output.print_table(_table(values))
    measurement.require_clean(result)


def simulate(
    image: Path, device: str, coprocessors: list[Path], max_cycles: int
) -> tuple[Device, measurement.Run]:
    """Runs an image that the user named."""
    on = Device.load(house.device(device))
    content = house.read_bytes(image)
    return on, measurement.run(on, content, str(image), coprocessors, max_cycles)


def _show_console(text: bytes) -> None:
    """What the program printed is data too, and comes first."""
    if text:
        sys.stdout.write(text.decode("utf-8", "replace"))
        sys.stdout.write("" if text.endswith(b"\n") else "\n")
        sys.stdout.flush()


def _table(values: dict[str, Any]) -> Table:
    made = output.table(f"{values['image']['name']} on {values['device']}", "figure", "value")
    energy = values["energy_J"]
    stack = values["stack"]
    made.add_row("cycles", f"{values['cycles']:,}")
    made.add_row("instructions", f"{values['instructions']:,}")
    made.add_row("ROM, bytes", f"{values['rom']:,}")
    made.add_row("RAM, bytes", f"{values['ram']:,}")
    made.add_row("stack, bytes", "unknown" if stack is None else f"{stack:,}")
    made.add_row("energy, J", "unknown" if energy is None else f"{energy:.4g}")
    made.add_row("host seconds", f"{values['host']['seconds']:.3f}")
    return made
