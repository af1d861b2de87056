"""Which files of the runtime a program gets: those that define what it refers to, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import _native, paths
from cocrypt.device import Device
from cocrypt.linker.needed import EVERYTHING, definitions, references
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from pathlib import Path

DEVICES = ("picorv32", "rp2040", "sa1110")


def defined(object_file: Path) -> frozenset[str]:
    """The global functions and variables of an object file."""
    symbols = _native.image_info(object_file.read_bytes(), object_file.name)["symbols"]
    return frozenset(symbol["name"] for symbol in symbols if symbol["global"])


def names(units: dict[Unit, Path]) -> list[str]:
    """The files of the runtime among units, in their order."""
    return [unit.source.name for unit in units if unit.source.is_relative_to(paths.runtime())]


def test_the_list_is_what_object_files_define() -> None:
    found: dict[Path, frozenset[str]] = {}
    for name in DEVICES:
        chain = Toolchain(Device.load(name))
        start, *files = chain.runtime(("-Os",))
        assert start.source not in definitions()
        for unit, object_file in chain.compile(files).items():
            found[unit.source] = found.get(unit.source, frozenset()) | defined(object_file)
    assert found == definitions()


@pytest.mark.parametrize(
    ("device", "text", "expected"),
    [
        ("picorv32", "int main(void) { return 0; }", ["crt0.S"]),
        # What a file that is needed refers to is needed too.
        (
            "picorv32",
            '#include <stdio.h>\nint main(void) { return puts("a"); }',
            ["crt0.S", "ctype.c", "divide64.c", "memory.c", "print.c"],
        ),
        (
            "rp2040",
            "unsigned x, y; int main(void) { y = x / y; return 0; }",
            ["crt0.S", "divide.c"],
        ),
    ],
)
def test_a_program_gets_what_it_refers_to(
    device: str, text: str, expected: list[str], tmp_path: Path
) -> None:
    source = tmp_path / "main.c"
    source.write_text(text, encoding="utf-8")
    chain, unit = Toolchain(Device.load(device)), Unit(source, ("-Os",))
    objects = chain.compile_needed([*chain.runtime(("-Os",)), unit])
    assert names(objects) == expected
    # Code and data are as with all files, of which the linker drops what nothing refers to.
    whole = chain.compile([*chain.runtime(("-Os",)), unit])
    images = [chain.link(list(each.values()), "main") for each in (objects, whole)]
    hashes = [_native.image_info(image.read_bytes(), image.name)["hash"] for image in images]
    assert hashes[0] == hashes[1]


def test_options_of_the_linker_are_references(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }", encoding="utf-8")
    chain = Toolchain(Device.load("picorv32"))
    objects = chain.compile_needed([*chain.runtime(()), Unit(source)], ["-u", "strcmp"])
    assert "string.c" in names(objects)


def test_a_file_without_symbols_may_refer_to_anything(tmp_path: Path) -> None:
    """An object of -flto is LLVM's bitcode."""
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }", encoding="utf-8")
    chain, unit = Toolchain(Device.load("picorv32")), Unit(source, ("-flto",))
    objects = chain.compile_needed([*chain.runtime(()), unit])
    assert references(objects[unit]) == EVERYTHING
    assert set(names(objects)) == {unit.source.name for unit in chain.runtime(())}
