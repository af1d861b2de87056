"""Primitives on the host itself: compiled to a library, and called as on a device."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.primitives.images import CONTEXT
from cocrypt.primitives.script import Buffer, Outcome, Step, argument_size, some_bytes
from cocrypt.toolchain import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.subject import Subject

# Warnings that the project's C must not cause, and sanitizers that find errors at run time.
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror")
GUARD = 64
"""Bytes behind each buffer that no function may write."""


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
        memory: dict[Buffer, ctypes.Array[ctypes.c_char]] = {}
        results = {}
        for step in steps:
            results[step] = self._call(step, memory)
        for buffer, room in memory.items():
            behind = room.raw[buffer.size :]
            assert behind == b"\xc3" * GUARD, f"{self.subject.name} writes behind a buffer"
        return Outcome(
            {buffer: room.raw[: buffer.size] for buffer, room in memory.items()}, results
        )

    check = run

    def _call(self, step: Step, memory: dict[Buffer, ctypes.Array[ctypes.c_char]]) -> int:
        function = self.subject.functions[step.operation]
        entry = getattr(self.library, function.name)
        entry.restype = ctypes.c_int32
        return int(entry(*(self._value(role, step, memory) for role in function.arguments)))

    def _value(
        self, role: str, step: Step, memory: dict[Buffer, ctypes.Array[ctypes.c_char]]
    ) -> object:
        value = step.arguments.get(role)
        if value is None:
            size = argument_size(role, step)
            if size is None:
                size = self.subject.sizes.get(role.removesuffix("64").removesuffix("_size"), 0)
            return ctypes.c_size_t(size)
        if isinstance(value, int):
            return ctypes.c_size_t(value) if role.endswith("_size") else ctypes.c_uint32(value)
        buffer, offset = value if isinstance(value, tuple) else (value, 0)
        if buffer not in memory:
            room = ctypes.create_string_buffer(buffer.size + GUARD)
            # Memory that a function leaves unwritten must not hold an answer by chance.
            unwritten = some_bytes(buffer.size, f"memory {len(memory)}")
            content = buffer.content + unwritten[len(buffer.content) :]
            ctypes.memmove(room, content + b"\xc3" * GUARD, buffer.size + GUARD)
            memory[buffer] = room
        return ctypes.c_void_p(ctypes.addressof(memory[buffer]) + offset)


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
    """The object file of a unit, which the modes over a cipher share."""
    headers = [header for folder in unit.include for header in sorted(folder.glob("*.h"))]
    times = [str(path.stat().st_mtime_ns) for path in (unit.source, *headers)]
    include = [f"-I{folder}" for folder in unit.include]
    words = [*WARNINGS, "-fPIC", *unit.flags, *include, "-c", str(unit.source)]
    path = paths.kept(f"{unit.source.name}.key", "\0".join([*words, *times])).with_suffix(".o")
    if not path.exists():
        _gcc(words, path, str(unit.source))
    return path


def _gcc(words: Sequence[str], made: Path, what: str) -> None:
    """Runs the compiler; of two that make the same file at once the last one's stays."""
    with tempfile.TemporaryDirectory(dir=made.parent) as folder:
        target = Path(folder) / made.name
        process = subprocess.run(
            ["gcc", *words, "-o", str(target)], capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, f"{what}: {process.stderr}"
        target.replace(made)
