"""A program in Java as an ELF image: its classes, the library, the machine and native methods."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.java import jars
from cocrypt.java.emit import image
from cocrypt.java.reach import entry, reach
from cocrypt.java.world import World
from cocrypt.toolchain import Toolchain, Unit, sources_of
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.java.classfile import ClassFile
    from cocrypt.java.emit import Image

MACHINE = ("heap.c", "main.c", "natives.c", "vm.c")
LEAST_HEAP, LEAST_STACK = 64, 256


@dataclass(frozen=True)
class Settings:
    """What a machine has: bytes of heap and of Java's stack, and whether it collects garbage.

    With `count` it prints the number of executed bytecodes at the end.
    """

    heap: int = 32 << 10
    stack: int = 4 << 10
    collector: bool = True
    count: bool = False

    def flags(self) -> tuple[str, ...]:
        """The compiler's options; raises `InputError` for a size that cannot be."""
        for name, size, least in (
            ("heap", self.heap, LEAST_HEAP),
            ("stack", self.stack, LEAST_STACK),
        ):
            if not least <= size <= 1 << 28 or size % 8:
                raise InputError(
                    f"a {name} of {size} bytes cannot be",
                    f"it has at least {least} bytes, in multiples of 8",
                )
        return (
            f"-DJAVA_HEAP={self.heap}",
            f"-DJAVA_STACK={self.stack}",
            f"-DJAVA_COLLECTOR={int(self.collector)}",
            *(["-DJAVA_COUNT"] if self.count else []),
        )


@dataclass(frozen=True)
class JavaProgram:
    """The reachable part of a program, in C."""

    image: Image

    @classmethod
    def load(cls, files: Sequence[Path], main: str, aot: Sequence[str] = ()) -> JavaProgram:
        """The program of class files and jars; `main` is a class, or a static `Class.method`.

        `aot` names what is compiled ahead of time: `all`, classes, or methods as `Class.method`.
        Raises `InputError` for broken classes, missing ones, and what the machine does not have.
        """
        library = _library()
        world = World(jars.classes(files), library)
        reached = reach(world, entry(world, main))
        return cls(image(reached, (each.name for each in library), aot))

    def units(self, flags: Sequence[str] = ()) -> list[Unit]:
        """The units in C: the program's tables and the machine."""
        folder = _folder()
        tables = paths.kept("program.c", self.image.source)
        own = [tables, *(folder / name for name in MACHINE)]
        return [Unit(path, tuple(flags), (folder,)) for path in own]

    def build(
        self,
        device: Device,
        settings: Settings,
        natives: Sequence[Path] = (),
        flags: Sequence[str] = ("-Os",),
    ) -> Path:
        """The image for a device; `natives` are sources in C of native methods."""
        chain = Toolchain(device)
        units = self.units((*flags, *settings.flags()))
        own = [Unit(path.resolve(), tuple(flags), (_folder(),)) for path in natives]
        objects = chain.compile([*chain.runtime(tuple(flags)), *units])
        for unit in own:
            project = Project(unit.source.parent.resolve())
            objects |= Toolchain(device, project=project).compile([unit])
        return chain.link(list(objects.values()), "the program in Java", (), sources_of(objects))


def library_path() -> Path:
    """The jar of the class library, which `runtime/java/library` has the sources of."""
    return _folder() / "library.jar"


def _folder() -> Path:
    """The folder of the machine and its headers."""
    return paths.runtime() / "java"


@functools.cache
def _library() -> list[ClassFile]:
    """The classes of the library."""
    return jars.classes([library_path()])
