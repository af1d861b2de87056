"""Random hierarchies: a datapath that uses random datapaths and clones, and mixes their outputs.

One design in eight has many of them, each with its controller, and one in forty is a datapath that
computes much in a cycle.
"""

from __future__ import annotations

from random import Random

from cocrypt.fuzz.fdl.generate import Design, Type, design

CROWDS = 1 / 8
"""The share of designs with many controllers."""
MOST = 32
"""Controllers of a design, at most."""
LONG = 1 / 40
"""The share of designs whose code of a cycle is long."""
SIGNALS = (150, 220)
"""Signals of such a design."""
SLOWER = 8
"""How many times fewer cycles it runs: an event-driven simulator takes a second for each."""


def cycles_of(seed: int, cycles: int) -> int:
    """The cycles that a seed's design runs, where most designs run so many."""
    is_long = _drawn(seed, "crowd", CROWDS) is None and _drawn(seed, "long", LONG) is not None
    return max(1, cycles // SLOWER) if is_long else cycles


def source(name: str, seed: int) -> str:
    """FDL text whose top has this name; two designs in three have children."""
    crowd = _drawn(seed, "crowd", CROWDS)
    if crowd is not None:
        return _crowd(name, crowd)
    long = _drawn(seed, "long", LONG)
    if long is not None:
        return design(name, seed, long.randint(*SIGNALS)).text
    rng = Random(seed)
    if rng.random() < 1 / 3:
        return design(name, seed).text
    children = [design(f"{name}_c{n}", rng.getrandbits(40)) for n in range(rng.randint(1, 2))]
    text = "".join(child.text for child in children)
    uses = [(child.name, child) for child in children]
    if rng.random() < 0.5:
        clone = f"{name}_copy"
        text += f"dp {clone} : {children[0].name}\n"
        uses.append((clone, children[0]))
    return text + _parent(name, uses, rng)


def _drawn(seed: int, kind: str, share: float) -> Random | None:
    """What a seed's design of this kind is drawn from, if it is one of this share."""
    rng = Random(f"{seed} {kind}")
    return rng if rng.random() < share else None


def _crowd(name: str, rng: Random) -> str:
    """Many clones of one or two datapaths, each of which may read those before it."""
    kinds = [design(f"{name}_c{n}", rng.getrandbits(40)) for n in range(rng.randint(1, 2))]
    text = "".join(kind.text for kind in kinds)
    uses = [(kind.name, kind) for kind in kinds]
    for number in range(rng.randint(8, MOST) - len(kinds)):
        kind = rng.choice(kinds)
        text += f"dp {name}_k{number} : {kind.name}\n"
        uses.append((f"{name}_k{number}", kind))
    return text + _parent(name, uses, rng)


def _parent(name: str, uses: list[tuple[str, Design]], rng: Random) -> str:
    """A datapath whose children get its inputs, slices of them, and outputs of earlier children."""
    inputs = {f"i{n}": _type(rng) for n in range(rng.randint(1, 3))}
    outputs = {f"o{n}": _type(rng) for n in range(rng.randint(1, 3))}
    signals: dict[str, Type] = {}
    registers: dict[str, Type] = {}
    lines = []
    for number, (child, shape) in enumerate(uses):
        names = list(inputs | signals | registers)
        arguments = [_argument(rng, names, inputs) for _ in shape.inputs]
        for output, ty in shape.outputs.items():
            group = registers if rng.random() < 0.2 else signals
            wire = f"c{number}_{output}"
            # Some connections convert.
            group[wire] = ty if rng.random() < 0.7 else _type(rng)
            arguments.append(wire)
        lines.append(f"  use {child}({', '.join(arguments)});")
    names = list(signals | registers)
    for output in outputs:
        terms = " ^ ".join(rng.sample(names, min(len(names), rng.randint(1, 4))))
        lines.append(f"  always {{ {output} = ({terms}) + {rng.choice(list(inputs))}; }}")
    ports = [f"in {port} : {ty}" for port, ty in inputs.items()]
    ports += [f"out {port} : {ty}" for port, ty in outputs.items()]
    declared = [f"  sig {wire} : {ty};" for wire, ty in signals.items()]
    declared += [f"  reg {wire} : {ty};" for wire, ty in registers.items()]
    return "\n".join([f"dp {name}({'; '.join(ports)}) {{", *declared, *lines, "}", ""])


def _argument(rng: Random, names: list[str], inputs: dict[str, Type]) -> str:
    if rng.random() < 0.1:
        return str(rng.getrandbits(8))
    chosen = rng.choice(names)
    if chosen in inputs and rng.random() < 0.3:
        low = rng.randrange(inputs[chosen].width)
        return f"{chosen}[{rng.randrange(low, inputs[chosen].width)}:{low}]"
    return chosen


def _type(rng: Random) -> Type:
    return Type(rng.choice((1, 8, 32, rng.randint(1, 300))), rng.random() < 0.4)
