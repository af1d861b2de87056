"""Selection functions: what an attack guesses, and what its model predicts for each guess.

A selection classifies a trace by one or two known bytes, and has tables of the model's value for
each guess and class. One's own is such a table too:
`selection("byte 0", [("plaintext", 0)], table)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage.ciphers import (
    AES_INVERSE,
    AES_SBOX,
    BYTES,
    HAMMING,
    PRESENT_SBOX,
    SHIFTED,
    aes128_key,
    aes128_last_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from cocrypt.leakage.traces import TraceSet

PAIRS = BYTES * BYTES
PARTS = 16
"""The parts of a key that each model guesses."""


@dataclass(frozen=True)
class Term:
    """A part of a model: `classes` maps a selection's classes to those of `table`.

    `table` has the value for each guess (rows) and class (columns).
    """

    classes: NDArray[np.uint16]
    table: NDArray[np.float64]


@dataclass(frozen=True)
class Selection:
    """One guessed part of a key.

    `sources` are a column and the index of an element, a byte; of two, the first is the lower byte
    of the class. `values` has the class of each trace of the set instead, where a class is not
    bytes alone. The model is the sum of its terms.
    """

    name: str
    sources: tuple[tuple[str, int], ...]
    terms: tuple[Term, ...]
    values: NDArray[np.uint16] | None = field(default=None, compare=False)

    @property
    def guesses(self) -> int:
        """The number of guesses."""
        return len(self.terms[0].table)

    def classes(
        self,
        traces: TraceSet,
        first: int,
        last: int,
        read: dict[str, NDArray[Any]] | None = None,
    ) -> NDArray[np.uint16]:
        """The class of each trace from `first` to before `last`.

        `read` keeps columns for other selections of the same set. Raises `InputError` if the set
        has no such column of bytes.
        """
        if self.values is not None:
            return self.values[first:last]
        value = np.zeros(last - first, np.uint16)
        for shift, (name, index) in enumerate(self.sources):
            values = element(traces, name, index, read)[first:last]
            value |= values.astype(np.uint16) << (8 * shift)
        return value


def element(
    traces: TraceSet, name: str, index: int, read: dict[str, NDArray[Any]] | None = None
) -> NDArray[Any]:
    """A byte of a column, for each trace, of those in `read` if it is there.

    Raises `InputError` if there is none.
    """
    if name not in traces.columns:
        known = ", ".join(traces.columns) or "none"
        raise InputError(
            f"{traces.path} has no column `{name}`, but: {known}", "name another by --column"
        )
    dtype, shape = traces.columns[name]
    size = int(np.prod(shape))
    if dtype != np.uint8 or index >= size:
        raise InputError(
            f"the column `{name}` has {size} elements of type {dtype} for each trace, "
            f"and byte {index} of it is asked for",
            "name a column of bytes that has it",
        )
    columns = {} if read is None else read
    if name not in columns:
        columns[name] = traces.column(name)
    return columns[name].reshape(-1, size)[:, index]


def selection(name: str, sources: Sequence[tuple[str, int]], table: ArrayLike) -> Selection:
    """A selection by a table of the model's value, as guesses × classes.

    Raises `InputError` unless there are 256 classes for one source and 65,536 for two.
    """
    values = np.ascontiguousarray(table, np.float64)
    classes = BYTES ** len(sources)
    if values.ndim != 2 or values.shape[1] != classes or not 1 < len(values) <= PAIRS:
        raise InputError(
            f"a model's table has shape {values.shape}, not guesses × {classes:,}",
            "give a row for each guess, with a value for each class",
        )
    if not np.isfinite(values).all():
        raise InputError("a model's table has values that are not finite", "give finite numbers")
    identity = np.arange(classes, dtype=np.uint16)
    return Selection(name, tuple(sources), (Term(identity, values),))


def computed(name: str, classes: ArrayLike, table: ArrayLike) -> Selection:
    """A selection by classes that are computed for each trace of a set.

    `table` has the model's value for each guess and class. Raises `InputError` for a class without
    a column of the table.
    """
    values, numbers = np.ascontiguousarray(table, np.float64), np.asarray(classes)
    if values.ndim != 2 or not 1 < len(values) <= PAIRS or not 0 < values.shape[1] <= PAIRS:
        raise InputError(
            f"a model's table has shape {values.shape}, not guesses × classes",
            "give a row for each guess, with a value for each class",
        )
    if not np.isfinite(values).all():
        raise InputError("a model's table has values that are not finite", "give finite numbers")
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < values.shape[1]:
        raise InputError(
            f"classes of traces lie from {numbers.min()} to {numbers.max()}, and the table has "
            f"{values.shape[1]:,}",
            "give a column of the table for each class",
        )
    identity = np.arange(values.shape[1], dtype=np.uint16)
    return Selection(name, (), (Term(identity, values),), numbers.astype(np.uint16))


@dataclass(frozen=True)
class Model:
    """The selections for all parts of a key.

    `column` is what they classify by unless another is named, `true_key` computes the guesses that
    are right from the key, and `whole_key` the key from the guesses; None where it cannot be.
    """

    title: str
    column: str
    select: Callable[[str, int | None], list[Selection]]
    true_key: Callable[[bytes], list[int]]
    key_size: int
    whole_key: Callable[[Sequence[int]], bytes] | None


def _weights(values: NDArray[np.uint8], bit: int | None) -> NDArray[np.float64]:
    """Hamming weights, or one bit."""
    return HAMMING[values] if bit is None else (values >> bit & 1).astype(np.float64)


def _guess_by_class(size: int = BYTES) -> NDArray[np.uint8]:
    """The exclusive or of each guess and class."""
    return np.bitwise_xor.outer(np.arange(size), np.arange(BYTES)).astype(np.uint8)


def _aes_first(column: str, bit: int | None) -> list[Selection]:
    table = _weights(AES_SBOX[_guess_by_class()], bit)
    return [selection(f"byte {index}", [(column, index)], table) for index in range(PARTS)]


def _aes_last_value(column: str, bit: int | None) -> list[Selection]:
    table = _weights(AES_INVERSE[_guess_by_class()], bit)
    return [selection(f"byte {index}", [(column, index)], table) for index in range(PARTS)]


def _aes_last_distance(column: str, bit: int | None) -> list[Selection]:
    """The bits of the state's register that flip in the last round.

    The byte before is the inverse S-box of ciphertext byte and guess; the byte that replaces it in
    the register is another of the ciphertext, as ShiftRows moves it.
    """
    before = AES_INVERSE[_guess_by_class()]
    bits = range(8) if bit is None else (bit,)
    pairs = np.arange(PAIRS, dtype=np.uint16)
    terms = []
    for number in bits:
        # A class is the ciphertext byte, and the bit that replaces the guessed one.
        classes = ((pairs & 0xFF) << 1) | (pairs >> (8 + number) & 1)
        old = np.repeat(before >> number & 1, 2, axis=1)
        new = np.tile(np.array([0, 1], np.uint8), BYTES)
        terms.append(Term(classes.astype(np.uint16), (old ^ new).astype(np.float64)))
    return [
        Selection(f"byte {index}", ((column, index), (column, int(SHIFTED[index]))), tuple(terms))
        for index in range(PARTS)
    ]


def _present_first(column: str, bit: int | None) -> list[Selection]:
    """Nibbles of the state, of which the last byte of a block has the lowest two."""
    values = np.arange(16)
    table = _weights(PRESENT_SBOX[np.bitwise_xor.outer(values, values)], bit)
    found = []
    for index in range(PARTS):
        # The other nibble of the byte does not matter, so that a class is a nibble.
        nibbles = (np.arange(BYTES) >> (4 * (index % 2))) & 0xF
        term = Term(nibbles.astype(np.uint16), table)
        found.append(Selection(f"nibble {index}", ((column, 7 - index // 2),), (term,)))
    return found


def _nibbles(key: bytes) -> list[int]:
    """The nibbles of the first round key: the upper 64 bits of the key, the lowest first."""
    value = int.from_bytes(key[:8], "big")
    return [value >> (4 * index) & 0xF for index in range(PARTS)]


MODELS = {
    "aes-first": Model(
        "S-box output in the first round of AES", "plaintext", _aes_first, list, 16, bytes
    ),
    "aes-last": Model(
        "state register in the last round of AES-128",
        "ciphertext",
        _aes_last_distance,
        lambda key: list(aes128_last_key(key)),
        16,
        lambda guesses: aes128_key(bytes(guesses)),
    ),
    "aes-last-value": Model(
        "S-box input in the last round of AES-128",
        "ciphertext",
        _aes_last_value,
        lambda key: list(aes128_last_key(key)),
        16,
        lambda guesses: aes128_key(bytes(guesses)),
    ),
    "present-first": Model(
        "S-box output in the first round of PRESENT-80",
        "plaintext",
        _present_first,
        _nibbles,
        10,
        None,
    ),
}
"""The models that come with cocrypt, by name."""
