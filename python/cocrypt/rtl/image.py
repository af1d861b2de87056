"""Programs as the RTL memory takes them: one block of bytes from address 0.

Source: System V ABI, chapter 4 and 5 (ELF header, program header), and the RISC-V ELF psABI.
"""

from __future__ import annotations

import struct

from cocrypt.errors import InputError

ELF32 = struct.Struct("<16sHHIIIIIHHHHHH")
PROGRAM_HEADER = struct.Struct("<8I")
LOADABLE = 1
IDENT = b"\x7fELF\x01\x01\x01"
EXECUTABLE = 2
RISC_V = 243


def flat_image(elf: bytes) -> bytes:
    """Lay out the loaded segments of a 32-bit RISC-V ELF file from address 0.

    Raises InputError if it is not such a file or does not start at address 0, where the core does.
    """
    if len(elf) < ELF32.size or not elf.startswith(IDENT):
        raise InputError("this is not a little-endian 32-bit ELF file")
    header = ELF32.unpack_from(elf)
    kind, machine, entry, offset, size, count = (header[i] for i in (1, 2, 4, 5, 9, 10))
    if (kind, machine) != (EXECUTABLE, RISC_V) or size != PROGRAM_HEADER.size:
        raise InputError("this is not a RISC-V program")
    if entry != 0:
        raise InputError(f"the program starts at {entry:#010x}, but the RTL core does at 0")
    image = bytearray()
    for index in range(count):
        _place(image, elf, offset + index * size)
    return bytes(image)


def _place(image: bytearray, elf: bytes, header: int) -> None:
    if header + PROGRAM_HEADER.size > len(elf):
        raise InputError("the ELF file is cut off in its program headers")
    kind, offset, _, address, file_size, size, _, _ = PROGRAM_HEADER.unpack_from(elf, header)
    if kind != LOADABLE or size == 0:
        return
    if offset + file_size > len(elf):
        raise InputError("the ELF file is cut off in a segment")
    image.extend(bytes(max(0, address + file_size - len(image))))
    image[address : address + file_size] = elf[offset : offset + file_size]


def elf_image(image: bytes) -> bytes:
    """Wrap bytes in a minimal RISC-V ELF program that loads them at address 0 and starts there."""
    headers = ELF32.size + PROGRAM_HEADER.size
    ident = IDENT.ljust(16, b"\0")
    file = (ident, EXECUTABLE, RISC_V, 1, 0, ELF32.size, 0, 1)
    sizes = (ELF32.size, PROGRAM_HEADER.size, 1, 0, 0, 0)
    segment = (LOADABLE, headers, 0, 0, len(image), len(image), 7, 4)
    return ELF32.pack(*file, *sizes) + PROGRAM_HEADER.pack(*segment) + image
