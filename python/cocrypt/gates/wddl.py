"""Netlists of macro cells as netlists of two rails, with wave dynamic differential logic (WDDL).

Each net becomes a true and a false rail. While data are evaluated, one of the two is 1; in the
cycle between two data both are 0. Inverters exchange the rails. Registers have one of two forms:

- `master-slave`: two flip-flops on each rail. The pairs of one rank hold data while those of the
  other are precharged, so that the precharge wave runs through registers as well.
- `gated`: a flip-flop on each rail, which keeps its value during precharge, and gates behind it
  that then hide it. Half the flip-flops, but their toggles depend on the data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.gates.netlist import FLIP_FLOP, Netlist, Port
from cocrypt.gates.pairs import FALSE, TRUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.gates.mapped import FlipFlop
    from cocrypt.gates.netlist import Bit, Cell
    from cocrypt.gates.pairs import Gate, Pairs, Rail

MASTER_SLAVE, GATED = "master-slave", "gated"
REGISTERS = (MASTER_SLAVE, GATED)
INITIALISE, EVALUATE = "init", "evaluate"
SUFFIXES = ("_t", "_f")
FREE = ("INV", "BUF")
"""Macro cells that only connect rails."""
CONSTANTS = {"ZERO": "0", "ONE": "1"}
MOST_SINKS = 8
"""Inputs that a net or a buffer drives, at most."""

Rails = tuple["Bit", "Bit"]
Sink = tuple[int, str]
"""The number of a cell of the netlist of macro cells, -1 for a port; a pin, or a bit of it."""
ZERO: Rails = ("0", "0")


@dataclass(frozen=True)
class Register:
    """The nets of a register: inputs and outputs of its flip-flops, each the true rail first."""

    cell: str
    """The cell in the netlist of macro cells."""
    ranks: tuple[tuple[Rails, Rails], ...]
    """Input and output of each rank, that behind the logic first."""


@dataclass(frozen=True)
class Hardened:
    """A netlist of two rails."""

    netlist: Netlist
    style: str
    clock: Bit | None
    controls: dict[str, Bit]
    """The nets of the ports `init`, and `evaluate` for gated registers."""
    ports: dict[str, tuple[tuple[Rails, ...], bool]]
    """The rails of each bit of a port of the design; true for an output."""
    registers: tuple[Register, ...]
    rails: tuple[Bit, ...]
    """All rails of the logic, which are 0 in a precharge cycle."""
    flip_flop: FlipFlop
    """The library's cell of all flip-flops."""


def harden(design: Netlist, pairs: Pairs, flip_flop: FlipFlop, style: str) -> Hardened:
    """The two rails of a design that is mapped to macro cells.

    Raises `InputError` for designs with several clocks or with a clock that is also data.
    """
    return _Converter(design, pairs, flip_flop, style).run()


@dataclass
class _Converter:
    design: Netlist
    pairs: Pairs
    flip_flop: FlipFlop
    style: str
    made: Netlist = field(init=False)
    rails: list[Bit] = field(default_factory=list)
    connected: dict[Sink, Rails] = field(default_factory=dict)
    names: dict[Bit, str] = field(default_factory=dict)
    sources: dict[Bit, tuple[Bit, bool]] = field(default_factory=dict)
    """The input of each inverter and buffer by its output, and whether it inverts."""
    constants: dict[Bit, Bit] = field(default_factory=lambda: {"x": "0"})
    values: dict[Bit, Rails] = field(default_factory=dict)
    waiting: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    spacer: Rails | None = None

    def __post_init__(self) -> None:
        self.made = Netlist(self.design.name)
        self.names = {net: name for name, net in self.design.names.items()}
        for cell in self.design.cells:
            if cell.kind in FREE:
                self.sources[cell.pins["Y"]] = cell.pins["A"], cell.kind == "INV"
            elif cell.kind in CONSTANTS:
                self.constants[cell.pins["Y"]] = CONSTANTS[cell.kind]

    def run(self) -> Hardened:
        clock = self._clock()
        ports = self._ports(clock)
        for number, cell in enumerate(self.design.cells):
            if cell.kind not in (*FREE, *CONSTANTS):
                pin = "Q" if cell.kind == FLIP_FLOP else "Y"
                self.values[cell.pins[pin]] = self._pair(self._name(cell.pins[pin], number))
        self._distribute()
        for number, cell in enumerate(self.design.cells):
            if cell.kind in self.pairs.pairs:
                self._macro(number, cell)
        clock_net = None if clock is None else self.made.net("clk")
        registers = self._registers(clock_net)
        controls = self._control_nets()
        return self._finished(clock, clock_net, ports, registers, controls)

    # Sources and sinks of the design.

    def _clock(self) -> Bit | None:
        clocks = {cell.pins["C"] for cell in self.design.cells if cell.kind == FLIP_FLOP}
        inputs = {bit for port in self.design.ports if not port.is_output for bit in port.bits}
        if len(clocks) > 1 or not clocks <= inputs:
            raise InputError(
                f"the registers of {self.design.name} are not clocked by the rising edge of one "
                "input",
                "harden a design with a single clock, without gates in it",
            )
        clock = next(iter(clocks), None)
        if clock is not None and all(port.bits != (clock,) for port in self.design.ports):
            raise InputError(
                f"the clock of {self.design.name} is a bit of a wider port",
                "give the clock a port of its own",
            )
        return clock

    def _name(self, bit: Bit, number: int) -> str:
        return self.names.get(bit, f"w{number}")

    def _pair(self, name: str) -> Rails:
        names = [f"{name}{suffix}" for suffix in SUFFIXES]
        if any(rail in self.made.names for rail in names):
            names = [f"{rail}.{self.made.nets}" for rail in names]
        true, false = (self.made.net(rail) for rail in names)
        self.rails += [true, false]
        return true, false

    def _ports(self, clock: Bit | None) -> list[Port]:
        ports = [port for port in self.design.ports if port.bits != (clock,)]
        for port in ports:
            if not port.is_output:
                for index, bit in enumerate(port.bits):
                    self.values[bit] = self._pair(f"{port.name}[{index}]")
        return ports

    def _sinks(self) -> dict[Bit, list[tuple[Sink, bool]]]:
        """The inputs that each net leads to, and whether they take its rails exchanged."""
        found: dict[Bit, list[tuple[Sink, bool]]] = {}
        pins = [
            ((number, pin), bit)
            for number, cell in enumerate(self.design.cells)
            if cell.kind not in FREE
            for pin, bit in cell.pins.items()
            if pin not in cell.outputs and (cell.kind, pin) != (FLIP_FLOP, "C")
        ]
        outputs = [
            ((-1, f"{port.name}[{index}]"), bit)
            for port in self.design.ports
            if port.is_output
            for index, bit in enumerate(port.bits)
        ]
        for sink, bit in pins + outputs:
            source, is_inverted = self._source(bit)
            found.setdefault(source, []).append((sink, is_inverted))
        return found

    def _source(self, bit: Bit) -> tuple[Bit, bool]:
        is_inverted = False
        while bit in self.sources:
            bit, swaps = self.sources[bit]
            is_inverted ^= swaps
        return self.constants.get(bit, bit), is_inverted

    # Buffers, in pairs.

    def _distribute(self) -> None:
        heights = self._heights()
        clock = self._clock()
        for source, sinks in self._sinks().items():
            if source == clock:
                raise InputError(
                    f"the clock of {self.design.name} is also an input of its logic",
                    "keep the clock out of the logic",
                )
            rails = self._constant_rails(source) if source in ("0", "1") else self.values[source]
            ordered = sorted(sinks, key=lambda entry: -heights.get(entry[0][0], 0))
            self._connect(rails, ordered)

    def _connect(self, rails: Rails, sinks: Sequence[tuple[Sink, bool]]) -> None:
        """Connects sinks, those with the longest paths behind them without a buffer between."""
        if len(sinks) <= MOST_SINKS:
            for sink, is_inverted in sinks:
                self.connected[sink] = rails[::-1] if is_inverted else rails
            return
        near = MOST_SINKS // 2
        self._connect(rails, sinks[:near])
        groups = min(MOST_SINKS - near, -(-(len(sinks) - near) // MOST_SINKS))
        size = -(-(len(sinks) - near) // groups)
        for start in range(near, len(sinks), size):
            pair = self._pair(f"buffer{self.made.nets}")
            for rail in (TRUE, FALSE):
                self._rail(self.pairs.buffer, [rails[rail]], pair[rail])
            self._connect(pair, sinks[start : start + size])

    def _heights(self) -> dict[int, int]:
        """The number of gates behind each cell on its longest path."""
        drivers: dict[Bit, int] = {}
        for number, cell in enumerate(self.design.cells):
            if cell.kind in self.pairs.pairs:
                drivers[cell.pins["Y"]] = number
        inputs = {
            number: [
                drivers[source]
                for pin, bit in self.design.cells[number].pins.items()
                if pin != "Y" and (source := self._source(bit)[0]) in drivers
            ]
            for number in drivers.values()
        }
        left = dict.fromkeys(inputs, 0)
        for numbers in inputs.values():
            for number in numbers:
                left[number] += 1
        heights = dict.fromkeys(inputs, 1)
        ready = [number for number, count in left.items() if count == 0]
        while ready:
            number = ready.pop()
            for driver in inputs[number]:
                heights[driver] = max(heights[driver], heights[number] + 1)
                left[driver] -= 1
                if left[driver] == 0:
                    ready.append(driver)
        return heights

    def _constant_rails(self, constant: Bit) -> Rails:
        """Rails of a constant, which is precharged like a signal: it follows one that is valid."""
        if self.spacer is None:
            followed = next(iter(self.values.values()), None)
            if followed is None:
                raise InputError(
                    f"{self.design.name} has neither inputs nor registers", "there is no data"
                )
            idle, valid = self._pair("constant")
            self._rail(self.pairs.or2, followed, valid)
            self._rail(self.pairs.and2, followed, idle)
            self.spacer = idle, valid
        return self.spacer if constant == "0" else self.spacer[::-1]

    # Cells.

    def _rail(self, rail: Rail, inputs: Sequence[Bit], output: Bit) -> None:
        gate, behind = rail.gate, output
        if rail.inverter is not None:
            behind = self.made.net(f"inner{self.made.nets}")
            self._gate(rail.inverter, [behind], output)
        self._gate(gate, inputs, behind)

    def _gate(self, gate: Gate, inputs: Sequence[Bit], output: Bit) -> None:
        pins = dict(zip(gate.inputs, inputs, strict=True))
        self.made.add(gate.kind, {**pins, gate.output: output}, [gate.output])

    def _macro(self, number: int, cell: Cell) -> None:
        pair = self.pairs.pairs[cell.kind]
        inputs = [self.connected[number, letter] for letter in "ABCD"[: pair.inputs]]
        output = self.values[cell.pins["Y"]]
        for rail, wiring, net in zip(pair.rails, pair.wiring, output, strict=True):
            self._rail(rail, [inputs[index][side] for index, side in wiring], net)

    # Registers.

    def _registers(self, clock: Bit | None) -> list[Register]:
        make = self._master_slave if self.style == MASTER_SLAVE else self._gated
        return [
            make(number, cell, clock)
            for number, cell in enumerate(self.design.cells)
            if cell.kind == FLIP_FLOP
        ]

    def _flip_flops(self, data: Rails, output: Rails, clock: Bit | None) -> None:
        kind = self.flip_flop
        for before, behind in zip(data, output, strict=True):
            assert clock is not None
            pins = {kind.clock: clock, kind.data: before, kind.output: behind}
            self.made.add(kind.kind, pins, [kind.output])

    def _master_slave(self, number: int, cell: Cell, clock: Bit | None) -> Register:
        """While `init` is 1, the first rank becomes (0, 0), and the second one the code of 0."""
        data, value = self.connected[number, "D"], self.values[cell.pins["Q"]]
        name = self._name(cell.pins["Q"], number)
        cleared = self._pair(f"{name}.cleared")
        # Precharged in the other cycle than the logic, hence not among its rails.
        first: Rails = (self.made.net(f"{name}.first_t"), self.made.net(f"{name}.first_f"))
        for before, behind in zip(data, cleared, strict=True):
            self._controlled(self.pairs.and2, before, "run", behind)
        self._flip_flops(cleared, first, clock)
        forced = self.made.net(f"{name}.forced")
        self._controlled(self.pairs.or2, first[FALSE], INITIALISE, forced)
        second = first[TRUE], forced
        self._flip_flops(second, value, clock)
        return Register(cell.name, ((cleared, first), (second, value)))

    def _gated(self, number: int, cell: Cell, clock: Bit | None) -> Register:
        """While `init` is 1, the flip-flops take the code of 0."""
        data, value = self.connected[number, "D"], self.values[cell.pins["Q"]]
        name = self._name(cell.pins["Q"], number)
        kept: Rails = (self.made.net(f"{name}.kept_t"), self.made.net(f"{name}.kept_f"))
        following: list[Bit] = []
        for rail, suffix in ((TRUE, "t"), (FALSE, "f")):
            self._controlled(self.pairs.and2, kept[rail], EVALUATE, value[rail])
            # The logic is 0 during precharge, so that only the old value must be hidden.
            held, either = (self.made.net(f"{name}.{word}_{suffix}") for word in ("held", "next"))
            self._controlled(self.pairs.and2, kept[rail], "hold", held)
            self._rail(self.pairs.or2, [data[rail], held], either)
            following.append(self.made.net(f"{name}.set_{suffix}"))
            gate, control = ((self.pairs.and2, "run"), (self.pairs.or2, INITIALISE))[rail]
            self._controlled(gate, either, control, following[rail])
        nets = following[TRUE], following[FALSE]
        self._flip_flops(nets, kept, clock)
        return Register(cell.name, ((nets, kept),))

    def _controlled(self, rail: Rail, net: Bit, control: str, output: Bit) -> None:
        """A gate with a control; the controls are distributed when all of them are known."""
        number = len(self.made.cells)
        self._rail(rail, [net, "0"], output)
        number = next(
            index
            for index in range(number, len(self.made.cells))
            if self.made.cells[index].kind == rail.gate.kind
            and self.made.cells[index].pins[rail.gate.inputs[1]] == "0"
        )
        self.waiting.setdefault(control, []).append((number, rail.gate.inputs[1]))

    def _control_nets(self) -> dict[str, Bit]:
        controls: dict[str, Bit] = {}
        if self.waiting:
            controls[INITIALISE] = self.made.net(INITIALISE)
        if self.style == GATED and self.waiting:
            controls[EVALUATE] = self.made.net(EVALUATE)
        for name, sinks in self.waiting.items():
            source = controls.get(name)
            if source is None:
                opposite = {"run": INITIALISE, "hold": EVALUATE}[name]
                source = self.made.net(name)
                assert self.pairs.inverter is not None
                self._gate(self.pairs.inverter, [controls[opposite]], source)
            self._control_tree(source, sinks)
        return controls

    def _control_tree(self, net: Bit, sinks: list[tuple[int, str]]) -> None:
        if len(sinks) <= MOST_SINKS:
            for number, pin in sinks:
                cell = self.made.cells[number]
                pins = {**cell.pins, pin: net}
                self.made.cells[number] = type(cell)(cell.name, cell.kind, pins, cell.outputs)
            return
        groups = min(MOST_SINKS, -(-len(sinks) // MOST_SINKS))
        size = -(-len(sinks) // groups)
        for start in range(0, len(sinks), size):
            further = self.made.net(f"control{self.made.nets}")
            self._rail(self.pairs.buffer, [net], further)
            self._control_tree(further, sinks[start : start + size])

    # Ports.

    def _finished(
        self,
        clock: Bit | None,
        clock_net: Bit | None,
        ports: list[Port],
        registers: list[Register],
        controls: dict[str, Bit],
    ) -> Hardened:
        named = {}
        for port in ports:
            bits = [
                self.connected[-1, f"{port.name}[{index}]"] if port.is_output else self.values[bit]
                for index, bit in enumerate(port.bits)
            ]
            named[port.name] = (tuple(bits), port.is_output)
            for rail, suffix in enumerate(SUFFIXES):
                nets = tuple(pair[rail] for pair in bits)
                self.made.ports.append(Port(f"{port.name}{suffix}", port.is_output, nets))
        for port in self.design.ports:
            if port.bits == (clock,) and clock_net is not None:
                self.made.ports.append(Port(port.name, False, (clock_net,)))
        self.made.ports += [Port(name, False, (net,)) for name, net in controls.items()]
        names = [port.name for port in self.made.ports]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(
                f"two ports of the hardened {self.design.name} would be named `{twice[0]}`",
                "rename the port of the design",
            )
        return Hardened(
            self.made,
            self.style,
            clock_net,
            controls,
            named,
            tuple(registers),
            tuple(self.rails),
            self.flip_flop,
        )
