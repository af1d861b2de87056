"""The cost of a call of an option on any bus and clock, calibrated by one run with it alone.

Such a run gives the number of calls and of transfers, the cycles until the driver first polls the
coprocessor's status, and those between two polls. The cost of transfers follows from the bus, the
number of polls from the time that the coprocessor works. That time is known up to one turn of the
poll loop, so the run is most accurate with a slow clock of the coprocessor, where a turn is few of
its cycles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.device import Device
    from cocrypt.explore.measured import Measurement


@dataclass(frozen=True)
class Bus:
    """The cost of transfers in cycles; `clock` is the coprocessors' clock against the core's."""

    wait: int
    burst_wait: int
    clock: float

    @classmethod
    def of(cls, device: Device) -> Bus:
        """The bus of a device."""
        bus, ratio = device.bus, device.coprocessor_clock
        return cls(bus.wait, bus.burst_wait, ratio.multiply / ratio.divide)

    @property
    def halved(self) -> Bus:
        """The bus with half of the coprocessors' clock; a transfer waits for a cycle of it."""
        clock = self.clock / 2
        least = math.ceil(1 / clock)
        return Bus(max(self.wait, least), max(self.burst_wait, least), clock)


@dataclass(frozen=True)
class Asking:
    """The polling of a coprocessor in a call, in means of each wait.

    `times` is the number of waits in a call. `first` are the core's cycles from the transfer before
    to the answer of the first poll, `turn` those from there to the next answer, both without the
    cycles of the bus; `work` are the coprocessor's cycles. `steady` is true if every wait has the
    same number of polls.
    """

    times: float
    first: float
    turn: float
    work: float
    steady: bool

    def polls(self, bus: Bus) -> float:
        """The number of polls until the coprocessor is done."""
        remaining = self.work / bus.clock - (self.first + bus.wait)
        turns = remaining / (self.turn + bus.wait)
        return 1 + max(0.0, math.ceil(turns) if self.steady else turns + 0.5)


@dataclass(frozen=True)
class Cost:
    """The cost of an option, in means of one call.

    `fixed` are cycles without those of the bus and of repeated polls; `transfers` are those to any
    peripheral that are no polls, `following` those of them that continue a burst. With `dual` the
    coprocessor has two rails, and half of its clock.
    """

    calls: int
    fixed: float
    transfers: float = 0.0
    following: float = 0.0
    asking: Asking | None = None
    dual: bool = False

    @classmethod
    def learnt(
        cls, calls: int, cycles: float, run: Measurement, without: Measurement, bus: Bus
    ) -> Cost:
        """The cost from runs with and without the option; `cycles` are those of all its calls."""
        if not calls:
            return cls(0, 0.0)
        polls = (run.transfers["status"] - without.transfers["status"]) / calls
        moved = (run.bus["transfers"] - without.bus["transfers"]) / calls - polls
        following = (run.bus["following"] - without.bus["following"]) / calls
        polling = {key: run.polling[key] - without.polling[key] for key in run.polling}
        asking = _asking(calls, polling, bus)
        without_fixed = cls(calls, 0.0, moved, following, asking)
        repeated = (polls - asking.times) * asking.turn if asking else 0.0
        fixed = cycles / calls - without_fixed.moved(bus) - polls * bus.wait - repeated
        return cls(calls, fixed, moved, following, asking)

    def at(self, bus: Bus) -> float:
        """Cycles of a call on a bus."""
        bus = bus.halved if self.dual else bus
        cycles = self.fixed + self.moved(bus)
        if self.asking is None:
            return cycles
        polls = self.asking.polls(bus)
        wait_cycles = polls * bus.wait + (polls - 1) * self.asking.turn
        return cycles + self.asking.times * wait_cycles

    def waits(self, bus: Bus) -> float:
        """Cycles of a call in which transfers wait on a bus: its part of mu."""
        bus = bus.halved if self.dual else bus
        polled = self.asking.times * self.asking.polls(bus) * bus.wait if self.asking else 0.0
        return self.moved(bus) + polled

    def moved(self, bus: Bus) -> float:
        """Cycles that the transfers of a call wait on a bus, without polls."""
        return self.transfers * bus.wait - self.following * (bus.wait - bus.burst_wait)


def _asking(calls: int, polling: Mapping[str, int], bus: Bus) -> Asking | None:
    """The polling of the calls in a run; None if there is none."""
    if polling["firsts"] <= 0:
        return None
    first = polling["first_cycles"] / polling["firsts"]
    turn = polling["again_cycles"] / polling["again"] if polling["again"] else first
    repeats = polling["again"] / polling["firsts"]
    # The work ended within the last turn, on average in its middle, or before the first poll.
    until = first + (repeats - 0.5) * turn if repeats else first / 2
    return Asking(
        times=polling["firsts"] / calls,
        first=first - bus.wait,
        turn=turn - bus.wait,
        work=until * bus.clock,
        steady=polling["again"] % polling["firsts"] == 0,
    )
