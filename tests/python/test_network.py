"""Nodes on one axis of time: arrivals of packets and waits, for any number of workers."""

import random
from dataclasses import dataclass, field

import pytest

from cocrypt.network import HostNode, Line, Packet, Simulation, Wire

HZ = 1_000_000
LINE = Line("fifo", 800_000, 5e-6)  # a byte in 10 us


@dataclass
class Talker:
    """Answers packets, `turns` of them, and then ends."""

    to: tuple[int, ...]
    turns: int
    patience: float | None = None
    opens: bool = False
    heard: list[tuple[float, int, bytes]] = field(default_factory=list)
    until: float | None = None
    done: bool = False

    @property
    def deadline(self) -> float | None:
        return self.until

    def start(self) -> list[tuple[int, bytes]]:
        self.until = self.patience
        return [(receiver, b"hello") for receiver in self.to] if self.opens else []

    def receive(self, content: bytes, sender: int, seconds: float) -> list[tuple[int, bytes]]:
        self.heard.append((seconds, sender, content))
        self.turns -= 1
        self.done = self.turns <= 0
        self.until = None if self.patience is None else seconds + self.patience
        return [(sender, content + bytes([len(self.heard)]))]

    def timeout(self, seconds: float) -> list[tuple[int, bytes]]:
        self.heard.append((seconds, -1, b""))
        self.done = True
        return []


def network(*parties: Talker, wire: Wire | None = None) -> Simulation:
    nodes = [HostNode(i, f"node {i}", 1, party, HZ) for i, party in enumerate(parties)]
    return Simulation(list(nodes), LINE, HZ, wire or Wire())


def test_a_packet_arrives_when_its_bits_are_over_and_the_latency() -> None:
    first, second = Talker((1,), 1, opens=True), Talker((), 2)
    simulation = network(first, second)
    simulation.run()
    # 5 bytes of 10 us, and 5 us; the answer has a byte more.
    assert first.heard == [(120e-6, 1, b"hello\x01")]
    # The node that has answered ends, and its answer arrives at the other node.
    assert second.heard == [(55e-6, 0, b"hello"), (195e-6, 0, b"hello\x01\x01")]
    assert not simulation.stuck


def test_a_uart_takes_ten_bits_a_byte() -> None:
    assert Line("uart", 1, 0.0).bits(8) == 80
    assert Line("fifo", 1, 0.0).bits(8) == 64


def test_packets_of_one_node_follow_one_another_on_its_line() -> None:
    simulation = network(Talker((1, 1, 1), 3, opens=True), Talker((), 3))
    simulation.run()
    sent = [packet for packet in simulation.packets if packet.sender == 0][:3]
    assert [packet.arrives for packet in sent] == [55, 105, 155]


def test_who_waits_too_long_goes_on_without_a_packet() -> None:
    alone = Talker((), 1, patience=0.25)
    simulation = network(alone)
    simulation.run()
    assert alone.heard == [(0.25, -1, b"")]
    assert not simulation.stuck


def test_a_packet_in_the_last_tick_is_in_time() -> None:
    for patience, heard in ((55e-6, (55e-6, 0, b"hello")), (54e-6, (54e-6, -1, b""))):
        second = Talker((), 1, patience=patience)
        network(Talker((1,), 1, patience=1.0, opens=True), second).run()
        assert second.heard == [heard]


def test_packets_to_nobody_are_lost() -> None:
    simulation = network(Talker((9,), 1, patience=1e-3, opens=True))
    simulation.run()
    assert [packet.receiver for packet in simulation.lost] == [9]


class Noise(Wire):
    """Delays and doubles packets, depending on sender and number alone."""

    def carry(self, packet: Packet) -> list[Packet]:
        lot = random.Random(f"{packet.sender} {packet.number}")
        late = Packet(
            packet.sender,
            packet.receiver,
            packet.number,
            packet.content,
            packet.sent,
            packet.arrives + lot.randrange(500),
        )
        return [late] * lot.randrange(1, 3)


def crowded(jobs: int) -> list[list[tuple[float, int, bytes]]]:
    """The packets that each node receives where twenty talk to one."""
    parties = [Talker((), 90, patience=0.01)]
    parties += [Talker((0,), 5, patience=0.01, opens=True) for _ in range(20)]
    simulation = network(*parties, wire=Noise())
    simulation.run(jobs)
    assert not simulation.stuck
    return [party.heard for party in parties]


def test_the_number_of_workers_changes_nothing() -> None:
    alone = crowded(1)
    assert sum(map(len, alone)) > 100
    for jobs in (2, 3, 8):
        assert crowded(jobs) == alone


def test_what_is_heard_is_in_the_order_of_time() -> None:
    for heard in crowded(2):
        times = [seconds for seconds, _, _ in heard]
        assert times == sorted(times)


def test_a_copy_goes_on_as_the_original_does() -> None:
    def parties() -> tuple[Talker, Talker]:
        return Talker((1,), 4, opens=True), Talker((), 4, patience=0.01)

    whole = network(*parties())
    whole.run()
    first = network(*parties())
    first.run(until=lambda: len(first.packets) == 3)
    twin = first.copy()
    twin.run()
    assert len(first.packets) == 3
    assert twin.packets == whole.packets
    first.run()
    assert first.packets == whole.packets


def test_somebody_from_outside_ends_a_wait() -> None:
    waiting = Talker((), 1)
    simulation = network(waiting, Talker((), 1))
    simulation.settle()
    assert simulation.is_quiet
    simulation.wake(0, 777)
    simulation.run()
    assert waiting.heard == [(777e-6, -1, b"")]
    assert [node.number for node in simulation.stuck] == [1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_node_raises_comes_out(jobs: int) -> None:
    class Broken(Talker):
        def receive(self, content: bytes, sender: int, seconds: float) -> list[tuple[int, bytes]]:
            raise ValueError(f"{content!r} from {sender} at {seconds}")

    with pytest.raises(ValueError, match="hello"):
        network(Talker((1,), 1, opens=True), Broken((), 1)).run(jobs)
