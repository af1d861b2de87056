"""Calibration of a core by its gates: what the netlist does, the fit, and the files of it.

The netlist is Yosys's, and independent of the model of the core that it is compared with.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import output_schemas
from cocrypt import _native
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.fuzz.straight import DATA_BASE, DATA_SIZE
from cocrypt.gates import library as libraries
from cocrypt.gates.core import CoreNetlist, Execution, core_netlist, digest, preamble
from cocrypt.gates.synthesis import Wires
from cocrypt.leakage import calibration, features
from cocrypt.leakage.calibrated import require_without_power
from cocrypt.leakage.comparison import differing
from cocrypt.leakage.features import FEATURES, KINDS
from cocrypt.leakage.fit import fitted, predicted, stated
from cocrypt.leakage.kernels import kernel
from cocrypt.rtl.configuration import Waits
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

SMALL = ROOT / "docs/examples/devices/small.toml"
"""A core without multiplier, divider and compressed instructions, whose synthesis takes seconds."""


@pytest.fixture
def netlist(need_tool: Callable[[str], str]) -> CoreNetlist:
    need_tool("yosys")
    return core_netlist(Device.load(SMALL), libraries.load("generic180"))


@pytest.fixture
def measured(netlist: CoreNetlist) -> calibration.Measured:
    program = calibration.random_program(netlist, 3, 120)
    return calibration.measure(netlist, program, 20, 3, Wires())


def test_the_netlist_does_what_the_model_of_the_core_does(measured: calibration.Measured) -> None:
    observed = measured.observed
    assert len(observed.lengths) == 20
    # Branches by data take runs on several paths, and there are loads and stores in each.
    assert len({*observed.lengths.tolist()}) > 1
    assert {KINDS.index("load"), KINDS.index("store")} <= {*observed.kind.tolist()}
    assert measured.different == 0


def test_a_netlist_with_another_memory_differs(netlist: CoreNetlist) -> None:
    slower = replace(netlist, waits=Waits(fetch=2, data=1))
    program = calibration.random_program(netlist, 3, 60)
    assert calibration.measure(slower, program, 2, 3, Wires()).different == 2


def test_a_load_agrees_by_the_bytes_that_it_takes() -> None:
    """`lbu`, `lhu`, `lw`, and a store of a halfword, of the same word in memory."""

    def different(data: int, width: int, offset: int, strobes: int = 0) -> int:
        kind = "store" if strobes else "load"
        one = {name: np.array([0]) for name in ("run", "at")}
        observed = features.Observed(
            lengths=np.array([5]),
            **one,
            kind=np.array([KINDS.index(kind)]),
            values=np.zeros((1, len(FEATURES))),
            addresses=np.array([64 + offset]),
            widths=np.array([width]),
            data=np.array([data]),
        )
        execution = Execution(np.zeros(5), np.array([0]), [(3, 64, strobes, 0x8070_FF34)])
        return differing(observed, [execution])

    assert different(0x34, 1, 0) == different(0xFF34, 2, 0) == different(0x8070, 2, 2) == 0
    assert different(0x8070_FF34, 4, 0) == different(0xFF34, 2, 0, 0b0011) == 0
    # The halfword is 0xff34, and the byte beside the word's lowest is 0xff.
    assert different(0x34, 2, 0) == different(0x34, 4, 0) == different(0x34, 1, 1) == 1
    assert different(0xFF34, 2, 0, 0b0001) == different(0xFF34, 2, 0, 0b1111) == 1


def test_figures_of_what_does_not_vary_are_unknown(
    measured: calibration.Measured,
) -> None:
    still = replace(measured, sums=[np.zeros(len(sums)) for sums in measured.sums])
    observed = measured.observed
    positions = np.arange(len(observed.kind))
    fits = fitted(observed.kind, observed.values, still.energies(0), positions)
    found = calibration.check(still, fits, 0)
    assert found.correlation is found.r_squared is fits["alu"].r_squared is None
    assert fits["alu"].between_runs is None
    assert stated(None) == "unknown"


@pytest.mark.parametrize("name", ["mem_la_read", "cpu.count_instr"])
def test_a_netlist_without_the_names_of_the_core_is_refused(
    netlist: CoreNetlist, name: str
) -> None:
    text = netlist.synthesis.netlist.replace(f'"{name}"', '"other"')
    changed = replace(netlist, synthesis=replace(netlist.synthesis, netlist=text))
    program = calibration.random_program(netlist, 3, 60)
    with pytest.raises(_native.DiagnosticError, match=name):
        calibration.measure(changed, program, 2, 3, Wires())


def test_the_energies_of_instructions_are_those_of_the_cycles(
    measured: calibration.Measured,
) -> None:
    energies, observed = measured.energies(0), measured.observed
    for run, sums in enumerate(measured.sums):
        total = sums[observed.lengths[run]]
        assert energies[observed.run == run].sum() == pytest.approx(total)
    assert measured.clock > 0


def test_another_program_is_predicted(netlist: CoreNetlist, measured: calibration.Measured) -> None:
    """Better than by the mean of each kind, of which the weights of bits say more."""
    size = calibration.Size(programs=1, instructions=150, runs=24, seed=5)
    found = calibration.calibrate(netlist, [], size, lambda *_: None)
    assert found.different == 0
    check = calibration.check(measured, found.fits, found.shift)
    means = {
        name: replace(fit, constant=fit.mean, weights=np.zeros(len(FEATURES)))
        for name, fit in found.fits.items()
    }
    by_means = calibration.check(measured, means, found.shift)
    assert check.correlation is not None
    assert by_means.correlation is not None
    assert check.correlation > by_means.correlation
    assert abs(check.error) < 0.1


def test_the_fit_finds_the_weights_that_made_the_energies() -> None:
    random = np.random.default_rng(1)
    kinds = random.integers(0, 3, 4000)
    values = random.integers(0, 33, (4000, len(FEATURES))).astype(np.float64)
    weights = random.normal(size=(3, len(FEATURES)))
    positions = 3 * random.integers(0, 50, 4000) + kinds
    energies = 5.0 + kinds + (values * weights[kinds]).sum(1)
    fits = fitted(kinds, values, energies, positions)
    assert list(fits) == list(KINDS[:3])
    for number, name in enumerate(fits):
        assert fits[name].constant == pytest.approx(5 + number)
        assert fits[name].weights == pytest.approx(weights[number])
        assert fits[name].r_squared == pytest.approx(1)
    assert predicted(fits, kinds, values) == pytest.approx(energies)
    assert np.isnan(predicted(fits, kinds + 5, values)[kinds == 2]).all()


def test_a_preamble_loads_every_register_and_jumps() -> None:
    values = [0, *(0x0123_4567 * number & 0xFFFF_FFFF for number in range(1, 32))]
    words = preamble(values, 0x1234)
    loaded = [0] * 32
    for word in words[:-1]:
        rd, rs1 = word >> 7 & 31, word >> 15 & 31
        upper, low = word & 0xFFFF_F000, (word >> 20 ^ 0x800) - 0x800
        loaded[rd] = upper if word & 0x7F == 0x37 else loaded[rs1] + low & 0xFFFF_FFFF
    assert loaded == values
    assert words[-1] & 0xFFF == 0x6F


def test_the_verb_writes_a_model_and_a_device(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    folder = tmp_path / "calibrated"
    options = ("--programs", "1", "--instructions", "150", "--runs", "16", "--json")
    result = verb(
        "leak", "calibrate", SMALL, *options, "--check", "speck64_128/small", "-o", folder
    )
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("leak-calibrate", values)
    # What does not vary has no share and no correlation.
    unknown = {**values, "r_squared": None, "r_squared_between_runs": None}
    unknown["checks"] = [{**values["checks"][0], "correlation": None}]
    output_schemas.check("leak-calibrate", unknown)
    (check,) = values["checks"]
    assert (values["different"], check["different"]) == (0, 0)
    assert check["between_runs"] > check["hamming_between_runs"]
    model = _native.load_leakage(folder / "model.toml")
    alu = next(kind for kind in values["kinds"] if kind["name"] == "alu")
    assert model["kinds"]["alu"]["constant"] == pytest.approx(alu["constant_J"] / 1e-13, abs=1e-4)
    power = Device.load(folder / "device.toml").power
    energies = {each.name: each.energy_J for each in power.classes}
    assert energies["alu"] == pytest.approx(alu["mean_J"], rel=1e-3)
    assert power.active_W == pytest.approx(values["clock_J"] * 50e6, rel=1e-3)


def test_the_model_gives_the_predicted_samples(tmp_path: Path) -> None:
    """What `leak trace` makes of a model's file is what the weights predict."""
    weights = {("result", "weight"): 2.0, ("operand_a", "distance"): 0.5}
    text = "".join(f"[weights.{source}]\n{part} = {w}\n" for (source, part), w in weights.items())
    (tmp_path / "model.toml").write_text(f'[leakage]\ntitle = "x"\n{text}', encoding="utf-8")
    device = Device.load("picorv32")
    machine = kernel(device, 7, 90)
    inputs = [(DATA_BASE, DATA_SIZE)]
    contents = np.random.default_rng(7).integers(0, 256, (3, DATA_SIZE), np.uint8)
    observed = features.observe(machine, inputs, contents)
    row = np.array([weights.get(feature, 0.0) for feature in FEATURES])
    sampler = _native.LeakageSampler(
        machine.native, tmp_path / "model.toml", inputs, [], 100_000, 1
    )
    longest = int(observed.lengths.max())
    samples, lengths, _, _ = sampler.run(contents.tobytes(), 3, longest)
    traces = np.frombuffer(samples, np.float32).reshape(3, longest)
    assert lengths == observed.lengths.tolist()
    assert traces[observed.run, observed.at] == pytest.approx(observed.values @ row)


@pytest.mark.parametrize(
    "path",
    ["devices/leakage/picorv32-generic180.toml", "docs/examples/devices/picorv32-generic180.toml"],
)
def test_the_files_that_come_with_cocrypt_are_of_this_core_and_library(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert digest(Device.load("picorv32"), libraries.load("generic180")) in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ibex-small",), "has the core ibex"),
        (("picorv32", "--wire", "1"), "no capacitance of wires"),
        (("picorv32", "--library", "none"), "there is no library `none`"),
    ],
)
def test_wrong_words_get_a_message(verb: Verb, words: tuple[str, ...], message: str) -> None:
    result = verb("leak", "calibrate", *words)
    assert result.code == 1
    assert message in result.text


def test_a_device_with_power_of_its_own_is_refused() -> None:
    with pytest.raises(InputError, match="figures of power already"):
        require_without_power(Device.load("duarte2010-bram"))
