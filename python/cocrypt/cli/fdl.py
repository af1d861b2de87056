"""`cocrypt fdl`: checks designs, and writes them as Verilog and VHDL."""

from __future__ import annotations

import sys
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cocrypt import _native, log, paths
from cocrypt.cli import fdl_diagram, fdl_sim, fdl_test, output
from cocrypt.cli.fdl_sim import GezelOption
from cocrypt.cli.output import JsonOption
from cocrypt.cli.verbs import Group
from cocrypt.coprocessor import Coprocessor
from cocrypt.errors import InputError, ProgramError
from cocrypt.fuzz.fdl.campaign import campaign
from cocrypt.hardware.bench import verilog_bench, vhdl_bench
from cocrypt.hardware.package import write_package
from cocrypt.hardware.recording import Recording, record
from cocrypt.hardware.registers import Form, written
from cocrypt.hardware.tops import without_outputs
from cocrypt.hardware.wrappers import Bus, wrapper
from cocrypt.rtl.blocks import blocks, copy_modules

app = typer.Typer(
    cls=Group, help="Designs in FDL: check them, run them, write them as Verilog or VHDL."
)
app.command("sim")(fdl_sim.command)
app.command("diagram")(fdl_diagram.command)
app.command("test")(fdl_test.command)

DesignArgument = Annotated[Path, typer.Argument(metavar="FILE", help="An FDL file.")]


@app.command("check")
def check(design: DesignArgument, gezel: GezelOption = False, as_json: JsonOption = False) -> None:
    """Check a design; print what is doubtful, and fail on what is wrong."""
    warnings = _native.fdl_check(design, gezel)
    if as_json:
        output.print_json({"file": str(design), "diagnostics": warnings})
        return
    for warning in warnings:
        location = (
            f"{warning['file']}:{warning['line']}:{warning['column']}: " if warning["line"] else ""
        )
        advice = f"\n  help: {warning['help']}" if warning["help"] else ""
        log.warn(f"{location}{warning['severity']}: {warning['message']}{advice}")
    print(f"{design}: no errors, {len(warnings)} warning{'' if len(warnings) == 1 else 's'}")


TopOption = Annotated[
    str | None,
    typer.Option("--top", metavar="NAME", help="The datapath; else the one nobody uses."),
]
TargetOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes.")
]
BenchOption = Annotated[
    bool, typer.Option("--testbench", help="Write a self-checking test bench instead.")
]
CyclesOption = Annotated[int, typer.Option("--cycles", min=1, help="Cycles that are recorded.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Picks the random inputs.")]
StimuliOption = Annotated[
    Path | None,
    typer.Option("--stimuli", metavar="FILE", help="Inputs as JSON, a row a cycle; else random."),
]


class Standard(StrEnum):
    """A standard of VHDL, by its year."""

    VHDL93 = "93"
    VHDL2008 = "2008"


@app.command("verilog")
def verilog(
    design: DesignArgument,
    top: TopOption = None,
    target: TargetOption = None,
    testbench: BenchOption = False,
    cycles: CyclesOption = 200,
    seed: SeedOption = 1,
    stimuli: StimuliOption = None,
) -> None:
    """Write a design as Verilog-2001, on stdout or into a file."""
    if testbench:
        text = verilog_bench(_record(design, top, cycles, seed, stimuli))
    else:
        _advise(design, top)
        text = _native.fdl_verilog(design, top, blocks=True)
        _copy_modules(design, top, target)
    _write(text, target)


@app.command("vhdl")
def vhdl(
    design: DesignArgument,
    top: TopOption = None,
    standard: Annotated[
        Standard, typer.Option("--std", help="The standard that is kept to.")
    ] = Standard.VHDL93,
    target: TargetOption = None,
    testbench: BenchOption = False,
    cycles: CyclesOption = 200,
    seed: SeedOption = 1,
    stimuli: StimuliOption = None,
) -> None:
    """Write a design as VHDL, on stdout or into a file."""
    if testbench:
        text = vhdl_bench(_record(design, top, cycles, seed, stimuli))
    else:
        _advise(design, top)
        text = _native.fdl_vhdl(design, top, int(standard))
    _write(text, target)


@app.command("export")
def export(
    design: DesignArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the package goes.")],
    top: TopOption = None,
    cycles: CyclesOption = 200,
    seed: SeedOption = 1,
    stimuli: StimuliOption = None,
) -> None:
    """Write Verilog, VHDL, test benches and a FuseSoC core file into a folder."""
    recording = _record(design, top, cycles, seed, stimuli)
    for path in write_package(design, top, recording, folder):
        print(path)


def _record(
    design: Path, top: str | None, cycles: int, seed: int, stimuli: Path | None
) -> Recording:
    """A recorded run of a design whose outputs a test bench can check."""
    wrong = without_outputs(design, top)
    if wrong is not None:
        raise wrong
    return record(design, top, cycles, seed, stimuli)


def _advise(design: Path, top: str | None) -> None:
    """Warn where a default top has no outputs, and name those that have."""
    odd = without_outputs(design, None) if top is None else None
    if odd is not None:
        log.warn(f"{design}: warning: {odd}\n  help: {odd.help}")


def _copy_modules(design: Path, top: str | None, target: Path | None) -> None:
    """Copy the modules of a design's blocks beside its export, or say where they are."""
    modules = [block.source for block in blocks(design, top) if block.is_verilog]
    if target is None:
        for path in dict.fromkeys(modules):
            log.say(f"the module `{path.stem}` is in {path}")
        return
    for path in copy_modules(design, top, target.parent):
        log.say(f"wrote {path}")


def _write(text: str, target: Path | None) -> None:
    if target is None:
        sys.stdout.write(text)
        return
    paths.write_text(target, text)


@app.command("fuzz")
def fuzz(
    designs: Annotated[int, typer.Option("--designs", min=1, help="How many designs.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 1,
    cycles: Annotated[
        int,
        typer.Option(
            "--cycles", min=1, help="Cycles of a design; an eighth of them where it computes much."
        ),
    ] = 24,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Where the files stay.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare random designs with their exports under Icarus, Verilator and GHDL."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if keep is None else keep
        result = campaign(designs, seed, cycles, folder, log.say)
    if as_json:
        output.print_json({"designs": designs, "seed": seed, "cycles": cycles, "differ": result})
    else:
        for simulator, names in result.items():
            print(f"{simulator}: {designs - len(names)} of {designs} designs agree")
    wrong = [f"{simulator}: {', '.join(names)}" for simulator, names in result.items() if names]
    if wrong:
        raise ProgramError("designs differ from their export:\n  " + "\n  ".join(wrong))


@app.command("wrap")
def wrap(
    design: DesignArgument,
    register_map: Annotated[
        Path, typer.Option("--map", metavar="FILE", help="The register map, a TOML file.")
    ],
    bus: Annotated[Bus, typer.Option("--bus", help="The bus that it is for.")],
    target: TargetOption = None,
) -> None:
    """Write a bus wrapper for a design with a register map, in Verilog-2001."""
    coprocessor = Coprocessor.load(register_map)
    if coprocessor.port == "link":
        raise InputError(
            f"`{coprocessor.name}` has the stream face, and bus wrappers are for registers",
            "connect its ports to an AXI4-Stream or FSL link: they have the same handshake",
        )
    top = coprocessor.top
    _write(wrapper(design, top, bus), target)


@app.command("registers")
def registers(
    register_map: Annotated[
        Path, typer.Argument(metavar="MAP", help="A register map, a TOML file.")
    ],
    form: Annotated[
        Form, typer.Option("--as", help="SystemRDL, a C header, or a driver's skeleton in C.")
    ] = Form.RDL,
    target: TargetOption = None,
) -> None:
    """Write a design's register map as SystemRDL, as a C header, or as a driver in C."""
    _write(written(_native.load_coprocessor(register_map), form), target)
