"""`cocrypt leak`: what of a secret can be seen from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import log
from cocrypt.cli import choosing, findings, leak_program, output
from cocrypt.cli.choosing import (
    AllOption,
    CompilerOption,
    DevicesOption,
    JobsOption,
    OptimiseOption,
)
from cocrypt.cli.leak_program import (
    FromMarkOption,
    FromOption,
    InstructionsOption,
    Options,
    SecretOption,
    UntilReturnOption,
)
from cocrypt.cli.output import JsonOption
from cocrypt.cli.programs import PartitionOption, WorkloadOption
from cocrypt.cli.simulation import HostCallsOption, InputOption, StubOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.cli.verbs import Group
from cocrypt.errors import InputError, ProgramError
from cocrypt.primitives.measuring import Build, tasks
from cocrypt.primitives.running import buildable, run_all
from cocrypt.primitives.secrecy import LENGTH, Verdict, examine

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    cls=Group,
    help="What of a secret can be seen from outside.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
COLUMNS = (
    key("primitive"),
    key("device"),
    text("operations", spare=2),
    figure("instructions", spare=1),
    figure("findings"),
    text("said to be", spare=3),
    text("verdict"),
)
# Lines that a table shows of one primitive; JSON has all.
SHOWN = 12


@app.callback()
def _options() -> None:
    """What of a secret can be seen from outside."""


@app.command("ct")
def constant_time(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PRIMITIVE|FOLDER|IMAGE|STUDY",
            help="Primitives, or folders with others' code; or a program: an image, or a study.",
        ),
    ] = None,
    everything: AllOption = False,
    device: DevicesOption = None,
    optimise: OptimiseOption = None,
    compiler: CompilerOption = None,
    claimed: Annotated[
        bool, typer.Option("--claimed", help="Only those that are said to take constant time.")
    ] = False,
    jobs: JobsOption = None,
    secret: SecretOption = None,
    function: FromOption = None,
    mark: FromMarkOption = None,
    until_return: UntilReturnOption = False,
    instructions: InstructionsOption = None,
    workload: WorkloadOption = None,
    partition: PartitionOption = None,
    console_input: InputOption = None,
    stub: StubOption = None,
    semihosting: HostCallsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Name every instruction whose branch, address or time depends on a secret.

    Of primitives, keys and texts are marked as secret and followed through a run, bit by bit; of a
    program, the memory that --secret names. Exits with 3 if anything of them can be seen.
    """
    options = Options(
        secrets=tuple(secret or ()),
        function=function,
        mark=mark,
        until_return=until_return,
        instructions=instructions,
        workload=workload,
        partition=partition,
        console_input=console_input,
        stubs=tuple(stub or ()),
        semihosting=semihosting,
    )
    words = subjects or []
    if options.used or any(map(leak_program.is_program, words)):
        compiled = (optimise, compiler, jobs, everything or claimed or None)
        if len(words) != 1 or not leak_program.is_program(words[0]) or any(compiled):
            raise InputError(
                "--secret and what goes with it are for one program, an image or a study; "
                "--all, --claimed, --optimise, --compiler and --jobs for primitives",
                "name one of both",
            )
        if device and len(device) > 1:
            raise InputError("a program is followed on one device", "name one by --device")
        leak_program.examine(words[0], device[0] if device else None, options, as_json)
        return
    _primitives(words, everything, device, optimise, compiler, claimed, jobs, as_json)


def _primitives(
    words: Sequence[str],
    everything: bool,
    device: list[str] | None,
    optimise: list[str] | None,
    compiler: list[str] | None,
    claimed: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Follows the secrets of primitives."""
    chosen = choosing.subjects(words, everything)
    chosen = [one for one in chosen if one.constant_time or not claimed]
    builds = [
        Build((*one.flags, "-g"), one.compiler) for one in choosing.builds(optimise, compiler)
    ]
    wanted = tasks(chosen, choosing.devices(device), builds, (LENGTH,), extends=not everything)
    with output.progress() as step:
        wanted = buildable(wanted, log.say, jobs, step)
        verdicts = run_all(wanted, examine, jobs, step, "following")
    if as_json:
        output.print_json({"rows": [_record(one) for one in verdicts]})
    else:
        _show(verdicts)
    leaking = [_called(one) for one in verdicts if not one.keeps]
    if leaking:
        raise ProgramError(
            f"{len(leaking)} of {len(verdicts)} give secrets away: {', '.join(leaking[:SHOWN])}"
            + (" and others" if len(leaking) > SHOWN else "")
        )


def _called(one: Verdict) -> str:
    return one.task.subject.name


def _show(verdicts: Sequence[Verdict]) -> None:
    """What keeps its secrets in a table, and the findings of what does not, each in a line."""
    made = output.table("Secrets followed", *COLUMNS)
    for one in verdicts:
        subject = one.task.subject
        said = "constant time" if subject.constant_time else "-"
        found = "keeps them" if one.keeps else "gives some away"
        figures = (f"{one.instructions:,}", f"{len(one.findings):,}")
        built = f"{one.task.device.name} {one.task.build.name}"
        made.add_row(subject.name, built, ", ".join(one.operations), *figures, said, found)
    output.print_table(made)
    for one in verdicts:
        for finding in one.findings[:SHOWN]:
            print(f"{_called(one)} {finding.operation}: {findings.line(finding)}")
        if len(one.findings) > SHOWN:
            print(f"{_called(one)}: {len(one.findings) - SHOWN} more; --json has all")


def _record(one: Verdict) -> dict[str, Any]:
    return {
        "primitive": one.task.subject.primitive,
        "implementation": one.task.subject.implementation,
        "device": one.task.device.name,
        "flags": one.task.build.name,
        "operations": list(one.operations),
        "instructions": one.instructions,
        "constant_time": one.task.subject.constant_time,
        "keeps": one.keeps,
        "findings": [findings.record(finding) for finding in one.findings],
    }
