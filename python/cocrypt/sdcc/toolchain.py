"""Programs of several files, compiled and linked by SDCC, whose functions can be replaced."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import cache, paths
from cocrypt.errors import InputError
from cocrypt.sdcc import assembly, names, tools
from cocrypt.sdcc.compiling import NAME
from cocrypt.toolchain import NO_OBJECTS, NO_SOURCES, Toolchain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.patching import Program
    from cocrypt.toolchain import Unit
    from cocrypt.trust import Sandbox

BINDING = re.compile(r"--defsym=(\w+)=(\w+)")
SIZES = re.compile(rf"^ *([0-9A-F]{{8}})  {re.escape(assembly.SIZE)}(\w+)", re.MULTILINE)
"""The bytes of a variable, in the linker's map."""
FORMAT = "4"
"""Changes with what is made of SDCC's files, on which kept ones depend."""
RENAMED = f"-Dmain={assembly.MAIN}"
BOUNDED = ("-Dinline=",)
"""Functions that may be replaced are functions for their callers."""


class SdccToolchain(Toolchain):
    """SDCC for one device."""

    def compile(self, units: Sequence[Unit]) -> dict[Unit, Path]:
        """Compiles each unit once and returns its object file.

        Raises `InputError` on bad C, on assembly, and for what only a trusted project may have
        done.
        """
        self._require_sdcc()
        distinct = list(dict.fromkeys(units))
        sandbox = self._sandbox(distinct)
        return {unit: self._object(unit, sandbox) for unit in distinct}

    def compile_needed(
        self,
        units: Sequence[Unit],
        bindings: Sequence[str] = (),
        compiled: Mapping[Unit, Path] = NO_OBJECTS,
    ) -> dict[Unit, Path]:
        """Compiles the units of one program; SDCC's linker takes what it needs of its library."""
        del bindings
        missing = [unit for unit in units if unit not in compiled]
        objects = dict(compiled) | self.compile(missing)
        return {unit: objects[unit] for unit in dict.fromkeys(units)}

    def runtime(self, flags: tuple[str, ...]) -> list[Unit]:
        """SDCC's own library stands for the runtime's."""
        del flags
        return []

    def functions(self, objects: Sequence[Path]) -> frozenset[str]:
        """The functions that these object files define."""
        return frozenset[str]().union(*(assembly.functions(_text(path)) for path in objects))

    def link(
        self,
        objects: Sequence[Path],
        name: str,
        bindings: Sequence[str] = (),
        sources: Mapping[Path, Path] = NO_SOURCES,
    ) -> Path:
        """Links object files behind start-up code to an image; `name` is for messages."""
        del sources
        targets = dict(BINDING.findall(" ".join(bindings)))
        entry = targets.pop("main", "main")
        codes = [_text(path) for path in objects]
        returns = not any(assembly.returns_nothing(code, entry) for code in codes)
        start = tools.start(self.device, "program", [f"    program _{entry}, {int(returns)}"])
        parts = [assembly.bound(code, targets) for code in codes]
        key = cache.digest(
            [FORMAT, tools.version(), start, *tools.memory_options(self.device), *parts]
        )
        record = cache.folder("images") / f"{key}.json"
        path = record.with_name(str(cache.read_record(record).get("image")))
        if not cache.is_kept(path):
            path = self._join(start, parts, name)
            cache.write_record(record, {"image": path.name})
        return path

    def link_behind(
        self,
        program: Program,
        objects: Sequence[Path],
        jumps: Mapping[str, str],
        name: str,
        sources: Mapping[Path, Path] = NO_SOURCES,
    ) -> Path:
        """Refuses: functions are replaced where they are compiled."""
        del program, objects, jumps, sources
        raise InputError(
            f"{name} cannot be linked: functions of a program that is built already are not "
            f"replaced for {self.device.name}",
            "give the program's sources",
        )

    def description(self, flags: Sequence[str]) -> dict[str, Any]:
        """The versions and flags that it takes to build the same image."""
        return tools.description(self.device, flags)

    def _require_sdcc(self) -> None:
        chosen = self._tools.compiler_name
        if Path(chosen).name != NAME:
            raise InputError(
                f"`{chosen}` does not compile for {self.device.name}",
                f"leave `compiler` out, or name `{NAME}`",
            )

    def _command(self, unit: Unit) -> list[str | Path]:
        headers = [word for folder in unit.include for word in ("-I", folder)]
        flags = [RENAMED, *(BOUNDED if unit.bounds else ()), *self._peripherals(unit.flags)]
        chosen = tools.code_options(self.device, (*unit.flags, *self._tools.flags))
        return [tools.sdcc(), *chosen, *flags, *headers, *_last_headers()]

    def _peripherals(self, flags: Sequence[str]) -> list[str]:
        """The options that define where programs reach the peripherals, in external data."""
        defined = (option.partition("=") for option in super()._peripherals(flags))
        return [f"{name}={int(value, 0) - names.EXTERNAL:#x}" for name, _, value in defined]

    def _object(self, unit: Unit, sandbox: Sandbox | None) -> Path:
        """The object file of a unit, which is made unless it is kept."""
        if unit.is_assembly:
            raise InputError(
                f"{unit.source} is assembly of GNU's, which SDCC does not read",
                "give a source in C, which may have assembly of SDCC's in it",
            )
        command, failure = self._command(unit), f"{unit.source} cannot be compiled"
        with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
            scratch = Path(folder).resolve()
            plain = tools.run([*command, "-E", unit.source], sandbox, scratch, failure)
            words = [FORMAT, tools.version(), *map(str, command), plain, *unit.bounds]
            record = cache.folder("objects") / f"{cache.digest(words)}.json"
            path = record.with_name(str(cache.read_record(record).get("object")))
            if not cache.is_kept(path):
                text = scratch / "unit.asm"
                tools.run([*command, "-S", unit.source, "-o", text], sandbox, scratch, failure)
                written = text.read_text(encoding="utf-8", errors="replace")
                changed = assembly.prepared(written, plain, unit.bounds, str(unit.source))
                text.write_text(changed, encoding="utf-8")
                made = tools.assemble(text, sandbox, failure)
                tools.without_folder(made)
                path = cache.keep(made, "objects")
                cache.write_record(record, {"object": path.name})
        return path

    def _join(self, start: str, parts: Sequence[str], name: str) -> Path:
        """The image of start-up code and object files."""
        with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
            scratch = Path(folder).resolve()
            begin, image = scratch / "start.asm", scratch / "image.ihx"
            begin.write_text(start, encoding="utf-8")
            inputs: list[str | Path] = [tools.assemble(begin, None, f"{name} cannot be linked")]
            for number, part in enumerate(parts):
                made = scratch / f"unit{number}.rel"
                made.write_text(part, encoding="utf-8")
                # The linker updates a listing beside each object file.
                made.with_suffix(".lst").touch()
                inputs.append(made)
            options = [*tools.memory_options(self.device), *inputs, "-o", image]
            tools.link(options, scratch, name, self.device)
            listing = image.with_suffix(".map").read_text(encoding="utf-8", errors="replace")
            program = scratch / "image.elf"
            sizes = {name: int(size, 16) for size, name in SIZES.findall(listing)}
            memory = image.with_suffix(".mem").read_text(encoding="utf-8", errors="replace")
            content, symbols = image.read_bytes(), names.symbols(listing)
            reserved = _reserved(tools.areas(listing), tools.taken(memory))
            program.write_bytes(names.of_program(content, symbols, sizes, reserved))
            return cache.keep(program, "images")


def _reserved(areas: Mapping[str, int], internal: int) -> list[tuple[int, int]]:
    """The bytes of external and of internal data that a program takes, and where they begin."""
    external = sum(areas.get(name, 0) for name in ("PSEG", "XSEG", "XISEG"))
    places = ((names.EXTERNAL, external), (names.INTERNAL, internal))
    return [(address, size) for address, size in places if size]


def _last_headers() -> list[str]:
    """The runtime's headers, behind SDCC's own."""
    return [f"-Wp-idirafter,{paths.runtime() / 'include'}"]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
