"""The paper's conclusions of section 2, with their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.paper import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.reproduce.matsuoka2004.java.experiment import Reproduction

MOST_MS = 13.0
"""The longest run of a cipher or digest in table 2, rounded up: the paper's few milliseconds."""
LESS_KB = 552
"""The kilobytes that the paper's library adds to the machine, on Cygwin."""


def findings(result: Reproduction) -> tuple[Finding, ...]:
    """The conclusions that our figures decide."""
    if not result.library:
        return ()
    return (*_times(result), *_rsa(result), *_sizes(result))


def _times(result: Reproduction) -> Iterator[Finding]:
    times = {
        (each.algorithm.name, operation): result.ms(each.java.mean(direction))
        for each in result.measured
        if not each.algorithm.variant and each.algorithm.name != "RSA"
        for direction, operation in enumerate(each.operations)
    }
    name, operation = max(times, key=times.__getitem__)
    longest = times[name, operation]
    why = f"the longest takes {longest:.2f} ms: {name}, {operation}"
    claim = "Ciphers with secret keys and digests run in a few milliseconds"
    yield Finding("5", claim, longest <= MOST_MS, why)
    forward, back = times["AES", "encrypt"], times["AES", "decrypt"]
    why = f"{back:.2f} ms instead of {forward:.2f}, as decryption transforms the round keys"
    yield Finding("2.2.2", "AES takes longer to decrypt than to encrypt", back > forward, why)


def _rsa(result: Reproduction) -> Iterator[Finding]:
    measured = next(each for each in result.measured if each.algorithm.name == "RSA")
    forward, back = (result.ms(measured.java.mean(direction)) for direction in (0, 1))
    paper = result.published["sa1110_ms"]["RSA"]
    printed = paper["decrypt"] / paper["encrypt"]
    why = (
        f"{back / forward:.1f} times as long, and {printed:.1f} times in the paper; our public "
        "exponent has 17 bits, and the private key has its primes"
    )
    yield Finding("2.2.2", "RSA takes much longer to decrypt", back > 2 * forward, why)
    others = [
        result.ms(each.java.mean(direction))
        for each in result.measured
        if each.algorithm.name != "RSA"
        for direction in range(len(each.operations))
    ]
    low, high = forward / max(others), back / min(others)
    why = f"{low:,.0f} to {high:,.0f} times as slow as the others"
    claim = "RSA is two to three orders of magnitude slower than ciphers and digests"
    yield Finding("2.2.2", claim, back / max(others) >= 100, why)


def _sizes(result: Reproduction) -> Iterator[Finding]:
    sizes = {each.name: each.rom / 1000 for each in result.footprints}
    added = sizes["bouncy_castle"] - sizes["original"]
    claim = f"Bouncy Castle adds {LESS_KB} kB to the machine's image"
    why = f"{added:.1f} kB: methods that no program reaches are left out"
    yield Finding("2.1", claim, added >= LESS_KB / 2, why)
    claim = "The footprint shrinks if only what an application needs is selected"
    least = min((each for each in result.measured), key=lambda each: each.java.rom)
    why = (
        f"the image of {least.algorithm.title} has {least.java.rom / 1000:.1f} kB, that of all "
        f"algorithms {sizes['bouncy_castle']:.1f}"
    )
    yield Finding("2.2.2", claim, least.java.rom / 1000 < sizes["bouncy_castle"], why)
