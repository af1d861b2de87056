"""Traces of others as trace sets: .npy files, projects of ChipWhisperer, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cocrypt.leakage import TraceSet
from conftest import Verb

RANDOM = np.random.default_rng(3)


def project(folder: Path, *segments: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]) -> Path:
    """A project as ChipWhisperer 6 saves it: arrays of traces have room for further ones."""
    data = folder / "capture_data/traces"
    data.mkdir(parents=True)
    lines = ["[Trace Management]"]
    for number, (traces, texts, keys) in enumerate(segments):
        prefix = f"2024.01.01-10.00.00_{number}"
        room = np.zeros((11, traces.shape[1]))
        np.save(data / f"{prefix}traces.npy", np.concatenate([traces, room]))
        np.save(data / f"{prefix}textin.npy", texts)
        np.save(data / f"{prefix}textout.npy", texts ^ 0x5A)
        np.save(data / f"{prefix}keylist.npy", keys)
        np.save(data / f"{prefix}knownkey.npy", np.array(None), allow_pickle=True)
        settings = f"[Trace Config]\nnumTraces = {len(traces)}\nprefix = {prefix}\n"
        (data / f"config_{prefix}.cfg").write_text(settings)
        lines += [f"tracefile{number} = capture_data/traces/config_{prefix}.cfg"]
        lines += [f"enabled{number} = True"]
    path = folder / "capture.cwp"
    path.write_text("\n".join(lines) + "\n")
    return path


def segment(count: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    texts = RANDOM.integers(0, 256, (count, 16), np.uint8)
    return (
        RANDOM.normal(0, 1, (count, 50)),
        texts,
        np.tile(np.arange(16, dtype=np.uint8), (count, 1)),
    )


def test_a_project_becomes_a_set(verb: Verb, tmp_path: Path) -> None:
    parts = segment(30), segment(1100)
    result = verb("leak", "import", project(tmp_path, *parts), tmp_path / "set")
    assert result.code == 0, result.err
    assert "1,130 traces of 50 samples; columns: ciphertext, key, plaintext" in result.out
    found = TraceSet.open(tmp_path / "set")
    traces = np.concatenate([rows for rows, _ in found.read()])
    assert np.array_equal(traces, np.concatenate([part[0] for part in parts]))
    assert np.array_equal(found.column("plaintext"), np.concatenate([part[1] for part in parts]))
    assert np.array_equal(found.column("ciphertext"), found.column("plaintext") ^ 0x5A)
    assert np.array_equal(found.column("key"), np.concatenate([part[2] for part in parts]))


def test_segments_that_are_disabled_are_left_out(verb: Verb, tmp_path: Path) -> None:
    path = project(tmp_path, segment(3), segment(4))
    path.write_text(path.read_text().replace("enabled0 = True", "enabled0 = False"))
    assert verb("leak", "import", path, tmp_path / "set").code == 0
    assert len(TraceSet.open(tmp_path / "set")) == 4


def test_a_project_without_its_data_is_told(verb: Verb, tmp_path: Path) -> None:
    path = project(tmp_path, segment(3))
    (tmp_path / "capture_data").rename(tmp_path / "elsewhere")
    result = verb("leak", "import", path, tmp_path / "set")
    assert result.code == 1
    assert "which the project names" in result.err


def test_arrays_become_a_set(verb: Verb, tmp_path: Path) -> None:
    traces, texts, _ = segment(20)
    np.save(tmp_path / "power.npy", traces.astype(np.float32))
    np.save(tmp_path / "texts.npy", texts)
    words = (tmp_path / "power.npy", tmp_path / "set", "--column")
    result = verb("leak", "import", *words, f"plaintext={tmp_path / 'texts.npy'}")
    assert result.code == 0, result.err
    found = TraceSet.open(tmp_path / "set")
    assert found.dtype == np.float32
    assert np.array_equal(found.column("plaintext"), texts)


def test_what_needs_pickle_is_refused(verb: Verb, tmp_path: Path) -> None:
    path = project(tmp_path, segment(2))
    (texts,) = (tmp_path / "capture_data/traces").glob("*textin.npy")
    np.save(texts, np.array([[{}], [{}]], object), allow_pickle=True)
    result = verb("leak", "import", path, tmp_path / "set")
    assert result.code == 1
    assert "pickle" in result.err
    assert not (tmp_path / "set").exists()


MISTAKES = [
    (np.zeros(3), (), "not traces × samples"),
    (np.zeros((3, 4)), ("--column", "a"), "no column with its file"),
    (np.zeros((3, 4)), ("--column", "a=none.npy"), "there is no file none.npy"),
    (np.zeros((3, 4)), ("--column", "a=other.npy"), "for 3 traces"),
    (np.zeros((3, 4)), ("--column", "1a=power.npy"), "no name of a column"),
    (np.zeros((3, 4), np.complex128), (), "is no array of"),
]


@pytest.mark.parametrize(("traces", "words", "message"), MISTAKES)
def test_mistakes_are_told(
    verb: Verb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    traces: NDArray[Any],
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("power.npy", traces)
    np.save("other.npy", np.zeros(2))
    result = verb("leak", "import", "power.npy", "set", *words)
    assert result.code == 1
    assert message in result.err


def test_a_project_without_traces_is_told(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "empty.cwp").write_text("[Trace Management]\n")
    result = verb("leak", "import", tmp_path / "empty.cwp", tmp_path / "set")
    assert result.code == 1
    assert "no project of ChipWhisperer with traces" in result.err
