"""Compiler, flags and linker script of a device: their sources, and what needs trust."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native, paths
from cocrypt.builder import Builder, Built
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.measurement import require_clean, run
from cocrypt.partition import partition
from cocrypt.study import Study
from cocrypt.toolchain import Toolchain
from cocrypt.trust import sandbox, store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STUDY = """[study]
name = "s"
title = "S"
device = "board.toml"
further_devices = ["other.toml"]
[toolchain]
flags = ["-O1", "-DLEVEL=1"]
{general}
{own}
[[workload]]
name = "w"
title = "W"
source = "main.c"
output = "output"
expect = "{expect}"
"""
MAIN = """#ifndef OTHER
#define OTHER 0
#endif
unsigned char output[2] = { LEVEL, OTHER };
int main(void) { return output[0] - LEVEL; }
"""
SCRIPT = """ENTRY(_reset)
INCLUDE memory.ld
SECTIONS
{
    .text : { _reset = .; KEEP(*(.text.start)) *(.text .text.* .rodata .rodata.*) } > low
    .srodata : { *(.srodata .srodata.*) } > low
    .data : { *(.data .data.*) __global_pointer$ = . + 0x800; *(.sdata .sdata.*) } > high
    .bss (NOLOAD) : ALIGN(4)
    {
        _bss_start = .; *(.sbss .sbss.* .bss .bss.* COMMON) . = ALIGN(4); _bss_end = .;
    } > high
    _stack_limit = _bss_end;
    _stack_top = _ram_size;
}
"""
MEMORY = """MEMORY
{
    low  (rwx) : ORIGIN = 0, LENGTH = 32K
    high (rwx) : ORIGIN = 0x8000, LENGTH = 64K
}
"""


def board(folder: Path, name: str, toolchain: str = "", base: str = "picorv32") -> None:
    """Writes a device of the user's."""
    if not (folder / "cores").exists():
        (folder / "cores").symlink_to(paths.devices()[base].parent / "cores")
    text = paths.devices()[base].read_text()
    before, _, behind = text.partition("\nname")
    text = f'{before}\nname = "{name}"\n{behind.partition(chr(10))[2]}'
    (folder / f"{name}.toml").write_text(f"{text}\n{toolchain}")


def study(
    folder: Path,
    device: str = "",
    own: str = "",
    general: str = "",
    expect: str = "0100",
    base: str = "picorv32",
) -> Study:
    """A study for two boards, of which the first may name its tools."""
    folder.mkdir(exist_ok=True)
    board(folder, "board", f"[toolchain]\n{device}" if device else "", base)
    board(folder, "other", base=base)
    own = f'[[toolchain.device]]\nname = "board"\n{own}' if own else ""
    text = STUDY.format(general=general, own=own, expect=expect)
    (folder / "study.toml").write_text(text)
    (folder / "main.c").write_text(MAIN)
    return Study.load(folder / "study.toml")


def built(study_: Study) -> Built:
    """Builds the program in software."""
    return Builder(study_).build([(study_.workload(), partition(study_, ()))])[0]


def output_of(study_: Study) -> bytes:
    """Returns the output that the program leaves."""
    ended = run(study_.device, built(study_).image, "program")
    require_clean(ended)
    return ended.output("output", 2)


def test_flags_add_up_and_the_nearest_come_last(tmp_path: Path) -> None:
    device = 'flags = ["-ULEVEL", "-DLEVEL=2", "-DOTHER=3"]'
    entry = 'flags = ["-ULEVEL", "-DLEVEL=4"]'
    first = study(tmp_path, device, entry)
    assert output_of(first) == bytes([4, 3])
    assert output_of(first.on(first.devices[1])) == bytes([1, 0])
    assert output_of(study(tmp_path, device)) == bytes([2, 3])
    flags = Builder(study(tmp_path, device)).description()["flags"]
    assert flags[:5] == ["-O1", "-DLEVEL=1", "-ULEVEL", "-DLEVEL=2", "-DOTHER=3"]


def test_the_nearest_compiler_is_taken(tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    gcc = need_tool("riscv64-unknown-elf-gcc")
    general, device = 'compiler = "zig"', f'compiler = "{gcc}"'
    near = study(tmp_path, device, general=general)
    assert "riscv64-unknown-elf-gcc" in Builder(near).description()["compiler"]
    assert output_of(near) == bytes([1, 0])
    far = near.on(near.devices[1])
    assert "clang" in Builder(far).description()["compiler"]
    near = study(tmp_path, device, own='compiler = "zig"')
    assert "clang" in Builder(near).description()["compiler"]
    # The compiler that the user names comes first.
    chain = Toolchain(Device.load(tmp_path / "board.toml"), "zig")
    assert "clang" in chain.description(())["compiler"]
    chain = Toolchain(Device.load(tmp_path / "board.toml"))
    assert "riscv64-unknown-elf-gcc" in chain.description(())["compiler"]


def test_a_script_of_one_s_own_places_the_program(tmp_path: Path) -> None:
    for file, text in (("own.ld", SCRIPT), ("memory.ld", MEMORY)):
        (tmp_path / file).write_text(text)
    study_ = study(tmp_path, 'script = "own.ld"')

    def output_address() -> int:
        ended = run(study_.device, built(study_).image, "program")
        require_clean(ended)
        return ended.locate("output", 2)[0]

    assert output_address() == 0x8000
    assert Builder(study_).description()["script"].startswith("own.ld ")
    # A change of what the script includes is a change of the image.
    (tmp_path / "memory.ld").write_text(MEMORY.replace("0x8000", "0x9000"))
    assert output_address() == 0x9000
    (tmp_path / "own.ld").write_text(SCRIPT.replace("_bss_end = .;", "").replace("_bss_end", "0"))
    with pytest.raises(InputError) as caught:
        built(study_)
    assert "`_bss_end`: own.ld has to define it" in str(caught.value.help)


@pytest.mark.parametrize("base", ["stm32f1", "stm32f0"])
def test_a_script_gets_the_device_s_memories(tmp_path: Path, base: str) -> None:
    """The runtime's own script, under another name, places everything alike."""
    shutil.copy(paths.runtime() / "arm" / "flash.ld", tmp_path / "copy.ld")
    plain = built(study(tmp_path / "plain", base=base))
    scripted = built(study(tmp_path, 'script = "copy.ld"', base=base))
    hashes = [
        _native.image_info(program.image, program.name)["hash"] for program in (plain, scripted)
    ]
    assert hashes[0] == hashes[1]


@pytest.fixture
def untrusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is not trusted."""
    if not sandbox.works():
        pytest.skip("this host has no sandbox")
    monkeypatch.delenv("COCRYPT_TRUST", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    store.forget()
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("device", "own", "asked"),
    [
        ('compiler = "./gcc"', "", "the compiler"),
        ('compiler = "rm"', "", "the compiler `rm`"),
        ('flags = ["-fplugin=x"]', "", "the option `-fplugin=x`"),
        ('script = "../outside.ld"', "", "outside its folder"),
        ("", 'compiler = "./gcc"', "the compiler"),
        ("", 'flags = ["-specs=x"]', "the option `-specs=x`"),
        ("", 'script = "../outside.ld"', "outside its folder"),
    ],
)
def test_devices_and_studies_need_trust_for_the_same(
    untrusted: Path, device: str, own: str, asked: str
) -> None:
    (untrusted.parent / "outside.ld").write_text(SCRIPT)
    (untrusted / "gcc").write_text("#!/bin/sh\ntouch ran\n")
    (untrusted / "gcc").chmod(0o755)
    study_ = study(untrusted, device, own)
    with pytest.raises(InputError, match="is not trusted") as caught:
        built(study_)
    assert asked in caught.value.message
    if device:
        with pytest.raises(InputError, match="is not trusted"):
            Toolchain(study_.device).description(())
    assert not (untrusted / "ran").exists()


def test_an_untrusted_device_is_built_for_in_a_sandbox(untrusted: Path) -> None:
    (untrusted / "boards").mkdir()
    for file, text in (("own.ld", SCRIPT), ("memory.ld", MEMORY)):
        (untrusted / "boards" / file).write_text(text)
    board(untrusted / "boards", "near", '[toolchain]\nscript = "own.ld"\nflags = ["-DOTHER=7"]\n')
    study_ = study(untrusted).on(Device.load(untrusted / "boards/near.toml"))
    assert output_of(study_) == bytes([1, 7])
    # Files that a script includes from elsewhere are missing, even if the project is trusted.
    (untrusted / "boards/own.ld").write_text(f"INCLUDE {untrusted.parent / 'secret'}\n{SCRIPT}")
    (untrusted.parent / "secret").write_text("secret = 1;\n")
    with pytest.raises(InputError, match="cannot be linked"):
        built(study_)
    # A project's compilers of its own are remembered by their content.
    path = untrusted / "boards/near.toml"
    path.write_text(path.read_text().replace("flags", 'compiler = "./cc"\nflags'))
    assert untrusted / "boards/cc" in store.deciding(untrusted)
