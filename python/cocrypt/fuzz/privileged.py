"""Exceptions, interrupts, and control and status registers in generated programs.

Programs have one handler, behind their code: it skips an exception's instruction, and switches the
timer off that interrupted. The comparison covers the values that it leaves in registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.fuzz.encoder import ACCESS, CSR, Data, Insn, Item, Label, assemble

if TYPE_CHECKING:
    from random import Random

HANDLER = 0xFE00
"""The address of the handler's jump table, which every core accepts."""

DEVICES, DATA = 4, 9
TIMER, COMPARE = 0x40, 0x48
CAUSE, SCRATCH = 30, 31
"""Registers that the handler changes."""

MIE_TIMER = 0x80
MSTATUS_MIE = 8
_TIMER_ENTRY = 7

SHADOW = 3
"""Instructions behind a load after which a core that replays it no longer affects them."""

ILLEGAL = (0xFFFF_FFFF, 0x0000_007F, 0x0000_3003, 0x0000_2063)
"""Words that encode no instruction: an unused opcode, ld, a branch with an unused funct3."""


_ILLEGAL = tuple(Data(word.to_bytes(4, "little")) for word in ILLEGAL)


@dataclass(frozen=True)
class Privileged:
    """The parts of the privileged architecture that a core has."""

    readable: tuple[str, ...]
    """Registers whose value in these programs the model knows."""
    writable: tuple[str, ...]
    """Registers that any program may write."""
    exceptions: tuple[str, ...]
    """Of `ecall`, `ebreak`, `illegal`, `unaligned`."""
    illegal: tuple[int, ...] = ILLEGAL
    """Words that encode no instruction."""
    interrupts: bool = True
    """True if the timer may interrupt."""
    returns: bool = True
    """True if programs return to addresses that raised no exception."""


def handler(random: Random) -> bytes:
    """The handler's code, with the table in front of it."""
    table: list[Item] = []
    for entry in range(_TIMER_ENTRY + 1):
        target = "timer" if entry == _TIMER_ENTRY else "exception"
        table.append(Insn("jal", target=target))
    items = [
        *table,
        Label("exception"),
        Insn("csrrs", rd=CAUSE, imm=CSR["mcause"]),
        Insn("blt", rs1=CAUSE, target="timer"),
        *(Insn("addi", rd=CAUSE, rs1=CAUSE, imm=1) for _ in range(random.randrange(3))),
        Insn("csrrs", rd=SCRATCH, imm=CSR["mepc"]),
        Insn("addi", rd=SCRATCH, rs1=SCRATCH, imm=4),
        Insn("csrrw", rs1=SCRATCH, imm=CSR["mepc"]),
        Insn("mret"),
        Label("timer"),
        Insn("addi", rd=SCRATCH, imm=-1),
        Insn("sw", rs1=DEVICES, rs2=SCRATCH, imm=COMPARE + 4),
        *(Insn("addi", rd=CAUSE, rs1=CAUSE, imm=1) for _ in range(random.randrange(3))),
        Insn("csrrs", rd=SCRATCH, imm=CSR["mepc"]),
        Insn("mret"),
        Data(bytes.fromhex("13000000") * 4),
    ]
    return assemble(items, HANDLER)[0]


def prologue() -> list[Item]:
    """Set the handler's address."""
    return [
        Insn("lui", rd=SCRATCH, imm=HANDLER + 0x800 >> 12),
        Insn("addi", rd=SCRATCH, rs1=SCRATCH, imm=(HANDLER + 0x800 & 0xFFF) - 0x800),
        Insn("csrrw", rs1=SCRATCH, imm=CSR["mtvec"]),
    ]


def fragment(random: Random, core: Privileged, label: str) -> list[Item]:
    """A random fragment of these kinds; `label` is a name that is not used elsewhere."""
    kind = random.randrange(12)
    if kind < 4:
        return [_access(random, core)]
    if kind < 7 and core.exceptions:
        exception = _exception(random, core)
        is_defined = isinstance(exception, Insn) or exception in _ILLEGAL
        # The others, whose effects differ by core, must not come in the shadow of a load.
        return [exception] if is_defined else [*[Insn("addi")] * SHADOW, exception]
    if kind < 9 and core.interrupts:
        return alarm(random)
    if kind < 11 or not core.returns:
        return _switch(random)
    return _return(label)


def _access(random: Random, core: Privileged) -> Insn:
    name = random.choice(ACCESS)
    rs1 = random.choice((0, 0, random.randrange(32)))
    is_read = rs1 == 0 and not name.startswith("csrrw")
    register = random.choice(core.readable if is_read else core.writable)
    if register not in core.readable:
        return Insn(name, rs1=rs1, imm=CSR[register])
    return Insn(name, rd=random.choice((0, *_FREE)), rs1=rs1, imm=CSR[register])


def _exception(random: Random, core: Privileged) -> Item:
    match random.choice(core.exceptions):
        case "illegal":
            return Data(random.choice(core.illegal).to_bytes(4, "little"))
        case "unaligned":
            name, imm = random.choice((("lw", 1), ("lw", 2), ("lh", 3), ("sw", 3), ("sh", 1)))
            rd, rs2 = (random.choice(_FREE), 0) if name[0] == "l" else (0, random.choice(_FREE))
            return Insn(name, rd=rd, rs1=DATA, rs2=rs2, imm=64 + imm)
        case name:
            return Insn(name)


def alarm(random: Random) -> list[Item]:
    """Set the timer to a cycle that comes soon."""
    scale = random.choice((16, 128, 1024))
    return [
        Insn("lw", rd=SCRATCH, rs1=DEVICES, imm=TIMER),
        Insn("addi", rd=SCRATCH, rs1=SCRATCH, imm=random.randrange(scale)),
        Insn("sw", rs1=DEVICES, imm=COMPARE + 4),
        Insn("sw", rs1=DEVICES, rs2=SCRATCH, imm=COMPARE),
    ]


def _switch(random: Random) -> list[Item]:
    """Switch interrupts on, or off now and then."""
    if random.random() < 0.4:
        enable = Insn("addi", rd=SCRATCH, imm=MIE_TIMER)
        return [enable, Insn("csrrs", rs1=SCRATCH, imm=CSR["mie"])]
    name = "csrrci" if random.random() < 0.2 else "csrrsi"
    return [Insn(name, rs1=MSTATUS_MIE, imm=CSR["mstatus"])]


def _return(label: str) -> list[Item]:
    """Continue with the next instruction by `mret`."""
    return [
        Insn("auipc", rd=SCRATCH),
        Insn("addi", rd=SCRATCH, rs1=SCRATCH, imm=16),
        Insn("csrrw", rs1=SCRATCH, imm=CSR["mepc"]),
        Insn("mret"),
        Label(label),
    ]


_FREE = tuple(n for n in range(1, 32) if n not in {2, 3, DEVICES, 5, DATA})
