"""Options of the verbs that simulate an image, and the machine that they describe."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import log, paths
from cocrypt.cli import output, progress
from cocrypt.errors import HostError, InputError, InterruptedWorkError
from cocrypt.machine import Machine
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cocrypt.cli.programs import Program
    from cocrypt.measurement import Run

# The greatest number of registers that a note names.
SHOWN = 8

CoprocessorOption = Annotated[
    list[Path] | None,
    typer.Option("--coprocessor", "-c", metavar="FILE", help="A register map, on the bus."),
]
LoadAddressOption = Annotated[
    str | None,
    typer.Option(
        "--load-address",
        metavar="ADDRESS",
        help="IMAGE is a raw binary that goes here.",
    ),
]
EntryOption = Annotated[
    str | None,
    typer.Option(
        "--entry", metavar="ADDRESS", help="Start here, not where the image or its vectors say."
    ),
]
InputOption = Annotated[
    Path | None,
    typer.Option("--input", "-i", metavar="FILE", help="What the program reads at its console."),
]
HostCallsOption = Annotated[
    bool, typer.Option("--semihosting", help="Answer the program's calls to its host.")
]
HostFilesOption = Annotated[
    Path | None,
    typer.Option(
        "--semihosting-files",
        metavar="FOLDER",
        help="The same, and let the program use the files below this folder, and no others.",
    ),
]
ArgumentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--argument", "-a", metavar="TEXT", help="A further word of the program's command line."
    ),
]
StubOption = Annotated[
    list[str] | None,
    typer.Option(
        "--stub",
        metavar="FIRST-LAST",
        help="Let registers there that are not modelled keep what is written; they do nothing.",
    ),
]


@dataclass(frozen=True)
class HostOptions:
    """The parts of its host that a program may use; `asked` answers its calls."""

    asked: bool = False
    files: Path | None = None
    arguments: tuple[str, ...] = ()

    @classmethod
    def of(cls, asked: bool, files: Path | None, arguments: list[str] | None) -> HostOptions:
        """The options of a command line; raises `InputError` where they contradict each other."""
        if files is not None and not files.is_dir():
            raise InputError(f"{files} is no folder", "name one whose files the program may use")
        if arguments and not asked and files is None:
            raise InputError("a program is told its arguments by --semihosting", "add it")
        return cls(asked or files is not None, files, tuple(arguments or ()))


NO_HOST = HostOptions()
"""The options of a program that may not use its host."""


def machine(
    program: Program,
    *,
    load_address: str | None = None,
    entry: str | None = None,
    console_input: Path | None = None,
    host: HostOptions = NO_HOST,
    stubs: list[str] | None = None,
    contexts: bool = False,
) -> Machine:
    """The machine that the command line describes."""
    if program.study is not None and load_address is not None:
        raise InputError(
            "--load-address is for raw binaries, and a study's workload is none", "leave it out"
        )
    new_machine = Machine(
        program.device,
        program.path,
        name=program.name,
        coprocessors=program.coprocessors,
        load_address=None if load_address is None else _address(load_address),
        start_at=None if entry is None else _address(entry),
        contexts=contexts,
        host_calls=host.asked,
        host_files=host.files,
        command_line=(program.path.name, *host.arguments),
        stubs=[ranged(text) for text in stubs or ()],
    )
    given_input = program.console_input
    new_machine.type_in(given_input if console_input is None else paths.read_named(console_input))
    return new_machine


def simulate(on: Machine, max_cycles: int, waves: Path | None = None) -> Run:
    """Runs a machine, with progress on stderr; writes waves if there is a file for them."""
    with _cycles(max_cycles) as reached:
        if waves is None:
            return on.run(max_cycles, reached)
        try:
            result = on.waves(waves, max_cycles, reached)
        except OSError as error:
            raise HostError(f"cannot write {waves}: {error.strerror or error}") from error
    log.say(f"wrote {waves}")
    return result


@contextmanager
def _cycles(most: int) -> Iterator[Callable[[int], object]]:
    """Shows on stderr how many cycles have passed, of `most`.

    The end of a program is not known beforehand, so no remaining time is printed. Raises
    `InterruptedWorkError` on Ctrl-C, which names the cycle.
    """
    console, counter = output.stderr(), Cycles(most)
    try:
        if log.level() == log.Level.QUIET:
            yield counter.reached
        elif console.is_terminal:
            with console.status(counter.line()) as status:
                yield lambda cycles: status.update(counter.reached(cycles))
        else:
            with progress.lines(counter.line):
                yield counter.reached
    except KeyboardInterrupt as error:
        raise InterruptedWorkError(f"behind cycle {counter.cycles:,}; nothing is kept") from error


class Cycles:
    """The count of the cycles of a run, and their rate."""

    def __init__(self, most: int) -> None:
        self.most, self.cycles, self.begun = most, 0, time.monotonic()

    def reached(self, cycles: int) -> str:
        """Records the cycle that the run has reached, and returns the line."""
        self.cycles = cycles
        return self.line()

    def line(self) -> str:
        """The state of the run as a line of text."""
        seconds = time.monotonic() - self.begun
        speed = f"{self.cycles / max(seconds, 1e-3) / 1e6:,.0f} million a second"
        limit = f" (limit {self.most:,})" if self.most != MAX_CYCLES else ""
        so_far = progress.duration(seconds)
        return f"simulating: {self.cycles:,} cycles{limit}, {so_far} so far, {speed}"


def report_notes(run: Run) -> None:
    """Reports the calls that the host did not answer, and the registers that were stubs."""
    for note in run.values["notes"]:
        log.say(f"note: {note}")
    touched = run.values["stubs"]
    if touched:
        shown = ", ".join(_stub(register) for register in touched[:SHOWN])
        more = f", and {len(touched) - SHOWN} more" if len(touched) > SHOWN else ""
        log.say(f"note: registers that are not modelled did nothing: {shown}{more}")


def _stub(register: dict[str, int]) -> str:
    counts = f"read {register['reads']:,}, written {register['writes']:,} times"
    return f"{register['address']:#010x} ({counts})"


def ranged(text: str) -> range:
    """The range of addresses that a text gives; raises `InputError` if it gives none."""
    first, dash, last = text.partition("-")
    span = range(_address(first), _address(last) + 1) if dash else range(0)
    if not span or len(span) >= 1 << 32:
        raise InputError(
            f"`{text}` is no range of addresses", "write it as 0x40000000-0x5fffffff, say"
        )
    return span


def _address(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 32:
        raise InputError(f"`{text}` is no 32-bit address", "write it as 0x20000000, say")
    return value
