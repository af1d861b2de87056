"""Runs jobs at once, on threads of this machine or on a Dask cluster; what is known is not run."""

from __future__ import annotations

import os
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt import errors, interrupt
from cocrypt.errors import CocryptError, HostError, ProgramError
from cocrypt.explore.simulation import Job, Outcome, simulate
from cocrypt.explore.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True)
class Workers:
    """Who simulates: so many threads of this machine, or the Dask cluster of a scheduler."""

    jobs: int | None = None
    dask: str | None = None
    store: Store = field(default_factory=Store)

    def close(self) -> None:
        """Closes the store."""
        self.store.close()

    def run(
        self, jobs: Sequence[Job], step: Callable[[int, int], None] = lambda _done, _all: None
    ) -> list[Outcome]:
        """The outcomes of all jobs, in their order; each is kept as soon as it is there.

        Raises what the first job that failed raised.
        """
        outcomes: dict[str, Outcome] = {}
        keys = [job.key for job in jobs]
        for key, job in zip(keys, jobs, strict=True):
            known = self.store.get(key)
            if known is not None and known["cycles"] <= job.max_cycles:
                outcomes[key] = known
        wanted = {key: job for key, job in zip(keys, jobs, strict=True) if key not in outcomes}
        step(len(outcomes), len(outcomes) + len(wanted))
        for key, outcome in self._outcomes(wanted):
            if "error" in outcome:
                raise _failure(outcome)
            self.store.put(key, outcome)
            outcomes[key] = outcome
            step(len(outcomes), len(set(keys)))
        return [outcomes[key] for key in keys]

    def _outcomes(self, wanted: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
        if not wanted:
            return iter(())
        return self._on_threads(wanted) if self.dask is None else _on_cluster(self.dask, wanted)

    def _on_threads(self, wanted: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
        # The native module leaves the lock to others while it runs.
        with interrupt.threads(self.jobs or os.cpu_count()) as pool:
            waiting = {pool.submit(simulate, job): key for key, job in wanted.items()}
            for completed in as_completed(waiting):
                yield waiting[completed], completed.result()


def _on_cluster(address: str, wanted: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
    """Outcomes as a cluster delivers them, through joblib; its workers need this project."""
    try:
        import joblib
        from distributed import Client
    except ImportError as error:
        raise HostError(
            f"a Dask cluster needs packages that are missing: {error.name}",
            "install them: python -m pip install joblib distributed",
        ) from error
    try:
        client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise HostError(
            f"no Dask scheduler answers at {address}", "start one: dask scheduler; dask worker …"
        ) from error
    try:
        with joblib.parallel_config("dask"):
            parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
            yield from parallel(joblib.delayed(_keyed)(key, job) for key, job in wanted.items())
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _keyed(key: str, job: Job) -> tuple[str, Outcome]:
    return key, simulate(job)


def _failure(outcome: Outcome) -> CocryptError:
    kind = getattr(errors, outcome["kind"], ProgramError)
    failure: CocryptError = kind(outcome["error"], outcome["help"])
    return failure
