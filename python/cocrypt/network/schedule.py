"""The time of each node, and the order in which waiting nodes may go on."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.network.line import Packet

NEVER = float("inf")


@dataclass
class State:
    """A node that runs or waits since a tick, or has ended; `inbox` is under way to it."""

    since: int = 0
    running: bool = True
    ended: bool = False
    deadline: int | None = None
    inbox: list[tuple[tuple[int, int, int], Packet]] = field(default_factory=list)
    version: int = 0

    @property
    def next(self) -> float:
        """The tick of what it waits for: a packet that is on its way to it, or its deadline."""
        arrives = self.inbox[0][1].arrives if self.inbox else NEVER
        return min(arrives, NEVER if self.deadline is None else self.deadline)

    @property
    def earliest(self) -> float:
        """The first tick in which it may do anything."""
        if self.ended:
            return NEVER
        return self.since if self.running else max(self.since, self.next)

    def take(self) -> Packet | None:
        """Resumes with the packet that it waits for, or without a packet if the wait is over."""
        packet = None
        arrival = self.inbox[0][1].arrives if self.inbox else None
        if arrival is not None and (self.deadline is None or arrival <= self.deadline):
            packet = heapq.heappop(self.inbox)[1]
        tick = self.deadline if packet is None else packet.arrives
        self.since = max(self.since, tick or 0)
        self.running, self.deadline = True, None
        return packet

    def copy(self) -> State:
        """A copy that goes on independently."""
        return State(
            self.since, self.running, self.ended, self.deadline, list(self.inbox), self.version
        )


@dataclass
class Schedule:
    """All nodes by number.

    Two heaps hold what a node may do first, and what it waits for; an entry counts as long as the
    node's version is that of the entry.
    """

    states: list[State]
    floors: list[tuple[float, int, int]] = field(default_factory=list)
    waiting: list[tuple[float, int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, count: int) -> Schedule:
        """`count` nodes that begin to run."""
        schedule = cls([State() for _ in range(count)])
        for index in range(count):
            schedule.note(index)
        return schedule

    def copy(self) -> Schedule:
        """A copy that goes on independently."""
        states = [state.copy() for state in self.states]
        return Schedule(states, list(self.floors), list(self.waiting))

    def note(self, index: int) -> None:
        """Records that a node's state has changed."""
        state = self.states[index]
        state.version += 1
        if not state.ended:
            heapq.heappush(self.floors, (state.earliest, index, state.version))
        if not (state.ended or state.running):
            heapq.heappush(self.waiting, (state.next, index, state.version))

    def _is_old(self, entry: tuple[float, int, int]) -> bool:
        return self.states[entry[1]].version != entry[2]

    @property
    def floor(self) -> float:
        """The first tick in which any node may do anything."""
        while self.floors and self._is_old(self.floors[0]):
            heapq.heappop(self.floors)
        return self.floors[0][0] if self.floors else NEVER

    def free(self, least: int) -> Iterator[int]:
        """Nodes that no packet can reach any more before what they wait for.

        Every packet is under way for at least `least` ticks.
        """
        while self.waiting:
            tick, index, _ = self.waiting[0]
            if not self._is_old(self.waiting[0]):
                if tick == NEVER or tick >= self.floor + least:
                    return
                yield index
            heapq.heappop(self.waiting)
