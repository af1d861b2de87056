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
    """What became of it.

    `outcomes` are what server and terminal left behind. `differences` say where a machine did
    anything else than the model of the protocol on the host, which was given the same packets.
    `began` is when the terminal said hello, in seconds.
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
        """Whether both ends have accepted, and hold the same key."""
        server, terminal = self.outcomes[Role.SERVER], self.outcomes[Role.TERMINAL]
        return server.state is State.OPEN is terminal.state and server.key == terminal.key

    @property
    def seconds(self) -> float:
        """From the terminal's hello to its last packet."""
        ends = [packet.arrives for packet in self.simulation.packets]
        return max(ends, default=0) / self.simulation.hz - self.began


def parameters(scenario: Scenario, role: Role) -> Parameters:
    """What a node of the handshake is told; a terminal waits for its user."""
    told = scenario.parameters(role, int(role))
    return replace(told, start=FOR_EVER) if role is Role.TERMINAL else told


def nodes(scenario: Scenario, engine: Engine = "auto") -> list[Node]:
    """CA, server and terminal, each as the study has it."""
    return [_node(scenario, role, engine) for role in Role]


def _node(scenario: Scenario, role: Role, engine: Engine) -> Node:
    number, told = int(role), parameters(scenario, role)
    if scenario.seats[role].built is None:
        return scenario.party(number, NAMES[role], PARTIES[role](number, told))
    return scenario.node(number, NAMES[role], scenario.machine(told, engine=engine))


def initialised(scenario: Scenario, wire: Wire | None = None) -> Simulation:
    """The network behind its initialisation: server and terminal have their certificates."""
    simulation = scenario.simulation(nodes(scenario), wire)
    simulation.settle()
    return simulation


def handshake(scenario: Scenario) -> Handshake:
    """Runs initialisation and handshake; raises `ProgramError` where a program ends badly."""
    simulation = initialised(scenario)
    simulation.wake(int(Role.TERMINAL))
    began = simulation.now
    simulation.run()
    made = simulation.nodes
    return Handshake(
        scenario=scenario,
        simulation=simulation,
        steps=tuple(steps(simulation)),
        spent=tuple(spent(made)),
        outcomes={role: outcome(made[role]) for role in (Role.SERVER, Role.TERMINAL)},
        differences=tuple(text for role in Role for text in compared(scenario, simulation, role)),
        began=began / simulation.hz,
    )


def outcome(node: Node) -> Outcome:
    """How a node's first session ended."""
    if isinstance(node, MachineNode):
        return outcomes(node.machine)[0]
    party: Party = node.party  # type: ignore[attr-defined]
    return party.outcomes[0]


def compared(scenario: Scenario, simulation: Simulation, role: Role) -> list[str]:
    """Where a machine did anything else than the model does when it hears the same."""
    if not isinstance(simulation.nodes[role], MachineNode):
        return []
    return compared_with(simulation, role, parameters(scenario, role))


def compared_with(
    simulation: Simulation, role: Role, told: Parameters, identity: Identity | None = None
) -> list[str]:
    """The same of a machine that was told this, and has this identity or none yet."""
    node = simulation.nodes[role]
    assert isinstance(node, MachineNode)
    party = PARTIES[role](int(role), told, identity)
    said = list(party.start())
    for tick, packet in node.heard:
        seconds = tick / simulation.hz
        if packet is None:
            said += party.timeout(seconds)
        else:
            said += party.receive(packet.content, packet.sender, seconds)
    mine = [(one.receiver, one.content) for one in simulation.packets if one.sender == role]
    found = [] if mine == said else [f"the {NAMES[role]} sent other packets than the model"]
    ends = outcomes(node.machine, len(party.outcomes))
    if ends != party.outcomes:
        model = party.outcomes[0].text
        found.append(f"the {NAMES[role]} ended as {ends[0].text}, the model as {model}")
    return found
