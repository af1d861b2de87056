"""Macro cells of wave dynamic differential logic (WDDL): a positive gate for each rail.

Source: K. Tiri and I. Verbauwhede, "A logic level design methodology for a secure DPA resistant
ASIC or FPGA implementation", DATE 2004. A rail is a gate of the library whose function is
positive, or a gate with a negative one and an inverter behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.gates.netlist import FLIP_FLOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.gates.library import Library

LETTERS = "ABCD"
BUFFER, INVERTER, AND, OR, AO22 = 0b10, 0b01, 0b1000, 0b1110, 0b1111_1000_1000_1000
XOR, MUX = 0b0110, 0b1100_1010
TRUE, FALSE = 0, 1


@dataclass(frozen=True)
class Gate:
    """A cell of the library: its input pins in order, and its output pin."""

    kind: str
    inputs: tuple[str, ...]
    output: str
    area: float


@dataclass(frozen=True)
class Rail:
    """A gate, and the inverter behind it if its function is negative."""

    gate: Gate
    inverter: Gate | None

    @property
    def area(self) -> float:
        """Its area, in the library's unit."""
        return self.gate.area + (self.inverter.area if self.inverter else 0)


@dataclass(frozen=True)
class Pair:
    """A macro cell: the function, and for each rail the inputs of its gate.

    An input is the index of the function's input and the rail that is taken of it.
    """

    name: str
    inputs: int
    table: int
    rails: tuple[Rail, Rail]
    wiring: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]

    @property
    def area(self) -> float:
        """The area of both rails."""
        return self.rails[TRUE].area + self.rails[FALSE].area


class Pairs:
    """The macro cells that a library's gates make."""

    def __init__(self, library: Library) -> None:
        """Raises `InputError` for a library without gates for them."""
        self.gates = list(_gates(library))
        self.tables = {gate.kind: table for table, gate in self.gates}
        self.by_kind = {gate.kind: gate for _, gate in self.gates}
        self.inverter = self._smallest(INVERTER, 1)
        self.rails = self._positive()
        missing = [
            name for name, table in (("AND", AND), ("OR", OR)) if (2, table) not in self.rails
        ]
        if missing or self.inverter is None:
            raise InputError(
                f"{library.path.name} has no {missing[0] if missing else 'inverter'} for WDDL",
                "give a library with NAND, NOR and inverters that may be used",
            )
        self.and2, self.or2 = self.rails[2, AND], self.rails[2, OR]
        buffers = sorted(
            (g for t, g in self.gates if t == BUFFER and len(g.inputs) == 1),
            key=lambda gate: gate.area,
        )
        inverter = self.inverter
        self.buffer = (
            Rail(buffers[min(1, len(buffers) - 1)], None) if buffers else Rail(inverter, inverter)
        )
        self.pairs = {pair.name: pair for pair in self._pairs()}

    @property
    def outputs(self) -> dict[str, str]:
        """The output pin of each kind of cell in mapped netlists."""
        macros = dict.fromkeys((*self.pairs, "INV", "BUF", "ZERO", "ONE"), "Y")
        return {FLIP_FLOP: "Q", **macros, **{kind: g.output for kind, g in self.by_kind.items()}}

    def genlib(self) -> str:
        """The macro cells for ABC, in the format of SIS; inverters cost nothing."""
        lines = [
            "GATE ZERO 0 Y=CONST0;",
            "GATE ONE 0 Y=CONST1;",
            "GATE INV 0 Y=!A; PIN * INV 1 999 0 0 0 0",
            "GATE BUF 0 Y=A; PIN * NONINV 1 999 0 0 0 0",
        ]
        for pair in self.pairs.values():
            slow = 1.0 + 0.2 * pair.inputs + 0.3 * any(rail.inverter for rail in pair.rails)
            function = _sum_of_products(pair.table, pair.inputs)
            lines.append(
                f"GATE {pair.name} {pair.area:g} Y={function}; "
                f"PIN * UNKNOWN 1 999 {slow:.2f} 0.1 {slow:.2f} 0.1"
            )
        return "\n".join(lines) + "\n"

    def _smallest(self, table: int, inputs: int) -> Gate | None:
        found = [g for t, g in self.gates if (t, len(g.inputs)) == (table, inputs)]
        return min(found, key=lambda gate: gate.area, default=None)

    def _positive(self) -> dict[tuple[int, int], Rail]:
        """The smallest rail for each positive function, inputs in each order."""
        rails: dict[tuple[int, int], Rail] = {}
        for table, gate in self.gates:
            inputs = len(gate.inputs)
            if not 2 <= inputs <= len(LETTERS):
                continue
            complement = ~table & (1 << (1 << inputs)) - 1
            for function, inverter in ((table, None), (complement, self.inverter)):
                if not is_positive(function, inputs) or (function == complement and not inverter):
                    continue
                for order in permutations(range(inputs)):
                    ordered = tuple(gate.inputs[index] for index in order)
                    rail = Rail(Gate(gate.kind, ordered, gate.output, gate.area), inverter)
                    key = inputs, _permuted(function, order)
                    if key not in rails or rail.area < rails[key].area:
                        rails[key] = rail
        return rails

    def _pairs(self) -> Iterator[Pair]:
        done = set()
        for (inputs, table), rail in self.rails.items():
            same = min(_permuted(table, order) for order in permutations(range(inputs)))
            dual = self.rails.get((inputs, _dual(table, inputs)))
            if dual is None or (inputs, same) in done:
                continue
            done.add((inputs, same))
            straight = tuple(tuple((i, side) for i in range(inputs)) for side in (TRUE, FALSE))
            yield Pair(f"P{inputs}_{table:X}", inputs, table, (rail, dual), straight)  # type: ignore[arg-type]
        if (4, AO22) in self.rails:
            both = (self.rails[4, AO22],) * 2
            equal = ((0, TRUE), (1, TRUE), (0, FALSE), (1, FALSE))
            unlike = ((0, TRUE), (1, FALSE), (0, FALSE), (1, TRUE))
            yield Pair("XOR", 2, XOR, both, (unlike, equal))
            first = ((0, TRUE), (2, FALSE), (1, TRUE), (2, TRUE))
            last = ((0, FALSE), (2, FALSE), (1, FALSE), (2, TRUE))
            yield Pair("MUX", 3, MUX, both, (first, last))


def is_positive(table: int, inputs: int) -> bool:
    """Returns true if no rising input lets the function fall, and it is 0 for inputs of 0."""
    rows = range(1 << inputs)
    rises = (
        not table >> row & 1 or table >> (row | 1 << index) & 1
        for row in rows
        for index in range(inputs)
    )
    return not table & 1 and bool(table) and all(rises)


def _gates(library: Library) -> Iterator[tuple[int, Gate]]:
    for cell in library.values["cells"]:
        if cell["inputs"] is not None and not cell["is_forbidden"] and cell["area"] > 0:
            yield int(cell["table"]), _gate(cell)


def _gate(cell: dict[str, Any]) -> Gate:
    return Gate(cell["name"], tuple(cell["inputs"]), cell["output"], float(cell["area"]))


def _permuted(table: int, order: tuple[int, ...]) -> int:
    """The function whose input `k` is the given function's input `order[k]`."""
    found = 0
    for row in range(1 << len(order)):
        given = sum((row >> k & 1) << index for k, index in enumerate(order))
        found |= (table >> given & 1) << row
    return found


def _dual(table: int, inputs: int) -> int:
    last = (1 << inputs) - 1
    return sum((~table >> (last - row) & 1) << row for row in range(last + 1))


def _sum_of_products(table: int, inputs: int) -> str:
    terms = (
        "*".join(f"{'' if row >> k & 1 else '!'}{LETTERS[k]}" for k in range(inputs))
        for row in range(1 << inputs)
        if table >> row & 1
    )
    return "+".join(f"({term})" for term in terms)
