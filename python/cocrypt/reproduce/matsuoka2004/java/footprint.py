"""Table 1: class files, and the images with them on the SA-1110."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.java.program import library_path
from cocrypt.reproduce.matsuoka2004.java.measured import ALL, LEAST, build, sizes

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.device import Device

CRYPTO = "org/bouncycastle/crypto/"


@dataclass(frozen=True)
class Footprint:
    """Class files with their compressed bytes, and ROM and RAM of an image."""

    name: str
    class_files: int
    class_bytes: int
    rom: int
    ram: int


def footprints(library: Path | None, device: Device) -> tuple[Footprint, ...]:
    """The machine with its own classes, and with those of the library if there is one."""
    own = _classes(library_path(), "")
    least = Footprint("original", *own, *sizes(build(LEAST, None, device), device))
    if library is None:
        return (least,)
    count, size = _classes(library, CRYPTO)
    image = sizes(build(ALL, library, device), device)
    return least, Footprint("bouncy_castle", own[0] + count, own[1] + size, *image)


def _classes(jar: Path, start: str) -> tuple[int, int]:
    """The number of class files of a jar below a folder, and their compressed bytes."""
    with zipfile.ZipFile(jar) as archive:
        found = [
            each
            for each in archive.infolist()
            if each.filename.startswith(start) and each.filename.endswith(".class")
        ]
    return len(found), sum(each.compress_size for each in found)
