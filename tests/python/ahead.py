"""Compiles the subjects that the chosen tests call on the host, in parallel, before they begin."""

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
    parameters = (item.callspec.params for item in items if hasattr(item, "callspec"))
    subjects = {item["subject"].name: item["subject"] for item in parameters if "subject" in item}
    with ThreadPoolExecutor() as pool:
        list(
            pool.map(_compile, [subject for subject in subjects.values() if not subject.extensions])
        )


def _compile(subject: Subject) -> None:
    with suppress(AssertionError, OSError):
        Hosted(subject)
