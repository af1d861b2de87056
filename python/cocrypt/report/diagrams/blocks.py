"""The system as blocks: core, memories and bus devices, with the settings of their cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.report.diagrams.svg import LINE, box, line, picture, text, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.coprocessor import Coprocessor
    from cocrypt.device import Device, Peripheral

GAP = 22
SMALL = ("counter", "exit", "marks", "timer")


def system(device: Device, coprocessors: Sequence[Coprocessor]) -> str:
    """The device with these coprocessors on it."""
    above = [_core(device), *_memories(device)]
    below = [*_coprocessors(device, coprocessors), *_peripherals(device)]
    return _drawn(above, below, f"the system {device.name}", _bus(device))


Block = tuple[list[str], str]
"""Lines of text, the first of them a heading, and the kind of box."""


def _core(device: Device) -> Block:
    parameters = [name for name, value in device.parameters.items() if value]
    isa = f"{device.target.title}, {device.clock_hz / 1e6:g} MHz"
    options = [", ".join(parameters[:2]), ", ".join(parameters[2:4])] if len(parameters) < 5 else []
    return [device.core.title, isa, *filter(None, options)], "box core"


def _memories(device: Device) -> list[Block]:
    return [
        (
            [
                f"{memory.name}, {memory.size // 1024} KiB",
                f"at {memory.base:#x}",
                f"fetch {memory.fetch_wait}, data {memory.data_wait} cycles",
            ],
            "box",
        )
        for memory in device.memories
    ]


def _coprocessors(device: Device, coprocessors: Sequence[Coprocessor]) -> list[Block]:
    ratio = device.coprocessor_clock
    is_own = ratio.multiply != ratio.divide
    clock = [f"clock {ratio.multiply}/{ratio.divide}"] if is_own else []
    attached = device.attached(coprocessor.path for coprocessor in coprocessors)
    blocks: list[Block] = []
    for (_, port), coprocessor in zip(attached, coprocessors, strict=False):
        language = "Verilog" if coprocessor.is_verilog else "FSMD"
        lines = [coprocessor.name, f"coprocessor, {language}", _place(device, port), *clock]
        blocks.append((lines, "box hardware"))
    return blocks


def _place(device: Device, port: Peripheral) -> str:
    links = [each for each in device.ports if each.kind == "link"]
    return f"at link {links.index(port)}" if port in links else f"at {port.base:#x}"


def _peripherals(device: Device) -> list[Block]:
    kinds = [peripheral.kind for peripheral in device.peripherals if peripheral not in device.ports]
    small = [kind for kind in kinds if kind in SMALL]
    blocks: list[Block] = [([kind], "box") for kind in kinds if kind not in SMALL]
    return [*blocks, (["peripherals", ", ".join(small)], "box")] if small else blocks


def _bus(device: Device) -> str:
    bus = device.bus
    burst = f", {bus.burst_wait} in a burst" if bus.burst_wait != bus.wait else ""
    return f"bus: {bus.wait} cycles from request to answer{burst}"


def _drawn(above: list[Block], below: list[Block], title: str, bus: str) -> str:
    rows = [above, below]
    widths = [[max(map(wide, lines)) + 26 for lines, _ in row] for row in rows]
    heights = [max(len(lines) for lines, _ in row) * LINE + 16 if row else 0 for row in rows]
    width = max(sum(row) + GAP * (len(row) + 1) for row in (*widths, [wide(bus) + 20]))
    middle = 12 + heights[0] + 34
    parts = [box(GAP / 2, middle - 11, width - GAP, 22, "bus"), text(width / 2, middle, bus)]
    tops = [12.0, middle + 11 + 34.0]
    for row, sizes, top, height, edge in zip(
        rows, widths, tops, heights, (middle - 11, middle + 11), strict=True
    ):
        x = (width - sum(sizes) - GAP * (len(row) - 1)) / 2
        for (lines, kind), size in zip(row, sizes, strict=True):
            centre = x + size / 2
            near = top + height if top < middle else top
            parts.append(line(centre, near, centre, edge, tip="tip", start="tip"))
            parts.append(box(x, top, size, height, kind))
            first = top + height / 2 - (len(lines) - 1) * LINE / 2
            for number, words in enumerate(lines):
                emphasis = "strong" if number == 0 else "quiet"
                parts.append(text(centre, first + number * LINE, words, kind=emphasis))
            x += size + GAP
    return picture(width, tops[1] + heights[1] + 12, parts, title)
