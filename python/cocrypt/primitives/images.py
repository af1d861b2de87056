"""Images of primitives: for calls of their functions by the host, and for their size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.errors import InputError
from cocrypt.toolchain import Toolchain, Unit, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.primitives.subject import Subject

CONTEXT = "cocrypt_context"


@dataclass(frozen=True)
class Footprint:
    """Bytes of code and constants, of initialised and of cleared data, with all they pull in."""

    text: int
    data: int
    bss: int

    @property
    def rom(self) -> int:
        """Bytes of read-only memory, the load image of initialised data among them."""
        return self.text + self.data

    @property
    def ram(self) -> int:
        """Bytes of writable memory, without the stack."""
        return self.data + self.bss


@dataclass(frozen=True)
class Images:
    """Builds a subject's images for a device, with one set of the compiler's options."""

    device: Device
    subject: Subject
    flags: tuple[str, ...] = ("-O2",)
    compiler: str | None = None

    @cached_property
    def chain(self) -> Toolchain:
        """The compiler and linker."""
        return Toolchain(self.device, self.compiler, self.subject.project)

    def callable(self) -> Path:
        """An image whose `main` calls the functions that the host has put into its memory."""
        subject, name = self.subject, f"{self.subject.name}, to be called"
        start = [self._runtime("crt0.S"), self._caller()]
        units = [*start, *self._libc(), *self._own()]
        roots = [function.name for function in subject.functions.values()]
        image = self._link(units, roots, name)
        if not subject.context or context_size(image, subject) is not None:
            return image
        return self._link([*units, self._context(subject.context)], [*roots, CONTEXT], name)

    def footprint(self, operations: Iterable[str]) -> Footprint:
        """The memory that these operations take, without start-up code and harness."""
        units = [*self._libc(), *self._own()]
        roots = [self.subject.functions[operation].name for operation in operations]
        path = self._link(units, roots, f"{self.subject.name}, its size")
        segments = _native.image_info(path.read_bytes(), str(path))["segments"]
        writable = [segment for segment in segments if segment["writable"]]
        data = sum(segment["file_size"] for segment in writable)
        text = sum(segment["file_size"] for segment in segments) - data
        return Footprint(text, data, sum(segment["size"] for segment in writable) - data)

    def _link(self, units: Sequence[Unit], roots: Sequence[str], name: str) -> Path:
        keep = [word for root in roots for word in ("-u", root)]
        objects = self.chain.compile_needed(units, keep)
        return self.chain.link(list(objects.values()), name, keep, sources_of(objects))

    def _own(self) -> list[Unit]:
        # Debug information changes no code, so that all images share the objects that have it.
        return self.subject.units((*self.flags, "-g"))

    def _libc(self) -> list[Unit]:
        return self.chain.runtime(self.flags)[1:]

    def _caller(self) -> Unit:
        """The unit that calls the functions that the host has put into memory."""
        unit, name = self._runtime("caller.S"), self.device.target.instructions.name
        if not unit.source.is_file():
            raise InputError(
                f"on {name}, as of {self.device.name}, functions are not called one by one",
                "measure a whole program there: `cocrypt run` and `cocrypt profile`",
            )
        return unit

    def _runtime(self, name: str) -> Unit:
        return Unit(self.chain.folder / name)

    def _context(self, context: str) -> Unit:
        """A unit with the size of the context in bytes."""
        subject = self.subject
        text = (
            f"/* The size of the context of {subject.name}. */\n#include <stdint.h>\n"
            f'#include "{subject.header}"\n'
            f"const uint32_t {CONTEXT} = sizeof({context});\n"
        )
        return Unit(paths.kept(f"{CONTEXT}.c", text), *_unit_options(subject))


def context_size(image: Path, subject: Subject) -> int | None:
    """Bytes of the subject's context, as debug information has it; None where it does not."""
    content, names = image.read_bytes(), {function.name for function in subject.functions.values()}
    symbols = _native.image_info(content, str(image))["symbols"]
    addresses = [symbol["address"] for symbol in symbols if symbol["name"] in names]
    return _native.type_size(content, addresses, subject.context or "")


def _unit_options(subject: Subject) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    return subject.flags, (*subject.include, paths.primitives() / "common")
