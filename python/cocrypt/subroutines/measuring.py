"""Measurements of subroutines: sizes, vectors, and cycles of random blocks."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt.primitives.vectors import unhex
from cocrypt.subroutines.catalogue import Cipher, Hash
from cocrypt.subroutines.ciphers import CipherCaller
from cocrypt.subroutines.hashes import HashCaller
from cocrypt.subroutines.paddings import PADDINGS
from cocrypt.subroutines.secrecy import secret_timing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.device import Device
    from cocrypt.subroutines.calling import Caller

BLOCKS = 16
"""Random blocks of each operation: the time of a multiplication in a field depends on the data."""
SLOW = 1_000_000
"""A hash function with more cycles of a block is measured with the official vectors alone."""


@dataclass(frozen=True)
class Measured:
    """A subroutine's figures; `cycles` has the most, `mean` the mean of a block by operation.

    Sizes are bytes; `ram` is the parameter block and the stack. `wrong` names vectors and random
    blocks whose result is not as expected. `constant_time` says of each operation that no
    instruction's time depends on key and text, or on message and chaining value.
    """

    subroutine: Cipher | Hash
    rom: int
    ram: int
    stack: int
    cycles: dict[str, int]
    mean: dict[str, float]
    wrong: tuple[str, ...]
    constant_time: dict[str, bool] = field(default_factory=dict)


def measure(subroutine: Cipher | Hash, device: Device | None = None) -> Measured:
    """Measures a subroutine with the official vectors and with random inputs.

    Without a device it is the one on which subroutines are called.
    """
    if isinstance(subroutine, Cipher):
        cipher = CipherCaller(subroutine, device)
        return _measured(subroutine, cipher, *_crypt(cipher))
    function = HashCaller(subroutine, device)
    return _measured(subroutine, function, *_hash(function))


def caller_of(subroutine: Cipher | Hash, device: Device | None = None) -> CipherCaller | HashCaller:
    """A device on which a subroutine is called, by default the usual one."""
    if isinstance(subroutine, Cipher):
        return CipherCaller(subroutine, device)
    return HashCaller(subroutine, device)


def _measured(
    subroutine: Cipher | Hash, caller: Caller, cycles: Mapping[str, list[int]], wrong: list[str]
) -> Measured:
    return Measured(
        subroutine,
        caller.rom,
        caller.ram,
        caller.stack,
        {name: max(values) for name, values in cycles.items()},
        {name: sum(values) / len(values) for name, values in cycles.items()},
        tuple(wrong),
        {name: not secret_timing(caller, name) for name in cycles},
    )


def _crypt(caller: CipherCaller) -> tuple[dict[str, list[int]], list[str]]:
    """Cycles of a block cipher by operation, and what is wrong."""
    subroutine = caller.cipher
    vectors = subroutine.vectors()["encrypt"]
    cases = [(unhex(vector, "key"), unhex(vector, "text")) for vector in vectors]
    results = [unhex(vector, "result") for vector in vectors]
    generator = random.Random(1)
    key_bytes, text_bytes = (len(part) for part in cases[0])
    cases += [
        (generator.randbytes(key_bytes), generator.randbytes(text_bytes)) for _ in range(BLOCKS)
    ]
    cycles: dict[str, list[int]] = {name: [] for name in subroutine.operations}
    wrong: list[str] = []
    for number, (key, text) in enumerate(cases):
        result, call = caller.crypt("encrypt", key, text)
        cycles["encrypt"].append(call.cycles)
        if number < len(results) and result != results[number]:
            wrong.append(f"{subroutine.title} vector {number + 1}")
        for name in list(cycles)[1:]:
            last = _last_key(subroutine, call.block, len(key)) if name == "decrypt_last" else key
            back, call_back = caller.crypt(name, last, result)
            cycles[name].append(call_back.cycles)
            if back != text:
                wrong.append(f"{subroutine.title} {name} of block {number + 1}")
    return cycles, wrong


def _hash(caller: HashCaller) -> tuple[dict[str, list[int]], list[str]]:
    """Cycles of a hash function by operation, and what is wrong."""
    subroutine = caller.function
    cycles: dict[str, list[int]] = {name: [] for name in subroutine.operations}

    def digest(message: bytes) -> bytes:
        result, calls = caller.digest(message)
        for operation, call in calls:
            cycles[operation].append(call.cycles)
        return result

    wrong = [
        f"{subroutine.title} vector {number + 1}"
        for number, (message, expected) in enumerate(subroutine.answers())
        if digest(message) != expected
    ]
    # Each pair has a block for every operation: three blocks, and one alone.
    pairs = BLOCKS // 4
    if max(count for counts in cycles.values() for count in counts) > SLOW:
        pairs = 0 if all(cycles.values()) else 1
    generator = random.Random(1)
    for size in (2 * caller.padding.block + 1, 1) * pairs:
        digest(generator.randbytes(size))
    return cycles, wrong


def hash_cycles(measured: Measured, length: int) -> float:
    """Mean cycles of all blocks of a message of a length, with its padding."""
    function = measured.subroutine
    assert isinstance(function, Hash), function.title
    padding = PADDINGS[function.member]
    blocks = len(padding.pad(bytes(length))) // padding.block
    return sum(measured.mean[function.operation(place, blocks)] for place in range(blocks))


def _last_key(subroutine: Cipher, block: bytes, size: int) -> bytes:
    """The last round key, which an encryption leaves in its parameter block."""
    place = subroutine.last_key
    assert place is not None, subroutine.title
    return block[place : place + size]
