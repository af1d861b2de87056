"""Compiled code in the cache: found again, healed, and read only where it is the user's alone.

`COCRYPT_KEPT_IMAGES=100000` has so many images go through one cache, 500 in a process.
"""

import operator
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cocrypt import cache, eviction, paths
from cocrypt.machine import Machine

LOOP = bytes.fromhex("93821200 6ff0dfff")
"""`addi t0, t0, 1` and `j -4`, which are one region of compiled code."""
FILES = 2
"""Files of an image with one region: its code, and the record by which the next run finds it."""
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
    run_until(lambda: len(kept(folder)) == FILES)
    entries = sorted(kept(folder))
    contents = [entry.read_bytes() for entry in entries]
    made = [entry.stat() for entry in entries]
    assert {about.st_mode & 0o777 for about in made} == {0o600}

    for entry in entries:
        os.utime(entry, ns=(0, 0))
    run_until(lambda: all(entry.stat().st_mtime_ns > 0 for entry in entries))
    inodes = [entry.stat().st_ino for entry in entries]
    assert inodes == [about.st_ino for about in made], "a second machine reads what the first wrote"

    broken = [content[: len(content) // 2] + bytes(8) for content in contents]
    for entry, wrong in zip(entries, broken, strict=True):
        entry.write_bytes(wrong)
    run_until(lambda: all(map(operator.ne, broken, (entry.read_bytes() for entry in entries))))
    healed = [entry.read_bytes() for entry in entries]
    # The record of regions counts what the interpreter ran until there was code.
    assert any(map(operator.eq, healed, contents)), "the same code was compiled again"

    for entry in entries:
        entry.chmod(0o622)
    run_until(lambda: all(entry.stat().st_mode & 0o777 == 0o600 for entry in entries))
    assert sorted(kept(folder)) == entries, "the same code has the same name"


def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    folder.chmod(0o770)
    machine = Machine("picorv32", LOOP, name="loop", load_address=0)
    assert machine.run(4 * SLICE).values["cycles"] >= 4 * SLICE
    assert kept(folder) == []


IMAGES = int(os.environ.get("COCRYPT_KEPT_IMAGES", "12"))
EACH = min(500, IMAGES // 2)
"""Images of a process."""
LIMIT = 4096
"""Bytes that the cache may have behind a process: the code of a few images."""
MANY = """
import sys
from cocrypt import cache
from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.paths import device

folder, picorv32 = cache.code(), Device.load(device("picorv32"))
for number in range(int(sys.argv[1]), int(sys.argv[2])):
    # addi t0, t0, 1; lui t1, number; add t2, t2, t1; j -12
    lui = (number << 12 | 0x337).to_bytes(4, "little").hex()
    image = bytes.fromhex("93821200" + lui + "b3836300" + "6ff05fff")
    machine, known, limit = Machine(picorv32, image, load_address=0), set(folder.iterdir()), 0
    while all(path.name.startswith(".") for path in set(folder.iterdir()) - known):
        limit += 1_000_000
        machine.run(limit)
    machine.run(limit + 1_000_000)
    registers = machine.registers()
    assert registers["t2"] == (number << 12) * registers["t0"] % (1 << 32)
    assert registers["t0"] > limit // 100
"""
"""Runs images that differ by one constant, each until its code is kept and beyond."""


def test_many_images_share_a_cache_of_limited_size(folder: Path) -> None:
    eviction.leave(folder.parent)
    environment = {**os.environ, eviction.VARIABLE: str(LIMIT)}
    for first in range(0, IMAGES, EACH):
        command = [sys.executable, "-c", MANY, str(first), str(min(first + EACH, IMAGES))]
        subprocess.run(command, env=environment, check=True)
        sizes = [entry.size for entry in eviction.entries(folder.parent)]
        assert 0 < sum(sizes) <= LIMIT
