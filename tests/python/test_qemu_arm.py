"""ARM instructions against QEMU: the same ELF file under QEMU and by the model's evaluator.

Random sequences run under QEMU's user mode, in A32 and Thumb of ARMv5TE and in Thumb-2 with the DSP
and floating-point extensions (of an A-profile core, which has the same instructions). Modes and
exceptions are programs of their own, which keep a log, under its system mode. The model's results
are those of the reference evaluator for lifted blocks (`crates/isa-arm/examples/evaluate.rs`).
"""

from __future__ import annotations

import struct
from random import Random
from typing import TYPE_CHECKING

import pytest

from arm_programs import AREA_SIZE, NAMES, STRIDE, Program, link, program, run
from arm_templates import SETS
from host import ROOT
from rust_examples import example

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAMS = 6
SEQUENCES, STATES = 400, 25
EXECUTED = 200_000
"""Instructions in sequences that a test runs at least, skipped ones among them included."""
FIELDS = [*NAMES, "", "flags", "ge", "", ""]
SYSTEMS = {
    "exceptions_m": ("mps2-an386", "cortex-m4", "v7e-m", 0x8000),
    "exceptions_a": ("versatilepb", "arm926", "v5te", 0x1_0000),
}


@pytest.fixture(scope="module")
def evaluate() -> Path:
    """The evaluator, built."""
    return example("evaluate")


def difference(case: Program, ours: bytes, theirs: bytes) -> str | None:
    """The first sequence after which registers differ, with these, or a message about the area."""
    for number, lines in enumerate(case.sequences):
        for state in range(STATES):
            at = AREA_SIZE + (number * STATES + state) * STRIDE
            own, reference = (struct.unpack_from("<20I", side, at) for side in (ours, theirs))
            if own != reference:
                pairs = zip(FIELDS, own, reference, strict=True)
                seen = [f"{name}: {a:#x} {b:#x}" for name, a, b in pairs if a != b]
                return "\n".join([*lines, *seen])
    return None if ours == theirs else "the area differs"


@pytest.mark.parametrize("name", SETS)
def test_sequences_do_what_they_do_under_qemu(
    need_tool: Callable[[str], str], evaluate: Path, tmp_path: Path, name: str
) -> None:
    need_tool("arm-none-eabi-as")
    qemu, isa, executed = need_tool("qemu-arm"), SETS[name], 0
    for seed in range(PROGRAMS):
        case = program(Random(f"{name} {seed}"), name, tmp_path, SEQUENCES, STATES)
        theirs = run([qemu, "-cpu", isa.cpu, case.elf])
        ours = run([evaluate, isa.architecture, case.elf])
        assert len(theirs) == len(case.memory)
        mismatch = difference(case, ours, theirs)
        assert mismatch is None, f"program {seed}:\n{mismatch}"
        executed += case.executed
    assert executed >= EXECUTED


@pytest.mark.parametrize("name", SYSTEMS)
def test_handlers_find_what_they_find_under_qemu(
    need_tool: Callable[[str], str], evaluate: Path, tmp_path: Path, name: str
) -> None:
    need_tool("arm-none-eabi-as")
    machine, cpu, architecture, data = SYSTEMS[name]
    source = ROOT / "tests" / "cases" / "arm" / f"{name}.s"
    (tmp_path / "program.s").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    elf = link(tmp_path, data, 0)
    command: list[str | Path] = [need_tool("qemu-system-arm"), "-M", machine, "-cpu", cpu]
    command += ["-audiodev", "none,id=none", "-nographic", "-kernel", elf]
    theirs = run([*command, "-semihosting-config", "enable=on,target=native"])
    ours = run([evaluate, architecture, elf, "reset"])
    words = [struct.unpack(f"<{len(side) // 4}I", side) for side in (ours, theirs)]
    differences = [
        f"word {at}: {own:#x} {reference:#x}"
        for at, (own, reference) in enumerate(zip(*words, strict=True))
        if own != reference
    ]
    assert len(words[0]) > 100
    assert not differences, differences[:8]
