"""The paper's conclusions, as far as they are about primitives that have subroutines here."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cocrypt.primitives import library
from cocrypt.reproduce.matsui2013.best import best, least_ram
from cocrypt.reproduce.matsui2013.categories import BOTH, ONLY, Printed
from cocrypt.reproduce.paper import Finding
from cocrypt.subroutines.measuring import hash_cycles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.reproduce.matsui2013.experiment import Reproduction

AES, PRESENT = "aes128", "present80"
NAMED = {"camellia128": "Camellia", "clefia128": "CLEFIA"}
"""Block ciphers of which the paper names categories, and draws curves without their figures."""
LARGER = {"sha512": "SHA-512", "keccak512": "Keccak-512", "groestl512": "Grøstl-512"}
"""Hash functions that the paper leaves out where 256 bytes of RAM are all: Skein-512 alone is."""
CIPHERS = {AES: "AES", **NAMED, PRESENT: "PRESENT"}
"""All block ciphers of the paper."""
LONG = 1024
"""Bytes of a long message."""


def findings(result: Reproduction) -> tuple[Finding, ...]:
    """The conclusions with their verdicts."""
    return tuple(_findings(result))


def _findings(result: Reproduction) -> Iterator[Finding]:
    yield _fits(result, AES, 512, 128, "17", "AES encrypts with 512 bytes of ROM and 128 of RAM")
    yield _fits(
        result, AES, 512, 64, "17", "AES is no option with 512 bytes of ROM and 64 of RAM", no=True
    )
    yield _fits(
        result, PRESENT, 512, 64, "17", "PRESENT encrypts with 512 bytes of ROM and 64 of RAM"
    )
    yield _fits(result, AES, 1024, 64, "25", "AES encrypts with 1 KB of ROM and 64 bytes of RAM")
    claim = "AES with decryption is no option with 512 bytes of ROM"
    yield _fits(result, AES, 512, 128, "25", claim, no=True, decrypts=True)
    claim = "AES with decryption is no option with 1 KB of ROM and 64 bytes of RAM"
    yield _fits(result, AES, 1024, 64, "25", claim, no=True, decrypts=True)
    yield _faster(result)
    for rom in (1024, 2048):
        yield _overall(result, rom)
    yield _more_memory(result)
    yield _decryption(result)
    for primitive, name in NAMED.items():
        yield from _named(result, primitive, name)
    yield _faster_decryption(result)
    yield _speed_groups(result)

    yield _fits(
        result, "keccak256", 512, 512, "20", "Keccak-256 is an option with 512 bytes of ROM"
    )
    yield _fits(
        result, "sha256", 512, 512, "20", "SHA-256 is no option with 512 bytes of ROM", no=True
    )
    yield _fits(result, "skein256", 512, 256, "20", "Skein-256 is an option with 512 bytes of ROM")
    yield _fits(
        result,
        "groestl256",
        512,
        512,
        "20",
        "Grøstl-256 is no option with 512 bytes of ROM",
        no=True,
    )
    for slower in ("skein256", "groestl256", "keccak256"):
        yield _hashes_faster(result, "sha256", slower, 1024, "20")
    for faster, slower in pairwise(("sha256", "skein256", "groestl256", "keccak256")):
        yield _hashes_faster(result, faster, slower, 2048, "20")
    yield _fits(
        result, "keccak512", 512, 512, "21", "Keccak-512 is an option with 512 bytes of ROM"
    )
    yield _fits(
        result, "sha512", 512, 512, "21", "SHA-512 is no option with 512 bytes of ROM", no=True
    )
    yield _fits(result, "sha512", 1024, 512, "21", "SHA-512 is no option with 1 KB of ROM", no=True)
    yield _fits(
        result,
        "skein512",
        512,
        256,
        "21",
        "Skein-512 is an option with 512 bytes of ROM and 256 of RAM",
    )
    for primitive, name in LARGER.items():
        claim = f"{name} is no option with 256 bytes of RAM"
        yield _fits(result, primitive, 2048, 256, "21", claim, no=True)
    yield _fits(
        result,
        "groestl512",
        512,
        512,
        "21",
        "Grøstl-512 is no option with 512 bytes of ROM",
        no=True,
    )
    for slower in ("groestl512", "keccak512"):
        yield _hashes_faster(result, "sha512", slower, 2048, "21")
        yield _hashes_faster(result, "skein512", slower, 2048, "21")


def _named(result: Reproduction, primitive: str, name: str) -> Iterator[Finding]:
    """The categories in which the paper names a cipher, and those in which it is no option."""
    small = f"{name} is no option with 512 bytes of ROM"
    yield _fits(result, primitive, 512, 128, "17", small, no=True)
    for rom, ram in ((1024, 128), (2048, 64)):
        claim = f"{name} encrypts with {rom // 1024} KB of ROM and {ram} bytes of RAM"
        yield _fits(result, primitive, rom, ram, "17", claim)
    both = f"{name} with decryption is no option with 1 KB of ROM"
    yield _fits(result, primitive, 1024, 128, "18", both, no=True, decrypts=True)
    claim = f"{name} decrypts with 2 KB of ROM and 128 bytes of RAM"
    yield _fits(result, primitive, 2048, 128, "18", claim, decrypts=True)


def _hashes_faster(result: Reproduction, faster: str, slower: str, rom: int, slide: str) -> Finding:
    """One hash function takes fewer cycles for a byte of a long message than another."""
    claim = f"{faster} is faster than {slower} on long messages with {rom:,} bytes of ROM"
    found = [
        best(result.measured, Printed(name, "", "rom", rom, 512, "block", 0))
        for name in (faster, slower)
    ]
    if None in found:
        return Finding(f"slide {slide}", claim, False, "one of them has no subroutine that fits")
    first, second = (hash_cycles(one, LONG) / LONG for one in found if one)
    why = f"{first:.1f} cycles of a byte instead of {second:.1f} (message: {LONG:,} bytes)"
    return Finding(f"slide {slide}", claim, first < second, why)


def _fits(
    result: Reproduction,
    primitive: str,
    rom: int,
    ram: int,
    slide: str,
    claim: str,
    *,
    no: bool = False,
    decrypts: bool = False,
) -> Finding:
    """A conclusion on whether a primitive fits budgets; with `no`, that it does not.

    With `decrypts`, it is about subroutines that decrypt as well.

    Neither holds without one of ours that fits, unless parameters and call alone need more RAM.
    """
    fitting = [
        one
        for one in result.measured
        if one.subroutine.member == primitive
        and one.rom <= rom
        and one.ram <= ram
        and (not decrypts or "decrypt" in one.cycles)
    ]
    least = least_ram(primitive)
    if no and least > ram:
        why = f"message block, chaining value and return address take {least} bytes"
        return Finding(f"slide {slide}", claim, True, why)
    if not fitting:
        why = f"none of our subroutines fits {rom:,} bytes of ROM and {ram} of RAM"
        # What nobody wrote may still be possible, so `no` does not hold either.
        return Finding(f"slide {slide}", claim, False, f"{why}, which proves nothing")
    # Decryption or encryption of a cipher, or the slowest operation of a hash function.
    operation = "decrypt" if decrypts else "encrypt"
    cycles, fastest = min(
        ((one.cycles.get(operation, max(one.cycles.values())), one) for one in fitting),
        key=lambda pair: pair[0],
    )
    why = (
        f"{fastest.subroutine.name} has {fastest.rom:,} bytes of ROM and {fastest.ram} of RAM, and "
        f"takes {cycles:,} cycles{fastest.subroutine.with_banks}"
    )
    return Finding(f"slide {slide}", claim, not no, why)


def _faster(result: Reproduction) -> Finding:
    """AES takes fewer cycles for a byte than PRESENT, with the same memory."""
    found = [
        best(result.measured, Printed(name, ONLY, "rom", 1024, 64, "encrypt", 0))
        for name in (AES, PRESENT)
    ]
    claim = "AES is faster than PRESENT with 1 KB of ROM and 64 bytes of RAM"
    if None in found:
        return Finding("slide 17", claim, False, "one of them has no subroutine that fits")
    aes, present = (
        one.cycles["encrypt"] / size for one, size in zip(found, (16, 8), strict=True) if one
    )
    why = f"{aes:.1f} cycles of a byte instead of {present:.1f}"
    return Finding("slide 17", claim, aes < present, why)


def _costs(result: Reproduction, primitive: str, scope: str, rom: int) -> dict[str, float]:
    """The cycles of a byte of a cipher's fastest subroutine by operation, of many blocks.

    Without one that fits, there are none.
    """
    found = best(result.measured, Printed(primitive, scope, "rom", rom, 128, "encrypt", 0))
    if found is None:
        return {}
    ways = ("decrypt_last", "decrypt_again", "decrypt")
    back = next((way for way in ways if way in found.cycles), "decrypt")
    operations = ("encrypt", back) if scope == BOTH else ("encrypt",)
    size = library.named([primitive])[0].sizes["block"]
    return {operation: found.cycles[operation] / size for operation in operations}


def _overall(result: Reproduction, rom: int) -> Finding:
    """AES and Camellia are the two fastest ciphers."""
    claim = f"AES and Camellia encrypt fastest with {rom:,} bytes of ROM"
    found = {name: _costs(result, cipher, ONLY, rom) for cipher, name in CIPHERS.items()}
    if not all(found.values()):
        return Finding("slide 17", claim, False, "one of the ciphers has no subroutine that fits")
    costs = sorted((cost["encrypt"], name) for name, cost in found.items())
    why = "cycles of a byte: " + ", ".join(f"{name} {cost:.1f}" for cost, name in costs)
    return Finding("slide 17", claim, {name for _, name in costs[:2]} == {"AES", "Camellia"}, why)


def _speed_groups(result: Reproduction) -> Finding:
    """The two widest gaps between the ciphers' operations separate ciphers from one another."""
    claim = "The ciphers with decryption form three groups of speed with 2 KB of ROM"
    found = {name: _costs(result, cipher, BOTH, 2048) for cipher, name in CIPHERS.items()}
    if not all(found.values()):
        return Finding("slide 18", claim, False, "one of the ciphers has no subroutine that fits")
    costs = sorted((cost, name) for name, each in found.items() for cost in each.values())
    gaps = [upper / lower for (lower, _), (upper, _) in pairwise(costs)]
    first, second = sorted(sorted(range(len(gaps)), key=gaps.__getitem__)[-2:])
    groups = costs[: first + 1], costs[first + 1 : second + 1], costs[second + 1 :]
    names = [sorted({name for _, name in group}) for group in groups]
    why = "; ".join(
        f"{' and '.join(name)} {group[0][0]:.1f} to {group[-1][0]:.1f} cycles of a byte"
        for name, group in zip(names, groups, strict=True)
    )
    return Finding("slide 18", claim, sum(map(len, names)) == len(CIPHERS), why)


def _more_memory(result: Reproduction) -> Finding:
    """1 KB of ROM makes AES faster than 512 bytes, although RAM is halved."""
    small, large = (
        best(result.measured, Printed(AES, ONLY, "rom", rom, ram, "encrypt", 0))
        for rom, ram in ((512, 128), (1024, 64))
    )
    claim = "AES with 1 KB of ROM is faster than with 512 bytes, in half of the RAM"
    if small is None or large is None:
        return Finding("slide 25", claim, False, "a category has none of our subroutines")
    cycles = small.cycles["encrypt"], large.cycles["encrypt"]
    return Finding(
        "slide 25", claim, cycles[1] < cycles[0], f"{cycles[1]:,} cycles instead of {cycles[0]:,}"
    )


def _decryption(result: Reproduction) -> Finding:
    """Decryption of AES is slower than its encryption."""
    pairs = [
        (one.subroutine.name, one.cycles["decrypt_last"], one.cycles["encrypt"])
        for one in result.measured
        if one.subroutine.member == AES and "decrypt_last" in one.cycles
    ]
    why = "; ".join(f"{name}: {back:,} cycles instead of {to:,}" for name, back, to in pairs)
    claim = "AES takes longer to decrypt than to encrypt, even without key set-up"
    return Finding("slide 25", claim, bool(pairs) and all(b > t for _, b, t in pairs), why)


def _faster_decryption(result: Reproduction) -> Finding:
    """With 2 KB of ROM, a decryption by Camellia takes fewer cycles than one by AES."""
    found = [
        best(result.measured, Printed(name, BOTH, "rom", 2048, 128, "decrypt", 0))
        for name in ("camellia128", AES)
    ]
    claim = "Camellia decrypts faster than AES with 2 KB of ROM"
    if None in found:
        return Finding("slide 18", claim, False, "one of them has no subroutine that fits")
    camellia, aes = (one.cycles["decrypt"] for one in found if one)
    why = f"{camellia:,} cycles with key set-up instead of {aes:,}"
    return Finding("slide 18", claim, camellia < aes, why)
