"""Studies on the 8051: partitions that SDCC compiles, with coprocessors in external data."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.explore import explore
from cocrypt.machine import Machine
from cocrypt.partition import partitions
from cocrypt.sdcc import assembly
from cocrypt.study import Study
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

ACCEPTED = 1
"""Cycles from the end of the last store to where the program has ended."""
CODE = 0x1000
"""More bytes than the program has."""
EXIT_DEVICE = 0xF023
"""The last byte of the exit device in external data."""
STUDY = """
[study]
name   = "mixed"
title  = "Arguments in registers and in memory"
device = "i8052"
[toolchain]
flags  = ["-O2"]
[sources]
common = ["mix.c"]
[[workload]]
name   = "all"
title  = "All"
source = "main.c"
output = "output"
expect = "{expect}"
[[candidate]]
function = "mix"
[[candidate.option]]
name   = "other"
source = "other.c"
"""
HEADER = """#include <stdint.h>
uint16_t outside(uint16_t a);
"""
MIX = """#include "mix.h"
static uint32_t mix(uint16_t a, uint8_t b, uint32_t c, const uint8_t *d)
{
    return a + b + c * d[1];
}
uint16_t outside(uint16_t a)
{
    static const uint8_t table[2] = { 1, 3 };
    return (uint16_t)mix(a, 7, 0x10000 + a, table);
}
"""
OTHER = """#include <stdint.h>
uint32_t mix(uint16_t a, uint8_t b, uint32_t c, const uint8_t *d)
{
    return c - a - b - d[0];
}
"""
MAIN = """#include "mix.h"
uint16_t output[2];
void main(void)
{
    output[0] = outside(0x1234);
    output[1] = outside(2);
}
"""


@pytest.fixture(autouse=True)
def _need_sdcc(need_tool: Callable[[str], str]) -> None:
    need_tool("sdcc")


def mixed(folder: Path, values: list[int], main: str = MAIN) -> Study:
    """A study of a function that two others call, which leaves these values."""
    expect = b"".join(value.to_bytes(2, "little") for value in values).hex()
    files = {"mix.h": HEADER, "mix.c": MIX, "other.c": OTHER, "main.c": main}
    for name, text in files.items():
        (folder / name).write_text(text)
    path = folder / "study.toml"
    path.write_text(STUDY.format(expect=expect))
    return Study.load(path)


def machine(study: Study, index: int) -> Machine:
    """A partition on a machine, after its run."""
    (workload,) = study.workloads
    (built,) = Builder(study).build([(workload, partitions(study)[index])])
    made = Machine(study.device, built.path)
    made.run()
    return made


def in_ucsim(machine: Machine, s51: str, folder: Path) -> int:
    """Clocks of ucsim up to the write that ends the program."""
    path = folder / "program.ihx"
    path.write_text(intel_hex(machine.read(0, CODE)))
    process = subprocess.run(
        [s51, "-t", "C52", "-b", path],
        input=f"break xram w {EXIT_DEVICE:#x}\nrun\nstate\nquit\n",
        capture_output=True, text=True, check=True, errors="replace", timeout=60,
    )  # fmt: skip
    return int(re.findall(r"\((\d+) clks\)", process.stdout)[0])


def intel_hex(code: bytes) -> str:
    """Records of bytes from address 0 on."""
    records = []
    for at in range(0, len(code), 16):
        row = bytes([16, *at.to_bytes(2, "big"), 0]) + code[at : at + 16]
        records.append(f":{row.hex()}{-sum(row) & 255:02x}".upper())
    return "\n".join([*records, ":00000001FF", ""])


def test_every_partition_of_a_study_computes_the_same() -> None:
    study = Study.load(ROOT / "studies" / "aes128.toml").on(Device.load("c8051f020"))
    result = explore(study, study.workload("one_block"))
    rows = {row.measurement.partition.name: row.measurement for row in result.rows}
    assert all(measurement.verified for measurement in rows.values())
    assert {"all software", "aes128_encrypt"} <= rows.keys()
    assert rows["aes128_encrypt"].split.total < rows["all software"].split.total


def test_a_new_project_replaces_a_static_function(verb: Verb, tmp_path: Path) -> None:
    """Boundaries cost no cycle: SDCC inlines nothing that is not declared so."""
    made = verb("new", tmp_path / "one", "--device", "i8052")
    assert made.code == 0, made.err
    study = Study.load(tmp_path / "one" / "study.toml")
    result = explore(study, study.workloads[0])
    software, hardware = (row.measurement for row in result.rows)
    assert software.verified
    assert hardware.verified
    assert result.natural is not None
    assert result.natural.split.total == software.split.total > hardware.split.total


def test_software_takes_the_cycles_of_ucsim(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    study = mixed(tmp_path, [0, 0])
    ended = machine(study, 0)
    assert ended.run().values["stop"]["exit_code"] == 0
    clocks = in_ucsim(ended, need_tool("s51"), tmp_path)
    assert ended.run().cycles == clocks + ACCEPTED


def mix(a: int, b: int, c: int, d: list[int]) -> int:
    return a + b + c * d[1]


def other(a: int, b: int, c: int, d: list[int]) -> int:
    return c - a - b - d[0]


@pytest.mark.parametrize(("index", "function"), [(0, mix), (1, other)])
def test_arguments_reach_what_replaces_a_function(
    tmp_path: Path, index: int, function: Callable[..., int]
) -> None:
    values = [function(a, 7, 0x10000 + a, [1, 3]) & 0xFFFF for a in (0x1234, 2)]
    study = mixed(tmp_path, values)
    ended = machine(study, index)
    assert [
        int.from_bytes(ended.read("output", 4)[at : at + 2], "little") for at in (0, 2)
    ] == values


def test_the_result_of_main_is_the_exit_code(tmp_path: Path) -> None:
    negative = MAIN.replace("void main", "int main").replace("(2);", "(2); return -5;")
    study = mixed(tmp_path, [0, 0], negative)
    assert machine(study, 0).run().values["stop"]["exit_code"] == 0xFFFFFFFB


def test_programs_reach_peripherals_by_their_header(tmp_path: Path) -> None:
    marked = MAIN.replace("(2);", "(2);\n    device_write(COCRYPT_MARKS, 0x12345678);")
    study = mixed(tmp_path, [0, 0], f'#include "cocrypt/device.h"\n{marked}')
    assert [value for _, value in machine(study, 0).marks()] == [0x12345678]


def test_variables_count_as_memory(tmp_path: Path) -> None:
    few = machine(mixed(tmp_path, [0, 0]), 0).run().ram
    variables = "uint8_t external[200]; __data uint8_t internal[9];"
    many = (
        machine(mixed(tmp_path, [0, 0], f"#include <stdint.h>\n{variables}\n{MAIN}"), 0).run().ram
    )
    assert many == few + 209


def test_a_function_s_own_parameters_stay_its_own() -> None:
    text = """\t.globl _g
\t.area XSEG    (XDATA)
_f_PARM_2:
\t.ds 1
\t.area CSEG    (CODE)
_f:
\tmov\tdptr,#_f_PARM_2
\tret
_g:
\tmov\tdptr,#_f_PARM_2 ; _f
\tmov\ta,#(_f >> 8)
\tlcall\t_f
"""
    changed = assembly.prepared(text, "void g(int a);", ("f",), "unit").splitlines()
    code = [line.split(";")[0].strip() for line in changed]
    assert code.count("mov\tdptr,#_f_PARM_2") == 1
    assert "mov\tdptr,#_cocrypt_boundary_f_PARM_2" in code
    assert "mov\ta,#(_cocrypt_boundary_f >> 8)" in code
    assert code[-2 if not code[-1] else -1] == "lcall\t_cocrypt_boundary_f"
    assert {".globl _f", ".globl _f_PARM_2", "nothing$g::"} <= set(code)


def test_what_cannot_be_built_is_told(tmp_path: Path) -> None:
    mixed(tmp_path, [0, 0])
    text = (tmp_path / "study.toml").read_text()
    (tmp_path / "study.toml").write_text(
        text.replace("[toolchain]", '[toolchain]\ncompiler = "gcc"')
    )
    with pytest.raises(InputError, match="`gcc` does not compile for i8052"):
        machine(Study.load(tmp_path / "study.toml"), 0)
    (tmp_path / "other.s").write_text("\tnop\n")
    (tmp_path / "study.toml").write_text(text.replace("other.c", "other.s"))
    with pytest.raises(InputError, match="assembly of GNU's, which SDCC does not read"):
        machine(Study.load(tmp_path / "study.toml"), 1)
    (tmp_path / "study.toml").write_text(text)
    (tmp_path / "main.c").write_text(f"#include <stdint.h>\n__data uint8_t held[300];\n{MAIN}")
    with pytest.raises(DoesNotFitError, match="cannot be linked for i8052"):
        machine(Study.load(tmp_path / "study.toml"), 0)
