"""The device that programs run on, as typed values of its checked description.

`Device` is what everybody takes; `parts` has what it consists of.
"""

from cocrypt.device.device import Device
from cocrypt.device.parts import (
    Bus,
    ClockRatio,
    CompilerTarget,
    Core,
    Memory,
    Peripheral,
    Power,
    PowerClass,
    Toggling,
)
from cocrypt.device.tools import Tools

__all__ = [
    "Bus",
    "ClockRatio",
    "CompilerTarget",
    "Core",
    "Device",
    "Memory",
    "Peripheral",
    "Power",
    "PowerClass",
    "Toggling",
    "Tools",
]
