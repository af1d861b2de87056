"""`cocrypt leak`: finds the instructions by which a secret can be seen from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import assembled
from cocrypt.cli import (
    choosing,
    findings,
    leak_attack,
    leak_calibrate,
    leak_export,
    leak_import,
    leak_program,
    leak_report,
    leak_snr,
    leak_trace,
    leak_tvla,
    output,
)
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
from cocrypt.primitives.running import run_fitting
from cocrypt.primitives.secrecy import LENGTH, Verdict, examine

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    cls=Group,
    help="Leaks of secrets that an observer can see.",
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
    """Leaks of secrets that an observer can see."""


app.command("trace")(leak_trace.trace)
app.command("calibrate")(leak_calibrate.calibrate)


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


app.command("tvla")(leak_tvla.tvla)
app.command("attack")(leak_attack.attack)
app.command("snr")(leak_snr.snr)
app.command("report")(leak_report.report)
app.command("import")(leak_import.import_traces)
app.command("export")(leak_export.export_traces)


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
    devices, named = choosing.devices(device), choosing.compiled(words)
    # No subroutine in assembly is said to take constant time; no words name all of them.
    asks = (words or everything) and not claimed
    in_assembly = choosing.subroutines(words, devices) if asks else []
    subjects = choosing.subjects(named, everything) if named or everything or not words else []
    subjects = [subject for subject in subjects if subject.constant_time or not claimed]
    builds = [
        Build((*build.flags, "-g"), build.compiler) for build in choosing.builds(optimise, compiler)
    ]
    task_list = tasks(subjects, devices, builds, (LENGTH,), extends=not everything)
    with output.progress() as step:
        others = [
            assembled.examine(subroutine, running)
            for running, chosen in in_assembly
            for subroutine in chosen
        ]
        task_list = choosing.buildable_tasks(task_list, jobs, step, len(others))
        of_c, unfit = run_fitting(
            task_list,
            examine,
            jobs,
            step,
            what="following",
            accepts_none=bool(others) or not task_list,
        )
    verdicts = [*others, *of_c]
    if as_json:
        rows = [_record(verdict) for verdict in verdicts]
        output.print_json({"rows": rows, "unfit": [misfit.record() for misfit in unfit]})
    else:
        _show(verdicts)
        for misfit in unfit:
            print(misfit.told)
    leaking = [_name(verdict) for verdict in verdicts if not verdict.keeps]
    if leaking:
        raise ProgramError(
            f"{len(leaking)} of {len(verdicts)} give secrets away: {', '.join(leaking[:SHOWN])}"
            + (" and others" if len(leaking) > SHOWN else "")
        )


def _name(verdict: Verdict) -> str:
    return verdict.task.subject.name


def _show(verdicts: Sequence[Verdict]) -> None:
    """Prints a table of verdicts, and the findings of subjects that leak, each in a line."""
    table = output.table("Secrets followed", *COLUMNS)
    for verdict in verdicts:
        subject = verdict.task.subject
        claim = "constant time" if subject.constant_time else "-"
        outcome = "keeps them" if verdict.keeps else "gives some away"
        figures = (f"{verdict.instructions:,}", f"{len(verdict.findings):,}")
        setting = f"{verdict.task.device.name} {verdict.task.build.name}"
        table.add_row(
            subject.name, setting, ", ".join(verdict.operations), *figures, claim, outcome
        )
    output.print_table(table)
    for verdict in verdicts:
        for finding in verdict.findings[:SHOWN]:
            print(f"{_name(verdict)} {finding.operation}: {findings.line(finding)}")
        if len(verdict.findings) > SHOWN:
            print(f"{_name(verdict)}: {len(verdict.findings) - SHOWN} more; --json has all")


def _record(verdict: Verdict) -> dict[str, Any]:
    return {
        "primitive": verdict.task.subject.primitive,
        "implementation": verdict.task.subject.implementation,
        "device": verdict.task.device.name,
        "flags": verdict.task.build.name,
        "operations": list(verdict.operations),
        "instructions": verdict.instructions,
        "constant_time": verdict.task.subject.constant_time,
        "keeps": verdict.keeps,
        "findings": [findings.record(finding) for finding in verdict.findings],
    }
