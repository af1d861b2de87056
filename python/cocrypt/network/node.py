"""The nodes of a network: machines, and parties on the host that take no time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cocrypt import _native
from cocrypt.errors import InputError, ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.machine import Machine
    from cocrypt.network.line import Packet

LINK = 0x60
"""The offset of a network's link from the base of the peripherals; as in cocrypt/link.h."""

FOREVER = 0xFFFF_FFFF
"""Cycles of a wait that only a packet ends."""

_SLICE = 100_000_000
"""Cycles between two checks whether the run is to continue."""


@dataclass(frozen=True)
class Pause:
    """The state of a node that waits for a packet, or has ended.

    `at` is the tick, `deadline` the one in which it goes on without a packet (None: never), `sent`
    what it has sent since it ran last: tick, receiver, bytes.
    """

    at: int
    deadline: int | None
    ended: bool
    sent: Sequence[tuple[int, int, bytes]]


@dataclass
class Node(ABC):
    """A node: its number, its name, and the ticks of one of its cycles."""

    number: int
    name: str
    period: int

    @abstractmethod
    def run(self, proceed: Callable[[], bool]) -> Pause:
        """Runs to the next pause, as long as `proceed` returns true."""

    @abstractmethod
    def answer(self, tick: int, packet: Packet | None) -> None:
        """Resumes the node in a tick, with a packet or without."""

    @abstractmethod
    def copy(self) -> Node:
        """A node in the same state that goes on independently."""


@dataclass
class MachineNode(Node):
    """A node that is a machine with a program.

    `most` are the cycles that it may take in all, `waited` those in which it waited. `heard` are
    the ticks in which it was resumed, each with its packet.
    """

    machine: Machine
    most: int
    waited: int = 0
    cycles: int = 0
    heard: list[tuple[int, Packet | None]] = field(default_factory=list)

    @classmethod
    def plugged(
        cls, number: int, name: str, period: int, machine: Machine, most: int
    ) -> MachineNode:
        """The node of a machine, with the network's link on its bus."""
        base = machine.device.peripherals_base + LINK
        try:
            _native.link_plug(machine.native, base, number)
        except ValueError as error:
            raise InputError(
                f"{machine.device.name} takes no link: {error}",
                f"leave the 16 bytes from {base:#x} on free in its file",
            ) from error
        return cls(number, name, period, machine, most)

    def run(self, proceed: Callable[[], bool]) -> Pause:
        """Runs the machine; raises `ProgramError` if it stops in another way than it should."""
        limit = self.cycles
        sent: list[tuple[int, int, bytes]] = []
        while True:
            limit = min(limit + _SLICE, self.most)
            kind, cause, self.cycles, patience, code, more = _native.link_run(
                self.machine.native, limit
            )
            sent += [(cycle * self.period, to, content) for cycle, to, content in more]
            if kind != "cycle_limit" or self.cycles >= self.most or not proceed():
                break
        if kind not in ("held", "exit") or code:
            raise ProgramError(
                f"{self.name} stopped in cycle {self.cycles:,}: {cause}",
                "its program should wait for packets, and end with code 0",
            )
        at = self.cycles * self.period
        waits = patience is not None and patience != FOREVER
        deadline = at + (patience or 0) * self.period if waits else None
        return Pause(at, deadline, kind == "exit", sent)

    def answer(self, tick: int, packet: Packet | None) -> None:
        """Resumes the program in the first cycle that does not begin before a tick."""
        cycle = max(-(-tick // self.period), self.cycles)
        self.heard.append((tick, packet))
        self.waited += cycle - self.cycles
        self.cycles = cycle
        content = None if packet is None else (packet.sender, packet.content)
        _native.link_answer(self.machine.native, cycle, content)

    def copy(self) -> MachineNode:
        """A machine in the same state."""
        twin = MachineNode(
            self.number, self.name, self.period, self.machine.copy(), self.most, self.waited
        )
        twin.cycles, twin.heard = self.cycles, list(self.heard)
        return twin


class Party(Protocol):
    """A participant on the host, which acts at the start, on a packet, and when time is up.

    Times are in seconds from the beginning. Each method returns what it sends: receiver and bytes.
    """

    def start(self) -> Sequence[tuple[int, bytes]]:
        """Acts at the start."""

    def receive(self, content: bytes, sender: int, seconds: float) -> Sequence[tuple[int, bytes]]:
        """Acts on a packet that has come in."""

    def timeout(self, seconds: float) -> Sequence[tuple[int, bytes]]:
        """Acts when the deadline is over."""

    @property
    def deadline(self) -> float | None:
        """The time until which it waits; None: for ever."""

    @property
    def done(self) -> bool:
        """Returns whether it has ended."""


@dataclass
class HostNode(Node):
    """A node whose party runs on the host, in no time."""

    party: Party
    hz: int
    at: int = 0
    packet: Packet | None = None
    started: bool = False

    def run(self, proceed: Callable[[], bool]) -> Pause:  # noqa: ARG002 - it takes no time.
        """Runs the party's next action."""
        sent = [(self.at, to, content) for to, content in self._act()]
        deadline = self.party.deadline
        until = None if deadline is None else max(self.at, round(deadline * self.hz))
        return Pause(self.at, until, self.party.done, sent)

    def _act(self) -> Sequence[tuple[int, bytes]]:
        if not self.started:
            self.started = True
            return self.party.start()
        if self.packet is None:
            return self.party.timeout(self.at / self.hz)
        packet, self.packet = self.packet, None
        return self.party.receive(packet.content, packet.sender, self.at / self.hz)

    def answer(self, tick: int, packet: Packet | None) -> None:
        """Stores the packet for the next run."""
        self.at, self.packet = max(self.at, tick), packet

    def copy(self) -> HostNode:
        """A party in the same state."""
        return HostNode(
            self.number,
            self.name,
            self.period,
            deepcopy(self.party),
            self.hz,
            self.at,
            self.packet,
            self.started,
        )
