"""Writes encodings of A32 and their assembly, as GNU binutils have them, to standard output.

Each line is the first version of the architecture that has the instruction, by the assembler's
word, the 32-bit word, and the disassembler's text. In that, whitespace is one blank, targets are
absolute as from address 0x200000, constants are not split into byte and rotation, and what the
decoded form does not keep is left out: comments, the address of `pld`, the number of `udf`.

    cd crates/isa-arm/tests && python encodings.py > a32.txt
"""

import itertools
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

PC = 0x200000
VERSIONS = {"v4": "armv4", "v4t": "armv4t", "v5te": "armv5te"}
CONDITIONS = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]
SHIFTS = ["lsl", "lsr", "asr", "ror"]
RNG = random.Random(4)


HEAD = """\
# A32: the first version that has it, a 32-bit word in hexadecimal, then its assembly.
# Made with GNU binutils 2.40 by encodings.py, which says what is left out; pc is 0x200000."""


def main() -> None:
    """Assembles with each version what the earlier ones refused."""
    print(HEAD)
    lines = [fill(template) for template in templates()]
    pending = list(dict.fromkeys(lines))
    for version, march in VERSIONS.items():
        accepted, pending = assembled(pending, march)
        for word, text in disassembled(accepted, march):
            print(version, word, text)
    assert not pending, pending


def templates() -> Iterator[str]:
    """Assembly with fields in braces, a few lines for each instruction."""
    yield from processing()
    yield from products()
    yield from accesses()
    yield from multiples()
    yield from branches()
    yield from system()


def processing() -> Iterator[str]:
    """Data processing."""
    operands = ["{imm}", "{e}", "{e}, {shift}", "{e}, {by} {f}", "{e}, rrx"]
    for name in ["and", "eor", "sub", "rsb", "add", "adc", "sbc", "rsc", "orr", "bic"]:
        yield from (f"{name}{{s}}{{c}} {{a}}, {{b}}, {operand}" for operand in operands)
    for name in ["tst", "teq", "cmp", "cmn", "mov{s}", "mvn{s}"]:
        yield from (f"{name}{{c}} {{a}}, {operand}" for operand in operands)
    for name in SHIFTS:
        yield from (f"{name}{{s}}{{c}} {{a}}, {{b}}, {operand}" for operand in ("#7", "{e}"))
    yield from ("lsr {a}, {b}, #32", "asrs {a}, {b}, #32", "rrx{s}{c} {a}, {b}", "mov{c} {a}, {b}")
    yield from ("movs pc, lr", "subs pc, lr, #4", "mov pc, {a}", "add pc, pc, {a}, lsl #2")
    yield from ("add {a}, pc, #92", "sub {a}, pc, #8", "add sp, sp, #16", "mov {a}, #1, 30")
    yield from (
        "mov {a}, #0x80000000",
        "cmp pc, {a}",
        "mvn {a}, #255",
        "mov {a}, #0, 8",
        "tst sp, pc",
    )


def products() -> Iterator[str]:
    """Products, saturating sums, `clz`."""
    for name in ["mul{s}", "smulbb", "smulbt", "smultb", "smultt", "smulwb", "smulwt"]:
        yield from [f"{name}{{c}} {{a}}, {{b}}, {{e}}"] * 2
    names = "mla{s} umull{s} umlal{s} smull{s} smlal{s} smlabb smlabt smlatb smlatt smlawb smlawt"
    for name in (names + " smlalbb smlalbt smlaltb smlaltt").split():
        yield from [f"{name}{{c}} {{a}}, {{b}}, {{e}}, {{f}}"] * 2
    for name in ["qadd", "qsub", "qdadd", "qdsub"]:
        yield from [f"{name}{{c}} {{a}}, {{b}}, {{e}}"] * 2
    yield from ["clz{c} {a}, {b}"] * 2


def accesses() -> Iterator[str]:
    """Loads and stores of one or two registers, `swp`, `pld`."""

    def indexed(name: str, *offsets: str) -> Iterator[str]:
        for offset in offsets:
            yield f"{name}{{c}} {{a}}, [{{b}}, {offset}]"
            yield f"{name}{{c}} {{a}}, [{{b}}, {offset}]!"
            yield f"{name}{{c}} {{a}}, [{{b}}], {offset}"

    for name in ["ldr", "str", "ldrb", "strb"]:
        yield from indexed(name, "#{n12}", "{sign}{e}", "{sign}{e}, {shift}", "{sign}{e}, rrx")
        yield f"{name}t{{c}} {{a}}, [{{b}}], #{{n12}}"
        yield f"{name}t{{c}} {{a}}, [{{b}}], {{sign}}{{e}}, {{shift}}"
        yield from (
            f"{name} {{a}}, [{{b}}]",
            f"{name} {{a}}, [sp, #4]!",
            f"{name} {{a}}, [sp, #-4]",
        )
    for name in ["ldrh", "strh", "ldrsb", "ldrsh"]:
        yield from indexed(name, "#{n8}", "{sign}{e}")
    for name in ["ldrd", "strd"]:
        yield from (line.replace("{a}", "{even}") for line in indexed(name, "#{n8}", "{sign}{e}"))
    for name in ["ldr", "ldrb", "ldrh", "ldrsb", "ldrsh"]:
        yield f"{name} {{a}}, [pc, #{{n8}}]"
    yield from ("ldrd {even}, [pc, #8]", "ldr pc, [pc, #-4]", "ldr pc, [{a}], #4", "str pc, [{a}]")
    yield from (
        "ldr pc, [pc, {a}, lsl #2]",
        "push{c} {{{a}}}",
        "pop{c} {{{a}}}",
        "ldr pc, [sp], #4",
    )
    yield from ("swp{c} {a}, {b}, [{e}]", "swpb{c} {a}, {b}, [{e}]", "ldr {a}, [{b}, {e}, asr #32]")
    yield from ("pld [{a}]", "pld [{a}, #-{m8}]", "pld [{a}, {b}]", "pld [{a}, -{b}, {shift}]")


def multiples() -> Iterator[str]:
    """Loads and stores of several registers."""
    for name, order in itertools.product(("ldm", "stm"), ["ia", "ib", "da", "db"]):
        yield from (
            f"{name}{order}{{c}} {{b}}{end}" for end in (", {list}", "!, {list}", ", {list}^")
        )
        yield f"{name}{order}{{c}} sp!, {{list}}"
    yield from (f"ldm{order} {{b}}!, {{{{r0, pc}}}}^" for order in ["ia", "ib", "da", "db"])
    yield from ("push {list}", "pop{c} {list}", "pop {{r4, r5, pc}}", "push {{r0-r12, lr}}")
    yield from (
        "ldmfd sp!, {{{a}}}",
        "stmfd sp!, {{{a}}}",
        "ldm sp, {{r0-r12, pc}}^",
        "stm {b}, {{pc}}",
    )


def branches() -> Iterator[str]:
    """Branches."""
    for distance in (0, 8, -4, 64, -256, 0x1FFFFFC, -0x1FFFFF8):
        yield from (f"{name}{{c}} . + {distance}" for name in ("b", "bl"))
        yield f"blx . + {distance + 2}"
    yield from ("blx . + 16", "bx{c} {a}", "bx lr", "bx pc", "blx{c} {a}", "blx lr")


def system() -> Iterator[str]:
    """Calls of the system, status registers, coprocessors."""
    yield from ("svc{c} 0x123456", "svc 0", "bkpt 0xabcd", "bkpt 0", "udf 5")
    for status in ("cpsr", "spsr"):
        yield f"mrs{{c}} {{a}}, {status}"
        for fields in ["c", "x", "s", "f", "fc", "fsxc"]:
            yield f"msr{{c}} {status}_{fields}, {{a}}"
            yield f"msr{{c}} {status}_{fields}, {{imm}}"
    for name in ("mcr", "mrc"):
        yield f"{name} p15, 0, {{a}}, c7, c10, 4"
        yield f"{name}{{c}} p{{p}}, {{o3}}, {{a}}, c{{x}}, c{{y}}, {{o3}}"
    yield from ("mrc p15, 0, pc, c7, c14, 3", "cdp{c} p{p}, {o3}, c{x}, c{y}, c{z}, {o3}")
    for name in ["ldc", "ldcl", "stc", "stcl"]:
        yield from (
            f"{name}{{c}} p{{p}}, c{{x}}, [{{a}}{end}" for end in (", #-16]", ", #36]!", "], #-4")
        )
        yield f"{name} p{{p}}, c{{x}}, [{{a}}], {{{{7}}}}"
    yield from ("mcrr{c} p{p}, {o3}, {a}, {b}, c{x}", "mrrc{c} p{p}, {o3}, {a}, {b}, c{x}")


def fill(template: str) -> str:
    """A line of assembly with arbitrary operands; registers of one line differ."""
    a, b, e, f = RNG.sample([f"r{number}" for number in range(13)] + ["lr"], 4)
    by, sign = RNG.choice(SHIFTS), RNG.choice(("", "-"))
    shift = f"{by} #{RNG.randrange(1, 32)}"
    listed = ", ".join(
        f"r{number}" for number in sorted(RNG.sample(range(13), RNG.randrange(2, 6)))
    )
    return template.format(
        a=a,
        b=b,
        e=e,
        f=f,
        by=by,
        sign=sign,
        shift=shift,
        s=RNG.choice(("", "s")),
        c=RNG.choice(("", RNG.choice(CONDITIONS))),
        imm=f"#{constant()}",
        n12=RNG.choice((-1, 1)) * RNG.randrange(1, 4096),
        n8=RNG.choice((-1, 1)) * RNG.randrange(1, 256),
        m8=RNG.randrange(1, 256),
        even=f"r{2 * RNG.randrange(0, 6)}",
        list=f"{{{listed}}}",
        p=RNG.choice((3, 7, 8, 12, 13)),
        o3=RNG.randrange(8),
        **{name: RNG.randrange(16) for name in "xyz"},
    )


def constant() -> int:
    """A byte, rotated by an even number of bits."""
    rotation = 2 * RNG.randrange(16)
    value = RNG.randrange(1, 256)
    return (value >> rotation | value << (32 - rotation)) & 0xFFFFFFFF


def assembled(lines: list[str], march: str) -> tuple[list[str], list[str]]:
    """The lines that an architecture has, and the others."""
    source = "\n".join([".syntax unified", *lines])
    result = assemble(source, march, "/dev/null")
    refused = {int(at) - 2 for at in re.findall(r":(\d+): Error", result.stderr)}
    return (
        [line for number, line in enumerate(lines) if number not in refused],
        [line for number, line in enumerate(lines) if number in refused],
    )


def assemble(source: str, march: str, path: str) -> subprocess.CompletedProcess[str]:
    """Runs the assembler, which writes to `path`."""
    command = ["arm-none-eabi-as", f"-march={march}", "-o", path, "-"]
    return subprocess.run(command, input=source + "\n", capture_output=True, text=True, check=False)


def disassembled(lines: list[str], march: str) -> Iterator[tuple[str, str]]:
    """The word and the text of each line."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "a.o"))
        assemble("\n".join([".syntax unified", *lines]), march, path)
        command = ["arm-none-eabi-objdump", "-d", "-z", path]
        dump = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for address, word, text in re.findall(
        r"^ *([0-9a-f]+):\t([0-9a-f]{8}) *\t(.*)$", dump, re.MULTILINE
    ):
        yield word, normal(text, int(address, 16))


def normal(text: str, address: int) -> str:
    """The text of an instruction without what the decoded form does not keep."""
    text = " ".join(text.partition("@")[0].split())
    name, _, operands = text.partition(" ")
    if re.fullmatch(r"(b|bl|blx)(..)? [0-9a-f]+ <.*>", text):
        target = int(operands.split()[0], 16) - address + PC
        return f"{name} {target & 0xFFFFFFFF:#x}"
    if name in ("pld", "udf"):
        return name
    return re.sub(r"#(\d+), (\d+)$", rotated, text)


def rotated(match: re.Match[str]) -> str:
    """A constant whose rotation is not the least is written with it."""
    value, rotation = int(match[1]), int(match[2])
    value = (value >> rotation | value << (32 - rotation)) & 0xFFFFFFFF
    return f"#{value - (value >> 31 << 32)}"


if __name__ == "__main__":
    main()
