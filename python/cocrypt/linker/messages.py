"""Messages of LLD and the GNU linker: symbols missing or defined twice, memories too small."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.linker import missing, room

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device

# LLD's `reportUndefinedSymbol`, `reportDuplicate` and `checkMemoryRegions`; what the GNU linker
# says of the same.
UNDEFINED = re.compile(r"error: undefined symbol: (.+)|undefined reference to `([^']+)'")
DUPLICATE = re.compile(r"error: duplicate symbol: (.+)((?:\n>>> .*)*)")
SYMBOL_OF_SCRIPT = re.compile(r"error: .*symbol not found: (\S+)")
OVERFLOW = re.compile(
    r"(?:will not fit in region '([^']+)': |region `([^']+)' )"
    r"overflowed by (?:(\d+) bytes|\w+ data)"
)
BEYOND = re.compile(r"section `[^']+' is not within region `([^']+)'")
"""The GNU linker's message about a section that begins behind its region."""
MIRROR = "mirror"
"""The region of a linker script for constants that are read through a mirror area."""
DUPLICATE_OF_GNU = re.compile(
    r"([^\s:]+):[^\n]*multiple definition of `([^']+)'; "
    r"([^\s:]+):[^\n]*first defined here"
)
# The second line of a definition, with the object; the first has the source if debug information
# says it.
DEFINED_IN = re.compile(r">>>\s+(\S.*?):\([^)]*\)")


@dataclass(frozen=True)
class Linked:
    """A link: object files by their units' sources, and the path of the map that the linker writes.

    `symbols` says that the linker script is the project's own, which must define them.
    """

    device: Device
    objects: Sequence[Path]
    sources: Mapping[Path, Path]
    map: Path
    own_script: Path | None = None

    def named(self, text: str) -> str:
        """The text with sources in the place of object files."""
        for path, source in self.sources.items():
            text = text.replace(str(path), str(source))
        return text


def require_linked(output: str, failure: str, linked: Linked) -> None:
    """Raises `InputError` with the output of a linker that failed, and with what to do.

    Raises `DoesNotFitError` if a memory is too small.
    """
    message = f"{failure}:\n{linked.named(output).rstrip()}"
    lacking = _lacking(output)
    if lacking:
        raise _too_small(message, lacking, linked)
    hints = [*_undefined(output, linked), *_duplicate(linked.named(output))]
    if hints:
        raise InputError(message, "\n  help: ".join(hints))


def _lacking(output: str) -> dict[str, int]:
    """Bytes that memories lack, 0 where that is not known.

    LLD states for each section what all sections up to it lack.
    """
    lacking: dict[str, int] = {}
    for memory, memory_of_gnu, excess in OVERFLOW.findall(output):
        name = memory or memory_of_gnu
        lacking[name] = max(int(excess or 0), lacking.get(name, 0))
    for name in BEYOND.findall(output):
        lacking.setdefault(name, 0)
    return lacking


def _too_small(message: str, lacking: Mapping[str, int], linked: Linked) -> DoesNotFitError:
    parts = [
        f"{excess:,} bytes of {name} too much" if excess else f"{name} is too small"
        for name, excess in lacking.items()
    ]
    text = linked.map.read_text(encoding="utf-8", errors="replace") if linked.map.exists() else ""
    hints = [
        _of_mirror(linked.device)
        if MIRROR in lacking
        else "take a device with more memory, or make smaller what takes the most"
    ]
    for name in lacking:
        most = room.largest(linked.named(text), name, linked.device)
        if most:
            hints.append(f"the most of {name} is taken by {', '.join(map(str, most))}")
    return DoesNotFitError(message, "\n  help: ".join(hints), ", ".join(parts))


def _of_mirror(device: Device) -> str:
    """Advice where constants do not fit into the flash memory that a mirror area shows."""
    flash = device.flash
    alias = flash.alias if flash else None
    if flash is None or alias is None:
        return f"{device.name} has no such area: take another linker script"
    first = flash.base + alias["from"]
    return (
        f"constants are read through the mirror area, which shows {first:#x} to "
        f"{first + alias['size'] - 1:#x} of flash memory, and lie behind the code there: make code "
        "or constants smaller"
    )


def _undefined(output: str, linked: Linked) -> list[str]:
    prefix = linked.device.target.instructions.prefix
    found = (name or name_of_gnu for name, name_of_gnu in UNDEFINED.findall(output))
    undefined = [name.removeprefix(prefix) for name in found]
    names = [*undefined, *SYMBOL_OF_SCRIPT.findall(output)]
    inputs = missing.Inputs(linked.objects, linked.sources, linked.own_script)
    return [missing.hint(name, inputs) for name in dict.fromkeys(names)]


def _duplicate(output: str) -> list[str]:
    """Hints that name the two files which define a symbol, and what to do about it."""
    hints = []
    pairs = [(name, DEFINED_IN.findall(lines)) for name, lines in DUPLICATE.findall(output)]
    pairs += [(name, [first, again]) for again, name, first in DUPLICATE_OF_GNU.findall(output)]
    for name, named in pairs:
        files = list(dict.fromkeys(named))
        if files:
            hints.append(
                f"`{name}` is defined in {' and in '.join(files)}: make one of them static, rename "
                "it, or leave a file out (`exclude` of [sources])"
            )
    return hints
