"""The steps of a network in time: the nodes' computations and messages, and their waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.authenticate.layout import Message, Phase
from cocrypt.network import MachineNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cocrypt.device import Device
    from cocrypt.network import Node, Packet, Simulation

CALLED = {
    Phase.KEY: "makes its key pair",
    Phase.SIGN: "signs a certificate",
    Phase.HASH: "hashes",
    Phase.AGREE: "agrees on Q_k",
    Phase.VERIFY: "verifies a signature",
    Phase.DERIVE: "derives keys",
    Phase.SEAL: "encrypts",
    Phase.UNSEAL: "decrypts",
    Phase.SEND: "writes a packet",
    Phase.RECEIVE: "reads a packet",
    Phase.RANDOM: "draws random bytes",
}
"""The text of each phase."""


@dataclass(frozen=True)
class Step:
    """A computation of a node, or a message from it to another.

    Times are in seconds from the beginning. A message has `bytes` and a receiver `to`; its seconds
    are those on the line. A computation has cycles; its energy in joules is None where the power of
    the device is not known.
    """

    at: float
    node: int
    what: str
    seconds: float
    to: int | None = None
    bytes: int | None = None
    cycles: int | None = None
    energy_J: float | None = None  # noqa: N815 - a joule is a capital J.

    @property
    def is_message(self) -> bool:
        """Returns whether the step is a message."""
        return self.to is not None


def steps(simulation: Simulation) -> list[Step]:
    """All steps, in the order in which they began."""
    timeline = [_message(simulation, packet) for packet in simulation.packets]
    for node in simulation.nodes:
        if isinstance(node, MachineNode):
            timeline += _computed(node)
    return sorted(timeline, key=lambda step: (step.at, step.node, step.is_message))


def _message(simulation: Simulation, packet: Packet) -> Step:
    hz = simulation.hz
    return Step(
        at=packet.sent / hz,
        node=packet.sender,
        what=Message.called(packet.content),
        seconds=(packet.arrives - packet.sent) / hz,
        to=packet.receiver,
        bytes=len(packet.content),
    )


def _computed(node: MachineNode) -> Iterator[Step]:
    """The computations of a machine, each phase from its mark to the next."""
    device = node.machine.device
    marks = [(cycle, Phase(phase)) for cycle, phase in node.machine.marks() if phase in list(Phase)]
    ends = [cycle for cycle, _ in marks[1:]] + [node.cycles]
    for (cycle, phase), end in zip(marks, ends, strict=True):
        if phase is not Phase.IDLE and end > cycle:
            yield _computation(device, node.number, phase, cycle, end)


def _computation(device: Device, number: int, phase: Phase, cycle: int, end: int) -> Step:
    cycles = end - cycle
    return Step(
        at=cycle / device.clock_hz,
        node=number,
        what=CALLED[phase],
        seconds=cycles / device.clock_hz,
        cycles=cycles,
        energy_J=device.energy(cycles),
    )


@dataclass(frozen=True)
class Spent:
    """The cycles of a node: all of them, and those in which it waited for packets."""

    node: int
    cycles: int
    waited: int
    seconds: float
    energy_J: float | None  # noqa: N815 - a joule is a capital J.

    @property
    def busy(self) -> int:
        """Cycles in which it computed."""
        return self.cycles - self.waited


def spent(nodes: Sequence[Node]) -> list[Spent]:
    """The cycles of each machine; energy counts those in which it waited like all others."""
    return [
        Spent(
            node.number,
            node.cycles,
            node.waited,
            node.cycles / node.machine.device.clock_hz,
            node.machine.device.energy(node.cycles),
        )
        for node in nodes
        if isinstance(node, MachineNode)
    ]


def record(step: Step, names: Sequence[str]) -> dict[str, Any]:
    """A step as in the JSON."""
    return {
        "at_s": step.at,
        "node": names[step.node],
        "step": step.what,
        "to": None if step.to is None else names[step.to],
        "bytes": step.bytes,
        "cycles": step.cycles,
        "seconds": step.seconds,
        "energy_J": step.energy_J,
    }
