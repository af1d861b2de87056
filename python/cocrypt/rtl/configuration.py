"""The parameters of an RTL system when it is compiled, and those when it runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.rtl.systems import cores, has_dma

if TYPE_CHECKING:
    from cocrypt.device import Device

DEFAULT_MEMORY = 0x2_0000
KINDS = ("console", "counter", "exit", "marks", "timer", "coprocessor")


@dataclass(frozen=True, slots=True)
class Configuration:
    """Parameters of a core's RTL system; sizes in bytes, 0 for absent.

    `parameters` are the core's own, named as its Verilog names them; others have its defaults. The
    memory starts at address 0. The coprocessor's window counts only if one is built in.
    `burst_saves` are the cycles that a transfer waits less if it continues the one before it; the
    coprocessor's clock is the core's divided by `clock_divide`; `dma_at` is the address of the DMA
    controller, if there is one.
    """

    core: str
    parameters: tuple[tuple[str, int | bool], ...] = ()
    memory_size: int = DEFAULT_MEMORY
    console_base: int = 0x8000_0000
    console_size: int = 0x10
    counter_base: int = 0x8000_0010
    counter_size: int = 0x10
    exit_base: int = 0x8000_0020
    exit_size: int = 0x10
    marks_base: int = 0x8000_0030
    marks_size: int = 0x10
    timer_base: int = 0x8000_0040
    timer_size: int = 0x10
    coprocessor_base: int = 0x8001_0000
    coprocessor_size: int = 0x1000
    burst_saves: int = 0
    clock_divide: int = 1
    dma_at: int = 0

    @classmethod
    def of(cls, core: str, **parameters: int | bool) -> Configuration:
        """Name a core with parameters, on the usual memory and windows."""
        return cls(core, tuple(sorted(parameters.items())))

    def __getitem__(self, name: str) -> int | bool:
        """Return a parameter's value; False if it was left out."""
        return dict(self.parameters).get(name, False)

    def core_parameters(self) -> dict[str, int | bool]:
        """List the core's own parameters that are set."""
        return dict(self.parameters)

    def verilog_parameters(self) -> dict[str, int | bool]:
        """List all parameters, by their names in the Verilog."""
        windows = {
            field.name.upper(): getattr(self, field.name)
            for field in fields(self)
            if field.name.endswith(("_base", "_size"))
        }
        return self.core_parameters() | windows

    def macros(self) -> dict[str, int]:
        """List the macros of the Verilog, without those that have their default."""
        saves = {"BURST_SAVES": self.burst_saves} if self.burst_saves else {}
        divide = {"CLOCK_DIVIDE": self.clock_divide} if self.clock_divide > 1 else {}
        return saves | divide | ({"DMA_AT": self.dma_at} if self.dma_at else {})

    @property
    def identifier(self) -> str:
        """A short name that only an equal configuration has, as a C++ identifier."""
        parts = (self.core, self.verilog_parameters(), *self.macros().items())
        text = repr(parts)
        return "p" + hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        parameters = [f"{name}={int(value)}" for name, value in self.parameters]
        others = [
            f"{field.name.upper()}={getattr(self, field.name):#x}"
            for field in fields(self)
            if field.name not in ("core", "parameters")
            and getattr(self, field.name) != field.default
        ]
        return " ".join([self.core, *parameters, *others])


@dataclass(frozen=True, slots=True)
class Waits:
    """Cycles from request to answer: memory's for fetches and for data, and the peripherals'."""

    fetch: int = 1
    data: int = 1
    bus: int = 1

    def __str__(self) -> str:
        return f"fetch_wait={self.fetch} data_wait={self.data} bus_wait={self.bus}"


def from_device(device: Device) -> tuple[Configuration, Waits]:
    """Find the RTL system of a device.

    Raises InputError if the device has a feature that the RTL system lacks.
    """
    _require_system(device)
    memory, clock = device.memories[0], device.coprocessor_clock
    dma = [each.base for each in device.peripherals if each.kind == "dma"]
    configuration = Configuration(
        device.core.name,
        _parameters(device),
        memory.size,
        burst_saves=device.bus.wait - device.bus.burst_wait,
        clock_divide=clock.divide // clock.multiply,
        dma_at=dma[0] if dma else 0,
        **_windows(device),
    )
    return configuration, Waits(memory.fetch_wait, memory.data_wait, device.bus.wait)


def _require_system(device: Device) -> None:
    """Raise InputError if the RTL system of the device's core cannot be the device."""
    name, core = device.name, device.core.name
    if core not in cores():
        raise InputError(
            f"{name}: there is no RTL system for the core {core}",
            f"there are systems for: {', '.join(cores())}",
        )
    _require_memory(device)
    controllers = [each for each in device.peripherals if each.kind == "dma"]
    if len(controllers) > has_dma(core):
        count = "one" if has_dma(core) else "no"
        raise InputError(
            f"{name}: the RTL system of {core} has {count} DMA controller",
            "run it on the model",
        )
    if device.coprocessor_clock.divide % device.coprocessor_clock.multiply:
        raise InputError(
            f"{name}: the RTL system's coprocessor has the core's clock, or a whole part of it",
            "choose a clock_multiply of 1",
        )


def _require_memory(device: Device) -> None:
    memories = device.memories
    if len(memories) != 1 or memories[0].base != 0 or memories[0].kind != "ram":
        raise InputError(
            f"{device.name}: the RTL system has exactly one RAM, at address 0",
            "describe the device with one [[memory]] whose base is 0",
        )
    if device.has_caches:
        raise InputError(
            f"{device.name}: the RTL system has no caches but the core's own",
            "take the section [cache] out of the device",
        )


def _parameters(device: Device) -> tuple[tuple[str, int | bool], ...]:
    """The core's parameters as its Verilog takes them."""
    switches = device.core.switches
    return tuple(
        (name, bool(value) if name in switches else int(value))
        for name, value in sorted(device.parameters.items())
    )


def _windows(device: Device) -> dict[str, int]:
    """The windows of the peripherals, of which the RTL system has one of each kind at most."""
    windows = {f"{kind}_size": 0 for kind in KINDS}
    for peripheral in device.peripherals:
        kind = peripheral.kind
        if kind == "dma":
            continue
        if windows[f"{kind}_size"]:
            raise InputError(f"{device.name}: the RTL system has one {kind} at most")
        windows |= {f"{kind}_base": peripheral.base, f"{kind}_size": peripheral.size}
    return windows
