"""Traces of runs in lock step: equal to those of runs that a machine executes alone, bit by bit."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from cocrypt import _native
from cocrypt.cli.leak_trace import primitive_target
from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit

MODELS = Path(__file__).parents[2] / "devices" / "leakage"
RUNS = int(os.environ.get("COCRYPT_LOCK_STEP_RUNS", "80"))
"""Runs of each case: more than go in lock step at once."""
DEVICES = ("picorv32", "stm32f0", "stm32f4-24mhz", "arm7tdmi", "atmega328p")
"""One for each set of instructions whose compiler every host has."""
BITS = """[leakage]
title = "Bits"
[weights.register]
distance = [1, 2, 3, 4, 5, 6, 7, 8]
[weights.result]
weight = 0.3
[weights.data]
identity = 0.125
[weights.memory]
distance = [0.5, 0.25]
[kinds.store]
constant = 3
address = { distance = 9 }
"""


def sampled(
    machine: Machine, model: Path, places: list[tuple[int, int]], *, lock_step: bool
) -> tuple[tuple[bytes, list[int], list[int], bytes], int]:
    """The runs with random contents of the first place, and the number of them in lock step."""
    sampler = _native.LeakageSampler(machine.native, model, places[:1], places, 10**7, 1, lock_step)
    contents = np.random.default_rng(3).bytes(RUNS * places[0][1])
    first = sampler.first(contents[: places[0][1]])
    return sampler.run(contents, RUNS, first["cycles"]), sampler.together()


def compared(machine: Machine, model: Path, places: list[tuple[int, int]]) -> int:
    """Requires equal results; the number of runs that went in lock step."""
    runs, together = sampled(machine, model, places, lock_step=True)
    alone, none = sampled(machine, model, places, lock_step=False)
    assert runs == alone
    assert none == 0
    return together


@pytest.fixture
def bits(tmp_path: Path) -> Path:
    """A model with weights of single bits and of values, and a kind of its own."""
    path = tmp_path / "bits.toml"
    path.write_text(BITS, encoding="utf-8")
    return path


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("primitive", ["aes128/ref", "speck64_128/lean"])
def test_traces_are_those_of_runs_alone(primitive: str, device: str, bits: Path) -> None:
    target = primitive_target(primitive, device, None, None, None)
    places = [(one.address, one.size) for one in (target.ranges["text"], target.ranges["result"])]
    together = compared(target.machine, bits, places)
    # Each group has one run that a machine executes, and no path depends on the text.
    assert together == RUNS - -(-RUNS // 64)


@pytest.mark.parametrize("model", ["hamming", "values", "transitions"])
def test_traces_of_each_model_are_those_of_runs_alone(model: str) -> None:
    target = primitive_target("aes128/ref", "picorv32", None, None, None)
    text = target.ranges["text"]
    assert compared(target.machine, MODELS / f"{model}.toml", [(text.address, text.size)]) > 60


PARTING = """#include <stdint.h>
uint8_t text[16];
volatile uint32_t sums[4];
__attribute__((noinline)) void part(void) {
    for (unsigned i = 0; i < 16; i++) {
        sums[i & 3] = sums[i & 3] * text[i] + (uint32_t)(int8_t)text[15 - i];
        if (text[i] == 9) sums[0] ^= 0x5a5a5a5au;
    }
    if (text[0] & 1u) sums[1] /= 3u + text[1];
}
int main(void) { part(); return 0; }
"""


@pytest.mark.parametrize("device", ["picorv32", "stm32f4-24mhz"])
def test_runs_that_part_are_executed_alone(device: str, bits: Path, tmp_path: Path) -> None:
    source = tmp_path / "part.c"
    source.write_text(PARTING, encoding="utf-8")
    toolchain = Toolchain(Device.load(device))
    units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1",))]
    image = toolchain.link(list(toolchain.compile_needed(units).values()), source.name)
    machine = Machine(device, image)
    machine.native.run_to(machine.address("part"), 1_000_000)
    places = [(machine.address("text"), 16), (machine.address("sums"), 16)]
    # About half of the runs take the branch, and one of sixteen meets a nine.
    assert 0 < compared(machine, bits, places) < RUNS - 10
