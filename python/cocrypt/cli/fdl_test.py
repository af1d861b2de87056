"""`cocrypt fdl test`: a coprocessor's vectors, on our simulator and on its exports."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import _native
from cocrypt.cli import output, tables
from cocrypt.cli.output import JsonOption
from cocrypt.coprocessor import Coprocessor
from cocrypt.errors import InputError, ProgramError
from cocrypt.hardware import vectors
from cocrypt.hardware.exported import Exported, differing
from cocrypt.hardware.recording import record_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.hardware.vectors import Answer


def command(
    register_map: Annotated[
        Path, typer.Argument(metavar="MAP", help="A register map, a TOML file.")
    ],
    file: Annotated[
        Path | None,
        typer.Option(
            "--vectors", metavar="FILE", help="Not the vectors.toml beside the map: this."
        ),
    ] = None,
    exports: Annotated[
        bool,
        typer.Option("--exports", help="Run Verilog and VHDL too: Icarus, Verilator and GHDL."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a coprocessor's vectors at its register port; compare results and cycles."""
    coprocessor = Coprocessor.load(register_map)
    if coprocessor.port == "link":
        raise InputError(
            f"`{coprocessor.name}` has the stream face, and vectors are run at registers",
            "run a program that uses it instead: `cocrypt explore` with a study",
        )
    if coprocessor.is_verilog and exports:
        raise InputError(
            f"{coprocessor.design.name} is in Verilog, and is not exported", "leave out `--exports`"
        )
    values = _native.load_coprocessor(register_map)
    chosen_vectors = vectors.load(values, file or register_map.parent / vectors.FILE)
    answers = vectors.answers(values, chosen_vectors)
    differ = _exports(values, chosen_vectors) if exports else {}
    if as_json:
        output.print_json(_record(values, answers, differ))
    else:
        output.print_table(_table(values, answers))
        for simulator, names in differ.items():
            print(f"{simulator}: {'differs' if names else 'agrees in every cycle'}")
    _require_right(answers, differ)


def _exports(
    values: dict[str, Any], chosen_vectors: Sequence[vectors.Vector]
) -> dict[str, list[str]]:
    """The designs that differ from ours on the transfers of all vectors, by simulator."""
    rows, _ = vectors.stimuli(values, chosen_vectors)
    design, top = Path(values["design"]), values["top"]
    exported = Exported.of(design, top, record_rows(design, top, rows))
    with tempfile.TemporaryDirectory() as scratch:
        return differing([exported], Path(scratch))


def _table(values: dict[str, Any], answers: Sequence[Answer]) -> Table:
    table = output.table(
        values["title"], tables.key("vector"), tables.text("ok"), "cycles", "stated", left=0
    )
    for answer in answers:
        cycles = "-" if answer.cycles is None else f"{answer.cycles:,}"
        stated = "-" if answer.vector.cycles is None else f"{answer.vector.cycles:,}"
        table.add_row(answer.vector.source, "yes" if answer.right else "NO", cycles, stated)
    table.caption = "cycles: from the write of the command until the status says done"
    return table


def _record(
    values: dict[str, Any], answers: Sequence[Answer], differ: dict[str, list[str]]
) -> dict[str, Any]:
    return {
        "coprocessor": values["name"],
        "vectors": [
            {
                "source": answer.vector.source,
                "right": answer.right,
                "cycles": answer.cycles,
                "stated_cycles": answer.vector.cycles,
                "outputs": {name: value.hex() for name, value in answer.outputs.items()},
            }
            for answer in answers
        ],
        "exports": {simulator: not names for simulator, names in differ.items()},
    }


def _require_right(answers: Sequence[Answer], differ: dict[str, list[str]]) -> None:
    wrong = [answer for answer in answers if not answer.right]
    if wrong:
        first = wrong[0]
        count = f"{len(wrong)} of {len(answers)} vectors are not met"
        lines = [f"{count}; the first: {first.vector.source}"]
        if first.vector.cycles is not None and first.cycles != first.vector.cycles:
            finish = (
                "is not done then" if first.cycles is None else f"is done after {first.cycles:,}"
            )
            lines.append(f"  it states {first.vector.cycles:,} cycles, and {finish}")
        lines += [
            f"  {name} is {first.outputs[name].hex()}, not {value.hex()}"
            for name, value in first.vector.outputs.items()
            if first.outputs[name] != value
        ]
        raise ProgramError("\n".join(lines))
    different = [simulator for simulator, names in differ.items() if names]
    if different:
        raise ProgramError(f"the export differs from the design under {', '.join(different)}")
