"""Areas of coprocessors: gate equivalents for a chip, look-up tables and flip-flops for an FPGA.

Yosys maps the design to generic gates and counts the transistors of these in static CMOS (its own
table, `stat -tech cmos`); four of them, a NAND of two inputs, are a gate equivalent. That is an
estimate: a cell library has other ratios between its gates, and it includes no wires, no clock tree
and no test logic. It compares designs that the same version of Yosys has counted;
versions differ by some percent, and cell libraries by more.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import cache
from cocrypt.cache import digest, obtain
from cocrypt.errors import InputError
from cocrypt.hardware.yosys import DESIGN, files, module_name, synthesise, yosys
from cocrypt.rtl.coprocessor import coprocessor_verilog
from cocrypt.rtl.systems import extension_verilog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.device import Device

TRANSISTORS = 4
"""Transistors of a gate equivalent: a NAND of two inputs in static CMOS."""
SCRIPT = """read_verilog -sv {design}
synth -flatten -top {top}
dfflegalize -cell $_DFF_P_ x
opt_clean
tee -q -o gates.json stat -tech cmos -json
tee -q -o path.txt ltp -noff
design -reset
read_verilog -sv {design}
synth_xilinx -flatten -family xc7 -noiopad -nodsp -top {top}
tee -q -o fpga.json stat -json
"""


FPGA_SCRIPT = """read_verilog -sv {design}
synth_xilinx -flatten -family {family} -noiopad -nodsp -top {top}
tee -q -o fpga.json stat -json
"""
PER_SLICE = {"xc5v": (4, 4), "xc6s": (4, 8), "xc6v": (4, 8), "xc7": (4, 8)}
"""Look-up tables and flip-flops of a slice, by Yosys's name of the family.

Xilinx's user guides of configurable logic blocks: UG190, UG384, UG364, UG474.
"""


@dataclass(frozen=True)
class Fpga:
    """The area of a design in an FPGA of a Xilinx family.

    `slices` is a lower bound that takes every slice as full; placement leaves gaps.
    """

    family: str
    luts: int
    flip_flops: int
    slices: int
    yosys: str


@dataclass(frozen=True)
class Area:
    """A design's area; `luts` and `flip_flops` are those of a Xilinx device of the 7 series.

    They are None for a netlist of a chip's cells. `levels` is the number of generic gates on its
    longest path.
    """

    gate_equivalents: float
    luts: int | None
    flip_flops: int | None
    levels: int
    yosys: str


def areas_of(device: Device, source: Path | str) -> Area | None:
    """The area of a coprocessor, by its register map, or of the unit that executes an extension.

    None if the device's core executes it itself, so that its area is not known. Raises
    `HostError` if Yosys is missing, `InputError` if it refuses the design.
    """
    if isinstance(source, Path):
        return area(*coprocessor_verilog(source))
    unit = extension_verilog(device.core.name)
    return area(*unit) if unit else None


def area(verilog: Path, top: str) -> Area:
    """The area of a design, cached by its content and the version of Yosys.

    Raises `HostError` if Yosys is missing, `InputError` if it refuses the design or `top` is no
    identifier.
    """
    module_name(top)
    command, name = yosys()
    key = digest([name, SCRIPT, top, *(path.read_bytes() for path in files(verilog))])
    cached = obtain(
        cache.folder("area") / f"{top}-{key}.json",
        lambda target, scratch: _count(command, name, (verilog, top), target, scratch),
    )
    return Area(**json.loads(cached.read_text(encoding="utf-8")))


def fpga_of(registers: Path, family: str) -> Fpga:
    """The area of a coprocessor, by its register map, in an FPGA; cached as areas are.

    Raises `HostError` if Yosys is missing, `InputError` if it refuses the design or no
    family has that name.
    """
    if family not in PER_SLICE:
        raise InputError(
            f"the slices of `{family}` are not known", f"known: {', '.join(PER_SLICE)}"
        )
    verilog, top = coprocessor_verilog(registers)
    command, name = yosys()
    script = FPGA_SCRIPT.format(design=DESIGN, top=module_name(top), family=family)
    key = digest([name, script, *(path.read_bytes() for path in files(verilog))])

    def make(target: Path, scratch: Path) -> None:
        synthesise(command, verilog, script, scratch)
        shutil.copy(scratch / "fpga.json", target)

    cached = obtain(cache.folder("area") / f"{top}-{family}-{key}.json", make)
    luts, flip_flops = _luts_and_flip_flops(cached)
    counts = zip((luts, flip_flops), PER_SLICE[family], strict=True)
    slices = max(math.ceil(count / capacity) for count, capacity in counts)
    return Fpga(family, luts, flip_flops, slices, name)


def _count(
    command: Sequence[str], name: str, design: tuple[Path, str], target: Path, scratch: Path
) -> None:
    """Synthesises a design twice, for a chip and for an FPGA, and writes its area."""
    verilog, top = design
    synthesise(command, verilog, SCRIPT.format(design=DESIGN, top=top), scratch)
    luts, flip_flops = _luts_and_flip_flops(scratch / "fpga.json")
    counted = Area(
        gate_equivalents=_transistors(scratch / "gates.json") / TRANSISTORS,
        luts=luts,
        flip_flops=flip_flops,
        levels=_levels(scratch / "path.txt"),
        yosys=name,
    )
    _require_counted(_cells(scratch / "gates.json"), verilog)
    target.write_text(json.dumps(asdict(counted)), encoding="utf-8")


def _luts_and_flip_flops(path: Path) -> tuple[int, int]:
    """The look-up tables and flip-flops of a Xilinx device in a statistic."""
    cells = _cells(path)
    luts = sum(count for cell, count in cells.items() if cell.startswith("LUT"))
    return luts, sum(count for cell, count in cells.items() if cell.startswith("FD"))


def _require_counted(gates: dict[str, int], verilog: Path) -> None:
    """Raises `InputError` unless Yosys knows the transistors of every cell."""
    unknown = [cell for cell in gates if not cell.startswith("$_") and cell != "$scopeinfo"]
    if unknown:
        raise InputError(
            f"{verilog.name} has cells without an area: {', '.join(sorted(unknown))}",
            "describe them in Verilog that can be synthesised",
        )


def _transistors(path: Path) -> int:
    """The transistors. A plus sign marks cells that were not counted: those hold names only."""
    return int(str(_design(path)["estimated_num_transistors"]).rstrip("+"))


def _levels(path: Path) -> int:
    """The length of the longest path in Yosys's report; 0 without gates between registers."""
    match = re.search(r"length=(\d+)", path.read_text(encoding="utf-8"))
    return int(match[1]) if match else 0


def _cells(path: Path) -> dict[str, int]:
    return {cell: int(count) for cell, count in _design(path)["num_cells_by_type"].items()}


def _design(path: Path) -> dict[str, Any]:
    """The part of a statistic on the whole design."""
    text = path.read_text(encoding="utf-8")
    # Yosys 0.23 omits the comma before it.
    statistic = json.loads(re.sub(r"\}(\s*\"design\":)", r"},\1", text))
    design: dict[str, Any] = statistic["design"]
    return design
