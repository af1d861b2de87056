"""Nonces of ECDSA from single traces, and the private key from a nonce.

`cryptography` says which nonce and which key are right. The attacks get the samples and what is
public alone, and templates those of other nonces, which their owner knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from cocrypt import _native
from cocrypt.cli.leak_trace import primitive_target
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.leakage import models, nonces
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT

PRIMITIVES = ROOT / "primitives"
Array = np.ndarray[Any, np.dtype[Any]]
DEVICE, STEPS, NOISE = "stm32f4-24mhz", 192, 2.0
CURVE = ec.SECP192R1()
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831
"""SEC 2, version 1.0, section 2.5.2."""
LONGEST = 4_000_000


def x_of(number: int) -> int:
    """The x coordinate of a multiple of the base point."""
    return ec.derive_private_key(number, CURVE).public_key().public_numbers().x


def drawn(seed: int) -> int:
    return Random(seed).randrange(1, ORDER)


def bits_of(number: int) -> list[int]:
    return [int(digit) for digit in f"{number:0{STEPS}b}"]


@dataclass(frozen=True)
class Traces:
    """Noisy traces of a profiled nonce and of one that is attacked, and what both runs left."""

    profiled: int
    attacked: int
    power: Array
    results: list[bytes]

    @property
    def length(self) -> int:
        return nonces.period(self.power[1], STEPS)

    def by_template(self, count: int) -> list[int]:
        """The most likely nonces of the second trace."""
        made = nonces.Template.of(self.power[:1], [bits_of(self.profiled)], self.length)
        return list(nonces.likely(made.ratios(self.power[1]), count))

    def by_comparison(self) -> list[int]:
        """The nonces that levels of the second trace may stand for."""
        found = nonces.compared(self.power[1], STEPS, self.length)
        return [number for levels in found for number in nonces.readings(levels)]


def traced(
    machine: Machine, places: list[tuple[int, int]], rows: list[bytes], result: tuple[int, int]
) -> tuple[Array, list[bytes]]:
    """Samples of two runs from the machine's state on, and their results."""
    path = models.model("values").path
    sampler = _native.LeakageSampler(machine.native, path, places, [result], LONGEST, 2)
    samples, lengths, _, read = sampler.run(b"".join(rows), 2, LONGEST)
    assert lengths[0] == lengths[1]
    power = np.frombuffer(samples, np.float32).reshape(2, LONGEST)[:, : lengths[0]]
    noise = np.random.default_rng(27).standard_normal(power.shape, np.float32)
    size = len(read) // 2
    return power + np.float32(NOISE) * noise, [read[:size], read[size:]]


@pytest.fixture(scope="module")
def signed() -> tuple[Traces, int, int]:
    """Two signatures by the ladder of `lean`, with the private key and the digest."""
    target = primitive_target("ecdsa_secp192r1/lean", DEVICE, "sign", None, None)
    given = dict(target.constants)
    nonce, signature = target.range("nonce"), target.range("signature")
    numbers = drawn(1), drawn(2)
    power, results = traced(
        target.machine,
        [(nonce.address, nonce.size)],
        [number.to_bytes(nonce.size, "big") for number in numbers],
        (signature.address, signature.size),
    )
    secret, digest = (int.from_bytes(given[name], "big") for name in ("secret", "digest"))
    return Traces(*numbers, power, results), secret, digest


@pytest.mark.parametrize("attack", ["template", "comparison"])
@pytest.mark.long
def test_a_trace_of_a_ladder_gives_nonce_and_key(
    signed: tuple[Traces, int, int], attack: str
) -> None:
    traces, secret, digest = signed
    size = len(traces.results[1]) // 2
    r, s = (int.from_bytes(traces.results[1][at : at + size], "big") for at in (0, size))
    guesses = traces.by_template(16) if attack == "template" else traces.by_comparison()
    right = [number for number in guesses if 0 < number < ORDER and x_of(number) % ORDER == r]
    assert right
    assert {*right} == {traces.attacked}
    key = nonces.private_key(ORDER, (r, s), digest, right[0])
    public = ec.derive_private_key(key, CURVE).public_key().public_numbers()
    assert public == ec.derive_private_key(secret, CURVE).public_key().public_numbers()


MASKED = """#include "ladder.c"

uint8_t  scale[4 * WORDS];
uint32_t shares[BITS][2], found[2 * WORDS];
static WORK work;

/* Two random words in the place of a mask, which is their sum and which no register gets. */
static void exchange(const volatile uint32_t *share)
{
    for (unsigned i = 0; i < 2 * WORDS; i++) {
        uint32_t *low = work + i, *high = work + i + X2 * WORDS, difference = *low ^ *high;
        for (unsigned j = 0; j < 2; j++) {
            uint32_t part = difference & share[j];
            *low ^= part;
            *high ^= part;
            __asm__ volatile("" ::: "memory");
        }
    }
}

/* The ladder with random factors of the coordinates, so that none of them is known. */
__attribute__((noinline)) void masked(void)
{
    const MODULUS *p = &ECDSA(curve).p;
    ECDSA(fetch)(work + X * WORDS, NULL, 0);
    to_montgomery(work + X * WORDS);
    ECDSA(load)(work + T * WORDS, scale);
    ECDSA(copy)(work + X1 * WORDS, work + T * WORDS, WORDS);
    set(work + Z1 * WORDS, 0);
    ECDSA(multiply)(p, work + X2 * WORDS, work + X * WORDS, work + T * WORDS);
    ECDSA(copy)(work + Z2 * WORDS, work + T * WORDS, WORDS);
    for (unsigned i = 0; i < BITS; i++) {
        exchange(shares[i]);
        RUN(work, sum_and_double);
        exchange(shares[i]);
    }
    ECDSA(copy)(found, work, 2 * WORDS);
}

int main(void)
{
    masked();
    return 0;
}
"""
PRIME = 2**192 - 2**64 - 1


def shared(number: int, seed: int) -> bytes:
    """Two shares of the mask of each bit, and the random factor of the coordinates."""
    draw, words = Random(seed), []
    for bit in bits_of(number):
        first = draw.getrandbits(32)
        words += [first, first ^ (0xFFFFFFFF if bit else 0)]
    return np.array(words, "<u4").tobytes() + draw.randrange(1, PRIME).to_bytes(24, "big")


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Traces:
    """Two multiplications by a ladder whose masks are shared."""
    folder = tmp_path_factory.mktemp("masked")
    (folder / "main.c").write_text(MASKED, encoding="utf-8")
    code = PRIMITIVES / "ecdsa"
    include = [f"-I{path}" for path in (code / "lean", code / "common", PRIMITIVES / "common")]
    flags = ("-O2", "-DECDSA_SECP192R1", *include)
    sources = [folder / "main.c", code / "common/numbers.c", code / "common/curve.c"]
    toolchain = Toolchain(Device.load(DEVICE))
    units = [*toolchain.runtime(("-O1",)), *(Unit(source, flags) for source in sources)]
    image = toolchain.link(list(toolchain.compile_needed(units).values()), "masked")
    machine = Machine(DEVICE, image)
    machine.native.run_to(machine.address("masked"), 1_000_000)
    places = [(machine.address("shares"), 8 * STEPS), (machine.address("scale"), 24)]
    numbers = drawn(3), drawn(4)
    rows = [shared(number, seed) for seed, number in enumerate(numbers)]
    power, results = traced(machine, places, rows, (machine.address("found"), 48))
    return Traces(*numbers, power, results)


def test_the_masked_ladder_multiplies(masked: Traces) -> None:
    for number, result in zip((masked.profiled, masked.attacked), masked.results, strict=True):
        x, z = (int.from_bytes(result[at : at + 24], "little") for at in (0, 24))
        assert x * pow(z, -1, PRIME) % PRIME == x_of(number)


@pytest.mark.long
def test_a_trace_of_a_masked_ladder_gives_no_nonce(masked: Traces) -> None:
    """The right bits are as many as chance finds, within five of its deviations."""
    guesses = [*masked.by_template(16), *masked.by_comparison()]
    assert masked.attacked not in guesses
    wrong = (masked.by_template(1)[0] ^ masked.attacked).bit_count()
    assert abs(wrong - STEPS / 2) < 5 * (STEPS / 4) ** 0.5


def test_likely_scalars_come_by_their_likelihood() -> None:
    ratios = np.random.default_rng(1).normal(size=7)
    terms = np.where([bits_of(number)[-7:] for number in range(128)], ratios, 0).sum(axis=1)
    assert list(nonces.likely(ratios, 128)) == np.argsort(-terms).tolist()


@pytest.mark.parametrize("form", ["bits", "complement", "changes"])
def test_levels_are_read_as_bits_or_changes(form: str) -> None:
    number = 0b1011001
    bits = [int(digit) for digit in f"{number:b}"]
    levels = {
        "bits": bits,
        "complement": [1 - bit for bit in bits],
        "changes": [bit ^ before for bit, before in zip(bits, [0, *bits], strict=False)],
    }[form]
    assert number in nonces.readings(tuple(levels))


def test_steps_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="has no 192 steps"):
        nonces.period(np.zeros(300), STEPS)
    with pytest.raises(InputError, match="do not fit a trace of 300"):
        nonces.rows(np.zeros(300), 4, 100)
    with pytest.raises(InputError, match="both values of a bit"):
        nonces.Template.of(np.zeros((1, 300)), [[1, 1, 1]], 100)
    with pytest.raises(InputError, match="have bits of the shape"):
        nonces.Template.of(np.zeros((2, 300)), [[1, 0, 1]], 100)
