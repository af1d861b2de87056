"""Flat netlists in Yosys's JSON, as values that can be changed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Bit = int | str
"""A net, or one of the constants "0" and "1"."""
FLIP_FLOP = "$_DFF_P_"
"""Yosys's own cell for a flip-flop with a rising clock edge; its pins are `D`, `C` and `Q`."""

SCOPE = "$scopeinfo"
"""Yosys's cell that names a module which was flattened."""
DESCRIBED = {"blackbox", "whitebox"}
"""Attributes of modules that are descriptions of cells."""


@dataclass(frozen=True)
class Port:
    """A port, its lowest bit first."""

    name: str
    is_output: bool
    bits: tuple[Bit, ...]


@dataclass(frozen=True)
class Cell:
    """A cell with its nets by pin."""

    name: str
    kind: str
    pins: Mapping[str, Bit]
    outputs: frozenset[str]

    @property
    def output(self) -> str:
        """The pin of its only output."""
        (pin,) = self.outputs
        return pin


@dataclass
class Netlist:
    """A module of cells; nets are numbered from 2, as in Yosys."""

    name: str
    ports: list[Port] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    nets: int = 2

    @classmethod
    def parse(cls, text: str, outputs: Mapping[str, str]) -> Netlist:
        """The only module of a text that Yosys has written; `outputs` has the pin of each kind.

        Raises `InputError` for a bidirectional port.
        """
        # Newer versions of Yosys keep descriptions of cells, as they do black boxes.
        modules = {
            name: module
            for name, module in json.loads(text)["modules"].items()
            if not DESCRIBED & module.get("attributes", {}).keys()
        }
        ((name, module),) = modules.items()
        for port, values in module["ports"].items():
            if values["direction"] == "inout":
                raise InputError(
                    f"the port `{port}` of {name} is bidirectional",
                    "divide it into an input and an output",
                )
        ports = [
            Port(port, values["direction"] == "output", tuple(values["bits"]))
            for port, values in module["ports"].items()
        ]
        cells = [
            _cell(cell, values, outputs)
            for cell, values in module["cells"].items()
            if values["type"] != SCOPE
        ]
        names = {
            f"{net}[{index}]" if len(values["bits"]) > 1 else net: bit
            for net, values in module["netnames"].items()
            for index, bit in enumerate(values["bits"])
            if isinstance(bit, int)
        }
        used = [bit for port in ports for bit in port.bits if isinstance(bit, int)]
        used += [bit for cell in cells for bit in cell.pins.values() if isinstance(bit, int)]
        return cls(name, ports, cells, names, max(used, default=1) + 1)

    def require_known(self, outputs: Mapping[str, str]) -> None:
        """Raises `InputError` for a cell that is neither a register nor one of those kinds."""
        for cell in self.cells:
            if cell.kind != FLIP_FLOP and cell.kind not in outputs:
                raise InputError(
                    f"{self.name} has a cell `{cell.name}` of the kind `{cell.kind}`, which is no "
                    "logic",
                    "describe it in Verilog that can be synthesised, or leave it out",
                )

    def net(self, name: str) -> int:
        """A further net."""
        self.nets += 1
        self.names[name] = self.nets - 1
        return self.nets - 1

    def add(self, kind: str, pins: Mapping[str, Bit], outputs: Iterable[str]) -> None:
        """Adds a cell."""
        self.cells.append(Cell(f"g{len(self.cells)}", kind, dict(pins), frozenset(outputs)))

    def text(self) -> str:
        """The netlist in Yosys's JSON."""
        module = {
            "ports": {port.name: _port(port) for port in self.ports},
            "cells": {cell.name: _values(cell) for cell in self.cells},
            "netnames": {name: {"bits": [bit]} for name, bit in self.names.items()},
        }
        return json.dumps({"modules": {self.name: module}})


def _cell(name: str, values: dict[str, Any], outputs: Mapping[str, str]) -> Cell:
    pins = {pin: bits[0] for pin, bits in values["connections"].items()}
    kind = values["type"]
    return Cell(name, kind, pins, frozenset({outputs[kind]} if kind in outputs else ()))


def _port(port: Port) -> dict[str, Any]:
    return {"direction": "output" if port.is_output else "input", "bits": list(port.bits)}


def _values(cell: Cell) -> dict[str, Any]:
    return {
        "type": cell.kind,
        "port_directions": {pin: "output" if pin in cell.outputs else "input" for pin in cell.pins},
        "connections": {pin: [bit] for pin, bit in cell.pins.items()},
    }
