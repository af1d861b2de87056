"""Machines as users run them: formats of programs, input, marks, host calls, snapshots."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cocrypt import Device, Machine, Study, rtl, run_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Cocrypt

ECHO = """
#include <cocrypt/device.h>
int main(void)
{
    uint32_t seen = 0;
    while (device_read(COCRYPT_CONSOLE + 4)) {
        uint32_t letter = device_read(COCRYPT_CONSOLE);
        device_write(COCRYPT_CONSOLE, letter ^ 0x20);
        device_write(COCRYPT_MARKS, ++seen);
    }
    return device_read(COCRYPT_CONSOLE) == 0xffffffff ? 0 : 1;
}
"""

HOST = """
#include <stdint.h>
static uint32_t host(uint32_t number, const void *argument)
{
    register uint32_t a0 __asm__("a0") = number;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push\\n.option norvc\\n"
                     "slli zero, zero, 0x1f\\nebreak\\nsrai zero, zero, 7\\n.option pop"
                     : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}
int main(void)
{
    static const char text[] = "written\\n";
    const uint32_t block[3] = {1, (uint32_t)(uintptr_t)text, sizeof text - 1};
    uint32_t end[2] = {0x20026, 5};
    host(0x04, "a string ");
    if (host(0x05, block) != 0) return 1;
    if (host(0x07, 0) != 'k') return 2;
    host(0x20, end);
    return 3;
}
"""

LONG = """
#include <stdint.h>
volatile uint32_t sink;
int main(void)
{
    for (uint32_t i = 0; i < 3000000; i++) sink = sink * 3 + i;
    return 0;
}
"""


def objcopy(image: Path, target: str) -> Path:
    """The image in another format, by another project's tool."""
    path = image.with_name(f"{image.stem}.{target}")
    command = [sys.executable, "-m", "ziglang", "objcopy", "-O", target, str(image), str(path)]
    subprocess.run(command, check=True)
    return path


def test_a_program_runs_alike_from_every_format(firmware: Callable[[str], Path]) -> None:
    image = firmware(LONG)
    reference = Machine("picorv32", image).run()
    for target, address in (("hex", None), ("binary", 0)):
        result = Machine("picorv32", objcopy(image, target), load_address=address).run()
        assert result.values["stop"]["kind"] == "exit"
        assert (result.cycles, result.values["instructions"]) == (
            reference.cycles,
            reference.values["instructions"],
        )


BROKEN_HEX = [
    (b":0400000013000000E9\n", "end-of-file record is missing"),
    (b":0400000013000000E8\n:00000001FF\n", "record 1"),
    (b":00000001FF\n", "holds no data"),
    (b":zz\n", "record 1"),
    (b":04000000000000FF00\n" * 2, "record 1"),
    (b":0400000013000000E9\n:0400020013000000E7\n:00000001FF\n", "twice"),
]


@pytest.mark.parametrize(("content", "expected"), BROKEN_HEX)
def test_broken_hex_gets_one_clear_message(
    process: Cocrypt, tmp_path: Path, content: bytes, expected: str
) -> None:
    path = tmp_path / "broken.hex"
    path.write_bytes(content)
    done = process("run", path, "--device", "picorv32")
    assert done.returncode == 1
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_a_load_address_that_is_none_is_told(process: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "raw.bin"
    path.write_bytes(bytes(8))
    for address, expected in (("here", "no 32-bit address"), ("0x40000000", "has no memory")):
        done = process("run", path, "--device", "picorv32", "--load-address", address)
        assert done.returncode == 1
        assert expected in done.stderr


def test_console_input_and_marks_agree_with_rtl(firmware: Callable[[str], Path]) -> None:
    image, typed = firmware(ECHO), b"Some Letters"
    machine = Machine("picorv32", image)
    machine.type_in(typed)
    result = machine.run()
    configuration, waits = rtl.from_device(machine.device)
    job = rtl.Job(rtl.flat_image(image.read_bytes()), configuration, waits, console_input=typed)
    real = rtl.run_batch(rtl.build([configuration]), [job])[0]
    assert result.values["console"] == real.console == bytes(letter ^ 0x20 for letter in typed)
    assert machine.marks() == list(real.marks)
    assert [value for _, value in real.marks] == list(range(1, len(typed) + 1))
    assert result.cycles == real.cycles
    assert result.values["stop"]["exit_code"] == real.exit_code == 0


def test_run_shows_input_and_marks(
    process: Cocrypt, firmware: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "typed").write_bytes(b"xy")
    done = process("run", firmware(ECHO), "--device", "picorv32", "--input", "typed")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("XY\n")
    assert "mark 0x1 to 0x2, cycles" in done.stdout


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
def test_host_calls_are_answered(firmware: Callable[[str], Path], engine: str) -> None:
    image = firmware(HOST)
    machine = Machine("picorv32", image, host_calls=True, engine=engine)  # type: ignore[arg-type]
    machine.type_in("k")
    result = machine.run()
    assert result.values["console"] == b"a string written\n"
    assert (result.values["stop"]["kind"], result.values["stop"]["exit_code"]) == ("exit", 5)
    silent = Machine("picorv32", image).run()
    assert silent.values["stop"]["kind"] == "breakpoint"


@pytest.mark.parametrize("contexts", [False, True])
def test_a_copy_goes_on_where_the_machine_stood(
    firmware: Callable[[str], Path], contexts: bool
) -> None:
    image = firmware(LONG)
    whole = Machine("picorv32", image, contexts=contexts)
    reference = whole.run().values
    machine = Machine("picorv32", image, contexts=contexts)
    assert machine.run(7_654_321).values["stop"]["kind"] == "cycle_limit"
    copy = machine.copy()
    for resumed in (copy, machine):
        values = resumed.run().values
        for key in ("cycles", "instructions", "functions", "stack"):
            assert values[key] == reference[key]
        assert resumed.registers() == whole.registers()
        assert resumed.profile().values["functions"] == whole.profile().values["functions"]


@pytest.mark.parametrize("contexts", [False, True])
def test_a_rewound_machine_runs_as_it_did(firmware: Callable[[str], Path], contexts: bool) -> None:
    first = Machine("picorv32", firmware(LONG), contexts=contexts)
    first.run(1_234)
    reference = first.copy().run().values
    machine = first.copy()
    machine.run(7_654_321)
    machine.write("main", bytes(256))
    for _ in range(2):
        machine.rewind(first)
        values = machine.run().values
        for key in ("cycles", "instructions", "functions", "stack", "console"):
            assert values[key] == reference[key]


def test_many_machines_run_as_each_alone(firmware: Callable[[str], Path]) -> None:
    image = firmware(LONG)
    alone = Machine("picorv32", image).run().cycles
    progress: list[int] = []
    devices = ["picorv32", "ibex-small", "picorv32", "serv", "picorv32"]
    results = run_many([Machine(device, image) for device in devices], progress=progress.append)
    cycles = [result.cycles for result in results]
    assert [cycles[at] for at in (0, 2, 4)] == [alone] * 3
    assert cycles[1] == Machine("ibex-small", image).run().cycles
    assert progress[-1] == len(devices)


def test_memory_can_be_written_between_runs(firmware: Callable[[str], Path]) -> None:
    machine = Machine("picorv32", firmware(LONG))
    machine.run(1_000_000)
    machine.write("sink", (77).to_bytes(4, "little"))
    assert machine.read("sink", 4) == b"M\0\0\0"
    # The code that was running is overwritten.
    machine.write("main", bytes(256))
    assert machine.run().values["stop"]["kind"] == "illegal_instruction"


def test_progress_is_told_and_an_interrupt_heard(
    firmware: Callable[[str], Path], tmp_path: Path
) -> None:
    endless = firmware("int main(void) { for (volatile int i = 0;; i++) { } }")
    progress: list[int] = []
    Machine("picorv32", endless).run(400_000_000, progress.append)
    assert len(progress) > 3
    assert progress == sorted(progress)
    loaded = "from cocrypt.cli import main; print(flush=True); main()"
    words = ["run", str(endless), "--device", "picorv32", "--max-cycles", str(10**15)]
    command, pipe = [sys.executable, "-c", loaded, *words], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe) as running:
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(1)
        os.kill(running.pid, signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in errors


def test_names_and_paths_are_loaded_alike() -> None:
    root = Path(__file__).resolve().parents[2]
    assert Device.load("picorv32") == Device.load(root / "devices" / "picorv32.toml")
    assert Study.from_toml(root / "studies" / "hau2011.toml").name == "hau2011"
