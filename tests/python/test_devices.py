"""Devices as typed values: they keep all values of the dictionary on which results depend."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native, paths
from cocrypt.device import Device, Tools
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

DEVICES = [*paths.devices().values(), paths.root() / "docs/examples/devices/example.toml"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The project's devices elsewhere, to be changed."""
    return shutil.copytree(paths.root() / "devices", tmp_path / "devices")


@pytest.mark.parametrize("path", DEVICES, ids=lambda path: path.stem)
def test_typed_values_are_those_of_the_dictionary(path: Path) -> None:
    device, values = Device.load(path), _native.load_device(path)
    parts: dict[str, Any] = asdict(device)
    for name in ("name", "title", "clock_hz", "gate_delay_s", "parameters"):
        assert parts[name] == values[name]
    for name in ("bus", "coprocessor_clock", "power"):
        assert_within(parts[name], values[name])
    for name in ("memories", "peripherals"):
        for part, entry in zip(parts[name], values[name], strict=True):
            assert_within(part, entry)
    # Results depend on the image, not on how it is built.
    assert json.loads(device.described) == {
        key: value for key, value in values.items() if key not in {"path", "toolchain"}
    }


def test_what_programs_are_built_with_is_typed_too(folder: Path) -> None:
    path, before = folder / "picorv32.toml", Device.load(folder / "picorv32.toml")
    assert before.tools.is_silent
    (folder / "own.ld").write_text("")
    named = 'compiler = "tools/gcc"\nflags = ["-Os"]\nassembler = "gnu"\nscript = "own.ld"\n'
    path.write_text(f"{path.read_text()}\n[toolchain]\n{named}")
    after = Device.load(path)
    assert after.tools == Tools(str(folder / "tools/gcc"), ("-Os",), "gnu", folder / "own.ld")
    assert after.hash == before.hash


def assert_within(part: dict[str, Any], values: dict[str, Any]) -> None:
    """Asserts that all fields of a part have the values that were read."""
    assert json.loads(json.dumps(part)) == {key: values[key] for key in part}


def test_a_device_is_the_same_wherever_its_files_are(folder: Path) -> None:
    stock, copy = Device.load("picorv32"), Device.load(folder / "picorv32.toml")
    assert stock.path != copy.path
    assert (stock.described, stock.hash) == (copy.described, copy.hash)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("picorv32.toml", "50_000_000", "40_000_000"),
        ("cores/picorv32.toml", "ask  = 39", "ask  = 40"),
    ],
)
def test_whatever_changes_outcomes_changes_the_hash(
    folder: Path, name: str, old: str, new: str
) -> None:
    before, path = Device.load(folder / "picorv32.toml"), folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    after = Device.load(folder / "picorv32.toml")
    assert before.described != after.described
    assert before.hash != after.hash


def test_settings_are_part_of_the_hash() -> None:
    device = Device.load("picorv32")
    slower = device.having(bus_wait=device.bus.wait + 2)
    assert slower.bus.wait == device.bus.wait + 2
    assert slower.hash != device.hash
    assert device.having() is device


def test_a_device_without_ram_is_told(folder: Path) -> None:
    path = folder / "picorv32.toml"
    text = path.read_text(encoding="utf-8").replace("[[memory]]", '[[memory]]\nkind = "rom"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="the device picorv32 has no RAM"):
        Device.load(path)


def test_who_explores_loads_nothing_that_draws() -> None:
    text = "import sys, cocrypt.explore; print('cocrypt.report' in sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", text], check=True, capture_output=True, encoding="utf-8"
    )
    assert process.stdout == "False\n"
