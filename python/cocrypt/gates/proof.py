"""Proofs about netlists of two rails: equal functions, precharge, and valid codes from the start.

Rails are positive functions of rails and registers. So the values for any state lie between those
for a state of zeros and one of ones, and two evaluations cover all states.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.gates.netlist import FLIP_FLOP
from cocrypt.gates.pairs import FALSE, TRUE, is_positive
from cocrypt.gates.wddl import EVALUATE, INITIALISE, MASTER_SLAVE, SUFFIXES
from cocrypt.hardware.yosys import run_script

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cocrypt.gates.netlist import Bit, Cell, Netlist
    from cocrypt.gates.pairs import Pairs
    from cocrypt.gates.wddl import Hardened

HIGH, BOTH = 0b10, 0b11
"""The bits of a value for a state of zeros, and for one of ones."""
EMPTY = "module empty(input a, b, output y); assign y = a & b; endmodule\n"
SCRIPT = "read_verilog empty.v\nsynth\ntee -o cec.log abc -script cec.abc\n"
# ABC's own limits of time and conflicts do not end a comparison of multipliers; that of Yosys does.
COMPARE = "cec single.blif double.blif\n"
USUAL_LIMIT = 1800.0
"""Seconds that the comparison by ABC may take, unless another limit is given."""
PARTS = "harden parts of the design, such as a smaller multiplier, each by --top"


@dataclass(frozen=True)
class Proof:
    """The proofs of a hardened netlist."""

    complete: bool
    """The ports and flip-flops of the netlist are those that the other proofs are about."""
    equal: bool
    """Each rail of each output and register's input is the function of the single rail, by ABC."""
    outputs: int
    """The functions compared."""
    positive: bool
    """All rails are positive functions of rails and registers, which the others build on."""
    precharged: bool
    """All rails are 0 in a precharge cycle, whatever the state that it hides."""
    initialised: bool
    """Two cycles with `init` leave valid codes in all registers, from every state."""

    @property
    def holds(self) -> bool:
        """Returns true if all of it was proven."""
        return (
            self.complete and self.equal and self.positive and self.precharged and self.initialised
        )


def prove(
    single: Netlist, hardened: Hardened, pairs: Pairs, folder: Path, limit: float = USUAL_LIMIT
) -> Proof:
    """Proves a hardened netlist against the single rail, with files in a scratch folder.

    Raises `InputError` for logic with a loop, and if ABC does not decide within `limit` seconds.
    """
    equal, outputs = equivalence(single, hardened, pairs, folder, limit)
    logic = Evaluator(hardened, pairs)
    return Proof(
        _complete(single, hardened),
        equal,
        outputs,
        _positive(hardened, logic),
        _precharged(hardened, logic),
        _initialised(hardened, logic),
    )


class Evaluator:
    """Evaluates the cells of a hardened netlist for several values at once, a bit each."""

    def __init__(self, hardened: Hardened, pairs: Pairs) -> None:
        """Orders the gates by their inputs."""
        self.gates = list(_gates(hardened.netlist.cells, pairs))

    def values(self, given: Mapping[Bit, int], full: int = BOTH) -> dict[Bit, int]:
        """The values of all nets for those of inputs and registers; others are 0.

        `full` has a bit for each value.
        """
        found: dict[Bit, int] = {"0": 0, "1": full, **given}
        for inputs, table, output in self.gates:
            words = [found.get(net, 0) for net in inputs]
            found[output] = _apply(table, words, full)
        return found


def _gates(cells: Sequence[Cell], pairs: Pairs) -> Iterator[tuple[list[Bit], int, Bit]]:
    """Inputs, table and output of the gates, each behind those that drive it.

    Raises `InputError` for a loop.
    """
    gates = [cell for cell in cells if cell.kind in pairs.by_kind]
    drivers = {cell.pins[cell.output]: cell for cell in gates}
    done: set[str] = set()
    entered: set[str] = set()
    for first in gates:
        stack = [first]
        while stack:
            cell = stack[-1]
            gate = pairs.by_kind[cell.kind]
            before = (drivers.get(cell.pins[pin]) for pin in gate.inputs)
            left = [driver for driver in before if driver and driver.name not in done]
            if left and cell.name in entered:
                raise InputError(
                    "the logic of the design has a loop without a register",
                    "break the loop by a register, or describe a latch as a register",
                )
            if left:
                entered.add(cell.name)
                stack += left
                continue
            stack.pop()
            if cell.name not in done:
                done.add(cell.name)
                inputs = [cell.pins[pin] for pin in gate.inputs]
                yield inputs, pairs.tables[cell.kind], cell.pins[gate.output]


def _apply(table: int, words: Sequence[int], full: int) -> int:
    found = 0
    for row in range(1 << len(words)):
        if table >> row & 1:
            term = full
            for index, word in enumerate(words):
                term &= word if row >> index & 1 else ~word & full
            found |= term
    return found


def _state(hardened: Hardened, word: int) -> dict[Bit, int]:
    ranks = (output for register in hardened.registers for _, output in register.ranks)
    return {net: word for output in ranks for net in output}


def _positive(hardened: Hardened, logic: Evaluator) -> bool:
    """Follows the sign of each net: a gate's inputs have one sign, which negative gates change.

    Controls are constants in each proof, so that they have no sign.
    """
    signs: dict[Bit, int | None] = dict.fromkeys(hardened.controls.values())
    signs |= {"0": None, "1": None}
    for inputs, table, output in logic.gates:
        found = {sign for net in inputs if (sign := signs.get(net, 1)) is not None}
        complement = ~table & (1 << (1 << len(inputs))) - 1
        changes = is_positive(complement, len(inputs))
        if len(found) > 1 or (found and not changes and not is_positive(table, len(inputs))):
            return False
        signs[output] = (-next(iter(found)) if changes else next(iter(found))) if found else None
    stored = (net for register in hardened.registers for data, _ in register.ranks for net in data)
    return all(signs.get(net, 1) != -1 for net in (*hardened.rails, *stored))


def _precharged(hardened: Hardened, logic: Evaluator) -> bool:
    """Without data, a clock after valid data; gated registers may have any state."""
    if hardened.style == MASTER_SLAVE:
        first = (register.ranks[0][1] for register in hardened.registers)
        given = {net: HIGH for output in first for net in output}
    else:
        given = _state(hardened, HIGH)
    values = logic.values(given)
    is_hidden = not any(values.get(rail, 0) for rail in hardened.rails)
    return is_hidden and (hardened.style == MASTER_SLAVE or _kept(hardened, logic))


def _kept(hardened: Hardened, logic: Evaluator) -> bool:
    """Each flip-flop of gated registers keeps its own value, whatever the others have.

    A positive function of the state is one of its nets if it is 1 where that net alone is 1, and 0
    where that net alone is 0. So each net has two values, at bits of their own.
    """
    ranks = [rank for register in hardened.registers for rank in register.ranks]
    nets = [net for _, output in ranks for net in output]
    count = len(nets)
    zeros = (1 << count) - 1 << count
    given = {net: 1 << n | zeros & ~(1 << count + n) for n, net in enumerate(nets)}
    values = logic.values(given, (1 << 2 * count) - 1)
    stored = [net for data, _ in ranks for net in data]
    return all(values.get(data, 0) == given[net] for data, net in zip(stored, nets, strict=True))


def _initialised(hardened: Hardened, logic: Evaluator) -> bool:
    """Two cycles from the states and inputs of zeros and of ones end in the same valid state."""
    inputs = {
        net: HIGH
        for bits, is_output in hardened.ports.values()
        if not is_output
        for pair in bits
        for net in pair
    }
    # `evaluate` is inverted, so that no function is positive in it: each of its values is tried.
    return all(
        _started(hardened, logic, inputs, cycles) == _start(hardened)
        for cycles in product((0, BOTH), repeat=2 if EVALUATE in hardened.controls else 0)
    )


def _started(
    hardened: Hardened, logic: Evaluator, inputs: Mapping[Bit, int], evaluate: Sequence[int]
) -> dict[Bit, int]:
    """The state behind two cycles with `init`, and with these values of `evaluate`."""
    state = _state(hardened, HIGH)
    for value in evaluate or (0, 0):
        given = {INITIALISE: BOTH, EVALUATE: value}
        controls = {net: given[name] for name, net in hardened.controls.items()}
        values = logic.values({**inputs, **state, **controls})
        state = {
            behind: values.get(before, 0)
            for register in hardened.registers
            for data, output in register.ranks
            for before, behind in zip(data, output, strict=True)
        }
    return state


def _start(hardened: Hardened) -> dict[Bit, int]:
    """The state that `init` must lead to: the code of 0 in each last rank, else zeros."""
    expected: dict[Bit, int] = {}
    for register in hardened.registers:
        *first, last = (output for _, output in register.ranks)
        expected |= {net: 0 for output in first for net in output}
        expected |= {last[TRUE]: 0, last[FALSE]: BOTH}
    return expected


def _complete(single: Netlist, hardened: Hardened) -> bool:
    """Compares ports and flip-flops of the netlist with those that the proofs cut it at."""
    clocks = {cell.pins["C"] for cell in single.cells if cell.kind == FLIP_FLOP}
    ports = [port for port in single.ports if not clocks.intersection(port.bits)]
    expected: list[tuple[str, bool, tuple[Bit, ...]]] = [
        (f"{name}{suffix}", is_output, tuple(pair[rail] for pair in bits))
        for name, (bits, is_output) in hardened.ports.items()
        for rail, suffix in enumerate(SUFFIXES)
    ]
    if hardened.clock is not None:
        named = [port.name for port in single.ports if clocks.intersection(port.bits)]
        expected += [(name, False, (hardened.clock,)) for name in named]
    expected += [(name, False, (net,)) for name, net in hardened.controls.items()]
    found = [(port.name, port.is_output, port.bits) for port in hardened.netlist.ports]
    is_same = [(p.name, p.is_output, len(p.bits)) for p in ports] == [
        (name, is_output, len(bits)) for name, (bits, is_output) in hardened.ports.items()
    ]
    return is_same and _sorted(found) == _sorted(expected) and _stores(hardened)


def _stores(hardened: Hardened) -> bool:
    """Returns true if the flip-flops of the netlist are those of the registers, on one clock."""
    kind = hardened.flip_flop
    found = [
        tuple(cell.pins[pin] for pin in (kind.clock, kind.data, kind.output))
        for cell in hardened.netlist.cells
        if cell.kind == kind.kind
    ]
    expected = [
        (hardened.clock, before, behind)
        for register in hardened.registers
        for data, output in register.ranks
        for before, behind in zip(data, output, strict=True)
    ]
    return _sorted(found) == _sorted(expected)


def _sorted(rows: Sequence[object]) -> list[str]:
    return sorted(map(repr, rows))


def equivalence(
    single: Netlist, hardened: Hardened, pairs: Pairs, folder: Path, limit: float
) -> tuple[bool, int]:
    """Compares both rails with the single rail by ABC; the number of compared functions.

    Raises `InputError` if ABC does not decide within its own limits, or within `limit` seconds.

    Registers are cut: their outputs are inputs with valid codes, and their inputs are outputs.
    """
    models = (_single(single, pairs), _double(single, hardened, pairs))
    for name, (text, _) in zip(("single", "double"), models, strict=True):
        (folder / f"{name}.blif").write_text(text, encoding="utf-8")
    (folder / "empty.v").write_text(EMPTY, encoding="utf-8")
    (folder / "cec.abc").write_text(COMPARE, encoding="utf-8")
    if models[0][1] != models[1][1]:
        return False, 0
    try:
        run_script(SCRIPT, folder, "the comparison of the rails", limit)
    except subprocess.TimeoutExpired:
        raise InputError(
            f"ABC does not decide in {limit:,g} s if both rails of {single.name} are equal",
            f"allow more seconds by --proof-limit, or {PARTS}",
        ) from None
    output = (folder / "cec.log").read_text(encoding="utf-8")
    is_equal = "Networks are equivalent" in output
    if not is_equal and "NOT EQUIVALENT" not in output:
        raise InputError(
            f"ABC does not decide within its limits if both rails of {single.name} are equal",
            PARTS,
        )
    return is_equal, models[0][1]


def _cut(netlist: Netlist) -> tuple[list[Bit], list[Bit], list[Cell]]:
    """Inputs and outputs of the logic in an order that both netlists share."""
    registers = sorted(
        (cell for cell in netlist.cells if cell.kind == FLIP_FLOP), key=lambda cell: cell.name
    )
    clocks = {cell.pins["C"] for cell in registers}
    inputs = [bit for p in netlist.ports if not p.is_output for bit in p.bits if bit not in clocks]
    outputs = [bit for port in netlist.ports if port.is_output for bit in port.bits]
    return inputs, outputs, registers


def _single(netlist: Netlist, pairs: Pairs) -> tuple[str, int]:
    inputs, outputs, registers = _cut(netlist)
    inputs += [cell.pins["Q"] for cell in registers]
    outputs += [cell.pins["D"] for cell in registers]
    lines = [_names([], net, value) for net, value in (("0", 0), ("1", 1))]
    lines += [_alias(f"i{index}", bit) for index, bit in enumerate(inputs)]
    lines += [_names(ins, out, table) for ins, table, out in _gates(netlist.cells, pairs)]
    for index, bit in enumerate(outputs):
        lines += [_alias(bit, f"o{index}_t"), _alias(bit, f"o{index}_f")]
    for index, _ in enumerate(registers):
        lines += [_alias(f"m{index}", f"s{index}_t"), _alias(f"m{index}", f"s{index}_f")]
    return _model(len(inputs), len(registers), len(outputs), lines), len(outputs)


def _double(single: Netlist, hardened: Hardened, pairs: Pairs) -> tuple[str, int]:
    ports = [bits for bits, is_output in hardened.ports.values() if not is_output]
    inputs = [pair for bits in ports for pair in bits]
    outputs = [p for bits, is_output in hardened.ports.values() if is_output for p in bits]
    by_cell = {register.cell: register for register in hardened.registers}
    names = [cell.name for cell in _cut(single)[2]]
    registers = [by_cell[name] for name in names if name in by_cell]
    # With evaluation, the outputs of gated registers are gates of the netlist.
    inputs += [register.ranks[-1][1] for register in registers]
    outputs += [register.ranks[0][0] for register in registers]
    lines = [_names([], net, value) for net, value in (("0", 0), ("1", 1))]
    controls = {INITIALISE: 0, EVALUATE: 1}
    lines += [_names([], net, controls[name]) for name, net in hardened.controls.items()]
    for index, pair in enumerate(inputs):
        lines += [_alias(f"i{index}", pair[TRUE]), _alias(f"i{index}", pair[FALSE], inverts=True)]
    for index, register in enumerate(registers):
        if len(register.ranks) > 1:
            first = register.ranks[0][1]
            lines += [_alias(f"m{index}", first[TRUE]), _alias(f"m{index}", first[FALSE], True)]
    lines += [_names(ins, out, t) for ins, t, out in _gates(hardened.netlist.cells, pairs)]
    for index, pair in enumerate(outputs):
        lines += [_alias(pair[TRUE], f"o{index}_t"), _alias(pair[FALSE], f"o{index}_f", True)]
    for index, register in enumerate(registers):
        to = register.ranks[1][0] if len(register.ranks) > 1 else (f"m{index}", f"m{index}")
        is_coded = len(register.ranks) > 1
        lines += [_alias(to[TRUE], f"s{index}_t"), _alias(to[FALSE], f"s{index}_f", is_coded)]
    return _model(len(inputs), len(registers), len(outputs), lines), len(outputs)


def _model(inputs: int, registers: int, outputs: int, lines: list[str]) -> str:
    ins = [f"i{index}" for index in range(inputs)] + [f"m{index}" for index in range(registers)]
    outs = [
        f"{letter}{index}_{rail}"
        for letter, count in (("o", outputs), ("s", registers))
        for index in range(count)
        for rail in "tf"
    ]
    head = [".model logic", f".inputs {' '.join(ins)}", f".outputs {' '.join(outs)}"]
    return "\n".join([*head, *lines, ".end", ""])


def _net(bit: Bit) -> str:
    return bit if isinstance(bit, str) and bit[0] in "imos" else f"n{bit}"


def _alias(source: Bit, target: Bit, inverts: bool = False) -> str:
    return _names([source], target, 0b01 if inverts else 0b10)


def _names(inputs: Sequence[Bit], output: Bit, table: int) -> str:
    rows = [
        "".join(str(row >> index & 1) for index in range(len(inputs)))
        for row in range(1 << len(inputs))
        if table >> row & 1
    ]
    cover = [f"{row} 1".strip() for row in rows]
    return "\n".join([f".names {' '.join(map(_net, [*inputs, output]))}", *cover])
