"""Energy: power figures of files times counts of a run; clocks that follow the hardware."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.energy import classes, trust
from cocrypt.explore import Exploration, explore
from cocrypt.study import Study, Sweep
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ACTIVE = 0.02
EACH = {"alu": 3e-12, "load": 9e-12, "multiply": 20e-12}
VOLTS, FARADS = 1.2, 10e-15


def device(folder: Path, power: str) -> Device:
    """PicoRV32 with figures of power."""
    devices = ROOT / "devices"
    (folder / "cores").mkdir(parents=True)
    (folder / "cores/picorv32.toml").write_text((devices / "cores/picorv32.toml").read_text())
    path = folder / "powered.toml"
    text = (devices / "picorv32.toml").read_text().replace('"picorv32"', '"powered"', 1)
    path.write_text(text + power)
    return Device.load(path)


POWER = f"""
[power]
active_W            = {ACTIVE}
source              = "a test"
uncertainty_percent = 30
""" + "".join(
    f'[[power.class]]\nname = "{name}"\nenergy_J = {joules}\n' for name, joules in EACH.items()
)
TOGGLING = f"[power.toggling]\nvoltage_V = {VOLTS}\ncapacitance_F = {FARADS}\n"


def explored(folder: Path, power: str, **changes: object) -> Exploration:
    study = Study.load(paths.root() / "studies/aes128.toml").on(device(folder, power))
    study = replace(study, **{"sweep": Sweep(), **changes})  # type: ignore[arg-type]
    return explore(study, study.workload("one_block"))


def test_classes_are_counted_by_executions() -> None:
    rows = [{"kind": "load", "executions": 5}, {"kind": "alu", "executions": 2}]
    assert classes([*rows, *rows]) == {"load": 10, "alu": 4}


def test_power_and_classes_add_up(tmp_path: Path) -> None:
    """The energy is that of the formula, from the counts of a separate profile."""
    from cocrypt.builder import Builder
    from cocrypt.machine import Machine

    result = explored(tmp_path, POWER)
    study = result.study
    row = result.software
    (built,) = Builder(study).build([(result.workload, row.measurement.partition)])
    machine = Machine(study.device, built.image, contexts=True)
    run = machine.run()
    counted = classes(machine.profile().values["instructions"])
    assert sum(counted.values()) == run.values["instructions"]
    expected = ACTIVE * run.cycles / study.device.clock_hz
    expected += sum(joules * counted.get(name, 0) for name, joules in EACH.items())
    assert row.measurement.energy == pytest.approx(expected, rel=1e-12)


def test_toggled_bits_take_energy(tmp_path: Path) -> None:
    """The energy that toggling adds to a coprocessor's run is that of a whole number of bits."""
    plain = explored(tmp_path / "a", f"[power]\nactive_W = {ACTIVE}\n")
    counted = explored(tmp_path / "b", f"[power]\nactive_W = {ACTIVE}\n{TOGGLING}")
    per_bit = FARADS * VOLTS**2 / 2
    for before, after in zip(plain.rows, counted.rows, strict=True):
        assert before.measurement.split == after.measurement.split
        more = (after.measurement.energy or 0) - (before.measurement.energy or 0)
        bits = more / per_bit
        assert bits == pytest.approx(round(bits), abs=1e-3)
        assert (round(bits) > 1000) == bool(before.measurement.partition.hw)


def test_energy_can_be_looked_for_and_is_predicted(tmp_path: Path) -> None:
    search = replace(
        Study.load(paths.root() / "studies/aes128.toml").search, minimise=("energy_J", "hardware")
    )
    sweep = Sweep(bus_wait=(1, 8), clock=((1, 1), (1, 2)))
    result = explored(tmp_path, POWER, search=search, sweep=sweep)
    assert result.objectives == ("energy_J", "hardware")
    assert result.landscape is not None
    measured = {
        (row.measurement.partition.key, tuple(sorted(row.measurement.device.settings.items()))): row
        for row in result.every_row
    }
    compared = 0
    for point in result.landscape.front:
        key = (point.partition.key, tuple(sorted(point.settings.items())))
        if key in measured:
            energy = measured[key].measurement.energy
            assert energy == pytest.approx(point.figures["energy_J"], rel=0.02)
            compared += 1
    assert compared > 0
    assert trust(result.study.device) in result.notes
    assert "off by up to 30 %" in result.notes[0]


@pytest.mark.long
def test_the_clock_follows_the_longest_path(tmp_path: Path) -> None:
    """With a gate's delay and the gates on its path, a coprocessor may limit the core's clock."""
    study = Study.load(paths.root() / "studies/aes128.toml")
    text = "[coprocessors]\ngate_delay_s = 2e-9\n"
    slow = study.on(device(tmp_path, text))
    search = replace(study.search, minimise=("seconds", "area_GE"))
    result = explore(replace(slow, sweep=Sweep(), search=search), slow.workload())
    assert any(note.startswith("clock: an estimate") for note in result.notes)
    device_hz = float(slow.device.clock_hz)
    for row in result.rows:
        uses = bool(row.measurement.partition.hw)
        assert (row.clock_hz is not None and row.clock_hz < device_hz) == uses
        total = row.measurement.split.total
        assert row.seconds == pytest.approx(total / (row.clock_hz or device_hz))
        if uses:
            assert row.areas is not None
            levels = max(area.levels for area in row.areas if area.levels)
            assert (
                row.clock_hz == pytest.approx(1 / (2e-9 * levels), rel=1e-9) or len(row.areas) > 1
            )


def test_nothing_is_said_of_energy_that_is_not_known() -> None:
    assert trust(Device.load("picorv32")) is None
