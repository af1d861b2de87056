"""Other secrets for what takes not any bytes: keys of RSA, and numbers below an order."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from cocrypt.primitives.script import Buffer

if TYPE_CHECKING:
    from cocrypt.primitives.script import Step

Given = Buffer | int | tuple[Buffer, int]
"""What a role of a call may be."""
USUAL = 65537
"""The public exponent of the keys in vectors."""
SWAPPED = (("p", "q"), ("dp", "dq"))


def other_bytes(content: bytes) -> bytes:
    """As many others, always the same."""
    return hashlib.shake_128(b"other" + content).digest(len(content))


def other_number(content: bytes) -> bytes:
    """Another number below the order of a curve, with 0 as its first byte."""
    return bytes(1) + other_bytes(content)[1:]


def other_rsa(step: Step) -> dict[str, Given]:
    """The same call with other secrets, which is not refused either.

    A private exponent grows by a period, primes change places, and what is encrypted is another
    text.
    """
    given = {role: one for role, one in step.arguments.items() if isinstance(one, Buffer)}
    made: dict[str, bytes] = {}
    if "p" in given:
        made = _swapped(given)
    if "d" in given:
        made["d"] = _grown(given["n"].content, given["d"].content)
    if step.operation.startswith("decrypt_pkcs1"):
        made["cipher"] = _encrypted(given)
    for role in ("random", "seed", "message"):
        if role in given and (step.operation.startswith("encrypt") or role == "random"):
            made[role] = bytes(one | 1 for one in other_bytes(given[role].content))
    return {**step.arguments, **{role: Buffer(one) for role, one in made.items()}}


def _number(one: Buffer) -> int:
    return int.from_bytes(one.content)


def _swapped(given: dict[str, Buffer]) -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    for pair in SWAPPED:
        if pair[0] in given:
            made |= {pair[0]: given[pair[1]].content, pair[1]: given[pair[0]].content}
    p, q = _number(given["p"]), _number(given["q"])
    half = given["p"].size
    made["qinv"] = pow(p, -1, q).to_bytes(half)
    if "blinding" in given and given["blinding"].content:
        content = given["blinding"].content
        parts = content[: 2 * half], content[2 * half :]
        made["blinding"] = b"".join(
            pow(int.from_bytes(one), 3, p * q).to_bytes(2 * half) for one in parts
        )
    return made


@cache
def _grown(modulus: bytes, exponent: bytes) -> bytes:
    """An exponent with the same effect: longer by what a power of that makes 1."""
    n, d = int.from_bytes(modulus), int.from_bytes(exponent)
    whole, room = USUAL * d - 1, 1 << 8 * len(exponent)
    for part in range(1, USUAL):
        period = whole // part
        if whole % part == 0 and d + period < room and pow(2, period, n) == 1:
            return (d + period).to_bytes(len(exponent))
    return bytes(one | 1 for one in other_bytes(exponent))


def _encrypted(given: dict[str, Buffer]) -> bytes:
    """What another text of the same length and padding becomes."""
    n, size = _number(given["n"]), given["cipher"].size
    block = pow(_number(given["cipher"]), _number(given["d"]), n).to_bytes(size)
    others = bytes(b and (a | 1) for a, b in zip(other_bytes(block), block, strict=True))
    text = int.from_bytes(block[:2] + others[2:])
    made = pow(text, USUAL, n)
    right = pow(made, _number(given["d"]), n) == text
    return made.to_bytes(size) if right else given["cipher"].content
