"""`cocrypt leak tvla`, `leak attack` and `leak snr`: verdicts, tables, JSON, files and mistakes."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import output_schemas
from cocrypt.leakage import TraceSet, TraceSetWriter
from cocrypt.leakage.ciphers import AES_SBOX, HAMMING
from cocrypt.leakage.rank import key_rank
from conftest import Verb

KEY = bytes(range(0x40, 0x50))
COLUMNS = {"plaintext": ("uint8", (16,)), "key": ("uint8", (16,)), "group": ("uint8", ())}
SAMPLES = 40
COUNT = 600


def simulated(path: Path, fixed: float) -> Path:
    """A set whose sample 10 + b leaks the S-box output of byte b; a share has one text."""
    random = np.random.default_rng(1)
    group = (random.random(COUNT) >= fixed).astype(np.uint8)
    texts = random.integers(0, 256, (COUNT, 16), np.uint8)
    texts[group == 0] = 0xFF
    power = random.normal(0, 10, (COUNT, SAMPLES))
    key = np.frombuffer(KEY, np.uint8)
    power[:, 10:26] += 20 * HAMMING[AES_SBOX[texts ^ key]]
    with TraceSetWriter.create(path, SAMPLES, "int16", COLUMNS, "simulated", 250) as writer:
        rows = np.round(power).astype(np.int16)
        writer.append(rows, plaintext=texts, key=np.tile(key, (COUNT, 1)), group=group)
        names = ["<aes>"] * SAMPLES
        cycles = range(100, 100 + SAMPLES)
        lines = range(1, 1 + SAMPLES)
        files = ["aes.c"] * SAMPLES
        writer.axis(
            pl.DataFrame({"cycle": cycles, "function": names, "file": files, "line": lines})
        )
    return path


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of which half the traces have one text."""
    return simulated(tmp_path_factory.mktemp("groups") / "set", 0.5)


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set with random texts."""
    return simulated(tmp_path_factory.mktemp("traces") / "set", 0.0)


def test_groups_that_differ_are_found_at_their_lines(verb: Verb, groups: Path) -> None:
    result = verb("leak", "tvla", groups, "--orders", "3", "--json")
    assert result.code == 3
    values = json.loads(result.out)
    output_schemas.check("leak-tvla", values)
    assert values["differ"]
    found = values["orders"][0]["points"][0]
    assert 10 <= found["sample"] < 26
    assert (found["file"], found["line"]) == ("aes.c", found["sample"] + 1)
    assert found["cycle"] == found["sample"] + 100
    assert "secure" not in values["verdict"]


def test_halves_of_a_group_do_not_differ(verb: Verb, groups: Path, tmp_path: Path) -> None:
    csv, page = tmp_path / "t.csv", tmp_path / "t.html"
    words = ("--split", "1", "--samples", "5:30", "--csv", csv, "--report", page)
    result = verb("leak", "tvla", groups, *words)
    assert result.code == 0
    assert "does not show that there is none" in result.out
    table = pl.read_csv(csv)
    assert table["sample"].to_list() == list(range(5, 30))
    assert table["t1"].abs().max() < 4.5  # type: ignore[operator]
    assert "&lt;aes&gt;" in page.read_text()
    assert "<aes>" not in page.read_text()


def attacked(verb: Verb, *words: Any) -> dict[str, Any]:  # noqa: ANN401 - words of a command.
    result = verb("leak", "attack", *words, "--json")
    assert result.code == 0, result.err
    values: dict[str, Any] = json.loads(result.out)
    output_schemas.check("leak-attack", values)
    return values


def test_a_known_key_has_its_ranks(verb: Verb, traces: Path, tmp_path: Path) -> None:
    csv, page = tmp_path / "a.csv", tmp_path / "a.html"
    values = attacked(verb, traces, "--repeat", "2", "--csv", csv, "--report", page)
    assert values["key"] == KEY.hex()
    assert values["found"] == 16
    assert [part["sample"] for part in values["parts"]] == list(range(10, 26))
    last = values["steps"][-1]
    assert (last["traces"], last["success_rate"], last["guessing_entropy"]) == (300, 1, 1)
    assert last["rank_bits"][0] == 0
    assert len(pl.read_csv(csv)) == 2 * len(values["steps"]) * 16 * 256
    assert "16 of 16 parts of the key found" in page.read_text()


def test_another_key_is_not_found(verb: Verb, traces: Path) -> None:
    values = attacked(verb, traces, "--key", "00" * 16, "--parts", "0,7", "--steps", "2")
    assert (values["found"], values["key"]) == (0, None)
    assert "does not show" in values["verdict"]


def test_a_table_of_ones_own_is_a_model(verb: Verb, traces: Path, tmp_path: Path) -> None:
    table = HAMMING[AES_SBOX[np.bitwise_xor.outer(np.arange(256), np.arange(256))]]
    np.save(tmp_path / "table.npy", table)
    words = ("--table", tmp_path / "table.npy", "--steps", "1")
    values = attacked(verb, traces, *words)
    assert bytes(part["guess"] for part in values["parts"]) == KEY
    assert values["model"] is None


def test_the_difference_of_means_finds_the_key(verb: Verb, traces: Path) -> None:
    values = attacked(verb, traces, "--bit", "3", "--difference", "--steps", "1", "--parts", "2")
    assert values["parts"][0]["guess"] == KEY[2]


MISTAKES = [
    (("attack", "--model", "des"), "there is no model `des`"),
    (("attack", "--samples", "7"), "`7` is no range of samples"),
    (("attack", "--samples", "30:80"), "has 40 samples"),
    (("attack", "--traces", "1000"), "has 600 traces, not 1,000"),
    (("attack", "--key", "xy"), "is no key"),
    (("attack", "--key", "00"), "--key has 1 bytes"),
    (("attack", "--column", "text"), "has no column `text`"),
    (("attack", "--column", "group"), "byte 1 of it is asked for"),
    (("attack", "--parts", "16"), "the parts 0 to 15"),
    (("attack", "--model", "present-first", "--bit", "5"), "bits 0 to 3"),
    (("attack", "--repeat", "400"), "too few"),
    (("tvla", "--column", "plaintext"), "no column `plaintext` with one number"),
    (("tvla", "--values", "0"), "no pair of values"),
    (("tvla", "--values", "0,9"), "less than two"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes_are_told(verb: Verb, traces: Path, words: tuple[str, ...], message: str) -> None:
    name, *rest = words
    result = verb("leak", name, traces, *rest)
    assert result.code == 1
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_table_that_needs_pickle_is_refused(verb: Verb, traces: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.npy"
    np.save(path, np.array([{}], object), allow_pickle=True)
    result = verb("leak", "attack", traces, "--table", path)
    assert result.code == 1
    assert "pickle" in result.err


def test_a_table_may_have_fewer_guesses_than_a_key_byte(
    verb: Verb, traces: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.npy"
    np.save(table, np.arange(16 * 256).reshape(16, 256) * 37 % 9)
    values = attacked(verb, traces, "--table", table, "--steps", "1")
    assert (values["found"], values["parts"][0]["right"]) == (None, None)
    result = verb("leak", "attack", traces, "--table", table, "--key", KEY.hex())
    assert result.code == 1
    assert "--key has 0x40 for byte 0, and the table has guesses up to 0x0f" in result.err


@pytest.mark.parametrize("kind", ["empty", "npz", "broken", "text"])
def test_files_that_are_no_table_are_refused(
    verb: Verb, traces: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "table.npy"
    path.write_bytes({"broken": b"PK\3\4 not a zip", "text": b"1 2 3\n"}.get(kind, b""))
    if kind == "npz":
        with path.open("wb") as file:
            np.savez(file, table=np.zeros((256, 256)))
    result = verb("leak", "attack", traces, "--table", path)
    assert result.code == 1
    assert "Traceback" not in result.err
    assert "table.npy is no" in result.err


def test_groups_that_do_not_vary_differ_infinitely(verb: Verb, tmp_path: Path) -> None:
    group = np.arange(20, dtype=np.uint8) % 2
    columns = {"group": ("uint8", ())}
    with TraceSetWriter.create(tmp_path / "set", 3, "int16", columns) as writer:
        writer.append(np.stack([group * 2 + 3, group * 0, 5 - group], axis=1), group=group)
    csv, page = tmp_path / "t.csv", tmp_path / "t.html"
    words = ("leak", "tvla", tmp_path / "set", "--orders", "3")
    result = verb(*words, "--csv", csv, "--report", page)
    assert result.code == 3
    assert "infinite" in result.out
    assert "infinite at sample 0, where the groups do not vary and differ" in result.err
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    assert table[::2, 1].tolist() == [-np.inf, np.inf]
    assert "Infinity" not in page.read_text()
    values = json.loads(verb(*words, "--json").out, parse_constant=pytest.fail)
    output_schemas.check("leak-tvla", values)
    assert values["differ"]
    first, second, _ = values["orders"]
    assert (first["max_t"], first["above"], first["infinite"]) == (None, 2, 2)
    assert [(point["sample"], point["t"]) for point in first["points"]] == [(0, None), (2, None)]
    assert (second["max_t"], second["above"], second["infinite"], second["points"]) == (0, 0, 0, [])


@pytest.mark.parametrize("seed", range(5))
def test_the_rank_of_a_key_is_that_of_full_enumeration(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = [random.normal(0, 1, 16) for _ in range(4)]
    right = [int(random.integers(16)) for _ in scores]
    true = sum(part[guess] for part, guess in zip(scores, right, strict=True))
    better = sum(sum(key) > true for key in itertools.product(*scores))
    low, high = key_rank(scores, right)
    assert low <= np.log2(1 + better) <= high
    assert high - low < 0.2 or better < 50


def test_the_signal_is_where_the_byte_is_used(verb: Verb, traces: Path, tmp_path: Path) -> None:
    csv = tmp_path / "snr.csv"
    result = verb("leak", "snr", traces, "--parts", "0,3", "--csv", csv, "--json")
    assert result.code == 0, result.err
    values = json.loads(result.out)
    output_schemas.check("leak-snr", values)
    assert [part["sample"] for part in values["parts"]] == [10, 13]
    assert [part["line"] for part in values["parts"]] == [11, 14]
    stored = TraceSet.open(traces)
    texts = stored.column("plaintext")[:, 3]
    power = np.concatenate([chunk for chunk, _ in stored.read()]).astype(float)
    groups = [power[texts == value] for value in np.unique(texts)]
    means = np.repeat([group.mean(0) for group in groups], [len(group) for group in groups], 0)
    share = means.var(0) / power.var(0)
    table = pl.read_csv(csv)
    assert table["sample"].to_list() == list(range(SAMPLES))
    name = values["parts"][1]["name"]
    assert table[f"nicv {name}"].to_list() == pytest.approx(share, rel=1e-7)
    assert table[f"snr {name}"].to_list() == pytest.approx(share / (1 - share), rel=1e-6)
    assert values["parts"][1]["classes"] == len(groups)
    # The samples that depend on other bytes alone are near what chance explains.
    others = np.delete(share, 13)
    assert values["parts"][1]["floor"] == pytest.approx(others.mean(), rel=0.05)
    assert [part["above"] for part in values["parts"]] == [1, 1]
    assert others.max() < values["parts"][1]["threshold"] < values["parts"][1]["nicv"]
    shown = verb("leak", "snr", traces, "--parts", "3")
    assert f"{values['parts'][1]['nicv']:.4g}" in shown.out


def test_a_signal_without_noise_is_infinite(verb: Verb, tmp_path: Path) -> None:
    texts = np.random.default_rng(2).integers(0, 256, (1_000, 16), np.uint8)
    power = (HAMMING[AES_SBOX[texts]] / 7).astype(np.float32)
    columns = {"plaintext": (np.uint8, (16,))}
    with TraceSetWriter.create(tmp_path / "set", 16, "float32", columns, "", 250) as writer:
        writer.append(power, plaintext=texts)
    result = verb("leak", "snr", "set", "--parts", "0,3", "--json")
    assert result.code == 0, result.err
    values = json.loads(result.out)
    output_schemas.check("leak-snr", values)
    assert [(part["nicv"], part["snr"]) for part in values["parts"]] == [(1, None), (1, None)]
    assert "infinite" in verb("leak", "snr", "set", "--parts", "0").out


def test_a_single_trace_has_no_signal(verb: Verb, tmp_path: Path) -> None:
    columns = {"plaintext": (np.uint8, (16,))}
    with TraceSetWriter.create(tmp_path / "set", 3, "int16", columns, "", 250) as writer:
        writer.append(np.ones((1, 3), np.int16), plaintext=np.zeros((1, 16), np.uint8))
    result = verb("leak", "snr", "set")
    assert result.code == 1, result.text
    assert "give at least two traces" in result.err


def test_classes_of_a_nibble_are_its_values(verb: Verb, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    texts = random.integers(0, 256, (2_000, 8), np.uint8)
    # The lowest nibble of the last byte is nibble 0, the upper one nibble 1.
    power = np.stack([random.normal(0, 1, 2_000), HAMMING[texts[:, 7] >> 4]], 1)
    columns = {"plaintext": (np.uint8, (8,))}
    with TraceSetWriter.create(tmp_path / "set", 2, "float64", columns, "", 250) as writer:
        writer.append(power, plaintext=texts)
    words = ("leak", "snr", "set", "--model", "present-first", "--parts", "0,1", "--json")
    low, high = json.loads(verb(*words).out)["parts"]
    assert (low["classes"], high["classes"]) == (16, 16)
    assert low["floor"] == pytest.approx(15 / 1_999)
    assert low["nicv"] < 0.05
    assert (high["nicv"], high["snr"], high["sample"]) == (1, None, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--model", "aes-last", "--column", "plaintext"), "a selection by one table"),
        (("--parts", "16"), "the parts 0 to 15"),
        (("--column", "group", "--parts", "1"), "group"),
        (("--model", "aes-first", "--table", "x.npy"), "a model of its own"),
    ],
)
def test_signals_that_cannot_be_computed_are_refused(
    verb: Verb, traces: Path, words: tuple[str, ...], message: str
) -> None:
    result = verb("leak", "snr", traces, *words)
    assert result.code == 1, result.text
    assert message in " ".join(result.err.split())
