"""A minimal ELF file around code.

Source: System V ABI, chapters 4 and 5 (ELF header, program header), and the RISC-V ELF psABI.
"""

from __future__ import annotations

import struct

HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
PROGRAM_HEADER = struct.Struct("<8I")
EXECUTABLE, LOADABLE, RISC_V = 2, 1, 243


def elf_image(image: bytes) -> bytes:
    """Wrap bytes in a minimal RISC-V ELF program that loads them at address 0 and starts there."""
    headers = HEADER.size + PROGRAM_HEADER.size
    ident = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    file = (ident, EXECUTABLE, RISC_V, 1, 0, HEADER.size, 0, 1)
    sizes = (HEADER.size, PROGRAM_HEADER.size, 1, 0, 0, 0)
    segment = (LOADABLE, headers, 0, 0, len(image), len(image), 7, 4)
    return HEADER.pack(*file, *sizes) + PROGRAM_HEADER.pack(*segment) + image
