"""Templates of instructions for random ARM programs, by instruction set.

`<d>`, `<e>`, `<f>` are different destinations, `<n>`, `<m>`, `<a>` any sources, `<l>` one of the
first eight, `<H>` one of the others, `<A>` an address (`<B>` not the stack pointer), `<S>` an
index, `<i>` a constant that can be encoded, `<0..7*4>` a number, `<listab>` a to b registers,
`<a|b>` one of these. In control flow, `<k>` is a condition, `@` begins labels, `one` is
any instruction.
"""

from __future__ import annotations

from dataclasses import dataclass, field

CONDITIONS = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]

Families = list[tuple[int, list[str]]]
"""Templates with the weight by which they are chosen."""


@dataclass(frozen=True)
class InstructionSet:
    """An instruction set and the parts of it that are tested."""

    head: str
    cpu: str
    architecture: str
    registers: list[str]
    families: Families
    control: list[str]
    flags: str = "cpsr_f"
    status: str = "cpsr"
    unaligned: Families = field(default_factory=list)
    block_registers: list[str] = field(default_factory=list)
    conditional: bool = False
    it: bool = False
    rotates: bool = False
    switches: bool = False
    parallel: bool = False


NARROW = [f"r{number}" for number in range(8)]
GENERAL = [*(f"r{number}" for number in range(13)), "lr"]

_SHIFTED = "<n>, <lsl #<1..31>|lsr #<1..32>|asr #<1..32>|ror #<1..31>|rrx>"
_REGISTERS = "<n>, <m>, <a>"

_HALVES = [
    "smul<b|t><b|t> <d>, <n>, <m>",
    f"smla<b|t><b|t> <d>, {_REGISTERS}",
    "smulw<b|t> <d>, <n>, <m>",
    f"smlaw<b|t> <d>, {_REGISTERS}",
    "smlal<b|t><b|t> <d>, <e>, <n>, <m>",
]
_SATURATING = ["q<d|><add|sub> <d>, <n>, <m>", "clz <d>, <m>"]


def _data(second: str, reverse: str, flags: str = "<s|>") -> list[str]:
    operations = f"<and|eor|sub|rsb|add|adc|sbc|orr|bic|{reverse}>{flags}"
    return [
        *[f"{operations} <d>, <n>, {second}"] * 4,
        f"<tst|teq|cmp|cmn> <n>, {second}",
        f"mvn{flags} <d>, {second}",
        f"mov{flags} <d>, <<i>|<n>>",
        "<lsl|lsr|asr|ror><s|> <d>, <n>, <m>",
    ]


A32 = InstructionSet(
    head=" .arch armv5te\n .syntax unified\n .arm\n .global _start\n_start:",
    cpu="arm926",
    architecture="v5te",
    registers=GENERAL,
    conditional=True,
    rotates=True,
    families=[
        (8, _data(f"<<i>|<n>|{_SHIFTED}|<n>, <lsl|lsr|asr|ror> <m>>", "rsc")),
        (1, ["add <d>, <pc|sp>, #<0..63*4>", "msr cpsr_f, <n>", "msr cpsr_f, #<0..31*134217728>"]),
        (2, ["mul<s|> <d>, <e>, <n>", "mla<s|> <d>, <e>, <n>, <m>"]),
        (2, ["<u|s><mull|mlal><s|> <d>, <e>, <f>, <n>", *_HALVES]),
        (1, _SATURATING),
        (
            3,
            [
                "<ldr|str><b|> <d>, [<A>, #<-15..15*4>]",
                "<ldr|str><b|> <d>, [<A>, #<-8..8*8>]!",
                "<ldr|str><b|> <d>, [<A>], #<-8..8*8>",
                "<ldr|str><b|><t|> <d>, [<B>], <|-><S>",
                "<ldr|str><b|> <d>, [<B>, <|-><S>]<!|>",
                "<ldr|str><b|> <d>, [<A>, <|-><S>, <lsl #<1..2>|lsr #<6..32>|asr #<6..32>>]",
            ],
        ),
        (
            2,
            [
                "<ldrh|strh|ldrsh|ldrsb> <d>, [<A>, #<-30..30*2>]",
                "<ldrh|strh|ldrsh|ldrsb> <d>, [<A>, #<-8..8*8>]!",
                "<ldrh|strh|ldrsh|ldrsb> <d>, [<B>], #<-8..8*8>",
                "<ldrh|strh|ldrsh|ldrsb> <d>, [<B>, <|-><S>]<!|>",
                "<ldrh|strh|ldrsh|ldrsb> <d>, [<B>], <|-><S>",
                "<ldrd|strd> <pair>, [<A>, #<-16..16*8>]",
                "<ldrd|strd> <pair>, [<A>, #<-8..8*8>]!",
                "<ldrd|strd> <pair>, [<B>], #<-8..8*8>",
            ],
        ),
        (2, ["<ldm|stm><ia|ib|da|db> <A><!|>, <list26>", "<push|pop> <list25>"]),
        (1, ["swp<b|> <d>, <e>, [<B>]"]),
    ],
    control=[
        *["b<k> @s; one; @s:"] * 3,
        "bl<k> @f; b @s; @f:; one; adr lr, @s; <bx lr|mov pc, lr|bx<k> lr|mov<k> pc, lr>; @s:",
        "adr <d>, @s; push {<d>}; pop<k> {pc}; one; @s:",
        "adr <d>, @s; push {<d>}; ldr<k> pc, [sp], #4; one; @s:",
        "adr <d>, @s; <bx|blx><k> <d>; one; @s:",
        "add<k> pc, pc, #0; one; one",
    ],
)

THUMB = InstructionSet(
    head=A32.head,
    cpu="arm926",
    architecture="v5te",
    registers=NARROW,
    block_registers=["r8", "r9", "r10", "r11", "r12"],
    switches=True,
    families=[
        (
            8,
            [
                "<lsls|lsrs|asrs> <d>, <m>, #<1..31>",
                "<lsrs|asrs> <d>, <m>, #32",
                "<adds|subs> <d>, <n>, <<m>|#<0..7>>",
                "<adds|subs|movs> <d>, #<0..255>",
                "cmp <n>, #<0..255>",
                *["<ands|eors|lsls|lsrs|asrs|adcs|sbcs|rors|orrs|bics|mvns> <d>, <m>"] * 3,
                "<tst|cmp|cmn> <n>, <m>",
                "rsbs <d>, <m>, #0",
                "muls <d>, <e>, <d>",
                "<add|mov|cmp> <<H>, <m>|<d>, <H>>",
                "add <d>, sp, #<0..63*4>",
                "<add|sub> sp, #<0..7*4>",
            ],
        ),
        (
            4,
            [
                "<adr|ldr> <d>, 6f",
                "<ldr|str> <d>, [sp, #<0..31*4>]",
                "<ldr|str> <d>, [<B>, #<0..31*4>]",
                "<ldrb|strb> <d>, [<B>, #<0..31>]",
                "<ldrh|strh> <d>, [<B>, #<0..31*2>]",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>, <S>]",
                "<ldmia|stmia> <B>!, <list14>",
                "<push|pop> <list14>",
            ],
        ),
    ],
    control=[
        *["b<k> @s; one; @s:"] * 3,
        "bl @f; b @s; @f:; one; ldr <d>, =@s + 1; <bx|blx|mov pc,> <d>; @s:",
        "ldr <d>, =@s + 1; push {<d>}; pop {pc}; one; @s:",
    ],
)

_SIGNED = [
    "smu<a|s>d<x|> <d>, <n>, <m>",
    f"sml<a|s>d<x|> <d>, {_REGISTERS}",
    "smmul<r|> <d>, <n>, <m>",
    f"smm<la|ls><r|> <d>, {_REGISTERS}",
    "sml<a|s>ld<x|> <d>, <e>, <n>, <m>",
]
_ROTATED = "<m><|, ror #8|, ror #16|, ror #24>"
_BITS = [
    f"<s|u>xt<b|h|b16> <d>, {_ROTATED}",
    f"<s|u>xta<b|h|b16> <d>, <n>, {_ROTATED}",
    "pkhbt <d>, <n>, <m><|, lsl #<1..31>>",
    "pkhtb <d>, <n>, <m>, asr #<1..32>",
    "<rbit|rev|rev16|revsh|clz> <d>, <m>",
    "<sbfx|ubfx|bfi> <d>, <n>, #<0..15>, #<1..17>",
    "bfc <d>, #<0..15>, #<1..17>",
]
_PARALLEL = [
    *["<s|q|sh|u|uq|uh><add16|asx|sax|sub16|add8|sub8> <d>, <n>, <m>"] * 4,
    "sel <d>, <n>, <m>",
    "usad8 <d>, <n>, <m>",
    f"usada8 <d>, {_REGISTERS}",
    "ssat <d>, #<1..32>, <n><|, lsl #<1..31>|, asr #<1..31>>",
    "usat <d>, #<0..31>, <n><|, lsl #<1..31>|, asr #<1..31>>",
    "ssat16 <d>, #<1..16>, <n>",
    "usat16 <d>, #<0..15>, <n>",
]
_WIDE_DATA = [
    *_data(f"<<i>|<n>|{_SHIFTED}>", "orn"),
    "<addw|subw> <d>, <n>, #<0..4095>",
    "<movw|movt> <d>, #<0..65535>",
    "add <d>, sp, #<0..255*4>",
    "msr apsr_<nzcvq|nzcvqg|g>, <n>",
]

_TABLE = "(@a-@t)/2, (@b-@t)/2, (@s-@t)/2"
_TARGETS = "@a:; one; @b:; one; @s:"

T32 = InstructionSet(
    head=(
        " .arch armv7e-m\n .fpu fpv4-sp-d16\n .syntax unified\n .thumb\n"
        " .global _start\n .thumb_func\n_start:"
    ),
    cpu="max",
    architecture="v7e-m",
    registers=GENERAL,
    flags="apsr_nzcvqg",
    status="apsr",
    it=True,
    parallel=True,
    families=[
        (8, _WIDE_DATA),
        (2, ["mul <d>, <n>, <m>", "<mla|mls> <d>, <n>, <m>, <a>", "<sdiv|udiv> <d>, <n>, <m>"]),
        (2, ["<umull|smull|umlal|smlal|umaal> <d>, <e>, <n>, <m>", *_HALVES]),
        (2, _SIGNED),
        (2, [*_SATURATING, *_BITS]),
        (3, _PARALLEL),
        (
            4,
            [
                "<ldr|str> <d>, [<A>, #<-15..15*4>]",
                "<ldr|str> <d>, [<A>, #<0..120*4>]",
                "<ldrb|strb|ldrsb> <d>, [<A>, #<-60..60>]",
                "<ldrh|strh|ldrsh> <d>, [<A>, #<-30..30*2>]",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<A>, #<-8..8*8>]!",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>], #<-8..8*8>",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<A>, <S><|, lsl #<1..3>>]",
                "<ldrd|strd> <d>, <e>, [<A>, #<-64..64*4>]",
                "<ldrd|strd> <d>, <e>, [<A>, #<-8..8*8>]!",
                "<ldrd|strd> <d>, <e>, [<B>], #<-8..8*8>",
            ],
        ),
        (2, ["<ldm|stm><ia|db> <A><!|>, <list26>", "<push|pop> <list25>", "ldr <d>, 6f"]),
    ],
    unaligned=[
        (1, _WIDE_DATA),
        (
            2,
            [
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>, #<-60..60>]",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>, #<-8..8>]!",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>], #<-8..8>",
                "<ldr|str|ldrb|strb|ldrh|strh|ldrsb|ldrsh> <d>, [<B>, <S><|, lsl #<1..3>>]",
            ],
        ),
    ],
    control=[
        *["b<k> @s; one; @s:"] * 3,
        "bl @f; b @s; @f:; one; ldr <d>, =@s + 1; <bx|blx|mov pc,> <d>; @s:",
        "ldr <d>, =@s + 1; push {<d>}; pop {pc}; one; @s:",
        "<cbz|cbnz> <l>, @s; one; @s:",
        f"mov <d>, #<0..2>; tbb [pc, <d>]; @t: .byte {_TABLE}, 0; {_TARGETS}",
        f"mov <d>, #<0..2>; tbh [pc, <d>, lsl #1]; @t: .2byte {_TABLE}; {_TARGETS}",
        "mov <f>, sp; ldrex <d>, [<f>]; strex <e>, <d>, [<f>]",
        "mov <f>, sp; ldrex<b|h> <d>, [<f>]; clrex; strex<b|h> <e>, <d>, [<f>]",
        "vmov s<0..31>, <n>; vmov s<0..31>, <n>; vmov.f32 s<0..31>, s<0..31>; vmov <d>, s<0..31>",
        "vmov s4, <n>; vstr s4, [sp, #<-16..15*4>]; vldr s<4..5>, [sp, #<-16..15*4>]; vmov <d>, s5",
        "mov <f>, sp; <vldm|vstm><ia|db> <f>!, {s<1..4>-s<5..12>}; vmov <d>, s<1..12>",
        "vmov s6, s7, <n>, <m>; vmov <d>, <e>, s6, s7",
        "vmov d<0..15>, <n>, <m>; vmov <d>, <e>, d<0..15>",
        "and <d>, <n>, #0xf0000000; vmsr fpscr, <d>; vmrs apsr_nzcv, fpscr",
    ],
)

SETS = {"a32": A32, "thumb": THUMB, "t32": T32}
