"""What a call of an option costs on any bus and clock, learnt from one run with it alone.

Such a run says how often the option was called, how many transfers it made, how long it took until
it first asked whether the coprocessor was done, and from there to the next time. Transfers cost
what the bus asks; how often it has to ask follows from how long the coprocessor works. That is
known up to one turn of the loop that asks, so the run is best made where the coprocessor's clock is
slow, and such a turn few of its cycles.
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
    """What transfers cost, in cycles; `clock` is the coprocessors' clock against the core's."""

    wait: int
    burst_wait: int
    clock: float

    @classmethod
    def of(cls, device: Device) -> Bus:
        """The bus of a device."""
        bus, ratio = device.bus, device.coprocessor_clock
        return cls(bus.wait, bus.burst_wait, ratio.multiply / ratio.divide)


@dataclass(frozen=True)
class Asking:
    """How a call waits for a coprocessor, in numbers for each time that it does.

    `times` are how often it does that in a call. `first` are the core's cycles from the transfer
    before to the answer when it asks first, `turn` from there to the next answer, both without what
    the bus takes; `work` are the coprocessor's cycles. `steady` says that it always asks equally
    often.
    """

    times: float
    first: float
    turn: float
    work: float
    steady: bool

    def polls(self, bus: Bus) -> float:
        """How often it asks until the coprocessor is done."""
        left = self.work / bus.clock - (self.first + bus.wait)
        turns = left / (self.turn + bus.wait)
        return 1 + max(0.0, math.ceil(turns) if self.steady else turns + 0.5)


@dataclass(frozen=True)
class Cost:
    """A call of an option, in numbers for one call.

    `fixed` are cycles beside what the bus takes and beside asking again; `transfers` those to
    whatever peripheral that do not ask, `following` the ones that continue a burst.
    """

    calls: int
    fixed: float
    transfers: float = 0.0
    following: float = 0.0
    asking: Asking | None = None

    @classmethod
    def learnt(
        cls, calls: int, cycles: float, run: Measurement, without: Measurement, bus: Bus
    ) -> Cost:
        """From a run with the option, and one without: `cycles` are those of all its calls."""
        if not calls:
            return cls(0, 0.0)
        polls = (run.transfers["status"] - without.transfers["status"]) / calls
        moved = (run.bus["transfers"] - without.bus["transfers"]) / calls - polls
        following = (run.bus["following"] - without.bus["following"]) / calls
        seen = {key: run.polling[key] - without.polling[key] for key in run.polling}
        asking = _asking(calls, seen, bus)
        made = cls(calls, 0.0, moved, following, asking)
        again = (polls - asking.times) * asking.turn if asking else 0.0
        fixed = cycles / calls - made.moved(bus) - polls * bus.wait - again
        return cls(calls, fixed, moved, following, asking)

    def at(self, bus: Bus) -> float:
        """Cycles of a call on a bus."""
        cycles = self.fixed + self.moved(bus)
        if self.asking is None:
            return cycles
        polls = self.asking.polls(bus)
        each = polls * bus.wait + (polls - 1) * self.asking.turn
        return cycles + self.asking.times * each

    def waits(self, bus: Bus) -> float:
        """Cycles of a call that are transfers' waiting on a bus: its part of mu."""
        asked = self.asking.times * self.asking.polls(bus) * bus.wait if self.asking else 0.0
        return self.moved(bus) + asked

    def moved(self, bus: Bus) -> float:
        """Cycles that the transfers of a call that do not ask wait on a bus."""
        return self.transfers * bus.wait - self.following * (bus.wait - bus.burst_wait)


def _asking(calls: int, seen: Mapping[str, int], bus: Bus) -> Asking | None:
    """How calls waited in a run."""
    if seen["firsts"] <= 0:
        return None
    first = seen["first_cycles"] / seen["firsts"]
    turn = seen["again_cycles"] / seen["again"] if seen["again"] else first
    again = seen["again"] / seen["firsts"]
    # It was done within the last turn, on average in its middle; or before it was asked at all.
    until = first + (again - 0.5) * turn if again else first / 2
    return Asking(
        times=seen["firsts"] / calls,
        first=first - bus.wait,
        turn=turn - bus.wait,
        work=until * bus.clock,
        steady=seen["again"] % seen["firsts"] == 0,
    )
