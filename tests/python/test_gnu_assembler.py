"""`assembler = "gnu"`: assembly is encoded as GCC's own assembler encodes it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt import gnu, paths
from cocrypt.boundary import BOUNDARY
from cocrypt.build_tools import BuildTools
from cocrypt.builder import Builder
from cocrypt.device import Device, Tools
from cocrypt.errors import HostError, InputError
from cocrypt.measurement import require_clean, run
from cocrypt.partition import partitions
from cocrypt.study import Study
from cocrypt.target import instruction_set
from cocrypt.toolchain import Toolchain, Unit
from cocrypt.trust import Project, sandbox, store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Instructions that LLVM's assembler encodes otherwise, or does not read.
SOURCES = {
    "stm32f4-24mhz": """    .syntax unified
    .thumb
    .text
    .global f
    .type f, %function
f:  push {r0-r2, lr}
    pop  {r0-r2}
    ldmia sp!, {r0-r2}
    add  r0, r0, #1
    adds r0, r0, #1
    ldr  r1, =0x12345678
    ldr  r2, =TWELVE
    cmp  r0, #200
    bne  f
    pop  {pc}
    .ltorg
""",
    "stm32f0": """    .syntax unified
    .text
    .global f
    .type f, %function
    .thumb_func
f:  push {r4, lr}
    movs r4, #TWELVE
1:  subs r4, r4, #1
    bne  1b
    ldr  r0, =f
    pop  {r4, pc}
""",
    "sa1110": """    .text
    .global f
    .type f, %function
f:  stmfd sp!, {r4, lr}
    ldr   r0, =0x1234
    moveq r1, #TWELVE
    ldmeqfd sp!, {r4, pc}
    ldmfd sp!, {r4, pc}
""",
    "picorv32": """    .text
    .globl f
    .type f, @function
f:  addi a0, a0, TWELVE
    la   a1, f
    li   a2, 0x12345678
    beqz a0, f
    mul  a0, a0, a2
    ret
""",
    "serv": """    .text
    .globl f
f:  addi a0, a0, TWELVE
    ret
""",
    "atmega328p": """    .text
    .global f
f:  ldi r24, lo8(f)
    ldi r25, TWELVE
    lds r24, 0x100
    breq f
    rjmp f
    ret
""",
}
HEADER = "#define TWELVE 12\n"


def code(path: Path, prefix: str, folder: Path) -> bytes:
    """The bytes of an object's code."""
    out = folder / "code.bin"
    command = [f"{prefix}objcopy", "-O", "binary", "-j", ".text", str(path), str(out)]
    subprocess.run(command, check=True)
    return out.read_bytes()


def chain(device: str, folder: Path, assembler: str | None = "gnu") -> Toolchain:
    """A project's toolchain."""
    tools = BuildTools(Device.load(device), general=Tools(assembler=assembler))
    return Toolchain(tools.device, project=Project(folder), tools=tools)


@pytest.mark.parametrize("device", SOURCES)
def test_encodings_are_those_of_gcc(
    tmp_path: Path, device: str, need_tool: Callable[[str], str]
) -> None:
    target = Device.load(device).target
    gcc = need_tool(target.instructions.gcc)
    need_tool(gnu.program(target.instructions))
    (tmp_path / "twelve.h").write_text(HEADER)
    source = tmp_path / "f.S"
    source.write_text(f'#include "twelve.h"\n{SOURCES[device]}')
    reference = tmp_path / "reference.o"
    words = target.words("gcc", is_recent=True)
    subprocess.run([gcc, *words, "-c", str(source), "-o", str(reference)], check=True)
    compiled = "avr-gcc" if "avr" in gcc else None
    unit = Unit(source, include=(tmp_path,))
    built = Toolchain(
        Device.load(device), compiled, Project(tmp_path), chain(device, tmp_path).tools
    ).compile([unit])[unit]
    prefix = gcc.removesuffix("gcc")
    assert code(built, prefix, tmp_path) == code(reference, prefix, tmp_path)
    # Included files are checked again.
    (tmp_path / "twelve.h").write_text(HEADER.replace("12", "13"))
    again = Toolchain(
        Device.load(device), compiled, Project(tmp_path), chain(device, tmp_path).tools
    ).compile([unit])[unit]
    assert code(again, prefix, tmp_path) != code(built, prefix, tmp_path)


def test_a_short_encoding_is_taken_where_there_is_one(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("arm-none-eabi-as")
    source = tmp_path / "pop.s"
    (tmp_path / "pop.inc").write_text("    ldmia sp!, {r0-r2}\n")
    source.write_text('    .syntax unified\n    .thumb\n    .include "pop.inc"\n')
    sizes, unit = {}, Unit(source, include=(tmp_path,))
    for assembler in ("gnu", "compiler"):
        compiled = chain("stm32f4-24mhz", tmp_path, assembler).compile([unit])[unit]
        sizes[assembler] = len(code(compiled, "arm-none-eabi-", tmp_path))
    assert sizes["gnu"] == 2
    assert sizes["compiler"] > sizes["gnu"]
    # Included files are checked again, whichever tool reads them.
    (tmp_path / "pop.inc").write_text("    ldmia sp!, {r0-r2}\n    nop\n")
    for assembler, before in sizes.items():
        compiled = chain("stm32f4-24mhz", tmp_path, assembler).compile([unit])[unit]
        assert len(code(compiled, "arm-none-eabi-", tmp_path)) == before + 2


STUDY = """[study]
name = "s"
title = "S"
device = "{device}"
[toolchain]
flags = ["-O2"]
assembler = "gnu"
[sources]
common = ["sum.S"]
[[workload]]
name = "w"
title = "W"
source = "main.c"
output = "output"
expect = "64000000"
[[candidate]]
function = "sum"
[[candidate.option]]
name = "other"
source = "other.S"
"""
SUM = {
    "stm32f4-24mhz": """    .syntax unified
    .thumb
    .global sum
    .type sum, %function
sum:
    push {r4-r6}
    add r0, r1
    pop {r4-r6}
    bx lr
""",
    "picorv32": """    .globl sum
    .type sum, @function
sum:
    add a0, a0, a1
    ret
""",
}


@pytest.mark.parametrize("device", SUM)
def test_a_study_takes_it_for_candidates_too(
    tmp_path: Path, device: str, need_tool: Callable[[str], str]
) -> None:
    need_tool(gnu.program(Device.load(device).target.instructions))
    (tmp_path / "study.toml").write_text(STUDY.format(device=paths.device(device)))
    main = "int sum(int a, int b);\nint output;\nint main(void)\n{\n"
    main += "    for (int i = 0; i < 10; i++) output = sum(output, 10);\n    return 0;\n}\n"
    (tmp_path / "main.c").write_text(main)
    (tmp_path / "sum.S").write_text(SUM[device])
    (tmp_path / "other.S").write_text(SUM[device].replace("sum:", "sum: nop"))
    study = Study.load(tmp_path / "study.toml")
    builder = Builder(study)
    cycles = []
    for built in builder.build([(study.workload(), partition) for partition in partitions(study)]):
        ended = run(study.device, built.image, "sum")
        require_clean(ended)
        assert ended.output("output", 4) == b"\x64\0\0\0"
        assert any(BOUNDARY in symbol["name"] for symbol in ended.info["symbols"])
        cycles.append(ended.cycles)
    assert cycles[1] > cycles[0]
    assert "GNU assembler" in builder.description()["assembler"]


def test_where_it_is_missing_the_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    gnu.assembler.cache_clear()
    (tmp_path / "f.S").write_text("    nop\n")
    with pytest.raises(HostError, match="`arm-none-eabi-as` is not installed") as caught:
        chain("stm32f4-24mhz", tmp_path).compile([Unit(tmp_path / "f.S")])
    assert "binutils-arm-none-eabi" in str(caught.value.help)
    assert 'assembler = "compiler"' in str(caught.value.help)
    gnu.assembler.cache_clear()


def test_an_error_names_the_line_of_the_source(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("riscv64-unknown-elf-as")
    (tmp_path / "f.S").write_text("#define GOOD nop\n    GOOD\n    nonesuch a0\n")
    with pytest.raises(InputError, match=r"f\.S cannot be assembled") as caught:
        chain("picorv32", tmp_path).compile([Unit(tmp_path / "f.S")])
    assert "f.S:3: Error" in caught.value.message


def test_a_project_s_own_program_of_that_name_needs_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sandbox.works():
        pytest.skip("this host has no sandbox")
    monkeypatch.delenv("COCRYPT_TRUST", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    store.forget()
    project = tmp_path / "project"
    project.mkdir()
    fake = project / gnu.program(instruction_set("rv32"))
    fake.write_text("#!/bin/sh\ntouch ran\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(project), prepend=":")
    gnu.assembler.cache_clear()
    (project / "f.s").write_text("    nop\n")
    with pytest.raises(InputError, match="which is in its folder"):
        chain("picorv32", project).compile([Unit(project / "f.s")])
    assert not (project / "ran").exists()
    gnu.assembler.cache_clear()
