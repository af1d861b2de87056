"""The kinds of primitives: their checks against vectors, and their timings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from cocrypt.errors import InputError
from cocrypt.primitives.kinds import (
    aead,
    blocks,
    curves,
    hashes,
    kem,
    modes,
    rsa,
    signing,
    streams,
    toy,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Check, Timing
    from cocrypt.primitives.subject import Subject


class Kind(Protocol):
    """A kind of primitive: a module of this folder."""

    def checks(self, subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
        """The calls that vectors ask for; `context` is the size of the context in bytes."""

    def timings(
        self, subject: Subject, vectors: Mapping[str, Any], lengths: Sequence[int], context: int
    ) -> list[Timing]:
        """The calls that are timed, with messages of these lengths where there are any."""


KINDS: Mapping[str, Kind] = {
    "block_cipher": blocks,
    "stream_cipher": streams,
    "hash": hashes.HASH,
    "mac": hashes.MAC,
    "aead": aead,
    "mode": modes,
    "key_exchange": curves.KEY_EXCHANGE,
    "signature": curves.SIGNATURE,
    "ecdsa": curves.ECDSA,
    "rsa": rsa,
    "rsa_toy": toy,
    "kem": kem,
    "signing": signing,
}
TABLES: Mapping[str, frozenset[str]] = {
    "block_cipher": frozenset({"encrypt"}),
    "stream_cipher": frozenset({"crypt"}),
    "hash": frozenset({hashes.HASH.vectors}),
    "mac": frozenset({hashes.MAC.vectors}),
    "aead": frozenset({"seal"}),
    "mode": frozenset({"encrypt"}),
    "key_exchange": curves.KEY_EXCHANGE.tables,
    "signature": curves.SIGNATURE.tables,
    "ecdsa": curves.ECDSA.tables,
    "rsa": rsa.TABLES,
    "rsa_toy": toy.TABLES,
    "kem": frozenset({"decapsulate"}),
    "signing": frozenset({"verify"}),
}
"""The tables of vectors, by kind."""


def kind(subject: Subject) -> Kind:
    """The kind of a subject."""
    if subject.kind not in KINDS:
        raise InputError(f"{subject.name}: nothing is known of primitives of kind {subject.kind}")
    return KINDS[subject.kind]
