"""Ctrl-C among threads: their work is told of it, and ends within a second.

Python interrupts its main thread alone; simulations in other threads would go on to their end,
minutes perhaps, while the process waits for them.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_here = threading.local()


@contextmanager
def threads(count: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """A pool of `count` threads, about one a core unless given, which end if this one fails.

    Work that waits for a thread is dropped then, and `heard` is true in running threads.
    """
    ends = threading.Event()
    with ThreadPoolExecutor(count, initializer=_join, initargs=(ends,)) as pool:
        try:
            yield pool
        except BaseException:
            ends.set()
            pool.shutdown(cancel_futures=True)
            raise


def heard() -> bool:
    """Returns whether this thread should end, since its result is not needed any more."""
    ends: threading.Event | None = getattr(_here, "ends", None)
    return ends is not None and ends.is_set()


def interruptible(progress: Callable[[int], object] | None) -> Callable[[int], object] | None:
    """A callback of progress that raises `KeyboardInterrupt` if this thread should end."""
    if not hasattr(_here, "ends"):
        return progress

    def report(done: int) -> None:
        if heard():
            raise KeyboardInterrupt
        if progress is not None:
            progress(done)

    return report


def _join(ends: threading.Event) -> None:
    _here.ends = ends
