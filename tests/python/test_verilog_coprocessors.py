"""Coprocessors in Verilog beside the software, to the cycle as at RTL and as in FDL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine, _native, rtl
from cocrypt.device import Device
from cocrypt.errors import HostError
from cocrypt.hardware.registers import Form, written
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT
from test_coprocessors import built

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import Cocrypt

POPCOUNT = ROOT / "docs/examples/verilog/registers.toml"
TRIVIUM = ROOT / "coprocessors/trivium/registers.toml"
DEVICE = "picorv32"

PROGRAM = """
#include "popcount_registers.h"
#include "cocrypt/device.h"
static const uint32_t words[] = { 0, 1, 0xffffffff, 0x80000001, 0x12345678 };
uint32_t ones[5];
int main(void)
{
    for (unsigned at = 0; at < 5; at++) {
        popcount_run(COCRYPT_COPROCESSOR, &words[at], &ones[at]);
        for (volatile unsigned wait = 0; wait < 40 * at; wait++)
            ;
    }
    return 0;
}
"""
EXPECTED = (0, 1, 32, 2, 13)


def image(device: Device, sources: Sequence[Path], include: Path) -> bytes:
    """A program with the runtime."""
    chain = Toolchain(device)
    units = [Unit(source, ("-O2",), (include,)) for source in sources]
    objects = chain.compile_needed([*chain.runtime(("-O2",)), *units])
    return chain.link(list(objects.values()), "popcount").read_bytes()


def popcount(folder: Path, device: Device) -> bytes:
    """The program that counts bits by the driver that is made of the register map."""
    values = _native.load_coprocessor(POPCOUNT)
    (folder / "popcount_registers.h").write_text(written(values, Form.HEADER))
    (folder / "driver.c").write_text(written(values, Form.DRIVER))
    (folder / "main.c").write_text(PROGRAM)
    return image(device, [folder / "main.c", folder / "driver.c"], folder)


@pytest.mark.long
def test_model_and_rtl_agree_to_the_cycle(tmp_path: Path) -> None:
    device = Device.load(DEVICE)
    elf = popcount(tmp_path, device)
    machine = Machine(device, elf, coprocessors=[POPCOUNT])
    run = machine.run()
    assert run.values["stop"]["exit_code"] == 0
    counts = machine.read("ones", 20)
    assert tuple(counts[at] for at in range(0, 20, 4)) == EXPECTED
    assert run.values["transfers"]["popcount"]["input"] == len(EXPECTED)

    configuration, waits = rtl.from_device(device)
    simulator = rtl.build([configuration], *rtl.coprocessor_verilog(POPCOUNT))
    result = rtl.run_batch(simulator, [rtl.Job(rtl.flat_image(elf), configuration, waits)])[0]
    assert (result.stop, result.exit_code, result.cycles) == ("exit", 0, run.cycles)


def test_copies_of_a_machine_go_on_alike(tmp_path: Path) -> None:
    device = Device.load(DEVICE)
    machine = Machine(device, popcount(tmp_path, device), coprocessors=[POPCOUNT])
    whole = machine.copy()
    end = whole.run().cycles
    for limit in range(0, end, max(1, end // 40)):
        machine.run(limit)
        copy = machine.copy()
        assert copy.run().cycles == end
        assert copy.read("ones", 20) == whole.read("ones", 20)


@pytest.mark.long
def test_an_exported_design_takes_the_cycles_of_its_source(tmp_path: Path) -> None:
    device = Device.load(DEVICE)
    elf = built(TRIVIUM, device, tmp_path)
    text = TRIVIUM.read_text(encoding="utf-8").replace("trivium.fdl", "trivium.v")
    exported = tmp_path / "exported"
    exported.mkdir()
    (exported / "registers.toml").write_text(text)
    design = TRIVIUM.parent / "trivium.fdl"
    (exported / "trivium.v").write_text(_native.fdl_verilog(design, "trivium"))
    runs = [
        Machine(device, elf, coprocessors=[path]).run()
        for path in (TRIVIUM, exported / "registers.toml")
    ]
    assert runs[0].values["stop"] == runs[1].values["stop"]
    assert runs[0].values["stop"]["exit_code"] == 0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("output logic [31:0] rdata", "output logic [31:0] answer"), "rdata"),
        (("module popcount (", "module other ("), "popcount"),
        (("endmodule", ""), "Verilator refuses popcount.sv"),
    ],
)
def test_a_design_that_does_not_fit_is_told(
    change: tuple[str, str], expected: str, tmp_path: Path
) -> None:
    text = (POPCOUNT.parent / "popcount.sv").read_text(encoding="utf-8")
    (tmp_path / "popcount.sv").write_text(text.replace(*change))
    (tmp_path / "registers.toml").write_text(POPCOUNT.read_text(encoding="utf-8"))
    with pytest.raises(HostError) as raised:
        rtl.libraries([tmp_path / "registers.toml"])
    assert expected in str(raised.value)


def test_vectors_are_run_on_a_design_in_verilog(cocrypt: Cocrypt, tmp_path: Path) -> None:
    done = cocrypt("fdl", "test", POPCOUNT)
    assert done.returncode == 0, done.stderr
    wrong = tmp_path / "vectors.toml"
    text = (POPCOUNT.parent / "vectors.toml").read_text()
    wrong.write_text(text.replace("0x20", "0x21").replace("cycles = 9", "cycles = 8", 1))
    done = cocrypt("fdl", "test", POPCOUNT, "--vectors", wrong)
    assert done.returncode == 3
    assert "2 of 3 vectors are not met" in done.stderr
    assert "it states 8 cycles, and is not done then" in done.stderr
    done = cocrypt("fdl", "test", POPCOUNT, "--exports")
    assert (done.returncode, "is in Verilog" in done.stderr) == (1, True)


@pytest.mark.long
def test_what_a_design_says_of_itself_ends_badly_and_is_told(tmp_path: Path) -> None:
    text = (POPCOUNT.parent / "popcount.sv").read_text(encoding="utf-8")
    fatal = (
        '  always @(posedge clk) if (write && wdata == 1) $fatal(1, "one is not liked");\nendmodule'
    )
    (tmp_path / "popcount.sv").write_text(text.replace("endmodule", fatal))
    (tmp_path / "registers.toml").write_text(POPCOUNT.read_text(encoding="utf-8"))
    device = Device.load(DEVICE)
    elf = popcount(tmp_path, device)
    run = Machine(device, elf, coprocessors=[tmp_path / "registers.toml"]).run()
    assert any("popcount.sv" in fault for fault in run.values["faults"])
