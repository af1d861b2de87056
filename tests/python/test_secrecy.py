"""Secrets followed through programs: code that claims constant time has it, leaks are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from cocrypt.primitives.secrecy import examine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.primitives.subject import Subject
    from conftest import Cocrypt

# With more bits the same code runs for several 10^9 instructions.
LONGER = ("rsa1024", "rsa2048")
CLAIMED = [
    subject
    for subject in library.ours()
    if subject.constant_time and subject.over is None and subject.primitive not in LONGER
]
# A mode adds the same code to every cipher, and HMAC to every hash: these stand for the others.
OVER = [
    subject
    for subject in library.ours()
    if subject.constant_time and subject.over in ("speck64_128", "aes128", "md5", "sha256")
]


def fitting(subject: Subject) -> Device:
    """A fast device, with a core that has what the subject needs."""
    devices = (Device.load(name) for name in ("ibex-maxperf", "picorv32", "atmega2560"))
    device = next(candidate for candidate in devices if candidate.can_have(subject.extensions))
    return device.extended(subject.extensions)


@pytest.mark.parametrize("level", ["-Os", "-O2", "-O3"])
@pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=subject.name) for subject in [*CLAIMED, *OVER]]
)
def test_what_is_said_to_take_constant_time_does(subject: Subject, level: str) -> None:
    verdict = examine(Task(subject, fitting(subject), Build((level,)), (64,)))
    leaks = [f"{finding.kind} {finding.place} `{finding.text}`" for finding in verdict.findings]
    assert leaks == []
    assert verdict.instructions > 0


# For the Cortex-M4 the compiler has conditional instructions, jump tables and products of its own;
# for the Cortex-M0+ it has no conditional instructions but branches.
@pytest.mark.parametrize(
    ("board", "level"), [("stm32f4-24mhz", "-O2"), ("rp2040", "-O2"), ("rp2040", "-Os")]
)
@pytest.mark.parametrize(
    "subject",
    [
        pytest.param(subject, id=subject.name)
        for subject in [*CLAIMED, *OVER]
        if not subject.extensions
    ],
)
def test_it_does_on_arm_too(subject: Subject, board: str, level: str) -> None:
    verdict = examine(Task(subject, Device.load(board), Build((level,)), (64,)))
    leaks = [f"{finding.kind} {finding.place} `{finding.text}`" for finding in verdict.findings]
    assert leaks == []
    assert verdict.instructions > 0


TABLES = (
    "aes128/fast",
    "aes128/lean",
    "present80/tables",
    "camellia128/fast",
    "des/fast",
    "rc4/fast",
)


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_found(name: str) -> None:
    (subject,) = library.named([name])
    verdict = examine(Task(subject, Device.load("ibex-maxperf"), Build(("-O2",)), (64,)))
    assert {finding.kind for finding in verdict.findings} & {"load", "store"}
    assert all(finding.place.line for finding in verdict.findings)


LEAKY = """#include <stdint.h>
static const uint8_t table[4] = {3, 1, 4, 1};
void leaky_expand(uint32_t *keys, const uint8_t key[4]);
void leaky_encrypt(const uint32_t *keys, const uint8_t text[4], uint8_t result[4]);
void leaky_expand(uint32_t *keys, const uint8_t key[4])
{
    *keys = key[0];
    if (key[1] & 1)
        *(volatile uint32_t *)keys = 7;
    *keys ^= table[key[2] & 3];
    *keys ^= 0x80000000u >> (key[3] & 31);
    *keys += 1000u / (*keys | 1);
}
void leaky_encrypt(const uint32_t *keys, const uint8_t text[4], uint8_t result[4])
{
    volatile uint8_t made[4] = {0};
    made[*keys & 3] = text[0];
    for (unsigned i = 0; i < 4; i++)
        result[i] = (uint8_t)(made[i] ^ text[i]);
}
"""
LEAKY_FILE = """[primitive]
title = "Leaky"
kind = "block_cipher"
[members.leaky]
key = 4
block = 4
[implementations.c]
sources = ["leaky.c"]
provides = ["expand", "encrypt"]
"""


def leaky(folder: Path, *changes: tuple[str, str]) -> str:
    """Write a cipher that gives its key away in every way."""
    text = LEAKY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "leaky.c").write_text(text)
    # The context is a word, whose type needs a name.
    (folder / "leaky.h").write_text("#include <stdint.h>\ntypedef uint32_t LEAKY;\n")
    (folder / "primitive.toml").write_text(
        LEAKY_FILE.replace('kind = "bl', 'header = "leaky.h"\ncontext = "LEAKY"\nkind = "bl')
    )
    return str(folder)


def findings(cocrypt: Cocrypt, folder: str, device: str) -> set[tuple[str, int]]:
    done = cocrypt("leak", "ct", folder, "-d", device, "--json")
    assert done.returncode in (0, 3), done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    leaks: list[dict[str, Any]] = row["findings"]
    assert row["keeps"] == (not leaks)
    assert {finding["file"].rsplit("/", 1)[1] for finding in leaks} <= {"leaky.c"}
    return {(finding["kind"], finding["line"]) for finding in leaks}


# The lines of the text above, from 1. The time of a shift depends on its amount on SERV and on the
# smallest PicoRV32; the time of a division depends on its operands on VexRiscv, and SERV's helper
# is a loop, while Ibex and PicoRV32 always take the same time, except for zero.
BRANCH, TABLE, SHIFT, DIVIDE, STORE = 8, 10, 11, 12, 17


def test_each_way_is_found_at_its_line(cocrypt: Cocrypt, tmp_path: Path) -> None:
    leaks = findings(cocrypt, leaky(tmp_path), "picorv32")
    assert ("branch", BRANCH) in leaks
    assert ("load", TABLE) in leaks
    assert ("store", STORE) in leaks
    assert not any(kind == "time" for kind, _ in leaks), "a barrel shifter takes one time"


def test_times_are_those_of_the_core(cocrypt: Cocrypt, tmp_path: Path) -> None:
    folder = leaky(tmp_path, ("    *keys += 1000u / (*keys | 1);\n", ""))
    assert ("time", SHIFT) in findings(cocrypt, folder, "serv")
    assert ("time", SHIFT) not in findings(cocrypt, folder, "ibex-small")


DIVISION = "    *keys += 1000u / (*keys | 1);\n"


def divides(cocrypt: Cocrypt, folder: Path, device: str, divisor: str) -> bool:
    """Returns whether the time of a division by a divisor with secrets depends on them."""
    path = leaky(folder, (DIVISION, f"    *keys += 1000u / {divisor};\n"))
    return ("time", DIVIDE) in findings(cocrypt, path, device)


@pytest.mark.long
def test_a_divisor_that_cannot_be_zero_tells_nothing(cocrypt: Cocrypt, tmp_path: Path) -> None:
    # Ibex divides in 37 cycles, by 0 in 2.
    assert not divides(cocrypt, tmp_path, "ibex-small", "(*keys | 1)")
    assert divides(cocrypt, tmp_path, "ibex-small", "*keys")
    # The set bits of a sum depend on the secret, its least value does not.
    assert not divides(cocrypt, tmp_path, "ibex-small", "((*keys & 0xff) + 1)")
    assert not divides(cocrypt, tmp_path, "ibex-small", "((*keys >> 4) * 5 + 3)")
    assert divides(cocrypt, tmp_path, "ibex-small", "(*keys + 1)")


def test_a_quotient_of_known_length_tells_nothing(cocrypt: Cocrypt, tmp_path: Path) -> None:
    # The division of Cortex-M4 ends with the quotient: 1000 is less than any divisor with this bit.
    assert not divides(cocrypt, tmp_path, "stm32f4-24mhz", "(*keys | 0x400)")
    assert divides(cocrypt, tmp_path, "stm32f4-24mhz", "(*keys | 1)")


def multiplies(cocrypt: Cocrypt, folder: Path, device: str, factor: str) -> bool:
    """Returns whether the time of a product depends on its secret factor, on either side."""
    product = (
        f"    uint32_t r, a = {factor};\n"
        '    __asm__ volatile("mul %0, %1, %2" : "=&r"(r) : "r"(a), "r"(a)); *keys += r;\n'
    )
    leaks = findings(cocrypt, leaky(folder, (DIVISION, product)), device)
    return ("time", DIVIDE + 1) in leaks


@pytest.mark.long
def test_a_factor_of_known_length_tells_nothing(cocrypt: Cocrypt, tmp_path: Path) -> None:
    # The multiplier of ARM7TDMI terminates early, by bytes; that of ARM926EJ-S does not.
    assert not multiplies(cocrypt, tmp_path, "arm7tdmi", "*keys & 0xff")
    assert multiplies(cocrypt, tmp_path, "arm7tdmi", "*keys & 0xfff")
    assert not multiplies(cocrypt, tmp_path, "at91sam9", "*keys")


@pytest.mark.parametrize("board", ["picorv32", "atmega2560"])
def test_what_is_revealed_is_no_finding(
    cocrypt: Cocrypt, need_tool: Callable[[str], str], tmp_path: Path, board: str
) -> None:
    if board == "atmega2560":
        need_tool("avr-gcc")
    folder = leaky(
        tmp_path,
        ("#include <stdint.h>", '#include "bytes.h"'),
        ("if (key[1] & 1)", "if (revealed(key[1] & 1))"),
    )
    leaks = findings(cocrypt, folder, board)
    assert ("branch", BRANCH) not in leaks
    assert ("load", TABLE) in leaks


def test_a_clean_one_ends_well_and_a_leaky_one_does_not(cocrypt: Cocrypt, tmp_path: Path) -> None:
    good = cocrypt("leak", "ct", "speck64_128", "-d", "ibex-small")
    assert good.returncode == 0, good.stderr
    assert "keeps them" in good.stdout
    bad = cocrypt("leak", "ct", leaky(tmp_path), "-d", "ibex-small")
    assert bad.returncode == 3
    assert "leaky.c:10 in `leaky_expand`: the address of a load" in bad.stdout
    assert "1 of 1 give secrets away: leaky/c" in bad.stderr
