"""Other secrets where not any bytes will do: keys of RSA, and numbers below an order."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from cocrypt.primitives.script import Buffer

if TYPE_CHECKING:
    from cocrypt.primitives.script import Step

Given = Buffer | int | tuple[Buffer, int]
"""The value of a role in a call."""
USUAL = 65537
"""The public exponent of the keys in vectors."""
SWAPPED = (("p", "q"), ("dp", "dq"))


def other_bytes(content: bytes) -> bytes:
    """As many other bytes, always the same."""
    return hashlib.shake_128(b"other" + content).digest(len(content))


def other_number(content: bytes) -> bytes:
    """Another number below the order of a curve, with 0 as its first byte."""
    return bytes(1) + other_bytes(content)[1:]


def other_rsa(step: Step) -> dict[str, Given]:
    """The same call with other secrets, which is not refused either.

    A private exponent grows by a period, primes are swapped, and another text is encrypted.
    """
    given = {
        role: argument for role, argument in step.arguments.items() if isinstance(argument, Buffer)
    }
    secrets: dict[str, bytes] = {}
    if "p" in given:
        secrets = _swapped(given)
    if "d" in given:
        secrets["d"] = _grown(given["n"].content, given["d"].content)
    if step.operation.startswith("decrypt_pkcs1"):
        secrets["cipher"] = _encrypted(given)
    for role in ("random", "seed", "message"):
        if role in given and (step.operation.startswith("encrypt") or role == "random"):
            secrets[role] = bytes(byte | 1 for byte in other_bytes(given[role].content))
    return {**step.arguments, **{role: Buffer(content) for role, content in secrets.items()}}


def _number(buffer: Buffer) -> int:
    return int.from_bytes(buffer.content)


def _swapped(given: dict[str, Buffer]) -> dict[str, bytes]:
    swapped: dict[str, bytes] = {}
    for pair in SWAPPED:
        if pair[0] in given:
            swapped |= {pair[0]: given[pair[1]].content, pair[1]: given[pair[0]].content}
    p, q = _number(given["p"]), _number(given["q"])
    half = given["p"].size
    swapped["qinv"] = pow(p, -1, q).to_bytes(half)
    if "blinding" in given and given["blinding"].content:
        content = given["blinding"].content
        parts = content[: 2 * half], content[2 * half :]
        swapped["blinding"] = b"".join(
            pow(int.from_bytes(part), 3, p * q).to_bytes(2 * half) for part in parts
        )
    return swapped


@cache
def _grown(modulus: bytes, exponent: bytes) -> bytes:
    """An exponent with the same effect: larger by a period of the powers modulo n."""
    n, d = int.from_bytes(modulus), int.from_bytes(exponent)
    whole, room = USUAL * d - 1, 1 << 8 * len(exponent)
    for part in range(1, USUAL):
        period = whole // part
        if whole % part == 0 and d + period < room and pow(2, period, n) == 1:
            return (d + period).to_bytes(len(exponent))
    return bytes(byte | 1 for byte in other_bytes(exponent))


def _encrypted(given: dict[str, Buffer]) -> bytes:
    """The cipher of another text of the same length and padding."""
    n, size = _number(given["n"]), given["cipher"].size
    block = pow(_number(given["cipher"]), _number(given["d"]), n).to_bytes(size)
    others = bytes(b and (a | 1) for a, b in zip(other_bytes(block), block, strict=True))
    text = int.from_bytes(block[:2] + others[2:])
    cipher = pow(text, USUAL, n)
    right = pow(cipher, _number(given["d"]), n) == text
    return cipher.to_bytes(size) if right else given["cipher"].content
