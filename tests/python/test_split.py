"""The split of cycles, against a separate count of issues and transfers; waiting and energy."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.explore import Exploration, explore, records
from cocrypt.linker.needed import function_names
from cocrypt.measurement import Split, _doubt, awaited
from cocrypt.partition import partitions
from cocrypt.report.exploration import page
from cocrypt.study import Study
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT
from split_audit import LONGEST_TURN, Counted, counted
from test_coprocessors import GENERATED, described, program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.machine import Engine

EVERYTHING = os.environ.get("COCRYPT_SPLIT") == "all"
"""True if all partitions of all studies are counted, as far as they are not too long."""
LONG = 100
"""Cycles of an operation from which on every driver reads the status more than once."""
MOST = 30_000_000 if EVERYTHING else 400_000
"""Cycles of a run of a study at most: each instruction is kept in a list."""


def audited(
    device: Device, elf: bytes, maps: Sequence[Path], drivers: frozenset[str]
) -> tuple[dict[str, Any], Counted]:
    """The machine's figures of a run, and the count of its issues and transfers."""

    def machine(engine: Engine = "auto", *, contexts: bool = False) -> _native.Machine:
        return _native.Machine(
            device.path,
            elf,
            "image",
            list(maps),
            engine,
            contexts=contexts,
            settings=device.settings,
        )

    windows = [(window.base, window.size) for window in device.windows]
    symbols = _native.image_info(elf, "image")["symbols"]
    values = machine("compiled").run()
    assert values["polls"] == machine("interpreter").run()["polls"]
    assert values["polls"] == machine(contexts=True).run()["polls"]
    return values, counted(machine, windows, maps, symbols, drivers)


def check(
    values: dict[str, Any], own: Counted, maps: Sequence[Path], drivers: frozenset[str]
) -> Split:
    """The split of a run, which must agree with issues and transfers part by part."""
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
    """The program that runs the first vectors by the driver, and the driver's functions."""
    values, vectors = described(path)
    main = folder / "main.c"
    main.write_text(program(values, vectors[:2]), encoding="utf-8")
    chain, driver = Toolchain(device), path.parent / "driver"
    ours = Unit(driver / f"{values['name']}.c", flags, (driver,))
    objects = chain.compile_needed(
        [*chain.runtime(("-O2",)), Unit(main, ("-O2",), (driver,)), ours]
    )
    elf = chain.link(list(objects.values()), values["name"]).read_bytes()
    return elf, function_names([objects[ours]])


@pytest.mark.parametrize(
    ("name", "flags"), [("picorv32", "-O2"), ("picorv32", "-O0"), ("stm32f0", "-O2")]
)
@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.parent.name)
def test_waiting_of_generated_drivers_is_that_of_the_bus(
    path: Path, name: str, flags: str, tmp_path: Path
) -> None:
    device = Device.load(name)
    elf, drivers = built(path, device, tmp_path, (flags,))
    values, own = audited(device, elf, [path], drivers)
    assert values["stop"]["exit_code"] == 0
    split = check(values, own, [path], drivers)
    polls = sum(loop["turns"] for loop in values["polls"])
    assert (split.waiting or 0) > 0 or polls == 0
    # An operation that is done at the first read of its status is not waited for.
    longest = max(vector.cycles or 0 for vector in described(path)[1][:2])
    assert polls > 0 or longest < LONG


def test_a_loop_through_functions_of_others_cannot_be_told(tmp_path: Path) -> None:
    """Without optimisation a separate function reads the register."""
    path = ROOT / "coprocessors/montgomery/registers.toml"
    device = Device.load("picorv32").having(
        bus_wait=32, burst_wait=32, clock_multiply=1, clock_divide=16
    )
    elf, drivers = built(path, device, tmp_path, ("-O0",))
    machine = _native.Machine(device.path, elf, "image", [path], settings=device.settings)
    values = machine.run()
    assert Split.of(values, drivers).doubt is None
    assert {"montgomery_read_status", "montgomery_run"} <= drivers
    assert Split.of(values, ()).driver == 0
    mixed = Split.of(values, {"montgomery_run"})
    assert mixed.waiting is mixed.driver is mixed.software is None
    assert "leads through `montgomery_run`, `montgomery_read_status`" in (mixed.doubt or "")
    assert mixed.computation == mixed.total - mixed.communication
    # A copy of a machine has not seen the loop.
    unseen = Split.of(machine.copy().run(), drivers)
    assert unseen.waiting is None
    assert "could be followed" in (unseen.doubt or "")


LONG_STUDIES = {"authentication", "duarte2010-fsl", "ecdsa", "rsa", "rsa-crt"}
"""Studies of which every workload takes more than `MOST` cycles with all hardware."""
STUDIES = [
    path
    for path in sorted((ROOT / "studies").glob("*.toml"))
    if EVERYTHING or path.stem not in LONG_STUDIES
]


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_splits_of_studies_are_those_of_the_bus(path: Path) -> None:
    """Software and all hardware of short workloads; with COCRYPT_SPLIT=all, every partition."""
    study = Study.load(path)
    checked = 0
    for workload in study.workloads:
        every = partitions(study)
        some = every if EVERYTHING else [every[0], every[-1]]
        for build in Builder(study).build([(workload, partition) for partition in some]):
            machine = _native.Machine(
                study.device.path,
                build.image,
                build.name,
                list(build.coprocessors),
                settings=study.device.settings,
            )
            machine.type_in(workload.input)
            if machine.run(MOST)["stop"]["kind"] != "exit":
                continue
            values, own = audited(
                study.device, build.image, build.coprocessors, build.driver_functions
            )
            check(values, own, build.coprocessors, build.driver_functions)
            checked += 1
    if not checked:
        pytest.skip(
            f"no workload of {path.name} takes less than {MOST:,} cycles; COCRYPT_SPLIT=all"
        )


def coprocessor(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """A coprocessor of the library in a folder, its register map changed."""
    shutil.copytree(ROOT / "coprocessors/common", folder / "common", dirs_exist_ok=True)
    shutil.copytree(ROOT / "coprocessors" / name, folder / name)
    path = folder / name / "registers.toml"
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


STUDY = """
[study]
name   = "own"
title  = "Own"
device = "{device}"
[toolchain]
compiler = "zig"
flags    = ["-O2"]
[sources]
common  = ["{ref}/sha256.c", "{ref}/sha256_constants.c"]
include = ["{ref}", "{driver}"]
[[workload]]
name   = "abc"
title  = "abc"
source = "{root}/studies/sha256/abc.c"
output = "output"
expect = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
[[candidate]]
function    = "sha256_compress"
software    = "{ref}/sha256_compress.c"
coprocessor = "{map}"
driver      = "{root}/studies/sha256/compress_coprocessor.c"
[drivers]
common = ["{driver}/sha256.c"]
"""
POWER = "[power]\nactive_W = 0.02\n"
WATTS = 'serves = ["sha256", "sha_256", "sha2"]'
NO_STATUS = ('role = "status"', 'role = "output"')


def explored(folder: Path, path: Path) -> Exploration:
    """A block of SHA-256 in software and with a coprocessor, on a device with figures of power."""
    shutil.copytree(ROOT / "devices/cores", folder / "cores", dirs_exist_ok=True)
    device = folder / "powered.toml"
    device.write_text((ROOT / "devices/picorv32.toml").read_text(encoding="utf-8") + POWER)
    study = folder / "own.toml"
    driver = ROOT / "coprocessors/sha256/driver"
    text = STUDY.format(
        device=device, root=ROOT, ref=ROOT / "primitives/sha256/ref", driver=driver, map=path
    )
    study.write_text(text, encoding="utf-8")
    return explore(Study.load(study), Study.load(study).workload())


def test_a_coprocessor_takes_its_power_while_it_is_waited_for(tmp_path: Path) -> None:
    energies, waited = {}, set[int]()
    for watts in (1000.0, 0.001):
        folder = tmp_path / str(watts)
        folder.mkdir()
        path = coprocessor(folder, "sha256", (WATTS, f"{WATTS}\npower_W = {watts}"))
        exploration = explored(folder, path)
        row = exploration.rows[-1].measurement
        assert row.energy is not None
        energies[watts] = row.energy
        (built,) = Builder(exploration.study).build([(exploration.workload, row.partition)])
        drivers = built.driver_functions
        values, own = audited(exploration.study.device, built.image, built.coprocessors, drivers)
        check(values, own, built.coprocessors, drivers)
        waited.update(own.awaited)
        clock = exploration.study.device.clock_hz
        by_hand = (0.02 * row.split.total + watts * own.awaited[0]) / clock
        assert row.energy == pytest.approx(by_hand, rel=1e-12)
    (cycles,) = waited
    assert cycles > 0
    more = (1000 - 0.001) * cycles / clock
    assert energies[1000.0] - energies[0.001] == pytest.approx(more, rel=1e-9)


def test_what_cannot_be_told_is_null_with_a_note(tmp_path: Path) -> None:
    """A register map declares its status as an output: repeated reads might be data."""
    path = coprocessor(tmp_path, "sha256", NO_STATUS, (WATTS, f"{WATTS}\npower_W = 1"))
    exploration = explored(tmp_path, path)
    software, hardware = (row for row in records.exploration(exploration)["rows"])
    assert hardware["waiting"] is hardware["driver"] is hardware["software"] is None
    assert hardware["sigma"] + hardware["mu"] == hardware["total"]
    assert hardware["energy_J"] is None
    assert (software["waiting"], software["driver"]) == (0, 0)
    assert software["energy_J"] is not None
    for beginning in ("waiting: `sha256` has no", "energy_J: unknown with `sha256`"):
        assert any(note.startswith(beginning) for note in exploration.notes)
    assert "–" in page([exploration])


def run(
    folder: Path, device: Device, main: str, maps: Sequence[Path], flags: tuple[str, ...] = ("-O2",)
) -> tuple[bytes, dict[str, Any]]:
    """A program of ours with coprocessors, and the machine's figures of its run."""
    source = folder / "main.c"
    source.write_text(main, encoding="utf-8")
    include = tuple(path.parent / "driver" for path in maps)
    chain = Toolchain(device)
    objects = chain.compile_needed([*chain.runtime(("-O2",)), Unit(source, flags, include)])
    elf = chain.link(list(objects.values()), "main").read_bytes()
    machine = _native.Machine(device.path, elf, "main", list(maps))
    values = machine.run(10_000_000)
    assert values["stop"]["kind"] == "exit"
    return elf, values


INTERRUPTED = """
#include "cocrypt/device.h"
#include "map256_registers.h"
static volatile uint32_t ticks;
void SysTick_Handler(void);
__attribute__((noinline)) void SysTick_Handler(void)
{
    for (unsigned i = 0; i < 2000; i++) ticks = ticks + 1;
    *(volatile uint32_t *)0xE000E010u = 0;
}
__attribute__((noinline)) static void work(void)
{
    uint32_t one[8] = {3}, modulus[8] = {1, 0, 0, 0, 0, 0, 0, 0x80000000u}, z[8];
    map256_run(COCRYPT_COPROCESSOR, one, one, modulus, z, START);
}
int main(void)
{
    *(volatile uint32_t *)0xE000E014u = TICKS;
    *(volatile uint32_t *)0xE000E018u = 0;
    *(volatile uint32_t *)0xE000E010u = CONTROL;
    work();
    return 0;
}
"""


def test_a_handler_is_not_waiting(tmp_path: Path) -> None:
    """An interrupt in the middle of a poll loop: its thousands of cycles are the handler's."""
    device = Device.load("stm32f0")
    path = ROOT / "coprocessors/map256/registers.toml"
    driver = (path.parent / "driver/map256.c").read_text(encoding="utf-8")
    text = (
        (driver + INTERRUPTED).replace("START", "MAP256_CONTROL_START | 3").replace("TICKS", "200")
    )
    waiting = {}
    for control in ("0", "7"):
        (tmp_path / control).mkdir()
        _, values = run(
            tmp_path / control, device, text.replace("= CONTROL;", f"= {control};"), [path]
        )
        split = Split.of(values, {"map256_run"})
        handler = [
            function for function in values["functions"] if function["name"] == "SysTick_Handler"
        ]
        waiting[control] = (
            split.waiting or 0,
            sum(function["self_cycles"] for function in handler),
        )
    assert waiting["0"][1] == 0
    assert waiting["7"][1] > 10_000
    # The handler takes longer than the operation, which is done when it returns.
    assert 0 < waiting["7"][0] < waiting["0"][0]


WAITS = """
#include "cocrypt/device.h"
#include "map256_registers.h"
#define IS_DONE (map256_read_status(COCRYPT_COPROCESSOR) & MAP256_STATUS_DONE)
static inline void pause(unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) __asm__ volatile("");
}
__attribute__((noinline)) static void work(void)
{
    map256_write_x(COCRYPT_COPROCESSOR, 0, 3);
    map256_write_y(COCRYPT_COPROCESSOR, 0, 3);
    map256_write_m(COCRYPT_COPROCESSOR, 0, 1);
    map256_write_m(COCRYPT_COPROCESSOR, 7, 0x80000000u);
    map256_write_control(COCRYPT_COPROCESSOR, MAP256_CONTROL_START | 3);
    LOOP
}
int main(void) { work(); return 0; }
"""
PEELED = "if (!IS_DONE) { pause(3); while (!IS_DONE) pause(3); }"


def test_a_first_question_before_the_loop_is_waited_for_too(tmp_path: Path) -> None:
    """A compiler may peel off the first turn; with a long pause, no instruction reads twice."""
    device, path = Device.load("picorv32"), ROOT / "coprocessors/map256/registers.toml"
    for loop in (PEELED, "if (!IS_DONE) { pause(60); while (!IS_DONE) pause(60); }"):
        elf, values = run(tmp_path, device, WAITS.replace("LOOP", loop), [path])
        _, own = audited(device, elf, [path], frozenset())
        split = check(values, own, [path], frozenset())
        reads = values["transfers"]["map256"]["status"]
        assert reads == 1 + sum(loop["turns"] for loop in values["polls"])
        assert (split.waiting or 0) > 0


def test_a_pause_as_long_as_work_cannot_be_told_from_it(tmp_path: Path) -> None:
    path = ROOT / "coprocessors/map256/registers.toml"
    for loop in (
        "while (!IS_DONE) pause(200);",
        PEELED.replace("pause(3); while", "pause(200); while"),
    ):
        _, values = run(tmp_path, Device.load("picorv32"), WAITS.replace("LOOP", loop), [path])
        split = Split.of(values, {"work"})
        assert split.waiting is split.driver is split.software is None
        assert "status of `map256` the program runs more than 256" in (split.doubt or "")
        assert awaited(values, 0, "map256") is None


def test_a_turn_that_is_too_long_is_told_by_the_models_own_limit() -> None:
    assert _native.LONGEST_TURN == LONGEST_TURN
    doubt = _doubt({"unclear": {"gcd": "long_turn"}, "polls": []}, ())
    assert doubt is not None
    assert f"the status of `gcd` the program runs more than {LONGEST_TURN} instructions" in doubt
