"""Checks a primitive's vectors before anything runs: reads them, and makes the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

CONTEXT, LENGTH = 64, 64
"""Bytes of a context and of a message."""


def check(subject: Subject) -> None:
    """Raises the errors that `measure` would raise for the subject's vectors."""
    vectors = read_vectors(subject)
    kind(subject).checks(subject, vectors, CONTEXT)
    kind(subject).timings(subject, vectors, (LENGTH,), CONTEXT)
