"""Compiles what the chosen tests call on the host, on all processors and before they begin."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hosted import Hosted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.primitives.subject import Subject


def compile_ahead(items: Iterable[Any]) -> None:
    """The subjects of parametrised tests; one that cannot be compiled fails in its own test."""
    parameters = (one.callspec.params for one in items if hasattr(one, "callspec"))
    found = {one["subject"].name: one["subject"] for one in parameters if "subject" in one}
    with ThreadPoolExecutor() as pool:
        list(pool.map(_compile, [one for one in found.values() if not one.extensions]))


def _compile(subject: Subject) -> None:
    with suppress(AssertionError, OSError):
        Hosted(subject)
