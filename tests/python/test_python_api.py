"""The interface of `import cocrypt`: designs, measurements, and how objects show themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import cocrypt
from cocrypt import Design, Device, Machine, Study, measure
from cocrypt._native import DiagnosticError
from cocrypt.errors import InputError
from cocrypt.explore import explore
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

ADDER = ROOT / "docs/examples/coprocessor/adder.fdl"
STUDY = ROOT / "docs/examples/studies/example.toml"
WIDE = "dp wide(in a : ns(100); out z : ns(200)) { always { z = a # a; } }"


def test_a_design_is_simulated_cycle_by_cycle() -> None:
    design = Design.load(ADDER)
    first, second = 7, 2**32 - 2
    writes = [
        {"address": 0, "wdata": first, "write": 1},
        {"address": 4, "wdata": second, "write": 1},
    ]
    frame = design.simulate([*writes, {"address": 8, "read": 1}])
    assert frame["cycle"].to_list() == [0, 1, 2]
    assert frame["rdata"].to_list() == [0, 0, 5]
    assert frame["wdata"].to_list() == [first, second, 0]


def test_wide_ports_keep_every_bit(tmp_path: Path) -> None:
    (tmp_path / "wide.fdl").write_text(WIDE, encoding="utf-8")
    value = (1 << 100) - 3
    frame = Design.load(tmp_path / "wide.fdl").simulate([{"a": value}, {"a": 1}])
    assert frame["z"].to_list() == [value << 100 | value, 1 << 100 | 1]


def test_a_design_is_exported() -> None:
    design = Design.load(ADDER)
    assert "module adder(" in design.verilog()
    assert "entity adder is" in design.vhdl(93)
    assert design.diagram().startswith("digraph")
    assert design.warnings() == []


def test_a_wrong_design_or_input_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="adder has no input `wdat`"):
        Design.load(ADDER).simulate([{"wdat": 1}])
    (tmp_path / "wrong.fdl").write_text("dp d(out z : ns(1)) { }", encoding="utf-8")
    with pytest.raises(DiagnosticError):
        Design.load(tmp_path / "wrong.fdl")


def test_measurements_are_those_of_the_command(verb: Verb) -> None:
    measurements = measure("sha256/small", lengths=[8, 64])
    result = verb("measure", "sha256/small", "--lengths", "8,64", "--json")
    assert measurements.frame().to_dicts() == json.loads(result.out)["rows"]


def test_a_folder_is_measured_on_devices() -> None:
    folder = ROOT / "docs/examples/primitives/xtea"
    measurements = measure(folder, devices=["picorv32", Device.load("serv")], optimise=["s"])
    assert set(measurements.frame()["device"]) == {"picorv32", "serv"}
    assert set(measurements.frame()["flags"]) == {"-Os"}


def test_what_cannot_be_measured_is_told() -> None:
    with pytest.raises(InputError, match="name primitives"):
        measure()
    with pytest.raises(InputError, match="there is no primitive `aes127`"):
        measure("aes127")


def test_what_notebooks_show_is_short(firmware: Callable[[str], Path]) -> None:
    image = firmware("int main(void) { return 0; }")
    machine = Machine("picorv32", image, name="main.elf", contexts=True)
    run = machine.run()
    study = Study.from_toml(STUDY)
    exploration = explore(study, study.workload())
    total = exploration.rows[0].measurement.split.total
    measured = measure("sha256/small", lengths=[8])
    adder = "address(12), wdata(32), write(1), read(1) → rdata(32)"
    shown: list[tuple[object, str]] = [
        (machine.device, "<Device picorv32: PicoRV32, fast configuration, 50 MHz>"),
        (machine, "<Machine picorv32 with main.elf>"),
        (study, "<Study example on picorv32: workloads sums; candidates sum>"),
        (
            Design.load(ADDER),
            f"<Design adder: {adder}>",
        ),
        (exploration.rows[0], f"<Row Software: T {total:,}, mu 0, w 1.00>"),
        (
            exploration.rows[0].measurement,
            f"<Measurement of Software on picorv32: T {total:,}, mu 0>",
        ),
        (measured, f"<Measurements of sha256 on picorv32: {len(measured.rows)} rows>"),
    ]
    for value, text in shown:
        assert repr(value) == text
    assert f"{run.cycles:,} cycles" in repr(run)
    assert repr(run).endswith(", exit 0>")
    for value in (run, machine.profile(), exploration, measured.rows[0]):
        assert repr(value).startswith(f"<{type(value).__name__} ")
        assert len(repr(value)) < 160


def test_a_run_that_stopped_says_so(firmware: Callable[[str], Path]) -> None:
    image = firmware("int main(void) { return *(volatile int *)0x70000000; }")
    assert repr(Machine("picorv32", image).run()).endswith(", bus_fault>")


def test_every_public_name_is_there_and_has_a_page() -> None:
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    for name in set(cocrypt.__all__) - {"__version__"}:
        assert getattr(cocrypt, name).__doc__
        assert f":: {name}\n" in page
