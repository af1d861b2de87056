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
from cocrypt.leakage.selections import Selection, computed, element
from cocrypt.leakage.sha256 import first_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet

WORD = 4
"""Bytes of a word."""


@dataclass(frozen=True)
class Turns:
    """A model whose parts are guessed in turn.

    `select` makes the selection of the part behind those that are given, by a column of the set,
    for the weight or one bit; `true_parts` computes the right guesses from a key.
    """

    title: str
    column: str
    parts: int
    select: Callable[[TraceSet, str, int | None, Sequence[int]], Selection]
    true_parts: Callable[[bytes], list[int]]


def _sum_of_word(traces: TraceSet, column: str, bit: int | None, lower: Sequence[int]) -> Selection:
    """A byte of the sum of a secret word and the column's first word, whose highest byte is first.

    A class is the known byte, and the carry into it.
    """
    part = len(lower)
    known = [element(traces, column, WORD - 1 - index) for index in range(part + 1)]
    carry: NDArray[np.uint16] = np.zeros(len(traces), np.uint16)
    for byte, guess in zip(known, lower, strict=False):
        carry = ((byte.astype(np.uint16) + guess + carry) >> 8).astype(np.uint16)
    added = np.concatenate([np.arange(BYTES), np.arange(BYTES) + 1])
    sums = (np.arange(BYTES)[:, np.newaxis] + added).astype(np.uint8)
    values: NDArray[np.float64] = HAMMING[sums] if bit is None else (sums >> bit & 1).astype(float)
    return computed(f"byte {part}", known[part] + BYTES * carry, values)


def _sum_bytes(key: bytes) -> list[int]:
    return list(first_sum(key).to_bytes(WORD, "little"))


TURNS = {
    "hmac-sha256": Turns(
        "sum T1 in the first step of SHA-256 behind the inner key of HMAC",
        "message",
        WORD,
        _sum_of_word,
        _sum_bytes,
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
    difference: bool = False,
) -> list[Selection]:
    """The selections of all parts, each behind the right parts, or behind the best guesses."""
    found: list[Selection] = []
    parts: list[int] = []
    for number in range(model.parts):
        found.append(model.select(traces, column, bit, parts))
        if right is not None:
            parts.append(right[number])
        elif number + 1 < model.parts:
            outcome = statistics.attack(
                traces, chosen, found[-1:], [chosen.count], difference=difference
            )
            parts.append(outcome[0][0].best)
    return found
