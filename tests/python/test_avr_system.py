"""A chip around AVR: its USART as the console, its timers, interrupts, what is refused by name."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine
    from conftest import Cocrypt

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto")
CASES = ROOT / "tests" / "cases" / "avr"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
REFUSED = {
    "WDTCSR": ("avr/wdt.h", "WDTCSR = 0", "atmega2560 atmega328p attiny10"),
    "WDTCR": ("avr/wdt.h", "WDTCR = 0", "attiny85"),
    "wdr": ("avr/wdt.h", "wdt_reset()", "atmega2560 attiny85 atxmega32a4u"),
    "EEAR": ("avr/eeprom.h", "EEAR = 1", "atmega2560 atmega328p attiny85"),
    "EECR": ("avr/eeprom.h", "eeprom_update_byte((uint8_t *)1, 2)", "atmega2560 attiny85"),
    "SPMCSR": ("avr/boot.h", "boot_lock_fuse_bits_get(0)", "atmega2560 atmega328p attiny85"),
    "WDT": ("avr/wdt.h", "WDT.CTRL = 0", "atxmega32a4u"),
    "Timer/Counter1": ("avr/io.h", "TCCR1A = _BV(WGM11)", "atmega2560 atmega328p"),
    "Timer/Counter0": ("avr/io.h", "TCCR0B = _BV(CS02) | _BV(CS01)", "atmega2560 atmega328p"),
    "NVM": ("avr/io.h", "NVM.CMD = NVM_CMD_READ_FUSES_gc", "atxmega32a4u"),
}
"""The name in the message, the code that reaches the part, and the chips."""
PARTS = {
    "WDT": "the watchdog",
    "wdr": "the watchdog",
    "EE": "the EEPROM",
    "SPM": "fuses",
    "NVM": "fuses",
    "Timer": "counts here in a way",
}


def firmware(compiler: str, chip: str, source: Path) -> Path:
    """A program with avr-libc and its start-up code."""
    image = source.with_suffix(".elf")
    subprocess.run([compiler, f"-mmcu={chip}", "-Os", str(source), "-o", str(image)], check=True)
    return image


def copied(name: str, folder: Path) -> Path:
    """A program of the cases in a folder of its own."""
    path = folder / name
    path.write_bytes((CASES / name).read_bytes())
    return path


@pytest.mark.parametrize("chip", ["atmega328p", "atmega2560", "atxmega32a4u"])
def test_the_usart_is_the_console(
    need_tool: Callable[[str], str], tmp_path: Path, chip: str
) -> None:
    """A program with avr-libc's headers prints the same on every engine."""
    image = firmware(need_tool("avr-gcc"), chip, copied("usart.c", tmp_path))
    cycles = set()
    for engine in ENGINES:
        machine = Machine(chip, image, engine=engine)
        machine.type_in(b"One line\nand 2.\n")
        result = machine.run()
        assert result.values["stop"]["kind"] == "deadlock", result.values["stop"]
        assert bytes(result.values["console"]) == b"ready\nONE LINE\nAND 2.\ndone\n"
        cycles.add(result.cycles)
    assert len(cycles) == 1


@pytest.mark.parametrize("chip", ["atmega328p", "atmega2560"])
@pytest.mark.parametrize("program", ["usart.c", "timers.c"])
def test_programs_print_what_they_do_under_simavr(
    need_tool: Callable[[str], str], tmp_path: Path, chip: str, program: str
) -> None:
    """Programs print by the USART, from handlers of timer interrupts too."""
    simavr, compiler = need_tool("simavr"), need_tool("avr-gcc")
    image = firmware(compiler, chip, copied(program, tmp_path))
    command = [simavr, "-m", chip, "-f", "16000000", str(image)]
    process = subprocess.run(command, check=False, capture_output=True, timeout=60)
    printed = COLOUR.sub("", (process.stdout + process.stderr).decode())
    # simavr shows the end of a line as a dot, and begins a new one.
    theirs = [line.removesuffix(".") for line in printed.splitlines() if line.endswith(".")]
    runs = [Machine(chip, image, engine=engine).run() for engine in ENGINES]
    for run in runs:
        assert bytes(run.values["console"]).decode().splitlines() == theirs
    assert len({run.cycles for run in runs}) == 1


@pytest.mark.parametrize("device", ["atmega328p", "atmega2560", "attiny85", "avr128da48"])
@pytest.mark.parametrize("compiler", ["zig", "avr-gcc"])
def test_interrupts_reach_handlers_in_c(
    need_tool: Callable[[str], str], device: str, compiler: str
) -> None:
    """Handlers nest after `sei`; a core that keeps I set does not nest in this way."""
    need_tool("avr-gcc")
    may_nest = device != "avr128da48"
    flags = ("-Os", "-DNESTED") if may_nest else ("-Os",)
    chain = Toolchain(Device.load(device), compiler)
    units = [*chain.runtime(("-Os",)), Unit(CASES / "ticks.c", flags)]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], f"ticks on {device}")
    figures = set()
    for engine in ENGINES:
        result = Machine(device, image, engine=engine).run(10_000_000)
        assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
        assert bytes(result.values["console"]) == (b"2" if may_nest else b"1")
        figures.add((result.cycles, result.values["instructions"], result.values["stack"]))
    assert len(figures) == 1


@pytest.mark.parametrize(
    ("name", "chip"), [(name, chip) for name in REFUSED for chip in REFUSED[name][2].split()]
)
@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
def test_what_is_not_modelled_is_named(
    need_tool: Callable[[str], str], tmp_path: Path, name: str, chip: str, engine: Engine
) -> None:
    header, does, _ = REFUSED[name]
    source = tmp_path / "program.c"
    source.write_text(f"#include <avr/io.h>\n#include <{header}>\nint main(void) {{ {does}; }}\n")
    image = firmware(need_tool("avr-gcc"), chip, source)
    stop = Machine(chip, image, engine=engine).run(100_000).values["stop"]
    assert stop["kind"] == "unmodelled", stop
    assert name in stop["cause"]
    part = next(part for begins, part in PARTS.items() if name.startswith(begins))
    assert part in stop["cause"]


def test_the_message_of_a_run_names_it(
    need_tool: Callable[[str], str], tmp_path: Path, cocrypt: Cocrypt
) -> None:
    source = tmp_path / "program.c"
    source.write_text("#include <avr/io.h>\nint main(void) { WDTCSR = 0; }\n")
    image = firmware(need_tool("avr-gcc"), "atmega328p", source)
    process = cocrypt("run", image, "--device", "atmega328p")
    assert process.returncode == 3
    assert "the watchdog (WDTCSR at 0x00800060) is not modelled" in process.stderr


@pytest.mark.parametrize("engine", ENGINES)
def test_flash_memory_is_seen_in_the_data_space(
    need_tool: Callable[[str], str], tmp_path: Path, engine: Engine
) -> None:
    """FLMAP selects each section in turn, beginning with the last, until it is locked."""
    offsets = {"first": 0x10, "second": 0x8010, "third": 0x10010, "fourth": 0x18010}
    image = tmp_path / "sections.elf"
    command = [need_tool("avr-gcc"), "-mmcu=avrxmega4", "-nostartfiles", str(CASES / "sections.S")]
    command += [f"-Wl,--section-start=.{name}={offset:#x}" for name, offset in offsets.items()]
    subprocess.run([*command, "-Wl,-Ttext=0x100,-e,main", "-o", str(image)], check=True)
    flat = tmp_path / "sections.bin"
    objcopy = need_tool("avr-objcopy")
    subprocess.run([objcopy, "-O", "binary", str(image), str(flat)], check=True)
    flash = flat.read_bytes()
    first, second, third, fourth = (flash[offset - 0x10] for offset in offsets.values())
    machine = Machine("avr128da48", image, engine=engine)
    assert machine.run(10_000).values["stop"]["exit_code"] == 0
    bytes_read = bytes(machine.read(0x804000, 14))
    assert bytes_read[::2] == bytes([fourth, first, second, third, fourth, second, second])
    assert bytes_read[1::2] == bytes([0x30, 0x00, 0x10, 0x20, 0x30, 0x90, 0x90])
    assert machine.read(0x808010, 1) == bytes([second])


def test_hex_files_and_raw_binaries_run_as_the_elf_file_does(
    need_tool: Callable[[str], str], cocrypt: Cocrypt, tmp_path: Path
) -> None:
    program = firmware(need_tool("avr-gcc"), "atmega328p", copied("usart.c", tmp_path))
    typed = tmp_path / "typed"
    typed.write_bytes(b"One line\n")
    options: dict[str, tuple[str, ...]] = {
        "elf32-avr": (),
        "ihex": (),
        "binary": ("--load-address", "0", "--entry", "0"),
    }
    figures = []
    for form, words in options.items():
        image = tmp_path / f"image.{form}"
        command = [need_tool("avr-objcopy"), "-O", form, str(program), str(image)]
        subprocess.run(command, check=True)
        process = cocrypt(
            "run", image, "--device", "atmega328p", "--input", typed, *words, "--json"
        )
        values = json.loads(process.stdout)
        figures.append((values["cycles"], values["console"], values["stop"]["kind"]))
    assert figures[0][1].startswith("ready\nONE LINE\n")
    assert len(set(figures)) == 1
