"""From C and assembly to an ELF image: `zig cc` and LLD, with every result kept by its content."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import boundary, house
from cocrypt.compiler import ZIG, compiler, lld_version, run_tool, zig, zig_version
from cocrypt.errors import InputError
from cocrypt.patching import patched
from cocrypt.target import PERIPHERALS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.compiler import Compiler
    from cocrypt.patching import Program
    from cocrypt.study import Device

# Debug information of code that is left out must not claim address 0, where other code may lie.
NOWHERE = [
    word
    for section in (".debug_info", ".debug_line", ".debug_aranges")
    for word in ("-z", f"dead-reloc-in-nonalloc={section}=0xffffffff")
]
LINK_FLAGS = ("--gc-sections", "-z", "max-page-size=4", *NOWHERE)
# A compiler process takes one core; more at once would only take memory.
AT_ONCE = 2


@dataclass(frozen=True)
class Unit:
    """One source file to compile, with its header folders and the study's flags.

    `bounds` are functions that may be replaced in it, see `boundary`; `extensions` are those of the
    instruction set that it uses beside the device's.
    """

    source: Path
    flags: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()
    bounds: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toolchain:
    """A compiler and a linker for one device; `compiler` is zig, or the name of another."""

    device: Device
    compiler: str = ZIG

    def compile(self, units: Sequence[Unit]) -> dict[Unit, Path]:
        """Compiles each unit once and returns its object file; raises `InputError` on bad C."""
        distinct = list(dict.fromkeys(units))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(distinct, pool.map(self._compile, distinct), strict=True))

    def link(self, objects: Sequence[Path], name: str, bindings: Sequence[str] = ()) -> Path:
        """Links object files, start-up code among them, to an image; `name` is for messages.

        `bindings` are the linker's options that say which functions are replaced.
        """
        script = self._script()
        flags = (*self._link_flags(), *bindings)
        key = _digest([zig_version(), *flags, *map(_content, [script, *objects])])
        image = _folder("images") / f"{key}.elf"
        if not image.exists():
            command: list[str | Path] = [zig(), "ld.lld", "-T", script, *flags, *objects, "-o"]
            _make(command, image, f"{name} cannot be linked")
        return image

    def link_behind(
        self, program: Program, objects: Sequence[Path], jumps: Mapping[str, str], name: str
    ) -> Path:
        """Links object files behind a program and leads some of its functions to them."""
        script = self.folder / "addition.ld"
        helpers = self.compile(self.runtime(())[1:])
        flags = (*LINK_FLAGS, *self._places_behind(program))
        keep = [word for target in jumps.values() for word in ("-u", target)]
        key = _digest(
            [zig_version(), *flags, *keep, *map(_content, [script, *objects, program.path])]
        )
        image = _folder("images") / f"{key}.elf"
        if not image.exists():
            with tempfile.TemporaryDirectory() as scratch:
                # What the program has itself is not brought along.
                lazy: list[str | Path] = ["--start-lib", *helpers.values(), "--end-lib"]
                command: list[str | Path] = [zig(), "ld.lld", "-T", script, *flags, *keep]
                command += [*objects, *lazy, f"--just-symbols={program.path}", "-o"]
                addition = Path(scratch) / "addition.elf"
                _make(command, addition, f"{name} cannot be linked")
                made = patched(program, addition.read_bytes(), jumps, self.device.target)
            image.write_bytes(made)
        return image

    def _places_behind(self, program: Program) -> list[str]:
        """Where what is added to a program goes: behind it, in flash and in RAM alike."""
        flash, ram = self.device.flash, self.device.ram
        if flash is None:
            return [f"--defsym=_addition={program.end():#x}"]
        code, data = (program.end((one["base"], one["size"])) for one in (flash, ram))
        return [f"--defsym=_addition={code:#x}", f"--defsym=_addition_data={data:#x}"]

    def runtime(self, flags: tuple[str, ...]) -> list[Unit]:
        """Start-up code, and behind it the small libc and the compilers' helpers."""
        libc = sorted((house.runtime() / "libc").glob("*.c"))
        helpers = sorted((self.folder / "helpers").glob("*.[cS]"))
        return [Unit(source, flags) for source in (self.folder / "crt0.S", *libc, *helpers)]

    @property
    def folder(self) -> Path:
        """Where the runtime has what is for the device's instruction set alone."""
        return house.runtime() / self.device.target.instructions.folder

    def description(self, flags: Sequence[str]) -> dict[str, Any]:
        """What somebody needs to know to build the same image."""
        return {
            "compiler": self._chosen.version,
            "linker": lld_version(),
            "target": " ".join(self._target()),
            "flags": [*flags, *self._chosen.flags(self.device.target), *self._peripherals(flags)],
            "link_flags": list(self._link_flags()),
        }

    def _compile(self, unit: Unit) -> Path:
        command = self._command(unit)
        words = [self._chosen.version, *map(str, command), *unit.bounds, _content(unit.source)]
        stem = _folder("objects") / _digest(words)
        target, record = stem.with_suffix(".o"), stem.with_suffix(".json")
        if not _is_current(target, record):
            with tempfile.TemporaryDirectory() as scratch:
                listing = Path(scratch) / "unit.d"
                depend: list[str | Path] = ["-MD", "-MF", listing]
                plain = Path(scratch) / "plain.o" if unit.bounds else target
                failure = f"{unit.source} cannot be compiled"
                _make([*command, *depend, "-c", unit.source, "-o"], plain, failure)
                if unit.bounds:
                    self._make_bounded(unit, command, target, Path(scratch))
                _record(listing, record)
        return target

    def _make_bounded(
        self, unit: Unit, command: list[str | Path], target: Path, scratch: Path
    ) -> None:
        """Compiles by way of assembly, in which calls lead to what may replace a function."""
        failure = f"{unit.source} cannot be compiled with boundaries"
        chosen = self._chosen
        assembly, kept, changed = (scratch / name for name in ("unit.s", "kept.c", "changed.s"))
        if unit.source.suffix == ".c":
            look: list[str | Path] = [*command, *chosen.first_look(unit.bounds), "-S"]
            look += [unit.source, "-o"]
            _make(look, assembly, failure)
            inside = boundary.defined(assembly.read_text(encoding="utf-8"), unit.bounds)
            if inside or chosen.bounding(unit.bounds) != chosen.first_look(unit.bounds):
                kept.write_text(chosen.keeping(unit.source, inside), encoding="utf-8")
                bounded = [*command, *chosen.bounding(unit.bounds), "-S", kept, "-o"]
                _make(bounded, assembly, failure)
        else:
            _make([*command, "-E", unit.source, "-o"], assembly, failure)
        text = assembly.read_text(encoding="utf-8")
        comment = self.device.target.instructions.comment
        changed.write_text(boundary.bounded(text, unit.bounds, comment), encoding="utf-8")
        assemble: list[str | Path] = [*chosen.command, *self._target(unit), "-c", changed, "-o"]
        _make(assemble, target, failure)

    def _command(self, unit: Unit) -> list[str | Path]:
        chosen = self._chosen
        include = [*unit.include, house.runtime() / "include"]
        headers = [word for folder in include for word in ("-I", folder)]
        # zig leaves assertions out of what it optimises; who wants that says so.
        own = ["-UNDEBUG", *unit.flags, *chosen.flags(self.device.target)]
        own += self._peripherals(unit.flags)
        return [*chosen.command, *self._target(unit), *own, *headers]

    def _peripherals(self, flags: Sequence[str]) -> list[str]:
        """Says where the peripherals are, unless they are where programs look for them anyway."""
        name, base = "-DCOCRYPT_PERIPHERALS=", self.device.peripherals
        is_said = base == PERIPHERALS or any(one.startswith(name) for one in flags)
        return [] if is_said else [f"{name}{base:#x}"]

    def _script(self) -> Path:
        """The linker script: of one memory, or of flash and RAM."""
        if self.device.target.cpu is None:
            return self.folder / "link.ld"
        return self.folder / ("flash.ld" if self.device.flash else "ram.ld")

    def _link_flags(self) -> tuple[str, ...]:
        """The device's memories decide where data and stack are."""
        size = f"--defsym=_ram_size={self.device.ram_size}"
        if self.device.target.cpu is None:
            return (*LINK_FLAGS, size)
        places = [size, f"--defsym=_ram_base={self.device.ram['base']:#x}"]
        flash = self.device.flash
        if flash is not None:
            places += [f"--defsym=_flash_{key}={flash[key]:#x}" for key in ("base", "size")]
        return (*LINK_FLAGS, *places)

    @property
    def _chosen(self) -> Compiler:
        return compiler(self.compiler, self.device.target.instructions)

    def _target(self, unit: Unit | None = None) -> tuple[str, ...]:
        """The instruction set of the device's core, with what a unit uses beside it."""
        target = self.device.target
        further = unit.extensions if unit else ()
        return self._chosen.target(replace(target, extensions=(*target.extensions, *further)))


def _make(command: Sequence[str | Path], target: Path, failure: str) -> None:
    """Runs a command that ends with `-o`; the target appears complete or not at all."""
    handle, partial = tempfile.mkstemp(dir=target.parent, suffix=target.suffix)
    os.close(handle)
    try:
        done = run_tool([*command, partial])
        if done.returncode != 0:
            raise InputError(f"{failure}:\n{done.stderr.rstrip()}")
        Path(partial).replace(target)
    finally:
        Path(partial).unlink(missing_ok=True)


def _is_current(target: Path, record: Path) -> bool:
    """Whether the object was made from the files as they are now."""
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    files = ((Path(path), digest) for path, digest in known.items())
    return target.exists() and all(one.exists() and _content(one) == was for one, was in files)


def _record(listing: Path, record: Path) -> None:
    """Keeps what the compiler read, with its content's hash."""
    text = listing.read_text(encoding="utf-8").replace("\\\n", " ").split(": ", 1)[1]
    # A blank in a path is escaped by a backslash.
    names = text.replace("\\ ", "\0").split()
    read = {name.replace("\0", " "): _content(Path(name.replace("\0", " "))) for name in names}
    record.write_text(json.dumps(read), encoding="utf-8")


def _content(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _digest(words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def _folder(name: str) -> Path:
    folder = house.cache().resolve() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
