"""Statistics over trace sets, against textbook formulas in NumPy and against exact fractions."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from Crypto.Cipher import AES
from numpy.typing import NDArray

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.leakage import TraceSet, TraceSetWriter
from cocrypt.leakage.ciphers import AES_INVERSE, AES_SBOX, HAMMING, aes128_key, aes128_last_key
from cocrypt.leakage.selections import MODELS, selection
from cocrypt.leakage.statistics import attack, explained, part, signal_to_noise, welch

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"]
WHOLE = DTYPES[:6]
SAMPLES = 70


def close(found: NDArray[Any], expected: NDArray[Any]) -> bool:
    """Sums are exact or of 64 bits, so only the last roundings differ."""
    return np.allclose(found, expected, rtol=1e-9, atol=1e-12)


def written(path: Path, traces: NDArray[Any], chunk: int = 37, **columns: NDArray[Any]) -> TraceSet:
    types = {name: (array.dtype, array.shape[1:]) for name, array in columns.items()}
    width = traces.shape[1]
    with TraceSetWriter.create(path, width, traces.dtype, types, chunk=chunk) as writer:
        writer.append(traces, **columns)
    return TraceSet.open(path)


def drawn(dtype: str, count: int, seed: int = 1) -> NDArray[Any]:
    random = np.random.default_rng(seed)
    if dtype.startswith("float"):
        return random.normal(1e3, 1, (count, SAMPLES)).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, (count, SAMPLES), dtype, endpoint=True)


def textbook_t(groups: list[NDArray[Any]], order: int) -> NDArray[Any]:
    """Schneider and Moradi, with the unbiased variance of what is compared."""
    means, errors = [], []
    for group in groups:
        central = group - group.mean(0)
        compared = group if order == 1 else central**order
        if order == 3:
            compared = compared / group.std(0) ** 3
        means.append(compared.mean(0))
        errors.append(compared.var(0, ddof=1) / len(group))
    found: NDArray[Any] = (means[0] - means[1]) / np.sqrt(errors[0] + errors[1])
    return found


@pytest.mark.parametrize("dtype", DTYPES)
def test_t_is_that_of_the_textbook(tmp_path: Path, dtype: str) -> None:
    traces = drawn(dtype, 500)
    groups = np.random.default_rng(2).integers(0, 3, 500, np.uint8)
    stored = written(tmp_path / "set", traces)
    found = welch(stored, part(stored), groups, 3)
    assert found.counts == (np.sum(groups == 0), np.sum(groups == 1))
    wide = traces.astype(np.longdouble)
    for order in (1, 2, 3):
        expected = textbook_t([wide[groups == 0], wide[groups == 1]], order)
        assert close(found.t[order - 1], expected.astype(float))


@pytest.mark.parametrize("dtype", WHOLE)
def test_t_is_exact_at_the_ends_of_the_range(tmp_path: Path, dtype: str) -> None:
    """A small difference between samples at the ends of their range, in exact fractions."""
    limits = np.iinfo(dtype)
    column = np.array([limits.max, limits.max - 1, limits.max, limits.min, limits.max] * 60, dtype)
    traces = np.stack([column, column[::-1]], axis=1)
    groups = np.arange(300, dtype=np.uint8) % 7 % 2
    stored = written(tmp_path / "set", traces)
    found = welch(stored, part(stored), groups).t[0]
    for sample in range(2):
        means, errors = [], []
        for group in (0, 1):
            values = [Fraction(int(value)) for value in traces[groups == group, sample]]
            mean = sum(values) / len(values)
            scatter = sum((value - mean) ** 2 for value in values)
            means.append(mean)
            errors.append(scatter / (len(values) - 1) / len(values))
        expected = float(means[0] - means[1]) / float(errors[0] + errors[1]) ** 0.5
        assert found[sample] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_traces_give_no_number_rather_than_a_wrong_one(tmp_path: Path, count: int) -> None:
    stored = written(tmp_path / "set", drawn("int16", count))
    found = welch(stored, part(stored), np.arange(count, dtype=np.uint8) % 2, 3)
    assert all(np.isnan(order).all() for order in found.t)


@pytest.mark.parametrize("dtype", DTYPES)
def test_groups_that_do_not_vary_differ_or_have_no_t(tmp_path: Path, dtype: str) -> None:
    """Constants that floats cannot halve; a pair of equal ones, and one beside a random weight."""
    groups = np.arange(3000, dtype=np.uint8) % 3 % 2
    weights = HAMMING[np.random.default_rng(3).integers(0, 256, 3000)]
    columns = [
        np.where(groups == 0, 3, 5),
        np.where(groups == 0, 5, 3),
        np.full(3000, 7),
        np.where(groups == 0, 8, weights),
    ]
    # Tenths have no exact sum in floating point.
    scale = 0.1 if dtype.startswith("float") else 1
    traces = (np.stack(columns, axis=1) * scale).astype(dtype)
    stored = written(tmp_path / "set", traces)
    first, second, third = welch(stored, part(stored), groups, 3).t
    assert first[:2].tolist() == [-np.inf, np.inf]
    assert np.isnan(first[2])
    wide = traces[:, 3].astype(np.float64)
    pair = [wide[groups == 0], wide[groups == 1]]
    assert first[3] == pytest.approx(textbook_t(pair, 1), rel=1e-6)
    assert np.isnan(second[:3]).all()
    assert second[3] == pytest.approx(textbook_t(pair, 2), rel=1e-6)
    assert np.isnan(third).all()


def correlation(traces: NDArray[Any], model: NDArray[Any]) -> NDArray[Any]:
    """Pearson's correlation of each column with each model (traces × guesses)."""
    left = model - model.mean(0)
    right = traces.astype(np.float64) - traces.mean(0, dtype=np.float64)
    scale: NDArray[Any] = np.sqrt(np.outer((left**2).sum(0), (right**2).sum(0)))
    found: NDArray[Any] = (left.T @ right) / scale
    return found


@pytest.mark.parametrize("dtype", DTYPES)
def test_correlation_is_that_of_the_textbook(tmp_path: Path, dtype: str) -> None:
    random = np.random.default_rng(3)
    texts = random.integers(0, 256, (400, 16), np.uint8)
    traces = drawn(dtype, 400, 4)
    stored = written(tmp_path / "set", traces, plaintext=texts)
    chosen = MODELS["aes-first"].select("plaintext", None)[:2]
    found = attack(stored, part(stored), chosen, [150, 400], [7, 9])
    for step, count in enumerate((150, 400)):
        for byte, guess in ((0, 7), (1, 9)):
            model = HAMMING[AES_SBOX[texts[:count, byte, None] ^ np.arange(256)]]
            expected = correlation(traces[:count], model)
            outcome = found[step][byte]
            assert close(outcome.peaks, np.abs(expected).max(1))
            assert np.array_equal(outcome.positions, np.abs(expected).argmax(1))
            if step:
                assert close(outcome.curves[guess], expected[guess])
                assert close(outcome.curves[outcome.best], expected[outcome.best])


def test_windows_of_samples_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = np.random.default_rng(5).integers(0, 256, (300, 16), np.uint8)
    stored = written(tmp_path / "set", drawn("int16", 300), plaintext=texts)
    chosen = MODELS["aes-first"].select("plaintext", None)[:1]
    within = part(stored, 250, (3, 69))
    (whole,) = attack(stored, within, chosen, [250], [5])[0]
    monkeypatch.setattr("cocrypt.leakage.statistics.MEMORY", 1)
    (parts,) = attack(stored, within, chosen, [250], [5])[0]
    assert np.array_equal(whole.peaks, parts.peaks)
    assert np.array_equal(whole.positions, parts.positions)
    for guess in (5, whole.best):
        assert np.array_equal(whole.curves[guess], parts.curves[guess])


def test_the_distance_of_the_last_round_is_that_of_the_register(tmp_path: Path) -> None:
    """The correlation with bits that flip, of bytes that ShiftRows moves and those that stay."""
    texts = np.random.default_rng(6).integers(0, 256, (300, 16), np.uint8)
    traces = drawn("int16", 300)
    stored = written(tmp_path / "set", traces, ciphertext=texts)
    chosen = MODELS["aes-last"].select("ciphertext", None)
    outcomes = attack(stored, part(stored), chosen, [300])[0]
    # ChipWhisperer's table of the same (analyzer, models/aes/funcs.py), by hand from FIPS 197.
    replaced_by = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11]
    for byte, other in enumerate(replaced_by):
        before = AES_INVERSE[texts[:, byte, None] ^ np.arange(256)]
        expected = correlation(traces, HAMMING[before ^ texts[:, other, None]])
        assert close(outcomes[byte].peaks, np.abs(expected).max(1))


def test_the_difference_of_means_is_that_of_the_textbook(tmp_path: Path) -> None:
    texts = np.random.default_rng(7).integers(0, 256, (300, 8), np.uint8)
    traces = drawn("int16", 300)
    stored = written(tmp_path / "set", traces, plaintext=texts)
    chosen = MODELS["present-first"].select("plaintext", 2)
    (outcome,) = attack(stored, part(stored), chosen[3:4], [300], difference=True)[0]
    sbox = np.array([0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2])
    for guess in range(16):
        bits = sbox[texts[:, 6] >> 4 ^ guess] >> 2 & 1
        expected = traces[bits == 1].mean(0) - traces[bits == 0].mean(0)
        assert outcome.peaks[guess] == pytest.approx(np.abs(expected).max(), rel=1e-9)


@pytest.mark.parametrize("dtype", ["int16", "uint16"])
def test_sums_of_a_class_beyond_32_bits_are_exact(tmp_path: Path, dtype: str) -> None:
    """So many traces near the end of the range, nearly all of one class, in whole numbers."""
    random, count = np.random.default_rng(31), 70_000
    texts = (random.integers(0, 100, (count, 1)) == 0).astype(np.uint8)
    traces = np.iinfo(dtype).max - random.integers(0, 3, (count, 2)) - texts
    stored = written(tmp_path / "set", traces.astype(dtype), 20_000, plaintext=texts)
    table = np.zeros((2, 256))
    table[1, 1] = 1
    chosen = [selection("class", [("plaintext", 0)], table)]
    (share,) = explained(stored, part(stored), chosen)
    (outcome,) = attack(stored, part(stored), chosen, [count])[0]
    for sample, column in enumerate(traces.T):
        assert int(column[texts[:, 0] == 0].sum()) > 1 << 31
        whole, sums = [int(power.sum()) for power in (column, column**2)], []
        for value in (0, 1):
            values = column[texts[:, 0] == value]
            sums.append((int(values.sum()), len(values)))
        scatter = whole[1] - Fraction(whole[0] ** 2, count)
        between = sum(Fraction(total**2, n) for total, n in sums) - Fraction(whole[0] ** 2, count)
        assert share[sample] == pytest.approx(float(between / scatter), rel=1e-12)
        # Of two classes the share is the square of the correlation.
        assert outcome.curves[1][sample] ** 2 == pytest.approx(share[sample], rel=1e-12)


@pytest.mark.parametrize("dtype", ["int16", "float32"])
def test_the_share_explained_is_that_of_the_textbook(tmp_path: Path, dtype: str) -> None:
    texts = np.random.default_rng(8).integers(0, 9, (600, 2), np.uint8)
    traces = drawn(dtype, 600)
    stored = written(tmp_path / "set", traces, plaintext=texts)
    chosen = [selection(f"{byte}", [("plaintext", byte)], np.zeros((2, 256))) for byte in (0, 1)]
    shares = explained(stored, part(stored), chosen)
    wide = traces.astype(np.float64)
    for byte, share in enumerate(shares):
        means = np.stack([wide[texts[:, byte] == value].mean(0) for value in range(9)])
        signal = means[texts[:, byte]].var(0)
        noise = (wide - means[texts[:, byte]]).var(0)
        assert close(share, signal / wide.var(0))
        assert close(signal_to_noise(share), signal / noise)


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
@pytest.mark.parametrize("count", [200, 1_000, 4_999])
def test_samples_without_noise_have_a_share_of_one(tmp_path: Path, dtype: str, count: int) -> None:
    texts = np.random.default_rng(count).integers(0, 256, (count, 1), np.uint8)
    scales = np.linspace(1, 100, SAMPLES) / (1 if dtype == "int16" else 7)
    power = (HAMMING[AES_SBOX[texts]] * scales + 1000).astype(dtype)
    stored = written(tmp_path / "set", power, plaintext=texts)
    chosen = [selection("0", [("plaintext", 0)], np.zeros((2, 256)))]
    (share,) = explained(stored, part(stored), chosen)
    assert (share == 1).all()
    assert np.isposinf(signal_to_noise(share)).all()


def test_roundings_of_a_share_do_not_become_a_ratio() -> None:
    shares = np.array([0.0, 0.5, 1 - 1e-9, np.nextafter(1, 0), 1.0, np.nextafter(1, 2)])
    assert signal_to_noise(shares) == pytest.approx([0, 1, 1e9, np.inf, np.inf, np.inf], rel=1e-6)


def test_the_share_explained_is_computed_in_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = np.random.default_rng(8).integers(0, 9, (300, 1), np.uint8)
    stored = written(tmp_path / "set", drawn("int16", 300), plaintext=texts)
    chosen = [selection("0", [("plaintext", 0)], np.zeros((2, 256)))]
    within = part(stored, None, (2, 69))
    (whole,) = explained(stored, within, chosen)
    widths = []
    native = _native.leak_explained

    def recorded(path: Path, traces: Any, samples: Any, *rest: Any) -> Any:  # noqa: ANN401
        widths.append(samples[1] - samples[0])
        return native(path, traces, samples, *rest)

    monkeypatch.setattr("cocrypt._native.leak_explained", recorded)
    monkeypatch.setattr("cocrypt.leakage.statistics.MEMORY", 1)
    (parts,) = explained(stored, within, chosen)
    assert widths == [64, 3]
    assert np.array_equal(whole, parts)


def test_the_share_explained_is_that_of_one_table(tmp_path: Path) -> None:
    texts = np.random.default_rng(8).integers(0, 256, (300, 16), np.uint8)
    stored = written(tmp_path / "set", drawn("int16", 300), ciphertext=texts)
    with pytest.raises(InputError, match="byte 0 has 8 terms"):
        explained(stored, part(stored), MODELS["aes-last"].select("ciphertext", None))


def test_whole_samples_do_not_overflow(tmp_path: Path) -> None:
    """All samples at an end of int16, but for one bit of the model: the correlation is 1."""
    texts = np.arange(4096, dtype=np.uint8).reshape(-1, 1)
    bits = HAMMING[AES_SBOX[texts[:, 0] ^ 0x2B]] >= 4
    traces = np.where(bits, 32767, -32768).astype(np.int16)[:, None]
    stored = written(tmp_path / "set", traces, 4096, plaintext=texts)
    table = (HAMMING[AES_SBOX[np.bitwise_xor.outer(np.arange(256), np.arange(256))]] >= 4) * 1.0
    (outcome,) = attack(stored, part(stored), [selection("0", [("plaintext", 0)], table)], [4096])[
        0
    ]
    assert outcome.best == 0x2B
    assert outcome.peaks[0x2B] == pytest.approx(1.0, abs=1e-14)


def test_the_key_schedule_goes_both_ways() -> None:
    """FIPS 197, appendix A.1."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    last = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")
    assert aes128_last_key(key) == last
    assert aes128_key(last) == key


def test_the_last_round_gives_the_key_of_real_ciphertexts(tmp_path: Path) -> None:
    """Ciphertexts are PyCryptodome's."""
    random = np.random.default_rng(9)
    key = random.bytes(16)
    cipher = AES.new(key, AES.MODE_ECB)
    texts = np.frombuffer(cipher.encrypt(random.bytes(16 * 3000)), np.uint8).reshape(-1, 16)
    last = np.frombuffer(aes128_last_key(key), np.uint8)
    before = np.empty_like(texts)
    moved = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11]
    before[:, moved] = AES_INVERSE[texts ^ last]
    power = HAMMING[before ^ texts].sum(1) + random.normal(0, 2, 3000)
    traces = np.round(power[:, None] * 100).astype(np.int16)
    stored = written(tmp_path / "set", traces, 1000, ciphertext=texts)
    chosen = MODELS["aes-last"].select("ciphertext", None)
    outcomes = attack(stored, part(stored), chosen, [3000])[0]
    whole_key = MODELS["aes-last"].whole_key
    assert whole_key is not None
    assert whole_key([outcome.best for outcome in outcomes]) == key
