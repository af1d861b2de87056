"""Many tasks in parallel: results in their order; all tasks end if one fails."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING, Any, TypeVar

from cocrypt.errors import DoesNotFitError, HostError, InputError
from cocrypt.interrupt import by_any_signal, threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from multiprocessing.process import BaseProcess

    from cocrypt.primitives.measuring import Task

Result = TypeVar("Result")
FEW = 32
"""The most tasks that run in threads, since processes take long to start."""


def run_all(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    what: str = "measuring",
) -> list[Result]:
    """Does the work of every task, `jobs` at a time; results are in the tasks' order.

    `step` is called with the progress; `what` names the work.

    Work, tasks and results must be picklable. Raises the error of the first task that fails, and
    `InputError` if there is no task. SIGTERM and SIGHUP end it as Ctrl-C does, with all processes
    that it started.
    """
    if not tasks:
        raise InputError(
            "there is nothing to measure on this device",
            "`cocrypt primitives` lists what there is, and the extensions that it needs",
        )
    others = set(active_children())
    step(what, 0, len(tasks))
    with by_any_signal(), _pool(len(tasks), jobs) as pool:
        futures = {pool.submit(work, task): task for task in tasks}
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                step(f"{what} {futures[future].subject.name}", done, len(futures))
        except BrokenProcessPool as error:
            raise HostError(
                "a process that measured was ended from outside, for want of memory perhaps",
                "do less at once: `--jobs 1`",
            ) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(active_children()) - others:
                _end(child)
            raise
        return [future.result() for future in futures]


@dataclass(frozen=True)
class Unfit:
    """A task whose program does not fit the device, and why."""

    task: Task
    error: DoesNotFitError

    @property
    def told(self) -> str:
        """The message for people."""
        task = self.task
        where = f"{task.device.name}, {task.build.name}"
        return f"{task.subject.name} does not fit {where}: {self.error.reason}"

    def record(self) -> dict[str, Any]:
        """The task as `--json` prints it."""
        return {
            "primitive": self.task.subject.primitive,
            "implementation": self.task.subject.implementation,
            "device": self.task.device.name,
            "flags": self.task.build.name,
            "reason": self.error.reason,
        }


def run_fitting(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    *,
    what: str = "measuring",
    accepts_none: bool = False,
) -> tuple[list[Result], list[Unfit]]:
    """Does the work of the tasks that fit their devices; returns results and unfit tasks.

    `what` names the work. Raises the error of the first task if none fits, and `InputError` if
    there is no task, unless that is accepted.
    """
    if not tasks and accepts_none:
        return [], []
    outcomes = run_all(tasks, partial(_or_unfit, work=work), jobs, step, what)
    unfit = [outcome for outcome in outcomes if isinstance(outcome, Unfit)]
    if unfit and len(unfit) == len(outcomes) and not accepts_none:
        raise unfit[0].error
    return [outcome for outcome in outcomes if not isinstance(outcome, Unfit)], unfit


def _or_unfit(task: Task, work: Callable[[Task], Result]) -> Result | Unfit:
    try:
        return work(task)
    except DoesNotFitError as error:
        return Unfit(task, error)


def _pool(tasks: int, jobs: int | None) -> AbstractContextManager[Executor]:
    """Threads for a few tasks, else processes.

    Most tasks are short, and threads of Python would spend half of the time on one another.
    """
    workers = min(jobs or os.cpu_count() or 1, tasks)
    if workers == 1 or tasks <= FEW:
        return threads(workers)
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Leaves interrupts to the parent, which ends this process and the compiler that it runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setsid()


def _end(worker: BaseProcess) -> None:
    """Ends a process of the pool and what it started; it has no session before it has begun."""
    if worker.pid is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(worker.pid, signal.SIGTERM)
    worker.terminate()


def buildable(
    tasks: Sequence[Task],
    say: Callable[[str], object],
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> list[Task]:
    """The tasks whose code can be compiled.

    Code discovered in folders may be for other processors: it is left out with a message that
    says why. Raises the compiler's error if nothing is left, or if described code fails.
    """
    errors = run_all(tasks, _compiler_error, jobs, step, "compiling")
    compiled = [task for task, error in zip(tasks, errors, strict=True) if error is None]
    wrong = [error for error in errors if error is not None]
    if wrong and not compiled:
        raise wrong[0]
    for task, error in zip(tasks, errors, strict=True):
        if error is not None:
            say(f"left out: {task.subject.name}: {_first_line(error)}")
    return compiled


def _compiler_error(task: Task) -> InputError | None:
    try:
        task.images.callable()
    except DoesNotFitError:
        # The task can be compiled; that it does not fit is reported beside the figures of others.
        return None
    except InputError as error:
        if not task.subject.discovered:
            raise
        return error
    return None


def _first_line(error: InputError) -> str:
    """The first error of the compiler."""
    lines = error.message.splitlines()
    errors = [line for line in lines[1:] if "error" in line]
    return (errors or lines)[0]
