"""The programs of the benchmark set: primitives, programs of other kinds, and random ones.

Each is a C file that defines `kernel(rounds)`, as benches/kernels/kernel.h has it, beside the units
that it calls. A primitive's makes the calls by which `cocrypt measure` times an operation;
csmith's runs the whole random program in each round.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.fuzz.c.generate import Generator, Program
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import Buffer, argument_size
from cocrypt.toolchain import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cocrypt.device import Device
    from cocrypt.primitives.script import Step, Timing
    from cocrypt.primitives.subject import Subject

HERE = Path(__file__).parent
LENGTH = 256
"""Bytes of the messages of hash functions, stream ciphers and the like."""
RANDOM = 12
"""Programs by csmith."""
RANDOMLY = "csmith"
"""The first word of their names."""
KERNEL = HERE / "kernels"


@dataclass(frozen=True)
class Collected:
    """A program of the set: its own source, and what else is compiled with the same options."""

    name: str
    source: Path
    subject: Subject | None = None
    include: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()

    def units(self, flags: tuple[str, ...]) -> list[Unit]:
        """Its sources, to be compiled with these options."""
        options = (*flags, "-std=c11", "-w", *self.defines)
        own = Unit(self.source, options, (KERNEL, *self.include))
        return [own, *(self.subject.units(flags) if self.subject else [])]


def collect(device: Device, folder: Path, words: Sequence[str] = ()) -> list[Collected]:
    """The programs that a device can run whose names contain one of some words; all without words.

    Generated sources are put into a folder.
    """
    programs = [Collected(path.stem, path) for path in sorted((HERE / "programs").glob("*.c"))]
    if not words or any(RANDOMLY in word for word in words):
        programs += _random(folder)
    subjects = _subjects({program.name for program in programs}, words)
    programs += _primitives(device, folder, subjects)
    return [item for item in programs if not words or any(word in item.name for word in words)]


def _subjects(others: set[str], words: Sequence[str]) -> list[Subject]:
    """The implementations that programs are made of, since making them takes long.

    A word that is in no name before its first space may be one of operations: then all of them.
    """
    subjects = [subject for subject in library.ours() if not subject.extensions]
    subjects = [subject for subject in subjects if subject.over is None]
    names = {*others, *(subject.name for subject in subjects)}
    firsts = [word.split()[0] for word in words]
    if not all(any(first in name for name in names) for first in firsts):
        return subjects
    return [
        subject
        for subject in subjects
        if not firsts or any(first in subject.name for first in firsts)
    ]


def _random(folder: Path) -> Iterator[Collected]:
    """Random programs, each run again and again with the state that the round before left."""
    generator = Generator(folder)
    seeds = (generator.program(seed) for seed in range(1, 10_000))
    programs = (program for program in seeds if isinstance(program, Program))
    for program, _ in zip(programs, range(RANDOM), strict=False):
        source = folder / f"random_{program.seed}.c"
        source.write_text(f'#include "{program.source}"\n{ROUNDS}', encoding="utf-8")
        yield Collected(
            f"{RANDOMLY} {program.seed}",
            source,
            include=program.include,
            defines=("-Dmain=program", "-Dprintf=said"),
        )


ROUNDS = """
#undef main
#undef printf
#include <stdarg.h>
#include "kernel.h"
static uint32_t printed;
int said(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printed = printed * 31 + va_arg(arguments, uint32_t);
    va_end(arguments);
    return 0;
}
uint32_t kernel(uint32_t rounds)
{
    while (rounds--) {
        crc32_context = 0xffffffffu;
        program();
    }
    return printed;
}
"""
"""What calls a program by csmith, whose `main` is `program`, and keeps its checksums."""


def _primitives(device: Device, folder: Path, subjects: Sequence[Subject]) -> Iterator[Collected]:
    """Each operation that `cocrypt measure` times of some portable implementations."""
    for subject in subjects:
        size = Calling(device, subject, Images(device, subject).callable()).context_size
        plan = kind(subject).timings(subject, read_vectors(subject), (LENGTH,), size)
        for timing in plan:
            name = f"{subject.name} {timing.operation}"
            source = folder / f"{name.replace('/', '_').replace(' ', '_')}.c"
            source.write_text(calls(subject, timing), encoding="utf-8")
            yield Collected(name, source, subject)


def calls(subject: Subject, timing: Timing) -> str:
    """C that makes the calls of an operation in each round, and hashes what they leave."""
    buffers: dict[Buffer, str] = {}
    for step in timing.steps:
        for _, buffer in step.buffers:
            buffers.setdefault(buffer, f"buffer_{len(buffers)}")
    names = {subject.function(step.operation).name for step in timing.steps}
    declared = [f"void {name}();" for name in sorted(names)]
    stored = [_stored(name, buffer) for buffer, name in buffers.items()]
    called = [f"        {_call(subject, step, buffers)};" for step in timing.steps]
    hashed = [
        f"    for (unsigned i = 0; i < {buffer.size}; i++) sum = (sum ^ {name}[i]) * 16777619u;"
        for buffer, name in buffers.items()
    ]
    lines = [
        *('#include "kernel.h"', *declared, *stored),
        *("uint32_t kernel(uint32_t rounds)", "{", "    while (rounds--) {", *called, "    }"),
        *("    uint32_t sum = 2166136261u;", *hashed, "    return sum;", "}", ""),
    ]
    return "\n".join(lines)


def _stored(name: str, buffer: Buffer) -> str:
    content = ", ".join(map(str, buffer.content)) or "0"
    size = max(1, buffer.size)
    return f"static uint8_t {name}[{size}] __attribute__((aligned(16))) = {{{content}}};"


def _call(subject: Subject, step: Step, buffers: dict[Buffer, str]) -> str:
    function = subject.function(step.operation)
    arguments = ", ".join(_argument(subject, step, role, buffers) for role in function.arguments)
    return f"{function.name}({arguments})"


def _argument(subject: Subject, step: Step, role: str, buffers: dict[Buffer, str]) -> str:
    """An argument as C; a role that the kind does not know is 0, as where it is measured."""
    value = step.arguments.get(role)
    if value is None:
        size = argument_size(role, step)
        base = role.removesuffix("64").removesuffix("_size")
        value = size if size is not None else subject.sizes.get(base, 0)
    if isinstance(value, tuple):
        return f"{buffers[value[0]]} + {value[1]}"
    if isinstance(value, Buffer):
        return buffers[value]
    return f"(uint64_t){value}u" if role.endswith("64") else f"(uint32_t){value}u"


def main_unit(rounds: int, flags: tuple[str, ...]) -> Unit:
    """The unit that runs so many rounds and keeps the checksum."""
    return Unit(KERNEL / "main.c", (*flags, f"-DROUNDS={rounds}u"), (KERNEL,))


def folder_of(device: Device) -> Path:
    """The folder of generated sources for a device."""
    folder = paths.cache() / "benches" / device.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
