"""`cocrypt leak ct IMAGE|STUDY`: secrets of a user's program, followed through its run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import following, log
from cocrypt.cli import findings, output, programs, simulation
from cocrypt.cli.simulation import NO_HOST, HostOptions
from cocrypt.errors import InputError, ProgramError

if TYPE_CHECKING:
    from cocrypt.cli.programs import Program
    from cocrypt.following import FollowedRun
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
    """Options of the command line for a program whose secrets are followed."""

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
        """True if any option is given; all of them are for programs alone."""
        return self != Options()


def is_program(word: str) -> bool:
    """Returns whether a word on the command line is a program's file or a study."""
    path = Path(word)
    if not path.is_file():
        return False
    if programs.is_study(path):
        # An unreadable file is reported as a study, unless it has the name of a primitive's.
        try:
            return "primitive" not in tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            return path.name != "primitive.toml"
    with path.open("rb") as file:
        return file.read(4).startswith((_ELF, _HEX))


def examine(word: str, device: str | None, options: Options, as_json: bool) -> None:
    """Follows the secrets of a program and prints the findings.

    Raises `ProgramError` if there are any, or if the run ends too early for a verdict.
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
        followed = following.follow(machine, secrets, start, limit)
    if as_json:
        output.print_json({"rows": [_record(program, machine, followed)]})
    else:
        _show(program, machine, followed)
    _require_kept(program, followed, asked=options.instructions is not None)


def _machine(program: Program, options: Options) -> Machine:
    host = HostOptions(asked=True) if options.semihosting else NO_HOST
    return simulation.machine(
        program, console_input=options.console_input, stubs=list(options.stubs), host=host
    )


def _start(machine: Machine, options: Options) -> following.Start:
    """The start of the secrets, as the command line gives it."""
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


def _show(program: Program, machine: Machine, followed: FollowedRun) -> None:
    """Prints the secrets, the range that was followed, and the findings, each in a line."""
    verdict = {True: "keeps them", False: "gives some away", None: "not followed to its end"}
    table = output.table(
        f"Secrets followed: {program.name} on {machine.device.name}", "", "", left=2
    )
    table.show_header = False
    for secret in followed.secrets:
        table.add_row("secret", f"{secret.name}: {secret.length:,} bytes at {secret.address:#010x}")
    times = f", {followed.entries:,} times" if followed.entries > 1 else ""
    table.add_row("from", f"{followed.start}{times}, first in cycle {followed.cycle:,}")
    table.add_row("to", str(followed.end))
    table.add_row("instructions", f"{followed.instructions:,}")
    table.add_row("findings", f"{len(followed.findings):,}")
    table.add_row("verdict", verdict[followed.keeps])
    output.print_table(table)
    for finding in followed.findings:
        output.stdout().print(findings.line(finding), soft_wrap=True)
    for note in followed.notes:
        log.say(f"note: {note}")


def _record(program: Program, machine: Machine, followed: FollowedRun) -> dict[str, Any]:
    location = followed.end.place
    return {
        "program": program.name,
        "image": machine.info["hash"],
        "device": machine.device.name,
        "secrets": [
            {"name": secret.name, "address": secret.address, "length": secret.length}
            for secret in followed.secrets
        ],
        "from": {
            "function": followed.start.function,
            "mark": followed.start.mark,
            "cycle": followed.cycle,
            "times": followed.entries,
        },
        "end": {
            "kind": followed.end.kind,
            "why": followed.end.why,
            "address": followed.end.address,
            "function": location.function,
            "file": location.file,
            "line": location.line,
        },
        "instructions": followed.instructions,
        "keeps": followed.keeps,
        "findings": [findings.record(finding) for finding in followed.findings],
        "notes": list(followed.notes),
    }


def _require_kept(program: Program, followed: FollowedRun, *, asked: bool) -> None:
    """Raises `ProgramError` unless nothing was found up to an end that was meant."""
    if followed.findings:
        raise ProgramError(
            f"{program.name} gives secrets away, by {len(followed.findings)} findings"
        )
    if followed.keeps is None and not (asked and followed.end.kind == "limit"):
        raise ProgramError(
            f"{program.name} was not followed to its end: {followed.end}",
            "end at a function by --from and --until-return, or after --instructions N",
        )
