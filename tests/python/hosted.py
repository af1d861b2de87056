"""Primitives on the host itself: compiled to a library, and called as on a device."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from array import array
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cocrypt import paths
from cocrypt.objects import Objects, listed
from cocrypt.primitives.images import CONTEXT
from cocrypt.primitives.script import Buffer, Outcome, Step, argument_size, some_bytes
from cocrypt.toolchain import Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cocrypt.primitives.subject import Subject

# Warnings that the project's C must not cause, and sanitizers that find errors at run time.
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror")
GUARD, GUARDED = b"\xc3", 64
"""The byte that stands behind each buffer at least so many times, where no function may write."""
ALIGNMENT = 16
"""Buffers begin at multiples of it, as `malloc` has them."""
MOST_ARGUMENTS = 9
UNUSED = [0] * (2 + MOST_ARGUMENTS)
"""Words of a call without arguments."""
CALLER = f"""#include <stddef.h>
#include <stdint.h>
/* Each call is the address of a function, a bit for each argument that is an offset in memory, and
   the arguments. One that takes fewer of them ignores the others, by the conventions of hosts. */
typedef int32_t function({", ".join(["uint64_t"] * MOST_ARGUMENTS)});
void calls(const uint64_t *call, size_t count, char *memory, int32_t *results);
void calls(const uint64_t *call, size_t count, char *memory, int32_t *results)
{{
    for (size_t i = 0; i < count; i++, call += {2 + MOST_ARGUMENTS}) {{
        uint64_t a[{MOST_ARGUMENTS}];
        for (unsigned k = 0; k < {MOST_ARGUMENTS}; k++)
            a[k] = call[2 + k] + (call[1] >> k & 1 ? (uint64_t)(uintptr_t)memory : 0);
        results[i] = ((function *)(uintptr_t)call[0])(
            {", ".join(f"a[{k}]" for k in range(MOST_ARGUMENTS))});
    }}
}}
"""


class Hosted:
    """A subject's functions on the host; memory behind every buffer is watched."""

    def __init__(self, subject: Subject, *flags: str) -> None:
        self.subject = subject
        self.library = ctypes.CDLL(str(_compiled(subject, flags or ("-O2",))))
        self.context_size = (
            ctypes.c_uint32.in_dll(self.library, CONTEXT).value if subject.context else 0
        )

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order."""
        calls, places = self._calls(steps)
        first = _contents(places)
        room = ctypes.create_string_buffer(first, len(first))
        results = (ctypes.c_int32 * len(steps))()
        words = (ctypes.c_uint64 * len(calls)).from_buffer(calls)
        _caller()(words, len(steps), room, results)
        memory = room.raw
        contents = {}
        for buffer, start in places.items():
            end = start + buffer.size
            behind = memory[end : start + _room(buffer)]
            assert behind.strip(GUARD) == b"", f"{self.subject.name} writes behind a buffer"
            contents[buffer] = memory[start:end]
        return Outcome(contents, dict(zip(steps, results, strict=True)))

    check = run

    def _calls(self, steps: Sequence[Step]) -> tuple[array[int], dict[Buffer, int]]:
        """The calls in words, as `CALLER` reads them, and where each buffer begins."""
        calls, places, end = array("Q"), dict[Buffer, int](), 0
        for step in steps:
            entry, arguments = self._entries[step.operation]
            words, pointers = [entry, 0], 0
            for bit, (role, default) in enumerate(arguments):
                value = step.arguments.get(role)
                if value is None:
                    size = argument_size(role, step)
                    words.append(default if size is None else size)
                    continue
                if isinstance(value, int):
                    words.append(value if role.endswith("_size") else value & 0xFFFFFFFF)
                    continue
                buffer, offset = value if isinstance(value, tuple) else (value, 0)
                start = places.get(buffer)
                if start is None:
                    start = places[buffer] = end
                    end += _room(buffer)
                words.append(start + offset)
                pointers |= 1 << bit
            words[1] = pointers
            calls.extend(words)
            calls.extend(UNUSED[len(words) :])
        return calls, places

    @cached_property
    def _entries(self) -> dict[str, tuple[int, list[tuple[str, int]]]]:
        """The address of each operation's function, and its roles with their sizes by default."""
        entries = {}
        for operation, function in self.subject.functions.items():
            assert len(function.arguments) <= MOST_ARGUMENTS
            entry = ctypes.cast(getattr(self.library, function.name), ctypes.c_void_p).value or 0
            sizes = (role.removesuffix("64").removesuffix("_size") for role in function.arguments)
            defaults = (self.subject.sizes.get(size, 0) for size in sizes)
            entries[operation] = entry, list(zip(function.arguments, defaults, strict=True))
        return entries


def _room(buffer: Buffer) -> int:
    """Bytes from the beginning of a buffer to that of the next one, which any type may have."""
    return -(-(buffer.size + GUARDED) // ALIGNMENT) * ALIGNMENT


def _contents(buffers: Iterable[Buffer]) -> bytes:
    """The first contents of buffers, each with its guard."""
    contents = list[bytes]()
    for index, buffer in enumerate(buffers):
        content, missing = buffer.content, buffer.size - len(buffer.content)
        if missing:
            # Memory that a function leaves unwritten must not hold an answer by chance.
            content += some_bytes(missing, f"memory {index}")
        contents.append(content.ljust(_room(buffer), GUARD))
    return b"".join(contents)


@cache
def _caller() -> Callable[..., None]:
    """The function that makes calls, compiled."""
    source = paths.kept("calls.c", CALLER)
    library = source.with_suffix(".so")
    if not library.exists():
        _gcc(["-std=c11", "-O2", "-fPIC", "-shared", str(source)], library, "the caller")
    function = ctypes.CDLL(str(library)).calls
    function.restype = None
    return cast("Callable[..., None]", function)


def _compiled(subject: Subject, flags: tuple[str, ...]) -> Path:
    """The library, made once for the sources as they are."""
    units = subject.units(flags)
    if subject.context:
        text = f'#include <stdint.h>\n#include "{subject.header}"\n'
        text += f"extern const uint32_t {CONTEXT};\n"
        text += f"const uint32_t {CONTEXT} = sizeof({subject.context});\n"
        own = units[0]
        units.append(Unit(paths.kept("size.c", text), own.flags, own.include))
    objects = [_object(unit) for unit in dict.fromkeys(units)]
    name = f"{subject.implementation}.key"
    library = paths.kept(name, "\0".join(map(str, objects))).with_suffix(".so")
    if not library.exists():
        _gcc([*flags, "-shared", *map(str, objects)], library, subject.name)
    return library


def _object(unit: Unit) -> Path:
    """The object file of a unit, which implementations with the same headers share."""
    words = [*WARNINGS, "-fPIC", *unit.flags]
    objects = Objects.of(["gcc", *words], unit.source, unit.include)
    path = objects.find()
    if path is not None:
        return path
    with tempfile.TemporaryDirectory() as scratch:
        listing, made = Path(scratch) / "unit.d", Path(scratch) / "unit.o"
        include = [f"-I{folder}" for folder in unit.include]
        reading = ["-MD", "-MF", str(listing)]
        _gcc([*words, *include, *reading, "-c", str(unit.source)], made, str(unit.source))
        return objects.keep(made, listed(listing))


def _gcc(words: Sequence[str], made: Path, what: str) -> None:
    """Runs the compiler; of two that make the same file at once the last one's stays."""
    with tempfile.TemporaryDirectory(dir=made.parent) as folder:
        target = Path(folder) / made.name
        process = subprocess.run(
            ["gcc", *words, "-o", str(target)], capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, f"{what}: {process.stderr}"
        target.replace(made)
