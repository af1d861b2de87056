"""Explorations on threads, on a cluster, and after a violent end: the same rows, nothing twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.errors import InputError
from cocrypt.explore import Store, Workers, explore
from cocrypt.explore.bench import Bench, Trial
from cocrypt.explore.simulation import Job, simulate
from cocrypt.partition import partition
from cocrypt.study import Study
from conftest import STUDY

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

COMMAND = (sys.executable, "-c", "from cocrypt.cli import main; main()")


def outcomes(store: Path) -> list[tuple[str, str]]:
    """The rows of a store, as another process sees them while it is written."""
    if not store.exists():
        return []
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            return list(database.execute("SELECT key, value FROM simulated ORDER BY rowid"))
    except sqlite3.OperationalError:
        return []


def without_host(text: str) -> str:
    """The record without the values of the host, in the same form."""
    record = json.loads(text)

    def cleaned(value: Any) -> Any:  # noqa: ANN401 - JSON is anything.
        if isinstance(value, dict):
            return {key: cleaned(entry) for key, entry in value.items() if key != "host"}
        return [cleaned(entry) for entry in value] if isinstance(value, list) else value

    return json.dumps(cleaned(record), indent=2)


@pytest.mark.long
def test_a_cluster_and_threads_give_the_same_bytes(process: Cocrypt, tmp_path: Path) -> None:
    from distributed import LocalCluster

    words = ("explore", str(STUDY), "--workload", "point_add", "--json")
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        far = process(*words, "--dask", address, "--store", str(tmp_path / "far.sqlite"))
    near = process(*words, "--jobs", "2", "--store", str(tmp_path / "near.sqlite"))
    assert far.returncode == 0, far.stderr
    assert near.returncode == 0, near.stderr
    assert without_host(far.stdout) == without_host(near.stdout)
    # Both did simulate.
    assert len(outcomes(tmp_path / "far.sqlite")) == len(outcomes(tmp_path / "near.sqlite")) > 16


def test_no_scheduler_is_one_message(process: Cocrypt, tmp_path: Path) -> None:
    done = process(
        *("explore", str(STUDY), "--dask", "tcp://127.0.0.1:9", "--store", str(tmp_path / "s"))
    )
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_killed_exploration_goes_on_where_it_was(tmp_path: Path, process: Cocrypt) -> None:
    store = tmp_path / "killed.sqlite"
    words = ("explore", str(STUDY), "--json", "--jobs", "1", "--store", str(store))
    running = subprocess.Popen(
        [*COMMAND, *words], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    limit = time.monotonic() + 120
    while len(outcomes(store)) < 3 and time.monotonic() < limit and running.poll() is None:
        time.sleep(0.005)
    os.kill(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    ended = outcomes(store)
    assert len(ended) >= 3
    resumed = process(*words)
    assert resumed.returncode == 0, resumed.stderr
    # Runs that had ended are not repeated: their host time is that of the first run.
    assert outcomes(store)[: len(ended)] == ended
    whole = process("explore", str(STUDY), "--json", "--store", str(tmp_path / "whole.sqlite"))
    assert without_host(resumed.stdout) == without_host(whole.stdout)


@pytest.fixture
def study() -> Study:
    return Study.load(STUDY)


def test_nothing_is_simulated_twice(study: Study, tmp_path: Path) -> None:
    workers = Workers(store=Store(tmp_path / "store.sqlite"))
    runs = [explore(study, study.workload("mod_mul"), workers=workers) for _ in range(2)]
    first, second = ([row.measurement for row in run.rows] for run in runs)
    assert [measurement.seconds for measurement in first] == [
        measurement.seconds for measurement in second
    ]


def test_an_outcome_is_kept_under_all_that_it_depends_on(study: Study) -> None:
    bench = Bench(study, study.workload("mod_mul"))
    software, hardware = partition(study, ()), partition(study, ("mod_mul",))
    jobs = [
        Job.of(result.device, result.built)
        for result in bench.run(
            [Trial(software), Trial(hardware), Trial(hardware, {"bus_wait": 3})]
        )
    ]
    changed = [
        replace(jobs[1], coprocessors=()),
        replace(jobs[1], contexts=True),
        replace(jobs[1], output=("output", 1)),
        replace(jobs[1], image=jobs[1].image + b"\0"),
    ]
    assert len({job.key for job in (*jobs, *changed)}) == 7
    # Neither the name nor the limit changes the outcome.
    assert replace(jobs[1], name="other", max_cycles=10**9).key == jobs[1].key


def test_a_limit_counts_for_what_is_known_too(study: Study, tmp_path: Path) -> None:
    from cocrypt.errors import ProgramError

    workers = Workers(store=Store(tmp_path / "store.sqlite"))
    bench = Bench(study, study.workload("mod_mul"), workers)
    (done,) = bench.run([Trial(partition(study, ()))])
    job = Job.of(done.device, done.built, max_cycles=done.outcome["cycles"] // 2)
    with pytest.raises(ProgramError, match="cycle_limit"):
        workers.run([job])


def test_errors_travel_as_part_of_the_outcome(study: Study) -> None:
    bench = Bench(study, study.workload("mod_mul"))
    (done,) = bench.run([Trial(partition(study, ()))])
    job = replace(Job.of(done.device, done.built), image=b"no program")
    assert simulate(job)["kind"] == "InputError"


@pytest.mark.parametrize("content", [b"this is no database", b""])
def test_a_broken_store_is_one_message(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(content * 200)
    if not content:
        Store(path).close()
        return
    with pytest.raises(InputError, match="left as it is"):
        Store(path)
    assert path.read_bytes() == content * 200
