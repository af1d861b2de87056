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
from cocrypt.crosstools import kept
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
    program_output = program.output(result)
    values = records.run(machine.device, program.name, result, program_output)
    values["bounds"] = bounds.bounds(program, values)
    if as_json:
        output.print_json(values)
    else:
        _show_console(result.values["console"][shown:])
        output.print_table(_table(values))
        if program_output is not None and program_output.expected is None:
            output.stdout().print(program_output.advice, soft_wrap=True)
    simulation.report_notes(result)
    bounds.report(values["bounds"])
    measurement.require_clean(result)
    programs.require_expected(program, program_output)


def _debugger(gcc: str) -> str:
    """The GNU debugger for a core, by the name of its GCC: its own, or the one for many."""
    name = gcc.removesuffix("gcc") + "gdb"
    found, provider = kept.which(name), kept.provider(name)
    if found is None and provider is not None:
        target, part = provider
        command = f"cocrypt toolchain {target.name} --only {part.name}"
        log.say(f"where gdb-multiarch does not know the core, `{command}` builds {name}")
    return found or "gdb-multiarch"


def _debug(machine: Machine, program: Program, address: str, shows: TextIO) -> int:
    """Serves a debugger until it leaves; returns how many bytes of the console it has shown."""
    host, port = _address(address)
    debugger = _debugger(machine.device.target.instructions.gcc)

    def listening(host: str, port: int) -> None:
        target = f"target remote {host}:{port}"
        log.say(f'waiting for {debugger} {program.path} -ex "{target}"')
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
        raise HostError(f"cannot serve a debugger at {address}: {error}") from error
    if end == "killed":
        raise typer.Exit
    if end == "lost":
        raise HostError(f"the debugger at {address} went without saying whether to go on")
    return shown


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) >= 1 << 16:
        raise InputError(f"`{text}` is no address for a debugger", "write it as :3333, say")
    return host.strip("[]") or "127.0.0.1", int(port)


def _show_console(text: bytes) -> None:
    """Prints the console of the program, which is data too and comes first."""
    if text:
        _print(text if text.endswith(b"\n") else text + b"\n", sys.stdout)


def _print(text: bytes, to: TextIO) -> None:
    """Prints a program's console: a terminal gets lines and colours of it, a file all bytes."""
    stream, shown = visible.raw(to), text.decode("utf-8", "replace")
    stream.write(visible.console(shown) if stream.isatty() else shown)
    stream.flush()


def _table(values: dict[str, Any]) -> Table:
    table = output.table(f"{values['image']['name']} on {values['device']}", "figure", "value")
    energy = values["energy_J"]
    stack = values["stack"]
    table.add_row("cycles", f"{values['cycles']:,}")
    table.add_row("instructions", f"{values['instructions']:,}")
    table.add_row("ROM, bytes", f"{values['rom']:,}")
    table.add_row("RAM, bytes", f"{values['ram']:,}")
    table.add_row("stack, bytes", "unknown" if stack is None else f"{stack:,}")
    table.add_row("energy, J", "unknown" if energy is None else f"{energy:.4g}")
    if values["output"] is not None:
        table.add_row("as expected", output.verdict(values["output"]["verified"]))
    table.add_row("host seconds", f"{values['host']['seconds']:.3f}")
    for before, after in zip(values["marks"], values["marks"][1:], strict=False):
        label = f"mark {before['value']:#x} to {after['value']:#x}, cycles"
        table.add_row(label, f"{after['cycle'] - before['cycle']:,}")
    return table
