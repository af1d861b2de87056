"""Simulated power traces: samples against an independent reference, and known leaks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scalar_leakage
from cocrypt import _native
from cocrypt.device import Device
from cocrypt.leakage import TraceSet, sampling
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb

TEXT = bytes.fromhex("0001020304050607")
CORES = ("picorv32", "stm32f4-24mhz")
MODELS = Path(__file__).parents[2] / "devices" / "leakage"

MIXING = """
#include <stdint.h>
uint8_t text[16], table[256];
uint32_t words[4];
__attribute__((noinline)) void mix(uint8_t *bytes) {
    uint32_t sum = 0x9e3779b9u;
    for (unsigned i = 0; i < 16; i++) {
        table[bytes[i]] ^= (uint8_t)(i * 7u);
        sum = (sum << 5 | sum >> 27) ^ table[(bytes[i] + sum) & 255u];
        words[i & 3] += sum * 13u;
        if (sum & 1u) words[0] -= (uint32_t)(int8_t)bytes[i];
    }
    for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(words[i & 3] >> (i * 2u));
}
int main(void) { mix(text); return 0; }
"""

BRANCH = """#include <stdint.h>
volatile uint8_t key[1];
volatile uint32_t sum;
__attribute__((noinline)) void ladder(void) {
    uint32_t bits = key[0];
    for (unsigned i = 0; i < 4; i++) {
        if (bits >> i & 1u)
            sum = sum * 3u + 1u;
    }
}
int main(void) { ladder(); return 0; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Builds a program for a device."""

    def build(text: str, device: str) -> Path:
        source = tmp_path_factory.mktemp("program") / "main.c"
        source.write_text(text, encoding="utf-8")
        toolchain = Toolchain(Device.load(device))
        units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
        return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)

    return build


@pytest.mark.parametrize("model", ["hamming", "values", "transitions"])
def test_samples_equal_a_scalar_reference(model: str, program: Callable[[str, str], Path]) -> None:
    machine = Machine("picorv32", program(MIXING, "picorv32"))
    machine.native.run_to(machine.address("mix"), 1_000_000)
    reference = scalar_leakage.Reference(machine, MODELS / f"{model}.toml")
    text = bytes(range(3, 253, 16))
    place = (machine.address("text"), 16)
    sampler = _native.LeakageSampler(
        machine.native, MODELS / f"{model}.toml", [place], [], 10**7, 1
    )
    first = sampler.first(text)
    samples = reference.samples(place[0], text, first)
    assert first["instructions"] > 300
    assert np.array_equal(np.array(first["samples"]), samples)


def traces(verb: Verb, folder: Path, *words: str) -> tuple[TraceSet, dict[str, Any]]:
    result = verb("leak", "trace", *words, "-o", str(folder), "--json")
    assert result.code == 0, result.text
    return TraceSet.open(folder), json.loads(result.out)


def correlations(samples: Any, predicted: Any) -> Any:  # noqa: ANN401 - arrays.
    """The correlation of predictions (× traces) with samples, 0 where a sample never changes."""
    samples = samples - samples.mean(axis=0)
    predicted = predicted - predicted.mean(axis=1, keepdims=True)
    scale = np.sqrt(np.outer((predicted**2).sum(axis=1), (samples**2).sum(axis=0)))
    return (predicted @ samples) / np.where(scale == 0, np.inf, scale)


@pytest.mark.parametrize("device", CORES)
def test_the_substitution_of_a_table_leaks_at_its_line(
    device: str, verb: Verb, tmp_path: Path
) -> None:
    words = ("aes128/ref", "-d", device, "--random", "text", "-n", "150", "--model", "values")
    found, values = traces(verb, tmp_path / "set", *words, "--noise", "1", "--seed", "5")
    assert values["constant_flow"]
    samples = np.concatenate([rows for rows, _ in found.read()])
    text, key = found.column("text"), found.column("key")
    axis = found.axis()
    assert axis is not None
    ones = np.array([byte.bit_count() for byte in range(256)])
    box = np.array(substitution())
    for byte in (0, 7):
        guesses = np.arange(256)[:, np.newaxis]
        predicted = ones[box[text[:, byte] ^ guesses]].astype(np.float32)
        strength = np.abs(correlations(samples, predicted))
        assert int(strength.max(axis=1).argmax()) == key[0, byte]
        row = axis.row(int(strength[key[0, byte]].argmax()), named=True)
        assert "aes128_sbox[" in line_of(row)


def substitution() -> list[int]:
    """The substitution of AES, from its definition (FIPS 197, section 5.1.1)."""
    inverse = [0] * 256
    for a in range(1, 256):
        inverse[a] = next(b for b in range(1, 256) if product(a, b) == 1)
    turned = [[b << n & 255 | b >> 8 - n for n in range(5)] for b in inverse]
    return [0x63 ^ t[0] ^ t[1] ^ t[2] ^ t[3] ^ t[4] for t in turned]


def product(a: int, b: int) -> int:
    total = 0
    while b:
        total ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return total


@pytest.mark.parametrize("device", CORES)
def test_a_branch_on_a_key_bit_leaks_at_its_line(
    device: str, verb: Verb, tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    image = program(BRANCH, device)
    words = (str(image), "-d", device, "--from", "ladder", "--random", "key", "-n", "400")
    found, values = traces(verb, tmp_path / "set", *words, "--model", "values")
    assert not values["constant_flow"]
    assert 0 < values["different"] < 400
    bit = found.column("key")[:, 0] & 1
    samples = np.concatenate([rows for rows, _ in found.read()]).astype(float)
    axis = found.axis()
    assert axis is not None
    strength = np.abs(correlations(samples, bit[np.newaxis].astype(float)))[0]
    # The weight of the byte itself correlates with one of its bits by 0.35. Before the branch, all
    # runs have taken the same path.
    row = axis.row(int(np.flatnonzero(strength > 0.5)[0]), named=True)
    assert "if (bits >> i & 1u)" in line_of(row)


def line_of(row: dict[str, Any]) -> str:
    lines = Path(str(row["file"])).read_text(encoding="utf-8").splitlines()
    return lines[int(row["line"]) - 1]


def test_the_page_has_a_valid_model(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/simulated-traces.md").read_text(encoding="utf-8")
    (model,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "model.toml"
    path.write_text(model, encoding="utf-8")
    values = _native.load_leakage(path)
    assert values["weights"]["data"]["distance"][:2] == [1.2, 0.9]
    assert values["kinds"]["multiply"]["constant"] == 12.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights.result.weight = 1", "leakage"),
        ("[leakage]\ntitle = 'x'", "no weight"),
        ("[leakage]\ntitle = 'x'\n[weights.result]\nweight = 'a'", "a number from"),
        ("[leakage]\ntitle = 'x'\n[weights.result]\nweight = inf", "numbers from -"),
        ("[leakage]\ntitle = 'x'\n[weights.results]\nweight = 1", "results"),
        ("[leakage]\ntitle = 'x'\n[kinds.mul.data]\nweight = 1", "kind of instructions"),
    ],
)
def test_mistakes_in_models_are_explained(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(_native.DiagnosticError) as raised:
        _native.load_leakage(path)
    assert message in raised.value.rendered


def test_contents_and_noise_depend_on_the_seed_alone(verb: Verb, tmp_path: Path) -> None:
    words = ("speck64_128/lean", "--fixed-vs-random", f"text={TEXT.hex()}", "--noise", "2")
    sets = {}
    for name, more in {
        "one": ("-n", "30", "--jobs", "1"),
        "two": ("-n", "40", "--jobs", "2"),
        "other": ("-n", "30", "--seed", "1"),
    }.items():
        found, _ = traces(verb, tmp_path / name, *words, *more)
        sets[name] = (next(found.read())[0][:30], found.column("text")[:30], found.column("group"))
    samples, text, group = sets["one"]
    assert np.array_equal(samples[:, 0], sets["two"][0][:, 0])
    assert np.array_equal(text, sets["two"][1])
    assert not np.array_equal(text, sets["other"][1])
    is_fixed = (text == np.frombuffer(TEXT, np.uint8)).all(axis=1)
    assert np.array_equal(is_fixed, group == 0)


ENDLESS = """
#include <stdint.h>
uint8_t flow[4], group[4];
__attribute__((noinline)) void wait(volatile uint8_t *bytes) { while (!bytes[0]) {} }
int main(void) { wait(flow); return group[0]; }
"""


def test_contents_do_not_depend_on_chunks(
    verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("speck64_128/lean", "--fixed-vs-random", f"text={TEXT.hex()}", "--noise", "2")
    sets = []
    for chunk in (sampling.CHUNK, 150_000):
        monkeypatch.setattr(sampling, "CHUNK", chunk)
        found, _ = traces(verb, tmp_path / str(chunk), *words, "-n", "150")
        chunks = [rows for rows, _ in found.read()]
        samples = np.concatenate(chunks)
        sets.append((len(chunks), samples, found.column("text"), found.column("group")))
    assert sets[0][0] != sets[1][0]
    for whole, parts in zip(sets[0][1:], sets[1][1:], strict=True):
        assert np.array_equal(whole, parts)
    assert len(np.unique(sets[0][1], axis=0)) == 150


def test_the_first_run_is_the_first_trace(
    verb: Verb, tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    image = str(program(BRANCH, "picorv32"))
    words = (image, "-d", "picorv32", "--from", "ladder", "--random", "key", "-n", "9")
    for seed in range(4):
        found, values = traces(verb, tmp_path / str(seed), *words, "--seed", str(seed))
        assert found.column("flow")[0] == 1
        assert values["different"] == 9 - found.column("flow").sum()


@pytest.mark.parametrize("name", ["flow", "group"])
def test_memory_is_not_called_as_a_column_of_the_set(
    name: str, verb: Verb, tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    image = str(program(ENDLESS, "picorv32"))
    words = ("-d", "picorv32", "--from", "wait", "--random", name, "-o", str(tmp_path / "set"))
    result = verb("leak", "trace", image, *words)
    assert result.code == 1
    assert f"`{name}` cannot be a column's name" in result.text
    assert not (tmp_path / "set").exists()


def test_a_function_that_does_not_return_names_the_limit(
    verb: Verb, tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    image = str(program(ENDLESS, "picorv32"))
    words = ("-d", "picorv32", "--from", "wait", "--max-cycles", "1000")
    result = verb("leak", "trace", image, *words, "-o", str(tmp_path / "set"))
    assert result.code == 3
    assert "raise --max-cycles, which is 1,000" in result.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("aes128/ref", "--random", "tex"), "no memory that"),
        (("aes128", "--random", "text"), "several implementations"),
        (("aes128/ref", "--fixed", "text=00"), "1 are given"),
        (("aes128/ref", "--fixed", "text"), "has no bytes"),
        (("aes128/ref", "--random", "text+8:9"), "does not lie within"),
        (("aes128/ref", "--random", "text", "--random", "text:4"), "named twice"),
        (("aes128/ref", "--random", "text", "--model", "ham"), "no leakage model"),
        (("aes128/ref", "--random", "text", "--from", "sign"), "no operation"),
    ],
)
def test_mistakes_are_explained(
    words: tuple[str, ...], message: str, verb: Verb, tmp_path: Path
) -> None:
    result = verb("leak", "trace", *words, "-o", str(tmp_path / "set"))
    assert result.code == 1
    assert message in result.text
    assert not (tmp_path / "set").exists()
