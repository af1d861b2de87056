"""Trace sets through Python: as they are written, read, cut off and refused."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cocrypt._native import DiagnosticError
from cocrypt.leakage import TraceSet, TraceSetWriter

COLUMNS = {"plaintext": ("uint8", (16,)), "group": ("uint8", ())}
RANDOM = np.random.default_rng(27)
FULL = Path("/dev/full")


def rows(count: int, dtype: str = "int16") -> np.ndarray:
    return RANDOM.integers(-100, 100, (count, 20)).astype(dtype)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "float32", "float64"])
def test_numpy_reads_what_was_appended(tmp_path: Path, dtype: str) -> None:
    traces, texts = rows(1000, dtype), RANDOM.integers(0, 256, (1000, 16), np.uint8)
    groups = np.arange(1000, dtype=np.uint8)
    with TraceSetWriter.create(tmp_path / "set", 20, dtype, COLUMNS, "a test", 300) as writer:
        for part in np.split(np.arange(1000), [7, 500, 501]):
            writer.append(traces[part], plaintext=texts[part], group=groups[part])
        writer.axis(pl.DataFrame({"cycle": range(20)}))
    found = TraceSet.open(tmp_path / "set")
    assert (len(found), found.samples, found.source) == (1000, 20, "a test")
    assert found.dtype == np.dtype(dtype)
    assert np.array_equal(np.concatenate([part for part, _ in found.read()]), traces)
    assert np.array_equal(found.column("plaintext"), texts)
    assert np.array_equal(found.column("group"), groups)
    axis = found.axis()
    assert axis is not None
    assert axis["cycle"].to_list() == list(range(20))


def test_a_writer_goes_on_after_the_last_chunk(tmp_path: Path) -> None:
    first, second = rows(10), rows(5)
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {}) as writer:
        writer.append(first)
    with TraceSetWriter.resume(tmp_path / "set") as writer:
        assert writer.traces == 10
        writer.append(second)
    found = np.concatenate([part for part, _ in TraceSet.open(tmp_path / "set").read()])
    assert np.array_equal(found, np.concatenate([first, second]))


def test_values_that_would_lose_digits_are_refused(tmp_path: Path) -> None:
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {}) as writer:
        with pytest.raises(TypeError):
            writer.append(rows(1).astype(np.float64))
        with pytest.raises(TypeError, match="do not fit int16"):
            writer.append(np.full((1, 20), 40000))
        with pytest.raises(TypeError, match="do not fit int16"):
            writer.append(np.full((1, 20), 40000, np.uint16))
    assert len(TraceSet.open(tmp_path / "set")) == 0


def test_numbers_beyond_a_floating_point_type_are_refused(tmp_path: Path) -> None:
    with TraceSetWriter.create(tmp_path / "set", 20, "float32", {}) as writer:
        with pytest.raises(TypeError, match="do not fit float32"):
            writer.append(np.full((1, 20), 1e300))
        writer.append(np.full((1, 20), np.nan))


def test_a_buffer_may_be_used_again(tmp_path: Path) -> None:
    buffer, numbers = np.zeros((1, 20), np.int16), np.zeros(1, np.uint8)
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {"k": ("uint8", ())}) as writer:
        for number in range(3):
            buffer[:], numbers[:] = number, number
            writer.append(buffer, k=numbers)
            writer.append(buffer, k=[number])
    found = TraceSet.open(tmp_path / "set")
    assert found.column("k").tolist() == [0, 0, 1, 1, 2, 2]
    samples = np.concatenate([part for part, _ in found.read()])
    assert samples[:, 0].tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("traces", "columns", "message"),
    [
        ((3, 21), {"k": (3,)}, r"traces has the shape \(3, 21\), not traces × 20"),
        ((20,), {"k": (20,)}, r"traces has the shape \(20,\)"),
        ((3, 20), {"k": (2,)}, "k has 2 values for 3 traces"),
        ((3, 20), {"k": (3, 1)}, r"k has the shape \(3, 1\), not traces$"),
        ((3, 20), {"k": ()}, r"k has the shape \(\), not traces$"),
        ((3, 20), {"l": (3,)}, "no values of the columns k"),
    ],
)
def test_each_append_has_a_value_for_each_trace(
    tmp_path: Path, traces: tuple[int, ...], columns: dict[str, tuple[int, ...]], message: str
) -> None:
    given = {name: np.zeros(shape, np.uint8) for name, shape in columns.items()}
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {"k": ("uint8", ())}) as writer:
        with pytest.raises(ValueError, match=message):
            writer.append(np.zeros(traces, np.int16), **given)
        writer.append(rows(1), k=[7])
    assert TraceSet.open(tmp_path / "set").column("k").tolist() == [7]


def test_files_that_need_pickle_are_refused(tmp_path: Path) -> None:
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {}) as writer:
        writer.append(rows(1))
    np.save(tmp_path / "set/000000/traces.npy", np.array([[{}] * 20], object), allow_pickle=True)
    with pytest.raises(DiagnosticError, match="pickled"):
        TraceSet.open(tmp_path / "set")


KILLED = """
import sys, numpy as np
from cocrypt.leakage import TraceSetWriter
writer = TraceSetWriter.create(sys.argv[1], 1000, "int16", {}, chunk=1000)
number = 0
while True:
    writer.append(np.full((1000, 1000), number, np.int16))
    number += 1
    print(writer.traces, flush=True)
"""


def test_kill_loses_at_most_one_chunk(tmp_path: Path) -> None:
    path = tmp_path / "set"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline()) for _ in range(4)]
        os.kill(process.pid, signal.SIGKILL)
        said += [int(line) for line in process.stdout]
    found = TraceSet.open(path)
    assert len(found) - said[-1] in (0, 1000)
    for number, (traces, _) in enumerate(found.read()):
        assert (traces == number).all()


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_message(tmp_path: Path) -> None:
    with TraceSetWriter.create(tmp_path / "set", 20, "int16", {}) as writer:
        writer.append(rows(3))
        writer.flush()
        (tmp_path / "set/.000001").mkdir()
        (tmp_path / "set/.000001/traces.npy").symlink_to(FULL)
        writer.append(rows(3))
        with pytest.raises(OSError, match=r"the disk is full: chunk 1 of .*, the 3 traces before"):
            writer.flush()
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == ["000000", "set.toml"]
    assert len(TraceSet.open(tmp_path / "set")) == 3
