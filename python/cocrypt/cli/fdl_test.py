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
    if coprocessor.is_verilog and exports:
        raise InputError(
            f"{coprocessor.design.name} is in Verilog, and is not exported", "leave out `--exports`"
        )
    values = _native.load_coprocessor(register_map)
    wanted = vectors.load(values, file or register_map.parent / vectors.FILE)
    found = vectors.answers(values, wanted)
    differ = _exports(values, wanted) if exports else {}
    if as_json:
        output.print_json(_record(values, found, differ))
    else:
        output.print_table(_table(values, found))
        for simulator, names in differ.items():
            print(f"{simulator}: {'differs' if names else 'agrees in every cycle'}")
    _require_right(found, differ)


def _exports(values: dict[str, Any], wanted: Sequence[vectors.Vector]) -> dict[str, list[str]]:
    """Of each simulator: whether it differs from ours on the transfers of all vectors."""
    rows, _ = vectors.stimuli(values, wanted)
    design, top = Path(values["design"]), values["top"]
    exported = Exported.of(design, top, record_rows(design, top, rows))
    with tempfile.TemporaryDirectory() as scratch:
        return differing([exported], Path(scratch))


def _table(values: dict[str, Any], found: Sequence[Answer]) -> Table:
    made = output.table(
        values["title"], tables.key("vector"), tables.text("ok"), "cycles", "stated", left=0
    )
    for one in found:
        cycles = "-" if one.cycles is None else f"{one.cycles:,}"
        stated = "-" if one.vector.cycles is None else f"{one.vector.cycles:,}"
        made.add_row(one.vector.source, "yes" if one.right else "NO", cycles, stated)
    made.caption = "cycles: from the write of the command until the status says done"
    return made


def _record(
    values: dict[str, Any], found: Sequence[Answer], differ: dict[str, list[str]]
) -> dict[str, Any]:
    return {
        "coprocessor": values["name"],
        "vectors": [
            {
                "source": one.vector.source,
                "right": one.right,
                "cycles": one.cycles,
                "stated_cycles": one.vector.cycles,
                "outputs": {name: value.hex() for name, value in one.outputs.items()},
            }
            for one in found
        ],
        "exports": {simulator: not names for simulator, names in differ.items()},
    }


def _require_right(found: Sequence[Answer], differ: dict[str, list[str]]) -> None:
    wrong = [one for one in found if not one.right]
    if wrong:
        lines = [
            f"{len(wrong)} of {len(found)} vectors are not met; the first: {wrong[0].vector.source}"
        ]
        first = wrong[0]
        if first.vector.cycles is not None and first.cycles != first.vector.cycles:
            took = "is not done then" if first.cycles is None else f"is done after {first.cycles:,}"
            lines.append(f"  it states {first.vector.cycles:,} cycles, and {took}")
        lines += [
            f"  {name} is {first.outputs[name].hex()}, not {value.hex()}"
            for name, value in first.vector.outputs.items()
            if first.outputs[name] != value
        ]
        raise ProgramError("\n".join(lines))
    unlike = [simulator for simulator, names in differ.items() if names]
    if unlike:
        raise ProgramError(f"the export differs from the design under {', '.join(unlike)}")
