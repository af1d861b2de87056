"""Makes programs from a seed, with every instruction, jumps at every alignment, and an end."""

from dataclasses import dataclass
from random import Random

from cocrypt.fuzz import irq
from cocrypt.fuzz.encoder import BRANCH, Data, Insn, Item, Label, assemble
from cocrypt.fuzz.endings import ENDINGS, ending
from cocrypt.fuzz.privileged import HANDLER, fragment, handler, prologue
from cocrypt.fuzz.straight import (
    DATA,
    DATA_BASE,
    DATA_SIZE,
    DEVICE_BASE,
    DEVICES,
    FREE,
    LINK,
    LOOP,
    SMALL,
    STACK,
    STACK_OFFSET,
    Features,
    any_register,
    load_value,
    straight,
    value,
)

__all__ = ["DATA_BASE", "DATA_SIZE", "ENDINGS", "Features", "Program", "generate"]


@dataclass(frozen=True)
class Program:
    """A program for address 0. It leaves its results in the data area and in the registers."""

    seed: int
    index: int
    features: Features
    ending: str
    items: tuple[Item, ...]
    labels: dict[str, int]
    image: bytes


def generate(seed: int, index: int, features: Features, ends: str | None = None) -> Program:
    """Make the program of this number and seed: the same arguments give the same bytes.

    `ends` names one of ENDINGS; without it three programs in four write to the exit device.
    """
    writer = Writer(Random(f"cocrypt {seed} {index} {features}"), features)
    ends = ends or writer.pick_ending()
    writer.prologue()
    for _ in range(writer.random.randrange(40, 100)):
        writer.fragment()
    items = writer.finished(ends)
    code, labels = assemble(items)
    return Program(seed, index, features, ends, items, labels, image(code, writer.behind()))


def single(seed: int, name: str, features: Features) -> Program:
    """Make a program of one instruction between others that only set registers, and an exit."""
    writer = Writer(Random(f"cocrypt {seed} {name} {features}"), features)
    writer.prologue()
    writer.only(name)
    items = writer.finished("exit")
    code, labels = assemble(items)
    return Program(seed, 0, features, "exit", items, labels, image(code, writer.behind()))


def image(code: bytes, behind: bytes) -> bytes:
    """The bytes of a program, with the content from HANDLER on."""
    return code.ljust(HANDLER, b"\0") + behind


# The words that a core may prefetch behind the last instruction are always the same.
_BEHIND = (Data(bytes.fromhex("13000000") * 4),)


class Writer:
    """Collects the instructions of one program."""

    def __init__(self, random: Random, features: Features) -> None:
        self.random = random
        self.features = features
        self.items: list[Item] = []
        self._labels = 0

    def pick_ending(self) -> str:
        """Choose an ending."""
        if self.random.random() < 0.75:
            return "exit"
        fits = [name for name, possible in ENDINGS.items() if possible(self.features)]
        return self.random.choice(fits)

    def prologue(self) -> None:
        """Give every register a value."""
        fixed = {
            STACK: DATA_BASE + STACK_OFFSET,
            DEVICES: DEVICE_BASE - (1 << 32),
            DATA: DATA_BASE,
            LOOP: 0,
            LINK: 0,
        }
        for register in range(1, 32):
            number = fixed[register] if register in fixed else value(self.random)
            self.items += load_value(self.random, self.features, register, number)
        if self.features.privileged:
            self.items[:0] = prologue()
        if self.features.irq:
            self.items[:0] = irq.start()
            self.items += irq.prologue(self.random)

    def finished(self, ends: str) -> tuple[Item, ...]:
        """The instructions, with those that end the program."""
        items = [*self.items, *ending(ends, self.random, self.features), *_BEHIND]
        return tuple(irq.named_for(items, self.features.irq) if self.features.irq else items)

    def behind(self) -> bytes:
        """The handler, if there is one, and the data."""
        data = self.random.randbytes(DATA_SIZE)
        code = handler(self.random) if self.features.privileged else b""
        if self.features.irq:
            code = irq.handler(self.random, self.features.irq)
        return code.ljust(DATA_BASE - HANDLER, b"\0") + data

    def fragment(self) -> None:
        """Add a few random instructions, or a jump or loop around some."""
        if self.features.privileged and self.random.random() < 0.25:
            self.align()
            self.items += fragment(self.random, self.features.privileged, self.label())
            return
        if self.features.irq and self.random.random() < 0.25:
            self.align()
            self.items += irq.fragment(self.random, self.features.irq, self.label())
            return
        kind = self.random.randrange(10)
        if kind < 5:
            self.filler(1, 4)
        elif kind < 7:
            self.branch()
        elif kind == 7:
            self.loop()
        elif kind == 8:
            self.jump()
        else:
            self.jump_register()

    def only(self, name: str) -> None:
        """Add fragments until one holds the instruction; keep only that fragment.

        Raises ValueError for an instruction that no fragment has, as those that end a program.
        """
        start = len(self.items)
        for _ in range(100_000):
            self.fragment()
            if any(isinstance(item, Insn) and item.name == name for item in self.items[start:]):
                return
            del self.items[start:]
        raise ValueError(f"no fragment has the instruction {name}")

    def filler(self, least: int, most: int) -> None:
        """Instructions that do not jump."""
        for _ in range(self.random.randint(least, most)):
            self.items += straight(self.random, self.features)

    def align(self) -> None:
        """Add half a word now and then, so that every form occurs at both alignments."""
        if self.features.compressed and self.random.random() < 0.4:
            self.items.append(Insn("c.nop"))

    def branch(self) -> None:
        """Add a forward branch, sometimes of a register with itself."""
        self.align()
        end = self.label()
        if self.features.compressed and self.random.random() < 0.4:
            name = self.random.choice(("c.beqz", "c.bnez"))
            self.items.append(Insn(name, rs1=self.random.choice(SMALL), target=end))
        else:
            rs1, rs2 = any_register(self.random), any_register(self.random)
            rs2 = rs1 if self.random.random() < 0.3 else rs2
            name = self.random.choice(list(BRANCH))
            self.items.append(Insn(name, rs1=rs1, rs2=rs2, target=end))
        self.filler(0, 3)
        self.align()
        self.items.append(Label(end))
        self.filler(1, 2)

    def loop(self) -> None:
        """Add a loop: a short body, executed at most six times."""
        rounds = self.random.randint(1, 6)
        self.items += load_value(self.random, self.features, LOOP, rounds)
        self.align()
        top = self.label()
        self.items.append(Label(top))
        self.filler(0, 3)
        if self.random.random() < 0.3:
            self.branch()
        self.items.append(Insn("addi", rd=LOOP, rs1=LOOP, imm=-1))
        self.align()
        self.items.append(Insn("bne", rs1=LOOP, target=top))

    def jump(self) -> None:
        """Add a jump forward over items that are never executed."""
        self.align()
        end = self.label()
        names = ("jal", "jal", "c.j", "c.jal") if self.features.compressed else ("jal",)
        name = self.random.choice(names)
        rd = self.random.choice((0, *FREE)) if name == "jal" else 0
        self.items.append(Insn(name, rd=rd, target=end))
        self.never()
        self.items.append(Label(end))
        self.filler(1, 2)

    def jump_register(self) -> None:
        """Add a jump to a computed address, written once the distance is known."""
        self.align()
        names = ("jalr", "jalr", "c.jr", "c.jalr") if self.features.compressed else ("jalr",)
        name = self.random.choice(names)
        between, self.items = self.items, []
        self.never()
        skipped, self.items = self.items, between
        distance = sum(item.size for item in skipped if not isinstance(item, Label))
        self.items.append(Insn("auipc", rd=LINK))
        if name == "jalr":
            # The lowest bit of the sum does not count.
            odd = self.random.randrange(2)
            rd = self.random.choice((0, LINK, *FREE))
            self.items.append(Insn("jalr", rd=rd, rs1=LINK, imm=8 + distance + odd))
        else:
            self.items.append(Insn("addi", rd=LINK, rs1=LINK, imm=10 + distance))
            self.items.append(Insn(name, rs1=LINK))
        self.items += skipped
        self.filler(1, 2)

    def never(self) -> None:
        """Add items that a jump skips: instructions, or bytes that are none."""
        if self.random.random() < 0.3:
            unit = 2 if self.features.compressed else 4
            self.items.append(self.bytes(unit * self.random.randint(1, 4)))
        else:
            self.filler(0, 3)
            self.align()

    def bytes(self, size: int) -> Data:
        """Make bytes without a word that the core executes and its model does not know."""
        while True:
            content = self.random.randbytes(size)
            words = [int.from_bytes(content[at : at + 4], "little") for at in range(0, size, 4)]
            unmodelled = self.features.unmodelled
            if not any(word & mask == bits for word in words for mask, bits in unmodelled):
                return Data(content)

    def label(self) -> str:
        """Make a new label's name."""
        self._labels += 1
        return f"l{self._labels}"
