"""Files that users write are read, or refused with a message, whatever they contain."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import InputError
from cocrypt.fuzz.inputs import KINDS, Kind, campaign, driver, mutate

if TYPE_CHECKING:
    from pathlib import Path

CASES = 70


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_changed_files_are_read_or_refused(kind: Kind) -> None:
    assert [
        f"{failure.path.name}, seed {failure.seed}: {failure.what}"
        for failure in campaign(kind, CASES, 1)
    ] == []


def test_changes_are_those_of_the_seed() -> None:
    content = b"Msg = 00\nMD = 0011223344\n"
    changed = [mutate(content, seed) for seed in range(50)]
    assert changed == [mutate(content, seed) for seed in range(50)]
    assert len(set(changed)) > 40


def _strict(path: Path) -> None:
    if path.read_bytes() != b"right":
        raise InputError(f"{path} is wrong")


def _careless(path: Path) -> None:
    int(path.read_bytes().decode("latin-1").removeprefix("right") or 0)


def _slow(path: Path) -> None:
    if path.read_bytes() != b"right":
        time.sleep(5)


def test_what_should_not_happen_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "SECONDS", 0.25)
    (tmp_path / "right").write_bytes(b"right")
    (tmp_path / "beside").write_bytes(b"")
    seeds = (tmp_path / "right",)
    assert campaign(Kind("strict", lambda: seeds, _strict), 30, 1) == []
    careless = campaign(Kind("careless", lambda: seeds, _careless), 30, 1)
    assert careless
    assert all("ValueError" in failure.what for failure in careless)
    assert mutate(b"right", careless[0].seed) == careless[0].content
    slow = campaign(Kind("slow", lambda: seeds, _slow), 3, 1)
    assert {failure.what for failure in slow} == {"it took more than 1 s"}


def test_a_reader_that_ends_the_process_is_found(tmp_path: Path) -> None:
    """The reader ends the process, as a stack overflow of native code or a lack of memory does."""
    path = tmp_path / "right"
    path.write_bytes(b"right")

    def read(path: Path) -> None:
        if path.read_bytes() != b"right":
            faulthandler.disable()
            os.kill(os.getpid(), signal.SIGSEGV)

    failures = campaign(Kind("fatal", lambda: (path,), read), 4, 1)
    assert {failure.what for failure in failures} == {"the process ended with -11"}
    # The campaign went on after each failure.
    assert len({failure.seed for failure in failures}) > 1


def test_a_reader_that_takes_all_memory_is_found(tmp_path: Path) -> None:
    path = tmp_path / "right"
    path.write_bytes(b"right")

    def read(path: Path) -> None:
        bytes(2 * driver.BYTES if path.read_bytes() != b"right" else 1)

    failures = campaign(Kind("big", lambda: (path,), read), 3, 1)
    assert failures
    assert all("MemoryError" in failure.what for failure in failures)
