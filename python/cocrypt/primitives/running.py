"""Many tasks at once: results in their order, and an end to all where one fails."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, TypeVar

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.primitives.measuring import Task

Result = TypeVar("Result")


def run_all(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> list[Result]:
    """Does the work of every task, so many at a time; results are in the tasks' order.

    Raises what the first task that failed raised, and `InputError` where there is none.
    """
    if not tasks:
        raise InputError(
            "there is nothing to measure on this device",
            "`cocrypt primitives` lists what there is, and the extensions that it needs",
        )
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        futures = {pool.submit(work, one): one for one in tasks}
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                step(f"measuring {futures[future].subject.name}", done, len(futures))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        return [future.result() for future in futures]
