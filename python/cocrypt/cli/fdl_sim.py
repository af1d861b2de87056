"""`cocrypt fdl sim`: runs a design, and prints what it displays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import _native, log
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import figure, key, text
from cocrypt.errors import HostError, ProgramError
from cocrypt.hardware import processors
from cocrypt.rtl.blocks import libraries

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.hardware.processors import Processor

DEFAULT_CYCLES = 1_000_000
DEFAULT_CYCLES_WITH_PROGRAMS = 1_000_000_000
RUNNING = {"cycle_limit": "still runs", "deadlock": "waits for ever"}

GezelOption = Annotated[
    bool,
    typer.Option(
        "--gezel", help="Keep to FDL as GEZEL 2.5 had it: no extensions, its way to print."
    ),
]


def command(
    design: Annotated[Path, typer.Argument(metavar="FILE", help="An FDL file.")],
    top: Annotated[
        str | None,
        typer.Option("--top", metavar="NAME", help="The datapath; else the one nobody uses."),
    ] = None,
    cycles: Annotated[
        int | None,
        typer.Option(
            "--cycles",
            min=1,
            metavar="N",
            help=f"Stop after so many cycles; {DEFAULT_CYCLES:,} unless programs run.",
        ),
    ] = None,
    device: Annotated[
        list[str] | None,
        typer.Option(
            "--device",
            "-d",
            metavar="[CORE=]NAME",
            help="The device that the design's processors are, or one of them.",
        ),
    ] = None,
    gezel: GezelOption = False,
    waves: Annotated[
        Path | None,
        typer.Option("--waves", metavar="FILE", help="Write waves, to a .vcd or .fst file."),
    ] = None,
    activity: Annotated[
        Path | None,
        typer.Option(
            "--activity",
            metavar="FILE",
            help="Write toggles by cycle and operator, to a .npz file.",
        ),
    ] = None,
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="DIR",
            help="Where the files go that the design names in `$trace`; FILE.files unless said.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a design; print what it displays, until it finishes or nothing changes any more.

    Programs of processors that the design names run beside it, and print what they print.
    """
    _suffix(waves, ".vcd", ".fst")
    _suffix(activity, ".npz")
    cores = processors.of_design(design, top, gezel, device or [])
    default = DEFAULT_CYCLES_WITH_PROGRAMS if cores else DEFAULT_CYCLES
    options = {
        "top": top,
        "cycles": cycles or default,
        "gezel": gezel,
        "activity": activity is not None,
        "waves": waves,
        "files": files or Path(f"{design.stem}.files"),
        "named": files is not None,
        "libraries": libraries(design, top, gezel),
    }
    printed: list[str] = []
    try:
        say = printed.append if as_json else _print
        result, toggles = _native.fdl_run(design, options, [core.native for core in cores], say)
    except OSError as error:
        raise HostError(str(error)) from error
    for warning in result["warnings"]:
        location = (
            f"{warning['file']}:{warning['line']}:{warning['column']}: " if warning["line"] else ""
        )
        log.warn(f"{location}warning: {warning['message']}")
    if activity is not None:
        save(activity, result, toggles)
        result["files"].append(str(activity))
    result["cores"] = [_record(*pair) for pair in zip(cores, result["cores"], strict=True)]
    if as_json:
        del result["warnings"], result["counted"]
        output.print_json({"file": str(design), **result, "output": "".join(printed).splitlines()})
    else:
        log.say(_ending(result))
        if cores:
            output.print_table(_table(result["cores"]))
    _require_clean(result["cores"])
    if result["message"] is not None and not gezel:
        raise ProgramError(f"cycle {result['cycles']}: {result['message']}")


def _record(core: Processor, outcome: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a program as `--json` prints it."""
    run = outcome["run"]
    return {
        "name": core.name,
        "device": core.device.name,
        "program": str(core.program),
        "cycles": run["cycles"],
        "instructions": run["instructions"],
        "energy_J": core.device.energy(run["cycles"]),
        "stack": run["stack"],
        "stop": run["stop"],
        "console": outcome["console"],
    }


def _table(cores: list[dict[str, Any]]) -> Table:
    table = output.table(
        "processors",
        *(key("processor"), key("device"), "cycles", figure("instructions", spare=1), text("end")),
    )
    for core in cores:
        figures = (f"{core['cycles']:,}", f"{core['instructions']:,}")
        table.add_row(core["name"], core["device"], *figures, _stop_text(core["stop"]))
    return table


def _stop_text(stop: dict[str, Any]) -> str:
    if stop["kind"] == "exit":
        return f"exit {stop['exit_code']}"
    return RUNNING.get(stop["kind"], str(stop["cause"]))


def _require_clean(cores: list[dict[str, Any]]) -> None:
    """A program that fails, or cannot go on, is an error; one that still runs is none."""
    for core in cores:
        stop = core["stop"]
        if stop["kind"] not in RUNNING and stop["exit_code"] != 0:
            raise ProgramError(f"{core['name']}, cycle {stop['cycle']}: {stop['cause']}")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _suffix(path: Path | None, *endings: str) -> None:
    if path is not None and path.suffix not in endings:
        raise typer.BadParameter(f"{path} must end with {' or '.join(endings)}")


def _ending(result: dict[str, Any]) -> str:
    cycles = f"{result['cycles']:,} cycle{'' if result['cycles'] == 1 else 's'}"
    sentence = {
        "finished": f"finished after {cycles}",
        "cycle_limit": f"stopped after {cycles}; `--cycles` allows for more",
        "programs_ended": f"all programs ended after {cycles}",
        "settled": f"nothing changes any more after {cycles}",
        "exhausted": f"stopped after {cycles}: {result['message']}",
        "fault": f"stopped after {cycles}: {result['message']}",
    }[result["end"]]
    written = "".join(f"\nwrote {name}" for name in result["files"])
    return sentence + written


def save(path: Path, result: dict[str, Any], toggles: bytes) -> None:
    """Write toggles as NumPy columns.

    `toggles` has a row for each cycle and a column for each register and operator, in bits; `total`
    is their sum by cycle; `name`, `kind`, `width` and `line` describe the columns.
    """
    # NumPy is loaded only where columns are asked for.
    import numpy as np

    counted = result["counted"]
    table = np.frombuffer(toggles, dtype="<u4").reshape(-1, max(len(counted), 1))
    columns = {
        "toggles": table,
        "total": table.sum(axis=1, dtype=np.uint64),
        "name": np.array([column["name"] for column in counted], dtype=str),
        "kind": np.array([column["kind"] for column in counted], dtype=str),
        "width": np.array([column["width"] for column in counted], dtype=np.uint32),
        "line": np.array([column["line"] or 0 for column in counted], dtype=np.uint32),
    }
    try:
        np.savez_compressed(path, **columns)
    except OSError as error:
        raise HostError(f"{path} cannot be written: {error.strerror}") from error
