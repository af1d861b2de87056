"""Programs in the form of the RTL memory: a block of bytes from address 0."""

from __future__ import annotations

from cocrypt import _native
from cocrypt.errors import InputError


def flat_image(elf: bytes) -> bytes:
    """Lay out the loaded segments of an ELF file from address 0.

    Raises `DiagnosticError` if it is none, `InputError` if it is not linked, or does not start at
    address 0 as the core does.
    """
    info = _native.image_info(elf, "the program")
    if info["relocatable"]:
        raise InputError("the program is an object file, which is not linked yet")
    if info["entry"] != 0:
        raise InputError(f"the program starts at {info['entry']:#010x}, but the RTL core does at 0")
    image = bytearray()
    for address, content in _native.image_segments(elf, "the program"):
        image.extend(bytes(max(0, address + len(content) - len(image))))
        image[address : address + len(content)] = content
    return bytes(image)
