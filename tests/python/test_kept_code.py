"""Compiled code in the cache: found again, healed, and read only where it is the user's alone."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cocrypt import cache, paths
from cocrypt.machine import Machine

LOOP = bytes.fromhex("93821200 6ff0dfff")
"""`addi t0, t0, 1` and `j -4`, which are one region of compiled code."""
SLICE = 50_000_000
PATIENCE = 60
"""Seconds after which code on a thread counts as never compiled."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of code of a new cache."""
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    paths.forget()
    code = cache.code()
    assert code is not None
    return code


def run_until(holds: Callable[[], bool]) -> None:
    """Lets a new machine run the loop until something holds."""
    machine = Machine("picorv32", LOOP, name="loop", load_address=0)
    limit, ends = 0, time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends, "nothing was compiled"
        limit += SLICE
        assert machine.run(limit).values["stop"]["kind"] == "cycle_limit"


def kept(folder: Path) -> list[Path]:
    """The whole files."""
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def test_code_is_found_healed_and_never_taken_from_others(folder: Path) -> None:
    run_until(lambda: bool(kept(folder)))
    (entry,) = kept(folder)
    content, made = entry.read_bytes(), entry.stat()
    assert made.st_mode & 0o777 == 0o600

    os.utime(entry, ns=(0, 0))
    run_until(lambda: entry.stat().st_mtime_ns > 0)
    assert entry.stat().st_ino == made.st_ino, "a second machine reads what the first one wrote"

    broken = bytearray(content)
    broken[len(broken) // 2] ^= 1
    entry.write_bytes(broken)
    run_until(lambda: entry.read_bytes() == content)

    entry.chmod(0o622)
    run_until(lambda: entry.stat().st_mode & 0o777 == 0o600)
    assert kept(folder) == [entry], "the same code has the same name"


def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    folder.chmod(0o770)
    machine = Machine("picorv32", LOOP, name="loop", load_address=0)
    assert machine.run(4 * SLICE).values["cycles"] >= 4 * SLICE
    assert kept(folder) == []
