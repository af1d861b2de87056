"""Ctrl-C among threads: what runs in them hears of it, and ends within a second.

Python tells its main thread alone; what others simulate would go on to its end, minutes perhaps,
while the process waits for them.
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
    """So many threads, one a core and some unless given, which end where this one meets an error.

    What waits for a thread is dropped then, and `heard` is true in those that run.
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
    """Whether this thread should end, since nobody waits for what it does."""
    ends: threading.Event | None = getattr(_here, "ends", None)
    return ends is not None and ends.is_set()


def hearing(progress: Callable[[int], object] | None) -> Callable[[int], object] | None:
    """What tells progress, and ends the run by `KeyboardInterrupt` where this thread should end."""
    if not hasattr(_here, "ends"):
        return progress

    def told(done: int) -> None:
        if heard():
            raise KeyboardInterrupt
        if progress is not None:
            progress(done)

    return told


def _join(ends: threading.Event) -> None:
    _here.ends = ends
