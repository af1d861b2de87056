"""Start-up code, linker script and helpers of RL78 with programs in assembly, without a compiler.

tests/cases/rl78/ has their images as the GNU tools made them, so that they run where there are no
such tools; with the tools the images must still be the same. After a change of the runtime,
`python test_rl78_runtime.py` records them again.
"""

from __future__ import annotations

import json
import lzma
import subprocess
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native
from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.subroutines.images import tool
from cocrypt.toolchain import Toolchain
from cocrypt.zig import zig
from host import ROOT
from rust_examples import output

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.machine import Engine

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled")
RUNTIME = ROOT / "runtime/rl78"
SOURCES = ("crt0.S", "helpers/divide8.S", "helpers/multiply.S", "helpers/shift64.S")
RECORDS = ROOT / "tests/cases/rl78"
RECORD = RECORDS / "runtime.json"
NAMES = (
    *("flash_base", "flash_size", "ram_base", "ram_size", "mirror_base", "mirror_from"),
    *("mirror_size", "text_end", "data_load", "data_start", "data_end", "bss_start", "bss_end"),
    *("stack_limit", "stack_top", "registers", "addition", "addition_data", "start", "vectors"),
    "cocrypt_unhandled",
)
"""Names that C does not reserve, each like a symbol of the runtime but for an underscore."""
WORDS = 0x1400 // 2
"""Words of initialised data that lie on both sides of a border of 64 KiB in flash memory."""
CLEARED = 0x100
TAKEN_BY_CALLS = 8
"""Bytes that the start-up code has pushed when main begins."""
FILLED = b"\xa5"
RESULT = {"g10": "0xffec8", "g13": "0xffef0", "g14": "0xffef0"}
"""The address of a function's result."""
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "udivqi3": lambda a, b: a // b,
    "umodqi3": lambda a, b: a % b,
    "divqi3": lambda a, b: truncated(signed(a), signed(b)),
    "modqi3": lambda a, b: signed(a) - signed(b) * truncated(signed(a), signed(b)),
}
"""The functions of 8 bits that GCC calls, and what they compute of two bytes."""
DIVIDENDS = {"g10": 64, "g13": 256, "g14": 256}
"""Dividends in a run: a G10 has no memory for the results of more."""
STARTS = """
    .text
    .globl _main
    .type _main, @function
_main:
"""
ENDS = """
    clrw ax
    movw {result}, ax
    ret
    .size _main, . - _main
"""
SEES = """
    movw bc, #_kept
    movw ax, sp
    movw !_seen, ax
    .comm _seen, 2, 2
"""
FRAME = 60
"""Bytes of a frame that a function takes by computing the stack pointer in AX."""
FRAMED = f"""
    movw ax, sp
    subw ax, #{FRAME}
    movw sp, ax
    movw ax, sp
    addw ax, #{FRAME}
    movw sp, ax
"""
DIVIDES = """
    movw hl, #_results
1:  mov  a, !_divisor
    mov  x, a
    push ax
    mov  a, !_dividend
    mov  x, a
    push ax
{calls}
    pop  ax
    pop  ax
    mov  a, !_dividend
    inc  a
    mov  !_dividend, a
    and  a, #{last}
    bz   $2f
    br   $!1b
2:
    .comm _results, {size}, 2
"""
CALL = """
    movw ax, hl
    movw !_place, ax
    call !!___{name}
    movw ax, !_place
    movw hl, ax
    mov  a, {result}
    mov  [hl], a
    incw hl
"""
WIDE: dict[str, Callable[[int, int, int], int]] = {
    "mulsi3": lambda a, b, _: (a * b) % 2**32,
    "muldi3": lambda a, b, _: (a * b) % 2**64,
    "ashldi3": lambda a, _, places: (a << places) % 2**64,
    "lshrdi3": lambda a, _, places: a >> places,
    "ashrdi3": lambda a, _, places: ((a ^ 2**63) - 2**63 >> places) % 2**64,
}
"""Functions of an S2 core by the names that GCC calls, and what they compute of two numbers and a
number of places."""
OPERANDS = """
    .data
    .balign 2
    .globl _left, _right, _places
    .type _left, @object
    .type _right, @object
    .type _places, @object
_left: .space 8
_right: .space 8
_places: .space 2
"""
GIVEN = """
    .data
    .balign 2
    .globl _divisor, _dividend
    .type _divisor, @object
    .type _dividend, @object
_divisor: .byte 1
_dividend: .byte 0
    .comm _place, 2, 2
"""


@dataclass(frozen=True)
class Program:
    """A main function in assembly with its data, for a device.

    `flash` is the size of its flash memory in bytes, if it is another one.
    """

    device: str
    code: str
    data: str
    flash: int | None = None

    def on(self, folder: Path) -> Device:
        """The device."""
        text = (ROOT / f"devices/{self.device}.toml").read_text("utf-8")
        if self.flash is not None:
            assert text.count("size       = 0x10000") == 1
            text = text.replace("size       = 0x10000", f"size       = {self.flash:#x}")
        (folder / "device.toml").write_text(text, "utf-8")
        return Device.load(str(folder / "device.toml"))

    @property
    def core(self) -> str:
        """The GNU tools' name of its core."""
        return self.device.removeprefix("rl78-")

    @property
    def main(self) -> str:
        """The whole source, in which main returns 0."""
        return f"{STARTS}{self.code}{ENDS.format(result=RESULT[self.core])}{self.data}"


def number(index: int) -> int:
    """The word of this index in the initialised data."""
    return (index + 1) * 0x9E37 & 0xFFFF


def names() -> str:
    """Objects of these names, each of a word."""
    lines = ["    .data", "    .balign 2", "_kept:"]
    for index, name in enumerate(NAMES):
        lines += [f"    .globl _{name}", f"    .type _{name}, @object", f"    .size _{name}, 2"]
        lines += [f"_{name}: .short {number(index)}"]
    return "\n".join([*lines, ""])


def border() -> str:
    """Code almost up to the border, and data behind it."""
    words = "\n".join(f"    .short {number(index)}" for index in range(WORDS))
    return f"""
    .section .text.long, "ax", @progbits
_long:
    .space 0xf800
    .data
    .balign 2
_kept:
    .short %lo16(_long)
    .globl _words
    .type _words, @object
_words:
{words}
    .size _words, . - _words
    .comm _cleared, {CLEARED}, 2
"""


def quotients(core: str) -> str:
    """Code that stores what each function returns for a divisor and each dividend in turn."""
    calls = "".join(CALL.format(name=name, result=RESULT[core]) for name in FUNCTIONS)
    count = DIVIDENDS[core]
    return DIVIDES.format(calls=calls, last=count - 1, size=4 * count)


def wide() -> str:
    """Code that stores what each function returns for the operands, which stay on the stack."""
    lines = []
    for name in WIDE:
        size = 4 if name == "mulsi3" else 8
        behind = [("places", 0)] if "sh" in name else words_of("right", size)
        pushed = [*behind, *words_of("left", size)]
        lines += [f"    movw ax, !_{symbol}+{at}\n    push ax" for symbol, at in pushed]
        lines += [f"    call !!___{name}"]
        for at in range(0, size, 2):
            lines += [f"    movw ax, {RESULT['g13']}+{at}", f"    movw !_{name}+{at}, ax"]
        lines += [f"    addw sp, #{2 * len(pushed)}", f"    .comm _{name}, {size}, 2"]
    return "\n".join([*lines, ""])


def words_of(symbol: str, size: int) -> list[tuple[str, int]]:
    """A variable and the places of its words, the highest first."""
    return [(symbol, at) for at in reversed(range(0, size, 2))]


def signed(byte: int) -> int:
    """A byte as a signed number."""
    return byte - 256 if byte >> 7 else byte


def truncated(a: int, b: int) -> int:
    """The quotient of two numbers, towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


PROGRAMS = {
    **{f"names-{core}": Program(f"rl78-{core}", SEES, names()) for core in RESULT},
    **{f"quotients-{core}": Program(f"rl78-{core}", quotients(core), GIVEN) for core in RESULT},
    **{f"frame-{core}": Program(f"rl78-{core}", FRAMED, "") for core in RESULT},
    "wide-g13": Program("rl78-g13", wide(), OPERANDS),
    "border": Program("rl78-g14", SEES, border(), 0x20000),
}


def image(name: str, folder: Path) -> Path:
    """A recorded image."""
    path = folder / "image.elf"
    path.write_bytes(lzma.decompress(kept(name).read_bytes()))
    return path


def kept(name: str) -> Path:
    """The file of a recorded image."""
    return RECORDS / f"runtime-{name}.elf.xz"


def hash_of(name: str) -> str:
    """The hash of all sources of an image."""
    files = [*SOURCES, "helpers/functions.h", "flash.ld"]
    texts = [PROGRAMS[name].main.encode(), *((RUNTIME / file).read_bytes() for file in files)]
    return sha256(b"\0".join(texts)).hexdigest()


def linked(name: str, folder: Path) -> bytes:
    """A program behind the start-up code, by the GNU tools."""
    program = PROGRAMS[name]
    texts = [*(expanded(RUNTIME / source, program.core) for source in SOURCES), program.main]
    units = [folder / f"unit{number}.o" for number in range(len(texts))]
    for text, unit in zip(texts, units, strict=True):
        source = unit.with_suffix(".s")
        source.write_text(text)
        run("as", f"-m{program.core}", "-o", unit, source)
    flags = Toolchain(program.on(folder))._link_flags()
    script = ("--no-warn-rwx-segments", "-T", RUNTIME / "flash.ld")
    run("ld", *flags, *script, *units, "-o", folder / "linked.elf")
    return (folder / "linked.elf").read_bytes()


def run(name: str, *words: str | Path) -> None:
    """Runs a GNU tool."""
    path = tool(name)
    assert path is not None
    subprocess.run([path, *words], check=True)


def expanded(source: Path, core: str) -> str:
    """A source in assembly without the directives of the preprocessor."""
    words = ("cc", "-E", "-P", "-x", "assembler-with-cpp", "-target", "x86_64-linux-gnu")
    return output([zig(), *words, f"-D__RL78_{core.upper()}__", source])


@pytest.mark.parametrize("name", PROGRAMS)
def test_images_are_recorded_of_the_sources(name: str) -> None:
    record = json.loads(RECORD.read_text())[name]
    assert record["sources_sha256"] == hash_of(name), "python test_rl78_runtime.py"


@pytest.mark.usefixtures("rl78_binutils")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gnu_tools_still_make_the_recorded_images(name: str, tmp_path: Path) -> None:
    made = linked(name, tmp_path)
    assert segments(made) == segments(image(name, tmp_path).read_bytes())


def segments(content: bytes) -> tuple[list[tuple[int, int]], str]:
    """Addresses and sizes of an image's segments, and the hash of all."""
    info = _native.image_info(content, "image")
    return [(part["address"], part["size"]) for part in info["segments"]], info["hash"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("core", ["g10", "g13", "g14"])
def test_variables_may_have_the_names_of_the_runtime(
    core: str, engine: Engine, tmp_path: Path
) -> None:
    """The stack stays at the end of RAM, and the variables keep their values."""
    device = PROGRAMS[f"names-{core}"].on(tmp_path)
    machine = Machine(device, image(f"names-{core}", tmp_path), engine=engine)
    result = machine.run()
    assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
    top = 0xFFEC8 if core == "g10" else device.ram.base + device.ram.size
    assert machine.address("_stack_top") == top
    assert machine.read("seen", 2) == (top - TAKEN_BY_CALLS & 0xFFFF).to_bytes(2, "little")
    assert result.values["stack"] == TAKEN_BY_CALLS
    for index, name in enumerate(NAMES):
        assert machine.read(name, 2) == number(index).to_bytes(2, "little"), name


@pytest.mark.parametrize("engine", ENGINES)
def test_data_is_copied_across_a_border_of_64_kib(engine: Engine, tmp_path: Path) -> None:
    device = PROGRAMS["border"].on(tmp_path)
    machine = Machine(device, image("border", tmp_path), engine=engine)
    load = machine.address("_data_load")
    assert load < 0x10000 < load + 2 * WORDS
    machine.write(device.ram.base, FILLED * device.ram.size)
    assert machine.run().values["stop"]["exit_code"] == 0
    words = b"".join(number(index).to_bytes(2, "little") for index in range(WORDS))
    assert machine.read("words", 2 * WORDS) == words
    assert machine.read("cleared", CLEARED) == bytes(CLEARED)
    # Nothing behind them is written but the stack.
    end, top = (machine.address(name) for name in ("_stack_limit", "_stack_top"))
    free = top - end - TAKEN_BY_CALLS
    assert machine.read(end, free) == FILLED * free


@pytest.mark.parametrize("core", RESULT)
def test_quotients_of_8_bits_are_those_of_python(core: str, tmp_path: Path) -> None:
    """All pairs on a G13, every 17th divisor on others; arguments on the stack stay as they are."""
    count = DIVIDENDS[core]
    device = PROGRAMS[f"quotients-{core}"].on(tmp_path)
    fresh = Machine(device, image(f"quotients-{core}", tmp_path))
    for divisor in range(1, 256, 1 if core == "g13" else 17):
        for first in range(0, 256, count):
            machine = fresh.copy()
            machine.initialise("divisor", bytes([divisor]))
            machine.initialise("dividend", bytes([first]))
            assert machine.run().values["stop"]["exit_code"] == 0
            expected = bytes(
                compute(dividend, divisor) & 0xFF
                for dividend in range(first, first + count)
                for compute in FUNCTIONS.values()
            )
            assert machine.read("results", 4 * count) == expected, (first, divisor)


@pytest.mark.parametrize("engine", ENGINES)
def test_products_and_shifts_are_those_of_python(engine: Engine, tmp_path: Path) -> None:
    """All numbers of places, and products whose cycles are always the same."""
    source = Random(8)
    edges = [0, 1, 0xFF, 0x8000_0000, 0xFFFF_FFFF, 2**63, 2**64 - 1]
    cases = [(a, b) for a in edges for b in edges]
    cases += [(source.getrandbits(64), source.getrandbits(64)) for _ in range(79)]
    fresh = Machine("rl78-g13", image("wide-g13", tmp_path), engine=engine)
    cycles = set()
    for index, (a, b) in enumerate(cases):
        places = index % 64
        machine = fresh.copy()
        for name, value, size in (("left", a, 8), ("right", b, 8), ("places", places, 2)):
            machine.initialise(name, value.to_bytes(size, "little"))
        result = machine.run()
        assert result.values["stop"]["exit_code"] == 0
        if places == 0:
            cycles.add(result.cycles)
        for name, compute in WIDE.items():
            size = 4 if name == "mulsi3" else 8
            expected = compute(a % 2 ** (8 * size), b % 2 ** (8 * size), places)
            assert machine.read(name, size) == expected.to_bytes(size, "little"), (name, a, b)
    assert len(cycles) == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("core", list(RESULT))
def test_a_frame_that_ax_computes_is_stack(core: str, engine: Engine, tmp_path: Path) -> None:
    """GCC makes frames of more than a few bytes so, and a function may call no other in it."""
    machine = Machine(f"rl78-{core}", image(f"frame-{core}", tmp_path), engine=engine)
    assert machine.run().values["stack"] == TAKEN_BY_CALLS + FRAME


@pytest.mark.parametrize("core", ["g13", "g14"])
def test_the_call_tree_is_the_same_on_both_engines(core: str, tmp_path: Path) -> None:
    """Functions return to odd addresses as to even ones, also from one region to another."""
    path = image(f"quotients-{core}", tmp_path)
    trees = []
    for engine in ENGINES:
        machine = Machine(f"rl78-{core}", path, engine=engine, contexts=True)
        machine.initialise("divisor", bytes([3]))
        machine.run()
        nodes = machine.profile().values["tree"]
        trees.append([(node["parent"], node["name"], node["self_cycles"]) for node in nodes])
    assert len(trees[0]) > len(FUNCTIONS)
    assert trees[1] == trees[0]


def record() -> None:
    """Writes the images and the hashes of their sources."""
    values = {}
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            content = linked(name, Path(folder))
        kept(name).write_bytes(lzma.compress(content, preset=9))
        values[name] = {"sources_sha256": hash_of(name)}
    RECORD.write_text(f"{json.dumps(values, indent=2)}\n")


if __name__ == "__main__":
    record()
