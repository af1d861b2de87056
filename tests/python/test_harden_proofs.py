"""The proofs of `cocrypt harden` against netlists with one fault each."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import InputError
from cocrypt.gates import library as libraries
from cocrypt.gates import proof, wddl
from cocrypt.gates.hardening import hardened
from cocrypt.gates.netlist import Cell, Netlist
from cocrypt.gates.pairs import Pairs
from cocrypt.hardware.yosys import run_script

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.gates.hardening import Pair
    from cocrypt.gates.netlist import Bit
    from cocrypt.gates.wddl import Hardened

TWO = """module two(input clk, input a, b, output reg x, y);
  always @(posedge clk) begin x <= a & y; y <= b ^ x; end
endmodule
"""


@pytest.fixture
def gated(tmp_path: Path, need_tool: Callable[[str], str]) -> Pair:
    """A design with two gated registers, which is proven."""
    need_tool("yosys")
    (tmp_path / "two.v").write_text(TWO)
    made = hardened(tmp_path / "two.v", None, libraries.load("generic180"), wddl.GATED)
    assert made.proof.holds
    return made


def changed(
    made: Hardened, change: Callable[[Cell], Cell], further: tuple[Cell, ...] = ()
) -> Hardened:
    """The netlist with other cells."""
    cells = [*map(change, made.netlist.cells), *further]
    return replace(made, netlist=replace(made.netlist, cells=cells))


def proven(made: Pair, wrong: Hardened, folder: Path) -> proof.Proof:
    """The proof of a netlist in the place of the design's own."""
    return proof.prove(made.mapped.single, wrong, Pairs(made.library), folder)


def kept_nets(made: Hardened) -> list[tuple[Bit, Bit]]:
    """The true and false nets that the flip-flops of each register drive."""
    return [register.ranks[0][1] for register in made.registers]


def exchanged(made: Hardened, nets: dict[Bit, Bit]) -> Hardened:
    """The netlist whose `held` gates take other flip-flops' values."""
    held = {net for name, net in made.netlist.names.items() if ".held_" in name}

    def change(cell: Cell) -> Cell:
        if not any(cell.pins[pin] in held for pin in cell.outputs):
            return cell
        return replace(cell, pins={pin: nets.get(net, net) for pin, net in cell.pins.items()})

    return changed(made, change)


def test_registers_that_exchange_their_rails_do_not_keep_them(gated: Pair, tmp_path: Path) -> None:
    true, false = kept_nets(gated.hardened)[0]
    found = proven(gated, exchanged(gated.hardened, {true: false, false: true}), tmp_path)
    assert found.equal
    assert not found.precharged


def test_registers_that_exchange_their_values_do_not_keep_them(gated: Pair, tmp_path: Path) -> None:
    first, second = kept_nets(gated.hardened)
    nets = dict(zip((*first, *second), (*second, *first), strict=True))
    found = proven(gated, exchanged(gated.hardened, nets), tmp_path)
    assert found.equal
    assert not found.precharged


def test_a_start_that_needs_a_value_of_evaluate_is_none(gated: Pair, tmp_path: Path) -> None:
    made = gated.hardened
    run, hold = made.netlist.names["run"], made.netlist.names["hold"]
    # A true rail is then cleared only while `evaluate` is 1, though it is 0 as the start says.
    either = made.netlist.nets
    pins = {"A": run, "B": hold, "Y": either}
    further = Cell("mutant", "OR2X1", pins, frozenset("Y"))
    set_t = {register.ranks[0][0][0] for register in made.registers}

    def change(cell: Cell) -> Cell:
        if not any(cell.pins[pin] in set_t for pin in cell.outputs):
            return cell
        return replace(
            cell, pins={pin: either if net == run else net for pin, net in cell.pins.items()}
        )

    wrong = changed(made, change, (further,))
    assert wrong.netlist.cells[:-1] != made.netlist.cells
    found = proven(gated, wrong, tmp_path)
    assert found.equal
    assert found.precharged
    assert not found.initialised


def test_a_flip_flop_with_another_input_is_found(gated: Pair, tmp_path: Path) -> None:
    kind = gated.hardened.flip_flop
    true, false = gated.hardened.registers[0].ranks[0][0]

    def change(cell: Cell) -> Cell:
        if cell.kind != kind.kind or cell.pins[kind.data] != true:
            return cell
        return replace(cell, pins={**cell.pins, kind.data: false})

    found = proven(gated, changed(gated.hardened, change), tmp_path)
    assert (found.complete, found.equal) == (False, True)


def test_a_port_with_exchanged_rails_is_found(gated: Pair, tmp_path: Path) -> None:
    netlist = gated.hardened.netlist
    by_name = {port.name: port.bits for port in netlist.ports}
    other = {"x_t": "x_f", "x_f": "x_t"}
    ports = [replace(p, bits=by_name[other.get(p.name, p.name)]) for p in netlist.ports]
    wrong = replace(gated.hardened, netlist=replace(netlist, ports=ports))
    found = proven(gated, wrong, tmp_path)
    assert (found.complete, found.equal) == (False, True)


def test_what_abc_does_not_decide_is_no_fault_of_the_rails(
    gated: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecided(_: str, folder: Path, __: str, ___: float) -> None:
        (folder / "cec.log").write_text("Networks are UNDECIDED.  Time = 20.00 sec\n")

    monkeypatch.setattr("cocrypt.gates.proof.run_script", undecided)
    with pytest.raises(InputError, match="does not decide within its limits"):
        proven(gated, gated.hardened, tmp_path)


def test_abc_ends_at_the_limit(gated: Pair, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not decide in 0\.001 s") as caught:
        proof.prove(gated.mapped.single, gated.hardened, Pairs(gated.library), tmp_path, 0.001)
    assert "--proof-limit" in str(caught.value.help)


def test_processes_of_yosys_end_with_it(tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    number = tmp_path / "number"
    (tmp_path / "child").write_text(f"echo $$ > {number}\nexec sleep 600\n")
    with pytest.raises(subprocess.TimeoutExpired):
        run_script("exec -- sh child\n", tmp_path, "a child", 2.0)
    status = Path(f"/proc/{int(number.read_text())}/status")
    waiting = Event()
    for _ in range(100):
        if has_ended(status):
            return
        waiting.wait(0.1)
    pytest.fail("the child is still there after 10 s")


def has_ended(status: Path) -> bool:
    """Returns true for a process that is gone, or that waits for its new parent to collect it."""
    try:
        return "State:\tZ" in status.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_description_of_a_cell_and_a_scope_are_no_part_of_a_netlist() -> None:
    ports = '{"a": {"direction": "input", "bits": [2]}}'
    scope = '{"s": {"type": "$scopeinfo", "connections": {}}}'
    text = (
        '{"modules": {"CELL": {"attributes": {"blackbox": "1"}, "ports": {}, "cells": {}, '
        f'"netnames": {{}}}}, "top": {{"ports": {ports}, "cells": {scope}, "netnames": {{}}}}}}}}'
    )
    netlist = Netlist.parse(text, {})
    assert (netlist.name, netlist.cells) == ("top", [])
