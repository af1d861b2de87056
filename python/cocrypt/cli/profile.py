"""`cocrypt profile`: which function the cycles of a run go to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt import measurement, records
from cocrypt.cli import output
from cocrypt.cli.output import DeviceOption, JsonOption, MaxCyclesOption
from cocrypt.cli.run import CoprocessorOption, ImageArgument, simulate
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from rich.table import Table


def command(
    image: ImageArgument,
    device: DeviceOption,
    coprocessor: CoprocessorOption = None,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Run an image on a device; print its functions by their own cycles."""
    on, result = simulate(image, device, coprocessor or [], max_cycles)
    values = records.profile(on, str(image), result)
    if as_json:
        output.print_json(values)
    else:
        output.print_table(_table(values))
    measurement.require_clean(result)


def _table(values: dict[str, Any]) -> Table:
    title = f"{values['image']['name']} on {values['device']}: {values['total_cycles']:,} cycles"
    made = output.table(title, "function", "calls", "own cycles", "%")
    for one in values["functions"]:
        share = 100 * one["self_cycles"] / max(1, values["total_cycles"])
        name = one["name"] or f"{one['address']:#010x}"
        made.add_row(name, f"{one['calls']:,}", f"{one['self_cycles']:,}", f"{share:.2f}")
    return made
