"""Errors of the linker say what to do about symbols and memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.linker.messages import Linked, require_linked
from cocrypt.linker.room import largest
from cocrypt.partition import partition
from cocrypt.study import Study
from cocrypt.toolchain import Toolchain, Unit, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STUDY = """[study]
name = "s"
title = "S"
device = "{device}"
[toolchain]
compiler = "zig"
flags = ["-O1", "-Wno-everything", "-fno-builtin"]
[sources]
common = [{common}]
[[workload]]
name = "w"
title = "W"
source = "main.c"
output = "output"
expect = "00"
"""


def refused(folder: Path, sources: dict[str, str], device: str = "picorv32", left: str = "") -> str:
    """The message and the help for sources, of which `left` is left out of the study."""
    for name, text in sources.items():
        (folder / name).write_text(text)
    names = ", ".join(f'"{name}"' for name in sources if name not in {"main.c", left})
    path = folder / "study.toml"
    path.write_text(STUDY.format(device=paths.device(device), common=names))
    study = Study.load(path)
    with pytest.raises(InputError, match="cannot be linked") as caught:
        Builder(study).build([(study.workload(), partition(study, ()))])
    return f"{caught.value.message}\n{caught.value.help}"


def calling(name: str) -> str:
    """A program that calls a function of no parameters."""
    return f"int {name}();\nint output;\nint main(void) {{ return {name}(); }}\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sqrt", "`sqrt`: of <math.h>, which the runtime does not have"),
        ("sinf", "`sinf`: of <math.h>"),
        ("qsort", "`qsort`: of <stdlib.h>"),
        ("strstr", "`strstr`: of <string.h>"),
        ("malloc", '`malloc`: of <stdlib.h>: give the program a heap, `heap = "4 KiB"`'),
        ("_sbrk", "`_sbrk`: newlib leaves it to the board"),
        ("__atomic_thread_fence_4", "no such atomic instruction"),
        ("__multf3", "long double has 128 bits"),
        ("__truncsfhf2", "no half precision"),
        ("__stack_chk_fail", "-fno-stack-protector"),
        ("_ZN3foo3barEv", "a name of C++"),
        ("_edata", "a linker script defines it"),
        ("aes_encript", "did you mean `aes_encrypt` of aes.c?"),
        ("hidden", "it is static in aes.c"),
        ("nonesuch", "`nonesuch`: add the source that defines it to `common` of [sources]"),
    ],
)
def test_what_would_define_a_symbol_is_said(tmp_path: Path, name: str, expected: str) -> None:
    aes = "__attribute__((used)) static int hidden(void) { return 1; }\n"
    aes += "int aes_encrypt(void) { return hidden(); }\n"
    message = refused(tmp_path, {"main.c": calling(name), "aes.c": aes})
    assert expected in message
    # The message names the file, not its object in the cache.
    assert f"{tmp_path / 'main.c'}:(main)" in message
    assert "/objects/" not in message


def test_a_source_beside_the_others_is_found(tmp_path: Path) -> None:
    c = "/* int left(void) is here. */\nstatic int\nleft_of(int a);\n"
    c += "int left(\n    void)\n{\n    return 0;\n}\n"
    for name, text in (("left.c", c), ("left.S", "    .globl left\nleft:\n    ret\n")):
        folder = tmp_path / name
        folder.mkdir()
        message = refused(folder, {"main.c": calling("left"), name: text}, left=name)
        assert f"`left`: {folder / name} seems to define it: add it to `common`" in message
    calls = "int left(void);\nint other(void) { if (1) left(); while (left()) { } return 0; }\n"
    message = refused(tmp_path, {"main.c": calling("left"), "calls.c": calls}, left="calls.c")
    assert "seems to define" not in message


def test_a_program_without_main_names_its_entry(tmp_path: Path) -> None:
    message = refused(tmp_path, {"main.c": "int output;\nint main_aes(void) { return 0; }\n"})
    assert "the function that is to be called `main_aes` by `entry` of [[workload]]" in message


def test_both_files_of_a_symbol_are_named(tmp_path: Path) -> None:
    defined = {
        f"{name}.c": f"int twice(void) {{ return {len(name)}; }}\n" for name in ("one", "other")
    }
    message = refused(tmp_path, {"main.c": calling("twice"), **defined})
    first, second = tmp_path / "one.c", tmp_path / "other.c"
    help_text = message.split("help: ")[-1]
    assert f"{first} and in {second}" in help_text
    assert "make one of them static" in help_text


@pytest.mark.parametrize("device", ["picorv32", "stm32f0", "atmega328p"])
def test_what_takes_the_most_of_a_memory_is_named(
    tmp_path: Path, device: str, need_tool: Callable[[str], str]
) -> None:
    if device == "atmega328p":
        need_tool("avr-gcc")
    main = 'char largest[140000], small[100] __attribute__((section(".bss.small")));\n'
    main += "int output;\n"
    main += "int main(void) { return largest[output] + small[output]; }\n"
    if device == "atmega328p":
        main = main.replace("140000", "32000")
    (tmp_path / "main.c").write_text(main)
    chain = Toolchain(Device.load(device))
    flags = ("-Os", "-Wno-everything")
    objects = chain.compile_needed([*chain.runtime(flags), Unit(tmp_path / "main.c", flags)])
    with pytest.raises(DoesNotFitError) as caught:
        chain.link([*objects.values()], "large", sources=sources_of(objects))
    assert "bytes of ram too much" in caught.value.reason
    assert "the most of ram is taken by `largest` of main.c (" in str(caught.value.help)
    assert "`small` of main.c (100 bytes)" in str(caught.value.help)


MAP = """     VMA      LMA     Size Align Out     In      Symbol
 8000000  8000000      144     4 .text
 8000000  8000000       c0     1         crt0.o:(.vectors)
 8000118  8000118       2c     4         main.o:(.text.main)
 8000119  8000119       2c     1                 main
 8000144  8000144      7d0     4 .rodata
 8000144  8000144      7d0     4         main.o:(.rodata.table)
20000000  8000914      af0     4 .data
20000000  8000914      af0     4         main.o:(.data.start)
20000af0 20000af0     9c40     4 .bss
20000af0 20000af0     9c40     1         main.o:(.bss.buffer)
       0        0     9999     1 .debug_info
       0        0     9999     1         main.o:(.debug_info)
"""


def test_initialised_data_is_in_flash_and_in_ram() -> None:
    device = Device.load("stm32f1")
    flash, ram = (
        [piece.name for piece in largest(MAP, memory, device)] for memory in ("flash", "ram")
    )
    assert flash == [".data.start", ".rodata.table", ".vectors", ".text.main"]
    assert ram == [".bss.buffer", ".data.start"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("region `mirror' overflowed by 5888 bytes", "5,888 bytes of mirror too much"),
        (
            "address 0xffa1a of image.elf section `.rodata' is not within region `mirror'",
            "mirror is too small",
        ),
    ],
)
def test_constants_that_the_mirror_area_does_not_show_are_named(
    output: str, reason: str, tmp_path: Path
) -> None:
    """A map of the GNU linker, and its message."""
    written = tmp_path / "map"
    written.write_text(
        "\nLinker script and memory map\n\n"
        ".text           0x00000000     0xa000\n"
        " .text.main     0x00000100     0x9f00 main.o\n"
        ".rodata         0x000fa000     0x6000 load address 0x0000a000\n"
        " .rodata.table  0x000fa000     0x6000 table.o\n"
        ".data           0x000fe900       0x10 load address 0x00010000\n"
        " .data.value    0x000fe900       0x10 main.o\n"
    )
    linked = Linked(Device.load("rl78-g14"), (), {}, written)
    with pytest.raises(DoesNotFitError, match="main cannot be linked") as caught:
        require_linked(f"rl78-elf-ld: {output}", "main cannot be linked", linked)
    advice = caught.value.help or ""
    assert "mirror area, which shows 0x2000 to 0xe8ff of flash memory" in advice
    assert "more memory" not in advice
    assert "`main` of main.o (40,704 bytes), `table` of table.o (24,576 bytes)" in advice
    assert caught.value.reason == reason
