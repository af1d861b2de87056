"""Energy of a run, from the figures of power in the device's file and the register maps.

Three things add up, each as far as its figures are given: the power that the device draws while it
runs, times the time; the energies of classes of instructions, times how often they ran; and the
coprocessors, by their power while the core waits for them, transfers included, or else by how many
of their bits changed, each of which moves its capacitance to or from the supply: C V^2 / 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.coprocessor import Coprocessor
    from cocrypt.device import Device


def classes(instructions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The executions of each class of instructions in a profile.

    An instruction that accesses memory is a load or store, whatever else it does.
    """
    counts: dict[str, int] = {}
    for instruction in instructions:
        kind = instruction["kind"]
        counts[kind] = counts.get(kind, 0) + int(instruction["executions"])
    return counts


def core_energy(device: Device, cycles: float, counts: Mapping[str, float]) -> float | None:
    """The energy of the core with all that is always on, in joules; None if unknown."""
    power = device.power
    if not power.is_known_of_core:
        return None
    always = (power.active_W or 0.0) * cycles / device.clock_hz
    energies = {power_class.name: power_class.energy_J for power_class in power.classes}
    return always + sum(energies.get(name, 0.0) * count for name, count in counts.items())


def coprocessor_energy(
    device: Device,
    coprocessors: Sequence[Coprocessor],
    awaited: Sequence[int | None],
    toggles: Sequence[int | None],
) -> float | None:
    """The energy of coprocessors beside that, in joules; None where that of one is unknown.

    `awaited` are the cycles that the core waited for each of them, `toggles` their changed bits.
    """
    toggling = device.power.toggling
    energy_per_bit = toggling.capacitance_F * toggling.voltage_V**2 / 2 if toggling else 0.0
    total = 0.0
    for coprocessor, cycles, changed in zip(coprocessors, awaited, toggles, strict=True):
        if coprocessor.power_W is not None:
            if cycles is None:
                return None
            total += coprocessor.power_W * cycles / device.clock_hz
        elif toggling:
            if changed is None:
                return None
            total += energy_per_bit * changed
    return total


def trust(device: Device) -> str | None:
    """A sentence on the source of figures of energy, and on their uncertainty; None without any."""
    power = device.power
    if not power.is_known_of_core:
        return None
    parts = ["power while it runs"] * (power.active_W is not None)
    parts += ["energies of classes of instructions"] * bool(power.classes)
    parts += ["toggled bits of coprocessors"] * bool(power.toggling)
    off = power.uncertainty_percent
    how_far = f", off by up to {off:g} %" if off else ", how far off is not stated"
    return f"energy: an estimate by {', '.join(parts)} ({power.source or 'no source'}{how_far})"
