"""ARM instructions against QEMU: the same ELF file there and by what the model makes of it.

Random sequences run under QEMU's user mode, in A32 and Thumb of ARMv5TE and in Thumb-2 with the DSP
and floating-point extensions (of an A-profile core, which has the same instructions). Modes and
exceptions are programs of their own, which keep a log, under its system mode. What the model does
is what the reference evaluator makes of lifted blocks (`crates/isa-arm/examples/evaluate.rs`).
"""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from arm_programs import AREA_SIZE, NAMES, STRIDE, Program, link, program, run
from arm_templates import SETS
from cocrypt import house

if TYPE_CHECKING:
    from collections.abc import Callable

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
    target = Path(os.environ.get("CARGO_TARGET_DIR", house.root() / "target"))
    command = ["cargo", "build", "--locked", "--quiet", "--release", "--target-dir", str(target)]
    command += ["--package", "cocrypt-isa-arm", "--example", "evaluate"]
    done = subprocess.run(
        command, cwd=house.root(), capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, f"the evaluator cannot be built: {done.stderr}"
    return target / "release" / "examples" / "evaluate"


def difference(made: Program, ours: bytes, theirs: bytes) -> str | None:
    """What the first sequence is of which registers differ, or that the area does."""
    for number, lines in enumerate(made.sequences):
        for state in range(STATES):
            at = AREA_SIZE + (number * STATES + state) * STRIDE
            one, other = (struct.unpack_from("<20I", side, at) for side in (ours, theirs))
            if one != other:
                pairs = zip(FIELDS, one, other, strict=True)
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
        made = program(Random(f"{name} {seed}"), name, tmp_path, SEQUENCES, STATES)
        theirs = run([qemu, "-cpu", isa.cpu, made.elf])
        ours = run([evaluate, isa.architecture, made.elf])
        assert len(theirs) == len(made.memory)
        found = difference(made, ours, theirs)
        assert found is None, f"program {seed}:\n{found}"
        executed += made.executed
    assert executed >= EXECUTED


@pytest.mark.parametrize("name", SYSTEMS)
def test_handlers_find_what_they_find_under_qemu(
    need_tool: Callable[[str], str], evaluate: Path, tmp_path: Path, name: str
) -> None:
    need_tool("arm-none-eabi-as")
    machine, cpu, architecture, data = SYSTEMS[name]
    source = house.root() / "tests" / "cases" / "arm" / f"{name}.s"
    (tmp_path / "program.s").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    elf = link(tmp_path, data, 0)
    command: list[str | Path] = [need_tool("qemu-system-arm"), "-M", machine, "-cpu", cpu]
    command += ["-audiodev", "none,id=none", "-nographic", "-kernel", elf]
    theirs = run([*command, "-semihosting-config", "enable=on,target=native"])
    ours = run([evaluate, architecture, elf, "reset"])
    words = [struct.unpack(f"<{len(side) // 4}I", side) for side in (ours, theirs)]
    differences = [
        f"word {at}: {one:#x} {other:#x}"
        for at, (one, other) in enumerate(zip(*words, strict=True))
        if one != other
    ]
    assert len(words[0]) > 100
    assert not differences, differences[:8]
