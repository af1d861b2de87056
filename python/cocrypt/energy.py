"""Energy of a run, from what the device's file and the register maps say of power.

Three things add up, each as far as its figures are given: the power that the device draws while it
runs, times the time; the energies of classes of instructions, times how often they ran; and the
coprocessors, by their power while the core waits for them, transfers included, or else by how many
of their bits changed, each of which moves its capacitance to or from the supply: C V^2 / 2.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from cocrypt.target import ARM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.coprocessor import Coprocessor
    from cocrypt.device import Device
    from cocrypt.target import InstructionSet

_RISC_V = {
    "load": ("lb", "lh", "lw", "lbu", "lhu", "lwsp"),
    "store": ("sb", "sh", "sw", "swsp"),
    "branch": (
        *("beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu"),
        *("beqz", "bnez", "blez", "bgez", "bgtz", "bltz"),
    ),
    "jump": ("jal", "jalr", "j", "jr", "ret", "call", "tail"),
    "multiply": ("mul", "mulh", "mulhu", "mulhsu", "clmul", "clmulh", "clmulr"),
    "divide": ("div", "divu", "rem", "remu"),
    "other": ("ecall", "ebreak", "fence", "fence.i", "mret", "wfi"),
}
_RISC_V_CLASS = {name: kind for kind, names in _RISC_V.items() for name in names}

_CONDITION = "(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)"
_ARM = {
    "load": "(ldr|ldm|ldc|vldr|vldm|pop|vpop|swp).*",
    "store": "(str|stm|stc|vstr|vstm|push|vpush).*",
    "branch": f"b{_CONDITION}|cbn?z",
    "jump": f"(b|bl|blx|bx|bxj|tbb|tbh){_CONDITION}?",
    "multiply": "(mul|mla|mls|[us]mull|[us]mlal|umaal|smul|smla|smls|smm|smua|smus).*",
    "divide": "[us]div.*",
    "other": (
        "(svc|bkpt|udf|undefined|nop|it[te]*|mrs|msr|mrc|mcr|cdp|cps|setend|srs|rfe"
        "|wf[ei]|sevl?|yield|dbg|[di][ms]b|clrex|pld|pli|vmrs|vmsr).*"
    ),
}
"""What the mnemonics of each class look like, without the width that may stand behind them."""


def instruction_class(text: str, instructions: InstructionSet) -> str:
    """The class of a disassembled instruction; compressed ones count as what they stand for.

    An instruction of ARM that accesses memory belongs there, whatever else it does: `pop {pc}` is a
    load.
    """
    mnemonic = text.split()[0] if text.split() else "."
    return _arm_class(mnemonic) if instructions is ARM else _risc_v_class(mnemonic)


def _risc_v_class(mnemonic: str) -> str:
    if mnemonic.startswith(("csr", "unimp", ".")):
        return "other"
    return _RISC_V_CLASS.get(mnemonic.removeprefix("c."), "alu")


@cache
def _arm_class(mnemonic: str) -> str:
    if mnemonic.startswith("."):
        return "other"
    name = mnemonic.partition(".")[0]
    return next((kind for kind, shape in _ARM.items() if re.fullmatch(shape, name)), "alu")


def classes(
    instructions: Iterable[Mapping[str, Any]], instruction_set: InstructionSet
) -> dict[str, int]:
    """How often instructions of each class ran, of a profile's instructions."""
    counted: dict[str, int] = {}
    for one in instructions:
        kind = instruction_class(one["text"] or "", instruction_set)
        counted[kind] = counted.get(kind, 0) + int(one["executions"])
    return counted


def core_energy(device: Device, cycles: float, counted: Mapping[str, float]) -> float | None:
    """What the core takes with all that is always on, in joules; None where nothing is known."""
    power = device.power
    if not power.is_known_of_core:
        return None
    always = (power.active_W or 0.0) * cycles / device.clock_hz
    each = {power_class.name: power_class.energy_J for power_class in power.classes}
    return always + sum(each.get(name, 0.0) * count for name, count in counted.items())


def coprocessor_energy(
    device: Device,
    coprocessors: Sequence[Coprocessor],
    awaited: Sequence[int | None],
    toggles: Sequence[int | None],
) -> float | None:
    """What coprocessors take beside that, in joules; None where that of one is unknown.

    `awaited` are the cycles that the core waited for each of them, `toggles` their changed bits.
    """
    toggling = device.power.toggling
    each = toggling.capacitance_F * toggling.voltage_V**2 / 2 if toggling else 0.0
    total = 0.0
    for coprocessor, cycles, changed in zip(coprocessors, awaited, toggles, strict=True):
        if coprocessor.power_W is not None:
            if cycles is None:
                return None
            total += coprocessor.power_W * cycles / device.clock_hz
        elif toggling:
            if changed is None:
                return None
            total += each * changed
    return total


def trust(device: Device) -> str | None:
    """In a sentence, where figures of energy come from and how far off they may be."""
    power = device.power
    if not power.is_known_of_core:
        return None
    parts = ["power while it runs"] * (power.active_W is not None)
    parts += ["energies of classes of instructions"] * bool(power.classes)
    parts += ["toggled bits of coprocessors"] * bool(power.toggling)
    off = power.uncertainty_percent
    how_far = f", off by up to {off:g} %" if off else ", how far off is not stated"
    return f"energy: an estimate by {', '.join(parts)} ({power.source or 'no source'}{how_far})"
