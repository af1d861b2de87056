"""`cocrypt devices`: the devices that come with cocrypt."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.device import Device

if TYPE_CHECKING:
    from cocrypt.device.parts import Memory

COLUMNS = (
    key("device"),
    text("title"),
    text("core"),
    figure("MHz"),
    figure("fetch wait", spare=2),
    figure("data wait", spare=3),
    figure("bus wait", spare=4),
    figure("active W", spare=1),
)


def command(as_json: JsonOption = False) -> None:
    """List the devices, with core, clock and waits."""
    devices = [Device.load(path) for path in paths.devices().values()]
    if as_json:
        output.print_json({"devices": [_record(device) for device in devices]})
        return
    table = output.table("Devices", *COLUMNS)
    for device in devices:
        table.add_row(*_cells(device))
    output.print_table(table)


def _record(device: Device) -> dict[str, object]:
    return {
        "name": device.name,
        "title": device.title,
        "core": device.core.name,
        "clock_hz": device.clock_hz,
        "parameters": device.parameters,
        "memories": [_memory(memory) for memory in device.memories],
        "bus_wait": device.bus.wait,
        "active_W": device.power.active_W,
    }


def _memory(memory: Memory) -> dict[str, object]:
    """A memory without the addresses at which it is seen elsewhere."""
    return {key: value for key, value in asdict(memory).items() if key != "alias"}


def _cells(device: Device) -> list[str]:
    memory, active = device.memories[0], device.power.active_W
    waits = [str(memory.fetch_wait), str(memory.data_wait), str(device.bus.wait)]
    power = "unknown" if active is None else f"{active:g}"
    clock = f"{device.clock_hz / 1e6:g}"
    return [device.name, device.title, device.core.name, clock, *waits, power]
