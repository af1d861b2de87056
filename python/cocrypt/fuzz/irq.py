"""PicoRV32's own interrupts in generated programs.

Programs have one handler: it leaves the requests and the return address in registers, switches the
system's timer off, and returns, now and then with another mask.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt.fuzz.encoder import OWN, Data, Insn, Item, Label, assemble
from cocrypt.fuzz.privileged import (
    CAUSE,
    COMPARE,
    DATA,
    DEVICES,
    HANDLER,
    ILLEGAL,
    SCRATCH,
    alarm,
)

if TYPE_CHECKING:
    from random import Random

VECTOR = 0x10
"""The address at which the core takes an interrupt (PROGADDR_IRQ)."""

EXCEPTIONS = 0x6
"""Mask of the exceptions' interrupts, without which they stop the core."""


@dataclass(frozen=True)
class Irq:
    """The core's interrupt hardware."""

    registers: bool
    """q0 to q3; without them the handler gets its arguments in x3 and x4."""
    timer: bool
    """The timer within the core."""

    def knows(self, name: str) -> bool:
        """Returns whether the core has one of these instructions."""
        if name in {"getq", "setq"}:
            return self.registers
        return self.timer if name == "timer" else name in OWN


def start() -> list[Item]:
    """The code from address 0 on: a jump around the jump to the handler."""
    return [
        Insn("jal", target="start"),
        Data(bytes.fromhex("13000000") * (VECTOR // 4 - 1)),
        Insn("jal", imm=HANDLER - VECTOR),
        Label("start"),
    ]


def handler(random: Random, core: Irq) -> bytes:
    """The handler's code, for HANDLER."""
    arguments = (
        [Insn("getq", rd=CAUSE, rs1=1), Insn("getq", rd=SCRATCH, rs1=0)]
        if core.registers
        else [Insn("addi", rd=CAUSE, rs1=_INSTEAD[1]), Insn("addi", rd=SCRATCH, rs1=_INSTEAD[0])]
    )
    items: list[Item] = [
        *arguments,
        Insn("sw", rs1=DATA, rs2=CAUSE, imm=random.randrange(16) * 4),
        Insn("sw", rs1=DATA, rs2=SCRATCH, imm=random.randrange(16) * 4),
        *(Insn("addi", rd=CAUSE, rs1=CAUSE, imm=1) for _ in range(random.randrange(4))),
    ]
    if core.registers and random.random() < 0.5:
        items += [Insn("setq", rd=2, rs1=CAUSE), Insn("getq", rd=CAUSE, rs1=random.randrange(4))]
    items += [
        Insn("addi", rd=SCRATCH, imm=-1),
        Insn("sw", rs1=DEVICES, rs2=SCRATCH, imm=COMPARE + 4),
    ]
    if core.timer and random.random() < 0.3:
        # An interrupt that comes while the handler runs, or right behind it.
        items += [
            Insn("addi", rd=CAUSE, imm=random.randrange(24)),
            Insn("timer", rd=CAUSE, rs1=CAUSE),
            Insn("addi", rd=SCRATCH, imm=random.choice((1, 1, 0))),
            Insn("maskirq", rd=SCRATCH, rs1=SCRATCH),
        ]
    items += [Insn("retirq"), Data(bytes.fromhex("13000000") * 4)]
    return assemble(named_for(items, core), HANDLER)[0]


def prologue(random: Random) -> list[Item]:
    """Enable interrupts, mostly."""
    mask = random.choice((0, 0, 0, 1, 0x80))
    return [Insn("addi", rd=SCRATCH, imm=mask), Insn("maskirq", rs1=SCRATCH)]


def fragment(random: Random, core: Irq, label: str) -> list[Item]:
    """A random fragment of these kinds; `label` is a name that is not used elsewhere."""
    kind = random.randrange(12)
    if kind < 3:
        return [_exception(random)]
    if kind < 6:
        return alarm(random)
    if kind < 8 and core.timer:
        return _count(random)
    if kind == 8:
        return _wait(random, core)
    if kind == 9 and core.registers:
        return _own(random)
    if kind == 10 and core.registers:
        return _return(label)
    return _mask(random)


def named_for(items: list[Item], core: Irq) -> list[Item]:
    """Use other registers than those in which a core without q0 passes the handler's arguments."""
    if core.registers:
        return items
    names = {_ADDRESS: _INSTEAD[0], _REASON: _INSTEAD[1]}
    names |= {new: old for old, new in names.items()}

    def renamed(insn: Insn) -> Insn:
        rd, rs1, rs2 = (names.get(number, number) for number in (insn.rd, insn.rs1, insn.rs2))
        return replace(insn, rd=rd, rs1=rs1, rs2=rs2)

    return [renamed(item) if isinstance(item, Insn) else item for item in items]


def _exception(random: Random) -> Item:
    match random.randrange(4):
        case 0:
            return Data(random.choice(ILLEGAL).to_bytes(4, "little"))
        case 1:
            return Insn(random.choice(("ebreak", "ecall")))
        case _:
            cases = (("lw", 1), ("lw", 2), ("lh", 3), ("lhu", 1), ("sw", 3), ("sw", 2), ("sh", 1))
            name, imm = random.choice(cases)
            rd, rs2 = (random.choice(_FREE), 0) if name[0] == "l" else (0, random.choice(_FREE))
            return Insn(name, rd=rd, rs1=DATA, rs2=rs2, imm=64 + imm)


def _count(random: Random) -> list[Item]:
    """Set the core's timer, or read the rest of it."""
    scale = random.choice((1, 16, 128, 1024))
    return [
        Insn("addi", rd=SCRATCH, imm=random.randrange(scale)),
        Insn("timer", rd=random.choice((0, *_FREE)), rs1=SCRATCH),
    ]


def _wait(random: Random, core: Irq) -> list[Item]:
    """Wait for the core's timer, while it is masked, so that no handler clears it."""
    if not core.timer:
        return _mask(random)
    wakes = [
        Insn("addi", rd=SCRATCH, imm=-1 - EXCEPTIONS),
        Insn("maskirq", rs1=SCRATCH),
        Insn("addi", rd=SCRATCH, imm=random.randrange(1, random.choice((4, 64)))),
        Insn("timer", rs1=SCRATCH),
    ]
    waits = Insn("waitirq", rd=random.choice((0, *_FREE)))
    return [*wakes, waits, *(Insn("maskirq") for _ in range(random.randrange(2)))]


def _own(random: Random) -> list[Item]:
    number = random.randrange(4)
    if random.random() < 0.5:
        return [Insn("setq", rd=number, rs1=random.randrange(32))]
    return [Insn("getq", rd=random.choice((0, *_FREE)), rs1=number)]


def _return(label: str) -> list[Item]:
    """Continue behind `retirq`; no interrupt may come in between, which would change q0."""
    return [
        Insn("addi", rd=SCRATCH, imm=-1),
        Insn("maskirq", rd=CAUSE, rs1=SCRATCH),
        Insn("auipc", rd=SCRATCH),
        Insn("addi", rd=SCRATCH, rs1=SCRATCH, imm=16),
        Insn("setq", rd=0, rs1=SCRATCH),
        Insn("retirq"),
        Label(label),
        Insn("maskirq", rs1=CAUSE),
    ]


def _mask(random: Random) -> list[Item]:
    """Mask or enable the requests of lines; read the mask."""
    mask = random.choice((0, 0, 1, 0x80, 0x81, -1 - EXCEPTIONS))
    rd = random.choice((0, *_FREE))
    return [Insn("addi", rd=SCRATCH, imm=mask), Insn("maskirq", rd=rd, rs1=SCRATCH)]


_ADDRESS, _REASON = 3, 4
_INSTEAD = (6, 7)
_FREE = tuple(n for n in range(1, 32) if n not in {2, 3, DEVICES, 5, DATA})
