"""Progress of long work: honest estimates, lines on a pipe, and the state behind Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cocrypt import interrupt
from cocrypt.cli import progress
from cocrypt.cli.progress import Work
from conftest import ROOT, STUDY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ENDLESS = "int main(void) { for (volatile int count = 0;; count++) { } }\n"
PATIENCE = 60.0
"""Seconds to wait for an event on a busy machine."""


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_nothing_is_estimated_before_anything_is_measured(clock: Clock) -> None:
    work = Work(clock)
    work.step("running", 0, 10)
    clock.now += 30
    assert work.left is None
    assert work.line() == "running: 0 of 10, 30 s so far"


def test_what_is_left_takes_as_long_as_what_was_measured(clock: Clock) -> None:
    work = Work(clock)
    work.step("running", 0, 10)
    clock.now += 8
    work.step("running", 4, 10)
    assert work.left == pytest.approx(12)
    assert work.line() == "running: 4 of 10, 8 s so far, about 12 s left"


def test_what_was_known_before_is_no_measure(clock: Clock) -> None:
    work = Work(clock)
    work.step("running", 50, 100)
    clock.now += 5
    work.step("running", 60, 100)
    assert work.left == pytest.approx(20)


def test_a_piece_that_takes_longer_makes_the_estimate_grow(clock: Clock) -> None:
    work = Work(clock)
    work.step("running", 0, 4)
    clock.now += 2
    work.step("running", 2, 4)
    assert work.left == pytest.approx(2)
    clock.now += 10
    assert work.left == pytest.approx(8)


def test_a_stage_begins_with_a_clock_of_its_own(clock: Clock) -> None:
    work = Work(clock)
    work.step("building", 0, 3)
    clock.now += 60
    work.step("running", 0, 3)
    clock.now += 2
    work.step("running", 1, 3)
    assert work.left == pytest.approx(4)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.4, "0 s"), (99, "99 s"), (150, "2 min 30 s"), (7260, "2 h 1 min")],
)
def test_durations_read_as_people_say_them(seconds: float, shown: str) -> None:
    assert progress.duration(seconds) == shown


class Command:
    """The command as a process whose stderr is a pipe."""

    def __init__(self, folder: Path, *words: str | Path) -> None:
        command = [sys.executable, "-c", "from cocrypt.cli import main; main()", *map(str, words)]
        self.errors = folder / "stderr"
        with self.errors.open("w") as stream:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=subprocess.PIPE, stderr=stream, text=True
            )

    def has_printed(self, pattern: str) -> bool:
        return re.search(pattern, self.errors.read_text()) is not None

    def wait_until(self, holds: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE
        while not holds():
            assert self.process.poll() is None, self.errors.read_text()
            assert time.monotonic() < ends, self.errors.read_text()
            time.sleep(0.05)

    def interrupt(self) -> tuple[int, str, str]:
        """Sends Ctrl-C; returns the exit code, all of stdout and all of stderr."""
        os.kill(self.process.pid, signal.SIGINT)
        out, _ = self.process.communicate(timeout=PATIENCE / 2)
        return self.process.returncode, out, self.errors.read_text()


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    commands: list[Command] = []

    def call(*words: str | Path) -> Command:
        commands.append(Command(tmp_path, *words))
        return commands[-1]

    yield call
    for command in commands:
        if command.process.poll() is None:
            command.process.kill()
            command.process.communicate()


@pytest.mark.long
def test_a_pipe_gets_a_line_now_and_then_and_ctrl_c_names_the_cycle(
    begin: Callable[..., Command], firmware: Callable[[str], Path]
) -> None:
    run = begin("run", firmware(ENDLESS), "-d", "picorv32", "--max-cycles", str(10**15))
    run.wait_until(
        lambda: run.has_printed(r"simulating: [\d,]{9,} cycles \(limit [\d,]+\), \d+ s so far, ")
    )
    code, out, errors = run.interrupt()
    assert code == 130
    assert re.search(r"interrupted: behind cycle [\d,]{9,}; nothing is kept", errors)
    assert "Traceback" not in errors
    assert out == ""


def test_an_exploration_that_was_broken_off_has_kept_its_runs(
    begin: Callable[..., Command], tmp_path: Path
) -> None:
    store = tmp_path / "outcomes.sqlite"
    explore = begin("explore", STUDY, "-w", "ecdsa_sign", "-j", "1", "--store", store)
    explore.wait_until(lambda: count(store) > 1)
    code, out, errors = explore.interrupt()
    assert code == 130
    pattern = r"interrupted: [a-z]+ at (\d+) of \d+; runs that ended are kept, .*outcomes.sqlite"
    match = re.search(pattern, errors)
    assert match is not None, errors
    # A run is stored first and counted then.
    assert count(store) >= int(match[1]) >= 1
    assert out == ""


def count(store: Path) -> int:
    """The runs in a store."""
    if not store.is_file():
        return 0
    with closing(sqlite3.connect(store)) as database:
        try:
            (runs,) = database.execute("SELECT count(*) FROM simulated").fetchone()
        except sqlite3.OperationalError:
            return 0
    return int(runs)


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_what_was_begun(begin: Callable[..., Command]) -> None:
    study = ROOT / "studies" / "authentication.toml"
    pairs = begin("authenticate", study, "--pairs", "-j", "1")
    pairs.wait_until(lambda: pairs.has_printed(r"authenticating: \d+ of 256, \d+ s so far"))
    began = time.monotonic()
    code, _, errors = pairs.interrupt()
    assert code == 130
    assert re.search(
        r"interrupted: authenticating at \d+ of 256; compiled programs are kept", errors
    )
    assert time.monotonic() - began < PATIENCE / 4


def test_threads_hear_of_an_error_in_the_one_that_waits_for_them() -> None:
    heard = []

    def wait() -> None:
        ends = time.monotonic() + PATIENCE
        while not interrupt.heard() and time.monotonic() < ends:
            time.sleep(0.01)
        heard.append(interrupt.heard())

    def broken() -> None:
        with interrupt.threads(2) as pool:
            pool.submit(wait)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert heard == [True]
    assert not interrupt.heard()
