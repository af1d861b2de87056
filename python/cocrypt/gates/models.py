"""Verilog for simulators: the behaviour of a library's cells that a hardened netlist uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.gates.pairs import is_positive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.gates.mapped import FlipFlop
    from cocrypt.gates.netlist import Netlist
    from cocrypt.gates.pairs import Gate, Pairs


def models(netlist: Netlist, pairs: Pairs, flip_flop: FlipFlop) -> str:
    """A module for each kind of cell in the netlist; flip-flops start with an unknown value."""
    kinds = sorted({cell.kind for cell in netlist.cells})
    return "\n".join(
        _flip_flop(flip_flop)
        if kind == flip_flop.kind
        else _gate(pairs.by_kind[kind], pairs.tables[kind])
        for kind in kinds
    )


def _flip_flop(cell: FlipFlop) -> str:
    return (
        f"module {cell.kind}(input {cell.clock}, {cell.data}, output reg {cell.output});\n"
        f"  always @(posedge {cell.clock}) {cell.output} <= {cell.data};\nendmodule\n"
    )


def _gate(gate: Gate, table: int) -> str:
    inputs = ", ".join(gate.inputs)
    return (
        f"module {gate.kind}(input {inputs}, output {gate.output});\n"
        f"  assign {gate.output} = {_expression(gate, table)};\nendmodule\n"
    )


def _expression(gate: Gate, table: int) -> str:
    """The function, without terms that an unknown input would make unknown needlessly."""
    inputs = len(gate.inputs)
    complement = ~table & (1 << (1 << inputs)) - 1
    if is_positive(table, inputs):
        return " | ".join(_least(gate, table))
    if is_positive(complement, inputs):
        return f"~({' | '.join(_least(gate, complement))})"
    rows = (row for row in range(1 << inputs) if table >> row & 1)
    return " | ".join(f"({_term(gate, row)})" for row in rows) or "1'b0"


def _least(gate: Gate, table: int) -> Iterator[str]:
    """The terms of a positive function: the smallest sets of inputs that make it 1."""
    true = [row for row in range(1 << len(gate.inputs)) if table >> row & 1]
    for row in true:
        if not any(other != row and other & row == other for other in true):
            yield f"({' & '.join(pin for k, pin in enumerate(gate.inputs) if row >> k & 1)})"


def _term(gate: Gate, row: int) -> str:
    return " & ".join(
        f"{'' if row >> index & 1 else '~'}{pin}" for index, pin in enumerate(gate.inputs)
    )
