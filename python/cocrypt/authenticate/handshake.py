"""One handshake: the CA initialises server and terminal, they authenticate, and send data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt.authenticate.layout import FOR_EVER, Outcome, Role, State
from cocrypt.authenticate.provision import PARTIES
from cocrypt.authenticate.scenario import outcomes
from cocrypt.authenticate.steps import Spent, Step, spent, steps
from cocrypt.network import MachineNode

if TYPE_CHECKING:
    from cocrypt.authenticate.layout import Identity, Parameters
    from cocrypt.authenticate.party import Party
    from cocrypt.authenticate.scenario import Scenario
    from cocrypt.machine import Engine
    from cocrypt.network import Node, Simulation, Wire

NAMES = ("CA", "server", "terminal")


@dataclass(frozen=True)
class Handshake:
    """The result of a handshake.

    `outcomes` are those of server and terminal. `differences` say where a machine
    differs from the model of the protocol on the host, which got the same packets. `began` is the
    time of the terminal's hello in seconds.
    """

    scenario: Scenario
    simulation: Simulation
    steps: tuple[Step, ...]
    spent: tuple[Spent, ...]
    outcomes: dict[Role, Outcome]
    differences: tuple[str, ...]
    began: float

    @property
    def is_open(self) -> bool:
        """Returns whether both ends have accepted, and hold the same key."""
        server, terminal = self.outcomes[Role.SERVER], self.outcomes[Role.TERMINAL]
        return server.state is State.OPEN is terminal.state and server.key == terminal.key

    @property
    def seconds(self) -> float:
        """Seconds from the terminal's hello to its last packet."""
        ends = [packet.arrives for packet in self.simulation.packets]
        return max(ends, default=0) / self.simulation.hz - self.began


def parameters(scenario: Scenario, role: Role) -> Parameters:
    """The parameters of a node of the handshake; a terminal waits for its user."""
    values = scenario.parameters(role, int(role))
    return replace(values, start=FOR_EVER) if role is Role.TERMINAL else values


def nodes(scenario: Scenario, engine: Engine = "auto") -> list[Node]:
    """CA, server and terminal, each as the study states it."""
    return [_node(scenario, role, engine) for role in Role]


def _node(scenario: Scenario, role: Role, engine: Engine) -> Node:
    number, values = int(role), parameters(scenario, role)
    if scenario.seats[role].built is None:
        return scenario.party(number, NAMES[role], PARTIES[role](number, values))
    return scenario.node(number, NAMES[role], scenario.machine(values, engine=engine))


def initialised(scenario: Scenario, wire: Wire | None = None) -> Simulation:
    """The network after its initialisation: server and terminal have their certificates."""
    simulation = scenario.simulation(nodes(scenario), wire)
    simulation.settle()
    return simulation


def handshake(scenario: Scenario) -> Handshake:
    """Runs initialisation and handshake; raises `ProgramError` if a program ends badly."""
    simulation = initialised(scenario)
    simulation.wake(int(Role.TERMINAL))
    began = simulation.now
    simulation.run()
    members = simulation.nodes
    return Handshake(
        scenario=scenario,
        simulation=simulation,
        steps=tuple(steps(simulation)),
        spent=tuple(spent(members)),
        outcomes={role: outcome(members[role]) for role in (Role.SERVER, Role.TERMINAL)},
        differences=tuple(text for role in Role for text in compared(scenario, simulation, role)),
        began=began / simulation.hz,
    )


def outcome(node: Node) -> Outcome:
    """The outcome of a node's first session."""
    if isinstance(node, MachineNode):
        return outcomes(node.machine)[0]
    party: Party = node.party  # type: ignore[attr-defined]
    return party.outcomes[0]


def compared(scenario: Scenario, simulation: Simulation, role: Role) -> list[str]:
    """Differences between a machine and the model that receives the same packets."""
    if not isinstance(simulation.nodes[role], MachineNode):
        return []
    return compared_with(simulation, role, parameters(scenario, role))


def compared_with(
    simulation: Simulation, role: Role, values: Parameters, identity: Identity | None = None
) -> list[str]:
    """Differences of a machine with these parameters, and this identity or none yet."""
    node = simulation.nodes[role]
    assert isinstance(node, MachineNode)
    party = PARTIES[role](int(role), values, identity)
    expected = list(party.start())
    for tick, packet in node.heard:
        seconds = tick / simulation.hz
        if packet is None:
            expected += party.timeout(seconds)
        else:
            expected += party.receive(packet.content, packet.sender, seconds)
    sent = [
        (packet.receiver, packet.content) for packet in simulation.packets if packet.sender == role
    ]
    differences = (
        [] if sent == expected else [f"the {NAMES[role]} sent other packets than the model"]
    )
    ends = outcomes(node.machine, len(party.outcomes))
    if ends != party.outcomes:
        model = party.outcomes[0].text
        differences.append(f"the {NAMES[role]} ended as {ends[0].text}, the model as {model}")
    return differences
