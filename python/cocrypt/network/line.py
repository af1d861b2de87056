"""Lines between nodes: the time that a packet takes, and the wire that attackers replace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BITS = {"fifo": 8, "uart": 10}
"""Bits that a byte has on a line: a UART adds a start and a stop bit."""


@dataclass(frozen=True)
class Line:
    """Every node sends on a line of its own, one packet behind the other.

    `rate` is in bits a second, `latency` in seconds from the last bit to the packet that has come
    in.
    """

    kind: str
    rate: int
    latency: float

    def bits(self, size: int) -> int:
        """The bits that a packet of `size` bytes has on the line."""
        return BITS[self.kind] * size


@dataclass(frozen=True)
class Packet:
    """A packet under way; times are in ticks of the network.

    `number` counts what its sender has sent, and with the sender tells packets apart that arrive in
    the same tick.
    """

    sender: int
    receiver: int
    number: int
    content: bytes
    sent: int
    arrives: int

    @property
    def order(self) -> tuple[int, int, int]:
        """The order in which packets are read where they come in."""
        return self.arrives, self.sender, self.number


class Wire:
    """Carries packets. An attacker is a wire that does something else with them."""

    def carry(self, packet: Packet) -> Sequence[Packet]:
        """The packets that arrive in place of one; none may arrive earlier than it would."""
        return (packet,)
