"""`cocrypt measure`: the costs of primitives on a device, ours and those of others."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import assembled, log, paths
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
from cocrypt.errors import InputError
from cocrypt.primitives import page, results, saved
from cocrypt.primitives.benchmark import BenchmarkRow, benchmark
from cocrypt.primitives.measuring import LENGTHS, Row, measure, tasks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from cocrypt.primitives.running import Unfit

# The lengths that a table on a terminal shows; files have all of them.
SHOWN = (8, 64, 1024, 4096)

COLUMNS = (
    key("primitive"),
    key("operation"),
    key("length", right=True),
    figure("cycles"),
    figure("per byte", spare=2),
    figure("ROM"),
    figure("RAM"),
    figure("stack"),
    figure("energy, J", spare=3),
    text("ct", spare=4),
    text("ok", spare=1),
)

ITERATIONS = 10
"""The runs of each operation by --table unless --iterations is given."""


def command(
    primitives: PrimitivesArgument = None,
    everything: AllOption = False,
    device: DevicesOption = None,
    optimise: OptimiseOption = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Compile at -Os, -O2 and -O3; shorthand for all three.")
    ] = False,
    compiler: CompilerOption = None,
    lengths: Annotated[
        str | None,
        typer.Option("--lengths", metavar="N,...", help="Message lengths in bytes."),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Print operations as pqm4 does: speed, stack, size.")
    ] = False,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations", min=1, metavar="N", help=f"Runs of each, for --table. [{ITERATIONS}]"
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write all rows, with commas.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write all rows in Markdown.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a page: cycles against length."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Keep the figures, for `compare NAME`."),
    ] = None,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure primitives: cycles, cycles per byte, ROM, RAM, stack and energy.

    Vectors are checked before a figure is printed.
    """
    file_options = {"--lengths": lengths, "--csv": csv, "--markdown": markdown}
    _require_use(table, iterations, {**file_options, "--report": report, "--save": save})
    if save is not None:
        saved.place(save)
    words = choosing.compiled(primitives or [])
    subroutines_alone = bool(primitives) and not words and not everything
    chosen = [] if subroutines_alone else choosing.subjects(words, everything)
    on = choosing.devices(device)
    levels = choosing.LEVELS if sweep else optimise
    task_list = tasks(
        chosen,
        on,
        choosing.builds(levels, compiler),
        _lengths(lengths),
        extends=not everything,
    )
    started = time.perf_counter()
    with output.progress() as step:
        asked = [] if everything else primitives or []
        # The tables of --table are of C functions.
        measured = [] if table else choosing.in_assembly(asked, on, step)
        further = [row for at, figures in measured for row in assembled.rows(figures, at)]
        task_list = choosing.buildable_tasks(task_list, jobs, step, len(further))
        if table:
            benchmark_rows, unfit = benchmark(task_list, iterations or ITERATIONS, jobs, step)
        else:
            rows, unfit = measure(task_list, jobs, step, accepts_none=bool(further))
            rows += further
    if table:
        _show_benchmark(benchmark_rows, unfit, as_json)
        return
    values = results.records(rows, unfit, time.perf_counter() - started)
    # Figures come first: a file that cannot be written must not withhold them.
    if as_json:
        output.print_json(values)
    else:
        _show(rows, unfit)
    if csv is not None:
        paths.write_text(csv, results.csv_text(rows))
    if markdown is not None:
        paths.write_text(markdown, results.markdown(rows))
    if report is not None:
        paths.write_page(report, page.measurements(rows))
        log.say(f"report: {report}")
    if save is not None:
        log.say(f"saved: {saved.save(save, values)}")


def _require_use(table: bool, iterations: int | None, file_options: Mapping[str, object]) -> None:
    """Raises `InputError` where an option is given that would do nothing."""
    if iterations is not None and not table:
        raise InputError(
            "`--iterations` says how often --table runs each operation, and there is no --table",
            "add --table, or leave --iterations out: without it a figure is that of one exact run",
        )
    given = [name for name, value in file_options.items() if value is not None]
    if table and given:
        raise InputError(
            f"`{given[0]}` does nothing beside --table, which has other figures",
            "leave one of them out; --json prints what --table shows",
        )


def _lengths(text: str | None) -> tuple[int, ...]:
    if text is None:
        return LENGTHS
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 6 and 0 < int(part) <= 1 << 16 for part in parts):
        raise InputError(f"`{text}` are no lengths", "write them as 8,64,1024, each up to 65536")
    return tuple(dict.fromkeys(int(part) for part in parts))


def _show(rows: Sequence[Row], unfit: Sequence[Unfit]) -> None:
    """Prints a table for each device and build, and what does not fit."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.on, row.build.name), []).append(row)
    for (device, build), group in groups.items():
        output.print_table(_table(f"{device}, {build}", group))
    print(
        "cycles from the first of the call to the last of the return; ROM, RAM and stack in bytes, "
        "RAM with context and parameters"
    )
    for misfit in unfit:
        print(misfit.told)


def _table(title: str, rows: Sequence[Row]) -> Table:
    lengths = {row.length for row in rows if row.length is not None}
    # If few lengths were asked for, all of them are shown.
    shown = lengths if len(lengths) <= len(SHOWN) else set(SHOWN)
    table = output.table(title, *COLUMNS)
    previous = None
    for row in rows:
        if row.length is not None and row.length not in shown and row.operation != "block":
            continue
        subject = row.subject.name
        if previous is not None and previous != subject:
            table.add_section()
        table.add_row("" if subject == previous else subject, row.operation, *_figures(row))
        previous = subject
    return table


def _figures(row: Row) -> tuple[str, ...]:
    return (
        "" if row.length is None else f"{row.length:,}",
        f"{row.cycles:,}",
        "" if row.per_byte is None else f"{row.per_byte:,.1f}",
        f"{row.rom:,}",
        f"{row.ram:,}",
        f"{row.stack:,}",
        "unknown" if row.energy is None else f"{row.energy:.3g}",
        "yes" if row.subject.constant_time else "-",
        "yes" if row.verified else "no vectors",
    )


def _show_benchmark(rows: Sequence[BenchmarkRow], unfit: Sequence[Unfit], as_json: bool) -> None:
    """Prints the three tables that pqm4 prints, and what does not fit."""
    if as_json:
        output.print_json(
            {
                "rows": [row.record() for row in rows],
                "unfit": [misfit.record() for misfit in unfit],
            }
        )
        return
    speed = output.table("Speed, cycles", "scheme", "operation", "mean", "min", "max", left=2)
    stack = output.table("Stack, bytes", "scheme", "operation", "stack", left=2)
    for row in rows:
        figures = (f"{row.mean:,.0f}", f"{row.least:,}", f"{row.most:,}")
        speed.add_row(row.scheme, row.operation, *figures)
        stack.add_row(row.scheme, row.operation, f"{row.stack:,}")
    size = output.table("Code size, bytes", "scheme", "text", "data", "bss", "total", left=1)
    for scheme, sizes in {row.scheme: row.sizes for row in rows}.items():
        size.add_row(scheme, *(f"{figure:,}" for figure in sizes), f"{sum(sizes):,}")
    for table in (speed, stack, size):
        output.print_table(table)
    for misfit in unfit:
        print(misfit.told)
    unverified = [f"{row.scheme} ({row.operation})" for row in rows if row.verified is None]
    if unverified:
        log.say(f"no vectors: {', '.join(unverified)}")
