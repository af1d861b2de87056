"""`cocrypt reproduce`: a paper's tables beside ours, regenerated."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import house
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import InputError, ProgramError
from cocrypt.reproduce import Reproduction, reproduce
from cocrypt.reproduce.findings import on_core
from cocrypt.reproduce.page import page as paper_page
from cocrypt.study import Study

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.explore import Exploration, Row
    from cocrypt.verify import Comparison

PAPERS = ("hau2011",)

PaperArgument = Annotated[
    str, typer.Argument(metavar="PAPER", help=f"Which paper: {', '.join(PAPERS)}.")
]


def command(
    paper: PaperArgument,
    page: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Where the page with all of it goes."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a paper's experiment again; print its tables beside ours and what they say."""
    if paper not in PAPERS:
        raise InputError(f"there is no experiment `{paper}`", house.suggestion(paper, list(PAPERS)))
    study = Study.load(_relative(house.root() / "studies" / f"{paper}.toml"))
    with output.progress() as step:
        result = reproduce(study, step)
    target = page or house.build() / "reports" / paper / "paper.html"
    house.write_page(target, paper_page(result))
    if as_json:
        output.print_json(record(result))
        output.say(f"report: {target}")
    else:
        _print(result)
        output.stdout().print(f"report: {target}", soft_wrap=True)
    _require_right(result)


def record(result: Reproduction) -> dict[str, Any]:
    """What `--json` prints: for each row of a table the paper's figures and ours."""
    sentences = zip(("table3", "table4", "table5"), result.sentences, strict=True)
    return {
        "study": result.study.name,
        "table2": [
            {
                "paper": paper["hw"],
                "ours": list(row.measurement.partition.hw),
                "name": paper["name"],
            }
            for paper, row in result.partitions
        ],
        "table3": [{"paper": paper, "ours": _partition(row)} for paper, row in result.partitions],
        "table4": [
            {
                "workload": run.workload,
                "paper": {key: paper[key] for key in ("ctf_s", "rtl_s", "speedup")},
                "host": {
                    "model_seconds": run.model_seconds,
                    "rtl_seconds": run.rtl_seconds,
                    "speed_ratio": run.speed_ratio,
                },
            }
            for paper, run in result.rtl
        ],
        "table5": [
            {
                "workload": run.workload,
                "paper": {key: paper[key] for key in ("ctf_cycles", "rtl_cycles", "error_percent")},
                "ours": {
                    "model_cycles": run.model_cycles,
                    "rtl_cycles": run.rtl_cycles,
                    "difference": run.difference,
                    "verified": run.verified,
                },
            }
            for paper, run in result.rtl
        ],
        "sentences": dict(sentences),
        "cores": [
            {
                "device": one.study.device.name,
                "core": one.study.device.values["core"]["name"],
                "bus_wait": one.study.device.bus_wait,
                "rows": [
                    {"name": paper["name"], **_partition(_same(one, row))}
                    for paper, row in result.partitions
                ],
                "findings": on_core(one),
            }
            for one in result.cores
        ],
        "findings": [asdict(one) for one in result.findings],
    }


def _partition(row: Row) -> dict[str, Any]:
    split = row.measurement.split
    return {
        "computation": split.computation,
        "communication": split.communication,
        "total": split.total,
        "overhead_percent": 100 * row.overhead,
        "gain": row.gain,
        "verified": row.measurement.verified,
    }


def _same(found: Exploration, row: Row) -> Row:
    """The row of the same partition on another core."""
    return found.by_hardware(row.measurement.partition.hw)


def _print(result: Reproduction) -> None:
    output.print_table(table2(result))
    tables = (table3(result), table4(result), table5(result))
    for table, sentence in zip(tables, result.sentences, strict=True):
        output.print_table(table)
        output.stdout().print(f"{sentence}\n")
    output.print_table(cores(result))
    output.print_table(findings(result))


def table2(result: Reproduction) -> Table:
    """Which operations are hardware in each architecture; the study's are the paper's."""
    functions = [one.function for one in result.study.candidates]
    made = output.table("Table 2: architectures", "architecture", *functions, left=5)
    for paper, row in result.partitions:
        hw = row.measurement.partition.hw
        made.add_row(paper["name"], *("HW" if name in hw else "SW" for name in functions))
    return made


def cores(result: Reproduction) -> Table:
    """T and w of the architectures on four cores."""
    names = [_core(one) for one in result.cores]
    columns = [f"{name}\n{figure}" for name in names for figure in ("T", "w")]
    made = output.table("Table 3 on four cores", "partition", *columns)
    for paper, row in result.partitions:
        rows = [_same(one, row) for one in result.cores]
        cells = [(f"{one.measurement.split.total:,}", f"{one.gain:.2f}") for one in rows]
        made.add_row(paper["name"], *(cell for pair in cells for cell in pair))
    return made


def _core(found: Exploration) -> str:
    device = found.study.device
    return f"{device.values['core']['name']}, bus {device.bus_wait}"


def findings(result: Reproduction) -> Table:
    """The paper's findings, and what our figures say to them."""
    made = output.table("The paper's findings", "section", "finding", "holds", "why", left=4)
    for one in result.findings:
        made.add_row(one.section, one.claim, "yes" if one.holds else "no", one.why)
    return made


def table3(result: Reproduction) -> Table:
    """Partitions: cycles, overhead and gain."""
    figures = ("sigma", "mu", "T", "gamma %", "w")
    columns = [f"{figure}\n{whose}" for figure in figures for whose in ("paper", "ours")]
    made = output.table("Table 3: partitions of ECDSA signing, cycles", "partition", *columns)
    keys = ("computation", "communication", "total", "overhead_percent", "gain")
    for paper, row in result.partitions:
        ours = _partition(row)
        cells = [_figure(figures[key]) for key in keys for figures in (paper, ours)]
        made.add_row(paper["name"], *cells)
    return made


def table4(result: Reproduction) -> Table:
    """Speed: seconds of model and RTL, and their ratio."""
    figures = ("model s", "RTL s", "ratio")
    columns = [f"{figure}\n{whose}" for figure in figures for whose in ("paper", "ours")]
    made = output.table("Table 4: speed of model and RTL, all hardware", "workload", *columns)
    for paper, run in result.rtl:
        made.add_row(run.workload, *_speeds(paper, run))
    return made


def table5(result: Reproduction) -> Table:
    """Accuracy: cycles of model and RTL, and by how much they differ."""
    figures = ("model", "RTL", "difference %")
    columns = [f"{figure}\n{whose}" for figure in figures for whose in ("paper", "ours")]
    made = output.table("Table 5: cycles of model and RTL, all hardware", "workload", *columns)
    for paper, run in result.rtl:
        cycles = (paper["ctf_cycles"], run.model_cycles, paper["rtl_cycles"], run.rtl_cycles)
        percent = f"{100 * run.difference / run.rtl_cycles:g}"
        cells = [f"{one:,}" for one in cycles]
        made.add_row(run.workload, *cells, f"{paper['error_percent']}", percent)
    return made


def _speeds(paper: dict[str, Any], run: Comparison) -> list[str]:
    ratio = "-" if run.speed_ratio is None else f"{run.speed_ratio:.1f}"
    model, rtl = f"{run.model_seconds:.4f}", f"{run.rtl_seconds:.4f}"
    return [
        f"{paper['ctf_s']:g}",
        model,
        f"{paper['rtl_s']:,}",
        rtl,
        f"{paper['speedup']:,}",
        ratio,
    ]


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _relative(path: Path) -> Path:
    """The path from here, as a person would type it, where that is shorter."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _require_right(result: Reproduction) -> None:
    runs = [run.workload for _, run in result.rtl if run.difference or not run.verified]
    rows = [row.measurement for _, row in result.partitions]
    wrong = [one.partition.name for one in rows if not one.verified]
    if runs or wrong:
        raise ProgramError(f"model, RTL and vectors do not agree in: {', '.join(wrong + runs)}")
