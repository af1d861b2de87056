"""One run of an image on the model, and the use of its cycles."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths, rtl, visible
from cocrypt import cache as kept
from cocrypt.errors import InputError, ProgramError
from cocrypt.java import arrays

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cocrypt.device import Device
    from cocrypt.target import Order

# About three minutes of a device at 100 MHz; a program that takes longer most likely never ends.
MAX_CYCLES = 20_000_000_000
# The clock has 64 bits.
LAST_CYCLE = (1 << 64) - 1
LONGER = "if the program only needs longer, raise the limit by --max-cycles"


@dataclass(frozen=True)
class Run:
    """A run of a machine; `values` is the native module's dictionary.

    Words in its memory have their bytes in this `order`.
    """

    image: str
    info: dict[str, Any]
    machine: _native.Machine
    order: Order
    values: dict[str, Any]

    @property
    def cycles(self) -> int:
        """T: clock cycles from reset to the cycle in which the exit device accepts the code."""
        return int(self.values["cycles"])

    @property
    def rom(self) -> int:
        """Bytes of the whole image that are loaded: code, constants, initialised data."""
        return rom(self.info)

    @property
    def ram(self) -> int:
        """Bytes of the whole image that the program may write, without the stack."""
        return ram(self.info)

    def __repr__(self) -> str:
        stop = self.values["stop"]
        end = f"exit {stop['exit_code']}" if stop["kind"] == "exit" else stop["kind"]
        figures = f"{self.cycles:,} cycles, {self.values['instructions']:,} instructions"
        return f"<Run of {self.image}: {figures}, {end}>"

    def _repr_html_(self) -> str:
        figures = {
            "stop": stop_text(self.values["stop"]),
            "cycles": f"{self.cycles:,}",
            "instructions": f"{self.values['instructions']:,}",
            "ROM, bytes": f"{self.rom:,}",
            "RAM, bytes": f"{self.ram:,}",
            "stack, bytes": self.values["stack"],
        }
        cells = {key: visible.escape(str(value)) for key, value in figures.items()}
        rows = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in cells.items())
        return f"<table><caption>{visible.escape(self.image)}</caption>{rows}</table>"

    def output(self, symbol: str, size: int | None = None) -> bytes:
        """The bytes of a global after the run; raises `InputError` where the image lacks it."""
        return self.machine.read(*self.locate(symbol, size))

    def locate(self, symbol: str, size: int | None = None) -> tuple[int, int]:
        """Address and size of a global's first bytes, or of all of them.

        Of a static field in Java these are the elements of its array.
        """
        if arrays.is_field(self.info, symbol):
            field, _ = locate(self.info, self.image, symbol)
            address, all_of_it = arrays.located(self.machine.read, self.order, symbol, field)
            return address, all_of_it if size is None else min(size, all_of_it)
        return locate(self.info, self.image, symbol, size)


@dataclass(frozen=True)
class Split:
    """The cycles of a run by use; `total` is T, `communication` mu, `computation` sigma.

    `software`, `driver` and `waiting` make sigma. All three are None where waiting cannot be told
    from the rest; `doubt` then says why.
    """

    total: int
    communication: int
    software: int | None
    driver: int | None
    waiting: int | None
    doubt: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any], drivers: Collection[str]) -> Split:
        """The cycles of a run by use; `values` is the native module's dictionary of the run.

        `drivers` are the functions of the drivers. A transfer's cycles on the bus count as
        communication wherever they were spent, and what a poll loop takes beside them as waiting.
        """
        total = int(values["cycles"])
        communication = sum(transfer["waited"] for transfer in values["transfers"].values())
        doubt = _doubt(values, drivers)
        if doubt is not None:
            return cls(total, communication, None, None, None, doubt)
        polls = values["polls"]
        waiting = sum(poll["cycles"] for poll in polls)
        driver = sum(
            _without_transfers(function)
            for function in values["functions"]
            if function["name"] in drivers
        )
        driver -= sum(poll["cycles"] for poll in polls if poll["function"] in drivers)
        software = total - communication - waiting - driver
        return cls(total, communication, software, driver, waiting)

    @property
    def computation(self) -> int:
        """Sigma: everything but the transfers' waiting on the bus."""
        return self.total - self.communication


_UNCLEAR = {
    "no_status": (
        "`{name}` has no register of role `status`, and the program reads another one again and "
        "again, so nobody can tell whether it waits"
    ),
    "long_turn": (
        "between two reads of the status of `{name}` the program runs more than "
        f"{_native.LONGEST_TURN} instructions, so nobody can tell whether it waits or does "
        "something else"
    ),
}
"""Reasons why it cannot be seen whether a program waits for a coprocessor."""


def _doubt(values: Mapping[str, Any], drivers: Collection[str]) -> str | None:
    """The reason why waiting cannot be told from the rest of a run; None where it can."""
    for name, reason in values["unclear"].items():
        return f"waiting: {_UNCLEAR[reason].format(name=name)}"
    for poll in values["polls"]:
        if poll["functions"] is None:
            return (
                f"waiting: `{poll['function']}` asks `{poll['coprocessor']}` again and again, but "
                "not in a loop that could be followed, so nobody can tell where it waits"
            )
        if len({name in drivers for name in poll["functions"]}) > 1:
            names = ", ".join(f"`{name}`" for name in poll["functions"])
            return (
                f"waiting: the loop that waits for `{poll['coprocessor']}` leads through {names}, "
                "of which some are a driver's and some are not"
            )
    return None


def awaited(values: Mapping[str, Any], coprocessor: int, name: str) -> int | None:
    """Cycles that the core waited for a coprocessor, transfers included; None where unknown."""
    polls = [poll for poll in values["polls"] if poll["number"] == coprocessor]
    if name in values["unclear"] or any(poll["functions"] is None for poll in polls):
        return None
    return sum(int(poll["awaited"]) for poll in polls)


def placed(info: dict[str, Any], device: Device) -> dict[str, Any]:
    """An image's info with segments in ROM not writable; linkers often mark code in flash so."""
    roms = [memory for memory in device.memories if memory.kind == "rom"]

    def is_written(segment: dict[str, Any]) -> bool:
        inside = any(memory.holds(segment["runs_at"]) for memory in roms)
        return bool(segment["writable"]) and not inside

    segments = [segment | {"writable": is_written(segment)} for segment in info["segments"]]
    return info | {"segments": segments}


def locate(
    info: Mapping[str, Any], image: str, symbol: str, size: int | None = None
) -> tuple[int, int]:
    """Address and size of the first bytes of a global, or of all of it.

    Raises `InputError` where the image has no such global, or it is shorter.
    """
    for entry in info["symbols"]:
        if entry["name"] == symbol and entry["kind"] == "object":
            if size is not None and size > entry["size"]:
                raise InputError(
                    f"{image}: `{symbol}` has {entry['size']} bytes, {size} are expected",
                    "let `output` and `expect` of the workload agree",
                )
            return entry["address"], entry["size"] if size is None else size
    raise InputError(
        f"{image} has no global `{symbol}`",
        "name the array that holds the result in the workload's `output`",
    )


def rom(info: Mapping[str, Any]) -> int:
    """Bytes of a whole image that are loaded: code, constants, initialised data."""
    return sum(segment["file_size"] for segment in info["segments"])


def ram(info: Mapping[str, Any]) -> int:
    """Bytes of a whole image, as `placed` has it, that the program may write; without the stack."""
    return sum(segment["size"] for segment in info["segments"] if segment["writable"])


def run(
    device: Device,
    image: bytes,
    name: str,
    coprocessors: Sequence[Path] = (),
    max_cycles: int = MAX_CYCLES,
    console_input: bytes = b"",
) -> Run:
    """Runs an image; the result says how it stopped.

    Raises `DiagnosticError` where the image cannot be read or does not fit the device.
    """
    info = placed(_native.image_info(image, name), device)
    machine = _native.Machine(
        device.path,
        image,
        name,
        list(coprocessors),
        libraries=rtl.libraries(coprocessors),
        settings=device.settings,
        home=paths.root(),
        code=kept.code(),
    )
    machine.type_in(console_input)
    values = machine.run(cycle_limit(max_cycles))
    return Run(name, info, machine, device.target.order, values)


@cache
def engine() -> str:
    """The identity of the simulator: a hash of the compiled module."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


def cycle_limit(cycles: int) -> int:
    """A limit that a run can have; raises `InputError` for another number."""
    if not 0 <= cycles <= LAST_CYCLE:
        raise InputError(
            f"a run cannot be limited to {cycles:,} cycles", f"take a limit up to {LAST_CYCLE:,}"
        )
    return cycles


def require_clean(result: Run) -> None:
    """Raises `ProgramError` unless the program ended with code 0 and no coprocessor failed."""
    stop = result.values["stop"]
    if result.values["faults"]:
        raise ProgramError(f"{result.image}: {'; '.join(result.values['faults'])}")
    if stop["kind"] == "exit" and stop["exit_code"] == 0:
        return
    advice = LONGER if stop["kind"] == "cycle_limit" else None
    raise ProgramError(f"{result.image} did not end well: {stop_text(stop)}", advice)


def stop_text(stop: dict[str, Any]) -> str:
    """Cause, pc, symbol, cycle and address of a stop, and its first fault, in a line."""
    text, first = _place_text(stop), stop.get("first_fault")
    if first is not None:
        text += f"; the program had gone to its handler for: {_place_text(first)}"
    return "; ".join([text, *stop.get("notes", [])])


def _place_text(stop: dict[str, Any]) -> str:
    symbol = f" in `{visible.name(stop['symbol'])}`" if stop["symbol"] else ""
    address = "" if stop["address"] is None else f", address {stop['address']:#010x}"
    position = f"pc {stop['pc']:#010x}{symbol}{address}, cycle {stop['cycle']:,}"
    return f"{stop['cause']} [{stop['kind']}] at {position}"


def _without_transfers(function: dict[str, Any]) -> int:
    """A function's own cycles without those of its transfers."""
    cycles: int = function["self_cycles"] - function["transfers"]["waited"]
    return cycles
