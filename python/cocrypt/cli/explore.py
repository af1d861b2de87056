"""`cocrypt explore`: every partition of a study, as table, JSON and page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
from cocrypt.cli import output, tables
from cocrypt.cli.output import JsonOption, MaxCyclesOption, StudyArgument
from cocrypt.cli.progress import RUNS_KEPT
from cocrypt.cli.tables import figure, key
from cocrypt.device import Device
from cocrypt.explore import Exploration, Row, Store, Workers, explore, records
from cocrypt.measurement import MAX_CYCLES
from cocrypt.outcome import WrongOutputError
from cocrypt.report import exploration, plain, text
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from cocrypt.cli.layout import Column
    from cocrypt.hotspots import HotSpots


def command(
    study: StudyArgument,
    workload: Annotated[
        str | None,
        typer.Option("--workload", "-w", metavar="NAME", help="What to run; else the first."),
    ] = None,
    device: Annotated[
        list[str] | None,
        typer.Option("--device", "-d", metavar="NAME", help="On which device; may be repeated."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, metavar="N", help="Runs at a time; else one a core."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of a scheduler."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Where outcomes are kept, in SQLite."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Where the HTML report goes."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the rows as comma-separated values."),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Write the table in Markdown."),
    ] = None,
    with_area: Annotated[
        bool,
        typer.Option("--area", help="Synthesise the coprocessors; the front is of T against area."),
    ] = False,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Build and run the partitions of a study; print a table, write a report.

    What was simulated once is kept, so an exploration that was broken off goes on where it was.
    """
    loaded = Study.load(study)
    results = []
    outcomes = Store(store)
    message = f"{RUNS_KEPT} ({outcomes.path})"
    with closing(Workers(jobs, dask, outcomes)) as workers, output.progress(message) as step:
        for chosen in _devices(loaded, device):
            on = loaded.on(chosen)
            result = explore(
                on,
                on.workload(workload),
                max_cycles=max_cycles,
                step=step,
                with_area=with_area,
                workers=workers,
            )
            results.append(result)
    if as_json:
        output.print_json(records.explorations(results))
    else:
        for result in results:
            _print(result)
    written = page or paths.build() / "reports" / loaded.name / "index.html"
    output.report(written, exploration.page(results), as_json)
    if csv is not None:
        paths.write_text(csv, plain.csv_text(results))
    if markdown is not None:
        paths.write_text(markdown, plain.markdown(results))
    for result in results:
        _require_verified(result)


def _devices(study: Study, names: Sequence[str] | None) -> tuple[Device, ...]:
    """The devices that were asked for, or else those of the study."""
    return tuple(Device.load(name) for name in names) if names else study.devices


def _print(result: Exploration) -> None:
    if result.hot is not None:
        _show(result, result.hot)
    else:
        output.print_table(table(result))
        if result.swept:
            output.print_table(swept(result))
        for note in result.notes:
            output.stdout().print(note)
    if result.workload.learnt:
        output.stdout().print(result.software.measurement.output.advice, soft_wrap=True)


def swept(result: Exploration) -> Table:
    """The predicted front of other buses and clocks, or of many, with what was simulated."""
    columns = ("mu", "T", "w", "error %")
    result_table = output.table(
        "Predicted, and then simulated", "partition", "bus and clock", *columns, left=2
    )
    for row in result.swept:
        split, error = row.measurement.split, row.error
        off = "-" if error is None else f"{100 * error:+.3f}"
        figures = (f"{split.communication:,}", f"{split.total:,}", f"{row.gain:.2f}", off)
        names = (row.measurement.partition.name, text.settings(row.measurement.device))
        result_table.add_row(*names, *figures, style="bold" if row.pareto else None)
    if result.landscape is not None:
        result_table.caption = text.landscape(result, result.landscape)
    return result_table


def _figure(cycles: int | None) -> str:
    return "-" if cycles is None else f"{cycles:,}"


# The figures of the table, each with what it shows of a row.
_COLUMNS: tuple[tuple[Column, Callable[[Row], str]], ...] = (
    (figure("software", spare=5), lambda row: _figure(row.measurement.split.software)),
    (figure("driver", spare=4), lambda row: _figure(row.measurement.split.driver)),
    (figure("waiting", spare=3), lambda row: _figure(row.measurement.split.waiting)),
    (figure("sigma", spare=2), lambda row: f"{row.measurement.split.computation:,}"),
    (figure("mu"), lambda row: f"{row.measurement.split.communication:,}"),
    (figure("T"), lambda row: f"{row.measurement.split.total:,}"),
    (figure("gamma %", spare=1), lambda row: f"{100 * row.overhead:.2f}"),
    (figure("w"), lambda row: f"{row.gain:.2f}"),
)


_LEAKAGE: tuple[tuple[Column, Callable[[Row], str]], ...] = (
    (figure("|t|"), lambda row: text.leakage(row, "leakage_t")),
    (figure("dev %", spare=1), lambda row: text.leakage(row, "leakage_deviation")),
    (figure("traces"), lambda row: text.leakage(row, "disclosure_traces")),
)


def table(result: Exploration) -> Table:
    """All partitions in one table, in cycles."""
    title = f"{result.study.title}: {result.workload.title} on {result.study.device.name}"
    shown = list(_COLUMNS)
    if any(row.areas is not None for row in result.rows):
        shown.append((figure("GE"), lambda row: f"{row.gate_equivalents or 0:,.0f}"))
    if any(row.leakage is not None for row in result.rows):
        shown += _LEAKAGE
    names = (column for column, _ in shown)
    result_table = output.table(
        title, key("partition"), key("in hardware"), tables.text("ok"), *names, left=0
    )
    for row in result.rows:
        figures = (cell(row) for _, cell in shown)
        style = "bold" if row.pareto else None if row.within else "dim"
        result_table.add_row(*_texts(row), *figures, style=style)
    result_table.caption = (
        "cycles; sigma = software + driver + waiting, mu communication, T = sigma + mu, "
        "gamma = mu / T, w gain; bold: on the Pareto front"
        + _natural(result)
        + _predicted(result)
        + _synthesised(result)
        + _leaking(result)
    )
    return result_table


def _natural(result: Exploration) -> str:
    """The total of the build without boundaries, where there are any."""
    if result.natural is None:
        return ""
    total = result.natural.split.total
    bounded = result.software.measurement.split.total
    return f"; built without boundaries, all software has T = {total:,} instead of {bounded:,}"


def _synthesised(result: Exploration) -> str:
    """The tool that estimates the areas."""
    areas = [area for row in result.rows for area in row.areas or ()]
    if not areas:
        return ""
    return f"; GE: gate equivalents of the coprocessors, an estimate of {areas[0].yosys}"


def _leaking(result: Exploration) -> str:
    """The meaning of the columns of leakage, where there are any."""
    sampled = result.study.leakage
    if sampled is None:
        return ""
    return (
        f"; |t|: the largest with {sampled.traces:,} traces; dev: deviation of a coprocessor's "
        "energy at a cycle, over the mean; traces: those to disclosure of the key"
    )


def _predicted(result: Exploration) -> str:
    """The largest error of the predictions, where there are any."""
    if not result.errors:
        return ""
    return (
        f"; {len(result.errors)} partitions predicted from the software's profile and a run of "
        f"each option: off by {100 * max(result.errors):.3f} % of T at most"
    )


def _show(result: Exploration, hot: HotSpots) -> None:
    """Prints the hot spots of a study without candidates, and what could serve them."""
    title = f"{result.study.title}: {result.workload.title} on {result.study.device.name}"
    names = (figure("calls", spare=2), figure("alone", spare=1), "with callees", "%", "bound")
    result_table = output.table(
        f"{title}, {hot.cycles:,} cycles",
        key("function"),
        *names,
        tables.text("could serve"),
    )
    for spot in hot.spots:
        share = f"{100 * spot.total_cycles / hot.cycles:.1f}"
        figures = (f"{spot.calls:,}", f"{spot.self_cycles:,}", f"{spot.total_cycles:,}", share)
        result_table.add_row(
            spot.name, *figures, f"{spot.bound:.2f}", ", ".join(spot.serves) or "-"
        )
    result_table.caption = (
        "cycles; bound: how many times as fast the program is if the function takes no time "
        "(Amdahl); could serve: coprocessors of the library that compute the same"
    )
    output.print_table(result_table)
    for spot in hot.spots:
        for serving in (*spot.servings, *spot.refusals):
            output.stdout().print(f"{spot.name}: {serving}", soft_wrap=True)
    for best in hot.sets:
        print(f"best {len(best.functions)}: {', '.join(best.functions)}: at most {best.bound:.2f}")
    print("name some of them in the study, each as a [[candidate]]")


def _texts(row: Row) -> tuple[str, str, str]:
    partition = row.measurement.partition
    hardware = ", ".join(partition.hw) or "-"
    # A partition without a name of its own is called by its hardware, which stands beside it.
    name = "" if partition.name == " + ".join(partition.hw) else partition.name
    return name, hardware, output.verdict(row.measurement.verified)


def _require_verified(result: Exploration) -> None:
    wrong = [row.measurement for row in result.every_row if row.measurement.verified is False]
    if wrong:
        first, names = wrong[0], ", ".join(measurement.partition.name for measurement in wrong)
        expects = "the software leaves" if result.workload.learnt else "the study expects"
        shown = f"; of {first.partition.name}:" if len(wrong) > 1 else ":"
        raise WrongOutputError(
            f"`{result.workload.output}` is not what {expects} in: {names}{shown}", first.output
        )
