"""Trace sets in the formats of other tools: what their own libraries read and write.

`COCRYPT_CHIPWHISPERER` names a folder with ChipWhisperer, which needs an older NumPy than cocrypt
by its own words: `pip install --no-deps --target FOLDER chipwhisperer configobj libusb1 pyserial
tqdm fastdtw ECpy`. Its analyzer then attacks a project of ours, and we read one of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cocrypt.errors import InputError
from cocrypt.leakage import TraceSet, TraceSetWriter, formats
from cocrypt.leakage.ciphers import AES_SBOX, HAMMING
from cocrypt.leakage.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from conftest import Verb

COUNT, SAMPLES = 37, 21
PACKAGES = {".h5": "h5py", ".hdf5": "h5py", ".zarr": "zarr"}
# The largest and the smallest value of each type, beside random ones.
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"]


def need(name: str) -> Any:  # noqa: ANN401 - a package without types.
    """A package of the extra `traces`, or that reads a format by itself."""
    if find_spec(name) is None:
        pytest.skip(f"the package {name} is not installed")
    return __import__(name)


def values(kind: str, shape: tuple[int, ...], seed: int = 1) -> NDArray[Any]:
    draw = np.random.default_rng(seed)
    if kind.startswith("float"):
        return draw.standard_normal(shape).astype(np.float32).astype(kind)
    limits = np.iinfo(kind)
    found = draw.integers(limits.min, limits.max, shape, kind, endpoint=True)
    found.flat[:2] = limits.min, limits.max
    return found


def made(
    path: Path, kind: str = "int16", columns: dict[str, NDArray[Any]] | None = None
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """A set of several chunks."""
    rows = values(kind, (COUNT, SAMPLES))
    if columns is None:
        columns = {
            "plaintext": values("uint8", (COUNT, 16), 2),
            "ciphertext": values("uint8", (COUNT, 16), 3),
            "key": values("uint8", (COUNT, 16), 4),
        }
    types = {name: (array.dtype, array.shape[1:]) for name, array in columns.items()}
    with TraceSetWriter.create(path, SAMPLES, kind, types, "a test, of ours", 10) as writer:
        writer.append(rows, **columns)
    return rows, columns


def require_same(path: Path, rows: NDArray[Any], columns: dict[str, NDArray[Any]]) -> None:
    found = TraceSet.open(path)
    assert np.array_equal(np.concatenate([part for part, _ in found.read()]), rows)
    assert found.columns.keys() == columns.keys()
    for name, array in columns.items():
        assert np.array_equal(found.column(name), array), name


@pytest.mark.parametrize("ending", FORMATS)
def test_a_set_comes_back(verb: Verb, tmp_path: Path, ending: str) -> None:
    if ending in PACKAGES:
        need(PACKAGES[ending])
    rows, columns = made(tmp_path / "set")
    result = verb("leak", "export", "set", f"power{ending}")
    assert result.code == 0, result.text
    words = [f"{name}=power.{name}.npy" for name in columns] if ending == ".npy" else []
    options = [part for word in words for part in ("--column", word)]
    result = verb("leak", "import", f"power{ending}", "back", *options)
    assert result.code == 0, result.text
    require_same(tmp_path / "back", rows, columns)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    again = verb("leak", "export", "set", f"power{ending}")
    assert again.code == 1
    assert "there is already" in again.err


@pytest.mark.parametrize("kind", TYPES)
def test_trsfile_reads_what_is_written(verb: Verb, tmp_path: Path, kind: str) -> None:
    trsfile = need("trsfile")
    columns = {
        "plaintext": values("uint8", (COUNT, 16), 2),
        "key": values("uint8", (COUNT, 16), 3),
        "group": values("int16", (COUNT,), 4),
        "wide": values("uint16", (COUNT, 2), 5),
        "real": values("float64", (COUNT, 3), 6),
    }
    rows, _ = made(tmp_path / "set", kind, columns)
    if kind == "uint32":
        result = verb("leak", "export", "set", "power.trs")
        assert result.code == 1
        assert "have no type that holds the values of samples" in " ".join(result.err.split())
        assert [path.name for path in tmp_path.iterdir()] == ["set"]
        return
    assert verb("leak", "export", "set", "power.trs").code == 0
    with trsfile.open(str(tmp_path / "power.trs"), "r") as found:
        assert len(found) == COUNT
        for number, trace in enumerate(found):
            assert np.array_equal(np.array(trace), rows[number])
            parameters = {name: entry.value for name, entry in trace.parameters.items()}
            assert bytes(parameters["INPUT"]) == columns["plaintext"][number].tobytes()
            assert bytes(parameters["KEY"]) == columns["key"][number].tobytes()
            assert parameters["TVLA:SET_INDEX"] == [columns["group"][number]]
            assert np.array_equal(parameters["wide"], columns["wide"][number])
            assert np.array_equal(parameters["real"], columns["real"][number])
    assert verb("leak", "import", "power.trs", "back").code == 0
    require_same(tmp_path / "back", rows, {**columns, "group": columns["group"][:, None]})


@pytest.mark.parametrize("coding", ["BYTE", "SHORT", "INT", "FLOAT"])
def test_files_of_trsfile_become_sets(verb: Verb, tmp_path: Path, coding: str) -> None:
    trsfile = need("trsfile")
    code = trsfile.SampleCoding[coding]
    rows = values(code.format, (COUNT, SAMPLES))
    texts = values("uint8", (COUNT, 16), 2)
    with trsfile.trs_open(
        str(tmp_path / "theirs.trs"), "w", headers={trsfile.Header.TRS_VERSION: 2},
        padding_mode=trsfile.TracePadding.AUTO,
    ) as file:  # fmt: skip
        for number in range(COUNT):
            parameters = trsfile.parametermap.TraceParameterMap()
            parameters["INPUT"] = trsfile.traceparameter.ByteArrayParameter(texts[number].tobytes())
            parameters["TIMEOUT"] = trsfile.traceparameter.IntegerArrayParameter([number])
            parameters["NAME"] = trsfile.traceparameter.StringParameter("text")
            title = f"trace {number:3}"
            file.append(trsfile.Trace(code, rows[number], parameters, title))
    result = verb("leak", "import", "theirs.trs", "set")
    assert result.code == 0, result.text
    assert "NAME is left out" in result.err
    timeouts = np.arange(COUNT, dtype=np.int32)
    require_same(tmp_path / "set", rows, {"plaintext": texts, "timeout": timeouts})


def test_old_trs_files_have_plain_bytes(verb: Verb, tmp_path: Path) -> None:
    # Two traces of three samples and two bytes, as the format was before version 2.
    tags = b"\x41\x04\x02\0\0\0\x42\x04\x03\0\0\0\x43\x01\x01\x44\x02\x02\0\x45\x01\x01"
    body = b"AB\x01\x05\xff\x7f" + b"BC\x02\x06\x80\x00"
    (tmp_path / "old.trs").write_bytes(tags + b"\x5f\x00" + body)
    result = verb("leak", "import", "old.trs", "set")
    assert result.code == 0, result.text
    found = TraceSet.open(tmp_path / "set")
    assert found.column("data").tolist() == [[0x42, 0x01], [0x43, 0x02]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "its header does not end"),
        (b"\x41\x04\x02\0", "its header does not end"),
        (b"\x5f\x00", "has no tag 0x4"),
        (b"\x41\x04\x02\0\0\0\x42\x04\x03\0\0\0\x43\x01\x01\x5f\x00abcde", "no TRS file"),
        (b"\x41\x04\x02\0\0\0\x42\x04\x03\0\0\0\x43\x01\x09\x5f\x00abcdef", "the code 0x9"),
    ],
)
def test_broken_trs_files_are_told(
    verb: Verb, tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "broken.trs").write_bytes(content)
    result = verb("leak", "import", "broken.trs", "set")
    assert result.code == 1, result.text
    assert message in " ".join(result.err.split())


def test_headers_with_changed_bytes_are_read_or_told(tmp_path: Path) -> None:
    made(tmp_path / "set")
    whole = tmp_path / "power.trs"
    formats.export(TraceSet.open(tmp_path / "set"), whole, lambda _: None)
    content, changed = whole.read_bytes(), tmp_path / "changed.trs"
    draw = np.random.default_rng(9)
    told = 0
    for _ in range(1_000):
        bytes_now = bytearray(content)
        for at in draw.integers(0, 100, draw.integers(1, 4)):
            bytes_now[at] = int(draw.choice([0, 1, 0x7F, 0x80, 0xFF, int(draw.integers(256))]))
        changed.write_bytes(bytes_now)
        try:
            (segment,) = formats.read(changed, None, {})
        except InputError:
            told += 1
        else:
            assert segment.traces.ndim == 2
    assert 0 < told < 1_000


def test_datasets_of_hdf5_are_named(verb: Verb, tmp_path: Path) -> None:
    h5py = need("h5py")
    rows, texts = values("int8", (COUNT, SAMPLES)), values("uint8", (COUNT, 16), 2)
    record = np.zeros(COUNT, [("plaintext", "u1", (16,)), ("desync", "<u4")])
    record["plaintext"], record["desync"] = texts, np.arange(COUNT)
    with h5py.File(tmp_path / "ascad.h5", "w") as file:
        # The layout of the ASCAD database: records beside the traces of each group.
        file["Attack_traces/traces"], file["Attack_traces/metadata"] = rows, record
        file["Attack_traces/label"] = [f"label {n}" for n in range(COUNT)]
    array = ("--array", "Attack_traces/traces")
    result = verb("leak", "import", "ascad.h5", "all", *array)
    assert result.code == 0, result.text
    desync = np.arange(COUNT, dtype=np.uint32)
    require_same(tmp_path / "all", rows, {"plaintext": texts, "desync": desync})
    column = ("--column", "text=Attack_traces/metadata/plaintext")
    assert verb("leak", "import", "ascad.h5", "one", *array, *column).code == 0
    require_same(tmp_path / "one", rows, {"text": texts})
    missing = verb("leak", "import", "ascad.h5", "none")
    assert missing.code == 1
    assert "Attack_traces/traces" in missing.err
    objects = verb("leak", "import", "ascad.h5", "none", "--array", "Attack_traces/label")
    assert objects.code == 1
    assert "is no array of" in objects.err


def test_what_is_no_hdf5_is_told(verb: Verb, tmp_path: Path) -> None:
    need("h5py")
    (tmp_path / "text.h5").write_text("no such thing")
    result = verb("leak", "import", "text.h5", "set")
    assert result.code == 1
    assert "is no HDF5 file" in result.err


@pytest.mark.parametrize("version", [2, 3])
def test_groups_of_zarr_become_sets(verb: Verb, tmp_path: Path, version: int) -> None:
    zarr = need("zarr")
    rows, texts = values("int16", (COUNT, SAMPLES)), values("uint8", (COUNT, 16), 2)
    group = zarr.open_group(tmp_path / "theirs.zarr", mode="w", zarr_format=version)
    group.create_array("power", data=rows, chunks=(8, SAMPLES))
    group.create_array("plaintext", data=texts)
    assert verb("leak", "import", "theirs.zarr", "set", "--array", "power").code == 0
    require_same(tmp_path / "set", rows, {"plaintext": texts})


def test_a_codec_that_runs_code_is_refused(verb: Verb, tmp_path: Path) -> None:
    zarr = need("zarr")
    group = zarr.open_group(tmp_path / "theirs.zarr", mode="w", zarr_format=2)
    group.create_array("traces", data=values("int16", (COUNT, SAMPLES)))
    path = tmp_path / "theirs.zarr/traces/.zarray"
    described = json.loads(path.read_text())
    path.write_text(json.dumps({**described, "filters": [{"id": "pickle", "protocol": 5}]}))
    result = verb("leak", "import", "theirs.zarr", "set")
    assert result.code == 1, result.text
    assert "pickle" in result.err
    assert not (tmp_path / "set").exists()


def test_other_columns_of_a_project_are_left_out(verb: Verb, tmp_path: Path) -> None:
    columns = {"plaintext": values("uint8", (COUNT, 16)), "group": values("uint8", (COUNT,))}
    rows, _ = made(tmp_path / "set", "float32", columns)
    result = verb("leak", "export", "set", "capture.cwp")
    assert result.code == 0, result.text
    assert "no room for the columns group" in result.err
    assert verb("leak", "import", "capture.cwp", "back").code == 0
    require_same(tmp_path / "back", rows, {"plaintext": columns["plaintext"]})


# Programs with ChipWhisperer's own classes.
ATTACK = """
import sys
sys.path.insert(0, sys.argv[1])
import chipwhisperer, chipwhisperer.analyzer as analyzer
project = chipwhisperer.open_project(sys.argv[2])
assert len(project.traces) == len(project.waves)
results = analyzer.cpa(project, analyzer.leakage_models.sbox_output).run()
print(bytes(results.find_maximums()[part][0][0] for part in range(16)).hex())
"""
CAPTURE = """
import sys
sys.path.insert(0, sys.argv[1])
import chipwhisperer, numpy
project = chipwhisperer.create_project(sys.argv[2])
rows, texts = numpy.load("rows.npy"), numpy.load("texts.npy")
for row, text in zip(rows, texts):
    trace = chipwhisperer.Trace(row, bytearray(text), bytearray(text[::-1]), bytearray(16))
    project.traces.append(trace)
project.save()
"""

with_chipwhisperer = pytest.mark.skipif(
    "COCRYPT_CHIPWHISPERER" not in os.environ, reason="COCRYPT_CHIPWHISPERER is not set"
)


def run_theirs(program: str, folder: Path, project: str) -> str:
    words = (os.environ["COCRYPT_CHIPWHISPERER"], project)
    run = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@with_chipwhisperer
def test_the_analyzer_of_chipwhisperer_finds_the_key(verb: Verb, tmp_path: Path) -> None:
    key = np.frombuffer(bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"), np.uint8)
    texts = np.random.default_rng(1).integers(0, 256, (500, 16), np.uint8)
    noise = np.random.default_rng(2).normal(0, 1, (500, 20))
    noise[:, 2:18] += HAMMING[AES_SBOX[texts ^ key]]
    columns = {"plaintext": (np.uint8, (16,)), "key": (np.uint8, (16,))}
    with TraceSetWriter.create(tmp_path / "set", 20, "float64", columns, "drawn") as writer:
        writer.append(noise, plaintext=texts, key=np.tile(key, (500, 1)))
    assert verb("leak", "export", "set", "capture.cwp").code == 0
    assert run_theirs(ATTACK, tmp_path, "capture.cwp").split() == [key.tobytes().hex()]


@with_chipwhisperer
def test_a_project_of_chipwhisperer_becomes_a_set(verb: Verb, tmp_path: Path) -> None:
    rows, texts = values("float64", (COUNT, SAMPLES)), values("uint8", (COUNT, 16), 2)
    np.save(tmp_path / "rows.npy", rows)
    np.save(tmp_path / "texts.npy", texts)
    run_theirs(CAPTURE, tmp_path, "theirs.cwp")
    result = verb("leak", "import", "theirs.cwp", "set")
    assert result.code == 0, result.text
    columns = {"plaintext": texts, "ciphertext": texts[:, ::-1], "key": np.zeros_like(texts)}
    require_same(tmp_path / "set", rows, columns)


@pytest.mark.parametrize("ending", [".mat", ""])
def test_other_formats_are_refused(verb: Verb, tmp_path: Path, ending: str) -> None:
    made(tmp_path / "set")
    for words in (("import", f"power{ending}", "new"), ("export", "set", f"power{ending}")):
        result = verb("leak", *words)
        assert result.code == 1
        assert "is of no format that is known" in result.err
