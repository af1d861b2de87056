"""Conservative parallel simulation of the nodes of a network.

A node runs until it waits for a packet: until then nothing from outside can reach it. It resumes as
soon as no packet can arrive before the one that is there, or before its deadline. The lookahead is
the time that every packet is under way, so this is known while other nodes still run. The outcome
depends on the order of packets alone, and that order on their ticks; so it is the same for any
number of workers.
"""

from __future__ import annotations

import heapq
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from math import ceil, lcm
from typing import TYPE_CHECKING

from cocrypt.interrupt import heard
from cocrypt.network.line import Line, Packet, Wire
from cocrypt.network.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cocrypt.network.node import Node, Pause


def ticks_per_second(clocks: Iterable[int]) -> int:
    """The least ticks per second for which every clock's cycle is a whole number of ticks."""
    return lcm(*clocks)


@dataclass
class Simulation:
    """Nodes with lines between them; `hz` are its ticks in a second.

    `packets` are all packets sent, `lost` those that no node received. Of each node: `free` is the
    tick from which on its line is free, `counts` how many packets it has sent.
    """

    nodes: list[Node]
    line: Line
    hz: int
    wire: Wire = field(default_factory=Wire)
    packets: list[Packet] = field(default_factory=list)
    lost: list[Packet] = field(default_factory=list)
    schedule: Schedule = field(default_factory=lambda: Schedule([]))
    free: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    ready: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._latency = max(1, ceil(self.line.latency * self.hz))
        self._least = self._latency + self._duration(1)
        if not self.schedule.states:
            self.schedule = Schedule.of(len(self.nodes))
            self.free = [0] * len(self.nodes)
            self.counts = [0] * len(self.nodes)
            self.ready = list(range(len(self.nodes)))

    def _duration(self, size: int) -> int:
        """Ticks that a packet of `size` bytes takes on the line."""
        return -(-self.line.bits(size) * self.hz // self.line.rate)

    def copy(self) -> Simulation:
        """A simulation in the same state that goes on independently; no node may run meanwhile."""
        return replace(
            self,
            nodes=[node.copy() for node in self.nodes],
            packets=list(self.packets),
            lost=list(self.lost),
            schedule=self.schedule.copy(),
            free=list(self.free),
            counts=list(self.counts),
            ready=list(self.ready),
        )

    @property
    def stuck(self) -> list[Node]:
        """Nodes that wait for ever, for packets that will never be sent."""
        pairs = zip(self.nodes, self.schedule.states, strict=True)
        return [node for node, state in pairs if not state.ended]

    @property
    def is_quiet(self) -> bool:
        """Returns whether no node runs and no packet is under way: waits may end, but no more."""
        states = self.schedule.states
        return not any(state.running or state.inbox for state in states if not state.ended)

    @property
    def now(self) -> int:
        """The latest tick that any node has reached."""
        return max(state.since for state in self.schedule.states)

    def has_ended(self, index: int) -> bool:
        """Returns whether a node has ended."""
        return self.schedule.states[index].ended

    def wake(self, index: int, tick: int | None = None) -> None:
        """Ends a node's wait from outside in a tick, else in the present one: a user is there."""
        state = self.schedule.states[index]
        state.deadline = max(state.since, self.now if tick is None else tick)
        self.schedule.note(index)

    def settle(self) -> None:
        """Runs until it is quiet."""
        self.run(until=lambda: self.is_quiet)

    def run(
        self,
        jobs: int = 1,
        until: Callable[[], bool] = lambda: False,
        step: Callable[[], object] = lambda: None,
    ) -> None:
        """Runs until all nodes have ended or wait for ever, or `until` says so between two steps.

        Up to `jobs` nodes run at once; `step` is called after each run. Raises what a node
        raises.
        """
        if jobs == 1:
            self._alone(until, step)
        else:
            self._together(jobs, until, step)

    def _alone(self, until: Callable[[], bool], step: Callable[[], object]) -> None:
        while not until():
            self._release()
            if not self.ready:
                return
            index = self.ready.pop(0)
            self._paused(index, self.nodes[index].run(lambda: not heard()))
            step()

    def _together(self, jobs: int, until: Callable[[], bool], step: Callable[[], object]) -> None:
        going = [True]
        running: dict[Future[Pause], int] = {}
        with ThreadPoolExecutor(jobs) as pool:
            try:
                while not until():
                    self._release()
                    while self.ready:
                        index = self.ready.pop(0)
                        running[pool.submit(self.nodes[index].run, lambda: going[0])] = index
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        self._paused(running.pop(future), future.result())
                        step()
            finally:
                going[0] = False
                pool.shutdown(cancel_futures=True)

    def _release(self) -> None:
        """Resumes nodes that no packet can reach any more before what they wait for."""
        for index in self.schedule.free(self._least):
            state = self.schedule.states[index]
            packet = state.take()
            self.nodes[index].answer(state.since, packet)
            self.schedule.note(index)
            self.ready.append(index)

    def _paused(self, index: int, pause: Pause) -> None:
        """Records that a node has run to a pause."""
        state = self.schedule.states[index]
        state.since, state.deadline = pause.at, pause.deadline
        state.running, state.ended = False, pause.ended
        if pause.ended:
            self.lost += [packet for _, packet in sorted(state.inbox)]
            state.inbox.clear()
        for tick, to, content in pause.sent:
            self._send(index, tick, to, content)
        self.schedule.note(index)

    def _send(self, index: int, tick: int, to: int, content: bytes) -> None:
        begins = max(tick, self.free[index])
        self.free[index] = begins + self._duration(len(content))
        arrives = self.free[index] + self._latency
        self.counts[index] += 1
        packet = Packet(index, to, self.counts[index], content, tick, arrives)
        self.packets.append(packet)
        for delivered in self.wire.carry(packet):
            self.deliver(delivered)

    def deliver(self, packet: Packet) -> None:
        """Puts a packet on its way."""
        has_receiver = packet.receiver < len(self.nodes)
        if not packet.content or not has_receiver or self.has_ended(packet.receiver):
            self.lost.append(packet)
            return
        state = self.schedule.states[packet.receiver]
        heapq.heappush(state.inbox, (packet.order, packet))
        if not state.running:
            self.schedule.note(packet.receiver)
