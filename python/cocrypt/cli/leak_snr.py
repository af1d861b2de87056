"""`cocrypt leak snr SET`: the samples that depend on a known value, and how much."""

from __future__ import annotations

from typing import Any

from cocrypt.cli import leak_sets, output
from cocrypt.cli.leak_attack import (
    ColumnOption,
    ModelOption,
    PartsOption,
    TableOption,
    one_model,
    part_numbers,
    selected,
)
from cocrypt.cli.leak_sets import CsvOption, SamplesOption, SetArgument, TracesOption
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key

COLUMNS = (
    key("part"),
    figure("classes"),
    figure("SNR"),
    figure("NICV"),
    figure("NICV of chance"),
    figure("samples above"),
    figure("sample"),
)


def snr(
    path: SetArgument,
    model: ModelOption = None,
    table: TableOption = None,
    column: ColumnOption = None,
    parts: PartsOption = None,
    traces: TracesOption = None,
    samples: SamplesOption = None,
    csv: CsvOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print how much of the samples a known byte explains: signal-to-noise ratio and NICV.

    Each part of a model classifies the traces by a byte, without any guess of a key. NICV is the
    share of a sample's variance between the classes, and SNR the ratio of it to the rest. Chance
    alone exceeds its NICV, at any sample of any part, in one of 100 results.
    """
    from cocrypt.leakage import statistics
    from cocrypt.leakage.signal import record, signal
    from cocrypt.leakage.signal import table as rows
    from cocrypt.leakage.traces import TraceSet

    found = TraceSet.open(path)
    chosen = statistics.part(found, traces, leak_sets.bounds(samples))
    name = one_model(model, table)
    selections = selected(found, name, table, column, None)
    numbers = part_numbers(parts, len(selections))
    with leak_sets.progress(chosen.count, "classifying") as step:
        result = signal(found, chosen, [selections[number] for number in numbers], step)
    leak_sets.write_files(csv, lambda: rows(result))
    values = record(result, name)
    if as_json:
        output.print_json(values)
    else:
        _show(values)


def _show(values: dict[str, Any]) -> None:
    shown = output.table(f"Signal and noise: {values['set']}", *COLUMNS)
    for part in values["parts"]:
        shown.add_row(
            part["name"],
            f"{part['classes']:,}",
            "infinite" if part["snr"] is None else f"{part['snr']:.4g}",
            f"{part['nicv']:.4g}",
            f"{part['threshold']:.4g}",
            f"{part['above']:,}",
            f"{part['sample']:,}",
        )
    output.print_table(shown)
