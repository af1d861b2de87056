"""The network of a study: its nodes, their programs and their parameters."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt.authenticate.layout import FOR_EVER, Identity, Outcome, Parameters, Role, Suite
from cocrypt.builder import Builder
from cocrypt.errors import InputError
from cocrypt.machine import Machine
from cocrypt.network import HostNode, Line, MachineNode, Node, Simulation, Wire
from cocrypt.network.simulation import ticks_per_second
from cocrypt.partition import partition
from cocrypt.paths import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cocrypt.builder import Built
    from cocrypt.device import Device
    from cocrypt.machine import Engine
    from cocrypt.network import Party
    from cocrypt.study import Authentication, Station, Study

CA, SERVER, TERMINAL = 0, 1, 2
"""Numbers of the nodes; further terminals follow."""

MEMBERS = {Role.SERVER: SERVER, Role.TERMINAL: TERMINAL}
"""The nodes of a session."""

MOST_SECONDS = 86_400
"""The limit of simulated time for a node's program, in seconds."""


@dataclass(frozen=True)
class Seat:
    """The player of a role: the study's node with its device, and the partition's image.

    `built` is None on the host.
    """

    station: Station
    device: Device
    built: Built | None

    @property
    def partition(self) -> str:
        """The name of the partition, or `host`."""
        return "host" if self.built is None else self.built.partition.name


@dataclass(frozen=True)
class Scenario:
    """A study's network, built: everything that is the same in all runs."""

    study: Study
    network: Authentication
    seats: Mapping[Role, Seat]

    @classmethod
    def of(cls, study: Study, step: Callable[[str, int, int], None] | None = None) -> Scenario:
        """Builds the images; raises `InputError` if the study has no network."""
        network = study.authentication
        if network is None:
            raise InputError(
                f"{study.path} describes no network of nodes that authenticate each other",
                "add a section [authentication], as in studies/authentication.toml",
            )
        stations = {
            Role.CA: network.ca,
            Role.SERVER: network.server,
            Role.TERMINAL: network.terminal,
        }
        if step is not None:
            step("building", 0, len(stations))
        return cls(
            study, network, {role: _seat(study, station) for role, station in stations.items()}
        )

    @property
    def line(self) -> Line:
        """The line that joins the nodes."""
        return Line(self.network.line, self.network.rate, self.network.latency_us / 1e6)

    @property
    def hz(self) -> int:
        """Ticks of the network in a second."""
        return ticks_per_second(seat.device.clock_hz for seat in self.seats.values())

    def with_suite(self, suite: str) -> Scenario:
        """The scenario with another cipher suite; raises `InputError` if it is unknown."""
        names = [member.name.lower() for member in Suite]
        if suite not in names:
            raise InputError(f"there is no suite `{suite}`", suggestion(suite, names))
        return replace(self, network=replace(self.network, suite=suite))

    def parameters(self, role: Role, number: int) -> Parameters:
        """The default parameters of a node."""
        network, clock = self.network, self.seats[role].device.clock_hz
        patience = min(network.patience_ms * clock // 1000, FOR_EVER - 1)
        return Parameters(
            role=role,
            suite=Suite[network.suite.upper()],
            ca=CA,
            peer=SERVER,
            patience=patience,
            idle=patience,
            sessions=2 if role is Role.CA else 1,
            now=network.now,
            clock_hz=clock,
            expiry=min(network.now + network.lifetime, FOR_EVER),
            size=network.size,
            start=0,
            provisioned=0,
            seed=seed(network.seed, number),
        )

    def machine(
        self,
        parameters: Parameters,
        identity: Identity | None = None,
        *,
        like: Machine | None = None,
        engine: Engine = "auto",
    ) -> Machine:
        """The machine of a role with its parameters; a copy of `like` if given."""
        seat = self.seats[Role(parameters.role)]
        if seat.built is None:
            raise InputError(
                f"the {Role(parameters.role).name.lower()} is no machine in this study"
            )
        machine = (
            like.copy()
            if like
            else Machine(
                seat.device,
                seat.built.path,
                name=seat.built.name,
                coprocessors=seat.built.coprocessors,
                engine=engine,
            )
        )
        machine.initialise("parameters", parameters.pack())
        if identity is not None:
            machine.initialise("identity", identity.pack())
        return machine

    def node(self, number: int, name: str, machine: Machine) -> MachineNode:
        """The node of a machine."""
        clock = machine.device.clock_hz
        period = self.hz // clock
        return MachineNode.plugged(number, name, period, machine, MOST_SECONDS * clock)

    def party(self, number: int, name: str, party: Party) -> HostNode:
        """The node of a party on the host."""
        return HostNode(number, name, 1, party, self.hz)

    def simulation(self, nodes: Sequence[Node], wire: Wire | None = None) -> Simulation:
        """The simulation of the nodes on the line."""
        return Simulation(list(nodes), self.line, self.hz, wire or Wire())


def _seat(study: Study, station: Station) -> Seat:
    network = study.authentication
    device = station.device or study.device
    if station.host or network is None:
        return Seat(station, device, None)
    on = study.on(device)
    missing = set(station.hw) - {
        candidate.function for candidate in on.candidates if candidate.options
    }
    if missing:
        raise InputError(
            f"{device.name} cannot have {', '.join(sorted(missing))} in hardware",
            "choose a device with a window for coprocessors",
        )
    pair = (on.workload(network.workload), partition(on, station.hw))
    return Seat(station, device, Builder(on).build([pair])[0])


def seed(study: int, number: int) -> bytes:
    """The seed of a node's random numbers."""
    return hashlib.sha1(f"cocrypt authentication {study} {number}".encode()).digest()


def outcomes(machine: Machine, count: int = 1) -> list[Outcome]:
    """The outcomes of a machine's first sessions."""
    size = Outcome.size()
    content = machine.read("outcomes", count * size)
    return [Outcome.unpack(content[i : i + size]) for i in range(0, count * size, size)]
