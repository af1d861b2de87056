"""`cocrypt fdl`: checks designs, and writes them as Verilog."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cocrypt import _native
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import HostError

app = typer.Typer(help="Designs in FDL: check them, write them as Verilog.")

DesignArgument = Annotated[Path, typer.Argument(metavar="FILE", help="An FDL file.")]


@app.command("check")
def check(design: DesignArgument, as_json: JsonOption = False) -> None:
    """Check a design; print what is doubtful, and fail on what is wrong."""
    warnings = _native.fdl_check(design)
    if as_json:
        output.print_json({"file": str(design), "diagnostics": warnings})
        return
    for one in warnings:
        place = f"{one['file']}:{one['line']}:{one['column']}: " if one["line"] else ""
        advice = f"\n  help: {one['help']}" if one["help"] else ""
        output.say(f"{place}{one['severity']}: {one['message']}{advice}")
    print(f"{design}: no errors, {len(warnings)} warning{'' if len(warnings) == 1 else 's'}")


@app.command("verilog")
def verilog(
    design: DesignArgument,
    top: Annotated[
        str | None,
        typer.Option("--top", metavar="NAME", help="The datapath; else the one nobody uses."),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes.")
    ] = None,
) -> None:
    """Write a design as Verilog-2001, on stdout or into a file."""
    text = _native.fdl_verilog(design, top)
    if target is None:
        sys.stdout.write(text)
        return
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HostError(f"{target} cannot be written: {error.strerror}") from error
