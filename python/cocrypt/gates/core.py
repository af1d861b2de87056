"""A device's core as gates of a cell library, whose netlist runs programs with many data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt import _native, cache, paths
from cocrypt.errors import InputError
from cocrypt.fuzz.encoder import Insn, encode
from cocrypt.gates.glitches import SETTLED
from cocrypt.gates.synthesis import TOGGLED, synthesis
from cocrypt.rtl.configuration import from_device
from cocrypt.rtl.systems import core_alone, cores_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cocrypt.device import Device
    from cocrypt.gates.glitches import Delays
    from cocrypt.gates.library import Library
    from cocrypt.gates.synthesis import Synthesis, Wires
    from cocrypt.machine import Machine
    from cocrypt.rtl.configuration import Waits
    from cocrypt.rtl.systems import CoreAlone

REGISTERS = 32


@dataclass(frozen=True)
class Execution:
    """What the netlist did in a run, in cycles from the first instruction on.

    `energies` are those of each cycle in joules, without the clock's. `issues` are the cycles in
    which instructions start, `accesses` the loads and stores: cycle, address of the word, a bit for
    each written byte, and the word on the bus.
    """

    energies: NDArray[np.float64]
    issues: NDArray[np.int64]
    accesses: list[tuple[int, int, int, int]]


@dataclass(frozen=True)
class CoreNetlist:
    """The netlist of a device's core; `digest` is the hash of its Verilog and of the library."""

    device: Device
    synthesis: Synthesis
    waits: Waits
    digest: str

    def execute(
        self,
        machine: Machine,
        start: int,
        inputs: Sequence[tuple[int, int]],
        contents: NDArray[np.uint8],
        cycles: Sequence[int],
        wires: Wires,
        delays: Delays = SETTLED,
    ) -> tuple[list[Execution], float]:
        """Runs from the machine's state on, which is about to execute the instruction at `start`.

        Each run has a row of `contents` in the memory that `inputs` name, by address and size, and
        takes so many cycles. Also returns the energy of the clock in a cycle, in joules. Raises
        `DiagnosticError` where the netlist leaves the memory, or cannot be simulated.
        """
        library = self.synthesis.library
        found, clock = _native.gates_execute(
            str(library.path),
            library.text,
            self.synthesis.netlist,
            (wires.base, wires.fanout, library.output_load),
            (0.0, 0),
            delays.tick,
            (self.waits.fetch, self.waits.data),
            preamble(machine.native.registers(), start),
            machine.read(0, self.device.memories[0].size),
            inputs,
            np.ascontiguousarray(contents).tobytes(),
            cycles,
        )
        volts = float(library.values["volts"])
        unit = TOGGLED * volts * volts / 2
        executions = [
            Execution(np.frombuffer(energies, "<u4") * unit, np.array(issues, np.int64), accesses)
            for energies, issues, accesses in found
        ]
        return executions, clock * unit


def core_netlist(device: Device, library: Library) -> CoreNetlist:
    """The core of a device as gates; kept by the content of all that it is made from.

    Raises `InputError` for a device whose core has no gates, or needs more than a memory, and for a
    library that states no supply; `RtlError` where the core's Verilog is missing, and what
    `synthesis` raises.
    """
    alone = _alone(device)
    _require(device, library, alone)
    _, waits = from_device(device)
    design = paths.kept(f"{device.core.name}.v", verilog(device))
    made = synthesis(design, alone.top, library)
    return CoreNetlist(device, made, waits, digest(device, library))


def digest(device: Device, library: Library) -> str:
    """The hash of the Verilog of a device's core and of a library."""
    return cache.digest([verilog(device), library.text])


def verilog(device: Device) -> str:
    """The Verilog of a device's core, with its parameters as macros."""
    macros = "".join(
        f"`define {name} {value:d}\n" for name, value in sorted(device.parameters.items())
    )
    return macros + "".join(path.read_text("utf-8") for path in _alone(device).verilog)


def preamble(registers: Sequence[int], start: int) -> list[int]:
    """Instructions from address 0 that load the registers and jump."""
    words = []
    for number, value in list(enumerate(registers))[1:REGISTERS]:
        low = (value + 0x800 & 0xFFF) - 0x800
        words.append(encode(Insn("lui", rd=number, imm=value - low >> 12 & 0xFFFFF)))
        words.append(encode(Insn("addi", rd=number, rs1=number, imm=low)))
    return [*words, encode(Insn("jal", imm=start - 4 * len(words)))]


def _alone(device: Device) -> CoreAlone:
    found = core_alone(device.core.name)
    if found is None:
        raise InputError(
            f"{device.name} has the core {device.core.name}, whose gates are not simulated",
            f"name a device with one of these cores: {', '.join(cores_alone())}",
        )
    return found


def _require(device: Device, library: Library, alone: CoreAlone) -> None:
    refused = [name for name in alone.refused if device.parameters.get(name)]
    if refused:
        raise InputError(
            f"{device.name}: the simulated gates are those of the core alone, without {refused[0]}",
            f"describe a device whose {refused[0]} is false",
        )
    memory = device.memories[0]
    if min(memory.fetch_wait, memory.data_wait) < 1:
        raise InputError(
            f"{device.name}: the memory beside the gates needs a wait of a cycle or more",
            "describe a device whose fetch_wait and data_wait are at least 1",
        )
    if library.values["volts"] is None:
        raise InputError(
            f"the library {library.name} states no supply, so that energies are unknown",
            "name another by --library",
        )
