"""`cocrypt leak`: what of a secret can be seen from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import log
from cocrypt.cli import choosing, output
from cocrypt.cli.choosing import (
    AllOption,
    CompilerOption,
    DevicesOption,
    JobsOption,
    OptimiseOption,
    PrimitivesArgument,
)
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.cli.verbs import Group
from cocrypt.errors import ProgramError
from cocrypt.primitives.measuring import Build, tasks
from cocrypt.primitives.running import buildable, run_all
from cocrypt.primitives.secrecy import LENGTH, Finding, Verdict, examine

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
    primitives: PrimitivesArgument = None,
    everything: AllOption = False,
    device: DevicesOption = None,
    optimise: OptimiseOption = None,
    compiler: CompilerOption = None,
    claimed: Annotated[
        bool, typer.Option("--claimed", help="Only those that are said to take constant time.")
    ] = False,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Name every instruction whose branch, address or time depends on a secret.

    Keys and texts are marked as secret and followed through a run, bit by bit. Exits with 3 if
    anything of them can be seen.
    """
    chosen = choosing.subjects(primitives or [], everything)
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
            print(f"{_called(one)} {finding.operation}: {_line(finding)}")
        if len(one.findings) > SHOWN:
            print(f"{_called(one)}: {len(one.findings) - SHOWN} more; --json has all")


WORDS = {
    "branch": "which way a branch goes",
    "jump": "where a jump goes",
    "load": "the address of a load",
    "store": "the address of a store",
    "time": "the time of an instruction",
}


def _line(one: Finding) -> str:
    often = "once" if one.count == 1 else f"{one.count:,} times"
    way = " > ".join(str(place) for place in one.calls)
    way = f", called from {way}" if way else ""
    return f"{one.place}: {WORDS[one.kind]} at {one.address:#x}, `{one.text}`, {often}{way}"


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
        "findings": [_finding(finding) for finding in one.findings],
    }


def _finding(one: Finding) -> dict[str, Any]:
    place = one.place
    return {
        "operation": one.operation,
        "kind": one.kind,
        "address": one.address,
        "instruction": one.text,
        "count": one.count,
        "function": place.function,
        "file": place.file,
        "line": place.line,
        "inlined_into": [str(outer) for outer in one.places[:-1]],
        "calls": [str(call) for call in one.calls],
    }
