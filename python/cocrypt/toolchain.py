"""From C and assembly to an ELF image: `zig cc` and LLD, with every result kept by its content."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import boundary, house
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.study import Device

# What every unit is compiled with, beside the study's own flags. Frame pointer and sanitizer are
# zig's defaults, which a bare device has no use for.
FLAGS = (
    "-fomit-frame-pointer",
    "-fno-sanitize=undefined",
    "-ffreestanding",
    "-nostdlib",
    "-ffunction-sections",
    "-fdata-sections",
)
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

    `bounds` are functions that may be replaced in it, see `boundary`.
    """

    source: Path
    flags: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toolchain:
    """A compiler and a linker for one device."""

    device: Device

    def compile(self, units: Sequence[Unit]) -> dict[Unit, Path]:
        """Compiles each unit once and returns its object file; raises `InputError` on bad C."""
        distinct = list(dict.fromkeys(units))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(distinct, pool.map(self._compile, distinct), strict=True))

    def link(self, objects: Sequence[Path], name: str, bindings: Sequence[str] = ()) -> Path:
        """Links object files, start-up code among them, to an image; `name` is for messages.

        `bindings` are the linker's options that say which functions are replaced.
        """
        script = house.runtime() / "riscv32" / "link.ld"
        flags = (*self._link_flags(), *bindings)
        key = _digest([zig_version(), *flags, *map(_content, [script, *objects])])
        image = _folder("images") / f"{key}.elf"
        if not image.exists():
            command: list[str | Path] = [zig(), "ld.lld", "-T", script, *flags, *objects, "-o"]
            _make(command, image, f"{name} cannot be linked")
        return image

    def runtime(self, flags: tuple[str, ...]) -> list[Unit]:
        """Start-up code and the small libc."""
        folder = house.runtime()
        libc = sorted((folder / "libc").glob("*.c"))
        sources = [folder / "riscv32" / "crt0.S", *libc]
        return [Unit(source, flags) for source in sources]

    def description(self, flags: Sequence[str]) -> dict[str, Any]:
        """What somebody needs to know to build the same image."""
        return {
            "compiler": f"zig {zig_version()} (clang), ziglang {version('ziglang')}",
            "linker": lld_version(),
            "target": " ".join(self._target()),
            "flags": [*flags, *FLAGS],
            "link_flags": list(self._link_flags()),
        }

    def _compile(self, unit: Unit) -> Path:
        command = self._command(unit)
        words = [zig_version(), *map(str, command), *unit.bounds, _content(unit.source)]
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
        assembly, kept, changed = (scratch / name for name in ("unit.s", "kept.c", "changed.s"))
        if unit.source.suffix == ".c":
            command = [*command, *boundary.out_of_line(unit.bounds), "-S"]
            _make([*command, unit.source, "-o"], assembly, failure)
            inside = boundary.defined(assembly.read_text(encoding="utf-8"), unit.bounds)
            if inside:
                kept.write_text(boundary.keeping(unit.source, inside), encoding="utf-8")
                _make([*command, kept, "-o"], assembly, failure)
        else:
            _make([*command, "-E", unit.source, "-o"], assembly, failure)
        text = assembly.read_text(encoding="utf-8")
        changed.write_text(boundary.bounded(text, unit.bounds), encoding="utf-8")
        assemble: list[str | Path] = [zig(), "cc", *self._target(), "-c", changed, "-o"]
        _make(assemble, target, failure)

    def _command(self, unit: Unit) -> list[str | Path]:
        include = [*unit.include, house.runtime() / "include"]
        headers = [word for folder in include for word in ("-I", folder)]
        # zig leaves assertions out of what it optimises; who wants that says so.
        return [zig(), "cc", *self._target(), "-UNDEBUG", *unit.flags, *FLAGS, *headers]

    def _link_flags(self) -> tuple[str, ...]:
        """The device's memory decides where the stack begins."""
        return (*LINK_FLAGS, f"--defsym=_ram_size={self.device.ram_size}")

    def _target(self) -> tuple[str, ...]:
        """The instruction set of the device's core. The compiler wants M before C."""
        # No compiler has heard of a core's own instructions, which begin with an x.
        known = (one for one in self.device.extensions if not one.startswith("x"))
        letters = "".join(f"+{one}" for one in sorted(known, key="mc".find))
        return ("-target", "riscv32-freestanding", f"-mcpu=generic_rv32{letters}+relax")


@cache
def zig() -> Path:
    """The zig program of the Python package `ziglang`."""
    found = importlib.util.find_spec("ziglang")
    folder = Path(found.origin).parent if found and found.origin else None
    program = shutil.which("zig", path=folder) if folder else None
    if program is None:
        raise HostError(
            "the C cross-compiler is missing", "install it: python -m pip install ziglang"
        )
    return Path(program)


@cache
def zig_version() -> str:
    """What `zig version` says."""
    return _run([zig(), "version"]).stdout.strip()


@cache
def lld_version() -> str:
    """What `ld.lld --version` says."""
    return _run([zig(), "ld.lld", "--version"]).stdout.strip()


def _make(command: Sequence[str | Path], target: Path, failure: str) -> None:
    """Runs a command that ends with `-o`; the target appears complete or not at all."""
    handle, partial = tempfile.mkstemp(dir=target.parent, suffix=target.suffix)
    os.close(handle)
    try:
        done = _run([*command, partial])
        if done.returncode != 0:
            raise InputError(f"{failure}:\n{done.stderr.rstrip()}")
        Path(partial).replace(target)
    finally:
        Path(partial).unlink(missing_ok=True)


def _run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    caches = {
        "ZIG_GLOBAL_CACHE_DIR": str(_folder("zig")),
        "ZIG_LOCAL_CACHE_DIR": str(_folder("zig")),
    }
    words = [str(word) for word in command]
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **caches}
    )


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
