"""Coprocessors that could serve a function: found by its results, whatever its name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import Verb

STUDY = """[study]
name = "spots"
title = "Spots"
device = "DEVICE"
[toolchain]
compiler = "zig"
flags = ["-O1", "-fno-inline", "-DAES_KEY_BYTES=16"]
[sources]
common = SOURCES
include = INCLUDE
[[workload]]
name = "main"
title = "Main"
source = "main.c"
output = "output"
"""
Spots = dict[str, dict[str, Any]]


@pytest.fixture
def explored(verb: Verb, tmp_path: Path) -> Callable[..., Spots]:
    """The hot spots of a program by their names."""

    def explore(
        text: str,
        device: str = "picorv32",
        sources: Sequence[Path] = (),
        include: Sequence[Path] = (),
    ) -> Spots:
        (tmp_path / "main.c").write_text(text)
        study = STUDY.replace("DEVICE", device)
        study = study.replace("SOURCES", json.dumps(list(map(str, sources))))
        study = study.replace("INCLUDE", json.dumps(list(map(str, include))))
        (tmp_path / "study.toml").write_text(study)
        result = verb("explore", "study.toml", "--json")
        assert result.code == 0, result.err
        values = json.loads(result.out)
        output_schemas.check("explore", values)
        return {spot["name"]: spot for spot in values["hot_spots"]["spots"]}

    return explore


SHA256 = (ROOT / "studies" / "template" / "lib" / "checksum.c").read_text()
CALLING = """
uint8_t output[32];
int main(void)
{
    checksum((const uint8_t *)"abc", 3, output);
    return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize("device", ["picorv32", "stm32f4-24mhz", "rp2040", "atmega2560"])
def test_a_hash_is_known_by_what_it_computes(
    explored: Callable[..., Spots], tmp_path: Path, device: str
) -> None:
    (tmp_path / "checksum.h").write_bytes(
        (ROOT / "studies" / "template" / "lib" / "checksum.h").read_bytes()
    )
    text = SHA256.replace("sha256_block", "work")
    assert text != SHA256
    spots = explored(text + CALLING, device)
    assert spots["work"]["serves"] == ["sha256"]
    (serving,) = spots["work"]["servings"]
    assert serving["vectors"] == 6
    assert serving["operation"] == "start, first"
    assert serving["places"] == {"block": "behind argument 2", "digest": "behind argument 1"}
    # The state is words of the machine; the digest's bytes stand in the order of the standard.
    assert serving["form"] == "inputs as on the bus; outputs each word turned around"
    assert all(not spot["serves"] for name, spot in spots.items() if name != "work")


def test_a_name_alone_serves_nothing(explored: Callable[..., Spots], tmp_path: Path) -> None:
    (tmp_path / "checksum.h").write_bytes(
        (ROOT / "studies" / "template" / "lib" / "checksum.h").read_bytes()
    )
    # The first of the constants of FIPS 180-4, section 4.2.2, with one bit changed.
    wrong = SHA256.replace("0x428a2f98", "0x428a2f99")
    assert wrong != SHA256
    spot = explored(wrong + CALLING)["sha256_block"]
    assert spot["serves"] == []
    (refusal,) = spot["refusals"]
    assert refusal["coprocessor"] == "sha256"
    assert "leaves other outputs" in refusal["why"]


AES = """#include "aes.h"
uint8_t output[16];
void f(const uint8_t *text, uint8_t *result, const uint8_t *key);
void f(const uint8_t *text, uint8_t *result, const uint8_t *key)
{
    AES_KEYS keys;
    aes128_expand(&keys, key);
    aes128_encrypt(&keys, text, result);
}
int main(void)
{
    uint8_t bytes[32] = {1, 2, 3};
    f(bytes, output, bytes + 16);
    return 0;
}
"""
AES_FOLDERS = [ROOT / "primitives" / "aes" / folder for folder in ("fast", "common")]


def test_a_cipher_is_known_in_any_order_of_arguments(explored: Callable[..., Spots]) -> None:
    sources = [path for folder in AES_FOLDERS for path in sorted(folder.glob("*.c"))]
    include = [*AES_FOLDERS, ROOT / "primitives" / "common"]
    spots = explored(AES, sources=sources, include=include)
    assert {"aes128", "aes128-serial"} <= set(spots["f"]["serves"])
    serving = next(
        serving for serving in spots["f"]["servings"] if serving["coprocessor"] == "aes128"
    )
    assert serving["places"] == {
        "key": "behind argument 3",
        "text": "behind argument 1",
        "result": "behind argument 2",
    }


def test_round_keys_are_known_by_the_programs_own_calls(explored: Callable[..., Spots]) -> None:
    """A vector's key is not what the function wants, but the coprocessor's results are its own."""
    # A key of zeros, which vectors have too, would be one that the function has by itself.
    text = AES.replace("{1, 2, 3}", "{1, 2, 3, [16] = 4, 5, 6}")
    text = text.replace("return 0;", "f(output, output, bytes);\n    return 0;")
    sources = [path for folder in AES_FOLDERS for path in sorted(folder.glob("*.c"))]
    include = [*AES_FOLDERS, ROOT / "primitives" / "common"]
    spots = explored(text, sources=sources, include=include)
    named = {"aes128", "aes128-serial", "aes128-small"}
    assert set(spots["aes128_encrypt"]["serves"]) == named
    serving = next(
        serving
        for serving in spots["aes128_encrypt"]["servings"]
        if serving["coprocessor"] == "aes128"
    )
    assert (serving["vectors"], serving["calls"]) == (0, 2)
    assert serving["places"] == {
        "key": "behind argument 1",
        "text": "behind argument 2",
        "result": "behind argument 3",
    }


WIPING = """#include <stdint.h>
uint8_t output[16];
void wipe(uint8_t *bytes, uint8_t *others);
void wipe(uint8_t *bytes, uint8_t *others)
{
    for (int i = 0; i < 16; i++)
        bytes[i] = others[i] = 0;
}
int main(void)
{
    uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 3; i++)
        wipe(bytes, output);
    return 0;
}
"""


def test_what_is_wiped_is_no_result(explored: Callable[..., Spots]) -> None:
    assert explored(WIPING)["wipe"]["serves"] == []


# Sums modulo secp160r1's prime, 2^160 - 2^31 - 1, which is a constant of the function: bytes of
# numbers, the highest first.
SUMS = """#include <stdint.h>
uint8_t output[20];
static int add(uint8_t *z, const uint8_t *x, const uint8_t *y)
{
    int carry = 0;
    for (int i = 19; i >= 0; i--) {
        carry += x[i] + y[i];
        z[i] = (uint8_t)carry;
        carry >>= 8;
    }
    return carry;
}
void sum(uint8_t *z, const uint8_t *x, const uint8_t *y);
void sum(uint8_t *z, const uint8_t *x, const uint8_t *y)
{
    static const uint8_t less[20] = {[16] = 0x80, [19] = 1}; /* 2^160 - p */
    uint8_t made[20], reduced[20];
    int carry = add(made, x, y);
    carry |= add(reduced, made, less);
    for (int i = 0; i < 20; i++)
        z[i] = carry ? reduced[i] : made[i];
}
int main(void)
{
    uint8_t x[20] = {1}, y[20] = {2};
    sum(output, x, y);
    return 0;
}
"""


def test_numbers_are_known_in_other_bytes_and_with_a_modulus_of_their_own(
    explored: Callable[..., Spots],
) -> None:
    spot = explored(SUMS)["sum"]
    serving = next(serving for serving in spot["servings"] if serving["coprocessor"] == "map")
    assert serving["operation"] == "start"
    assert serving["places"]["m"] == "nowhere"
    assert serving["places"]["z"] == "behind argument 1"
    assert serving["form"] == "inputs all bytes turned around; outputs all bytes turned around"


POWERS = """#include <stdint.h>
volatile uint32_t output;
uint32_t two(uint32_t how_often);
uint32_t two(uint32_t how_often)
{
    uint32_t made = 1;
    while (how_often--)
        made += made;
    return made;
}
int main(void)
{
    output = two(7);
    return 0;
}
"""


def test_a_word_may_be_an_argument_and_a_result(explored: Callable[..., Spots]) -> None:
    (serving,) = explored(POWERS)["two"]["servings"]
    assert (serving["coprocessor"], serving["operation"]) == ("pow2", "")
    assert serving["places"] == {"exponent": "argument 1", "power": "its result"}


PERIPHERAL = """#include "cocrypt/device.h"
uint32_t output;
void aes_of_the_chip(uint32_t *result);
void aes_of_the_chip(uint32_t *result)
{
    *result = device_read(COCRYPT_COUNTER);
}
int main(void)
{
    aes_of_the_chip(&output);
    output = 0;
    return 0;
}
"""


def test_what_reaches_peripherals_is_not_judged(explored: Callable[..., Spots]) -> None:
    spot = explored(PERIPHERAL)["aes_of_the_chip"]
    assert spot["serves"] == []
    assert {refusal["why"] for refusal in spot["refusals"]} == {
        "it does not come back by itself: it uses peripherals, or is long"
    }


def test_a_function_with_too_few_arguments_has_no_room(explored: Callable[..., Spots]) -> None:
    text = POWERS.replace("two", "aes")
    refusals = explored(text)["aes"]["refusals"]
    why = {refusal["coprocessor"]: refusal["why"] for refusal in refusals}["aes128"]
    assert why == "its arguments have no room for `key`, `text`"


def test_table_and_page_say_how(verb: Verb, explored: Callable[..., Spots], tmp_path: Path) -> None:
    explored(POWERS)
    result = verb("explore", "study.toml")
    line = "two: pow2 computes the same, by 6 vectors: `exponent` argument 1, `power` its result"
    assert line in result.out
    page = (tmp_path / "build" / "reports" / "spots" / "index.html").read_text()
    assert line in page
