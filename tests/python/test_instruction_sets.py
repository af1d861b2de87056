"""Instruction sets and cores are named where they are described, and nowhere else."""

from __future__ import annotations

import io
import re
import struct
import tokenize
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native
from cocrypt.device import Device
from cocrypt.target import INSTRUCTION_SETS
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOMS = {
    "crates/isa-": "instruction sets, and the one list of them",
    "crates/fdl/src/resolve/processors.rs": "names of the blocks in GEZEL's library",
    "python/cocrypt/paths.py": "the device that is taken where nobody names one",
    "python/cocrypt/cli/examples.py": "devices and compilers in command lines that help shows",
    "python/cocrypt/doctor.py": "QEMU has a program for each instruction set",
    "python/cocrypt/hardware/wrappers.py": "the native bus of PicoRV32 is one of the buses",
    "python/cocrypt/fuzz/cores/": "what is known of each core that has an RTL system",
    "python/cocrypt/fuzz/c/levels.py": "the levels that random C programs are compiled for",
    "python/cocrypt/fuzz/inputs/": "devices whose programs and packets are changed at random",
    "python/cocrypt/subroutines/": "subroutines in assembly, with the tools of their core",
    "python/cocrypt/reproduce/": "papers, each with the devices that it is repeated on",
}
"""Files in which names may stand, and why."""

SOURCES = ("crates/*/src/**/*.rs", "python/cocrypt/**/*.py")
"""Files that are searched: no tests, no measurements of the engines themselves."""


def names() -> frozenset[str]:
    """Names of instruction sets, as everybody and as tools write them, and of cores."""
    cores = [path.stem for path in (ROOT / "devices" / "cores").glob("*.toml")]
    described = _native.instruction_sets()
    words = [
        word
        for entry in described
        for word in (entry["name"], *entry["variants"], *entry["timings"])
    ]
    tools = [
        word
        for instructions in INSTRUCTION_SETS
        for word in (instructions.folder, instructions.machine)
    ]
    encodings = [
        encoding for instructions in INSTRUCTION_SETS for encoding in instructions.encodings
    ]
    titles = [word for encoding in encodings for word in (encoding.name, encoding.title)]
    return frozenset(word.lower() for word in (*cores, *words, *tools, *titles, "rv"))


ORDINARY = frozenset({"shelf"})
"""Words that are spelled as a name, and mean something else."""


def spelled(name: str) -> str:
    """A pattern of all spellings: RISC-V, `risc_v` or `RiscV`, also as part of a longer name."""
    return "(?<![a-z])" + "[-_]?".join(map(re.escape, name.split("-"))) + "(?![a-z])"


def rust_code(text: str) -> str:
    return re.sub(r"//.*", "", text)


def python_code(text: str) -> str:
    """The code without comments and without strings that are statements."""
    strings, begins = [], True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        layout = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
        is_docstring = token.type == tokenize.STRING and begins
        if token.type != tokenize.COMMENT and not is_docstring:
            strings.append(token.string)
        begins = (begins and token.type == tokenize.COMMENT) or token.type in layout
    return "\n".join(strings)


def code(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return rust_code(text) if path.suffix == ".rs" else python_code(text)


def sources() -> Iterator[tuple[str, Path]]:
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            yield str(path.relative_to(ROOT)), path


def names_in(path: Path) -> list[str]:
    pattern, text = "|".join(spelled(name) for name in sorted(names())), code(path)
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    lowered = f"{text}\n{apart}".lower()
    return sorted({match[0] for match in re.finditer(pattern, lowered)} - ORDINARY)


@pytest.mark.long
def test_names_stand_in_their_rooms_alone() -> None:
    """Code that asks for the name of an instruction set or of a core means something else."""
    outside = {
        name: occurring
        for name, path in sources()
        if not name.startswith(tuple(ROOMS)) and (occurring := names_in(path))
    }
    assert not outside


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_something(room: str) -> None:
    assert any(names_in(path) for name, path in sources() if name.startswith(room))


@pytest.mark.parametrize("device", ["picorv32", "sa1110", "stm32f1"])
def test_files_are_marked_as_the_description_says(device: str, tmp_path: Path) -> None:
    """Machine, class, byte order and flags of the linker's output."""
    chain = Toolchain(Device.load(device))
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    units = [*chain.runtime(("-Os",)), Unit(source)]
    objects = chain.compile_needed(units)
    content = chain.link([*objects.values()], "main").read_bytes()
    formats = {entry["name"]: entry["elf"] for entry in _native.instruction_sets()}
    elf = formats[chain.device.target.instructions.name]
    assert (content[4], content[5]) == (elf["class"] // 32, 1 if elf["order"] == "little" else 2)
    machine, _, _, _, _, flags = struct.unpack_from("<HIIIII", content, 18)
    assert machine == elf["machine"]
    assert flags & elf["flags"] == elf["flags"]
    assert elf["flags"] or device == "picorv32"
