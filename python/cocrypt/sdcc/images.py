"""Images of primitives for the 8051: for calls of their functions by the host, and for their size.

SDCC passes the first argument in registers and the others in static memory, whose addresses the
linker's map has. It divides no file into sections, but its linker takes the files that are needed.
Sources: SDCC's manual, "Command Line Options" and "Parameter passing"; the linker's listings.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import cache as kept
from cocrypt import paths
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.primitives.images import CONTEXT, Footprint, Images
from cocrypt.sdcc import names, tools
from cocrypt.sdcc.compiling import NAME, internal_data
from cocrypt.sdcc.names import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.toolchain import Unit
    from cocrypt.trust import Sandbox

ENTRY = "cocrypt_call_"
"""The beginning of the names of `caller.asm` for the entries of functions, before their numbers."""
CALLERS_DATA = 4
"""Bytes of internal data of `caller.asm`."""
EXTENT = re.compile(r"^ *C: +([0-9A-F]{8})  ([ls]_\w+)", re.MULTILINE)
"""Where an area begins, or its length."""
RESERVED = re.compile(r"^_(\w+)_PARM_(\d+):\n\s*\.ds\s+(\d+)", re.MULTILINE)
"""A parameter in static memory, and its bytes."""
RESULT = re.compile(r"^S:G\$(\w+)\$0_0\$0\(\{\d+\}DF,(\w+)", re.MULTILINE)
"""A function of the debug information, and the type of its result."""
RESULTS = {"SV": 0, "SC": 1, "SI": 2, "SS": 2, "SL": 4}
"""Bytes of results by their types in SDCC's debug information."""
CODE_SIZE = re.compile(r"^A CSEG size ([0-9A-F]+)", re.MULTILINE)
BEHIND_REGISTERS = 0x20
"""The first address of internal data that is no register; `caller.asm` moves the stack there."""
WRONG = re.compile(r"^.*?(?:error \d+|fatal error|syntax error|error): ?(.+)$", re.MULTILINE)
CHECKED = "the stack reaches the end"
"""What is known of an image that is kept; those that were not checked so have another key."""
FILES = ("object", "assembly")
"""The files of a unit that are kept."""
MOST_SECONDS = 30
"""Seconds of a processor for a file of the workbench: in long functions SDCC takes hours."""
LIMITED = ("/bin/sh", "-c", 'ulimit -t "$0" && exec "$@"', str(MOST_SECONDS))
"""The beginning of a command that may not take longer."""


@dataclass(frozen=True)
class Signature:
    """The bytes of a function's static parameters, where they stand, and those of the result.

    The result's are None where they are not known.
    """

    static: tuple[int, ...]
    address: int
    result: int | None


@dataclass(frozen=True)
class Program:
    """A linked program: the bytes of its areas, internal data that is taken, and its image."""

    path: Path
    areas: Mapping[str, int]
    internal: int
    callers: int


@dataclass(frozen=True)
class SdccImages(Images):
    """Builds a subject's images by SDCC."""

    def callable(self) -> Path:
        """An image whose `main` calls the functions that the host has put into its memory."""
        return self._linked(tuple(self.subject.functions)).path

    def footprint(self, operations: Iterable[str]) -> Footprint:
        """The memory that these operations take, without start-up code and harness."""
        chosen = set(operations)
        program = self._linked(tuple(name for name in self.subject.functions if name in chosen))
        areas = program.areas
        text = areas["CSEG"] - program.callers + areas.get("CONST", 0) + areas.get("CABS", 0)
        bss = areas.get("XSEG", 0) + areas.get("PSEG", 0) + program.internal - CALLERS_DATA
        return Footprint(text, areas.get("XISEG", 0), bss)

    def signatures(self, image: Mapping[str, int]) -> dict[str, Signature]:
        """The signatures of the functions by operation; `image` has addresses of symbols."""
        static: dict[str, dict[int, int]] = {}
        for unit in self._units:
            for name, number, size in RESERVED.findall(self._made(unit)[1]):
                static.setdefault(name, {})[int(number)] = int(size)
        results = self._results
        found = {}
        for operation, function in self.subject.functions.items():
            sizes = static.get(function.name, {})
            ordered = tuple(sizes[number] for number in sorted(sizes))
            first = image.get(f"{function.name}_PARM_2", EXTERNAL) - EXTERNAL
            _require_order(function.name, sizes, first, image)
            found[operation] = Signature(ordered, first, results.get(function.name))
        return found

    @property
    def is_ours(self) -> bool:
        """True if the subject is of the workbench, which compiles it right for other devices."""
        return self.subject.project is None and not self.subject.discovered

    @cached_property
    def _units(self) -> list[Unit]:
        context = self.subject.context
        units = [*self._own(), *([self._context(context)] if context else [])]
        foreign = [unit for unit in units if unit.is_assembly]
        if foreign:
            raise DoesNotFitError(
                f"{self.subject.name} has assembly for another processor",
                "take an implementation in C",
                "its assembly is for another processor",
            )
        return units

    @cached_property
    def _results(self) -> dict[str, int]:
        """The bytes of functions' results, from their prototypes or else from their sources."""
        if not self.subject.header:
            return {}
        text = f'#include "{self.subject.header}"\n'
        unit = self._units[0]
        source = paths.kept("cocrypt_prototypes.c", text)
        with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
            scratch = Path(folder).resolve()
            output = scratch / "prototypes.rel"
            command = [*self._command(unit), "--debug", "-c", source, "-o", output]
            tools.run(command, self._sandbox, scratch, f"{self.subject.header} cannot be compiled")
            listing = (scratch / "prototypes.adb").read_text(encoding="utf-8", errors="replace")
        return {name: RESULTS.get(kind, 2) for name, kind in RESULT.findall(listing)}

    def _command(self, unit: Unit) -> list[str | Path]:
        headers = [word for folder in unit.include for word in ("-I", folder)]
        return [tools.sdcc(), *tools.code_options(self.device, unit.flags), *headers]

    @cached_property
    def _sandbox(self) -> Sandbox | None:
        project = self.subject.project
        if project is None:
            return None
        return project.sandbox(NAME, files=[unit.source for unit in self._own()])

    def _made(self, unit: Unit) -> tuple[Path, str]:
        """The object file of a unit, and its assembly."""
        command = self._command(unit)
        failure = f"{unit.source} cannot be compiled"
        with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
            scratch = Path(folder).resolve()
            plain = self._compile([*command, "-E", unit.source], scratch, failure)
            key = kept.digest([tools.version(), *map(str, command), plain])
            record = kept.folder("objects") / f"{key}.json"
            values = kept.read_record(record)
            if "refused" in values:
                raise _refusal(f"{failure}: {values['refused']}", values["refused"])
            files = [record.with_name(str(values.get(name))) for name in FILES]
            if not all(map(kept.is_kept, files)):
                files = self._make(unit, record, scratch)
        return files[0], files[1].read_text(encoding="utf-8", errors="replace")

    def _make(self, unit: Unit, record: Path, scratch: Path) -> list[Path]:
        """Compiles a unit, and keeps its object file and its assembly, or why there are none."""
        output = scratch / f"{unit.source.stem}.rel"
        command = [*self._command(unit), "-c", unit.source, "-o", output]
        try:
            self._compile(command, scratch, f"{unit.source} cannot be compiled")
        except DoesNotFitError as error:
            kept.write_record(record, {"refused": error.reason})
            raise
        tools.without_folder(output)
        files = [kept.keep(path, "objects") for path in (output, output.with_suffix(".asm"))]
        named = {name: path.name for name, path in zip(FILES, files, strict=True)}
        kept.write_record(record, named)
        return files

    def _compile(self, command: Sequence[str | Path], scratch: Path, failure: str) -> str:
        """Runs the compiler; what SDCC cannot compile of the workbench does not fit the device."""
        try:
            return tools.run([*LIMITED * self.is_ours, *command], self._sandbox, scratch, failure)
        except InputError as error:
            if not self.is_ours:
                raise
            raise _refusal(error.message, _restriction(error.message)) from error

    def _linked(self, operations: tuple[str, ...]) -> Program:
        """The program with entries for these operations."""
        objects = [self._made(unit)[0] for unit in self._units]
        text = self._start(operations)
        options = tools.memory_options(self.device)
        parts = [text, *options, *(path.name for path in objects)]
        key = kept.digest([CHECKED, tools.version(), *parts])
        record = kept.folder("images") / f"{key}.json"
        values = kept.read_record(record)
        path = record.with_name(str(values.get("image")))
        if not kept.is_kept(path):
            path, figures = self._join(text, options, objects)
            values = {"image": path.name, **figures}
            kept.write_record(record, values)
        return Program(path, values["areas"], values["internal"], values["callers"])

    def _start(self, operations: Sequence[str]) -> str:
        """The assembly of `caller.asm` with the addresses of peripherals and the entries."""
        numbers = {name: number for number, name in enumerate(self.subject.functions)}
        entries = [
            f"    entry   _{ENTRY}{numbers[name]}, _{self.subject.functions[name].name}"
            for name in operations
        ]
        entries += [f"    .globl  _{CONTEXT}"] if self.subject.context else []
        return tools.start(self.device, "caller", entries)

    def _join(
        self, text: str, options: Sequence[str], objects: Sequence[Path]
    ) -> tuple[Path, dict[str, object]]:
        failure = f"{self.subject.name} cannot be linked"
        with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
            scratch = Path(folder).resolve()
            caller, library = scratch / "caller.asm", scratch / "units.lib"
            caller.write_text(text, encoding="utf-8")
            image = scratch / "image.ihx"
            start = tools.assemble(caller, None, failure)
            copies = [scratch / f"unit{number}.rel" for number, _ in enumerate(objects)]
            for copy, path in zip(copies, objects, strict=True):
                shutil.copyfile(path, copy)
            tools.run([tools.tool("sdar"), "-rc", library, *copies], None, scratch, failure)
            inputs: list[str | Path] = [*options, start, library, "-o", image]
            tools.link(inputs, scratch, self.subject.name, self.device)
            listing = image.with_suffix(".map").read_text(encoding="utf-8", errors="replace")
            memory = image.with_suffix(".mem").read_text(encoding="utf-8", errors="replace")
            areas = tools.areas(listing)
            size = CODE_SIZE.search(start.read_text(encoding="utf-8"))
            assert size, "the caller has code"
            figures = {"areas": areas, "internal": tools.taken(memory), "callers": int(size[1], 16)}
            program = scratch / "image.elf"
            symbols = self._symbols(listing)
            program.write_bytes(names.of_program(image.read_bytes(), symbols))
            return kept.keep(program, "images"), figures

    def _symbols(self, listing: str) -> dict[str, int]:
        """Names of functions and objects, and where the stack and the table's memory are.

        The linker gives the stack the largest hole of internal data. One that does not reach the
        end lies between registers and data, into which the stack would grow unnoticed: then it
        raises `DoesNotFitError`.
        """
        extents = {name: int(value, 16) for value, name in EXTENT.findall(listing)}
        stack, size = extents["s_SSEG"], internal_data(self.device).size
        if stack + extents["l_SSEG"] != size:
            raise DoesNotFitError(
                f"{self.subject.name} needs more memory than {self.device.name} has: behind its "
                f"data in {size} bytes of internal data no room for a stack is left",
                "take a device with 256 bytes of internal data",
                "internal data is too small for its stack",
            )
        return names.symbols(listing) | {
            "_stack_limit": EXTERNAL + extents["s_XISEG"] + extents["l_XISEG"],
            "_stack_top": self.device.ram.base + self.device.ram.size,
            "_internal_stack": max(stack, BEHIND_REGISTERS),
        }


def _restriction(message: str) -> str:
    """What SDCC does not compile, from its message."""
    told = WRONG.search(message)
    if told:
        return f"SDCC does not compile it: {told[1].strip()}"
    return f"SDCC does not compile a file of it within {MOST_SECONDS} seconds"


def _refusal(message: str, reason: str) -> DoesNotFitError:
    return DoesNotFitError(message, "take another implementation, such as `small`", reason)


def _require_order(
    function: str, sizes: Mapping[int, int], first: int, image: Mapping[str, int]
) -> None:
    """Static parameters must follow one another, as SDCC places them."""
    place = first
    for number in sorted(sizes):
        at = image[f"{function}_PARM_{number}"] - EXTERNAL
        assert at == place, f"parameters of {function} are apart"
        place += sizes[number]
