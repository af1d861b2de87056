"""Writes thumb.txt and thumb_blocks.txt: encodings of Thumb and what GNU binutils say of them.

A line of thumb.txt: the versions that have the instruction (a letter each), its units, its text.
The text is that of `objdump`; which versions have it is what `as` accepts and encodes alike. Of
every form of operands of every instruction, and of narrow ones of every first digit, there are a
few, chosen by a fixed seed among all narrow units and many wide ones. A block of
thumb_blocks.txt is an `it` with what it covers.

Run it with `python crates/isa-arm/tests/thumb.py`; the files were made with binutils 2.40.
"""

import random
import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
VERSIONS = {
    "t": ".arch armv4t",
    "e": ".arch armv5te",
    "0": ".arch armv6s-m",
    "3": ".arch armv7-m",
    "4": ".arch armv7e-m",
    "f": ".arch armv7e-m\n.fpu fpv4-sp-d16",
}
PER_FORM = 2
TRIED_PER_FORM = 12

# What is left out: coprocessors, floating-point arithmetic and `fldmx`, which are not decoded; what
# `as` takes though no version here has it or the manual calls it unpredictable. In blocks there are
# no branches, and nothing that must not stand there.
COPROCESSORS = r"(mcrr?2?|mrrc?2?|cdp2?|ldc2?l?|stc2?l?|f(ld|st)m.*x)\b"
VECTOR = (
    r"v(?!(ldr|str|ldm|stm|push|pop|mov|mrs|msr))|vm(rs|sr)\t(?!.*fpscr)|vmov\.[isu]?(8|16)"
    r"|vmov.*\b[dq](1[6-9]|2\d|3\d)|vmov\t.*\bpc\b|v(ld|st)m\w+\tpc"
)
OTHERS = r"(hlt|sevl|p?ssbb|setend|bxj|bx?f|dbg)\b|m(rs|sr)\b.*(_ns|splim)\b|ldr\w*t\t.*\[pc"
OMITTED = re.compile(f"{COPROCESSORS}|{VECTOR}|{OTHERS}")
POINTLESS_PRELOAD = re.compile(r"pl[di].*(\]!|\], #)")
NOT_IN_BLOCKS = re.compile(r"(b|bl|blx|bx|b..|cb.*|it.*|cps.*|bkpt|udf|svc|tb.*)(\.[nw])?\s")

# Wide encodings that chance finds seldom: bits that are fixed, and bits that may be anything.
RARE = [
    (0xF3EF8000, 0x00000F1F),
    (0xF3808000, 0x000F0C1F),
    (0xF3AF8000, 0x00000007),
    (0xF3BF8F00, 0x0000007F),
    (0xF7F0A000, 0x000F0FFF),
    (0xE8D0F000, 0x000F001F),
    (0xE8D00F4F, 0x000FF010),
    (0xE8C00F40, 0x000FF01F),
    (0xEEE10A10, 0x0010F000),
    (0xEEF1FA10, 0x00000000),
    (0xEE000A10, 0x001FF080),
    (0xEE000B10, 0x003FF000),
    (0xEC400A10, 0x001FF12F),
    (0xEEB00A00, 0x004FF00F),
    (0xEEB00A40, 0x0040F02F),
    (0xEC000A00, 0x03FFF107),
    (0xEC2D0A00, 0x01D0F107),
    (0xFAB0F080, 0x000F0F0F),
]


def candidates() -> list[str]:
    """Units in hexadecimal, four digits or eight."""
    source = random.Random(1)
    wide = [source.randrange(0xE8000000, 1 << 32) for _ in range(250_000)]
    wide += [with_ends(word, source) for word in wide]
    rare = [bits | source.getrandbits(32) & free for bits, free in RARE for _ in range(1500)]
    narrow = [f"{unit:04x}" for unit in range(0xE800) if unit >> 8 != 0xBF]
    hints = [f"{unit:04x}" for unit in range(0xBF00, 0xBF50, 16)]
    return narrow + hints + [f"{word:08x}" for word in rare + wide]


def with_ends(word: int, source: random.Random) -> int:
    """The encoding with some of its fields all ones or zeros."""
    for at in (0, 4, 8, 12, 16):
        match source.randrange(5):
            case 0:
                word |= 15 << at
            case 1:
                word &= ~(15 << at)
    return word


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs a tool and keeps what it says."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


def disassembled(encodings: list[str]) -> list[str]:
    """The text of each, without its tabs and comments; those are read where they are needed."""
    lines = [f".inst.{'n' if len(units) == 4 else 'w'} 0x{units}" for units in encodings]
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder, "a.s"), Path(folder, "a.o")
        source.write_text("\n".join([".syntax unified", ".arch armv7e-m", ".thumb", *lines, ""]))
        subprocess.run(["arm-none-eabi-as", "-o", built, source], check=True)
        listing = run("arm-none-eabi-objdump", "-d", "-z", str(built)).stdout
    pattern = r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(.*)$"
    texts = {int(at, 16): text for at, text in re.findall(pattern, listing, re.MULTILINE)}
    at, result = 0, []
    for units in encodings:
        result.append(relative(texts.get(at, ""), at))
        at += len(units) // 2
    return result


def relative(text: str, at: int) -> str:
    """A branch's target as its distance; that of `blx` counts from a multiple of 4."""
    found = re.match(r"(b|b..|bl|blx|cbn?z)(\.[nw])?\t(r\d, )?([0-9a-f]+) <", text)
    if not found:
        return text
    start = at & ~3 if found[1] == "blx" else at
    distance = (int(found[4], 16) - start + (1 << 31)) % (1 << 32) - (1 << 31)
    return f"{found[1]}{found[2] or ''}\t{found[3] or ''}.+({distance})"


def assembler(text: str) -> str:
    """The text as `as` takes it, which wants floating-point constants as numbers."""
    alias = re.search(r"^nop\t+@ \((.*)\)$", text)
    if alias:
        return alias[1]
    constant = re.search(r"(vmov\S*\.f32\ts\d+), #\d+\t@ \S+\s+(\S+)", text)
    if constant:
        return f"{constant[1]}, #{float(constant[2])!r}"
    return re.split(r"\s*[@;]", text)[0].strip().replace("<und>", "?") or ".error"


def written(text: str) -> str:
    """The text as the disassembler writes it, which leaves out what does not matter."""
    text = re.sub(r"^(adds|subs)\t(r\d), \2, (#[0-7])$", r"\1\t\2, \3", assembler(text))
    text = re.sub(r"^((?:add|sub)[a-z]{2})\t(r\d), \2, (r\d|#[0-7])$", r"\1\t\2, \3", text)
    text = re.sub(r"^([a-z]+?)\.[nw]\b", r"\1", text.replace("\t", " "))
    text = re.sub(r"^(add|sub)w", r"\1", text)
    text = re.sub(r"^udf .*", "udf", re.sub(r"^pl[di](..)? .*", r"pld\1", text))
    text = re.sub(r"^(dmb|dsb|isb) .*", r"\1 sy", text)
    text = text.replace(", #-0]", "]")
    return half_of_double(re.sub(r"(\[\w+)\]!$", r"\1, #0]!", text))


def half_of_double(text: str) -> str:
    """Half of a double-precision register as the single-precision one that it is."""
    text = re.sub(r"^vmov\.32", "vmov", text)
    return re.sub(r"d(\d+)\[([01])\]", lambda found: f"s{2 * int(found[1]) + int(found[2])}", text)


def accepted(prologue: str, encodings: list[str], texts: list[str]) -> set[str]:
    """The encodings that `as` makes of their texts without a complaint."""
    slots = [f".org {8 * place}\n{assembler(text)}" for place, text in enumerate(texts)]
    complaints: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        source, built, raw = (Path(folder, name) for name in ("a.s", "a.o", "a.bin"))
        for _ in range(2):
            head = f".syntax unified\n{prologue}\n.thumb\n.balign 4\n"
            body = ["\n" if place in complaints else slot for place, slot in enumerate(slots)]
            source.write_text(head + "\n".join([*body, f".org {8 * len(slots)}", ""]))
            said = run("arm-none-eabi-as", "-o", str(built), str(source)).stderr
            found = re.findall(r"a\.s:(\d+): (?:Error|Warning)", said)
            complaints |= {(int(line) - 1 - head.count("\n")) // 2 for line in found}
        run("arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", str(built), str(raw))
        code = raw.read_bytes()
    return {
        units
        for place, units in enumerate(encodings)
        if place not in complaints and in_units(code[8 * place :], len(units)) == units
    }


def in_units(code: bytes, digits: int) -> str:
    """So many digits of code, unit by unit."""
    return "".join(code[at : at + 2][::-1].hex() for at in range(0, digits // 2, 2))


def form(text: str) -> str:
    """The part of a text that others of its kind share."""
    text = re.sub(r"\{.*\}", "{}", written(text))
    text = re.sub(r"\b(r\d|r1[0-2]|sl|fp|ip|lr)\b", "r", text)
    text = re.sub(r"\b([sd])\d+", r"\1", text)
    return re.sub(r"(?<![a-z])\d[\d.a-fx]*", "n", text)


def chosen() -> dict[str, list[tuple[str, str]]]:
    """Some encodings of every form, and their texts."""
    units = candidates()
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for encoding, text in zip(units, disassembled(units), strict=True):
        plain = assembler(text)
        known = "UNDEFINED" not in text and "<" not in plain and "?" not in plain
        if not known or OMITTED.match(plain.lower()) or POINTLESS_PRELOAD.match(plain):
            continue
        group = encoding[0] if len(encoding) == 4 else "wide"
        kind = f"{plain.split()[0]} {form(text)} {group}"
        if len(forms[kind]) < TRIED_PER_FORM and (encoding, text) not in forms[kind]:
            forms[kind].append((encoding, text))
    return forms


def versions(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """The letters of the versions that have each encoding."""
    encodings, texts = [units for units, _ in pairs], [text for _, text in pairs]
    letters: dict[str, str] = defaultdict(str)
    for letter, prologue in VERSIONS.items():
        for units in accepted(prologue, encodings, texts):
            letters[units] += letter
    for units, text in pairs:
        letters[units] = corrected(letters[units], text)
    return letters


def corrected(letters: str, text: str) -> str:
    """The versions where `as` takes more or less than the manuals have."""
    text = assembler(text)
    # The M profile has no `blx` to a known target.
    if text.startswith("blx\t."):
        letters = re.sub("[034f]", "", letters)
    # ARMv6-M has no BASEPRI and FAULTMASK (DDI 0419, B1.4); it has the hint, `udf.w`, and `bl` as
    # far as all of the profile (A6.7).
    if re.match(r"(mrs|msr)\t.*(BASEPRI|FAULTMASK)|cpsi[ed]\t.*f", text):
        letters = letters.replace("0", "")
    elif re.match(r"(nop|bl|udf\.w)(\t|$)", text) and "0" not in letters:
        letters = letters.replace("3", "03")
    return letters


def instructions() -> list[tuple[str, str, str]]:
    """Versions, units and text of what is kept."""
    forms = chosen()
    have = versions([pair for pairs in forms.values() for pair in pairs])
    kept = [
        (have[units], units, text)
        for pairs in forms.values()
        for units, text in [pair for pair in pairs if have[pair[0]]][:PER_FORM]
    ]
    return sorted(kept, key=lambda row: (len(row[1]), row[1]))


def blocks(rows: list[tuple[str, str, str]]) -> list[list[tuple[str, str]]]:
    """IT blocks of all masks, filled with what may stand there."""
    source = random.Random(2)
    fit = [units for have, units, text in rows if "f" in have and not NOT_IN_BLOCKS.match(text)]
    plans = [(first, mask) for mask in range(1, 16) for first in source.sample(range(14), 3)]
    filled = []
    for first, mask in plans:
        count = 4 - ((mask & -mask).bit_length() - 1)
        filled.append([f"{0xBF00 | first << 4 | mask:04x}", *source.sample(fit, count)])
    flat = [units for block in filled for units in block]
    texts = dict(enumerate(disassembled(flat)))
    places = iter(range(len(flat)))
    return [[(units, texts[next(places)]) for units in block] for block in filled]


def main() -> None:
    """Writes both files."""
    rows = instructions()
    lines = [f"{have} {units} {located(text)}" for have, units, text in rows]
    made = f"# Made by {Path(__file__).name}; see there.\n"
    (HERE / "thumb.txt").write_text(made + "\n".join(lines) + "\n")
    text = "\n".join(
        "\n".join(f"{units} {written(text)}" for units, text in block) + "\n"
        for block in blocks(rows)
    )
    (HERE / "thumb_blocks.txt").write_text(made + text)


def located(text: str) -> str:
    """The text at the address where the tests have it, 0x10000000."""
    found = re.search(r"\.\+\((-?\d+)\)", text)
    text = written(text)
    return re.sub(r"\.\+\(.*\)", f"{0x10000000 + int(found[1]):#x}", text) if found else text


if __name__ == "__main__":
    main()
