"""Synthesises the library's coprocessors for FPGAs by Yosys, from their exports in Verilog.

    python benches/fpga.py [--only NAME] [--family NAME] [--write FILE]

A table of look-up tables, flip-flops, block RAMs and multipliers is printed as Markdown; --write
puts it between its marks of a page, row by row as they are made. LUTs count those that carry chains
of ECP5 take as well, two each. Yosys is the system's, or else that of PyPI, which takes longer.
Figures depend on Yosys alone, not on the machine.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

import driving

from cocrypt import _native, paths
from cocrypt.hardware.yosys import run_script, yosys

CELL = re.compile(r"^ +(\w+) +(\d+)$", re.MULTILINE)
"""A kind of cell, and how many there are."""


@dataclass(frozen=True)
class Family:
    """A family of FPGAs: Yosys' command, and patterns of the cells that count."""

    title: str
    command: str
    luts: str
    registers: str
    memories: str
    multipliers: str


FAMILIES = {
    "ice40": Family("iCE40", "synth_ice40 -dsp", "SB_LUT4", "SB_DFF.*", "SB_RAM40.*", "SB_MAC16"),
    "ecp5": Family("ECP5", "synth_ecp5", "LUT4", "TRELLIS_FF", "DP16KD", "MULT.*"),
    "xilinx": Family("7 series", "synth_xilinx -flatten", "LUT[1-6]", "FD.E", "RAMB.*", "DSP48E1"),
}
DOUBLE = "CCU2C"
"""A cell of ECP5 with two LUTs and their carry."""


@dataclass(frozen=True)
class Figures:
    """What a design takes."""

    luts: int
    registers: int
    memories: int
    multipliers: int

    def __str__(self) -> str:
        return f"{self.luts:,} | {self.registers:,} | {self.memories} | {self.multipliers}"


def main() -> None:
    """Synthesise all designs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", help="designs whose names contain this")
    parser.add_argument("--family", choices=FAMILIES, help="one family of FPGAs alone")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    chosen = parser.parse_args()
    families = [chosen.family] if chosen.family else list(FAMILIES)
    folders = [each for each in driving.coprocessors() if (chosen.only or "") in each.name]
    rows: dict[str, list[Figures]] = {}
    for folder in folders:
        rows[folder.name] = [synthesised(folder, name) for name in families]
        if chosen.write:
            table = lines(rows, families, len(folders))
            paths.write_between(chosen.write, "synthesis of designs", "\n".join(table))
    print("\n".join(lines(rows, families, len(folders))))


def synthesised(folder: Path, name: str) -> Figures:
    """A coprocessor's cells in a family."""
    print(f"{folder.name} for {name}", file=sys.stderr)
    family = FAMILIES[name]
    registers = tomllib.loads((folder / "registers.toml").read_text(encoding="utf-8"))
    design, top = (registers["coprocessor"][key] for key in ("design", "top"))
    with tempfile.TemporaryDirectory() as scratch:
        verilog = Path(scratch) / "design.v"
        verilog.write_text(_native.fdl_verilog(folder / design, top), encoding="utf-8")
        script = f"read_verilog design.v\n{family.command} -top {top}\ntee -o cells.txt stat\n"
        run_script(script, Path(scratch), folder.name)
        text = (Path(scratch) / "cells.txt").read_text(encoding="utf-8")
    cells = {kind: int(count) for kind, count in CELL.findall(text)}

    def sum_of(pattern: str) -> int:
        return sum(count for kind, count in cells.items() if re.fullmatch(pattern, kind))

    luts = sum_of(family.luts) + 2 * cells.get(DOUBLE, 0)
    return Figures(luts, *map(sum_of, (family.registers, family.memories, family.multipliers)))


def lines(rows: dict[str, list[Figures]], families: list[str], designs: int) -> list[str]:
    """The table as Markdown; it says so while it has not all designs."""
    done = "" if len(rows) == designs else f" The first {len(rows)} of {designs} designs."
    columns = [f"{FAMILIES[name].title}: LUT | flip-flops | RAM | multipliers" for name in families]
    commands = ", ".join(f"`{FAMILIES[name].command}`" for name in families)
    return [
        f"{yosys()[1]}: {commands}.{done}",
        "",
        f"| design | {' | '.join(columns)} |",
        "|---|" + "--:|" * (4 * len(families)),
        *(f"| `{name}` | {' | '.join(map(str, row))} |" for name, row in rows.items()),
    ]


if __name__ == "__main__":
    main()
