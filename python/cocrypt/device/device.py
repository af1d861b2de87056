"""A device: a core with its memories, bus and peripherals, and its settings."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.coprocessor import PORTS, Coprocessor
from cocrypt.device.parts import Bus, ClockRatio, Core, Memory, Peripheral, Power, picked
from cocrypt.device.tools import Tools
from cocrypt.errors import InputError
from cocrypt.target import EXIT, PERIPHERALS, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Device:
    """A device as its files describe it, as far as Python needs that.

    `extensions` are those of the core as it is configured, `parameters` the core's, truth values as
    0 and 1. `gate_delay_s` is None if it is not known. `settings` are values that override those of
    its file. `described` is the whole content of its files, with the core's timing, as JSON without
    paths: all that a simulation's outcome depends on. `tools` are the tools that its file names for
    builds.
    """

    path: Path
    name: str
    title: str
    core: Core
    extensions: tuple[str, ...]
    parameters: Mapping[str, int]
    clock_hz: int
    memories: tuple[Memory, ...]
    has_caches: bool
    bus: Bus
    coprocessor_clock: ClockRatio
    peripherals: tuple[Peripheral, ...]
    power: Power
    gate_delay_s: float | None
    described: str
    settings: Mapping[str, int] = field(default_factory=dict)
    tools: Tools = field(default_factory=Tools)

    def __repr__(self) -> str:
        return f"<Device {self.name}: {self.title}, {self.clock_hz / 1e6:g} MHz>"

    @classmethod
    def load(cls, device: Path | str) -> Device:
        """Reads and checks a device, given its name or the path of its file."""
        path = device if isinstance(device, Path) else paths.device(device)
        return cls.from_values(_native.load_device(path, home=paths.root()))

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Device:
        """The device of a checked dictionary; raises `InputError` where it has no RAM."""
        memories = tuple(picked(Memory, each) for each in values["memories"])
        _require_ram(values["name"], memories)
        return cls(
            path=Path(values["path"]),
            name=values["name"],
            title=values["title"],
            core=Core.of(values["core"]),
            extensions=tuple(values["extensions"]),
            parameters=values["parameters"],
            clock_hz=values["clock_hz"],
            memories=memories,
            has_caches=any(values["caches"].values()),
            bus=picked(Bus, values["bus"]),
            coprocessor_clock=picked(ClockRatio, values["coprocessor_clock"]),
            peripherals=tuple(picked(Peripheral, each) for each in values["peripherals"]),
            power=Power.of(values["power"]),
            gate_delay_s=values["gate_delay_s"],
            described=json.dumps(_without_paths(_without_tools(values)), sort_keys=True),
            tools=Tools.of(values["toolchain"], Path(values["path"]).parent),
        )

    def having(self, **settings: int) -> Device:
        """The same device with other settings than those of its file.

        They are `bus_wait`, `burst_wait`, `clock_multiply`, `clock_divide` (the coprocessors' clock
        against the core's), or parameters of the core. Raises `DiagnosticError` where they do not
        fit.
        """
        merged = {**self.settings, **settings}
        if merged == self.settings:
            return self
        values = _native.load_device(self.path, merged, paths.root())
        return replace(self.from_values(values), settings=merged)

    def can_have(self, extensions: Iterable[str]) -> bool:
        """Returns true if its core has these extensions, or can be configured to have them."""
        return set(extensions) <= set(self.core.extensions)

    def extended(self, extensions: Iterable[str]) -> Device:
        """The same device with the core configured to have these extensions, as far as it can."""
        added_by = self.core.extensions
        needed = [parameter for name in extensions for parameter in added_by.get(name, ())]
        lacking = [name for name in needed if not self.parameters[name]]
        return self.having(**dict.fromkeys(lacking, 1))

    @cached_property
    def target(self) -> Target:
        """The target that code for it is compiled for."""
        compiler = self.core.compiler
        if compiler is None:
            return Target.of(self.core.isa, self.extensions, cpu=None, code=None)
        return Target.of(self.core.isa, self.extensions, cpu=compiler.cpu, code=compiler.code)

    @property
    def ram(self) -> Memory:
        """The memory that data and stack are in."""
        return next(memory for memory in self.memories if memory.kind == "ram")

    @property
    def flash(self) -> Memory | None:
        """The memory that code and constants are in, if that is another one."""
        first = self.memories[0]
        return first if first.kind == "rom" else None

    @property
    def peripherals_base(self) -> int:
        """The base address of the peripherals that cocrypt/device.h declares."""
        exits = [peripheral.base for peripheral in self.peripherals if peripheral.kind == "exit"]
        return exits[0] - EXIT if exits else PERIPHERALS

    def pointed(self, pointer: int, word: int) -> int:
        """The address in RAM that a pointer of so many bytes points to.

        If data has its own address space, its memories are at addresses above a pointer's range.
        """
        bits = 8 * word
        addresses = ((memory.base >> bits << bits) + pointer for memory in self.memories)
        valid = (
            address for address in addresses if any(memory.holds(address) for memory in self._rams)
        )
        return next(valid, pointer)

    @property
    def _rams(self) -> list[Memory]:
        return [memory for memory in self.memories if memory.kind == "ram"]

    @property
    def windows(self) -> tuple[Peripheral, ...]:
        """The windows for coprocessors."""
        return tuple(each for each in self.peripherals if each.kind == "coprocessor")

    @property
    def ports(self) -> tuple[Peripheral, ...]:
        """The windows and links for coprocessors."""
        return tuple(each for each in self.peripherals if each.kind in PORTS.values())

    @property
    def takes_coprocessors(self) -> bool:
        """True if it has a window or a link for a coprocessor."""
        return bool(self.ports)

    def has_room(self, coprocessors: Iterable[Path]) -> bool:
        """True if there is a window or a link for each of these register maps."""
        needed = Counter(Coprocessor.load(path).port for path in coprocessors)
        return needed <= Counter(port.kind for port in self.ports)

    def attached(self, coprocessors: Iterable[Path]) -> list[tuple[Path, Peripheral]]:
        """Register maps with the window or link of each: the first one that is free."""
        free = list(self.ports)
        pairs = []
        for path in coprocessors:
            kind = Coprocessor.load(path).port
            port = next((port for port in free if port.kind == kind), None)
            if port is not None:
                free.remove(port)
                pairs.append((path, port))
        return pairs

    @property
    def hash(self) -> str:
        """A hash of its files' content and its settings, without paths."""
        settings = json.dumps(dict(self.settings), sort_keys=True)
        return hashlib.sha256(f"[{self.described}, {settings}]".encode()).hexdigest()

    def energy(self, cycles: int) -> float | None:
        """Energy of so many cycles in joules; None if the active power is not known."""
        active = self.power.active_W
        return None if active is None else active * cycles / self.clock_hz


def _require_ram(name: str, memories: Iterable[Memory]) -> None:
    if not any(memory.kind == "ram" for memory in memories):
        raise InputError(f"the device {name} has no RAM", 'add a [[memory]] whose kind is "ram"')


def _without_tools(values: Mapping[str, Any]) -> dict[str, Any]:
    """A description without tools, since outcomes depend on the image alone."""
    return {key: entry for key, entry in values.items() if key != "toolchain"}


def _without_paths(value: object) -> object:
    """A description without paths, which outcomes do not depend on."""
    if isinstance(value, dict):
        return {key: _without_paths(entry) for key, entry in value.items() if key != "path"}
    return [_without_paths(entry) for entry in value] if isinstance(value, list) else value
