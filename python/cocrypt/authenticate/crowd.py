"""Many terminals at one server: the latencies, and the server's capacity."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from os import cpu_count
from statistics import mean, quantiles
from typing import TYPE_CHECKING

from cocrypt.authenticate.layout import FOR_EVER, Outcome, Role, State
from cocrypt.authenticate.model import Terminal
from cocrypt.authenticate.provision import absent_ca, enrolled
from cocrypt.authenticate.scenario import SERVER, TERMINAL, Scenario, outcomes
from cocrypt.authenticate.steps import Spent, spent
from cocrypt.errors import InputError
from cocrypt.network import MachineNode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.authenticate.layout import Identity, Parameters
    from cocrypt.network import Node, Simulation


@dataclass(frozen=True)
class Visit:
    """A terminal: when its user came, and when its session was open, in seconds."""

    number: int
    came: float
    opened: float
    outcome: Outcome

    @property
    def latency(self) -> float:
        """Seconds that the user waited."""
        return self.opened - self.came


@dataclass(frozen=True)
class Capacity:
    """The capacity of a server with a partition: busy cycles of a session, sessions a second."""

    partition: str
    busy: int
    per_second: float


@dataclass(frozen=True)
class Crowd:
    """The results of a crowd; `queued` are the seconds that each packet waited at the server."""

    scenario: Scenario
    terminals: tuple[Visit, ...]
    server: Spent
    queued: tuple[float, ...]
    capacities: tuple[Capacity, ...]

    @property
    def failed(self) -> int:
        """Terminals without a session."""
        return sum(visit.outcome.state is not State.OPEN for visit in self.terminals)

    @property
    def seconds(self) -> float:
        """Seconds from the first user to the last session."""
        came = min(visit.came for visit in self.terminals)
        return max(visit.opened for visit in self.terminals) - came

    @property
    def per_second(self) -> float:
        """Sessions that were opened in a second."""
        return (len(self.terminals) - self.failed) / self.seconds

    @property
    def latencies(self) -> list[float]:
        """All latencies in seconds, the shortest first."""
        return sorted(visit.latency for visit in self.terminals)

    @property
    def mean(self) -> float:
        """The mean latency in seconds."""
        return mean(self.latencies)

    def percentile(self, part: int) -> float:
        """The latency in seconds that `part` percent of the terminals do not exceed."""
        every = self.latencies
        if len(every) == 1:
            return every[0]
        return quantiles(every, n=100, method="inclusive")[part - 1]


def crowd(
    scenario: Scenario,
    count: int,
    arrivals: float | None = None,
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> Crowd:
    """Lets `count` terminals authenticate at one server; the same for any number of workers.

    They come at random, `arrivals` a second on average, or else all at once. None gives up.
    """
    if scenario.seats[Role.SERVER].built is None or scenario.seats[Role.TERMINAL].built is None:
        raise InputError(
            "server and terminals have to be machines", "take `host = true` out of their sections"
        )
    step("issuing certificates", 0, count)
    members = {SERVER: Role.SERVER}
    members |= {TERMINAL + index: Role.TERMINAL for index in range(count)}
    _, identities = enrolled(scenario, members)
    simulation = scenario.simulation(_nodes(scenario, identities))
    workers = jobs or cpu_count() or 1
    simulation.run(workers, until=lambda: simulation.is_quiet)
    came = _come(simulation, scenario, arrivals)
    ended = [0]
    # All are at work for a while before the first of them is done.
    step("authenticating", 0, count)

    def report() -> None:
        finished = sum(simulation.has_ended(TERMINAL + index) for index in range(count))
        if finished != ended[0]:
            ended[0] = finished
            step("authenticating", finished, count)

    simulation.run(workers, step=report)
    return _results(scenario, simulation, came)


def _nodes(scenario: Scenario, identities: dict[int, Identity]) -> list[Node]:
    """The server and its terminals, which are copies of one machine with other keys."""
    count = len(identities) - 1
    parameters = replace(_patient(scenario, Role.SERVER, SERVER), sessions=count)
    server = scenario.machine(parameters, identities[SERVER], engine="interpreter")
    nodes: list[Node] = [absent_ca(scenario), scenario.node(SERVER, "server", server)]
    template = scenario.machine(scenario.parameters(Role.TERMINAL, TERMINAL), engine="interpreter")
    for number in range(TERMINAL, TERMINAL + count):
        parameters = replace(_patient(scenario, Role.TERMINAL, number), start=FOR_EVER)
        machine = scenario.machine(parameters, identities[number], like=template)
        nodes.append(scenario.node(number, f"terminal {number}", machine))
    return nodes


def _patient(scenario: Scenario, role: Role, number: int) -> Parameters:
    """The parameters of a node that has an identity, and never gives up."""
    usual = scenario.parameters(role, number)
    return replace(usual, provisioned=1, patience=FOR_EVER, idle=FOR_EVER)


def _come(simulation: Simulation, scenario: Scenario, arrivals: float | None) -> list[int]:
    """Wakes the terminals when their users come; returns these ticks."""
    generator = random.Random(scenario.network.seed)
    tick, came = simulation.now, []
    for index in range(TERMINAL, len(simulation.nodes)):
        if arrivals is not None:
            tick += round(generator.expovariate(arrivals) * simulation.hz)
        simulation.wake(index, tick)
        came.append(tick)
    return came


def _results(scenario: Scenario, simulation: Simulation, came: Sequence[int]) -> Crowd:
    hz = simulation.hz
    server = simulation.nodes[SERVER]
    assert isinstance(server, MachineNode)
    visits = [
        Visit(node.number, tick / hz, node.cycles * node.period / hz, outcomes(node.machine)[0])
        for node, tick in zip(simulation.nodes[TERMINAL:], came, strict=True)
        if isinstance(node, MachineNode)
    ]
    queued = [(tick - packet.arrives) / hz for tick, packet in server.heard if packet is not None]
    return Crowd(
        scenario, tuple(visits), spent([server])[0], tuple(queued), tuple(capacities(scenario))
    )


def capacities(scenario: Scenario) -> list[Capacity]:
    """The server's capacity with each of the study's partitions, from one session of each."""
    study, network = scenario.study, scenario.network
    results = []
    for hw, name in study.names.items():
        variant = replace(study, authentication=network.having("server", hw))
        busy = session_cycles(Scenario.of(variant))
        clock = scenario.seats[Role.SERVER].device.clock_hz
        results.append(Capacity(name, busy, clock / busy))
    return results


def session_cycles(scenario: Scenario) -> int:
    """Cycles in which a server is busy for one session with a terminal, without start-up."""
    members = {SERVER: Role.SERVER, TERMINAL: Role.TERMINAL}
    _, identities = enrolled(scenario, members)
    parameters = _patient(scenario, Role.SERVER, SERVER)
    server = scenario.node(SERVER, "server", scenario.machine(parameters, identities[SERVER]))
    asks = replace(_patient(scenario, Role.TERMINAL, TERMINAL), start=FOR_EVER)
    terminal = Terminal(TERMINAL, asks, identities[TERMINAL])
    nodes = [absent_ca(scenario), server, scenario.party(TERMINAL, "terminal", terminal)]
    simulation = scenario.simulation(nodes)
    simulation.settle()
    before = server.cycles - server.waited
    simulation.wake(TERMINAL)
    simulation.run()
    return server.cycles - server.waited - before
