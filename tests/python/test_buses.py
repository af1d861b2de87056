"""Buses with bursts and coprocessors with slower clocks: the model's cycles are those of RTL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from cocrypt import measurement, paths, rtl
from cocrypt._native import DiagnosticError
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.machine import Machine
from cocrypt.partition import chosen
from cocrypt.study import Choice, Study, Sweep
from cocrypt.toolchain import Toolchain, Unit
from cocrypt.verify import verify

if TYPE_CHECKING:
    from pathlib import Path

FUNCTIONS = ("mod_add", "mod_sub", "mod_mul", "mod_div")
SETTINGS = (
    {"bus_wait": 9, "burst_wait": 2},
    {"bus_wait": 7, "clock_divide": 3},
    {"bus_wait": 8, "burst_wait": 5, "clock_divide": 5},
)


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.load(paths.root() / "studies" / "hau2011.toml")


@pytest.mark.long
@pytest.mark.parametrize("core", ["hau2011-soc", "ibex-small", "serv"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_model_and_rtl_count_the_same(study: Study, core: str, settings: dict[str, int]) -> None:
    device = Device.load(core).having(**settings)
    choices = [Choice(name, FUNCTIONS) for name in ("point_add", "mod_mul")]
    verification = verify(study.on(device), choices)
    assert [run.difference for run in verification.runs] == [0, 0]
    assert verification.agrees


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"bus_wait": 2, "burst_wait": 3}, "a burst cannot wait 3 cycles"),
        ({"bus_wait": 2, "clock_divide": 3}, "would miss transfers"),
        ({"BARREL_SHIFT": 1}, "has no parameter `BARREL_SHIFT`"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, int], part: str) -> None:
    with pytest.raises(DiagnosticError) as wrong:
        Device.load("picorv32").having(**settings)
    assert part in wrong.value.rendered


def test_a_sweep_lists_what_is_possible_once() -> None:
    device = Device.load("hau2011-soc")
    sweep = Sweep(bus_wait=(1, 2, 19), bus_width=(16, 32), clock=((1, 1), (1, 2), (2, 2)))
    waits = [
        (settings.get("bus_wait", 19), settings.get("clock_divide", 1))
        for settings in sweep.settings(device)
    ]
    # 16 bits double each wait; a clock of 1/2 wants two cycles; 2/2 is 1.
    assert waits[0] == (19, 1)
    assert sorted(waits) == sorted(
        [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (19, 1), (19, 2), (38, 1), (38, 2)]
    )


DMA_SETTINGS: tuple[dict[str, int], ...] = (
    {},
    {"bus_wait": 7, "burst_wait": 3},
    {"bus_wait": 1, "burst_wait": 1},
    {"bus_wait": 6, "burst_wait": 2, "clock_divide": 2},
)


@pytest.mark.parametrize("settings", DMA_SETTINGS, ids=str)
def test_copies_of_the_dma_controller_take_what_rtl_takes(settings: dict[str, int]) -> None:
    """Words to a coprocessor and its results back, sixteen times, beside other transfers."""
    study = Study.load(paths.root() / "studies" / "dma.toml")
    study = study.on(study.device.having(**settings))
    words, cycles = {}, {}
    for option in ("coprocessor", "dma"):
        (built,) = Builder(study).build(
            [(study.workload(), chosen(study, {"sha256_compress": option}))]
        )
        run = measurement.run(study.device, built.image, built.name, built.coprocessors)
        measurement.require_clean(run)
        configuration, waits = rtl.from_device(study.device)
        simulator = rtl.build([configuration], *rtl.coprocessor_verilog(built.coprocessors[0]))
        area = run.locate("output", 32)
        job = rtl.Job(
            rtl.flat_image(built.image), configuration, waits, run.cycles + 1000, dumps=(area,)
        )
        (result,) = rtl.run_batch(simulator, [job])
        assert (result.stop, result.cycles) == ("exit", run.cycles)
        assert result.dumps[0] == run.output("output", 32) == study.workload().expect
        cycles[option] = run.cycles
        words[option] = run.values["transfers"]["sha256"]["input"]
    assert words["dma"] == words["coprocessor"] == 16 * 16
    assert cycles["dma"] < cycles["coprocessor"]


COPY = """
#include "cocrypt/device.h"

uint32_t output[8];
uint32_t source[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int main(void)
{
    FIRST;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("first", "stop"),
    [
        # Memory to memory; odd addresses are those of their words; of the count 16 bits.
        (
            "device_copy((uint32_t)(uintptr_t)output + 3, (uint32_t)(uintptr_t)source + 1, 8)",
            "exit",
        ),
        ("device_copy((uint32_t)(uintptr_t)output, (uint32_t)(uintptr_t)source, 0x10008)", "exit"),
        ("device_copy(0x7ffffffc, (uint32_t)(uintptr_t)source, 2)", "bus_fault"),
        ("device_copy((uint32_t)(uintptr_t)output, 0x7ffffffc, 1)", "bus_fault"),
        # The controller cannot be made to start itself, nor to write code that ran.
        ("device_copy(COCRYPT_DMA + 8, (uint32_t)(uintptr_t)source, 1)", "bus_fault"),
    ],
)
@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
def test_copies_go_where_they_are_sent(
    tmp_path: Path, first: str, stop: str, engine: Literal["interpreter", "compiled"]
) -> None:
    device = Device.load("picorv32-dma")
    (tmp_path / "main.c").write_text(COPY.replace("FIRST", first))
    chain = Toolchain(device)
    units = [*chain.runtime(("-O2",)), Unit(tmp_path / "main.c", ("-O2",))]
    image = chain.link(list(chain.compile_needed(units).values()), "copies")
    machine = Machine(device, image, engine=engine)
    run = machine.run(1_000_000)
    assert run.values["stop"]["kind"] == stop
    if stop == "exit":
        expected = b"".join(number.to_bytes(4, "little") for number in range(1, 9))
        assert run.output("output", 32) == expected


@pytest.mark.parametrize("core", ["vexriscv", "ibex-maxperf"])
def test_cores_that_go_on_meanwhile_have_no_dma(core: str, tmp_path: Path) -> None:
    text = (paths.root() / "devices" / f"{core}.toml").read_text()
    (tmp_path / "cores").symlink_to(paths.root() / "devices" / "cores")
    path = tmp_path / "other.toml"
    path.write_text(text + '\n[[peripheral]]\nkind = "dma"\nbase = 0x80000050\nsize = 0x10\n')
    study = Study.load(paths.root() / "studies" / "hau2011.toml").on(Device.load(path))
    with pytest.raises(DiagnosticError) as wrong:
        verify(study, [Choice("mod_mul", ())])
    assert "is not known beside a DMA controller" in wrong.value.rendered


def test_other_rtl_systems_say_that_they_have_no_dma(tmp_path: Path) -> None:
    text = (paths.root() / "devices" / "serv.toml").read_text()
    (tmp_path / "cores").symlink_to(paths.root() / "devices" / "cores")
    path = tmp_path / "other.toml"
    path.write_text(text + '\n[[peripheral]]\nkind = "dma"\nbase = 0x80000050\nsize = 0x10\n')
    with pytest.raises(InputError, match="has no DMA controller"):
        rtl.from_device(Device.load(path))
