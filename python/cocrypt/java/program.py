"""A program in Java as an ELF image: its classes, the library, the machine and native methods."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.java import fields, jars
from cocrypt.java.aot import reachable
from cocrypt.java.emit import image
from cocrypt.java.prepare import prepare
from cocrypt.java.reach import entry, reach
from cocrypt.java.replaced import replace
from cocrypt.java.world import World
from cocrypt.target import INSTRUCTION_SETS
from cocrypt.toolchain import Toolchain, Unit, sources_of
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.java.classfile import ClassFile
    from cocrypt.java.emit import Image
    from cocrypt.target import InstructionSet

MACHINE = ("heap.c", "kni.c", "main.c", "natives.c", "vm.c")
FRAME = 512
"""Bytes of C's stack at most that a compiled method has for its variables."""
OVERSIZED = re.compile(
    r"stack frame size \((\d+)\) exceeds limit|frame size of (\d+) bytes is larger"
)
LEAST_HEAP, LEAST_STACK = 64, 256


@dataclass(frozen=True)
class Settings:
    """A machine's settings: bytes of heap and of Java's stack, and whether it collects garbage.

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
    """The reachable part of a program, in C; `fields` is the header for those of its objects."""

    image: Image
    fields: str = ""

    @classmethod
    def load(
        cls,
        files: Sequence[Path],
        main: str,
        aot: Sequence[str] = (),
        replaced: Mapping[str, bool] = MappingProxyType({}),
        wanted: Sequence[str] = (),
        *,
        kni: bool = False,
        host_initializers: bool = True,
        floating_point: bool = False,
    ) -> JavaProgram:
        """The program of class files and jars; `main` is a class, or a static `Class.method`.

        `aot` names what is compiled ahead of time: `all`, classes, or methods as `Class.method`. Of
        what `wanted` names so only the reachable part is. The methods `replaced` are native,
        whatever their classes say, by KNI where the value is true; with `kni` all native methods
        are by KNI. Without `host_initializers` all static initialisers run on the device. Code may
        use floating point only with `floating_point`.

        Raises `InputError` for broken classes, missing ones, and what the machine does not have.
        """
        library = _library()
        own = jars.classes(files)
        for name, by_kni in replaced.items():
            replace(own, name, kni=by_kni)
        world = World(own, library, floating_point=floating_point)
        reached = (prepare if host_initializers else reach)(world, entry(world, main))
        names = (*aot, *reachable(reached, wanted))
        made = image(reached, (each.name for each in library), names, kni=kni)
        return cls(made, fields.header(world, own))

    def units(self, flags: Sequence[str] = ()) -> list[Unit]:
        """The units in C: the program's tables and the machine."""
        folder = machine_folder()
        tables = paths.kept("program.c", self.image.source)
        frame = FRAME if any(each.functions for each in self.image.methods) else None
        if self.image.has_operations:
            flags = (*flags, "-DJAVA_FLOATING")
        if frame is not None:
            flags = (*flags, f"-DJAVA_FRAME_MOST={frame}")
        program = Unit(tables, tuple(flags), (folder,), frame=frame)
        return [program, *(Unit(folder / name, tuple(flags), (folder,)) for name in MACHINE)]

    def build(
        self,
        device: Device,
        settings: Settings,
        natives: Sequence[Path] = (),
        flags: Sequence[str] = ("-Os",),
    ) -> Path:
        """The image for a device; `natives` are sources in C of native methods.

        Raises `InputError` for a device that the machine does not run on, for C that does not
        compile, and for a compiled method that needs too much of C's stack.
        """
        require_machine(device)
        chain = Toolchain(device)
        units = self.units((*flags, *settings.flags()))
        include = (machine_folder(), fields.folder(self.fields))
        own = [Unit(path.resolve(), tuple(flags), include) for path in natives]
        objects = compiled(chain, units)
        for unit in own:
            project = Project(unit.source.parent.resolve())
            objects |= Toolchain(device, project=project).compile([unit])
        every = [*chain.runtime(tuple(flags)), *units, *own]
        objects = chain.compile_needed(every, compiled=objects)
        return chain.link(list(objects.values()), "the program in Java", (), sources_of(objects))


def require_machine(device: Device) -> None:
    """Raises `InputError` for a device that the virtual machine does not run on."""
    instructions = device.target.instructions
    if not _runs_on(instructions):
        others = ", ".join(sorted(each.name for each in INSTRUCTION_SETS if _runs_on(each)))
        raise InputError(
            f"{device.name} has a core of {instructions.name}, which runs no Java",
            f"take a device with a core of another instruction set: {others}; `cocrypt devices` "
            "lists them",
        )


def _runs_on(instructions: InstructionSet) -> bool:
    """Returns whether the virtual machine has what it needs to know of an instruction set."""
    return (machine_folder() / "processors" / f"{instructions.folder}.h").is_file()


def compiled(chain: Toolchain, units: Sequence[Unit]) -> dict[Unit, Path]:
    """The objects of units, the machine and its program among them.

    Raises `InputError` for C that does not compile, and for a method with too many variables.
    """
    try:
        return chain.compile(units)
    except InputError as error:
        named = re.search(r"in (?:function )?'(aot_\w+)'", str(error))
        if not OVERSIZED.search(str(error)):
            raise
        name = named.group(1) if named else "a compiled method"
        raise InputError(
            f"{name} has more than {FRAME} bytes of variables on C's stack",
            "leave its method out of --aot, or try another --level",
        ) from None


def library_path() -> Path:
    """The jar of the class library, which `runtime/java/library` has the sources of."""
    return machine_folder() / "library.jar"


def machine_folder() -> Path:
    """The folder of the machine and its headers."""
    return paths.runtime() / "java"


def fields_folder(files: Sequence[Path]) -> Path:
    """A folder with the header for the fields of the objects of class files and jars."""
    own = jars.classes(files)
    return fields.folder(fields.header(World(own, _library()), own))


@functools.cache
def _library() -> list[ClassFile]:
    """The classes of the library."""
    return jars.classes([library_path()])
