"""Random FDL designs, each with its expected outputs, computed here with Python's integers.

The rules for types are those of the language, implemented a second time on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Env = dict[str, int]

WIDTHS = (1, 2, 3, 4, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 100, 128, 163)
WIDEST_TYPE = 300
WIDEST = 700
JOINED, SHARED = 25, 8
"""Of many signals: how many are joined at a time, and how many the other ones may read.

Simulators that compute a signal again whenever one that it reads changes cannot take long chains.
"""


@dataclass(frozen=True)
class Type:
    """`ns(width)`, or `tc(width)` when signed."""

    width: int
    signed: bool

    def wrap(self, value: int) -> int:
        """Reduce a value modulo 2^width into the type's range."""
        value &= (1 << self.width) - 1
        if self.signed and value >> (self.width - 1):
            value -= 1 << self.width
        return value

    def join(self, other: Type) -> Type:
        """Return the wider of two types, signed when either is."""
        return Type(max(self.width, other.width), self.signed or other.signed)

    def __str__(self) -> str:
        return f"{'tc' if self.signed else 'ns'}({self.width})"


@dataclass(frozen=True)
class Expr:
    """An expression: its text, its type, and the function that computes its value."""

    text: str
    type: Type
    value: Callable[[Env], int]

    def to(self, target: Type) -> Callable[[Env], int]:
        """The value after an assignment to this type."""
        if self.type == target:
            return self.value
        return lambda env: target.wrap(self.value(env))


@dataclass
class Design:
    """A datapath with its controller."""

    name: str
    text: str
    inputs: dict[str, Type]
    outputs: dict[str, Type]
    model: Model

    def stimuli(self, rng: Random, cycles: int) -> list[dict[str, int]]:
        """Make random inputs for `cycles` cycles."""
        return [
            {name: corner(rng, ty.width) for name, ty in self.inputs.items()} for _ in range(cycles)
        ]


@dataclass
class Model:
    """A design's behaviour in Python."""

    signals: list[tuple[str, Callable[[Env], int]]] = field(default_factory=list)
    outputs: dict[str, Callable[[Env], int]] = field(default_factory=dict)
    always: dict[str, Callable[[Env], int]] = field(default_factory=dict)
    sfgs: list[dict[str, Callable[[Env], int]]] = field(default_factory=list)
    states: list[tuple[Expr, tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    registers: list[str] = field(default_factory=list)
    array: list[int] = field(default_factory=list)
    """The initial values of the array's elements."""
    writes: dict[int | None, Write] = field(default_factory=dict)
    """Writes to the array, by their sfg; None for every cycle."""

    def run(self, design: Design, stimuli: list[dict[str, int]]) -> list[dict[str, int]]:
        """The outputs of each cycle before its clock edge, as bits."""
        state, registers = 0, dict.fromkeys(self.registers, 0)
        array = list(self.array)
        rows = []
        for stimulus in stimuli:
            env = dict(registers) | {element(at): value for at, value in enumerate(array)}
            env |= {name: ty.wrap(stimulus[name]) for name, ty in design.inputs.items()}
            for name, value in self.signals:
                env[name] = value(env)
            condition, yes, no = self.states[state]
            sfg, state = yes if condition.value(env) & 1 else no
            masks = {name: (1 << ty.width) - 1 for name, ty in design.outputs.items()}
            rows.append({name: value(env) & masks[name] for name, value in self.outputs.items()})
            active = self.always | self.sfgs[sfg]
            registers |= {name: value(env) for name, value in active.items()}
            for write in (self.writes[by] for by in (None, sfg) if by in self.writes):
                at = write.index(env)
                if 0 <= at < len(array):
                    array[at] = write.value(env)
        return rows


@dataclass(frozen=True)
class Write:
    """A write of a value to an element of the array."""

    index: Callable[[Env], int]
    value: Callable[[Env], int]


def element(number: int) -> str:
    """The name of an array's element."""
    return f"array({number})"


def corner(rng: Random, width: int) -> int:
    """A number of this width, often an extreme one."""
    top = 1 << (width - 1)
    extreme = rng.choice((0, 1, top, top - 1, 2 * top - 1, 2 * top - 2))
    return rng.choice((rng.getrandbits(width), rng.getrandbits(width), extreme)) % (2 * top)


def design(name: str, seed: int, signals: int | None = None) -> Design:
    """A design of this name, with few signals or with so many; the same for the same seed.

    A register takes all of many signals.
    """
    return _Generator(name, Random(seed), signals).design()


class _Generator:
    def __init__(self, name: str, rng: Random, signals: int | None) -> None:
        self.name = name
        self.rng = rng
        self.many = signals
        self.names: dict[str, Type] = {}
        self.table: list[int] = []
        self.table_type = Type(1, signed=False)
        self.array: list[int] = []
        self.array_type = Type(1, signed=False)

    def type(self) -> Type:
        width = self.rng.choice((*WIDTHS, self.rng.randint(1, WIDEST_TYPE)))
        return Type(width, self.rng.random() < 0.4)

    def design(self) -> Design:
        rng = self.rng
        usual = self.type if self.many is None else self.wide_type
        inputs = {f"i{n}": usual() for n in range(rng.randint(1, 3))}
        registers = {f"r{n}": usual() for n in range(rng.randint(1, 4))}
        outputs = {f"o{n}": self.type() for n in range(rng.randint(2, 5))}
        self.table_type = Type(rng.choice((1, 4, 8, 70)), rng.random() < 0.4)
        self.table = [corner(rng, 72) for _ in range(rng.choice((3, 4, 16)))]
        lines = [f"  reg {name} : {ty};" for name, ty in registers.items()]
        entries = ", ".join(map(str, self.table))
        lines.append(f"  lookup table : {self.table_type} = {{ {entries} }};")
        self.array_type = self.type()
        self.array = [self.array_type.wrap(corner(rng, 72)) for _ in range(rng.choice((1, 3, 8)))]
        initial = self.array[: rng.randint(1, len(self.array))]
        self.array[len(initial) :] = [0] * (len(self.array) - len(initial))
        values = ", ".join(map(str, initial))
        lines.append(f"  reg array({len(self.array)}) : {self.array_type} = {{ {values} }};")
        model = Model(registers=list(registers), array=self.array)
        self.names = inputs | registers
        lines += self.signals(model)
        # In half of the designs conditions read registers alone, as in GEZEL.
        readable = self.names if rng.random() < 0.5 else registers
        all_names, self.names = self.names, dict(readable)
        controller = self.controller(model)
        self.names = all_names
        lines += self.assignments(model, outputs, registers)
        if self.many is not None:
            lines += self.joined(model)
            outputs["joined"] = Type(WIDEST_TYPE, signed=False)
        ports = [f"in {name} : {ty}" for name, ty in inputs.items()]
        ports += [f"out {name} : {ty}" for name, ty in outputs.items()]
        head = f"dp {self.name}({'; '.join(ports)}) {{"
        text = "\n".join([head, *lines, "}", *controller, ""])
        return Design(self.name, text, inputs, outputs, model)

    def controller(self, model: Model) -> list[str]:
        """Two states, each with one condition."""
        lines = [f"fsm {self.name}_control({self.name}) {{", "  initial s0; state s1;"]
        choice = self.rng.randrange
        # Each state has an edge to the other, and both sfgs are named.
        for state in range(2):
            condition = self.expression(2)
            yes, no = (state, 1 - state), (choice(2), choice(2))
            model.states.append((condition, yes, no))
            lines.append(
                f"  @s{state} if ({condition.text}) then f{yes[0]} -> s{yes[1]};"
                f" else f{no[0]} -> s{no[1]};"
            )
        return [*lines, "}"]

    def signals(self, model: Model) -> list[str]:
        declarations, assignments = [], []
        count = self.rng.randint(0, 3) if self.many is None else self.many
        usual = self.type if self.many is None else self.wide_type
        for number in range(count):
            name, ty = f"s{number}", usual()
            value = self.expression(3) if self.many is None else self.mixed()
            declarations.append(f"  sig {name} : {ty};")
            assignments.append(f"  always {{ {name} = {value.text}; }}")
            model.signals.append((name, value.to(ty)))
            if number < SHARED:
                self.names[name] = ty
        return declarations + assignments

    def wide_type(self) -> Type:
        """A type of several words."""
        return Type(self.rng.randint(WIDEST_TYPE // 2, WIDEST_TYPE), self.rng.random() < 0.4)

    def mixed(self) -> Expr:
        """Two results of arithmetic, which no compiler makes less of, joined."""
        a, b = self.arithmetic(0), self.arithmetic(0)
        ty = a.type.join(b.type)
        return Expr(f"({a.text} ^ {b.text})", ty, lambda env: a.value(env) ^ b.value(env))

    def joined(self, model: Model) -> list[str]:
        """A register that takes all of many signals, and an output that shows it."""
        assert self.many is not None
        groups = [range(at, min(at + JOINED, self.many)) for at in range(0, self.many, JOINED)]
        mask = (1 << WIDEST_TYPE) - 1
        lines = [f"  reg z : ns({WIDEST_TYPE});"]
        for number, group in enumerate(groups):
            terms = " ^ ".join(f"s{at}" for at in group)
            lines.append(f"  sig j{number} : ns({WIDEST_TYPE}); always {{ j{number} = {terms}; }}")
        together = " ^ ".join(f"j{number}" for number in range(len(groups)))
        lines.append(f"  always {{ z = z + ({together}); joined = z; }}")

        def value(env: Env) -> int:
            every = (env[f"s{at}"] for group in groups for at in group)
            return env["z"] + (reduce(xor, every) & mask) & mask

        model.registers.append("z")
        model.always["z"] = value
        model.outputs["joined"] = lambda env: env["z"]
        return lines

    def assignments(
        self, model: Model, outputs: dict[str, Type], registers: dict[str, Type]
    ) -> list[str]:
        lines = []
        for name, ty in outputs.items():
            value = self.expression(4)
            lines.append(f"  always {{ {name} = {value.text}; }}")
            model.outputs[name] = value.to(ty)
        always = self.rng.random() < 0.3
        if always:
            text, model.writes[None] = self.write()
            lines.append(f"  always {{ {text} }}")
        often = [name for name in registers if self.rng.random() < 0.4]
        for name in often:
            value = self.expression(3)
            lines.append(f"  always {{ {name} = {value.text}; }}")
            model.always[name] = value.to(registers[name])
        for sfg in range(2):
            assigned = {}
            for name in registers:
                if name not in often and self.rng.random() < 0.7:
                    assigned[name] = self.expression(3)
            body = " ".join(f"{name} = {value.text};" for name, value in assigned.items())
            if not always and self.rng.random() < 0.7:
                text, model.writes[sfg] = self.write()
                body += f" {text}"
            lines.append(f"  sfg f{sfg} {{ {body} }}")
            model.sfgs.append({n: value.to(registers[n]) for n, value in assigned.items()})
        return lines

    def write(self) -> tuple[str, Write]:
        """A statement that writes to the array, past its end at times."""
        index, value = self.amount(2, 5), self.expression(3)
        stored = self.array_type
        text = f"array({index.text}) = {value.text};"
        return text, Write(index.value, lambda env: stored.wrap(value.value(env)))

    def element(self, depth: int) -> Expr:
        index, length = self.amount(depth, 5), len(self.array)

        def value(env: Env) -> int:
            at = index.value(env)
            return env[element(at)] if 0 <= at < length else 0

        return Expr(f"array({index.text})", self.array_type, value)

    def expression(self, depth: int) -> Expr:
        """An expression of limited width."""
        while True:
            expr = self.any_expression(depth)
            if expr.type.width <= WIDEST:
                return expr

    def any_expression(self, depth: int) -> Expr:
        if depth == 0 or self.rng.random() < 0.1:
            return self.leaf()
        kinds = (
            self.arithmetic, self.arithmetic, self.bitwise, self.compare, self.choose, self.cast,
            self.select, self.concat, self.shift_left, self.shift_right, self.unary, self.lookup,
            self.element,
        )  # fmt: skip
        return self.rng.choice(kinds)(depth - 1)

    def leaf(self) -> Expr:
        if self.rng.random() < 0.2:
            number = self.rng.choice((0, 1, 5, 255, self.rng.getrandbits(70)))
            text = self.rng.choice((str(number), hex(number), bin(number)))
            return Expr(text, Type(max(1, number.bit_length()) + 1, signed=False), lambda _: number)
        name = self.rng.choice(list(self.names))
        return Expr(name, self.names[name], lambda env: env[name])

    def arithmetic(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.expression(depth)
        operator = self.rng.choice("+-*%")
        ty = a.type.join(b.type)
        if operator == "*":
            ty = Type(a.type.width + b.type.width, ty.signed)
        compute: Callable[[int, int], int] = {
            "+": lambda x, y: x + y,
            "-": lambda x, y: x - y,
            "*": lambda x, y: x * y,
            "%": lambda x, y: x % abs(y) if y else 0,
        }[operator]
        return Expr(
            f"({a.text} {operator} {b.text})",
            ty,
            lambda env: ty.wrap(compute(a.value(env), b.value(env))),
        )

    def bitwise(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.expression(depth)
        operator = self.rng.choice("&|^")
        compute: Callable[[int, int], int] = {
            "&": lambda x, y: x & y,
            "|": lambda x, y: x | y,
            "^": lambda x, y: x ^ y,
        }[operator]
        ty = a.type.join(b.type)
        return Expr(
            f"({a.text} {operator} {b.text})",
            ty,
            lambda env: compute(a.value(env), b.value(env)),
        )

    def compare(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.expression(depth)
        operator = self.rng.choice(("==", "!=", "<", ">", "<=", ">="))
        compute: Callable[[int, int], bool] = {
            "==": lambda x, y: x == y,
            "!=": lambda x, y: x != y,
            "<": lambda x, y: x < y,
            ">": lambda x, y: x > y,
            "<=": lambda x, y: x <= y,
            ">=": lambda x, y: x >= y,
        }[operator]
        return Expr(
            f"({a.text} {operator} {b.text})",
            Type(1, signed=False),
            lambda env: int(compute(a.value(env), b.value(env))),
        )

    def choose(self, depth: int) -> Expr:
        c, a, b = (self.expression(depth) for _ in range(3))
        return Expr(
            f"({c.text} ? {a.text} : {b.text})",
            a.type.join(b.type),
            lambda env: a.value(env) if c.value(env) else b.value(env),
        )

    def cast(self, depth: int) -> Expr:
        a, ty = self.expression(depth), self.type()
        return Expr(f"(({ty}) {a.text})", ty, a.to(ty))

    def select(self, depth: int) -> Expr:
        a = self.expression(depth)
        low = self.rng.randrange(a.type.width + 2)
        high = low + self.rng.choice((0, 0, 1, 7, 31, 63, 64, 80))
        ty = Type(high - low + 1, signed=False)
        left, right = self.rng.choice(((high, low), (low, high)))
        bounds = f"[{low}]" if high == low else f"[{left}:{right}]"
        return Expr(f"({a.text}){bounds}", ty, lambda env: ty.wrap(a.value(env) >> low))

    def concat(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.expression(depth)
        ty = Type(a.type.width + b.type.width, a.type.signed)
        width = b.type.width
        return Expr(
            f"({a.text} # {b.text})", ty, lambda env: (a.value(env) << width) | b.value(env)
        )

    def amount(self, depth: int, most: int) -> Expr:
        """A shift amount of few bits."""
        if self.rng.random() < 0.4:
            number = self.rng.randrange(9)
            return Expr(
                str(number), Type(max(1, number.bit_length()) + 1, signed=False), lambda _: number
            )
        a, ty = self.expression(depth), Type(self.rng.randint(1, most), signed=False)
        return Expr(f"((({ty}) {a.text}))", ty, a.to(ty))

    def shift_left(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.amount(depth, 5)
        ty = Type(a.type.width + (1 << b.type.width), a.type.signed)
        return Expr(
            f"({a.text} << {b.text})", ty, lambda env: ty.wrap(a.value(env) << b.value(env))
        )

    def shift_right(self, depth: int) -> Expr:
        a, b = self.expression(depth), self.amount(depth, 9)
        ty = a.type.join(b.type)
        return Expr(
            f"({a.text} >> {b.text})", ty, lambda env: ty.wrap(a.value(env) >> b.value(env))
        )

    def unary(self, depth: int) -> Expr:
        a = self.expression(depth)
        if self.rng.random() < 0.5:
            ty = Type(a.type.width, signed=True)
            return Expr(f"(-{a.text})", ty, lambda env: -a.value(env))
        return Expr(f"(~{a.text})", a.type, lambda env: a.type.wrap(~a.value(env)))

    def lookup(self, depth: int) -> Expr:
        index, table, ty = self.expression(depth), self.table, self.table_type

        def entry(env: Env) -> int:
            at = index.value(env)
            return ty.wrap(table[at]) if 0 <= at < len(table) else 0

        return Expr(f"table({index.text})", ty, entry)
