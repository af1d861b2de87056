"""Work before tests and within them that is done in parallel, on this worker's processors."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hosted import Hosted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.primitives.subject import Subject


def share() -> ThreadPoolExecutor:
    """Threads for this worker's share of the processors.

    Of all workers that compile at once, each with as many compilers as there are processors, the
    compilers would take a tenth more time than they need.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // workers))


def compile_ahead(items: Iterable[Any]) -> None:
    """Compiles the subjects that tests call on the host, before they begin.

    One that cannot be compiled fails in its own test.
    """
    parameters = (item.callspec.params for item in items if hasattr(item, "callspec"))
    subjects = {item["subject"].name: item["subject"] for item in parameters if "subject" in item}
    with share() as pool:
        list(
            pool.map(_compile, [subject for subject in subjects.values() if not subject.extensions])
        )


def _compile(subject: Subject) -> None:
    with suppress(AssertionError, OSError):
        Hosted(subject)
