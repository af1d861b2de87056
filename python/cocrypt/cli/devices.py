"""`cocrypt devices`: the devices that come with cocrypt."""

from __future__ import annotations

from cocrypt import house
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.study import Device


def command(as_json: JsonOption = False) -> None:
    """List the devices, with core, clock and waits."""
    known = [Device.load(path) for path in house.devices().values()]
    if as_json:
        output.print_json({"devices": [_record(device) for device in known]})
        return
    columns = ("title", "core", "MHz", "fetch wait", "data wait", "bus wait", "active W")
    made = output.table("Devices", "device", *columns, left=3)
    for device in known:
        made.add_row(*_cells(device))
    output.print_table(made)


def _record(device: Device) -> dict[str, object]:
    memories = ("name", "kind", "base", "size", "fetch_wait", "data_wait")
    return {
        "name": device.name,
        "title": device.title,
        "core": device.values["core"]["name"],
        "clock_hz": device.clock_hz,
        "parameters": device.values["parameters"],
        "memories": [{key: one[key] for key in memories} for one in device.values["memories"]],
        "bus_wait": device.bus_wait,
        "active_W": device.active_W,
    }


def _cells(device: Device) -> list[str]:
    memory = device.values["memories"][0]
    waits = [str(memory["fetch_wait"]), str(memory["data_wait"]), str(device.bus_wait)]
    power = "unknown" if device.active_W is None else f"{device.active_W:g}"
    core = device.values["core"]["name"]
    return [device.name, device.title, core, f"{device.clock_hz / 1e6:g}", *waits, power]
