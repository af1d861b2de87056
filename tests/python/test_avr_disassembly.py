"""The decoder and the disassembler of AVR against avr-objdump.

All 65,536 first words are disassembled, with the same second word behind each.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

import pytest

from rust_examples import example, output

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECOND = 0x1234
LINE = re.compile(r" *([0-9a-f]+):\t(?:[0-9a-f]{2} )+ *\t(.*)")
SHORT = re.compile(r"0x(8000)?(\w\w)\b")
"""A short address in the data space, there or in the machine's space."""
CORES = {
    "avre": (["avre", "4096"], 25),
    "avre+": (["avre+", "16384"], 5),
    "avre+ of 128 KiB": (["avre+", "65536"], 51),
    "avre+ of 256 KiB": (["avre+", "131072", "wide"], 6),
    "avrxm": (["avrxm", "131072", "wide"], 107),
    "avrxt": (["avrxt", "16384"], 103),
    "avrrc": (["avrrc", "512"], 100),
}
"""Arguments of our example, and the number of the architecture for avr-objdump."""
PRODUCTS = {"mul", "muls", "mulsu", "fmul", "fmuls", "fmulsu"}
XMEGA = {"xch", "las", "lac", "lat", "des"}
WIDE = {"eijmp", "eicall"}
REDUCED = {"adiw", "sbiw", "movw", "jmp", "call", "lpm", "elpm", "spm", "ldd", "std"}
LACKING = {
    "avre": PRODUCTS | XMEGA | WIDE | {"jmp", "call", "elpm", "spm Z+"},
    "avre+": XMEGA | WIDE | {"elpm", "spm Z+"},
    "avre+ of 128 KiB": XMEGA | WIDE | {"spm Z+"},
    "avre+ of 256 KiB": XMEGA | {"spm Z+"},
    "avrxm": set(),
    "avrxt": XMEGA | WIDE | {"elpm"},
    "avrrc": PRODUCTS | XMEGA | WIDE | REDUCED,
}
"""The instructions that a core lacks, by the manual's appendix A."""


@pytest.fixture(scope="module")
def disassembly() -> Path:
    return example("avr_disassembly")


def theirs(objdump: str, architecture: int, folder: Path) -> dict[int, str]:
    """Returns what avr-objdump prints for each first word."""
    image = folder / "words.bin"
    image.write_bytes(b"".join(struct.pack("<HH", first, SECOND) for first in range(1 << 16)))
    options = ["-D", "-z", "-b", "binary", "-m", f"avr:{architecture}"]
    texts: dict[int, str] = {}
    for line in output([objdump, *options, image]).splitlines():
        match = LINE.match(line)
        if match and int(match[1], 16) % 4 == 0 and not match[2].startswith(".word"):
            texts[int(match[1], 16) // 4] = " ".join(match[2].split())
    return texts


def has(core: str, text: str) -> bool:
    """Returns whether a core has the instruction of a text."""
    lacking = LACKING[core]
    if core == "avrrc" and re.search(r"\br([0-9]|1[0-5])\b", text):
        return False
    return text.split(" ")[0] not in lacking and text not in lacking


def whole(core: str, word: int, text: str) -> str:
    """Adds the highest bit of a short address, which avr-objdump leaves out (binutils 2.26)."""
    if core == "avrrc" and word >> 12 == 0xA and not word & 0x100:
        return SHORT.sub(lambda match: f"0x{match[1] or ''}{int(match[2], 16) | 0x80:02x}", text)
    return text


@pytest.mark.parametrize("core", CORES)
def test_every_word_is_what_objdump_prints(
    need_tool: Callable[[str], str], disassembly: Path, tmp_path: Path, core: str
) -> None:
    arguments, architecture = CORES[core]
    lines = output([disassembly, *arguments]).splitlines()
    ours = {int(line[:4], 16): line[5:] for line in lines}
    texts = theirs(need_tool("avr-objdump"), architecture, tmp_path)
    expected = {word: whole(core, word, text) for word, text in texts.items() if has(core, text)}
    # The reduced core lacks the long forms of lds and sts, which avr-objdump prints too.
    if core == "avrrc":
        expected = {word: text for word, text in expected.items() if word & 0xFC0F != 0x9000}
    differences = [
        f"{word:04x}: {ours.get(word)} {expected.get(word)}"
        for word in sorted(ours.keys() | expected.keys())
        if ours.get(word) != expected.get(word)
    ]
    assert len(expected) > 25_000
    assert not differences, differences[:12]
