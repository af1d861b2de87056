"""Lines between nodes: how long a packet travels, and who may touch it on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BITS = {"fifo": 8, "uart": 10}
"""Bits that a byte is on a line: a UART adds a start and a stop bit."""


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
        """What a packet of so many bytes is on the line."""
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
    """What carries packets. An attacker is one that does something else with them."""

    def carry(self, packet: Packet) -> Sequence[Packet]:
        """What arrives in place of a packet; nothing may arrive earlier than it would."""
        return (packet,)
