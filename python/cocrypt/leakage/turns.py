"""Models whose parts are guessed in turn: the prediction of a part needs those before it.

A sum of a secret and a known word is such a model. The lowest byte of it depends on the lowest
bytes alone, each further one also on the carry of those below.

Source: R. McEvoy, M. Tunstall, C. Murphy and W. Marnane, "Differential Power Analysis of HMAC Based
on SHA-2, and Countermeasures", WISA 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.leakage import statistics
from cocrypt.leakage.ciphers import BYTES, HAMMING
from cocrypt.leakage.hashes import OUTER_PAD, SHA256, SHA512, sha1_sum
from cocrypt.leakage.ladders import SECP160R1, Ladder
from cocrypt.leakage.selections import Selection, computed, element

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet


@dataclass(frozen=True)
class Turns:
    """A model whose parts are guessed in turn.

    `parts` are those of a key that is not known. `select` makes the selection of the part behind
    those that are given, by a column of the set, for the weight or one bit; `true_parts` computes
    the right guesses from a key.
    """

    title: str
    column: str
    parts: int
    select: Callable[[TraceSet, str, int | None, Sequence[int]], Selection]
    true_parts: Callable[[bytes], list[int]]


@dataclass(frozen=True)
class Sum:
    """The sum of a secret word and the column's first word, whose highest byte is first.

    A part is a byte, the lowest first; `secret` computes the word from a key.
    """

    size: int
    secret: Callable[[bytes], int]

    def select(
        self, traces: TraceSet, column: str, bit: int | None, lower: Sequence[int]
    ) -> Selection:
        """The next byte. A class is the known byte, and the carry into it."""
        part = len(lower)
        known = [element(traces, column, self.size - 1 - index) for index in range(part + 1)]
        carry: NDArray[np.uint16] = np.zeros(len(traces), np.uint16)
        for byte, guess in zip(known, lower, strict=False):
            carry = ((byte.astype(np.uint16) + guess + carry) >> 8).astype(np.uint16)
        added = np.concatenate([np.arange(BYTES), np.arange(BYTES) + 1])
        sums = (np.arange(BYTES)[:, np.newaxis] + added).astype(np.uint8)
        values: NDArray[np.float64] = (
            HAMMING[sums] if bit is None else (sums >> bit & 1).astype(float)
        )
        return computed(f"byte {part}", known[part] + BYTES * carry, values)

    def true_parts(self, key: bytes) -> list[int]:
        """The bytes of the secret word."""
        return list(self.secret(key).to_bytes(self.size, "little"))


def _sum(title: str, size: int, secret: Callable[[bytes], int], column: str = "message") -> Turns:
    model = Sum(size, secret)
    return Turns(title, column, size, model.select, model.true_parts)


_LADDER = Ladder(SECP160R1)
TURNS = {
    "hmac-sha1": _sum("a in the first step of SHA-1 behind the inner key of HMAC", 4, sha1_sum),
    "hmac-sha256": _sum(
        "sum T1 in the first step of SHA-256 behind the inner key of HMAC", 4, SHA256.first_sum
    ),
    "hmac-sha256-a": _sum(
        "a in the first step of SHA-256 behind the inner key of HMAC", 4, SHA256.first_a
    ),
    "hmac-sha256-e": _sum(
        "e in the first step of SHA-256 behind the inner key of HMAC", 4, SHA256.first_e
    ),
    "hmac-sha256-outer": _sum(
        "sum T1 in the first step of SHA-256 behind the outer key of HMAC",
        4,
        lambda key: SHA256.first_sum(key, OUTER_PAD),
        "inner",
    ),
    "hmac-sha512": _sum(
        "sum T1 in the first step of SHA-512 behind the inner key of HMAC", 8, SHA512.first_sum
    ),
    "ladder-secp160r1": Turns(
        "double of a ladder on secp160r1 with known points",
        "point",
        160,
        _LADDER.select,
        _LADDER.true_parts,
    ),
}
"""The models that come with cocrypt, by name."""


def selections(
    traces: TraceSet,
    chosen: Range,
    model: Turns,
    column: str,
    bit: int | None,
    right: Sequence[int] | None,
    *,
    count: int | None = None,
    difference: bool = False,
) -> list[Selection]:
    """The selections of the first parts, each behind the right ones, or behind the best guesses.

    There are `count`, else all that the key or the model has.
    """
    parts_of_key = model.parts if right is None else len(right)
    wanted = parts_of_key if count is None else count
    found: list[Selection] = []
    parts: list[int] = []
    for number in range(wanted):
        found.append(model.select(traces, column, bit, parts))
        if right is not None:
            parts.append(right[number])
        elif number + 1 < wanted:
            outcome = statistics.attack(
                traces, chosen, found[-1:], [chosen.count], difference=difference
            )
            parts.append(outcome[0][0].best)
    return found
