"""A study: workloads on a device, and the functions of theirs that may be replaced."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.build_tools import BuildTools
from cocrypt.device import Device, Tools
from cocrypt.errors import InputError
from cocrypt.paths import suggestion
from cocrypt.study.authentication import Authentication
from cocrypt.study.candidates import SOFTWARE, Alternative, Candidate
from cocrypt.study.java import Java
from cocrypt.study.leakage import StudyLeakage
from cocrypt.study.search import Search, Sweep
from cocrypt.study.workload import Choice, Workload
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Study:
    """A study: workloads × device × candidates.

    `place` is the folder that its paths start at: that of a link, if the file is one. `heap` is the
    size of the programs' heap in bytes, None if they have none.
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
    tools: Tools = field(default_factory=Tools)
    device_tools: Mapping[str, Tools] = field(default_factory=dict)
    sweep: Sweep = field(default_factory=Sweep)
    search: Search = field(default_factory=Search)
    authentication: Authentication | None = None
    leakage: StudyLeakage | None = None
    place: Path | None = None
    heap: int | None = None
    java: Java | None = None

    def __repr__(self) -> str:
        workloads = ", ".join(workload.name for workload in self.workloads)
        candidates = ", ".join(candidate.function for candidate in self.candidates) or "none"
        parts = f"workloads {workloads}; candidates {candidates}"
        return f"<Study {self.name} on {self.device.name}: {parts}>"

    @classmethod
    def from_toml(cls, path: Path | str) -> Study:
        """Reads and checks a study's file, as `load` does."""
        return cls.load(path)

    @classmethod
    def load(cls, study: Path | str) -> Study:
        """Reads and checks a study, given the path of its file, or the name of one of cocrypt's.

        Raises `DiagnosticError` with all that is wrong in it, `InputError` where there is none.
        """
        path = paths.study(str(study))
        loaded = cls.from_values(_native.load_study(path, paths.root()))
        return replace(loaded, place=path.parent.resolve())

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Study:
        """The study of a checked dictionary."""
        network, folder = values["authentication"], Path(values["path"]).parent
        leakage = values["leakage"]
        return cls(
            path=Path(values["path"]),
            name=values["name"],
            title=values["title"],
            device=Device.from_values(values["device"]),
            published=Path(values["published"]) if values["published"] else None,
            flags=tuple(values["toolchain"]["flags"]),
            common=_paths(values["common"]),
            include=_paths(values["include"]),
            workloads=tuple(map(Workload.of, values["workloads"])),
            candidates=tuple(map(Candidate.of, values["candidates"])),
            drivers=_paths(values["drivers"]),
            names={tuple(named["hw"]): named["name"] for named in values["partitions"]},
            verify=tuple(map(Choice.of, values["verify"])),
            devices=tuple(map(Device.from_values, values["devices"])),
            tools=Tools.of(values["toolchain"], folder),
            device_tools={
                each["name"]: Tools.of(each["toolchain"], folder)
                for each in values["device_toolchains"]
            },
            sweep=Sweep.of(values["sweep"]),
            search=Search.of(values["search"]),
            authentication=Authentication.of(network) if network else None,
            leakage=StudyLeakage.of(leakage) if leakage else None,
            heap=values["heap"],
            java=Java.of(values["java"]) if values["java"] else None,
        )

    @property
    def build_tools(self) -> BuildTools:
        """The tools that its programs are built with on its device."""
        own = self.device_tools.get(self.device.name, Tools())
        return BuildTools(self.device, own=own, general=self.tools)

    @property
    def project(self) -> Project:
        """The project that decides what may run on the host."""
        return Project(self.place or self.path.parent.resolve(), names_compiler=True)

    def on(self, device: Device) -> Study:
        """The same study on another device, without the options that this cannot have.

        These need an extension that its core lacks, or a coprocessor where it has no window.
        """

        def is_possible(option: Alternative) -> bool:
            maps = [option.coprocessor] if option.coprocessor else []
            has_room = device.has_room(maps)
            return has_room and device.can_have(option.extensions)

        candidates = tuple(
            replace(candidate, options=tuple(filter(is_possible, candidate.options)))
            for candidate in self.candidates
        )
        hardware = {each.function for each in candidates if each.may_be_hardware}
        names = {hw: name for hw, name in self.names.items() if set(hw) <= hardware}
        return replace(self, device=device, candidates=candidates, names=names)

    def workload(self, name: str | None = None) -> Workload:
        """A workload by its name, or the first; raises `InputError` where there is none."""
        if name is None:
            return self.workloads[0]
        for workload in self.workloads:
            if workload.name == name:
                return workload
        names = [workload.name for workload in self.workloads]
        raise InputError(f"{self.path} has no workload `{name}`", suggestion(name, names))

    def every_choice(self, partitions: Sequence[str] = ()) -> tuple[Choice, ...]:
        """Each workload in software and in each named partition, or in those of these names alone.

        A device that cannot hold a coprocessor runs software only. Raises `InputError` where there
        is no partition of a name.
        """
        by_name = {name: hw for hw, name in self.names.items()}
        for name in partitions:
            if name not in by_name:
                hint = suggestion(name, list(by_name))
                raise InputError(f"{self.path} has no partition `{name}`", hint)
        chosen = [by_name[name] for name in partitions] or [(), *self.names]
        possible = [hw for hw in dict.fromkeys(chosen) if not hw or self.device.takes_coprocessors]
        return tuple(Choice(workload.name, hw) for workload in self.workloads for hw in possible)

    def device_of(
        self, choice: Mapping[str, str], settings: Mapping[str, int] | None = None
    ) -> Device:
        """The device with these settings, as the chosen options need it.

        Its core gets the extensions that they use. With coprocessors of two rails, which take two
        clocks for a datum, coprocessors have half of their clock, and a transfer waits for one of
        its cycles at least.
        """
        extensions = (name for used in self._options(choice) for name in used.extensions)
        device = self.device.extended(dict.fromkeys(extensions)).having(**settings or {})
        if not self.dual_rails(choice):
            return device
        ratio, bus = device.coprocessor_clock, device.bus
        multiply, divide = ratio.multiply, 2 * ratio.divide
        least = -(-divide // multiply)
        waits = {"bus_wait": max(bus.wait, least)}
        if bus.burst_wait != bus.wait:
            waits["burst_wait"] = max(bus.burst_wait, least)
        return device.having(clock_multiply=multiply, clock_divide=divide, **waits)

    def coprocessors(self, choice: Mapping[str, str]) -> tuple[Path, ...]:
        """The register maps that the chosen options need, each once."""
        used = self._options(choice)
        return tuple(dict.fromkeys(each.coprocessor for each in used if each.coprocessor))

    def dual_rails(self, choice: Mapping[str, str]) -> frozenset[Path]:
        """The register maps of coprocessors that have two rails with the chosen options."""
        used = self._options(choice)
        return frozenset(each.coprocessor for each in used if each.coprocessor and each.wddl)

    def _options(self, choice: Mapping[str, str]) -> list[Alternative]:
        """The chosen options, without functions that are left as they are."""
        pairs = (
            (candidate, choice.get(candidate.function, SOFTWARE)) for candidate in self.candidates
        )
        return [option for candidate, name in pairs if (option := candidate.option(name))]

    @property
    def bounded(self) -> tuple[str, ...]:
        """The candidates that are in the project's own sources in C."""
        if self.java is not None:
            return ()
        return tuple(each.function for each in self.candidates if each.software is None)

    def published_figures(self) -> dict[str, Any]:
        """The published figures of the paper that the study repeats."""
        if self.published is None:
            raise InputError(
                f"{self.path} names no published figures", "add published = ... to [study]"
            )
        return tomllib.loads(self.published.read_text(encoding="utf-8"))


def _paths(values: list[str]) -> tuple[Path, ...]:
    return tuple(Path(value) for value in values)
