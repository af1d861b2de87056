"""`cocrypt leak tvla SET`: whether two groups of traces differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt.cli import leak_sets, output
from cocrypt.cli.leak_sets import (
    CsvOption,
    ReportOption,
    SamplesOption,
    SetArgument,
    TracesOption,
)
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.errors import InputError, ProgramError

if TYPE_CHECKING:
    from cocrypt.leakage.assessment import Assessment

COLUMNS = (
    key("order"),
    figure("sample"),
    figure("t"),
    figure("cycle", spare=1),
    text("function", spare=2),
    text("line", spare=3),
)
# Samples of an order that a table shows; JSON has more, --csv all.
SHOWN = 5


def tvla(
    path: SetArgument,
    column: Annotated[
        str, typer.Option("--column", metavar="NAME", help="The column with the groups.")
    ] = "group",
    values: Annotated[
        str, typer.Option("--values", metavar="A,B", help="Its values in the two groups.")
    ] = "0,1",
    split: Annotated[
        int | None,
        typer.Option(
            "--split",
            min=0,
            metavar="SEED",
            help="Compare random halves of the second group: a test of the measurement.",
        ),
    ] = None,
    orders: Annotated[
        int, typer.Option("--orders", min=1, max=3, metavar="N", help="Test up to this order.")
    ] = 1,
    threshold: Annotated[
        float, typer.Option("--threshold", min=0.1, metavar="T", help="|t| that is a difference.")
    ] = 4.5,
    traces: TracesOption = None,
    samples: SamplesOption = None,
    csv: CsvOption = None,
    page: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two groups of traces by Welch's t-test, fixed inputs against random ones.

    Exits with 3 if |t| is above the threshold at any sample and order.
    """
    from cocrypt.leakage import assessment, records, statistics
    from cocrypt.leakage.traces import TraceSet

    found = TraceSet.open(path)
    chosen = statistics.part(found, traces, leak_sets.bounds(samples))
    with leak_sets.progress(chosen.count, "comparing traces") as step:
        result = assessment.assess(
            found,
            chosen,
            column,
            _pair(values),
            split=split,
            orders=orders,
            threshold=threshold,
            progress=step,
        )
    leak_sets.write_files(csv, lambda: records.assessment_csv(result))
    if as_json:
        output.print_json(records.assessment(result))
    else:
        _show(result)
    if page is not None:
        from cocrypt.report import leakage as pages

        output.report(page, pages.assessment(result), as_json)
    if result.differ:
        raise ProgramError(result.verdict)


def _pair(text: str) -> tuple[int, int]:
    """The two values of an option."""
    try:
        first, second = (int(part, 0) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"`{text}` is no pair of values", "write two numbers: 0,1") from error
    if first == second:
        raise InputError("both groups have the same value", "write two numbers: 0,1")
    return first, second


def _show(result: Assessment) -> None:
    from cocrypt.leakage import records

    table = output.table(f"Welch's t-test: {result.traces.path}", *COLUMNS)
    for order in records.assessment(result)["orders"]:
        for point in order["points"][:SHOWN]:
            line = f"{point['file']}:{point['line']}" if point["file"] else "-"
            cycle = "-" if point["cycle"] is None else f"{point['cycle']:,}"
            name = f"{order['order']}"
            function = point["function"] or "-"
            t = "infinite" if point["t"] is None else f"{point['t']:+,.2f}"
            table.add_row(name, f"{point['sample']:,}", t, cycle, function, line)
    output.print_table(table)
    if not result.differ:
        print(f"{result.verdict}.")
