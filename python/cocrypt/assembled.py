"""Subroutines in assembly as `measure`, `portfolio` and `leak ct` show them, beside compiled C.

`cocrypt.subroutines` has the subroutines, and calls them; a device runs those for its instruction
set that its memories hold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt.errors import ProgramError
from cocrypt.primitives import library
from cocrypt.primitives.measuring import ASSEMBLED, Row, Task
from cocrypt.primitives.portfolio import Point
from cocrypt.primitives.secrecy import Finding, Verdict
from cocrypt.subroutines import Cipher, caller_of, followed, measure, subroutines
from cocrypt.subroutines.calling import BLOCK, RAM, STACK
from cocrypt.subroutines.images import ORIGIN, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cocrypt.device import Device
    from cocrypt.primitives.subject import Subject
    from cocrypt.subroutines import Hash, Measured

    Step = Callable[[str, int, int], None]

PADDED = "hash, padded by the caller"
"""The job of a subroutine for a hash function: the caller divides and pads the message."""


def named(words: Sequence[str]) -> list[Cipher | Hash]:
    """The subroutines that words on the command line name: those of a primitive, or one of them.

    Without words, all.
    """
    every = subroutines()
    if not words:
        return list(every)
    return [
        subroutine
        for subroutine in every
        if {subroutine.member, subroutine.title, subroutine.folder.parent.name} & {*words}
    ]


def runs(device: Device) -> bool:
    """Returns true if a device runs the subroutines: its core, and memory at their addresses."""
    flash, ram = device.flash, device.ram
    written_for = {subroutine.folder.name for subroutine in subroutines()}
    if device.target.instructions.folder not in written_for or flash is None:
        return False
    in_ram = all(ram.holds(address) for address in (RAM, BLOCK, STACK - 1))
    return flash.holds(ORIGIN) and in_ram


def figures(
    chosen: Iterable[Cipher | Hash], device: Device, step: Step = lambda _what, _done, _all: None
) -> list[Measured]:
    """Measures subroutines on a device, in their order.

    Raises `ProgramError` if a result is not that of the official vectors.
    """
    all_of_them, measured = list(chosen), []
    for done, subroutine in enumerate(all_of_them):
        step(f"measuring {subroutine.title}", done, len(all_of_them))
        measured.append(measure(subroutine, device))
    wrong = [name for one in measured for name in one.wrong]
    if wrong:
        raise ProgramError(
            f"these are wrong on {device.name}: {', '.join(wrong)}",
            "no figure is printed until the vectors come out",
        )
    return measured


def examine(subroutine: Cipher | Hash, device: Device) -> Verdict:
    """Follows the secrets of a subroutine through a call of each of its operations."""
    caller, findings, instructions = caller_of(subroutine, device), list[Finding](), 0
    for operation in subroutine.operations:
        run = followed(caller, operation)
        instructions += run.instructions
        findings += [replace(finding, operation=operation) for finding in run.findings]
    task = Task(subject(subroutine), device, ASSEMBLED)
    return Verdict(task, tuple(findings), instructions, tuple(subroutine.operations))


def points(measured: Iterable[Measured]) -> list[Point]:
    """The points of `portfolio`, one for each job; a hash function's job leaves padding out."""
    return [
        Point(subject(one.subroutine), ASSEMBLED, job, cycles, one.rom, one.ram, _block(one), True)
        for one in measured
        for job, cycles in _jobs(one)
    ]


def rows(measured: Iterable[Measured], device: Device) -> list[Row]:
    """The rows of `measure`, one for each operation; cycles are the most of the measured blocks."""
    return [
        Row(
            subject=subject(one.subroutine),
            device=device,
            build=ASSEMBLED,
            operation=operation,
            length=None if isinstance(one.subroutine, Cipher) else _block(one),
            cycles=cycles,
            instructions=None,
            rom=one.rom,
            ram=one.ram - one.stack,
            stack=one.stack,
            stack_bound=None,
            verified=True,
            vectors=sum(map(len, one.subroutine.vectors().values())),
        )
        for one in measured
        for operation, cycles in one.cycles.items()
    ]


def subject(subroutine: Cipher | Hash) -> Subject:
    """A subroutine as the subject of a measurement, after the primitive's own subjects."""
    like = library.member(subroutine.member)
    return replace(
        like,
        implementation=subroutine.name,
        about="a subroutine in assembly",
        functions={},
        sources=sources(subroutine),
        include=(),
        context=None,
        flags=(),
        extensions=(),
        constant_time=False,
        inner=None,
        further=(),
    )


def _jobs(measured: Measured) -> list[tuple[str, int]]:
    cycles = measured.cycles
    if not isinstance(measured.subroutine, Cipher):
        return [(PADDED, max(cycles.values()))]
    jobs = [("encrypt", cycles["encrypt"])]
    return [*jobs, ("encrypt and decrypt", cycles["encrypt"])] if "decrypt" in cycles else jobs


def _block(measured: Measured) -> int:
    """Bytes of a block."""
    return library.member(measured.subroutine.member).sizes["block"]
