"""The decoder and the disassembler of RL78 against GNU's, and texts against its assembler.

`python test_rl78_disassembly.py PREFIX` asks the tools whose names begin with PREFIX (binutils
2.40, `rl78-elf-`) and writes what they answer to tests/cases/rl78/, which the tests compare with:
each form of each instruction with several operands, with the prefix `es:` and without it.
"""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from host import ROOT
from rust_examples import example, output

if TYPE_CHECKING:
    from collections.abc import Callable

CORES = {"rl78-s1": "g10", "rl78-s2": "g13", "rl78-s3": "g14"}
"""Cores, and devices by which the GNU tools name them."""
TAILS = (
    *("34120f00", "80ff0501", "fafd0b00", "f8ff0100", "fb0b0000", "fb050000", "fb020000"),
    *("fb010000", "fb030000", "fb060000", "fd700c00"),
)
"""Bytes behind a form."""
SLOT = 16
"""Bytes from one instruction to the next, which is the beginning of one in every case."""
LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t?(.*)$", re.MULTILINE)
REFUSED = "refused"
"""The record of a text that the assembler refuses."""
WITHOUT_SYNTAX = re.compile(r"^movw \w\w, es:sp$|^xch a, (psw|spl|sph|es|cs|pmc|mem)$")
"""What objdump prints and the assembler cannot; words at odd addresses are refused too."""
WORDS = ("movw", "addw", "subw", "cmpw", "incw", "decw")
RECORD = ROOT / "tests/cases/rl78"


def tried() -> list[str]:
    """The bytes that are tried, in hexadecimal."""
    heads = [page + f"{byte:02x}" for page in ("", "61", "71", "31") for byte in range(256)]
    plain = [head + tail for head in heads for tail in TAILS]
    # The manual leaves open what two prefixes are.
    return plain + ["11" + code for code in plain if not code.startswith("11")]


def ours(core: str) -> list[str]:
    """Length and text of each of them; empty for what is no instruction."""
    return output([example("rl78_disassembly"), core], text="\n".join(tried()) + "\n").splitlines()


def is_refused(core: str, tried_bytes: str, text: str) -> bool:
    """Returns whether objdump prints an instruction for bytes which are none by the manual."""
    name = text.split(" ")[1] if text else ""
    prefixed = tried_bytes.startswith("11") and "es:" not in text
    return (
        name in ("*unknown*", "") or prefixed or text.endswith("<old-encoding>")
        or (name in ("shl", "shlw", "shr", "shrw", "sar", "sarw") and text.endswith(", 0"))
        or (name == "xch" and tried_bytes.startswith("6188"))
        or re.match("(11)?61[8a]1", tried_bytes) is not None
        or "es:[sp" in text
        or (name == "sel" and core == "rl78-s1")
    )  # fmt: skip


def recorded(core: str) -> list[tuple[str, str]]:
    """The recorded answers: objdump's length and text, and the assembler's bytes for our text."""
    lines = lzma.decompress((RECORD / f"{core}.forms.xz").read_bytes()).decode().splitlines()
    return [(line.partition("|")[0], line.partition("|")[2]) for line in lines]


@pytest.mark.parametrize("core", CORES)
def test_forms_are_what_objdump_prints(core: str) -> None:
    answers = [text for text, _ in recorded(core)]
    expected = [
        "" if is_refused(core, code, text) else text
        for code, text in zip(tried(), answers, strict=True)
    ]
    found = zip(tried(), ours(core), expected, strict=True)
    differences = [f"{code}: {our} {their}" for code, our, their in found if our != their]
    assert sum(bool(text) for text in expected) > 8_000
    assert not differences, differences[:12]


@pytest.mark.parametrize("core", CORES)
def test_the_assembler_makes_the_bytes_again(core: str) -> None:
    lines = "".join(f"{code if code != REFUSED else ''}\n" for _, code in recorded(core))
    meanings = output([example("rl78_disassembly"), core], text=lines).splitlines()
    differences, compared = [], 0
    answers = zip(tried(), ours(core), recorded(core), meanings, strict=True)
    for code, our, (_, assembled), meaning in answers:
        length, _, text = our.partition(" ")
        if assembled == REFUSED:
            odd = text.split(" ")[0] in WORDS and re.search(r"[13579bdf]\b", text)
            assert odd or WITHOUT_SYNTAX.match(text), text
        elif our:
            compared += 1
            # Some operands have two encodings, of which the assembler has chosen the other one.
            same = assembled[: 2 * int(length)] == code[: 2 * int(length)]
            if not same and meaning.partition(" ")[2] != text:
                differences.append(f"{our}: {code} {assembled}")
    assert compared > 7_500
    assert not differences, differences[:12]


@pytest.mark.parametrize("core", CORES)
def test_the_tools_answer_as_recorded(
    core: str, need_part: Callable[[str, str], Path], tmp_path: Path
) -> None:
    prefix = str(need_part("rl78-elf", "binutils") / "bin" / "rl78-elf-")
    texts, codes = objdump(prefix, CORES[core], tmp_path), assembled(prefix, core, tmp_path)
    assert list(zip(texts, codes, strict=True)) == recorded(core)


def objdump(prefix: str, cpu: str, folder: Path) -> list[str]:
    """What objdump prints: length and text."""
    lines = [
        "\t.byte " + ",".join(f"0x{code[at : at + 2]}" for at in range(0, len(code), 2))
        + f"\n\t.balign {SLOT}, 0\n"
        for code in tried()
    ]  # fmt: skip
    source, target = folder / "forms.s", folder / "forms.o"
    source.write_text("".join(lines))
    subprocess.run([f"{prefix}as", f"-m{cpu}", "-o", target, source], check=True)
    found: dict[int, str] = {}
    for match in LINE.finditer(output([f"{prefix}objdump", "-D", "-z", target])):
        text = " ".join(re.sub(r"<[^>]*>$", "", match[3]).split())
        found[int(match[1], 16)] = f"{len(match[2].split())} {text}"
    return [found.get(SLOT * number, "") for number in range(len(lines))]


def assembled(prefix: str, core: str, folder: Path) -> list[str]:
    """The bytes that the assembler and the linker make of our texts."""
    source, target, image = folder / "texts.s", folder / "texts.o", folder / "texts.elf"
    texts = [relative(text, SLOT * at) for at, text in enumerate(ours(core))]
    command: list[str | Path] = [f"{prefix}as", f"-m{CORES[core]}", "-o", target, source]
    source.write_text(placed(texts))
    errors = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    refused = {(int(line) - 1) // 2 for line in re.findall(r":(\d+): Error: ", errors)}
    source.write_text(placed(["nop" if at in refused else text for at, text in enumerate(texts)]))
    subprocess.run(command, check=True)
    link: list[str | Path] = [
        f"{prefix}ld",
        "--defsym=__rl78_abs__=0",
        "-Ttext=0",
        "-e0",
        "-o",
        image,
        target,
    ]
    subprocess.run(link, check=True)
    subprocess.run([f"{prefix}objcopy", "-O", "binary", "-j", ".text", image, image], check=True)
    code = image.read_bytes()
    slots = [code[SLOT * at : SLOT * at + 7].hex() for at in range(len(texts))]
    return [REFUSED if at in refused else slot for at, slot in enumerate(slots)]


def relative(text: str, at: int) -> str:
    """The text of an instruction at an address, with its target as a distance."""
    distance = re.compile(r"(\$!?)0x([0-9a-f]+)$")
    text = text.partition(" ")[2] or "nop"
    return distance.sub(lambda match: f"{match[1]}.+{int(match[2], 16) - at}", text)


def placed(texts: list[str]) -> str:
    """Assembly of instructions, each in a slot and two lines."""
    return "".join(f"\t{text}\n\t.balign {SLOT}, 0\n" for text in texts)


def main() -> None:
    """Records what the tools answer."""
    for core, cpu in CORES.items():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            texts, codes = objdump(sys.argv[1], cpu, folder), assembled(sys.argv[1], core, folder)
        lines = "".join(f"{text}|{code}\n" for text, code in zip(texts, codes, strict=True))
        (RECORD / f"{core}.forms.xz").write_bytes(lzma.compress(lines.encode(), preset=9))


if __name__ == "__main__":
    main()
