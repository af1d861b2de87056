"""A study as Python values: what is run, on which device, and what may become hardware."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from itertools import product
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, house
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.house import suggestion
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


VERILOG = (".v", ".sv")
"""How names of files in Verilog and SystemVerilog end."""


@dataclass(frozen=True)
class Workload:
    """A program to run, and the bytes that it must leave in its output.

    Its source may also be a program that somebody else has built. `entry` is the function that the
    start-up code calls, `input` what comes in at the console.
    """

    name: str
    title: str
    source: Path
    output: str
    expect: bytes
    entry: str = "main"
    input: bytes = b""


@dataclass(frozen=True)
class Coprocessor:
    """A coprocessor's register map, as far as Python needs it."""

    path: Path
    name: str
    title: str
    design: Path
    top: str
    critical_path_s: float | None = None
    power_W: float | None = None  # noqa: N815 - a watt is a capital W.

    @property
    def is_verilog(self) -> bool:
        """Whether the design is in Verilog or SystemVerilog, and not in FDL."""
        return self.design.suffix.lower() in VERILOG

    @classmethod
    def load(cls, path: Path) -> Coprocessor:
        """Reads and checks a register map."""
        values = _native.load_coprocessor(path)
        keys = ("name", "title", "top", "critical_path_s", "power_W")
        same = {key: values[key] for key in keys}
        return cls(path=Path(values["path"]), design=Path(values["design"]), **same)


SOFTWARE = "software"
"""What the function as it is is called among its options."""


@dataclass(frozen=True)
class Alternative:
    """One way to replace a function: a source with the same prototype, and what it drives.

    `extensions` are those of the instruction set that it uses.
    """

    name: str
    source: Path
    coprocessor: Path | None
    library: bool
    extensions: tuple[str, ...] = ()

    @property
    def driver(self) -> Path | None:
        """The driver that comes with a coprocessor of the library; headers stand beside it."""
        if self.coprocessor is None or not self.library:
            return None
        folder = self.coprocessor.parent
        return folder / "driver" / f"{folder.name.replace('-', '_')}.c"


@dataclass(frozen=True)
class Candidate:
    """A function that may be replaced.

    `software` is its file where it has one of its own; else it stands in the project's sources.
    """

    function: str
    software: Path | None
    options: tuple[Alternative, ...]

    def option(self, name: str) -> Alternative | None:
        """The option of a name; None for the function as it is."""
        return next((one for one in self.options if one.name == name), None)


@dataclass(frozen=True)
class Choice:
    """A workload with functions in hardware, to be compared with RTL."""

    workload: str
    hw: tuple[str, ...]


@dataclass(frozen=True)
class Sweep:
    """Buses and clocks that are tried in every combination; where one is empty, the device's own.

    Waits are in cycles, widths in bits, clocks are the coprocessors' against the core's, as
    multiplier and divisor.
    """

    bus_wait: tuple[int, ...] = ()
    burst_wait: tuple[int, ...] = ()
    bus_width: tuple[int, ...] = ()
    clock: tuple[tuple[int, int], ...] = ()

    def settings(self, device: Device) -> tuple[dict[str, int], ...]:
        """What a device is set to in each combination that is possible; the device as it is first.

        On a bus that is narrower than a word, each word takes as many transfers as it has parts.
        """
        own = device.coprocessor_clock
        tried: list[dict[str, int]] = [{}]
        waits = self.bus_wait or (device.bus.wait,)
        bursts = self.burst_wait or (None,)
        clocks = self.clock or ((own.multiply, own.divide),)
        for wait, burst, width, clock in product(waits, bursts, self.bus_width or (32,), clocks):
            parts = 32 // width
            slow = wait * parts if burst is None else burst * parts
            if slow > wait * parts or slow * clock[0] < clock[1]:
                continue
            plain = {"bus_wait": wait * parts, "clock_multiply": clock[0], "clock_divide": clock[1]}
            tried.append(plain if burst is None else {**plain, "burst_wait": slow})
        distinct: dict[tuple[int, ...], dict[str, int]] = {}
        for settings in tried:
            distinct.setdefault(_resulting(device, settings), settings)
        return tuple(distinct.values())


def _resulting(device: Device, settings: Mapping[str, int]) -> tuple[int, ...]:
    """The waits and the reduced clock ratio of a device that is set so."""
    bus, clock = device.bus, device.coprocessor_clock
    wait = settings.get("bus_wait", bus.wait)
    has_bursts = bus.burst_wait != bus.wait
    burst = settings.get("burst_wait", min(bus.burst_wait, wait) if has_bursts else wait)
    multiply = settings.get("clock_multiply", clock.multiply)
    divide = settings.get("clock_divide", clock.divide)
    common = gcd(multiply, divide)
    return (wait, burst, multiply // common, divide // common)


@dataclass(frozen=True)
class Search:
    """What is looked for: figures to make small, and the most that figures may be.

    `simulations` is how many partitions are simulated at most, `sample` how many of those that are
    only foreseen are simulated beside the best. All that is random comes from `seed`.
    """

    minimise: tuple[str, ...] = ()
    at_most: Mapping[str, float] = field(default_factory=dict)
    method: str = "auto"
    seed: int = 1
    simulations: int | None = None
    sample: int = 8


@dataclass(frozen=True)
class Station:
    """A node of a network: `device` is None for the study's own; on the host it takes no time."""

    host: bool
    device: Device | None
    hw: tuple[str, ...]

    @classmethod
    def of(cls, values: dict[str, Any]) -> Station:
        """The node of a checked dictionary."""
        device = values["device"]
        own = Device.from_values(device) if device else None
        return cls(values["host"], own, tuple(values["hw"]))


@dataclass(frozen=True)
class Authentication:
    """The network of a study in which nodes authenticate each other.

    `rate` is in bits a second; `now` in seconds since 1970, `lifetime` in seconds; `size` are bytes
    of data each way.
    """

    workload: str
    suite: str
    line: str
    rate: int
    latency_us: int
    patience_ms: int
    size: int
    now: int
    lifetime: int
    seed: int
    ca: Station
    server: Station
    terminal: Station

    @classmethod
    def of(cls, values: dict[str, Any]) -> Authentication:
        """The network of a checked dictionary."""
        nodes = {name: Station.of(values[name]) for name in ("ca", "server", "terminal")}
        return cls(**{**values, **nodes})

    def having(self, node: str, hw: tuple[str, ...]) -> Authentication:
        """The same with these functions of a node in hardware."""
        stations: dict[str, Any] = {node: replace(getattr(self, node), hw=hw)}
        return replace(self, **stations)


@dataclass(frozen=True)
class Study:
    """A study: workloads × device × candidates.

    `place` is the folder that its paths start at: that of a link, where the file is one.
    """

    path: Path
    name: str
    title: str
    device: Device
    published: Path | None
    flags: tuple[str, ...]
    common: tuple[Path, ...]
    include: tuple[Path, ...]
    workloads: tuple[Workload, ...]
    candidates: tuple[Candidate, ...]
    drivers: tuple[Path, ...]
    names: dict[tuple[str, ...], str]
    verify: tuple[Choice, ...]
    devices: tuple[Device, ...] = ()
    compiler: str = "zig"
    sweep: Sweep = field(default_factory=Sweep)
    search: Search = field(default_factory=Search)
    authentication: Authentication | None = None
    place: Path | None = None

    @classmethod
    def from_toml(cls, path: Path | str) -> Study:
        """Reads and checks a study's file, as `load` does."""
        return cls.load(Path(path))

    @classmethod
    def load(cls, path: Path) -> Study:
        """Reads and checks a study; raises `DiagnosticError` with all that is wrong in it."""
        study = cls.from_values(_native.load_study(path, house.root()))
        return replace(study, place=path.parent.resolve())

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Study:
        """The study of a checked dictionary."""
        return cls(
            path=Path(values["path"]),
            name=values["name"],
            title=values["title"],
            device=Device.from_values(values["device"]),
            published=Path(values["published"]) if values["published"] else None,
            flags=tuple(values["toolchain"]["flags"]),
            common=_paths(values["common"]),
            include=_paths(values["include"]),
            workloads=tuple(_workload(one) for one in values["workloads"]),
            candidates=tuple(_candidate(one) for one in values["candidates"]),
            drivers=_paths(values["drivers"]),
            names={tuple(one["hw"]): one["name"] for one in values["partitions"]},
            verify=tuple(Choice(one["workload"], tuple(one["hw"])) for one in values["verify"]),
            devices=tuple(Device.from_values(one) for one in values["devices"]),
            compiler=_compiler(values["toolchain"]["compiler"], Path(values["path"]).parent),
            sweep=Sweep(**{key: tuple(value) for key, value in values["sweep"].items()}),
            search=Search(**{**values["search"], "minimise": tuple(values["search"]["minimise"])}),
            authentication=_authentication(values["authentication"]),
        )

    @property
    def project(self) -> Project:
        """What it may have done on the host."""
        return Project(self.place or self.path.parent.resolve(), names_compiler=True)

    def on(self, device: Device) -> Study:
        """The same study on another device, without the options that this cannot have.

        These need an extension that its core lacks, or a coprocessor where it has no window.
        """
        known = set(device.core.extensions)

        def possible(option: Alternative) -> bool:
            has_room = option.coprocessor is None or device.takes_coprocessors
            return has_room and set(option.extensions) <= known

        candidates = tuple(
            replace(one, options=tuple(filter(possible, one.options))) for one in self.candidates
        )
        hardware = {one.function for one in candidates if any(o.coprocessor for o in one.options)}
        names = {hw: name for hw, name in self.names.items() if set(hw) <= hardware}
        return replace(self, device=device, candidates=candidates, names=names)

    def workload(self, name: str | None = None) -> Workload:
        """A workload by its name, or the first; raises `InputError` where there is none."""
        if name is None:
            return self.workloads[0]
        for workload in self.workloads:
            if workload.name == name:
                return workload
        known = [workload.name for workload in self.workloads]
        raise InputError(f"{self.path} has no workload `{name}`", suggestion(name, known))

    def every_choice(self, partitions: Sequence[str] = ()) -> tuple[Choice, ...]:
        """Each workload in software and in each named partition, or in those of these names alone.

        A device that cannot hold a coprocessor runs software only. Raises `InputError` where there
        is no partition of a name.
        """
        by_name = {name: hw for hw, name in self.names.items()}
        for name in partitions:
            if name not in by_name:
                known = suggestion(name, list(by_name))
                raise InputError(f"{self.path} has no partition `{name}`", known)
        chosen = [by_name[name] for name in partitions] or [(), *self.names]
        held = [hw for hw in dict.fromkeys(chosen) if not hw or self.device.takes_coprocessors]
        return tuple(Choice(one.name, hw) for one in self.workloads for hw in held)

    def device_of(self, choice: Mapping[str, str]) -> Device:
        """The device with the extensions of its core that the chosen options use."""
        chosen = (one.option(choice.get(one.function, SOFTWARE)) for one in self.candidates)
        wanted = dict.fromkeys(name for one in chosen if one for name in one.extensions)
        return self.device.extended(wanted)

    def coprocessors(self, choice: Mapping[str, str]) -> tuple[Path, ...]:
        """The register maps that the chosen options need, each once."""
        chosen = (one.option(choice.get(one.function, SOFTWARE)) for one in self.candidates)
        used = (one.coprocessor for one in chosen if one and one.coprocessor)
        return tuple(dict.fromkeys(used))

    @property
    def bounded(self) -> tuple[str, ...]:
        """The candidates that stand in the project's own sources."""
        return tuple(one.function for one in self.candidates if one.software is None)

    def published_figures(self) -> dict[str, Any]:
        """The published figures of the paper that the study repeats."""
        if self.published is None:
            raise InputError(
                f"{self.path} names no published figures", "add published = ... to [study]"
            )
        return tomllib.loads(self.published.read_text(encoding="utf-8"))


def _compiler(name: str, folder: Path) -> str:
    """A name, to be found on the PATH; or a path, which starts at the study's folder."""
    return str(folder.resolve() / name) if "/" in name else name


def _paths(values: list[str]) -> tuple[Path, ...]:
    return tuple(Path(value) for value in values)


def _workload(values: dict[str, Any]) -> Workload:
    return Workload(
        name=values["name"],
        title=values["title"],
        source=Path(values["source"]),
        output=values["output"],
        expect=bytes.fromhex(values["expect"]),
        entry=values["entry"],
        input=bytes.fromhex(values["input"]),
    )


def _authentication(values: dict[str, Any] | None) -> Authentication | None:
    return Authentication.of(values) if values else None


def _candidate(values: dict[str, Any]) -> Candidate:
    software = values["software"]
    return Candidate(
        function=values["function"],
        software=Path(software) if software else None,
        options=tuple(_alternative(one) for one in values["options"]),
    )


def _alternative(values: dict[str, Any]) -> Alternative:
    coprocessor = values["coprocessor"]
    return Alternative(
        name=values["name"],
        source=Path(values["source"]),
        coprocessor=Path(coprocessor) if coprocessor else None,
        library=values["library"],
        extensions=tuple(values["extensions"]),
    )
