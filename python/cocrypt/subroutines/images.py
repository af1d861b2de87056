"""Images of subroutines: assembled from their sources, and recorded beside them.

A recorded image has the hash of its sources and of the tools' arguments, so that no assembler is
needed to run it.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import cache
from cocrypt.crosstools import kept
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from cocrypt.subroutines.catalogue import Subroutine

ORIGIN = 0x2000
"""The first address of images: the mirror area shows tables from here on at the same 16 bits."""
RECORD = "images.toml"
DIGITS = 96
"""Hexadecimal digits in a line of a record."""
AS = ("-mg13",)
LD = (f"-Ttext={ORIGIN:#x}", "-e", f"{ORIGIN:#x}", "--defsym=__rl78_abs__=0")
OBJCOPY = ("-O", "binary", "-j", ".text")
# A semicolon begins a comment. A label may stand in front of a directive.
_INCLUDE = re.compile(r'^[^;\n]*?\.include\s+"([^"]+)"', re.MULTILINE | re.IGNORECASE)
_INCBIN = re.compile(r"^[^;\n]*?\.incbin\b", re.MULTILINE | re.IGNORECASE)


def tool(name: str) -> Path | None:
    """The path of a GNU tool for RL78, from the PATH or built by cocrypt; None without it."""
    found = kept.which(f"rl78-elf-{name}")
    return Path(found) if found else None


def sources(subroutine: Subroutine) -> tuple[Path, ...]:
    """The source of a subroutine, and the files that it includes.

    Raises `InputError` for `.incbin`: images are recorded by the hash of texts alone.
    """
    found = [subroutine.folder / subroutine.source]
    for path in found:
        text = path.read_text("utf-8")
        if _INCBIN.search(text):
            raise InputError(f"{path} has .incbin", "write the bytes by .byte in a file to include")
        names = _INCLUDE.findall(text)
        found += [path.parent / name for name in names if path.parent / name not in found]
    return tuple(found)


def source_hash(subroutine: Subroutine) -> str:
    """The hash of what makes an image: the tools' arguments with its origin, and the sources."""
    arguments = (" ".join(words) for words in (AS, LD, OBJCOPY))
    return cache.digest([*arguments, *(path.read_bytes() for path in sources(subroutine))])


def code(subroutine: Subroutine) -> bytes:
    """The recorded image of a subroutine, or one assembled now if its hash has changed.

    Raises `HostError` if it has and there is no assembler.
    """
    record = read_record(subroutine)
    if record.get("sources") == source_hash(subroutine):
        return bytes.fromhex(record["code"])
    return assembled(subroutine)


def read_record(subroutine: Subroutine) -> dict[str, str]:
    """The recorded `code` in hexadecimal and hash of its `sources`; empty if there is none."""
    path = subroutine.folder / RECORD
    tables = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    record: dict[str, str] = tables.get(subroutine.name, {})
    return record


def assembled(subroutine: Subroutine) -> bytes:
    """The image of a subroutine as the GNU tools make it.

    Raises `HostError` without these tools, `InputError` if they refuse the source.
    """
    with tempfile.TemporaryDirectory() as folder:
        objects, program, image = (Path(folder) / name for name in ("a.o", "a.elf", "a.bin"))
        source = subroutine.folder / subroutine.source
        _run("as", *AS, "-I", subroutine.folder, "-o", objects, source)
        _run("ld", *LD, "-o", program, objects)
        _run("objcopy", *OBJCOPY, program, image)
        return image.read_bytes()


def recorded(subroutine: Subroutine) -> str:
    """The table of a record for a subroutine, assembled now."""
    digits = assembled(subroutine).hex()
    lines = "\n".join(digits[at : at + DIGITS] for at in range(0, len(digits), DIGITS))
    header = f'[{subroutine.name}]\nsources = "{source_hash(subroutine)}"\n'
    return f'{header}code = """\n{lines}\n"""\n'


def _run(name: str, *arguments: str | Path) -> None:
    path = tool(name)
    if path is None:
        raise HostError(
            f"there is no rl78-elf-{name}, and a source has changed since its image was recorded",
            "build one: `cocrypt toolchain rl78-elf --only binutils`, or put it on the PATH",
        )
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(f"rl78-elf-{name} refuses the source:\n{done.stderr.rstrip()}")
