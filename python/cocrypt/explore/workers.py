"""Runs jobs in parallel, on threads or a Dask cluster, unless their outcomes are known."""

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
    """The workers that simulate: threads of this machine, or the Dask cluster of a scheduler."""

    jobs: int | None = None
    dask: str | None = None
    store: Store = field(default_factory=Store)

    def close(self) -> None:
        """Closes the store."""
        self.store.close()

    def run(
        self, jobs: Sequence[Job], step: Callable[[int, int], None] = lambda _done, _all: None
    ) -> list[Outcome]:
        """The outcomes of all jobs, in their order; each is stored as soon as it is there.

        Raises the error of the first job that fails.
        """
        outcomes: dict[str, Outcome] = {}
        keys = [job.key for job in jobs]
        for key, job in zip(keys, jobs, strict=True):
            stored = self.store.get(key)
            if stored is not None and stored["cycles"] <= job.max_cycles:
                outcomes[key] = stored
        missing = {key: job for key, job in zip(keys, jobs, strict=True) if key not in outcomes}
        step(len(outcomes), len(outcomes) + len(missing))
        for key, outcome in self._outcomes(missing):
            if "error" in outcome:
                raise _failure(outcome)
            self.store.put(key, outcome)
            outcomes[key] = outcome
            step(len(outcomes), len(set(keys)))
        return [outcomes[key] for key in keys]

    def _outcomes(self, jobs: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
        if not jobs:
            return iter(())
        return self._on_threads(jobs) if self.dask is None else _on_cluster(self.dask, jobs)

    def _on_threads(self, jobs: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
        # The native module releases the GIL while it runs.
        with interrupt.threads(self.jobs or os.cpu_count()) as pool:
            keys = {pool.submit(simulate, job): key for key, job in jobs.items()}
            for completed in as_completed(keys):
                yield keys[completed], completed.result()


def _on_cluster(address: str, jobs: dict[str, Job]) -> Iterator[tuple[str, Outcome]]:
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
            yield from parallel(joblib.delayed(_keyed)(key, job) for key, job in jobs.items())
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _keyed(key: str, job: Job) -> tuple[str, Outcome]:
    return key, simulate(job)


def _failure(outcome: Outcome) -> CocryptError:
    kind = getattr(errors, outcome["kind"], ProgramError)
    failure: CocryptError = kind(outcome["error"], outcome["help"])
    return failure
