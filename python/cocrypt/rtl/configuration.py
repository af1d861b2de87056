"""What is fixed when the RTL system is compiled, and what is chosen when it runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_MEMORY = 0x2_0000


@dataclass(frozen=True, slots=True)
class Configuration:
    """Parameters of `systems/picorv32`, named as the core names them; sizes in bytes, 0 for absent.

    The memory starts at address 0. The coprocessor's window counts only when one is built in.
    """

    enable_regs_dualport: bool = True
    two_stage_shift: bool = True
    barrel_shifter: bool = False
    two_cycle_compare: bool = False
    two_cycle_alu: bool = False
    compressed_isa: bool = False
    enable_mul: bool = False
    enable_fast_mul: bool = False
    enable_div: bool = False
    memory_size: int = DEFAULT_MEMORY
    console_base: int = 0x8000_0000
    console_size: int = 0x10
    counter_base: int = 0x8000_0010
    counter_size: int = 0x10
    exit_base: int = 0x8000_0020
    exit_size: int = 0x10
    coprocessor_base: int = 0x8001_0000
    coprocessor_size: int = 0x1000

    def core_parameters(self) -> dict[str, bool]:
        """List the core's own parameters, by their names in its Verilog."""
        values = self.verilog_parameters()
        return {name: value for name, value in values.items() if isinstance(value, bool)}

    def verilog_parameters(self) -> dict[str, bool | int]:
        """List all parameters, by their names in the Verilog."""
        return {field.name.upper(): getattr(self, field.name) for field in fields(self)}

    @property
    def identifier(self) -> str:
        """A short name that only an equal configuration has; fit for C++."""
        text = repr(self.verilog_parameters())
        return "p" + hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        base = _DEFAULTS.verilog_parameters()
        changed = (
            f"{name}={int(value)}" for name, value in self.verilog_parameters().items()
            if value != base[name]
        )  # fmt: skip
        return " ".join(changed) or "default"


_DEFAULTS = Configuration()


@dataclass(frozen=True, slots=True)
class Waits:
    """Cycles from request to answer: memory's for fetches and for data, and the peripherals'."""

    fetch: int = 1
    data: int = 1
    bus: int = 1

    def __str__(self) -> str:
        return f"fetch_wait={self.fetch} data_wait={self.data} bus_wait={self.bus}"


def from_device(device: Mapping[str, Any]) -> tuple[Configuration, Waits]:
    """Find the RTL system of a device as `cocrypt._native.load_device` gives it.

    Raises InputError when the device has something that the RTL system cannot be given.
    """
    name = device["name"]
    if device["core"]["name"] != "picorv32":
        raise InputError(f"{name}: there is no RTL system for the core {device['core']['name']}")
    memories = device["memories"]
    if len(memories) != 1 or memories[0]["base"] != 0 or memories[0]["kind"] != "ram":
        raise InputError(
            f"{name}: the RTL system has exactly one RAM, at address 0",
            "describe the device with one [[memory]] whose base is 0",
        )
    memory = memories[0]
    values: dict[str, Any] = {
        key.lower(): bool(value) for key, value in device["parameters"].items()
    }
    values["memory_size"] = memory["size"]
    values |= _windows(name, device["peripherals"])
    waits = Waits(memory["fetch_wait"], memory["data_wait"], device["bus"]["wait"])
    return Configuration(**values), waits


def _windows(name: str, peripherals: list[Mapping[str, Any]]) -> dict[str, int]:
    windows = {f"{kind}_size": 0 for kind in ("console", "counter", "exit", "coprocessor")}
    for peripheral in peripherals:
        kind = peripheral["kind"]
        if windows[f"{kind}_size"]:
            raise InputError(f"{name}: the RTL system has one {kind} at most")
        windows |= {f"{kind}_base": peripheral["base"], f"{kind}_size": peripheral["size"]}
    return windows
