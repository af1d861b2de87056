"""C by GCC on what LLVM lacks: RL78, and MicroBlaze and SuperH in both orders of bytes.

tests/cases/gnu/ has images of primitives as the compilers of `cocrypt toolchain` made them, so that
the conventions of calls, memories and names are tested where no such compiler is. With a compiler
the images must still be the same, and programs are compiled, replaced and linked. After a change of
the runtime, `python test_gnu_cores.py` records the images again, or those of the named devices.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native, paths
from cocrypt.builder import Builder
from cocrypt.crosstools import kept
from cocrypt.device import Device, Tools
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.explore import explore
from cocrypt.machine import Machine
from cocrypt.partition import partitions
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import failures
from cocrypt.study import Study
from cocrypt.target import InstructionSet
from cocrypt.toolchain import Toolchain, Unit, sources_of
from host import ROOT
from test_sh2 import board as board_of_sh2

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from cocrypt.machine import Engine

RECORDS = ROOT / "tests/cases/gnu"
RECORD = RECORDS / "record.json"
FLAGS = ("-Os",)
RECORDED = (
    ("rl78-g10", "speck64_128/lean"),
    ("rl78-g13", "aes128/small"),
    ("rl78-g13", "chacha20/lean"),
    ("rl78-g14", "chacha20_poly1305/small"),
    ("duarte2010-microblaze", "aes128/small"),
    ("microblazeel", "chacha20_poly1305/small"),
    ("sh7729", "aes128/small"),
    ("sh7729el", "chacha20_poly1305/small"),
)
"""Devices, each with a primitive; one has results and more arguments than registers."""
LARGE = (
    *("rl78-g13", "rl78-g14", "duarte2010-microblaze", "microblazeel"),
    *("sh7034", "sh7729", "sh7729el"),
)
CASES = ROOT / "tests/cases/avr"
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled")
ARITHMETIC = """
#include <stdint.h>
#include <stdio.h>
volatile int32_t  a = -123456, b = 789;
volatile int16_t  c = -1234, d = 7;
volatile uint64_t e = 0x123456789abcdef, f = 12345;
volatile int64_t  divisor = 12345;
volatile int64_t  g = -5, h = -0x123456789abcdef;
volatile float    x = -41152.0f;
volatile int      places = 5;
static const char *const names[] = {"one", "two"};
int output;
int main(void)
{
    printf("%ld %ld %ld ", (long)(a * b), (long)(a / b), (long)(a % b));
    printf("%lu ", (unsigned long)((uint32_t)a / (uint32_t)b));
    printf("%d %d %d ", c * d, c / d, c % d);
    printf("%llx %llx %llx ", e * f, e / f, e % f);
    printf("%llx %llx %lld ", e << places, e >> places, g >> places);
    printf("%lld %lld %lld %lld ", h / divisor, h % divisor, h % g, -h % g);
    printf("%ld %s %d", (long)(x * 2.0f), names[1], output);
    return 0;
}
"""

SPLIT = """
#include <stdint.h>
__attribute__((noinline)) int take({first}, uint64_t wide)
{{
    return {sum} == {expected} && wide == 0x1122334455667788 ? 77 : 1;
}}
typedef int WORDS({words});
int main(void)
{{
    WORDS *volatile taken = (WORDS *)(uintptr_t)take;
    return taken({values});
}}
"""
"""A call by words of a function whose last argument begins in the last register."""

COMPARISONS = """
#define DECIDES(name, result) \\
    __attribute__((noinline)) int name(unsigned a, unsigned n) { if (result) return 1; return 0; }
DECIDES(left, a << n)
DECIDES(right, a >> n)
DECIDES(sum, a + n)
DECIDES(fixed, a >> 5)
int main(void)
{
    int some = left(1, 3) | right(64, 3) << 2 | sum(1, 4) << 5 | fixed(32, 0) << 7;
    return some | left(1u << 31, 1) << 1 | right(7, 3) << 3 | sum(0, 0) << 4 | fixed(31, 0) << 6;
}
"""

NAMED = """
#include <stdint.h>
int registers = 1, stack_top = 2, stack_limit = 3, data_start = 4, data_load = 5, bss_end = 6;
int ram_size = 7, flash_base = 8, mirror_from = 9, addition = 10, start = 11, vectors = 12;
volatile int8_t dividend = -100, divisor = 100;
int8_t quotient(int8_t a, int8_t b) { return a / b; }
int main(void)
{
    int sum = registers + stack_top + stack_limit + data_start + data_load + bss_end;
    sum += ram_size + flash_base + mirror_from + addition + start + vectors;
    return quotient(dividend, divisor) == -1 ? sum : 0;
}
"""

PROGRAM = """
[study]
name   = "program"
title  = "A program without sources"
device = "{device}"
[toolchain]
flags    = ["-Os"]
[[workload]]
name   = "all"
title  = "All"
source = "program.elf"
output = "output"
expect = "0d001c002d01"  # 3 n + 1 of 4, 9 and 100
[[candidate]]
function = "step"
[[candidate.option]]
name   = "counting"
source = "counting.c"
"""


def expected() -> bytes:
    """The output of the program above, by Python's integers."""
    mask, word = (1 << 64) - 1, 1 << 32
    a, b, e, f = -123456, 789, 0x123456789ABCDEF, 12345
    product = (a * b + word // 2) % word - word // 2
    signed = f"{product} {-(-a // b)} {-(-a % b)} {(a % word) // b}"
    short = f"{-1234 * 7} {-(1234 // 7)} {-(1234 % 7)}"
    wide = f"{e * f & mask:x} {e // f:x} {e % f:x} {e << 5 & mask:x} {e >> 5:x} {-5 >> 5}"
    long = f"{-(e // f)} {-(e % f)} {-(e % 5)} {e % 5}"
    return f"{signed} {short} {wide} {long} -82304 two 0".encode()


def compiler_of(device: str) -> None:
    """Skips a test unless there is a compiler for a device.

    Building one takes minutes, so that it may be missing where no other tool may.
    """
    name = Device.load(device).target.instructions.gcc
    if kept.which(name) is None:
        pytest.skip(f"{name} is not there, which `cocrypt toolchain` takes minutes to build")


def path_of(device: str, primitive: str) -> Path:
    """The file of a recorded image."""
    return RECORDS / f"{device}-{primitive.replace('/', '-')}.elf.xz"


def checked(device: Device, primitive: str, image: Path) -> int:
    """The number of official vectors that come out; fails with those that do not."""
    subject = library.named([primitive])[0]
    calling = Calling(device, subject, image)
    checks = kind(subject).checks(subject, read_vectors(subject), calling.context_size)
    fitting = [check for check in checks if calling.fits(check)]
    assert failures(fitting, calling.check(fitting)) == []
    return len(fitting)


@pytest.mark.parametrize(("device", "primitive"), RECORDED)
def test_recorded_images_give_the_official_results(
    device: str, primitive: str, tmp_path: Path
) -> None:
    image = tmp_path / "image.elf"
    image.write_bytes(lzma.decompress(path_of(device, primitive).read_bytes()))
    assert checked(Device.load(device), primitive, image) > 0
    record = json.loads(RECORD.read_text())[path_of(device, primitive).name]
    assert record["sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    names = {
        symbol["name"] for symbol in _native.image_info(image.read_bytes(), "image")["symbols"]
    }
    # As C has them, whatever stands before them in the file.
    assert {"main", "_start", "_stack_limit", "_stack_top"} <= names


@pytest.mark.parametrize(("device", "primitive"), RECORDED)
def test_recorded_images_are_of_the_present_sources(device: str, primitive: str) -> None:
    """Else they are to be recorded again, by `python test_gnu_cores.py DEVICE`."""
    record = json.loads(RECORD.read_text())[path_of(device, primitive).name]
    now = hashes(device, primitive)
    assert {name: record.get(name) for name in now} == now


@pytest.mark.parametrize(("device", "primitive"), RECORDED)
def test_the_compiler_still_makes_the_recorded_images(
    device: str, primitive: str, tmp_path: Path
) -> None:
    compiler_of(device)
    images = Images(Device.load(device), library.named([primitive])[0], FLAGS)
    record = json.loads(RECORD.read_text())[path_of(device, primitive).name]
    description = images.chain.description(FLAGS)
    if record["compiler"] != description["compiler"]:
        pytest.skip(f"{description['compiler']} is another compiler than {record['compiler']}")
    recorded = tmp_path / "recorded.elf"
    recorded.write_bytes(lzma.decompress(path_of(device, primitive).read_bytes()))
    built = images.callable()
    assert loaded(built.read_bytes()) == loaded(recorded.read_bytes())
    assert contents(images.device, built) == contents(images.device, recorded)


def loaded(image: bytes) -> dict[str, int]:
    """Addresses and sizes of an image's functions and data, and of its segments.

    Labels of the assembler's own are left out: some are of places in debug information, which has
    paths of sources, and several have the same name, as `0:` is `L0` and a control character.
    """
    info = _native.image_info(image, "image")
    places = {
        f"{symbol['name']} {symbol['size']}": symbol["address"]
        for symbol in info["symbols"]
        if not symbol["name"].startswith(".L") and symbol["name"].isprintable()
    }
    segments = {f"segment {part['address']}": part["size"] for part in info["segments"]}
    return places | segments


def contents(device: Device, image: Path) -> list[bytes]:
    """The bytes of an image's segments, where a device has them before the first instruction."""
    machine = Machine(device, image)
    segments = _native.image_info(image.read_bytes(), "image")["segments"]
    return [machine.read(part["address"], part["file_size"]) for part in segments]


@pytest.mark.parametrize("device", LARGE)
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_arithmetic_is_that_of_python(device: str, level: str, tmp_path: Path) -> None:
    """Products and quotients come from GCC's library, or from the runtime on a G13 and SuperH."""
    compiler_of(device)
    prints_the_same(Device.load(device), level, tmp_path)


@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_arithmetic_on_an_sh2_is_that_of_python(level: str, tmp_path: Path) -> None:
    """It multiplies words, and lacks an SH-3's shifts by variable amounts."""
    compiler_of("sh7034")
    prints_the_same(Device.load(board_of_sh2(tmp_path, is_sh2=True)), level, tmp_path)


def prints_the_same(device: Device, level: str, folder: Path) -> None:
    """Fails unless the program prints on a device what Python does, with both engines."""
    source = folder / "main.c"
    source.write_text(ARITHMETIC)
    chain = Toolchain(device)
    units = [*chain.runtime((level,)), Unit(source, (level,))]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "arithmetic")
    results = [Machine(chain.device, image, engine=engine).run() for engine in ENGINES]
    assert [bytes(result.values["console"]) for result in results] == [expected()] * len(ENGINES)
    assert [result.values["stop"]["exit_code"] for result in results] == [0] * len(ENGINES)
    assert len({result.cycles for result in results}) == 1


@pytest.mark.parametrize("device", ["rl78-g10", *LARGE])
def test_variables_may_have_the_names_of_the_runtime(device: str, tmp_path: Path) -> None:
    """Each symbol of a linker script is another one; a quotient of 8 bits is right too."""
    compiler_of(device)
    source = tmp_path / "main.c"
    source.write_text(NAMED)
    chain = Toolchain(Device.load(device))
    units = [*chain.runtime(("-Os",)), Unit(source, ("-Os",))]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "names")
    assert Machine(chain.device, image).run().values["stop"]["exit_code"] == sum(range(13))


@pytest.mark.parametrize("device", LARGE)
def test_coprocessors_replace_functions(device: str) -> None:
    """The result is that of FIPS 197; the cost of a slower bus is predicted to the cycle."""
    compiler_of(device)
    aes = Study.load(ROOT / "tests/cases/rl78/explore.toml")
    aes = replace(aes, device=Device.load(device))
    exploration = explore(aes, aes.workload(), jobs=2)
    assert exploration.verified
    assert exploration.by_hardware(("aes128_encrypt",)).gain > 1


@pytest.mark.parametrize("device", LARGE)
@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_a_static_function_is_replaced_however_it_is_reached(device: str, level: str) -> None:
    """The function is reached by calls, by the jump of a tail call, and by pointers in words."""
    compiler_of(device)
    study = Study.load(CASES / "reached.toml")
    reached = replace(study, device=Device.load(device), flags=(level, "-g"), tools=Tools())
    designs = [(reached.workload(), partition) for partition in partitions(reached)]
    order = reached.device.target.instructions.convention.order
    expect = b"".join(number.to_bytes(2, order) for number in (13, 28, 28, 40))
    for built in Builder(reached).build(designs):
        machine = Machine(reached.device, built.path)
        assert machine.run().values["stop"]["exit_code"] == 0
        assert bytes(machine.read("output", 8)) == expect
    assert machine.read("counted", 1) == b"\4"


@pytest.mark.parametrize("device", ["rl78-g14", "microblazeel"])
@pytest.mark.parametrize(
    ("text", "error", "advice"),
    [
        ("int odd(void); int main(void) { return odd(); }", InputError, "`odd`: add the source"),
        (
            "char large[200000]; int main(int n) { return large[n]; }",
            DoesNotFitError,
            "the most of ram is taken by `large` of main.c (200,000 bytes)",
        ),
    ],
)
def test_errors_of_the_gnu_linker_say_what_to_do(
    device: str, text: str, error: type[InputError], advice: str, tmp_path: Path
) -> None:
    compiler_of(device)
    source = tmp_path / "main.c"
    source.write_text(text.replace("200000", "5700" if device == "rl78-g14" else "200000"))
    chain = Toolchain(Device.load(device))
    units = [*chain.runtime(("-Os",)), Unit(source, ("-Os",))]
    objects = chain.compile_needed(units)
    with pytest.raises(error, match="main cannot be linked") as failed:
        chain.link([*objects.values()], "main", (), sources_of(objects))
    shown = advice.replace("200,000", "5,700" if device == "rl78-g14" else "200,000")
    assert shown in (failed.value.help or "")


@pytest.mark.parametrize("device", LARGE)
def test_functions_of_a_program_without_sources_are_replaced(device: str, tmp_path: Path) -> None:
    compiler_of(device)
    chain = Toolchain(Device.load(device))
    exits = chain.device.peripherals_base + 0x20
    flags = ("-Os", f"-DEXIT_DEVICE={exits:#x}")
    units = [*chain.runtime(("-Os",)), Unit(CASES / "program.c", flags)]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "program")
    (tmp_path / "program.elf").write_bytes(image.read_bytes())
    (tmp_path / "counting.c").write_bytes((CASES / "counting.c").read_bytes())
    (tmp_path / "study.toml").write_text(PROGRAM.format(device=device))
    program = Study.load(tmp_path / "study.toml")
    order = chain.device.target.instructions.convention.order
    expect = b"".join(number.to_bytes(2, order) for number in (13, 28, 301))
    for built in Builder(program).build(
        [(program.workload(), partition) for partition in partitions(program)]
    ):
        machine = Machine(program.device, built.path)
        assert machine.run().values["stop"]["exit_code"] == 0
        assert bytes(machine.read("output", 6)) == expect


@pytest.mark.parametrize("device", ["sh7729", "sh7729el"])
@pytest.mark.parametrize("level", ["-O1", "-Os", "-O2"])
def test_comparisons_with_zero_are_not_left_out(device: str, level: str, tmp_path: Path) -> None:
    """GCC 12.2 for SuperH, as it was released, leaves out those of sums and shifts."""
    compiler_of(device)
    source = tmp_path / "main.c"
    source.write_text(COMPARISONS)
    chain = Toolchain(Device.load(device))
    units = [*chain.runtime((level,)), Unit(source, (level,))]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "comparisons")
    assert Machine(chain.device, image).run().values["stop"]["exit_code"] == 0b1010_0101


def test_programs_are_not_built_without_start_up_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what runs instead."""
    monkeypatch.setattr(InstructionSet, "is_compiled", False)
    chain = Toolchain(Device.load("sh7729"))
    with pytest.raises(InputError, match="programs are not compiled for SuperH"):
        chain.runtime(("-Os",))


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("duarte2010-microblaze", (0x11223344, 0x55667788)),
        ("microblazeel", (0x55667788, 0x11223344)),
        ("sh7729", (0x11223344, 0x55667788)),
        ("sh7729el", (0x55667788, 0x11223344)),
        ("atmega2560", (0x1122, 0x3344, 0x5566, 0x7788)),
    ],
)
def test_long_arguments_are_in_the_order_of_registers(device: str, words: tuple[int, ...]) -> None:
    """In memory's order, but on AVR: R25 has the highest byte, and registers are counted down."""
    calling = object.__new__(Calling)
    calling.convention = Device.load(device).target.instructions.convention
    placed = calling._placed(calling._wide(0x1122334455667788, 8), 0)
    order = calling.convention.order
    assert tuple(int.from_bytes(calling._bytes(word), order) for word in placed) == words


@pytest.mark.parametrize(
    "device", ["duarte2010-microblaze", "microblazeel", "sh7729", "sh7729el", "picorv32"]
)
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_arguments_are_split_between_registers_and_stack(
    device: str, level: str, tmp_path: Path
) -> None:
    """The function takes the words that it is called by as the arguments that they stand for."""
    loaded_device = Device.load(device)
    if loaded_device.target.instructions.gcc:
        compiler_of(device)
    calling = object.__new__(Calling)
    calling.convention = loaded_device.target.instructions.convention
    before = calling.convention.registers - 1
    first = list(range(2, 2 + before))
    words = [*first, *calling._placed(calling._wide(0x1122334455667788, 8), before)]
    assert len(words) == before + 2
    source = tmp_path / "main.c"
    source.write_text(
        SPLIT.format(
            first=", ".join(f"unsigned a{number}" for number in first),
            sum=" + ".join(f"{number - 1}u * a{number}" for number in first),
            expected=sum((number - 1) * number for number in first),
            words=", ".join(["unsigned"] * len(words)),
            values=", ".join(f"{word & 0xFFFFFFFF:#x}u" for word in words),
        )
    )
    chain = Toolchain(loaded_device)
    units = [*chain.runtime((level,)), Unit(source, (level,))]
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "split")
    assert Machine(chain.device, image).run().values["stop"]["exit_code"] == 77


def test_an_argument_that_is_not_split_is_on_the_stack_as_a_whole() -> None:
    """On AVR: registers that are too few for it stay unused."""
    calling = object.__new__(Calling)
    calling.convention = Device.load("atmega2560").target.instructions.convention
    assert not calling.convention.splits
    words = calling._wide(0x1122334455667788, 8)
    assert calling._placed(words, calling.convention.registers - 1) == [0, *words]
    assert calling._placed(words, calling.convention.registers) == words


def hashes(device: str, primitive: str) -> dict[str, str]:
    """The hashes of a primitive's sources, and of the runtime for the device's instruction set."""
    runtime = paths.runtime() / Device.load(device).target.instructions.folder
    files = {
        "sources_sha256": library.named([primitive])[0].sources,
        "runtime_sha256": sorted(path for path in runtime.rglob("*") if path.is_file()),
    }
    return {
        name: hashlib.sha256(b"".join(path.read_bytes() for path in of_name)).hexdigest()
        for name, of_name in files.items()
    }


def record(devices: Collection[str]) -> None:
    """Writes the images of these devices, and what made them; those of all if none is named."""
    RECORDS.mkdir(exist_ok=True)
    values = json.loads(RECORD.read_text())
    for device, primitive in RECORDED:
        if devices and device not in devices:
            continue
        subject = library.named([primitive])[0]
        images = Images(Device.load(device), subject, FLAGS)
        content, path = images.callable().read_bytes(), path_of(device, primitive)
        path.write_bytes(lzma.compress(content, preset=9))
        values[path.name] = {
            **images.chain.description(FLAGS),
            **hashes(device, primitive),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    RECORD.write_text(f"{json.dumps(values, indent=2)}\n")


if __name__ == "__main__":
    record(sys.argv[1:])
