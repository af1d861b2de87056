"""Every partition of the server with every partition of the terminal: result and duration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import cpu_count
from typing import TYPE_CHECKING

from cocrypt.authenticate.handshake import compared_with, outcome
from cocrypt.authenticate.layout import Role, State
from cocrypt.authenticate.provision import absent_ca, enrolled
from cocrypt.authenticate.scenario import MEMBERS, Scenario
from cocrypt.interrupt import threads
from cocrypt.partition import partitions

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.authenticate.layout import Identity, Parameters
    from cocrypt.authenticate.scenario import Seat
    from cocrypt.network import Node
    from cocrypt.partition import Partition


@dataclass(frozen=True)
class Pair:
    """A handshake of two nodes that have their certificates; from hello to the last packet."""

    server: Partition
    terminal: Partition
    seconds: float
    is_open: bool
    key: bytes
    differences: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Returns whether both ends hold the same key, and agree with the model."""
        return self.is_open and not self.differences


def pairs(
    scenario: Scenario,
    chosen: Callable[[Partition, Partition], bool] = lambda _server, _terminal: True,
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> list[Pair]:
    """Runs all chosen pairs of the study's partitions."""
    every = partitions(scenario.study)
    combinations = [(server, terminal) for server in every for terminal in every]
    combinations = [pair for pair in combinations if chosen(*pair)]
    seats = {
        role: {own.hw: _seat(scenario, role, own) for own in every}
        for role in (Role.SERVER, Role.TERMINAL)
    }
    members = {number: role for role, number in MEMBERS.items()}
    _, identities = enrolled(scenario, members)

    def run(pair: tuple[Partition, Partition]) -> Pair:
        server, terminal = pair
        chosen_seats = {
            **scenario.seats,
            Role.SERVER: seats[Role.SERVER][server.hw],
            Role.TERMINAL: seats[Role.TERMINAL][terminal.hw],
        }
        return _pair(replace(scenario, seats=chosen_seats), identities, server, terminal)

    results: list[Pair] = []
    step("authenticating", 0, len(combinations))
    with threads(jobs or cpu_count()) as pool:
        for result in pool.map(run, combinations):
            results.append(result)
            step("authenticating", len(results), len(combinations))
    return results


def _seat(scenario: Scenario, role: Role, partition: Partition) -> Seat:
    """The seat of a role with a partition."""
    network = scenario.network.having(role.name.lower(), partition.hw)
    return Scenario.of(replace(scenario.study, authentication=network)).seats[role]


def _pair(
    scenario: Scenario, identities: dict[int, Identity], server: Partition, terminal: Partition
) -> Pair:
    parameters: dict[Role, Parameters] = {
        role: replace(scenario.parameters(role, number), provisioned=1)
        for role, number in MEMBERS.items()
    }
    nodes: list[Node] = [absent_ca(scenario)]
    for role, number in MEMBERS.items():
        machine = scenario.machine(parameters[role], identities[number])
        nodes.append(scenario.node(number, role.name.lower(), machine))
    simulation = scenario.simulation(nodes)
    simulation.run()
    ends = [outcome(nodes[number]) for number in MEMBERS.values()]
    differences = [
        text
        for role, number in MEMBERS.items()
        for text in compared_with(simulation, role, parameters[role], identities[number])
    ]
    sent = [packet.sent for packet in simulation.packets]
    arrived = max(packet.arrives for packet in simulation.packets)
    return Pair(
        server,
        terminal,
        (arrived - min(sent)) / simulation.hz,
        all(end.state is State.OPEN for end in ends) and len({end.key for end in ends}) == 1,
        ends[0].key,
        tuple(differences),
    )
