"""`cocrypt leak attack SET`: how many traces disclose a key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from cocrypt.cli.tables import figure, key
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.leakage.assessment import Attack
    from cocrypt.leakage.selections import Selection
    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet
    from cocrypt.leakage.turns import Turns

PART_COLUMNS = (
    key("part"),
    figure("guess"),
    figure("value"),
    figure("over second", spare=1),
    figure("sample"),
    figure("right"),
    figure("rank"),
    figure("from traces"),
)
STEP_COLUMNS = (
    key("traces"),
    figure("parts found"),
    figure("mean rank"),
    figure("success"),
    figure("key rank, bits", spare=1),
)

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="aes-first unless given; aes-last, aes-last-value, present-first, hmac-sha1, "
        "hmac-sha256 and others of docs/traces.md.",
    ),
]
TableOption = Annotated[
    Path | None,
    typer.Option(
        "--table",
        metavar="FILE.npy",
        help="A model of one's own: its value for each guess and each value of a byte.",
    ),
]
ColumnOption = Annotated[
    str | None, typer.Option("--column", metavar="NAME", help="The column of known bytes.")
]
PartsOption = Annotated[
    str | None, typer.Option("--parts", metavar="I,J,...", help="Take these parts alone.")
]


def attack(
    path: SetArgument,
    model: ModelOption = None,
    table: TableOption = None,
    column: ColumnOption = None,
    parts: PartsOption = None,
    bit: Annotated[
        int | None,
        typer.Option("--bit", min=0, max=7, metavar="N", help="Predict one bit, not the weight."),
    ] = None,
    difference: Annotated[
        bool, typer.Option("--difference", help="Use the difference of means: with --bit, DPA.")
    ] = False,
    known: Annotated[
        str | None,
        typer.Option("--key", metavar="HEX", help="The right key; the column key unless given."),
    ] = None,
    steps: Annotated[
        int, typer.Option("--steps", min=1, metavar="N", help="Look at so many numbers of traces.")
    ] = 10,
    repeat: Annotated[
        int,
        typer.Option("--repeat", min=1, metavar="N", help="Attack so many parts of the set each."),
    ] = 1,
    traces: TracesOption = None,
    samples: SamplesOption = None,
    csv: CsvOption = None,
    page: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Attack a key by correlation or difference of means, and count the traces that it takes.

    Prints the best guess of each part of the key and, if the key is known, its rank against the
    number of traces.
    """
    from cocrypt.leakage import assessment, records, statistics
    from cocrypt.leakage.traces import TraceSet
    from cocrypt.leakage.turns import TURNS

    found = TraceSet.open(path)
    chosen = statistics.part(found, traces, leak_sets.bounds(samples))
    if table is not None and bit is not None:
        raise InputError("--table is a model of its own", "leave --model and --bit out")
    name = one_model(model, table)
    if name in TURNS:
        selections, right = in_turn(
            found, chosen, TURNS[name], column, bit, known, parts, difference=difference
        )
    else:
        selections = selected(found, name, table, column, bit)
        right = right_guesses(found, name, known, selections)
    numbers = part_numbers(parts, len(selections))
    selections = [selections[number] for number in numbers]
    with leak_sets.progress(chosen.count, "attacking") as step:
        result = assessment.disclose(
            found,
            chosen,
            selections,
            None if right is None else [right[number] for number in numbers],
            steps=steps,
            repeat=repeat,
            difference=difference,
            progress=step,
        )
    leak_sets.write_files(csv, lambda: records.attack_csv(result))
    record = records.attack(result, name)
    if as_json:
        output.print_json(record)
    else:
        _show(result, record)
    if page is not None:
        from cocrypt.report import leakage as pages

        output.report(page, pages.attack(result, name), as_json)


def one_model(model: str | None, table: Path | None) -> str | None:
    """The model's name, None for a table. Raises `InputError` for both."""
    if table is not None and model is not None:
        raise InputError("--table is a model of its own", "leave --model and --bit out")
    return None if table is not None else model or "aes-first"


def selected(
    traces: TraceSet, model: str | None, table: Path | None, column: str | None, bit: int | None
) -> list[Selection]:
    """The selections of a model or a table. Raises `InputError` for what there is not."""
    from cocrypt.leakage.selections import MODELS, selection
    from cocrypt.leakage.turns import TURNS

    if table is not None:
        name = column or "plaintext"
        size = _size(traces, name)
        return [selection(f"byte {byte}", [(name, byte)], _table(table)) for byte in range(size)]
    if model in TURNS:
        raise InputError(
            f"{model} guesses its parts in turn, and they have no classes before",
            "attack the set by `leak attack`",
        )
    if model not in MODELS:
        known = ", ".join([*MODELS, *TURNS])
        raise InputError(f"there is no model `{model}`", f"name one of {known}")
    if bit is not None and model == "present-first" and bit > 3:
        raise InputError("an S-box of PRESENT has the bits 0 to 3", "give --bit within them")
    return MODELS[model].select(column or MODELS[model].column, bit)


def in_turn(
    traces: TraceSet,
    chosen: Range,
    model: Turns,
    column: str | None,
    bit: int | None,
    known: str | None,
    parts: str | None,
    *,
    difference: bool,
) -> tuple[list[Selection], list[int] | None]:
    """The selections of parts that are guessed in turn, and the right guesses if the key is known.

    Each part follows the right ones if the key is known, so that its rank is its own. Those behind
    the last one of `parts` are left out.
    """
    from cocrypt.leakage import turns

    key_bytes = _hex(known) if known is not None else _only_key(traces)
    right = None if key_bytes is None else model.true_parts(key_bytes)
    numbers = part_numbers(parts, model.parts if right is None else len(right))
    made = turns.selections(
        traces,
        chosen,
        model,
        column or model.column,
        bit,
        right,
        count=max(numbers) + 1,
        difference=difference,
    )
    return made, right


def _size(traces: TraceSet, name: str) -> int:
    """The elements of a column, or 1 if there is none, which the selection then reports."""
    size = 1
    for length in traces.columns.get(name, (None, ()))[1]:
        size *= length
    return size


def _table(path: Path) -> Any:  # noqa: ANN401 - an array, checked where it is used.
    from cocrypt.leakage import formats

    # A table may have types that samples have not.
    return formats.load(path, formats.DTYPES | {"bool", "int64", "uint64", "float16"})


def right_guesses(
    traces: TraceSet, model: str | None, given: str | None, selections: Sequence[Selection]
) -> list[int] | None:
    """The right guess of each part: of --key, or of the column `key` if it has one key alone."""
    from cocrypt.leakage.selections import MODELS

    size = MODELS[model].key_size if model is not None else len(selections)
    key_bytes = _hex(given) if given is not None else _only_key(traces)
    if key_bytes is None:
        return None
    if len(key_bytes) != size:
        if given is None:
            return None
        raise InputError(f"--key has {len(key_bytes)} bytes", f"give all {size}")
    right = list(key_bytes) if model is None else MODELS[model].true_key(key_bytes)
    for guess, selection in zip(right, selections, strict=True):
        if guess < selection.guesses:
            continue
        if given is None:
            return None
        raise InputError(
            f"--key has {guess:#04x} for {selection.name}, and the table has guesses up to "
            f"{selection.guesses - 1:#04x}",
            "give a row for each value of a key byte, or leave --key out",
        )
    return right


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise InputError(f"`{text}` is no key", "write its bytes in hexadecimal") from error


def _only_key(traces: TraceSet) -> bytes | None:
    """The key of all traces, or None if there is none or more than one."""
    dtype, shape = traces.columns.get("key", (None, ()))
    if dtype != "uint8" or len(shape) != 1 or not len(traces):
        return None
    keys = traces.column("key")
    return bytes(keys[0]) if (keys == keys[0]).all() else None


def part_numbers(text: str | None, parts: int) -> list[int]:
    """The numbers of the parts that --parts names, or all."""
    if text is None:
        return list(range(parts))
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError as error:
        raise InputError(f"`{text}` is no list of parts", "write numbers: 0,3") from error
    if not all(0 <= number < parts for number in numbers) or len(set(numbers)) < len(numbers):
        raise InputError(
            f"the key has the parts 0 to {parts - 1}", "name each of some once by --parts"
        )
    return numbers


def _show(result: Attack, record: dict[str, Any]) -> None:
    """Prints a row for each part, the ranks against the number of traces, and the verdict."""
    digits = 2 if len(result.final[0].peaks) > 16 else 1
    table = output.table(f"Attack: {result.traces.path}", *PART_COLUMNS)
    for part in record["parts"]:
        table.add_row(
            part["name"],
            f"{part['guess']:0{digits}x}",
            f"{part['value']:.4g}",
            "-" if part["margin"] is None else f"{part['margin']:.2f}",
            f"{part['sample']:,}",
            "-" if part["right"] is None else f"{part['right']:0{digits}x}",
            "-" if part["rank"] is None else f"{part['rank']:,}",
            "-" if part["disclosed"] is None else f"{part['disclosed']:,}",
        )
    output.print_table(table)
    if record["steps"]:
        output.print_table(_step_table(record))
    print(f"{record['verdict']}.")


def _step_table(record: dict[str, Any]) -> Any:  # noqa: ANN401 - a table of `output`.
    table = output.table("Ranks against traces", *STEP_COLUMNS)
    for step in record["steps"]:
        bits = step["rank_bits"]
        table.add_row(
            f"{step['traces']:,}",
            f"{step['right']:.3g}",
            f"{step['guessing_entropy']:.1f}",
            f"{100 * step['success_rate']:.0f} %",
            "-" if bits is None else f"{bits[0]:.1f}–{bits[1]:.1f}",
        )
    return table
