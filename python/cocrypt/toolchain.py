"""Builds ELF images from C and assembly; every result is kept by content.

The compiler and the linker are zig's, or GCC and GNU's where LLVM lacks the instruction set.
"""

from __future__ import annotations

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cocrypt import boundary, cache, paths
from cocrypt.build_tools import BuildTools
from cocrypt.compiler import compiler, run_tool
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.gnu import assembler, tool
from cocrypt.linker import Linked, require_linked
from cocrypt.linker.needed import EVERYTHING, function_names, is_needed, references
from cocrypt.linker.tool import defined, linker, spelled
from cocrypt.objects import Objects, content, digest, listed
from cocrypt.patching import patched
from cocrypt.target import COPROCESSOR, PERIPHERALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cocrypt.compiler import Compiler
    from cocrypt.device import Device
    from cocrypt.device.parts import Memory
    from cocrypt.linker.tool import LinkTool
    from cocrypt.patching import Program
    from cocrypt.target import InstructionSet, Target
    from cocrypt.trust import Project, Sandbox

# Of the small libc: what compilers call for products, quotients, shifts and counts of bits.
HELPERS = ("bits.c", "divide32.c", "divide64.c")
# A compiler process takes one core; more at once would only take memory.
AT_ONCE = 2
# The beginning of the symbols that say where data in flash memory is read.
MIRROR = "_mirror_"
INCLUDED = re.compile(r'\.inc(?:lude|bin)\s+"([^"\n]+)"')
NO_SOURCES: Mapping[Path, Path] = MappingProxyType({})
NO_OBJECTS: Mapping[Any, Path] = MappingProxyType({})
NAME = re.compile(r"[\w.$*]+")
# Flags of a unit that is hosted, behind those of all units.
HOSTED = ("-fhosted", "-fno-builtin")
OFFSET = re.compile(r"error: value evaluated as (\d+) is out of range")
"""An offset in a section that clang's assembler for AVR cannot write into 16 bits."""
MISSING = re.compile(r"not found|no such file|could not (find|open)", re.IGNORECASE)


@dataclass(frozen=True)
class Unit:
    """One source file to compile, with its header folders and the study's flags.

    `bounds` are functions that may be replaced in it, see `boundary`, and `replacing` is one that
    its assembly defines in another's place; `extensions` are those of the instruction set that it
    uses beside the device's. No function may have more than `frame` bytes of variables. A hosted
    unit is a whole program's: its `main` returns 0 at its end (ISO/IEC 9899:2011, 5.1.2.2.3), while
    its calls of the library stay calls.
    """

    source: Path
    flags: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()
    bounds: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    replacing: str | None = None
    is_hosted: bool = False
    frame: int | None = None

    @property
    def is_assembly(self) -> bool:
        """True if the unit is assembly, and no C."""
        return self.source.suffix in {".S", ".s"}

    @property
    def is_rewritten(self) -> bool:
        """True if the unit's assembly is changed before it is assembled."""
        return bool(self.bounds) or self.replacing is not None

    def rewritten(self, assembly: str, instructions: InstructionSet) -> str:
        """The unit's assembly as it is to be assembled."""
        if self.bounds:
            assembly = boundary.bounded(assembly, self.bounds, instructions)
        if self.replacing is not None:
            assembly = boundary.replacing(assembly, self.replacing, instructions)
        return assembly


def sources_of(objects: Mapping[Unit, Path]) -> dict[Path, Path]:
    """The sources of object files, by which messages name them."""
    return {path: unit.source for unit, path in objects.items()}


@dataclass(frozen=True)
class Toolchain:
    """A compiler and a linker for one device.

    `compiler` is what the user names, else the device's file and the project's `tools` decide.
    """

    device: Device
    compiler: str | None = None
    project: Project | None = None
    tools: BuildTools | None = None

    def compile(self, units: Sequence[Unit]) -> dict[Unit, Path]:
        """Compiles each unit once and returns its object file.

        Raises `InputError` on bad C, and for what only a trusted project may have done.
        """
        self._require_start_up_code()
        distinct = list(dict.fromkeys(units))
        sandbox = self._sandbox(distinct)
        kept = {unit: self._objects(unit) for unit in distinct}
        found = ((unit, objects.find()) for unit, objects in kept.items())
        objects = {unit: path for unit, path in found if path is not None}
        missing = [unit for unit in distinct if unit not in objects]
        if missing:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                made = pool.map(lambda unit: self._compile(unit, kept[unit], sandbox), missing)
                objects.update(zip(missing, made, strict=True))
        return {unit: objects[unit] for unit in distinct}

    def compile_needed(
        self,
        units: Sequence[Unit],
        bindings: Sequence[str] = (),
        compiled: Mapping[Unit, Path] = NO_OBJECTS,
    ) -> dict[Unit, Path]:
        """Compiles the units of one program; returns their object files in the order of units.

        Files of the runtime are left out if neither these object files nor the linker's options,
        which are `bindings`, name a function of theirs. `compiled` has units that are compiled
        already. Raises what `compile` raises.
        """
        # A linker script may name any of them, and GCC's library calls some.
        keeps_all = self._tools.script is not None or self.device.target.instructions.libgcc
        names = EVERYTHING if keeps_all else frozenset(NAME.findall(" ".join(bindings)))
        distinct, objects = dict.fromkeys(units), dict(compiled)
        found: Mapping[Unit, Path] = {unit: objects[unit] for unit in distinct if unit in objects}
        while True:
            names |= self._references(found.values())
            needed = [unit for unit in distinct if is_needed(unit.source, names)]
            missing = [unit for unit in needed if unit not in objects]
            if not missing:
                return {unit: objects[unit] for unit in needed}
            found = self.compile(missing)
            objects |= found

    def _references(self, objects: Iterable[Path]) -> frozenset[str]:
        """The names that object files refer to, as C has them."""
        prefix = self.device.target.instructions.prefix
        names = (name for path in objects for name in references(path))
        return frozenset(name.removeprefix(prefix) for name in names)

    def functions(self, objects: Sequence[Path]) -> frozenset[str]:
        """The functions that these object files define."""
        return function_names(objects)

    def link(
        self,
        objects: Sequence[Path],
        name: str,
        bindings: Sequence[str] = (),
        sources: Mapping[Path, Path] = NO_SOURCES,
    ) -> Path:
        """Links object files, start-up code among them, to an image; `name` is for messages.

        `bindings` are the linker's options that say which functions are replaced, and `sources`
        the sources by which messages name object files.
        """
        instructions = self.device.target.instructions
        own, flags = self._tools.script, (*self._link_flags(), *spelled(bindings, instructions))
        script = own or self._script()
        inputs = [*objects, *self.libraries()]
        files = [*(self._tools.script_files() or [script]), *inputs]
        key = digest([self._linker.version, *flags, *map(content, files)])
        # The files that a project's script names stand beside it.
        folders = [f"-L{own.parent}"] if own else []

        def make(job: _Job) -> Path:
            linked = self._linked(job, objects, sources)
            command = [*self._linker.command, "-T", script, *folders, *flags, *inputs]
            command += [f"-Map={linked.map}", "-o"]
            return job.run(command, "image.elf", f"{name} cannot be linked", linked)

        return self._image(key, make)

    def link_behind(
        self,
        program: Program,
        objects: Sequence[Path],
        jumps: Mapping[str, str],
        name: str,
        sources: Mapping[Path, Path] = NO_SOURCES,
    ) -> Path:
        """Links object files behind a program and leads some of its functions to them."""
        script = self.folder / "addition.ld"
        helpers = self.compile_needed(self.runtime(())[1:], sorted(self._references(objects)))
        libraries = self.libraries()
        flags = (*self._common_flags(), *self._places_behind(program))
        kept = [word for target in jumps.values() for word in ("-u", target)]
        keep = spelled(kept, self.device.target.instructions)
        files = [script, *objects, *libraries, program.path]
        key = digest([self._linker.version, *flags, *keep, *map(content, files)])

        def make(job: _Job) -> Path:
            # Helpers that the program has itself are not linked.
            lazy = self._members(job, list(helpers.values()))
            # GNU's linker takes symbols as defined in a script that stand before it.
            command = [*self._linker.command, *flags, "-T", script, *keep]
            command += [*objects, *lazy, f"--just-symbols={program.path}", *libraries]
            linked = self._linked(job, objects, sources)
            command += [f"-Map={linked.map}", "-o"]
            failure = f"{name} cannot be linked"
            addition = job.run(command, "addition.elf", failure, linked).read_bytes()
            image = job.scratch / "image.elf"
            image.write_bytes(patched(program, addition, jumps, self.device))
            return image

        return self._image(key, make)

    def _members(self, job: _Job, objects: Sequence[Path]) -> Sequence[str | Path]:
        """Object files as the linker takes them only if something needs them."""
        if self._linker.is_lazy:
            return self._linker.members(objects)
        archiver = tool(self.device.target.instructions, "ar")
        library = job.scratch / "helpers.a"
        job.require([archiver.path, "rcs", library, *objects], "helpers cannot be collected")
        return [library]

    def _linked(self, job: _Job, objects: Sequence[Path], sources: Mapping[Path, Path]) -> Linked:
        """The files by which errors of the linker are explained."""
        map_file = job.scratch / "image.map"
        return Linked(self.device, objects, sources, map_file, self._tools.script)

    def _image(self, key: str, make: Callable[[_Job], Path]) -> Path:
        """The image of a key, which is made unless it is kept and whole."""
        record = cache.folder("images") / f"{key}.json"
        path = record.with_name(str(cache.read_record(record).get("image")))
        if not cache.is_kept(path):
            with _job(self._sandbox(), [path.parent for path in self.libraries()]) as job:
                path = cache.keep(make(job), "images")
            cache.write_record(record, {"image": path.name})
        return path

    def _sandbox(self, units: Sequence[Unit] = ()) -> Sandbox | None:
        """The sandbox of tools that do for the project what these units ask for; None for none."""
        flags = dict.fromkeys(unit.flags for unit in units)
        files = dict.fromkeys(path for unit in units for path in (unit.source, *unit.include))
        return self._tools.sandbox(self.project, flags, files)

    def _require_start_up_code(self) -> None:
        """Refuses instruction sets that nothing is compiled for here."""
        instructions = self.device.target.instructions
        if not instructions.is_compiled:
            raise InputError(
                f"programs are not compiled for {instructions.name}, as of {self.device.name}",
                "link the program with other tools: `cocrypt run` and `cocrypt profile` take it",
            )

    def _places_behind(self, program: Program) -> list[str]:
        """The linker's options that place an addition behind a program, in flash and in RAM."""
        flash, ram, instructions = (
            self.device.flash,
            self.device.ram,
            self.device.target.instructions,
        )
        if flash is None:
            return defined({"_addition": program.end()}, instructions)
        code, data = (program.end((memory.base, memory.size)) for memory in (flash, ram))
        return defined({"_addition": code, "_addition_data": data}, instructions)

    def runtime(self, flags: tuple[str, ...]) -> list[Unit]:
        """Start-up code, and behind it the small libc and the compilers' helpers.

        Where GCC brings its helpers, it calls them by conventions of their own. Raises `InputError`
        where there is no start-up code for the device's instruction set.
        """
        self._require_start_up_code()
        has_libgcc = self.device.target.instructions.libgcc
        brings = has_libgcc and self._chosen.kind == "gcc"
        # Where that library is linked, double precision is single precision.
        floats = ("single.c",) if has_libgcc else ("single.c", "double.c")
        libc = sorted((paths.runtime() / "libc").glob("*.c"))
        libc = [source for source in libc if not (brings and source.name in HELPERS)]
        helpers = sorted((self.folder / "helpers").glob("*.[cS]"))
        helpers += [paths.runtime() / "float" / name for name in floats]
        return [Unit(source, flags) for source in (self.folder / "crt0.S", *libc, *helpers)]

    @property
    def folder(self) -> Path:
        """The runtime's folder for the device's instruction set."""
        return paths.runtime() / self.device.target.instructions.folder

    def description(self, flags: Sequence[str]) -> dict[str, Any]:
        """The versions and flags that it takes to build the same image."""
        tools, script = self._tools, self._tools.script
        return {
            "compiler": self._chosen.version,
            **({"assembler": self._assembler} if tools.assembler == "gnu" else {}),
            **({"script": f"{script.name} {content(script)}"} if script else {}),
            "linker": self._linker.version,
            "target": " ".join(self._target()),
            "flags": self._flags(flags),
            "link_flags": list(self._link_flags()),
        }

    def _objects(self, unit: Unit) -> Objects:
        """The object files that were made of the unit's source with its options."""
        command, folders = self._options(unit), _header_folders(unit)
        words = [self._chosen.version, *map(str, command), *unit.bounds]
        words += [f"replacing {unit.replacing}"] if unit.replacing else []
        words += [self._assembler] if self._is_for_gnu(unit) else []
        if unit.is_assembly or unit.is_rewritten:
            return Objects.of([*words, *_headers(unit)], unit.source, ())
        return Objects.of(words, unit.source, folders)

    def _compile(self, unit: Unit, kept: Objects, sandbox: Sandbox | None) -> Path:
        # A unit before this one, or another process, may have made it meanwhile.
        made = kept.find()
        if made is not None:
            return made
        with _job(sandbox) as job:
            make = self._assemble if self._is_for_gnu(unit) else self._make
            return kept.keep(*make(unit, self._command(unit), job))

    def _make(
        self, unit: Unit, command: list[str | Path], job: _Job
    ) -> tuple[Path, dict[str, str]]:
        """The object file of a unit, and the files that the compiler read."""
        listing = job.scratch / "unit.d"
        depend: list[str | Path] = ["-MD", "-MF", listing]
        failure = f"{unit.source} cannot be compiled"
        object_file = job.run([*command, *depend, "-c", unit.source, "-o"], "unit.o", failure)
        read = _included(unit) if unit.source.suffix == ".s" else {}
        if listing.is_file():
            read |= listed(listing)
        elif unit.source.suffix != ".s":
            # zig 0.17 ends so, without a message, where a file that `#embed` names is missing.
            raise InputError(f"{failure}: something that it embeds is not found", job.advice)
        if unit.is_rewritten:
            object_file = self._make_bounded(unit, command, job)
        return object_file, read

    def _is_for_gnu(self, unit: Unit) -> bool:
        """Returns whether GNU's assembler reads a unit; the compiler assembles the runtime."""
        # Without LLVM the compiler's own assembler is GNU's.
        is_same = not self.device.target.instructions.llvm
        is_ours = unit.source.is_relative_to(paths.runtime())
        return self._tools.assembler == "gnu" and unit.is_assembly and not (is_ours or is_same)

    def _assemble(
        self, unit: Unit, command: list[str | Path], job: _Job
    ) -> tuple[Path, dict[str, str]]:
        """The object file of assembly that GNU's assembler reads behind the preprocessor."""
        failure = f"{unit.source} cannot be assembled"
        text, read, listing = unit.source, dict[str, str](), job.scratch / "unit.d"
        if unit.source.suffix == ".S":
            depend: list[str | Path] = ["-MD", "-MF", listing]
            text = job.run([*command, *depend, "-E", unit.source, "-o"], "unit.s", failure)
            read = listed(listing)
        if unit.is_rewritten:
            plain = text.read_text(encoding="utf-8")
            text = job.scratch / "changed.s"
            instructions = self.device.target.instructions
            text.write_text(unit.rewritten(plain, instructions), encoding="utf-8")
        gnu, flags = assembler(self.device.target.instructions), self._flags(unit.flags)
        assemble = [*gnu.command(self._extended(unit), flags, unit.include, listing), text, "-o"]
        object_file = job.run(assemble, "unit.o", failure)
        further = {path: kept for path, kept in listed(listing).items() if Path(path) != text}
        return object_file, read | further

    def _make_bounded(self, unit: Unit, command: list[str | Path], job: _Job) -> Path:
        """Compiles by way of assembly, in which calls lead to the replacements of functions."""
        failure = f"{unit.source} cannot be compiled with boundaries"
        chosen = self._chosen
        source, changed = (job.scratch / name for name in ("kept.c", "changed.s"))
        if not unit.is_assembly:
            discover: list[str | Path] = [*command, *chosen.discovering(unit.bounds), "-S"]
            discover += [unit.source, "-o"]
            assembly = job.run(discover, "unit.s", failure)
            text = assembly.read_text(encoding="utf-8")
            inside = boundary.defined(text, unit.bounds, self.device.target.instructions)
            if inside or chosen.bounding(unit.bounds) != chosen.discovering(unit.bounds):
                source.write_text(chosen.keeping(unit.source, inside), encoding="utf-8")
                bounded = [*command, *chosen.bounding(unit.bounds), "-S", source, "-o"]
                assembly = job.run(bounded, "unit.s", failure)
        elif unit.source.suffix == ".S":
            assembly = job.run([*command, "-E", unit.source, "-o"], "unit.s", failure)
        else:
            assembly = unit.source
        text = assembly.read_text(encoding="utf-8")
        instructions = self.device.target.instructions
        changed.write_text(unit.rewritten(text, instructions), encoding="utf-8")
        assemble: list[str | Path] = [*chosen.command, *self._target(unit), "-c", changed, "-o"]
        return job.run(assemble, "bounded.o", failure)

    def _command(self, unit: Unit) -> list[str | Path]:
        return [*self._options(unit), *_headers(unit)]

    def _options(self, unit: Unit) -> list[str]:
        """The compiler with a unit's options, but for the folders of headers."""
        chosen = self._chosen
        # zig leaves assertions out of optimised code; a study that wants that defines NDEBUG.
        own = ["-UNDEBUG", *self._flags(unit.flags)]
        own += HOSTED if unit.is_hosted else ()
        own += () if unit.frame is None else chosen.limiting(unit.frame)
        return [*chosen.command, *self._target(unit), *own]

    def _flags(self, own: Sequence[str]) -> list[str]:
        """A unit's flags, with those of all units."""
        given = [*own, *self._tools.flags]
        chosen = self._chosen.flags(self.device.target)
        return [*given, *chosen, *self._peripherals(given)]

    def _peripherals(self, flags: Sequence[str]) -> list[str]:
        """The options that define addresses of peripherals other than the usual ones."""
        base = self.device.peripherals_base
        addresses = {"COCRYPT_PERIPHERALS": (base, PERIPHERALS)}
        if self.device.windows:
            window = self.device.windows[0].base
            addresses["COCRYPT_COPROCESSOR"] = (window, base + COPROCESSOR)
        return [
            f"-D{name}={address:#x}"
            for name, (address, expected) in addresses.items()
            if address != expected and not any(flag.startswith(f"-D{name}=") for flag in flags)
        ]

    def _script(self) -> Path:
        """The linker script: of one memory, or of flash and RAM."""
        if not self.device.target.instructions.places_memories:
            return self.folder / "link.ld"
        return self.folder / ("flash.ld" if self.device.flash else "ram.ld")

    def _link_flags(self) -> tuple[str, ...]:
        """The linker's options; the device's memories decide where data and stack are."""
        device = self.device
        instructions, ram, flash = device.target.instructions, device.ram, device.flash
        places = {"_ram_size": ram.size}
        if instructions.places_memories:
            places["_ram_base"] = ram.base
        if instructions.places_memories and flash is not None:
            places |= {"_flash_base": flash.base, "_flash_size": flash.size}
            # Only scripts that ask for it get it: all options are part of what an image is made of.
            script = self._tools.script or self._script()
            places |= _mirror(flash) if MIRROR.encode() in paths.read_bytes(script) else {}
        return (*self._common_flags(), *defined(places, instructions))

    def _common_flags(self) -> tuple[str, ...]:
        """The linker's options for all images."""
        return self._linker.flags

    @cached_property
    def _linker(self) -> LinkTool:
        """The linker for the device's instruction set."""
        return linker(self.device.target.instructions)

    def libraries(self) -> list[Path]:
        """The library of GCC, where compilers leave products and quotients to it."""
        target = self.device.target
        if not target.instructions.libgcc:
            return []
        self._sandbox()
        gcc = compiler(target.instructions.gcc, target.instructions)
        command = [*gcc.command, *gcc.target(target), "-print-libgcc-file-name"]
        return [Path(run_tool(command).stdout.strip())]

    @cached_property
    def _tools(self) -> BuildTools:
        tools = self.tools or BuildTools(self.device)
        return replace(tools, compiler=self.compiler or tools.compiler)

    @cached_property
    def _chosen(self) -> Compiler:
        # Even the version of a compiler is found by running it.
        self._sandbox()
        return compiler(self._tools.compiler_name, self.device.target.instructions)

    @cached_property
    def _assembler(self) -> str:
        """The version of GNU's assembler."""
        return assembler(self.device.target.instructions).version

    def _extended(self, unit: Unit | None = None) -> Target:
        """The target of the device's core, with the extensions that a unit uses beside it."""
        target = self.device.target
        further = unit.extensions if unit else ()
        return replace(target, extensions=(*target.extensions, *further))

    def _target(self, unit: Unit | None = None) -> tuple[str, ...]:
        """The extended target in the compiler's words."""
        return self._chosen.target(self._extended(unit))


@dataclass(frozen=True)
class _Job:
    """A scratch folder in which tools run, in a sandbox if there is one."""

    scratch: Path
    sandbox: Sandbox | None

    def run(
        self,
        command: Sequence[str | Path],
        name: str,
        failure: str,
        linked: Linked | None = None,
    ) -> Path:
        """Runs a command that ends with `-o`; returns the file that it writes in `scratch`.

        `linked` are the files that a linker was given.
        """
        target = self.scratch / name
        process = run_tool([*command, target], self.sandbox, self.scratch)
        if process.returncode != 0:
            if linked is not None:
                require_linked(process.stderr, failure, linked)
            if any(int(offset) >= 1 << 16 for offset in OFFSET.findall(process.stderr)):
                raise DoesNotFitError(
                    f"{failure}: a function is larger than 64 KiB, beyond which jumps and debug "
                    "information do not reach",
                    "divide the file, or compile it at -Os",
                    "more than 64 KiB of code in a file",
                )
            help_text = self.advice if MISSING.search(process.stderr) else None
            raise InputError(f"{failure}:\n{process.stderr.rstrip()}", help_text)
        if not target.is_file():
            raise InputError(f"{failure}: with these options it is not written")
        return target

    def require(self, command: Sequence[str | Path], failure: str) -> None:
        """Runs a command; raises `InputError` if it fails."""
        process = run_tool(command, self.sandbox, self.scratch)
        if process.returncode != 0:
            raise InputError(f"{failure}:\n{process.stderr.rstrip()}")

    @property
    def advice(self) -> str | None:
        """Help for a missing file, which the sandbox may not show."""
        if self.sandbox is None:
            return None
        folder = self.sandbox.readable[0]
        return f"of this project {folder} alone is shown to compilers, unless it is trusted"


def _mirror(flash: Memory) -> dict[str, int]:
    """Symbols that say at which addresses data in flash memory is read, if others."""
    alias = flash.alias
    if alias is None:
        return {}
    values = {**alias, "from": flash.base + alias["from"]}
    return {f"{MIRROR}{name}": value for name, value in values.items()}


@contextmanager
def _job(sandbox: Sandbox | None, further: Sequence[Path] = ()) -> Iterator[_Job]:
    """A scratch folder; in a sandbox tools can read `further` folders."""
    if sandbox is not None:
        # The linker reads objects.
        readable = (*sandbox.readable, cache.folder("objects"), *further)
        sandbox = replace(sandbox, readable=readable)
    with tempfile.TemporaryDirectory(prefix="cocrypt-") as scratch:
        yield _Job(Path(scratch).resolve(), sandbox)


def _header_folders(unit: Unit) -> list[Path]:
    """The folders that are searched for a unit's headers."""
    return [*unit.include, paths.runtime() / "include"]


def _headers(unit: Unit) -> list[str]:
    """The options that name them."""
    return [word for folder in _header_folders(unit) for word in ("-I", str(folder))]


def _included(unit: Unit) -> dict[str, str]:
    """The files that assembly without a preprocessor includes, which no compiler lists."""
    text = paths.read_bytes(unit.source).decode("utf-8", "replace")
    folders = (Path.cwd(), *unit.include)
    candidates = (folder / name for name in INCLUDED.findall(text) for folder in folders)
    return {str(path): content(path) for path in candidates if path.is_file()}
