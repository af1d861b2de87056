"""The files of a calibration: a leakage model, and a device with energies of instructions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.gates.library import FEMTO
from cocrypt.leakage.features import FEATURES
from cocrypt.leakage.fit import stated

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.leakage.calibration import Calibration
    from cocrypt.leakage.fit import Fit

UNIT = 1e-13
"""Joules of a unit of the leakage model, which are those of `leak trace --gates`."""
MODEL, DEVICE = "model.toml", "device.toml"
DIGITS = 4
"""Decimal places of a weight, as the model rounds to 1/65,536."""


def require_without_power(device: Device) -> None:
    """Raises `InputError` for a device that has figures of power of its own."""
    if device.power.is_known_of_core:
        raise InputError(
            f"{device.name} has figures of power already: {device.power.source or 'no source'}",
            "name a device without a section [power]",
        )


def model(found: Calibration) -> str:
    """The leakage model, as `leak trace --model` reads it."""
    lines = [
        *_comment(found),
        "# A unit is 100 fJ. The clock, whose energy is the same in every cycle, is left out.",
        "",
        "[leakage]",
        f'title  = "{_title(found)}"',
        f'source = "{source(found)}"',
    ]
    for fit in found.fits.values():
        lines += ["", f"[kinds.{fit.kind}]", f"constant = {_units(fit.constant)}", *_weights(fit)]
    return "\n".join([*lines, ""])


def device(found: Calibration) -> str:
    """The device with the energies of classes of instructions, and the clock's power."""
    text = paths.read_bytes(found.netlist.device.path).decode("utf-8")
    name = f"{found.netlist.device.name}-{found.netlist.synthesis.library.name}"
    text = re.sub(r'(?m)^name( *)= *"[^"]*"', rf'name\1= "{name}"', text, count=1)
    lines = [
        *_comment(found),
        "# `active_W` is the power of the clock; memory and bus take none.",
        "[power]",
        f"active_W = {found.clock_power:.4g}",
        f'source   = "{source(found)}"',
    ]
    for fit in found.fits.values():
        lines += ["", "[[power.class]]", f'name     = "{fit.kind}"', f"energy_J = {fit.mean:.4g}"]
    return f"{text.rstrip()}\n\n" + "\n".join([*lines, ""])


def source(found: Calibration) -> str:
    """The source of the figures, in a sentence without an end."""
    made = found.netlist.synthesis
    assumed = ", whose figures are assumed" if made.library.path.parent.name == "cells" else ""
    return (
        f"least squares over the gates of {made.library.name}{assumed}: "
        f"{found.instructions:,} instructions, R² {stated(found.r_squared)}, "
        f"between runs {stated(found.between_runs)}"
    )


def _comment(found: Calibration) -> list[str]:
    made, size, wires = found.netlist.synthesis, found.size, found.wires
    device = found.netlist.device
    name = device.name if device.path in paths.devices().values() else device.path.name
    command = f"cocrypt leak calibrate {name} --library {made.library.path.stem}"
    chosen = (
        f"--programs {size.programs} --instructions {size.instructions} --runs {size.runs} "
        f"--seed {size.seed} --wire {wires.base / FEMTO:g},{wires.fanout / FEMTO:g}"
    )
    return [
        f"# Made by `{command}`",
        f"# with {chosen};",
        f"# {found.delays.title}; {made.yosys}. The hash of core and",
        f"# library is {found.netlist.digest}.",
    ]


def _title(found: Calibration) -> str:
    return f"{found.netlist.device.name} as gates of {found.netlist.synthesis.library.name}"


def _weights(fit: Fit) -> list[str]:
    parts: dict[str, list[str]] = {}
    for (name, part), weight in zip(FEATURES, fit.weights.tolist(), strict=True):
        if _units(weight) != 0:
            parts.setdefault(name, []).append(f"{part} = {_units(weight)}")
    return [f"{name} = {{ {', '.join(weights)} }}" for name, weights in parts.items()]


def _units(joules: float) -> float:
    return round(joules / UNIT, DIGITS)
