"""Calls of clang without the driver of zig give what the driver gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cocrypt import cache, compiler, zig
from cocrypt.compiler import run_tool
from cocrypt.device import Device
from cocrypt.paths import devices
from cocrypt.zig import Compilation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OPTIONS = [
    "-target", "thumb-freestanding-eabi", "-mcpu=cortex_m0plus", "-UNDEBUG", "-O2",
    "-ffreestanding", "-ffunction-sections",
]  # fmt: skip
SOURCES = {
    "plain.c": "int twice(int value) { return 2 * value; }\n",
    "other.c": '#include "own.h"\nint thrice(int value) { return OWN * value + ADDED; }\n',
    "code.S": '#include "own.h"\n.globl start\nstart: movs r0, #OWN\n',
    "code.s": ".globl start\nstart: movs r0, #7\n",
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(zig, "_known", {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with sources, and one with a header in it."""
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "own.h").write_text("#define OWN 3\n")
    return tmp_path


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The second word of each call of a tool for a file of the test, from now on."""
    seen, real = list[str](), compiler._run

    def run(words: Sequence[str], *others: object) -> object:
        if "-emit-llvm" not in words and words[1] != "version":
            seen.append(words[1])
        return real(words, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(compiler, "_run", run)
    return seen


def command(source: Path, *further: str) -> list[str]:
    """The command that compiles a source to `unit.o`, and lists what it read in `unit.d`."""
    folder = source.parent
    paths = ["-MD", "-MF", str(folder / "unit.d"), "-c", str(source), "-o", str(folder / "unit.o")]
    return [str(zig.zig()), "cc", *OPTIONS, *further, *paths]


def made(folder: Path) -> list[bytes]:
    """What a compilation has written, which is removed."""
    # Assembly that is not preprocessed reads nothing.
    files = [folder / "unit.o", *folder.glob("unit.d")]
    content = [path.read_bytes() for path in files]
    for path in files:
        path.unlink()
    return content


@pytest.mark.parametrize("name", SOURCES)
def test_objects_are_the_drivers(folder: Path, called: list[str], name: str) -> None:
    """The driver is called once, and the object is the same byte for byte without it."""
    words = command(folder / name, "-DADDED=1", "-I", str(folder / "headers"))
    assert run_tool(words).returncode == 0
    by_driver = made(folder)
    zig._known.clear()
    assert run_tool(words).returncode == 0
    assert made(folder) == by_driver
    assert called == ["cc", "clang"]


TARGETS = sorted(
    {
        device.target.words("zig", is_recent=True)
        for device in map(Device.load, devices().values())
        if device.target.instructions.llvm
    }
)
"""The words that choose each processor."""
RICH = """#include <stdint.h>
struct __attribute__((packed)) odd { uint8_t first; uint32_t second; uint64_t third; };
float scaled(float a, int32_t b) { return a * (float)b + 0.5f; }
double quotient(double a, uint64_t b) { return a / (double)b; }
uint64_t product(uint32_t a, uint32_t b) { return (uint64_t)a * b; }
uint32_t mixed(uint32_t a, uint32_t b) { return (a << 7 | a >> 25) ^ __builtin_bswap32(b) % 10; }
uint64_t second(const struct odd *from) { return from->second + from->third; }
int32_t clipped(int32_t a) { return a > 127 ? 127 : a < -128 ? -128 : a; }
uint32_t counted(uint32_t a) { return (uint32_t)(__builtin_popcountl(a) + __builtin_clzl(a | 1)); }
void copied(uint8_t *to, const uint8_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = (uint8_t)(from[i] * 3u);
}
int chosen(int a)
{
    switch (a) {
    case 0: return 7;
    case 1: return 9;
    case 2: return -4;
    case 3: return 40;
    case 4: return 1;
    default: return a;
    }
}
"""


@pytest.mark.parametrize("target", TARGETS, ids=lambda words: words[-1])
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_features_that_are_off_anyway_change_nothing(
    folder: Path, called: list[str], target: tuple[str, ...], level: str
) -> None:
    """For each processor the object is the driver's, which turns off what it does not have."""
    source = folder / "rich.c"
    source.write_text(RICH)
    words = [str(zig.zig()), "cc", *target, level, *compiler.FLAGS, *command(source)[-7:]]
    assert run_tool(words).returncode == 0
    by_driver = made(folder)
    assert run_tool(words).returncode == 0
    assert made(folder) == by_driver
    assert called == ["cc", "clang"]
    (record,) = cache.folder("features").glob("*.json")
    (compilation,) = filter(None, [Compilation.of(words)])
    directly = compilation.direct()
    assert directly is not None
    off = {word[1:] for word in behind(directly, zig.FEATURE) if word.startswith("-")}
    assert off == set(json.loads(record.read_text())["kept"])


def behind(words: list[str], these: list[str]) -> list[str]:
    """The words that stand behind others."""
    count = len(these)
    return [words[at + count] for at in range(len(words)) if words[at : at + count] == these]


def test_files_are_compiled_alike_with_other_headers(folder: Path, called: list[str]) -> None:
    """Folders of headers and macros are those of the file, not of the one that was first."""
    assert run_tool(command(folder / "plain.c", "-DADDED=9", "-I", str(folder))).returncode == 0
    headers = ["-DADDED=1", "-I", str(folder), "-DMORE", "-I", str(folder / "headers")]
    other = command(folder / "other.c", *headers)
    assert run_tool(other).returncode == 0
    directly = made(folder)
    assert called == ["cc", "clang"]
    assert compiler._run(other, {}, None, None).returncode == 0
    assert made(folder) == directly


def test_mistakes_are_told_in_the_drivers_words(folder: Path, called: list[str]) -> None:
    """What clang refuses is given to the driver, whose output is as if it had come first."""
    source = folder / "plain.c"
    assert run_tool(command(source)).returncode == 0
    source.write_text("int twice(int value) { return 2 * valeu; }\n")
    told, alone = run_tool(command(source)), compiler._run(command(source), {}, None, None)
    assert called == ["cc", "clang", "cc", "cc"]
    assert "valeu" in told.stderr
    assert (told.returncode, told.stderr) == (alone.returncode, alone.stderr)


@pytest.mark.parametrize("words", [["clang"], [99], None, [{}]])
def test_a_broken_record_does_no_harm(folder: Path, words: object) -> None:
    """What was kept wrongly is asked for again."""
    assert run_tool(command(folder / "plain.c")).returncode == 0
    right = made(folder)
    (record,) = cache.folder("compilers").glob("*.json")
    kept = record.read_text()
    record.write_text(json.dumps({"words": words}))
    zig._known.clear()
    assert run_tool(command(folder / "plain.c")).returncode == 0
    assert made(folder) == right
    assert record.read_text() == kept


@pytest.mark.parametrize(
    "words",
    [
        ["/usr/bin/clang", "cc", "-c", "/a.c", "-o", "/a.o"],
        [str(zig.zig()), "ld.lld", "-c", "/a.c", "-o", "/a.o"],
        [str(zig.zig()), "cc", "-S", "/a.c", "-o", "/a.s"],
        [str(zig.zig()), "cc", "-c", "/my files/a.c", "-o", "/a.o"],
        [str(zig.zig()), "cc", "-c", "/a.c", "-o", "/a.c"],
    ],
)
def test_other_commands_are_left_alone(words: list[str]) -> None:
    """Only compilations whose words can be told apart are called directly."""
    assert Compilation.of(words) is None
