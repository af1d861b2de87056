"""`cocrypt run`: the figures of one run of an image."""

from __future__ import annotations

import ipaddress
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from cocrypt import log, measurement, records, visible
from cocrypt.cli import bounds, output, programs, simulation
from cocrypt.cli.output import JsonOption, MaxCyclesOption
from cocrypt.cli.programs import (
    OptionalDeviceOption,
    PartitionOption,
    ProgramArgument,
    WorkloadOption,
)
from cocrypt.cli.simulation import (
    ArgumentOption,
    CoprocessorOption,
    EntryOption,
    HostCallsOption,
    HostFilesOption,
    HostOptions,
    InputOption,
    LoadAddressOption,
    StubOption,
)
from cocrypt.errors import HostError, InputError
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.cli.programs import Program
    from cocrypt.machine import Machine

GdbOption = Annotated[
    str | None,
    typer.Option(
        "--gdb", metavar="[HOST]:PORT", help="Wait for the GNU debugger there, by default locally."
    ),
]

WavesOption = Annotated[
    Path | None,
    typer.Option("--waves", metavar="FILE", help="Write waves of the bus, to a .vcd or .fst file."),
]


def command(
    image: ProgramArgument,
    device: OptionalDeviceOption = None,
    workload: WorkloadOption = None,
    partition: PartitionOption = None,
    coprocessor: CoprocessorOption = None,
    load_address: LoadAddressOption = None,
    entry: EntryOption = None,
    console_input: InputOption = None,
    semihosting: HostCallsOption = False,
    semihosting_files: HostFilesOption = None,
    argument: ArgumentOption = None,
    stub: StubOption = None,
    gdb: GdbOption = None,
    waves: WavesOption = None,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Run an image or a study's workload; print cycles, ROM, RAM, stack and energy."""
    program = programs.program(image, device, workload, partition, coprocessor)
    machine = simulation.machine(
        program,
        load_address=load_address,
        entry=entry,
        console_input=console_input,
        host=HostOptions.of(semihosting, semihosting_files, argument),
        stubs=stub,
    )
    shown = (
        0 if gdb is None else _debug(machine, program, gdb, sys.stderr if as_json else sys.stdout)
    )
    result = simulation.simulate(machine, max_cycles, waves)
    left = program.output(result)
    values = records.run(machine.device, program.name, result, left)
    values["bounds"] = bounds.bounds(program, values)
    if as_json:
        output.print_json(values)
    else:
        _show_console(result.values["console"][shown:])
        output.print_table(_table(values))
        if left is not None and left.expected is None:
            output.stdout().print(left.advice, soft_wrap=True)
    simulation.tell_notes(result)
    bounds.tell(values["bounds"])
    measurement.require_clean(result)
    programs.require_expected(program, left)


def _debug(machine: Machine, program: Program, place: str, shows: TextIO) -> int:
    """Serves a debugger until it goes; how much of the console it has shown."""
    host, port = _place(place)

    def listening(host: str, port: int) -> None:
        target = f"target remote {host}:{port}"
        log.say(f'waiting for gdb-multiarch {program.path} -ex "{target}"')
        if not ipaddress.ip_address(host).is_loopback:
            log.warn(
                f"warning: whoever reaches {host}:{port} over the network controls the simulated "
                "machine; name no host to listen locally"
            )

    def console(text: bytes) -> None:
        _print(text, shows)

    try:
        end, shown = machine.debug(host, port, listening, console)
    except OSError as error:
        raise HostError(f"cannot serve a debugger at {place}: {error}") from error
    if end == "killed":
        raise typer.Exit
    if end == "lost":
        raise HostError(f"the debugger at {place} went without saying whether to go on")
    return shown


def _place(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) >= 1 << 16:
        raise InputError(f"`{text}` is no address for a debugger", "write it as :3333, say")
    return host.strip("[]") or "127.0.0.1", int(port)


def _show_console(text: bytes) -> None:
    """What the program printed is data too, and comes first."""
    if text:
        _print(text if text.endswith(b"\n") else text + b"\n", sys.stdout)


def _print(text: bytes, to: TextIO) -> None:
    """Shows what the program printed: a terminal gets lines and colours of it, a file all."""
    stream, shown = visible.raw(to), text.decode("utf-8", "replace")
    stream.write(visible.console(shown) if stream.isatty() else shown)
    stream.flush()


def _table(values: dict[str, Any]) -> Table:
    made = output.table(f"{values['image']['name']} on {values['device']}", "figure", "value")
    energy = values["energy_J"]
    stack = values["stack"]
    made.add_row("cycles", f"{values['cycles']:,}")
    made.add_row("instructions", f"{values['instructions']:,}")
    made.add_row("ROM, bytes", f"{values['rom']:,}")
    made.add_row("RAM, bytes", f"{values['ram']:,}")
    made.add_row("stack, bytes", "unknown" if stack is None else f"{stack:,}")
    made.add_row("energy, J", "unknown" if energy is None else f"{energy:.4g}")
    if values["output"] is not None:
        made.add_row("as expected", output.verdict(values["output"]["verified"]))
    made.add_row("host seconds", f"{values['host']['seconds']:.3f}")
    for before, after in zip(values["marks"], values["marks"][1:], strict=False):
        label = f"mark {before['value']:#x} to {after['value']:#x}, cycles"
        made.add_row(label, f"{after['cycle'] - before['cycle']:,}")
    return made
