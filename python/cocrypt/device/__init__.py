"""The device that programs run on, as typed values of its checked description.

Other packages use `Device`; `parts` has the classes that it consists of.
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
