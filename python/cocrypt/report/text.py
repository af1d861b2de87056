"""The sentences of the report, computed from its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cocrypt.explore import Exploration, Row
    from cocrypt.study import Device


def headline(result: Exploration) -> str:
    """The result in one line."""
    best = fastest(result)
    hardware = best.measurement.partition.hw
    if not hardware:
        return f"{result.workload.title}: nothing is faster than software alone"
    named = " and ".join(filter(None, (", ".join(hardware[:-1]), hardware[-1])))
    return f"{result.workload.title}: {best.gain:.1f} times as fast with {named} in hardware"


def summary(result: Exploration) -> str:
    """What stands behind the headline."""
    best, software = fastest(result), result.by_hardware(())
    good = sum(row.measurement.verified for row in result.rows)
    return (
        f"{best.measurement.partition.name} takes {_cycles(best)}, {100 * best.overhead:.1f} % of "
        f"them on the bus; software alone takes {_cycles(software)}. {_all_hardware(result)}"
        f"On the Pareto front of cycles against functions in hardware: {_front(result)}. "
        f"{good} of {len(result.rows)} partitions gave the expected result."
    )


def device(one: Device) -> str:
    """The device, and what decides its figures."""
    parameters = one.values["parameters"].items()
    switched = ", ".join(name for name, value in parameters if value) or "no options"
    core = one.values["core"]["title"]
    waits = "; ".join(
        f"{memory['name']}: fetch {memory['fetch_wait']}, data {memory['data_wait']}"
        for memory in one.values["memories"]
    )
    return (
        f"{one.title}: {core} at {one.clock_hz / 1e6:g} MHz with {switched}. "
        f"Cycles from request to answer: {waits}; bus: {one.bus_wait}."
    )


def fastest(result: Exploration) -> Row:
    """The row with the fewest cycles."""
    return min(result.rows, key=lambda row: row.measurement.split.total)


def _cycles(row: Row) -> str:
    return f"{row.measurement.split.total:,} cycles"


def _all_hardware(result: Exploration) -> str:
    """What more hardware than the fastest partition has would bring: nothing."""
    every = max(result.rows, key=lambda row: len(row.measurement.partition.hw))
    if every is fastest(result):
        return ""
    name = every.measurement.partition.name
    share = f"{100 * every.overhead:.1f} % of them on the bus"
    return f"{name}, all in hardware, takes {_cycles(every)}, {share}. "


def _front(result: Exploration) -> str:
    return ", ".join(row.measurement.partition.name for row in result.rows if row.pareto)


def short(value: int) -> str:
    """A number in three digits and its unit."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return str(value)
