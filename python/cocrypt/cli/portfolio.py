"""`cocrypt portfolio`: the primitives that fit budgets of memory, and their speed there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import assembled, paths
from cocrypt.cli import choosing, output
from cocrypt.cli.choosing import CompilerOption, JobsOption, OptimiseOption, PrimitivesArgument
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.primitives import page
from cocrypt.primitives.measuring import tasks
from cocrypt.primitives.portfolio import (
    LENGTH,
    Portfolio,
    portfolio,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.primitives.portfolio import Choice


def command(
    primitives: PrimitivesArgument = None,
    device: Annotated[
        str, typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; see `devices`.")
    ] = paths.USUAL_DEVICE,
    rom: Annotated[
        str | None,
        typer.Option("--rom", metavar="BYTES,...", help="Budgets of ROM, else those of each kind."),
    ] = None,
    ram: Annotated[
        str | None,
        typer.Option("--ram", metavar="BYTES,...", help="Budgets of RAM, the stack included."),
    ] = None,
    optimise: OptimiseOption = None,
    compiler: CompilerOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Where the page goes.")
    ] = None,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell which primitives fit budgets of ROM and RAM, by which implementation, and how fast.

    Without primitives, all of the workbench. Implementations are compiled at -Os, -O2 and -O3
    unless levels are given. RL78 has subroutines in assembly beside them.
    """
    on, words = Device.load(device), primitives or []
    named = choosing.compiled(words)
    chosen = choosing.subjects(named, everything=not words) if named or not words else []
    builds = choosing.builds(optimise, compiler, choosing.LEVELS)
    budgets = (_budgets(rom), _budgets(ram))
    with output.progress() as step:
        measured = choosing.in_assembly(words, [on], step)
        further = [point for _, figures in measured for point in assembled.points(figures)]
        task_list = tasks(chosen, [on], builds, (LENGTH,))
        task_list = choosing.buildable_tasks(task_list, jobs, step, len(further))
        result = portfolio(on, task_list, budgets, jobs, step, further)
    path = report or paths.build() / "reports" / "portfolio" / f"{on.name}.html"
    if as_json:
        output.print_json(record(result))
    else:
        _show(result)
    output.report(path, page.heat_map(result), as_json)


def _budgets(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 12 and int(part) > 0 for part in parts):
        raise InputError(f"`{text}` are no budgets", "write bytes with commas, as 512,1024,2048")
    return tuple(sorted({int(part) for part in parts}))


def _show(result: Portfolio) -> None:
    groups: dict[tuple[str, str], list[Choice]] = {}
    for choice in result.choices:
        groups.setdefault((choice.kind, choice.job), []).append(choice)
    for kind in page.KINDS:
        for (group_kind, job), choices in groups.items():
            if group_kind == kind:
                output.print_table(_table(result, choices, f"{page.KINDS[kind]}: {job}"))
    print(
        "fastest implementation that fits; -: satiated, a smaller category is as fast; x: nothing "
        "at hand fits; RAM counts context, parameters and stack"
    )
    for misfit in result.unfit:
        print(misfit.told)


def _table(result: Portfolio, choices: Sequence[Choice], title: str) -> Table:
    """Budgets of RAM down, those of ROM across; the ends of the curve beside them."""
    unit = "cycles a byte" if choices[0].points[0].size else "cycles"
    kind, job = choices[0].kind, choices[0].job
    roms, rams = result.roms(kind), result.rams(kind)
    names = [f"ROM {rom:,}" for rom in roms]
    table = output.table(
        f"{title} on {result.device.name}, {unit}",
        key("primitive"),
        key("RAM", right=True),
        *names,
        figure("least ROM", spare=2),
        figure("least RAM", spare=3),
        figure("fastest", spare=1),
    )
    for choice in choices:
        for index, ram in enumerate(rams):
            cells = [_cell(result, choice, rom, ram) for rom in roms]
            ends = _ends(choice) if index == 0 else ("", "", "")
            table.add_row("" if index else choice.primitive, f"{ram:,}", *cells, *ends)
        table.add_section()
    if len(choices) > 1:
        for index, ram in enumerate(rams):
            fastest = [result.best(kind, job, rom, ram) for rom in roms]
            names = [point.subject.primitive if point else "x" for point in fastest]
            table.add_row("" if index else "fastest of all", f"{ram:,}", *names)
    return table


def _cell(result: Portfolio, choice: Choice, rom: int, ram: int) -> str:
    entry = result.entry(choice, rom, ram)
    if entry.point is None:
        return "x"
    return "-" if entry.verdict == "satiated" else page.figure(page.speed(entry.point))


def _ends(choice: Choice) -> tuple[str, str, str]:
    small, lean, fast = choice.smallest, choice.leanest, choice.fastest
    speed = page.figure(page.speed(fast))
    return f"{small.rom:,} B", f"{lean.ram:,} B", f"{speed} in {fast.rom:,} B"
