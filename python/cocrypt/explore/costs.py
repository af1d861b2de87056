"""What a call of an option costs on any bus and clock, learnt from one run with it alone.

Such a run says how often the option was called, how many transfers it made, how often it asked
whether the coprocessor was done, and how many cycles it spent beside all that. Transfers cost what
the bus asks; how often it has to ask follows from how long the coprocessor works, which is known up
to one turn of the loop that asks. So the run is best made where such a turn is short.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cocrypt.explore.results import Measurement
    from cocrypt.study import Device


@dataclass(frozen=True)
class Bus:
    """What transfers cost, in cycles; `clock` is the coprocessors' clock against the core's."""

    wait: int
    burst_wait: int
    clock: float

    @classmethod
    def of(cls, device: Device) -> Bus:
        """The bus of a device."""
        bus, ratio = device.values["bus"], device.values["coprocessor_clock"]
        return cls(bus["wait"], bus["burst_wait"], ratio["multiply"] / ratio["divide"])


@dataclass(frozen=True)
class Cost:
    """A call of an option, all in numbers for one call.

    `fixed` are cycles beside transfers and asking, `transfers` those that do not ask, `following`
    the ones among them that continue a burst; `step` are the cycles of asking once beside the
    transfer, and `work` those of the core that the coprocessor works for at its own clock. `steady`
    says that every call asks equally often.
    """

    calls: int
    fixed: float
    transfers: float = 0.0
    following: float = 0.0
    step: float = 0.0
    work: float = 0.0
    steady: bool = True
    asks: bool = False

    @classmethod
    def learnt(cls, calls: int, cycles: float, one: Measurement, bus: Bus) -> Cost:
        """From a run with the option alone: `cycles` are those of all its calls there."""
        if not calls:
            return cls(0, 0.0)
        polls = one.transfers["status"] / calls
        transfers = sum(one.transfers[role] for role in ("control", "input", "output")) / calls
        following = one.following / calls
        step = one.split.waiting / one.transfers["status"] if polls else 0.0
        turn = step + bus.wait
        moved = transfers * bus.wait - following * (bus.wait - bus.burst_wait)
        steady = one.transfers["status"] % calls == 0
        return cls(
            calls=calls,
            fixed=cycles / calls - moved - polls * turn,
            transfers=transfers,
            following=following,
            step=step,
            # It was done within the last turn, on average in its middle.
            work=max(polls - 0.5, 0.0) * turn * bus.clock,
            steady=steady,
            asks=polls > 0,
        )

    def at(self, bus: Bus) -> float:
        """Cycles of a call on a bus."""
        moved = self.transfers * bus.wait - self.following * (bus.wait - bus.burst_wait)
        return self.fixed + moved + self.polls(bus) * (self.step + bus.wait)

    def polls(self, bus: Bus) -> float:
        """How often a call asks whether the coprocessor is done."""
        if not self.asks:
            return 0.0
        turns = self.work / bus.clock / (self.step + bus.wait)
        return max(1.0, math.ceil(turns) if self.steady else turns + 0.5)

    def waits(self, bus: Bus) -> float:
        """Cycles of a call on the bus: its part of mu."""
        moved = self.transfers * bus.wait - self.following * (bus.wait - bus.burst_wait)
        return moved + self.polls(bus) * bus.wait
