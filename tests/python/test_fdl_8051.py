"""Designs with an 8051: ports and external data connect programs of SDCC with hardware."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest

from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

CASES = ROOT / "tests/cases/8051/codesign"
ACCEPTED = 1
"""Cycles from the end of the last store to where the program has ended."""
DEVICES = ("i8052", "c8051f020")


@pytest.fixture
def built(need_tool: Callable[[str], str], tmp_path: Path) -> Callable[[str], Path]:
    """Copies a design and compiles its program by SDCC, whose Intel HEX file it names."""
    sdcc = need_tool("sdcc")

    def build(name: str) -> Path:
        for suffix in ("fdl", "c"):
            shutil.copy(CASES / f"{name}.{suffix}", tmp_path)
        command = [sdcc, "-mmcs51", "--std-c11", f"{name}.c", "-o", f"{name}.ihx"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        return tmp_path / f"{name}.fdl"

    return build


def simulate(verb: Verb, design: Path, *words: str) -> tuple[dict[str, Any], str, int]:
    """Runs a design until its program ends; the values, and the program's output and cycles."""
    result = verb("fdl", "sim", design, "--json", *words)
    assert result.code == 0, result.err
    values: dict[str, Any] = json.loads(result.out)
    (core,) = values["cores"]
    assert (values["end"], core["stop"]["exit_code"]) == ("programs_ended", 0)
    return values, core["console"], core["cycles"]


def shown(values: dict[str, Any]) -> list[str]:
    """What a design has printed of registers: the value, and the next one behind it."""
    return [line.split("/")[0] for line in values["output"] if "/" in line]


def test_a_design_shows_what_a_program_says_in_the_cycles_of_ucsim(
    verb: Verb, built: Callable[[str], Path], need_tool: Callable[[str], str]
) -> None:
    """The program reads nothing of the design, and takes as long alone, up to its last store."""
    design = built("words")
    values, _, cycles = simulate(verb, design)
    assert shown(values) == [str(ord(letter)) for letter in "Hello, 8051"]
    process = subprocess.run(
        [need_tool("s51"), "-t", "C52", "-b", design.with_suffix(".ihx")],
        input="break sfr w 0xb0\nrun\nstate\nquit\n",
        capture_output=True, text=True, check=True, errors="replace", timeout=60,
    )  # fmt: skip
    assert int(re.findall(r"\((\d+) clks\)", process.stdout)[0]) + ACCEPTED == cycles


@pytest.mark.parametrize("device", DEVICES)
def test_a_design_computes_behind_ports(
    verb: Verb, built: Callable[[str], Path], device: str
) -> None:
    values, console, _ = simulate(verb, built("divisor"), "--device", device)
    pairs = [(12, 18), (200, 75), (7, 7), (255, 34), (96, 1)]
    divisors = [math.gcd(*pair) for pair in pairs]
    assert shown(values) == [str(divisor) for divisor in divisors]
    assert [int(word, 16) for word in console.split()] == divisors


def test_a_buffer_is_written_by_both(verb: Verb, built: Callable[[str], Path]) -> None:
    _, console, _ = simulate(verb, built("buffer"))
    sums = accumulate((at * 7 + 3) & 255 for at in range(32))
    assert [int(word, 16) for word in console.split()] == [total & 255 for total in sums]


def test_bytes_of_external_data_reach_a_design(verb: Verb, built: Callable[[str], Path]) -> None:
    """The check value of CRC-8/SMBUS in the catalogue of parametrised CRC algorithms."""
    values, console, cycles = simulate(verb, built("crc"))
    assert console == "f4"
    assert values["cycles"] == 3 * cycles, "the design's clock is three times as fast"


def test_what_changes_a_port_reads_its_latch(verb: Verb, built: Callable[[str], Path]) -> None:
    """272383-002, chapter 3, "Read-Modify-Write Feature"; the design drives other pins.

    `mov` #0x81, `orl` #0x10, `anl` #0x7f, `xrl` #0xff, `setb` 4, `cpl` 3, `inc`, `dec`, `clr` 1,
    `mov` 0, c, `djnz` and `jbc` 7 leave these latches.
    """
    values, console, _ = simulate(verb, built("latch"))
    latches = [0x81, 0x91, 0x11, 0xEE, 0xFE, 0xF6, 0xF7, 0xF6, 0xF4, 0xF5, 0xF4, 0x74]
    shown = [line.split()[-1] for line in values["output"] if line.startswith("it is ")]
    assert [int(value, 16) for value in shown] == latches
    assert [ord(pins) for pins in console] == [0x3C, 0x3C, 0x31]


def test_a_design_counts_the_clocks_of_instructions(
    verb: Verb, built: Callable[[str], Path]
) -> None:
    """`mov`, `nop`, `mul` and `mov dptr` between two reads take 12, 12, 48 and 24, a read 12."""
    _, console, _ = simulate(verb, built("clock"))
    assert ord(console) == 12 + 12 + 48 + 24 + 12


MISTAKES = {
    'iptype "i8051systemsink"; ipparm "core=micro"; ipparm "port=P4";': "there is no port `P4`",
    'iptype "i8051systemsink"; ipparm "core=micro";': "this block needs the parameter `port`",
    'iptype "i8051systemsink"; ipparm "core=micro"; ipparm "xbus=0x10000";': "not in external data",
    'iptype "i8051systemsink"; ipparm "core=micro"; ipparm "xbus=0xf000";': "has the console",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(verb: Verb, built: Callable[[str], Path], mistake: str) -> None:
    design = built("clock")
    right = 'iptype "i8051systemsink"; ipparm "core=micro"; ipparm "port=P1";'
    text = design.read_text()
    assert right in text
    design.write_text(text.replace(right, mistake))
    result = verb("fdl", "sim", design)
    assert result.code == 1
    assert MISTAKES[mistake] in " ".join(result.err.split())


def test_a_buffer_leaves_memory_to_the_device(verb: Verb, built: Callable[[str], Path]) -> None:
    design = built("buffer")
    text = design.read_text()
    for right, wrong in (("0x4002", "0"), ("0x4000", "0x8000"), ("0x4001", "0x8001")):
        text = text.replace(f"xbus={right}", f"xbus={wrong}")
    design.write_text(text.replace("xrange=0x40", "xrange=0x1000"))
    result = verb("fdl", "sim", design, "--device", "c8051f020")
    assert result.code == 1
    assert "takes all of `xram` of the device c8051f020" in " ".join(result.err.split())


def test_another_core_has_no_ports(verb: Verb, built: Callable[[str], Path]) -> None:
    design = built("clock")
    result = verb("fdl", "sim", design, "--device", "atmega328p")
    assert result.code == 1
    assert "the device atmega328p has not the pins of `P1`" in " ".join(result.err.split())


def test_a_program_that_is_not_there_is_asked_for(verb: Verb, built: Callable[[str], Path]) -> None:
    design = built("clock")
    design.with_suffix(".ihx").unlink()
    design.with_suffix(".c").unlink()
    result = verb("fdl", "sim", design)
    assert result.code == 1
    assert "clock.ihx of the processor `micro` is not there" in " ".join(result.err.split())


def test_a_program_is_compiled_if_its_image_is_not_there(
    verb: Verb, built: Callable[[str], Path]
) -> None:
    design = built("divisor")
    expected = simulate(verb, design)[1:]
    design.with_suffix(".ihx").unlink()
    assert simulate(verb, design)[1:] == expected


def test_a_program_with_a_mistake_is_told(verb: Verb, built: Callable[[str], Path]) -> None:
    design = built("clock")
    design.with_suffix(".ihx").unlink()
    design.with_suffix(".c").write_text("void main(void) { missing(); }\n")
    result = verb("fdl", "sim", design)
    assert result.code == 1
    assert "clock.c cannot be compiled" in result.err
    assert "missing" in result.err


def test_a_compiler_that_is_missing_is_asked_for(
    verb: Verb, built: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    design = built("clock")
    design.with_suffix(".ihx").unlink()
    monkeypatch.setattr("cocrypt.sdcc.compiling.NAME", "sdcc-that-is-missing")
    monkeypatch.setattr("cocrypt.sdcc.compiling.compiles", lambda _: True)
    result = verb("fdl", "sim", design)
    assert result.code == 2
    assert "SDCC is not installed" in " ".join(result.err.split())
