"""Where cycles go, against a count of its own from launches and transfers; waiting and energy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native
from cocrypt.builder import Builder
from cocrypt.explore import explore
from cocrypt.measurement import Split, awaited, function_names
from cocrypt.partition import partitions
from cocrypt.study import Device, Study
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT
from split_audit import Counted, counted
from test_coprocessors import GENERATED, described, program

if TYPE_CHECKING:
    from collections.abc import Sequence

DEVICE = "picorv32"
EVERYTHING = os.environ.get("COCRYPT_SPLIT") == "all"
"""Whether all workloads and partitions of all studies are counted, which takes hours."""
LONG = 100
"""Cycles of an operation from which on every driver asks more than once."""
MOST = 400_000
"""Cycles of a run of a study at most, unless everything is asked for."""


def audited(
    device: Device, elf: bytes, maps: Sequence[Path], drivers: frozenset[str]
) -> tuple[dict[str, Any], Counted]:
    """What the machine says of a run, and what launches and transfers say."""

    def machine(engine: str = "auto") -> _native.Machine:
        return _native.Machine(
            device.path, elf, "image", list(maps), engine, settings=device.settings
        )

    peripherals = device.values["peripherals"]
    windows = [(one["base"], one["size"]) for one in peripherals if one["kind"] == "coprocessor"]
    symbols = _native.image_info(elf, "image")["symbols"]
    values = machine("compiled").run()
    assert values["polls"] == machine("interpreter").run()["polls"]
    return values, counted(machine, windows, maps, symbols, drivers)


def check(
    values: dict[str, Any], own: Counted, maps: Sequence[Path], drivers: frozenset[str]
) -> Split:
    """The split is that of the launches and transfers, part by part."""
    split = Split.of(values, drivers)
    assert split.doubt is None
    assert (split.total, split.communication) == (own.total, own.communication)
    assert (split.software, split.driver, split.waiting) == (own.software, own.driver, own.waiting)
    assert own.software + own.driver + own.waiting + own.communication == own.total
    names = [_native.load_coprocessor(path)["name"] for path in maps]
    assert [awaited(values, number, name) for number, name in enumerate(names)] == own.awaited
    return split


def built(
    path: Path, device: Device, folder: Path, flags: tuple[str, ...]
) -> tuple[bytes, frozenset[str]]:
    """The program that runs the first vectors by the generated driver, and the driver's functions."""
    values, wanted = described(path)
    main = folder / "main.c"
    main.write_text(program(values, wanted[:2]), encoding="utf-8")
    chain, driver = Toolchain(device), path.parent / "driver"
    ours = Unit(driver / f"{values['name']}.c", flags, (driver,))
    objects = chain.compile([*chain.runtime(("-O2",)), Unit(main, ("-O2",), (driver,)), ours])
    elf = chain.link(list(objects.values()), values["name"]).read_bytes()
    return elf, function_names([objects[ours]])


@pytest.mark.parametrize("flags", ["-O2", "-O0"])
@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.parent.name)
def test_waiting_of_generated_drivers_is_that_of_the_bus(
    path: Path, flags: str, tmp_path: Path
) -> None:
    device = Device.load(DEVICE)
    elf, drivers = built(path, device, tmp_path, (flags,))
    values, own = audited(device, elf, [path], drivers)
    assert values["stop"]["exit_code"] == 0
    split = check(values, own, [path], drivers)
    polls = sum(one["turns"] for one in values["polls"])
    assert (split.waiting or 0) > 0 or polls == 0
    # What is done by the time of the first question is not waited for.
    longest = max(one.cycles or 0 for one in described(path)[1][:2])
    assert polls > 0 or longest < LONG


STUDIES = sorted((ROOT / "studies").glob("*.toml"))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_splits_of_studies_are_those_of_the_bus(path: Path) -> None:
    """The software and all hardware of the shortest workload; or with COCRYPT_SPLIT=all, the lot."""
    study = Study.load(path)
    checked = 0
    for workload in study.workloads:
        every = partitions(study)
        some = every if EVERYTHING else [every[0], every[-1]]
        for one in Builder(study).build([(workload, partition) for partition in some]):
            limit = 1 << 62 if EVERYTHING else MOST
            machine = _native.Machine(
                study.device.path,
                one.image,
                one.name,
                list(one.coprocessors),
                settings=study.device.settings,
            )
            machine.type_in(workload.input)
            if machine.run(limit)["stop"]["kind"] != "exit":
                continue
            values, own = audited(study.device, one.image, one.coprocessors, one.driver_functions)
            check(values, own, one.coprocessors, one.driver_functions)
            checked += 1
    if not checked:
        pytest.skip(
            f"no workload of {path.name} takes less than {MOST:,} cycles; COCRYPT_SPLIT=all"
        )
