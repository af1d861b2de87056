"""`cocrypt run`: the figures of one run of an image."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cocrypt import measurement, records
from cocrypt.cli import output, simulation
from cocrypt.cli.output import DeviceOption, JsonOption, MaxCyclesOption
from cocrypt.cli.simulation import (
    CoprocessorOption,
    HostCallsOption,
    ImageArgument,
    InputOption,
    LoadAddressOption,
)
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from rich.table import Table


def command(
    image: ImageArgument,
    device: DeviceOption,
    coprocessor: CoprocessorOption = None,
    load_address: LoadAddressOption = None,
    console_input: InputOption = None,
    semihosting: HostCallsOption = False,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Run an image on a device; print cycles, instructions, ROM, RAM, stack and energy."""
    machine = simulation.machine(
        image,
        device,
        coprocessors=coprocessor,
        load_address=load_address,
        console_input=console_input,
        host_calls=semihosting,
    )
    result = simulation.simulate(machine, max_cycles)
    values = records.run(machine.device, str(image), result)
    if as_json:
        output.print_json(values)
    else:
        _show_console(result.values["console"])
        output.print_table(_table(values))
    measurement.require_clean(result)


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
    for before, after in zip(values["marks"], values["marks"][1:], strict=False):
        label = f"mark {before['value']:#x} to {after['value']:#x}, cycles"
        made.add_row(label, f"{after['cycle'] - before['cycle']:,}")
    return made
