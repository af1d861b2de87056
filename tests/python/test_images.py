"""Programs without sources: functions of an ELF file are replaced, on model and RTL alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt._native import DiagnosticError
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.explore import explore
from cocrypt.partition import partition
from cocrypt.patching import Entry, Program, is_program
from cocrypt.study import Choice, Study
from cocrypt.target import Target, instruction_set
from cocrypt.verify import verify
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

CANDIDATE = f"""
[[candidate]]
function = "sha256_compress"

[[candidate.option]]
name   = "unrolled"
source = "{ROOT}/primitives/sha256/unrolled/sha256_compress.c"

[[candidate.option]]
name        = "coprocessor"
source      = "{ROOT}/studies/sha256/compress_coprocessor.c"
coprocessor = "sha256"
"""


COUNTING = f"""
#include "sha256.h"
#pragma push_macro("sha256_compress")
#undef sha256_compress
#define sha256_compress compress
#include "{ROOT}/primitives/sha256/ref/sha256_compress.c"
#pragma pop_macro("sha256_compress")

static volatile uint32_t calls = 40, cleared;

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{{
    calls += 1;
    if (calls > 40 && cleared++ + 41 == calls) {{
        compress(state, block);
    }}
}}
"""


def built_for(device: str) -> Path:
    """The file of a program for a device, without the sources."""
    study = Study.load(ROOT / "studies/sha256.toml").on(Device.load(device))
    (built,) = Builder(study).build([(study.workload(), partition(study, ()))])
    return built.path


@pytest.fixture(scope="module")
def firmware() -> Path:
    return built_for("picorv32")


@pytest.fixture
def project(firmware: Path, tmp_path: Path) -> Callable[..., Path]:
    """A study of that program."""
    expect = (Study.load(ROOT / "studies/sha256.toml").workload().expect or b"").hex()

    def make(
        candidate: str = CANDIDATE, content: bytes | None = None, device: str = "picorv32"
    ) -> Path:
        (tmp_path / "firmware.elf").write_bytes(content or firmware.read_bytes())
        (tmp_path / "study.toml").write_text(
            f'[study]\nname = "image"\ntitle = "A program"\ndevice = "{device}"\n'
            '[toolchain]\ncompiler = "zig"\nflags = ["-O2"]\n'
            f'[sources]\ninclude = ["{ROOT}/primitives/sha256/ref"]\n'
            '[[workload]]\nname = "all"\ntitle = "All"\nsource = "firmware.elf"\n'
            f'output = "output"\nexpect = "{expect}"\n{candidate}'
        )
        return tmp_path / "study.toml"

    return make


def test_functions_of_a_program_are_replaced(project: Callable[..., Path]) -> None:
    study = Study.load(project())
    result = explore(study, study.workload())
    assert result.verified
    assert [row.measurement.partition.name for row in result.rows] == [
        "all software",
        "sha256_compress: unrolled",
        "sha256_compress",
    ]
    assert result.by_hardware(("sha256_compress",)).gain > 2
    assert (result.by_hardware(("sha256_compress",)).measurement.split.driver or 0) > 0
    assert result.natural is None
    # Sixteen blocks, each with a jump.
    assert "at most 64 cycles of T" in result.notes[-1]


@pytest.mark.parametrize("device", ["stm32f4-24mhz", "stm32f0", "rp2040", "at91sam9", "sa1110"])
def test_functions_of_a_program_for_arm_are_replaced(
    project: Callable[..., Path], device: str
) -> None:
    """Thumb with and without wide branches, and A32; with flash, and in a single memory."""
    study = Study.load(project(content=built_for(device).read_bytes(), device=device))
    result = explore(study, study.workload())
    assert result.verified
    assert len(result.rows) == 3
    hardware = result.by_hardware(("sha256_compress",))
    assert hardware.gain > 2
    assert (hardware.measurement.split.driver or 0) > 0


@pytest.mark.parametrize("device", ["stm32f4-24mhz", "at91sam9"])
def test_data_of_what_replaces_a_function_is_there(
    project: Callable[..., Path], tmp_path: Path, device: str
) -> None:
    """The replacement works if its initialised and its cleared data are right."""
    (tmp_path / "counting.c").write_text(COUNTING)
    candidate = (
        '[[candidate]]\nfunction = "sha256_compress"\n'
        '[[candidate.option]]\nname = "counting"\nsource = "counting.c"\n'
    )
    content = built_for(device).read_bytes()
    study = Study.load(project(candidate, content, device))
    assert explore(study, study.workload()).verified


def test_rtl_runs_the_same_image(project: Callable[..., Path]) -> None:
    study = Study.load(project())
    result = verify(study, [Choice("all", ()), Choice("all", ("sha256_compress",))])
    assert [run.difference for run in result.runs] == [0, 0]
    assert result.agrees


def test_without_candidates_the_hot_function_is_named(project: Callable[..., Path]) -> None:
    study = Study.load(project(""))
    result = explore(study, study.workload())
    assert result.hot is not None
    assert "sha256_compress" in [spot.name for spot in result.hot.spots[:4]]


@pytest.mark.parametrize(
    ("candidate", "part"),
    [
        (CANDIDATE.replace("sha256_compress", "sha256_compres", 1), "no function `sha256_compres`"),
        (
            CANDIDATE.replace(
                "[[candidate.option]]",
                f'software = "{ROOT}/studies/sha256/abc.c"\n[[candidate.option]]',
                1,
            ),
            "is built already",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    project: Callable[..., Path], cocrypt: Cocrypt, candidate: str, part: str
) -> None:
    done = cocrypt("explore", str(project(candidate)))
    assert done.returncode == 1
    assert part in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("size", [6, 40, 60, 200, 1500])
def test_a_broken_program_is_one_message(
    project: Callable[..., Path], cocrypt: Cocrypt, firmware: Path, size: int
) -> None:
    done = cocrypt("explore", str(project(content=firmware.read_bytes()[:size])))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


# Assembled by LLVM: jumps from `SOURCE`, by their distance in bytes.
SOURCE = 0x0100_0000


def target(variant: str, encoding: str | None = None) -> Target:
    return Target(variant, instruction_set(variant).encoding(encoding))


WIDE = (target("armv7e-m", "thumb"), 1)
JUMPS = {
    (target("rv32"), 0): {8: "6f008000", -4: "6ff0dfff", 0x12344: "6f204134"},
    (target("armv5te"), 0): {8: "000000ea", -4: "fdffffea", 0x1233C: "cd4800ea"},
    WIDE: {
        8: "00f002b8",
        -4: "fff7fcbf",
        0x1233C: "12f09cb9",
        0xF1233C: "12f39c91",
        -0x923464: "dcf6cc9d",
    },
    (target("armv6-m", "thumb"), 1): {0x1234: "01b40248844601bc6047c04635120001"},
    (target("armv4t"), 1): {0x1234: "01b40248844601bc6047c04634120001"},
    (target("armv5te", "thumb"), 0): {0x1234: "00c09fe51cff2fe135120001"},
}


@pytest.mark.parametrize(
    ("processor", "mode"),
    JUMPS,
    ids=lambda value: value.variant if isinstance(value, Target) else str(value),
)
def test_jumps_are_what_the_manual_says(processor: Target, mode: int) -> None:
    entry = Entry("f", SOURCE, 16, mode)
    for distance, code in JUMPS[processor, mode].items():
        assert entry.leading_to(SOURCE + distance, processor).hex() == code


def test_a_literal_is_aligned() -> None:
    entry = Entry("f", SOURCE + 2, 16, mode=1)
    code = entry.leading_to(SOURCE + 0x1234, target("armv6-m", "thumb"))
    assert code.hex() == "01b40148844601bc604735120001"


@pytest.mark.parametrize(
    ("size", "distance", "message"), [(2, 8, "2 bytes"), (4, 1 << 24, "too far")]
)
def test_a_jump_that_does_not_fit_is_refused(size: int, distance: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Entry("f", SOURCE, size, mode=1).leading_to(SOURCE + distance, WIDE[0])


def test_only_programs_are_programs(firmware: Path, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    assert is_program(firmware)
    assert not is_program(tmp_path / "main.c")
    with pytest.raises(DiagnosticError):
        Program.load(tmp_path / "main.c")
