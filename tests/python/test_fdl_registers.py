"""`cocrypt fdl registers`: its output is read by a SystemRDL compiler, and driven on a device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from systemrdl.compiler import RDLCompiler
from systemrdl.node import RegNode

from cocrypt import _native
from cocrypt.device import Device
from cocrypt.hardware.registers import Form, written
from device import SOC, run
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

MAP = ROOT / "coprocessors/map/registers.toml"
MULTIPLY = 2
PRIME = 2**160 - 2**31 - 1
WORDS = 6


def test_systemrdl_says_what_the_map_says(cocrypt: Cocrypt, tmp_path: Path) -> None:
    stated = _native.load_coprocessor(str(MAP))
    path = tmp_path / "map.rdl"
    assert cocrypt("fdl", "registers", MAP, "-o", path).returncode == 0
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    top = compiler.elaborate().top
    assert top.inst_name == stated["name"]
    registers = {}
    for node in top.descendants(unroll=True):
        if isinstance(node, RegNode):
            bits = {field.inst_name: [field.low, field.high] for field in node.fields()}
            access = (node.has_sw_readable, node.has_sw_writable)
            registers[node.absolute_address] = (node.inst_name, access, bits)
    assert registers == {
        register["offset"] + 4 * word: (
            register["name"],
            (register["access"] != "write", register["access"] != "read"),
            {field["name"]: field["bits"] for field in register["fields"]} or {"value": [0, 31]},
        )
        for register in stated["registers"]
        for word in range(register["words"])
    }


def test_the_driver_multiplies_on_a_device(tmp_path: Path) -> None:
    stated = _native.load_coprocessor(str(MAP))
    (tmp_path / "map_registers.h").write_text(written(stated, Form.HEADER))
    (tmp_path / "driver.c").write_text(written(stated, Form.DRIVER))
    x, y = PRIME - 5, 3**90
    (tmp_path / "main.c").write_text(_program(x=x, y=y, m=PRIME))
    sources = [tmp_path / "driver.c", tmp_path / "main.c"]
    finished = run(Device.load(SOC), sources, [tmp_path], [MAP])
    result = int.from_bytes(finished.bytes_at("z", 4 * WORDS), "little")
    assert result == x * y % PRIME


def test_a_map_that_is_not_there(cocrypt: Cocrypt) -> None:
    result = cocrypt("fdl", "registers", "nowhere.toml")
    assert result.returncode == 1
    assert "nowhere.toml" in result.stderr


def _program(**operands: int) -> str:
    words = {
        name: ", ".join(hex(value >> 32 * at & 0xFFFF_FFFF) + "u" for at in range(WORDS))
        for name, value in operands.items()
    }
    arrays = [f"static const uint32_t {name}[] = {{{row}}};" for name, row in words.items()]
    command = f"{MULTIPLY}u | MAP_CONTROL_START"
    return "\n".join(
        [
            '#include "map_registers.h"',
            '#include "cocrypt/device.h"',
            "void map_run(uintptr_t, const uint32_t *, const uint32_t *, const uint32_t *,",
            "             uint32_t *, uint32_t);",
            *arrays,
            f"uint32_t z[{WORDS}];",
            "int main(void)",
            "{",
            f"    map_run(COCRYPT_COPROCESSOR, x, y, m, z, {command});",
            "    return 0;",
            "}",
            "",
        ]
    )


@pytest.mark.parametrize("form", [Form.HEADER, Form.DRIVER])
def test_no_text_of_a_map_ends_a_comment(form: Form) -> None:
    stated = _native.load_coprocessor(str(MAP))
    evil = "*/\nEVIL\n/*"
    stated["title"] = evil
    for register in stated["registers"]:
        register["doc"] = evil
        for field in register["fields"]:
            field["doc"] = evil
    text = written(stated, form)
    assert "EVIL" in text
    assert "EVIL" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
