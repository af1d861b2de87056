"""The library of coprocessors: official vectors at the port, in the exports, from C, and at RTL."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native, rtl
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.hardware import vectors
from cocrypt.hardware.exported import Exported, differing
from cocrypt.hardware.recording import record_rows
from cocrypt.hardware.registers import Form, written
from cocrypt.hardware.vectors import WORD, Vector
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Cocrypt

MAPS = sorted((ROOT / "coprocessors").glob("*/registers.toml"))
# The modular arithmetic processor of the study has a driver of its own.
GENERATED = [path for path in MAPS if path.parent.name != "map"]
DEVICE = "picorv32"
# Without those of twenty S-boxes: each is a function of 256 cases, whose C++ takes a minute to
# optimise.
AT_RTL = [path for path in GENERATED if path.parent.name not in {"aes128", "aes128-sealed"}]

WIDER = {"map192", "map256"}
"""The same design as `map`, for longer words."""

every_map = pytest.mark.parametrize("path", MAPS, ids=lambda path: path.parent.name)
at_rtl = pytest.mark.parametrize("path", AT_RTL, ids=lambda path: path.parent.name)
generated = pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.parent.name)


def described(path: Path) -> tuple[dict[str, Any], list[Vector]]:
    """A coprocessor's register map and its vectors."""
    values = _native.load_coprocessor(path)
    return values, vectors.load(values, path.parent / vectors.FILE)


@every_map
def test_vectors_are_met_in_the_cycles_stated(path: Path) -> None:
    values, expected = described(path)
    assert all(vector.source for vector in expected)
    assert any(vector.outputs for vector in expected)
    assert all((vector.cycles is None) == (vector.command is None) for vector in expected)
    wrong = [answer for answer in vectors.answers(values, expected) if not answer.right]
    assert not wrong, wrong[0]


@pytest.mark.parametrize("name", ["aes", "aes_composite"])
def test_both_s_boxes_are_the_affine_map_of_the_inverse(name: str) -> None:
    design = ROOT / f"coprocessors/common/{name}.fdl"
    run = record_rows(design, "aes_substitute", [{"x": value} for value in range(256)])
    assert [row["y"] for row in run.outputs] == [substituted(value) for value in range(256)]


def substituted(value: int) -> int:
    """SubBytes as FIPS 197, section 5.1.1, defines it."""
    inverse = next((other for other in range(256) if _product(value, other) == 1), 0)
    turned = 0
    for shift in range(5):
        turned ^= (inverse << shift | inverse >> 8 - shift) & 0xFF
    return turned ^ 0x63


def _product(left: int, right: int) -> int:
    """A product modulo x^8 + x^4 + x^3 + x + 1."""
    total = 0
    for bit in range(8):
        total ^= left << bit if right >> bit & 1 else 0
    for bit in reversed(range(8, 15)):
        total ^= 0x11B << bit - 8 if total >> bit & 1 else 0
    return total


@pytest.mark.long
@every_map
def test_exports_agree_in_every_cycle(
    path: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    values, expected = described(path)
    rows, _ = vectors.stimuli(values, expected)
    design = Path(values["design"])
    exported = Exported.of(design, values["top"], record_rows(design, values["top"], rows))
    assert not any(differing([exported], tmp_path).values())


@pytest.mark.long
@every_map
def test_yosys_has_nothing_to_say(
    path: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    values = _native.load_coprocessor(path)
    text = _native.fdl_verilog(values["design"], values["top"])
    (tmp_path / "design.v").write_text(text, encoding="utf-8")
    # Of `map` with longer words no gates are made: they would be the same ones in other numbers.
    steps = "-run begin:fine" if path.parent.name in WIDER else ""
    synthesis = f"synth -top {values['top']} {steps}; check -assert"
    script = f"read_verilog -noautowire design.v; {synthesis}"
    process = subprocess.run(
        [need_tool("yosys"), "-q", "-p", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert "warning" not in (process.stdout + process.stderr).lower()


@generated
@pytest.mark.parametrize("form", [Form.HEADER, Form.DRIVER])
def test_drivers_are_as_generated(path: Path, form: Form) -> None:
    values = _native.load_coprocessor(path)
    name = values["name"] + ("_registers.h" if form is Form.HEADER else ".c")
    assert (path.parent / "driver" / name).read_text(encoding="utf-8") == written(values, form)


@generated
def test_driver_meets_the_vectors(path: Path, tmp_path: Path) -> None:
    device = Device.load(DEVICE)
    stop = on_model(path, device, built(path, device, tmp_path))["stop"]
    assert stop["kind"] == "exit"
    assert stop["exit_code"] == 0, f"vector {stop['exit_code']} is not met"


@pytest.mark.long
@at_rtl
def test_driver_takes_the_same_cycles_at_rtl(path: Path, tmp_path: Path) -> None:
    device = Device.load(DEVICE)
    elf = built(path, device, tmp_path)
    configuration, waits = rtl.from_device(device)
    simulator = rtl.build([configuration], *rtl.coprocessor_verilog(path))
    job = rtl.Job(rtl.flat_image(elf), configuration, waits)
    result = rtl.run_batch(simulator, [job])[0]
    assert (result.stop, result.exit_code) == ("exit", 0)
    assert result.cycles == on_model(path, device, elf)["cycles"]


def on_model(path: Path, device: Device, elf: bytes) -> dict[str, Any]:
    """The result of a program with the coprocessor."""
    return _native.Machine(str(device.path), elf, path.parent.name, [str(path)]).run()


def built(path: Path, device: Device, tmp_path: Path) -> bytes:
    """The program that runs a coprocessor's vectors by its driver."""
    values, expected = described(path)
    main = tmp_path / "main.c"
    main.write_text(program(values, expected), encoding="utf-8")
    chain = Toolchain(device)
    driver = path.parent / "driver"
    units = [Unit(source, ("-O2",), (driver,)) for source in (main, driver / f"{values['name']}.c")]
    objects = chain.compile_needed([*chain.runtime(("-O2",)), *units])
    return chain.link(list(objects.values()), values["name"]).read_bytes()


def program(values: dict[str, Any], expected: list[Vector]) -> str:
    """A program that exits with the number of the first vector that its driver does not meet."""
    name = values["name"]
    sizes = {
        role: {
            register["name"]: register["words"]
            for register in values["registers"]
            if register["role"] == role
        }
        for role in ("input", "output")
    }
    lines = [f'#include "{name}_registers.h"', '#include "cocrypt/device.h"', ""]
    lines += [
        f"static uint32_t out_{register}[{words}];" for register, words in sizes["output"].items()
    ]
    lines += [
        "static int differs(const uint32_t *words, const uint8_t *bytes, unsigned count)",
        "{",
        "    for (unsigned at = 0; at < count; at++)",
        "        if ((uint8_t)(words[at / 4] >> 8 * (at % 4)) != bytes[at])",
        "            return 1;",
        "    return 0;",
        "}",
        "",
        "int main(void)",
        "{",
    ]
    # A driver writes all inputs: what a vector leaves out is what was there before; for Keccak,
    # which adds what is written to its state, it is 0.
    inputs = {register: bytes(WORD * words) for register, words in sizes["input"].items()}
    for number, vector in enumerate(expected, 1):
        for register in inputs:
            value = vector.inputs.get(register)
            fresh = bytes(len(inputs[register])) if values["name"] == "keccak" else inputs[register]
            inputs[register] = (
                fresh if value is None else value + bytes(len(inputs[register]) - len(value))
            )
        lines += _call(name, number, vector, inputs, list(sizes["output"]))
    return "\n".join([*lines, "    return 0;", "}", ""])


def _call(
    name: str, number: int, vector: Vector, inputs: dict[str, bytes], outputs: list[str]
) -> list[str]:
    arrays = {
        register: [value[at : at + WORD] for at in range(0, len(value), WORD)]
        for register, value in inputs.items()
    }
    lines = ["    {"]
    for register, words in arrays.items():
        numbers = ", ".join(f"{int.from_bytes(word, 'little'):#x}u" for word in words)
        lines.append(f"        static const uint32_t {register}[] = {{{numbers}}};")
    arguments = ["COCRYPT_COPROCESSOR", *arrays, *(f"out_{register}" for register in outputs)]
    arguments += [] if vector.command is None else [f"{vector.command:#x}u"]
    lines.append(f"        {name}_run({', '.join(arguments)});")
    for register, value in vector.outputs.items():
        numbers = ", ".join(map(str, value))
        lines.append(f"        static const uint8_t expected_{register}[] = {{{numbers}}};")
        lines.append(f"        if (differs(out_{register}, expected_{register}, {len(value)}))")
        lines.append(f"            return {number};")
    return [*lines, "    }"]


def test_a_wrong_vector_is_told(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = ROOT / "coprocessors/pow2/registers.toml"
    wrong = tmp_path / "vectors.toml"
    wrong.write_text(
        '[[vector]]\nsource = "by hand"\n'
        'inputs = { exponent = "0x3" }\noutputs = { power = "0x9" }\n'
    )
    result = cocrypt("fdl", "test", path, "--vectors", wrong)
    assert result.returncode == 3
    assert "by hand" in result.stdout
    assert "power is 08000000, not 09000000" in result.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no vectors"),
        ("[[vector", "is not TOML"),
        ("[[vector]]\ninput = {}", "no vector `input`"),
        ("[[vector]]\ninputs = { exponnt = '0x1' }", "exponent"),
        ("[[vector]]\ninputs = { exponent = '0x123456789' }", "more than 4 bytes"),
        ("[[vector]]\ninputs = { exponent = '0102030405' }", "do not fit"),
        ("[[vector]]\ninputs = { exponent = 'zz' }", "neither bytes"),
        ("[[vector]]\ncommand = { start = 1 }", "role `control`"),
        ("[[vector]]\ncycles = 0", "`cycles`"),
    ],
)
def test_vectors_that_do_not_fit_are_told(text: str, expected: str, tmp_path: Path) -> None:
    values = _native.load_coprocessor(ROOT / "coprocessors/pow2/registers.toml")
    (tmp_path / "vectors.toml").write_text(text)
    with pytest.raises(InputError) as raised:
        vectors.load(values, tmp_path / "vectors.toml")
    assert expected in str(raised.value) + str(raised.value.__dict__)
