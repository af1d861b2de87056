"""Random instructions of RL78 on random states, for the GNU simulator and our reference evaluator.

test_rl78_sim.py compares both. `python rl78_campaign.py HARNESS FOLDER` records what the simulator
prints, with which it compares where there is none; HARNESS is `tests/python/rl78/sim.c`, linked
with the simulator's objects (docs/timing-rl78.md).
"""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from host import ROOT
from rust_examples import example, output

CORES = {
    "rl78-g10": ("rl78-s1", "g10"),
    "rl78-g13": ("rl78-s2", "g13"),
    "rl78-g14": ("rl78-s3", "g14"),
}
"""Devices, their cores, and the simulator's names of them."""
RECORDED = 3_000
"""States of each device whose outcome is recorded."""
SLOTS, FIRST, SLOT = 2_000, 0x8000, 16
"""Instructions of a program, the address of the first one, and bytes from one to the next."""
PORTION = 20_000
"""Instructions that are compared at a time."""
DUMMY = "55667788"
"""Bytes behind a form from which its operands are recognised."""
CORNERS = [0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xF0, 0xFE, 0xFF]
LEFT_OUT = {"halt", "stop", "brk", "brk1", "callt", "movs", "cmps", "mach"}
"""Instructions that stop the run, or whose rule the simulator lacks (docs/timing-rl78.md)."""
PLAIN_SFR = (0x20, 0x22, 0x40, 0x60, 0xF0, 0xF2)
"""Special function registers that are memory in the simulator, and the accumulator of S3."""
PAIRS = ("ax", "bc", "de", "hl")
FIELDS = ("pc", "psw", "sp", "es", "cs", "accumulator", "registers", "ram", "cycles")
HALF_CARRY = 0x10


LIBRARIES = ("rl78.o", "cpu.o", "mem.o", "libopcodes.a", "libbfd.a", "libiberty.a")
"""Files of the simulator that harnesses are linked with."""


def harness(name: str, simulator: Path, folder: Path) -> Path:
    """Builds a program in C that drives the simulator, whose folder is that of its part."""
    program, source = folder / name, ROOT / f"tests/python/rl78/{name}.c"
    objects = [simulator / "lib" / library for library in LIBRARIES]
    subprocess.run(["cc", "-O2", "-o", program, source, *objects, "-lz"], check=True)
    return program


@dataclass(frozen=True)
class Form:
    """A form of an instruction: its first bytes, and its text with dummy operands."""

    head: bytes
    text: str

    @property
    def name(self) -> str:
        return self.text.split(" ")[0]

    @property
    def operands(self) -> list[str]:
        return self.text.partition(" ")[2].split(", ")

    @property
    def is_word(self) -> bool:
        return self.name in ("movw", "addw", "subw", "cmpw", "incw", "decw")


@dataclass
class State:
    """A state before an instruction."""

    psw: int
    sp: int
    es: int
    cs: int
    accumulator: int
    registers: bytearray
    seed: int

    @property
    def bank(self) -> int:
        return 8 * ((self.psw >> 3 & 1) | (self.psw >> 5 & 1) << 1)

    def set_pair(self, low: int, value: int) -> None:
        self.registers[self.bank + low : self.bank + low + 2] = (value & 0xFFFF).to_bytes(
            2, "little"
        )


def heads() -> list[bytes]:
    pages = [b"", b"\x61", b"\x71", b"\x31"]
    special = [bytes([0xCE, 0xFB, kind]) for kind in (1, 2, 3, 5, 6, 11)]
    plain = [page + bytes([byte]) for page in pages for byte in range(256)]
    heads = [head for head in plain if head not in pages] + special
    return heads + [b"\x11" + head for head in plain]


def forms(core: str) -> dict[str, list[Form]]:
    """The forms of a core that both sides define, by mnemonic."""
    tried = heads()
    lines = "".join(f"{head.hex()}{DUMMY}\n" for head in tried)
    texts = output([example("rl78_disassembly"), core], text=lines).splitlines()
    found: dict[str, list[Form]] = {}
    for head, text in zip(tried, texts, strict=True):
        form = Form(head, text.partition(" ")[2])
        status = form.name in ("push", "pop") and form.operands == ["psw"]
        if text and form.name not in LEFT_OUT and not status:
            found.setdefault(form.name, []).append(form)
    return found


def address(core: str, random: Random, form: Form, es: int) -> int:
    """The lower 16 bits of an address that an instruction may access."""
    kind, step = random.random(), 2 if form.is_word else 1
    if es == 0 or kind < 0.25:
        return random.randrange(0x1000, 0x7FF0, step)
    first = 0xFEF8 if core == "rl78-s1" else 0xFEE0
    if kind < 0.4:
        return random.randrange(first, 0xFF00, step)
    return random.randrange(0xF900, 0xFE00, step)


def sfr(random: Random, form: Form) -> int:
    if form.is_word:
        return random.choice([*PLAIN_SFR, 0xF8])
    return random.choice([*PLAIN_SFR, 0xFA, 0xFA, 0xFC, 0xFD])


def saddr(core: str, random: Random, form: Form) -> int:
    kind, step = random.random(), 2 if form.is_word else 1
    first = 0xF8 if core == "rl78-s1" else 0xE0
    return (
        random.randrange(first, 0x100, step) if kind < 0.3 else random.randrange(0x20, 0xE0, step)
    )


def constants(core: str, random: Random, form: Form, state: State) -> bytes:
    """The bytes of the operands; pointers in the state lead to memory that may be accessed."""
    data = b""
    es = state.es if form.head[0] == 0x11 else 15
    for operand in form.operands:
        text = operand.removeprefix("es:")
        target = address(core, random, form, es)
        if text.startswith("$") or (form.name in ("br", "call") and text.startswith("!")):
            data += jump(random, text)
        elif text.startswith("!"):
            data += target.to_bytes(2, "little")
        elif text.startswith("0xffe"):
            data += bytes([saddr(core, random, form)])
        elif text.startswith("0xfff"):
            data += bytes([sfr(random, form)])
        elif text.startswith("#0x"):
            data += random.randrange(1 << 16).to_bytes(2, "little")
        elif text.startswith("#"):
            data += bytes([random.randrange(256)])
        else:
            data += pointer(random, form, state, text, target)
    return data


def jump(random: Random, text: str) -> bytes:
    """The bytes of the target of a jump."""
    size = {"!!": 3, "$!": 2}.get(text[:2], 1 if text[0] == "$" else 2)
    last = (1 << 20) - 1 if size == 3 else (1 << 8 * size) - 1
    return random.randint(1, last).to_bytes(size, "little")


def pointer(random: Random, form: Form, state: State, text: str, target: int) -> bytes:
    """The bytes of an operand in memory at a pointer, which leads there."""
    displacement = random.randrange(0, 256, 2 if form.is_word else 1)
    registers, bank = state.registers, state.bank
    if match := re.match(r"\[(de|hl)(\+\d+)?\]", text):
        shown = bytes([displacement]) if match[2] else b""
        state.set_pair(4 if match[1] == "de" else 6, target - (displacement if shown else 0))
        return shown
    if match := re.match(r"\[hl\+([bc])\]", text):
        index = registers[bank + (3 if match[1] == "b" else 2)]
        state.set_pair(6, target - index)
        return b""
    if text.startswith("[sp+"):
        state.sp = 0xF900 + random.randrange(0, 0x400, 2)
        return bytes([displacement])
    if match := re.match(r"\d+\[(bc|b|c)\]", text):
        if match[1] == "bc":
            state.set_pair(2, random.randrange(0x1000))
        low, high = registers[bank + 2 : bank + 4]
        index = {"b": high, "c": low, "bc": high << 8 | low}[match[1]]
        return ((target - index) & 0xFFFF).to_bytes(2, "little")
    return b""


def state(core: str, random: Random) -> State:
    registers = bytearray(
        random.choice(CORNERS) if random.random() < 0.3 else random.randrange(256)
        for _ in range(32)
    )
    banks = 0xD7 if core == "rl78-s1" else 0xFF
    return State(
        psw=random.randrange(256) & banks,
        sp=random.randrange(0xF900, 0xFE00, 2),
        es=random.choice((0, 15, 15)),
        cs=random.choice((0, 0, 1, 15)),
        accumulator=random.choice((0, random.randrange(1 << 32), 0xFFFF_FFFF)),
        registers=registers,
        seed=random.randrange(1 << 16),
    )


def fitted(random: Random, form: Form, data: bytes, before: State) -> bytes:
    """Stack pointers are even, and return addresses are addresses."""
    if form.name in ("ret", "reti", "retb"):
        before.sp = 0xFEF8
        before.registers[2] &= 15
        before.registers[0] |= 1
    if form.name in ("br", "call") and form.operands[0] in PAIRS:
        # The simulator stops at a jump to address 0.
        before.registers[before.bank + 2 * PAIRS.index(form.operands[0])] |= 1
    if form.name in ("addw", "subw") and form.operands[0] == "sp":
        return bytes([random.randrange(0, 128, 2)])
    if form.name in ("movw", "xchw") and data[:1] == b"\xf8":
        before.registers[before.bank] &= 0xFE
        return data[:1] + (bytes([data[1] & 0xFE]) + data[2:] if len(data) > 1 else b"")
    return data


def slot(core: str, random: Random, known: dict[str, list[Form]]) -> tuple[bytes, State]:
    """An instruction, another behind it that it may skip, and a state."""
    before = state(core, random)
    form = random.choice(known[random.choice(sorted(known))])
    data = fitted(random, form, constants(core, random, form, before), before)
    behind = random.choice(known[random.choice(sorted(known))])
    skipped = behind.head + constants(core, random, behind, state(core, random))
    return (form.head + data + skipped + bytes(SLOT))[:SLOT], before


def commands(device: str, seed: str, states: int) -> tuple[str, list[bytes]]:
    """The commands of both sides, and the instructions."""
    core, random = CORES[device][0], Random(f"{device} {seed}")
    known, text, code = forms(core), "", []
    for first in range(0, states, SLOTS):
        slots = [slot(core, random, known) for _ in range(min(SLOTS, states - first))]
        image = random.randbytes(FIRST) + b"".join(insn for insn, _ in slots) + bytes(16)
        text += f"p {image.hex()}\n"
        for place, (insn, before) in enumerate(slots):
            numbers = (FIRST + SLOT * place, before.psw, before.sp, before.es, before.cs)
            state_words = " ".join(f"{number:x}" for number in (*numbers, before.accumulator))
            text += f"s {state_words} {before.registers.hex()} {before.seed:x}\nr 1\n"
            code.append(insn)
    return text, code


def further(text: str) -> int:
    """Cycles that the simulator does not count, by rules of the manual (docs/timing-rl78.md)."""
    name, _, operands = text.partition(" ")
    first, _, second = operands.partition(", ")
    cycles = int("es:" in text)
    if name == "mov" and first == "psw":
        return cycles + 2
    if name in ("ei", "di") or (name in ("set1", "clr1", "mov1") and first.startswith("psw.")):
        return cycles + 3
    if name in ("set1", "clr1", "mov1") and first != "cy" and not first.startswith("a."):
        return cycles + 1
    if name == "xch" and second != "x":
        return cycles + 1
    return cycles + (5 if name in ("reti", "retb") else 0)


def comparable(line: str) -> list[str]:
    """The fields of a line of output, without what one side leaves open."""
    fields = line.split()
    if len(fields) == len(FIELDS):
        fields[1] = f"{int(fields[1], 16) & ~HALF_CARRY:02x}"
        fields[3], fields[4] = (f"{int(field, 16) & 15:x}" for field in fields[3:5])
    return fields


def differences(device: str, code: list[bytes], ours: list[str], theirs: list[str]) -> list[str]:
    """The instructions after which both sides differ."""
    lines = "".join(f"{insn.hex()}\n" for insn in code)
    texts = output([example("rl78_disassembly"), CORES[device][0]], text=lines).splitlines()
    found = []
    for text, our_line, their_line in zip(texts, ours, theirs, strict=True):
        name, our, their = text.partition(" ")[2], comparable(our_line), comparable(their_line)
        if device == "rl78-g10":
            # The simulator counts cycles of S1 as of the others.
            our[-1:], their[-1:] = [], []
        elif len(their) == len(FIELDS):
            their[-1] = str(int(their[-1]) + further(name))
        if our != their:
            pairs = zip(FIELDS, our, their, strict=False)
            wrong = [f"{field} {one} {two}" for field, one, two in pairs if one != two]
            found.append(f"{name}: {'; '.join(wrong) or their_line}")
    return found


def evaluated(device: str, text: str, *, optimised: bool = False) -> list[str]:
    program = example("rl78_evaluate", optimised=optimised)
    return output([program, ROOT / "devices" / f"{device}.toml"], text=text).splitlines()


def simulated(harness: Path, device: str, text: str) -> list[str]:
    lines = output([harness, CORES[device][1]], text=text).splitlines()
    return [line for line in lines if not line.startswith("Warning")]


def recorded(folder: Path, device: str) -> list[str]:
    return lzma.decompress((folder / f"{device}.txt.xz").read_bytes()).decode().splitlines()


def compared(device: str, count: int, harness: Path) -> list[str]:
    """The instructions, of `count` other than the recorded ones, after which both sides differ."""
    found: list[str] = []
    for first in range(0, count, PORTION):
        text, code = commands(device, f"further {first}", min(PORTION, count - first))
        theirs = simulated(harness, device, text)
        ours = evaluated(device, text, optimised=count > PORTION)
        found += differences(device, code, ours, theirs)
    return found


def main() -> None:
    """Records what the simulator prints."""
    harness, folder = map(Path, sys.argv[1:])
    for device in CORES:
        text, _ = commands(device, "0", RECORDED)
        lines = "".join(f"{line}\n" for line in simulated(harness, device, text))
        (folder / f"{device}.txt.xz").write_bytes(lzma.compress(lines.encode(), preset=9))


if __name__ == "__main__":
    main()
