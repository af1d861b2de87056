"""A design mapped twice from one synthesis: to single gates, and to macro cells of WDDL."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import cache
from cocrypt.cache import digest, obtain
from cocrypt.errors import InputError
from cocrypt.gates.netlist import FLIP_FLOP, Netlist
from cocrypt.gates.synthesis import chosen_top, verilog_of
from cocrypt.hardware.yosys import DESIGN, OWN, files, synthesise, yosys

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.gates.library import Library
    from cocrypt.gates.pairs import Pairs

# Registers keep their names through both mappings, so that their inputs can be compared.
SCRIPT = """read_verilog -sv {design}
hierarchy -check {top}
proc
flatten
memory -nordff
synth
dfflegalize -cell $_DFF_P_ x
opt_expr
opt_merge
setundef -zero
opt_clean -purge
setattr -set keep 1 t:$_DFF_P_
design -save start
abc -liberty {own}/library.lib -constr {own}/constraints.txt
setundef -zero
opt_clean -purge
write_json single.json
design -load start
abc -genlib {own}/pairs.genlib
setundef -zero
opt_clean -purge
write_json pairs.json
design -reset
read_verilog {own}/flip_flop.v
proc
techmap
dfflibmap -liberty {own}/library.lib
opt_clean -purge
write_json flip_flop.json
"""
ONE_BIT = """module flip_flop(input C, D, output reg Q);
  always @(posedge C) Q <= D;
endmodule
"""


@dataclass(frozen=True)
class FlipFlop:
    """The library's cell for a flip-flop with a rising clock edge, and its pins."""

    kind: str
    clock: str
    data: str
    output: str


@dataclass(frozen=True)
class Mapped:
    """The design as single gates and as macro cells, with registers of Yosys's own kind."""

    single: Netlist
    pairs: Netlist
    flip_flop: FlipFlop
    yosys: str


def mapped(design: Path, top: str | None, library: Library, pairs: Pairs) -> Mapped:
    """Maps a design; kept by the content of all that the result is made from.

    Raises as `synthesis` does, and `InputError` for a library without a plain flip-flop.
    """
    verilog = verilog_of(design, top)
    command, name = yosys()
    script = SCRIPT.format(design=DESIGN, own=OWN, top=chosen_top(design, top))
    texts = {
        "library.lib": library.text,
        "constraints.txt": library.constraints(),
        "pairs.genlib": pairs.genlib(),
        "flip_flop.v": ONE_BIT,
    }
    contents = [path.read_bytes() for path in files(verilog)]

    def make(target: Path, scratch: Path) -> None:
        try:
            synthesise(command, verilog, script, scratch, texts)
        except InputError as error:
            if "cannot be legalized" not in str(error):
                raise
            raise InputError(str(error), _remedy(str(error))) from None
        made = {key: (scratch / f"{key}.json").read_text("utf-8") for key in KEYS}
        (scratch / "made.json").write_text(json.dumps(made), encoding="utf-8")
        shutil.copy(scratch / "made.json", target)

    key = digest([name, script, *texts.values(), *contents])
    kept = json.loads(obtain(cache.folder("gates") / f"{key}.json", make).read_text("utf-8"))
    single, double, flip_flop = (Netlist.parse(kept[key], pairs.outputs) for key in KEYS)
    single.require_known(pairs.outputs)
    double.require_known(pairs.outputs)
    return Mapped(single, double, _flip_flop(flip_flop, library), name)


def _remedy(message: str) -> str:
    """Advice where a register has a form that flip-flops with a clock alone do not have."""
    if "initialized" in message:
        return "give registers their values by a reset, not by `initial` or a declaration"
    return "use synchronous sets and resets, and no latches"


KEYS = ("single", "pairs", "flip_flop")


def with_registers(netlist: Netlist, flip_flop: FlipFlop) -> Netlist:
    """A netlist with the library's flip-flops in the place of Yosys's own."""
    made = Netlist(netlist.name, netlist.ports, [], netlist.names, netlist.nets)
    for cell in netlist.cells:
        if cell.kind != FLIP_FLOP:
            made.cells.append(cell)
            continue
        pins = {
            flip_flop.clock: cell.pins["C"],
            flip_flop.data: cell.pins["D"],
            flip_flop.output: cell.pins["Q"],
        }
        made.add(flip_flop.kind, pins, [flip_flop.output])
    return made


def _flip_flop(netlist: Netlist, library: Library) -> FlipFlop:
    bits = {port.name: port.bits[0] for port in netlist.ports}
    for cell in netlist.cells[:1] if len(netlist.cells) == 1 else ():
        pins = {bit: pin for pin, bit in cell.pins.items()}
        if pins.keys() == set(bits.values()) and len(cell.pins) == len(pins):
            return FlipFlop(cell.kind, pins[bits["C"]], pins[bits["D"]], pins[bits["Q"]])
    raise InputError(
        f"{library.path.name} has no flip-flop with one output and a rising clock edge",
        "give a library that has one; registers of WDDL are made of it",
    )
