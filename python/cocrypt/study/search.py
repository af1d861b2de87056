"""The settings that an exploration tries, and its objectives and bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import gcd
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cocrypt.device import Device


@dataclass(frozen=True)
class Sweep:
    """Buses and clocks that are tried in every combination; an empty field is the device's own.

    Waits are in cycles, widths in bits, clocks are the coprocessors' against the core's, as
    multiplier and divisor.
    """

    bus_wait: tuple[int, ...] = ()
    burst_wait: tuple[int, ...] = ()
    bus_width: tuple[int, ...] = ()
    clock: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Sweep:
        """The sweep of a checked dictionary."""
        return cls(**{key: tuple(tried) for key, tried in values.items()})

    def settings(self, device: Device) -> tuple[dict[str, int], ...]:
        """The settings of a device for each possible combination; those of the device come first.

        On a bus that is narrower than a word, each word takes as many transfers as it has parts.
        """
        distinct: dict[tuple[int, ...], dict[str, int]] = {}
        for settings in ({}, *self._combinations(device)):
            distinct.setdefault(_resulting(device, settings), settings)
        return tuple(distinct.values())

    def _combinations(self, device: Device) -> Iterator[dict[str, int]]:
        """Combinations in which words of a burst wait a cycle or more, and not above `bus_wait`."""
        own = device.coprocessor_clock
        waits = self.bus_wait or (device.bus.wait,)
        bursts = self.burst_wait or (None,)
        clocks = self.clock or ((own.multiply, own.divide),)
        for wait, burst, width, clock in product(waits, bursts, self.bus_width or (32,), clocks):
            parts = 32 // width
            burst_wait = wait * parts if burst is None else burst * parts
            multiply, divide = clock
            if burst_wait > wait * parts or burst_wait * multiply < divide:
                continue
            settings = {
                "bus_wait": wait * parts,
                "clock_multiply": multiply,
                "clock_divide": divide,
            }
            yield settings if burst is None else {**settings, "burst_wait": burst_wait}


@dataclass(frozen=True)
class Search:
    """The objectives, figures to minimise or to maximise, and the bounds of figures.

    `simulations` is the most partitions that are simulated; `sample` is the number of predicted
    ones that are simulated beside the best. All random choices come from `seed`.
    """

    minimise: tuple[str, ...] = ()
    maximise: tuple[str, ...] = ()
    at_most: Mapping[str, float] = field(default_factory=dict)
    at_least: Mapping[str, float] = field(default_factory=dict)
    method: str = "auto"
    seed: int = 1
    simulations: int | None = None
    sample: int = 8

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Search:
        """The search of a checked dictionary."""
        lists = {key: tuple(values[key]) for key in ("minimise", "maximise")}
        return cls(**{**values, **lists})

    @property
    def figures(self) -> frozenset[str]:
        """The figures of all objectives and bounds."""
        return frozenset((*self.minimise, *self.maximise, *self.at_most, *self.at_least))


def _resulting(device: Device, settings: Mapping[str, int]) -> tuple[int, ...]:
    """The waits and the reduced clock ratio of a device that is set so."""
    bus, clock = device.bus, device.coprocessor_clock
    wait = settings.get("bus_wait", bus.wait)
    has_bursts = bus.burst_wait != bus.wait
    burst = settings.get("burst_wait", min(bus.burst_wait, wait) if has_bursts else wait)
    multiply = settings.get("clock_multiply", clock.multiply)
    divide = settings.get("clock_divide", clock.divide)
    common = gcd(multiply, divide)
    return (wait, burst, multiply // common, divide // common)
