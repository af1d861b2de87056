"""`cocrypt verify`: a study's images, or generated programs, on the model and at RTL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import fuzz, paths, records
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.device import Device
from cocrypt.errors import InputError, ProgramError
from cocrypt.study import Study
from cocrypt.verify import Comparison, Verification, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.study import Choice


def command(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help=output.STUDY)] = None,
    every: Annotated[
        bool,
        typer.Option("--all", help="Run every workload, in software and in each named partition."),
    ] = False,
    partitions: Annotated[
        list[str] | None,
        typer.Option("--partition", metavar="NAME", help="With --all: this partition alone."),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option("--device", "-d", metavar="NAME|FILE", help="Not the study's device: this."),
    ] = None,
    core: Annotated[
        str | None, typer.Option("--core", metavar="NAME", help="The core whose RTL is run.")
    ] = None,
    programs: Annotated[
        int | None,
        typer.Option("--fuzz", min=1, metavar="N", help="Run N generated programs instead."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="S", help="The seed of generated programs.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Run a study's programs, or generated ones, on the model and at RTL, and compare."""
    if (study is None) == (programs is None):
        raise InputError("name either a study or --fuzz N", "`cocrypt verify --help` says more")
    if programs is not None:
        if every or partitions or device is not None:
            raise InputError(
                "--all, --partition and --device choose what of a study is run", "name a study"
            )
        _fuzz(core, programs, seed, as_json)
    elif study is not None:
        loaded = Study.load(study)
        if device is not None:
            loaded = loaded.on(Device.load(paths.device(device)))
        _require_core(loaded, core)
        if partitions and not every:
            raise InputError("--partition chooses among what --all runs", "add --all")
        choices = loaded.every_choice(partitions or ()) if every else loaded.verify
        _study(loaded, choices, as_json)


def _study(study: Study, choices: Sequence[Choice], as_json: bool) -> None:
    if not choices:
        raise InputError(
            f"{study.path} has no [[verify]] entry", "add one: workload = ..., hw = [...]; or --all"
        )
    with output.progress() as step:
        result = verify(study, choices, step)
    if as_json:
        output.print_json(records.verification(result))
    else:
        output.print_table(table(result))
    if not result.agrees:
        wrong = [run for run in result.runs if run.difference or not run.verified]
        raise ProgramError(f"model and RTL do not agree in {len(wrong)} of {len(result.runs)} runs")


def _fuzz(core: str | None, programs: int, seed: int, as_json: bool) -> None:
    chosen = fuzz.core(core or fuzz.DEFAULT)
    with output.progress() as step:
        result = fuzz.campaign(chosen, seed, programs, step)
    if as_json:
        output.print_json(records.campaign(result))
    else:
        outcome = (
            f"{len(result.differences):,} differences" if result.differences else "no difference"
        )
        output.stdout().print(
            f"{programs:,} programs of seed {seed} in {result.runs:,} runs on "
            f"{result.configurations} configurations of {result.core}: {outcome}"
        )
        for difference in result.differences:
            output.stdout().print(str(difference), soft_wrap=True)
        if result.smallest:
            lines = ["the first of them, on a smaller program:", *result.smallest.assembly()]
            output.stdout().print("\n".join([*lines, str(result.smallest)]), soft_wrap=True)
    if result.differences:
        raise ProgramError(f"model and RTL differ in {len(result.differences):,} runs")


def table(result: Verification) -> Table:
    """Each run in a row; cycles and host seconds."""
    title = f"{result.study.title}: model and RTL of {result.core} on {result.study.device.name}"
    seconds = (figure("model s", spare=1), figure("RTL s", spare=2), figure("ratio"))
    names = (key("workload"), key("in hardware"), text("ok"))
    result_table = output.table(title, *names, "model", "RTL", "difference", *seconds)
    for run in result.runs:
        result_table.add_row(*_cells(run))
    result_table.caption = (
        "cycles; seconds of this host; ratio: how many times as fast the model is"
    )
    return result_table


def _cells(run: Comparison) -> list[str]:
    hardware = ", ".join(run.partition.hw) or "-"
    cycles = [f"{run.model_cycles:,}", f"{run.rtl_cycles:,}", f"{run.difference:,}"]
    ratio = "-" if run.speed_ratio is None else f"{run.speed_ratio:.1f}"
    seconds = [f"{run.model_seconds:.3f}", f"{run.rtl_seconds:.2f}", ratio]
    return [run.workload, hardware, "yes" if run.verified else "NO", *cycles, *seconds]


def _require_core(study: Study, core: str | None) -> None:
    own = study.device.core.name
    if core is not None and core != own:
        raise InputError(
            f"{study.path} runs on `{study.device.name}`, whose core is `{own}`, not `{core}`",
            f"say --core {own}, or nothing",
        )
