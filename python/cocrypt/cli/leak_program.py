"""`cocrypt leak ct IMAGE|STUDY`: secrets of a program of one's own, followed through its run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import following, log
from cocrypt.cli import findings, output, programs, simulation
from cocrypt.cli.simulation import NOTHING, HostOptions
from cocrypt.errors import InputError, ProgramError

if TYPE_CHECKING:
    from cocrypt.cli.programs import Program
    from cocrypt.following import Followed
    from cocrypt.machine import Machine

SecretOption = Annotated[
    list[str] | None,
    typer.Option(
        "--secret",
        "-s",
        metavar="SYMBOL[:LENGTH]|ADDRESS:LENGTH",
        help="Memory of a program that is secret; may be repeated.",
    ),
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FUNCTION",
        help="It is secret whenever this function begins; main unless given.",
    ),
]
FromMarkOption = Annotated[
    str | None,
    typer.Option("--from-mark", metavar="VALUE", help="It is secret once this mark is set."),
]
UntilReturnOption = Annotated[
    bool,
    typer.Option("--until-return", help="Follow no further than to the return of --from."),
]
InstructionsOption = Annotated[
    int | None,
    typer.Option(
        "--instructions", min=1, metavar="N", help="Follow a program for so many at most."
    ),
]
_ELF, _HEX = b"\x7fELF", b":"


@dataclass(frozen=True)
class Options:
    """What the command line says of a program whose secrets are followed."""

    secrets: tuple[str, ...] = ()
    function: str | None = None
    mark: str | None = None
    until_return: bool = False
    instructions: int | None = None
    workload: str | None = None
    partition: str | None = None
    console_input: Path | None = None
    stubs: tuple[str, ...] = ()
    semihosting: bool = False

    @property
    def used(self) -> bool:
        """Whether any of them was given; all of them are for programs alone."""
        return self != Options()


def is_program(word: str) -> bool:
    """Whether a word on the command line is a program's file or a study, and no primitive."""
    path = Path(word)
    if not path.is_file():
        return False
    if programs.is_study(path):
        # A study that cannot be read is told as one, and a primitive's file has another name.
        try:
            return "primitive" not in tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            return path.name != "primitive.toml"
    with path.open("rb") as file:
        return file.read(4).startswith((_ELF, _HEX))


def examine(word: str, device: str | None, options: Options, as_json: bool) -> None:
    """Follows the secrets of a program and prints what was found.

    Raises `ProgramError` where something was, or where the run ended too early to tell.
    """
    if not options.secrets:
        raise InputError(
            f"what in the memory of {word} is secret is not said",
            "add --secret SYMBOL or --secret ADDRESS:LENGTH",
        )
    path = Path(word)
    program = programs.program(path, device, options.workload, options.partition)
    if program.coprocessors:
        raise InputError(
            f"{program.name} drives coprocessors, and secrets are followed through software alone",
            "choose a partition without any: --partition software",
        )
    machine = _machine(program, options)
    start = _start(machine, options)
    secrets = [following.secret(machine, text) for text in options.secrets]
    limit = options.instructions or following.INSTRUCTIONS
    with output.waiting("following secrets"):
        found = following.follow(machine, secrets, start, limit)
    if as_json:
        output.print_json({"rows": [_record(program, machine, found)]})
    else:
        _show(program, machine, found)
    _require_kept(program, found, asked=options.instructions is not None)


def _machine(program: Program, options: Options) -> Machine:
    host = HostOptions(asked=True) if options.semihosting else NOTHING
    return simulation.machine(
        program, console_input=options.console_input, stubs=list(options.stubs), host=host
    )


def _start(machine: Machine, options: Options) -> following.Start:
    """Where the command line wants secrets to be there."""
    if options.mark is not None:
        if options.function is not None:
            raise InputError("--from and --from-mark both say where secrets are there", "name one")
        try:
            mark = int(options.mark, 0)
        except ValueError as error:
            raise InputError(
                f"`{options.mark}` is no value of a mark", "write a number, 0x10 say"
            ) from error
        return following.Start(mark=mark, until_return=options.until_return)
    if options.function is None and not options.until_return:
        return following.usual_start(machine)
    return following.Start(options.function, until_return=options.until_return)


def _show(program: Program, machine: Machine, found: Followed) -> None:
    """What was secret from where to where, and the findings, each in a line."""
    verdict = {True: "keeps them", False: "gives some away", None: "not followed to its end"}
    made = output.table(
        f"Secrets followed: {program.name} on {machine.device.name}", "", "", left=2
    )
    made.show_header = False
    for one in found.secrets:
        made.add_row("secret", f"{one.name}: {one.length:,} bytes at {one.address:#010x}")
    times = f", {found.entries:,} times" if found.entries > 1 else ""
    made.add_row("from", f"{found.start}{times}, first in cycle {found.cycle:,}")
    made.add_row("to", str(found.end))
    made.add_row("instructions", f"{found.instructions:,}")
    made.add_row("findings", f"{len(found.findings):,}")
    made.add_row("verdict", verdict[found.keeps])
    output.print_table(made)
    for finding in found.findings:
        output.stdout().print(findings.line(finding), soft_wrap=True)
    for note in found.notes:
        log.say(f"note: {note}")


def _record(program: Program, machine: Machine, found: Followed) -> dict[str, Any]:
    place = found.end.place
    return {
        "program": program.name,
        "image": machine.info["hash"],
        "device": machine.device.name,
        "secrets": [
            {"name": one.name, "address": one.address, "length": one.length}
            for one in found.secrets
        ],
        "from": {
            "function": found.start.function,
            "mark": found.start.mark,
            "cycle": found.cycle,
            "times": found.entries,
        },
        "end": {
            "kind": found.end.kind,
            "why": found.end.why,
            "address": found.end.address,
            "function": place.function,
            "file": place.file,
            "line": place.line,
        },
        "instructions": found.instructions,
        "keeps": found.keeps,
        "findings": [findings.record(one) for one in found.findings],
        "notes": list(found.notes),
    }


def _require_kept(program: Program, found: Followed, *, asked: bool) -> None:
    """Raises `ProgramError` unless nothing was found up to an end that was meant."""
    if found.findings:
        raise ProgramError(f"{program.name} gives secrets away, by {len(found.findings)} findings")
    if found.keeps is None and not (asked and found.end.kind == "limit"):
        raise ProgramError(
            f"{program.name} was not followed to its end: {found.end}",
            "end at a function by --from and --until-return, or after --instructions N",
        )
