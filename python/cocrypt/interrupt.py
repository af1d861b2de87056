"""Ctrl-C among threads: their work is told of it, and ends within a second.

Python interrupts its main thread alone; simulations in other threads would go on to their end,
minutes perhaps, while the process waits for them. Where work has started processes that would
outlive this one, other signals end it as Ctrl-C does.
"""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_here = threading.local()
ENDING = (signal.SIGTERM, signal.SIGHUP)
"""The signals by which a process is told to end, or that its terminal is gone."""


@contextmanager
def by_any_signal() -> Iterator[None]:
    """Raises `KeyboardInterrupt` also at SIGTERM, and at SIGHUP unless it is ignored (`nohup`).

    Without it these signals end Python at once, and nothing that it started or wrote is cleaned up.
    Only the main thread can be told of signals; elsewhere nothing changes.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in ENDING}
    usual = [number for number, handler in before.items() if handler is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, before[number])


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def threads(count: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """A pool of `count` threads, about one a core unless given, which end if this one fails.

    Work that waits for a thread is dropped then, and `heard` is true in running threads. The pool
    of such a thread ends with it.
    """
    ends = threading.Event()
    every = (*getattr(_here, "ends", ()), ends)
    with ThreadPoolExecutor(count, initializer=_join, initargs=(every,)) as pool:
        try:
            yield pool
        except BaseException:
            ends.set()
            pool.shutdown(cancel_futures=True)
            raise


def heard() -> bool:
    """Returns whether this thread should end, since its result is not needed any more."""
    return any(ends.is_set() for ends in getattr(_here, "ends", ()))


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


def _join(ends: tuple[threading.Event, ...]) -> None:
    _here.ends = ends
