"""Programs without sources: functions of an ELF file give way to others, on model and RTL alike."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cocrypt._native import DiagnosticError
from cocrypt.builder import Builder
from cocrypt.errors import InputError
from cocrypt.explore import explore
from cocrypt.partition import partition
from cocrypt.patching import Program, _jump, is_program
from cocrypt.study import Choice, Study
from cocrypt.target import ARM, RISC_V, Target
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


@pytest.fixture(scope="module")
def firmware() -> Path:
    """A program, of which only the file is left."""
    study = Study.load(ROOT / "studies/sha256.toml")
    (built,) = Builder(study).build([(study.workload(), partition(study, ()))])
    return built.path


@pytest.fixture
def project(firmware: Path, tmp_path: Path) -> Callable[..., Path]:
    """A study of that program."""
    expect = Study.load(ROOT / "studies/sha256.toml").workload().expect.hex()

    def make(candidate: str = CANDIDATE, content: bytes | None = None) -> Path:
        shutil.copy(firmware, tmp_path / "firmware.elf")
        if content is not None:
            (tmp_path / "firmware.elf").write_bytes(content)
        (tmp_path / "study.toml").write_text(
            '[study]\nname = "image"\ntitle = "A program"\ndevice = "picorv32"\n'
            '[toolchain]\ncompiler = "zig"\nflags = ["-O2"]\n'
            f'[sources]\ninclude = ["{ROOT}/primitives/sha256/ref"]\n'
            '[[workload]]\nname = "all"\ntitle = "All"\nsource = "firmware.elf"\n'
            f'output = "output"\nexpect = "{expect}"\n{candidate}'
        )
        return tmp_path / "study.toml"

    return make


def test_functions_of_a_program_are_replaced(project: Callable[..., Path]) -> None:
    study = Study.load(project())
    found = explore(study, study.workload())
    assert found.verified
    assert [row.measurement.partition.name for row in found.rows] == [
        "all software",
        "sha256_compress: unrolled",
        "sha256_compress",
    ]
    assert found.by_hardware(("sha256_compress",)).gain > 2
    assert found.by_hardware(("sha256_compress",)).measurement.split.driver > 0
    assert found.natural is None
    # Sixteen blocks, each with a jump.
    assert "at most 64 cycles of T" in found.notes[-1]


def test_rtl_runs_the_same_image(project: Callable[..., Path]) -> None:
    study = Study.load(project())
    found = verify(study, [Choice("all", ()), Choice("all", ("sha256_compress",))])
    assert [one.difference for one in found.runs] == [0, 0]
    assert found.agrees


def test_without_candidates_the_hot_function_is_named(project: Callable[..., Path]) -> None:
    study = Study.load(project(""))
    found = explore(study, study.workload())
    assert found.hot is not None
    assert "sha256_compress" in [one.name for one in found.hot.spots[:4]]


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
    found = cocrypt("explore", str(project(candidate)))
    assert found.returncode == 1
    assert part in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("kept", [6, 40, 60, 200, 1500])
def test_a_broken_program_is_one_message(
    project: Callable[..., Path], cocrypt: Cocrypt, firmware: Path, kept: int
) -> None:
    found = cocrypt("explore", str(project(content=firmware.read_bytes()[:kept])))
    assert found.returncode == 1
    assert "Traceback" not in found.stderr
    assert found.stderr.strip()


# Assembled by LLVM: a jump to so many bytes further on than itself.
JUMPS = {
    Target(RISC_V): {8: "6f008000", -4: "6ff0dfff", 0x12344: "6f204134"},
    Target(ARM, cpu="arm926ej-s"): {8: "000000ea", -4: "fdffffea", 0x1233C: "cd4800ea"},
    Target(ARM, cpu="cortex-m4", thumb=True): {
        8: "00f002b8",
        -4: "fff7fcbf",
        0x1233C: "12f09cb9",
        0xF1233C: "12f39c91",
        -0x923464: "dcf6cc9d",
    },
}


@pytest.mark.parametrize("target", JUMPS, ids=lambda one: one.title)
def test_jumps_are_what_the_manual_says(target: Target) -> None:
    jump = _jump(target)
    for distance, code in JUMPS[target].items():
        assert jump.encoded(distance, "f").hex() == code
    with pytest.raises(InputError, match="too far"):
        jump.encoded(jump.reach, "f")


def test_jumps_of_small_cores_do_not_replace_functions() -> None:
    with pytest.raises(InputError, match="too short"):
        _jump(Target(ARM, cpu="cortex-m0", thumb=True))


def test_only_programs_are_programs(firmware: Path, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    assert is_program(firmware)
    assert not is_program(tmp_path / "main.c")
    with pytest.raises(DiagnosticError):
        Program.load(tmp_path / "main.c")
