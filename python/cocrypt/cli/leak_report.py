"""`cocrypt leak report SET|STUDY`: a trace set, or both netlists of a coprocessor, on a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import paths
from cocrypt.cli import leak_sets, output
from cocrypt.cli.leak_attack import ModelOption, one_model, right_guesses, selected
from cocrypt.cli.leak_sets import CsvOption, SamplesOption, TracesOption
from cocrypt.cli.output import JsonOption
from cocrypt.cli.programs import PartitionOption, WorkloadOption, is_study
from cocrypt.cli.tables import figure, key, text
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from cocrypt.leakage.assessment import Assessment, Attack
    from cocrypt.leakage.overview import Overview
    from cocrypt.leakage.signal import Signal
    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet

COLUMNS = (
    key("line"),
    text("function", spare=1),
    figure("samples"),
    figure("largest |t|"),
    figure("largest NICV"),
)
SHOWN = 20
"""Lines that are printed; the page and the files have all."""


def report(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="SET|STUDY", help="The folder of a trace set; or a study with [leakage]."
        ),
    ],
    model: ModelOption = None,
    orders: Annotated[
        int, typer.Option("--orders", min=1, max=3, help="Compare up to this order.")
    ] = 1,
    traces: TracesOption = None,
    samples: SamplesOption = None,
    page: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Where the page goes."),
    ] = None,
    csv: CsvOption = None,
    workload: WorkloadOption = None,
    partition: PartitionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a page with all that a trace set tells: t-test, known bytes, attack, source lines.

    Of a study it shows the coprocessors of a partition as gates, with one rail beside two: area,
    delay, energy and its variation, t-test over cycles, and attacks.

    Groups are compared if the set has a column `group` of 0 and 1, and a key is attacked if it has
    the texts of the model. The lines are those with samples above a threshold of either.
    """
    if is_study(path) or (not path.exists() and str(path) in paths.studies()):
        from cocrypt.cli import leak_beside

        if samples is not None:
            raise InputError(
                "--samples is for trace sets", "a study has `window` in its table [leakage]"
            )
        changes = leak_beside.Changes(workload, partition, model, traces, orders)
        leak_beside.report(path, changes, page, csv, as_json)
        return
    for option, value in (("--workload", workload), ("--partition", partition)):
        if value is not None:
            raise InputError(f"{option} is for studies, and {path} is none", "name a study's file")
    from cocrypt.leakage import overview, statistics
    from cocrypt.leakage.traces import TraceSet
    from cocrypt.report import leakage as pages

    found = TraceSet.open(path)
    chosen = statistics.part(found, traces, leak_sets.bounds(samples))
    name = _model(found, model)
    groups = _groups(found, chosen, orders)
    known, attack = _attacked(found, chosen, name)
    result = overview.overview(found, chosen, name, groups, known, attack)
    leak_sets.write_files(csv, lambda: overview.table(result))
    if as_json:
        output.print_json(overview.record(result))
    else:
        _show(result)
    target = page or paths.build() / "reports" / f"{found.path.resolve().name}.html"
    output.report(target, pages.overview(result), as_json)


def _model(traces: TraceSet, model: str | None) -> str | None:
    """The model that was asked for, or the first whose texts the set has."""
    from cocrypt.leakage.selections import MODELS

    if model is not None:
        return one_model(model, None)
    has = (name for name, entry in MODELS.items() if entry.column in traces.columns)
    return next(has, None)


def _groups(traces: TraceSet, chosen: Range, orders: int) -> Assessment | None:
    from cocrypt.leakage import assessment

    if assessment.GROUP not in traces.columns:
        return None
    with leak_sets.progress(chosen.count, "comparing traces") as step:
        return assessment.assess(traces, chosen, orders=orders, progress=step)


def _attacked(
    traces: TraceSet, chosen: Range, model: str | None
) -> tuple[Signal | None, Attack | None]:
    """The variance that known bytes explain, and an attack; None without a model."""
    from cocrypt.leakage import assessment
    from cocrypt.leakage.signal import signal

    if model is None:
        return None, None
    selections = selected(traces, model, None, None, None)
    right = right_guesses(traces, model, None, selections)
    with leak_sets.progress(chosen.count, "attacking") as step:
        attack = assessment.disclose(traces, chosen, selections, right, progress=step)
    try:
        with leak_sets.progress(chosen.count, "classifying") as step:
            return signal(traces, chosen, selections, step), attack
    except InputError:
        # The classes of a distance of two bytes are no partition of the traces.
        return None, attack


def _show(result: Overview) -> None:
    lines = result.lines()
    table = output.table(f"Lines above a threshold: {result.traces.path}", *COLUMNS)
    for line in lines[:SHOWN]:
        table.add_row(*shown(line.record()))
    output.print_table(table)
    if len(lines) > SHOWN:
        print(f"and {len(lines) - SHOWN:,} more lines")
    for verdict in result.verdicts:
        print(f"{verdict}.")


def shown(line: dict[str, Any]) -> tuple[str, ...]:
    """A line as cells of a table."""
    where = f"{line['file']}:{line['line']}" if line["file"] else f"sample {line['samples'][0]:,}"
    t = "infinite" if line["infinite"] else _number(line["max_t"], ",.2f")
    nicv = _number(line["max_nicv"], ".4g")
    return (where, line["function"] or "-", f"{line['above']:,}", t, nicv)


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"
