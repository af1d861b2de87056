"""UML-style documents of the system, drawn from device, register maps, call trees and FDL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.boundary import REPLACEMENT
from cocrypt.coprocessor import Coprocessor
from cocrypt.report.diagrams import Class, Message, classes, machines, sequence

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.calltree import CallTree
    from cocrypt.device import Device, Memory

MOST_REGISTERS = 8
DEPTH = 6
"""Levels to which calls are followed."""


def class_diagram(device: Device, coprocessors: list[Path], drivers: list[str]) -> str:
    """The system as classes that use each other, with parameters and registers as members."""
    core = device.core.title
    kinds = tuple(
        peripheral.kind for peripheral in device.peripherals if peripheral.kind != "coprocessor"
    )
    drawn = [
        Class("Software", ("ecdsa_sign()", "point_multiply()", "…"), 0, ("Driver", core)),
        Class("Driver", tuple(f"{name}()" for name in sorted(drivers)), 0, (core,)),
        Class(core, _parameters(device), 1, ("Bus",), "«core»"),
        Class("Bus", _bus(device), 2, _reached(device, coprocessors), "«bus»"),
        *map(_memory, device.memories),
        *map(_coprocessor, coprocessors),
        Class("Peripherals", kinds, 3, (), "«peripheral»"),
    ]
    return classes(drawn, "classes of the system")


def _memory(memory: Memory) -> Class:
    waits = (f"fetch_wait = {memory.fetch_wait}", f"data_wait = {memory.data_wait}")
    return Class(memory.name, (f"size = {memory.size:#x}", *waits), 3, (), "«memory»")


def _coprocessor(path: Path) -> Class:
    values = _native.load_coprocessor(path)
    registers = [_register(register) for register in values["registers"]]
    shown = (*registers[:MOST_REGISTERS], *("…",) * (len(registers) > MOST_REGISTERS))
    return Class(values["name"], shown, 3, (), "«coprocessor»")


def _reached(device: Device, coprocessors: list[Path]) -> tuple[str, ...]:
    return (*_memories(device), *_names(coprocessors), "Peripherals")


def _parameters(device: Device) -> tuple[str, ...]:
    return tuple(name for name, value in device.parameters.items() if value)


def _bus(device: Device) -> tuple[str, ...]:
    return (f"wait = {device.bus.wait}", f"burst_wait = {device.bus.burst_wait}")


def _memories(device: Device) -> list[str]:
    return [memory.name for memory in device.memories]


def _names(coprocessors: list[Path]) -> list[str]:
    return [Coprocessor.load(path).name for path in coprocessors]


def _register(register: dict[str, Any]) -> str:
    words = f"[{register['words']}]" if register["words"] > 1 else ""
    return f"{register['name']}{words}: {register['role']}"


def call_sequence(tree: CallTree, start: str, coprocessor: str, title: str) -> str:
    """The calls from a function on with their counts, down to the coprocessor's driver."""
    root = next(number for number, node in enumerate(tree.nodes) if _name(node) == start)
    calls: list[tuple[str, str, int]] = []
    _follow(tree, root, calls, 0)
    merged: dict[tuple[str, str], int] = {}
    for source, target, count in calls:
        merged[source, target] = merged.get((source, target), 0) + count
    names = list(dict.fromkeys([start, *(target for _, target in merged)]))
    drivers = [name for name in names if name.startswith(f"{coprocessor}_")]
    names = [name for name in names if name not in drivers]
    columns = {name: number for number, name in enumerate(names)}
    messages = [
        Message(columns[source], columns[target], f"{count:,} ×")
        for (source, target), count in merged.items()
        if source in columns and target in columns
    ]
    hardware = len(names)
    reached: dict[str, int] = {}
    for (source, target), count in merged.items():
        if target in drivers and source in columns:
            reached[source] = reached.get(source, 0) + count
    messages += [
        Message(columns[source], hardware, f"{count:,} transactions")
        for source, count in reached.items()
    ]
    return sequence([*names, coprocessor], messages, title)


def _name(node: Any) -> str:  # noqa: ANN401 - a node is JSON.
    return str(node["name"]).removeprefix(REPLACEMENT)


def _follow(tree: CallTree, number: int, calls: list[tuple[str, str, int]], depth: int) -> None:
    """Adds the calls below a node, down to `DEPTH` levels and to the `map_` functions."""
    for index, node in enumerate(tree.nodes):
        if node["parent"] != number or node["inlined"]:
            continue
        if _name(node).startswith(("field_", "wipe", "mem")):
            continue
        calls.append((_name(tree.nodes[number]), _name(node), int(node["calls"])))
        if depth < DEPTH and not _name(node).startswith("map_"):
            _follow(tree, index, calls, depth + 1)


def state_machine(coprocessor: Path, words: tuple[str, ...]) -> str:
    """The first state of a coprocessor's controller, and those named by one of the words."""
    unit = Coprocessor.load(coprocessor)
    return "".join(drawn for _, drawn in machines(unit.design, unit.top, words))
