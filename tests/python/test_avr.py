"""AVR in the machine: programs by zig and avr-gcc, on both engines, beside simavr and the host."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT
from rust_examples import output
from test_avr_simavr import compiled, simulator

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto")
REACHED = 2
"""Cycles of the jump from the table of vectors, behind which simavr is first asked."""
PROGRAM = ROOT / "tests/cases/avr/mixing.c"
DEVICES = ("atmega328p", "atmega2560", "attiny85", "atxmega32a4u", "avr128da48")


def image(device: str, compiler: str, level: str) -> Path:
    """The program with our start-up code."""
    chain = Toolchain(Device.load(device), compiler)
    units = [*chain.runtime((level,)), Unit(PROGRAM, (level, "-g"))]
    objects = chain.compile_needed(units)
    return chain.link([*objects.values()], f"{device}, {compiler}")


def host(folder: Path, compiler: str) -> str:
    """Returns what the program prints on this host."""
    program = folder / "mixing"
    subprocess.run([compiler, "-O1", "-DHOSTED", "-o", program, PROGRAM], check=True)
    return output([program])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("compiler", ["zig", "avr-gcc"])
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_programs_do_what_they_do_on_the_host(
    need_tool: Callable[[str], str], tmp_path: Path, device: str, compiler: str, level: str
) -> None:
    """Programs end with the same text, and take the same cycles on every engine."""
    need_tool("avr-gcc")
    printed = host(tmp_path, need_tool("cc"))
    program = image(device, compiler, level)
    figures = set()
    for engine in ENGINES:
        result = Machine(Device.load(device), program, engine=engine).run()
        assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
        assert bytes(result.values["console"]).decode() == printed
        figures.add((result.cycles, result.values["instructions"], result.values["stack"]))
    assert len(figures) == 1


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_unmodified_firmware_is_where_simavr_is(
    need_tool: Callable[[str], str], tmp_path: Path, engine: Engine, level: str
) -> None:
    """The state equals simavr's wherever the machine stops, with avr-libc's start-up code."""
    need_tool("simavr")
    commands = compiled(need_tool("avr-gcc"), need_tool("avr-objcopy"), tmp_path, level)
    simavr = simulator(need_tool("cc"), tmp_path)
    lines = map(str.split, output([simavr, "atmega328p", "0x100"], text=commands).splitlines())
    theirs = {int(line[-1]): (int(line[0], 16), int(line[2], 16), line[5]) for line in lines}
    machine = Machine(Device.load("atmega328p"), tmp_path / "digests.elf", engine=engine)
    compared, last = 0, max(theirs)
    for limit in range(0, last, 97):
        result = machine.run(limit)
        if result.cycles > last:
            break
        ours = machine.registers()
        registers = bytes(ours[f"r{number}"] for number in range(32)).hex()
        state = (result.values["stop"]["pc"], ours["SP"] & 0xFFFF, registers)
        assert result.cycles <= REACHED or state == theirs[result.cycles]
        compared += 1
    assert compared > last // 100


def test_a_function_beyond_16_bits_does_not_fit(tmp_path: Path) -> None:
    """Verbs on many primitives go on without it."""
    source = tmp_path / "long.c"
    code = '__asm__ volatile(".rept 40000\\n nop\\n .endr"); while (n--) counted++; return 0;'
    source.write_text(f"volatile int counted; int main(int n) {{ {code} }}")
    with pytest.raises(DoesNotFitError, match="a function is larger than 64 KiB") as refused:
        Toolchain(Device.load("atmega2560")).compile([Unit(source, ("-O2",))])
    assert refused.value.reason == "more than 64 KiB of code in a file"


def test_a_profile_names_functions(need_tool: Callable[[str], str]) -> None:
    need_tool("avr-gcc")
    machine = Machine(Device.load("atmega328p"), image("atmega328p", "zig", "-Os"), contexts=True)
    total = machine.run().cycles
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    assert functions["mix"]["calls"] == 100
    assert sum(function["self_cycles"] for function in functions.values()) == total
    assert functions["main"]["total_cycles"] > functions["mix"]["total_cycles"]


def test_registers_are_memory_in_every_engine(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """A pointer that leads to registers, the status register and the stack pointer."""
    need_tool("avr-gcc")
    agrees(
        tmp_path,
        """
    .globl main
main:
    ldi r16, 200
1:  ldi r26, 5
    ldi r27, 0
    mov r5, r16
    ld r18, X+
    st X, r18
    cp r6, r16
    brne 2f
    ldi r26, 0x5f
    clr r17
    st X, r17
    brcs 2f
    ldi r17, 1
    st X, r17
    brcc 2f
    ldi r26, 0x5d
    ld r18, X+
    ld r19, X
    in r20, 0x3d
    cp r18, r20
    brne 2f
    in r20, 0x3e
    cp r19, r20
    brne 2f
    dec r16
    brne 1b
    ldi r24, 0
    ldi r25, 0
    ret
2:  ldi r24, 1
    ldi r25, 0
    ret
""",
    )


def test_a_pointer_counts_from_registers_to_memory(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """The accesses of a function are as far apart as in a buffer, but not in one memory."""
    need_tool("avr-gcc")
    agrees(
        tmp_path,
        """
    .globl main
main:
    ldi r18, lo8(5000)
    ldi r19, hi8(5000)
    ldi r20, 0
1:  ldi r26, 16
    ldi r27, 0
    ld r17, X+
    inc r16
    eor r20, r17
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    adiw r26, 63
    ld r21, X
    add r21, r20
    st X+, r21
    st X+, r16
    subi r18, 1
    sbci r19, 0
    brne 1b
    mov r24, r21
    andi r24, 0
    ldi r25, 0
    ret
""",
    )


def agrees(folder: Path, text: str) -> None:
    """Runs assembly, whose `main` returns 0, on every engine."""
    source = folder / "main.S"
    source.write_text(text, encoding="utf-8")
    chain = Toolchain(Device.load("atmega328p"))
    units = [Unit(chain.folder / "crt0.S"), Unit(source)]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "assembly")
    machines = [Machine(Device.load("atmega328p"), image, engine=engine) for engine in ENGINES]
    runs = [machine.run() for machine in machines]
    assert [run.values["stop"]["exit_code"] for run in runs] == [0, 0, 0]
    assert len({run.cycles for run in runs}) == 1
    assert len({tuple(machine.registers().items()) for machine in machines}) == 1


FRAME = """
    .globl main
    .type main, @function
main:
    in   r30, 0x3d
    in   r31, 0x3e
    subi r30, lo8({size})
    sbci r31, hi8({size})
    out  0x3e, r31
    out  0x3d, r30
    subi r30, lo8({back})
    sbci r31, hi8({back})
    out  0x3e, r31
    out  0x3d, r30
    clr  r24
    clr  r25
    ret
"""
"""Takes a frame as compilers do, the high byte of the stack pointer first, and leaves it."""


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
def test_half_a_stack_pointer_is_no_depth(engine: Engine, tmp_path: Path) -> None:
    """Between the two writes it may be lower than behind both."""
    stacks = []
    for size in (0, 9, 0x1F0, 0x1FF):
        source = tmp_path / f"frame{size}.S"
        source.write_text(FRAME.format(size=size, back=-size & 0xFFFF), encoding="utf-8")
        chain = Toolchain(Device.load("atmega2560"))
        objects = chain.compile_needed([*chain.runtime(()), Unit(source)])
        image = chain.link(list(objects.values()), "frame")
        stacks.append(Machine(chain.device, image, engine=engine).run().values["stack"])
    assert [stack - stacks[0] for stack in stacks] == [0, 9, 0x1F0, 0x1FF]
