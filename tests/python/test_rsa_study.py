"""The studies rsa and rsa1024: examples, the unit's vectors, and every partition with a name."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native, measurement
from cocrypt.builder import Builder
from cocrypt.hardware import vectors as port
from cocrypt.hardware.registers import Form, written
from cocrypt.machine import Machine
from cocrypt.partition import chosen, partition
from cocrypt.study import Study
from cocrypt.verify import verify
from conftest import ROOT
from host import vectors

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "studies/rsa"
SIZES = {1024: "rsa1024", 2048: "rsa"}
UNITS = [
    ROOT / "studies/duarte2010/montgomery32",
    *(FOLDER / f"unit{bits}" for bits in SIZES),
]
# A run of 2,048 bits in software alone takes a second, the named partitions of 1,024 a few.
NAMES = {
    1024: ("all software", "products and squares", "power", "all hardware"),
    2048: ("all hardware",),
}

every_size = pytest.mark.parametrize("bits", SIZES)
every_unit = pytest.mark.parametrize("folder", UNITS, ids=lambda folder: folder.name)


@cache
def study(bits: int) -> Study:
    return Study.load(ROOT / f"studies/{SIZES[bits]}.toml")


def example(bits: int) -> dict[str, str]:
    """The first vectors of the library: a key, a message, and its cipher."""
    tables = vectors(f"primitives/rsa/vectors/rsa{bits}.toml")
    public, private, crt = (tables[name][0] for name in ("public", "private", "private_crt"))
    primes = {name: crt[name] for name in ("p", "q", "dp", "dq", "qinv")}
    key = {"n": public["n"], "e": public["e"], "d": private["d"], **primes}
    return {**key, "message": public["message"], "cipher": private["message"]}


@every_size
def test_the_example_is_that_of_the_vectors(bits: int) -> None:
    text = (FOLDER / f"example{bits}.h").read_text()
    for name, value in example(bits).items():
        body = re.search(rf"EXAMPLE_{name.upper()}\[\w+\] = {{(.*?)}}", text, re.DOTALL)
        assert body, name
        assert "".join(re.findall(r"0x(\w\w)", body[1])) == value


@every_size
def test_expectations_are_what_python_computes(bits: int) -> None:
    number = {name: int(value, 16) for name, value in example(bits).items()}
    cipher = pow(number["message"], number["e"], number["n"])
    message = pow(number["cipher"], number["d"], number["n"])
    assert number["p"] * number["q"] == number["n"]
    expected = {"public": cipher, "private": message, "private_crt": message}
    assert {
        workload.name: int.from_bytes(workload.expect or b"") for workload in study(bits).workloads
    } == expected


@every_unit
def test_the_unit_meets_its_vectors(folder: Path) -> None:
    values = _native.load_coprocessor(folder / "registers.toml")
    expected = port.load(values, folder / port.FILE)
    wrong = [answer for answer in port.answers(values, expected) if not answer.right]
    assert not wrong, wrong[0]


@every_unit
def test_the_header_is_as_generated(folder: Path) -> None:
    values = _native.load_coprocessor(folder / "registers.toml")
    header = folder / "driver" / f"{values['name']}_registers.h"
    assert header.read_text(encoding="utf-8") == written(values, Form.HEADER)


def run(bits: int, workload: str, choice: dict[str, str]) -> measurement.Run:
    rsa = study(bits)
    given = {f"rsa{bits}_modulus_{name}": option for name, option in choice.items()}
    (built,) = Builder(rsa).build([(rsa.workload(workload), chosen(rsa, given))])
    result = measurement.run(rsa.device, built.image, built.name, built.coprocessors)
    measurement.require_clean(result)
    return result


def named(bits: int, name: str) -> dict[str, str]:
    """The options of power, multiply and square in the partition of this name."""
    rsa = study(bits)
    (hw,) = (hw for hw, given in rsa.names.items() if given == name)
    choice = partition(rsa, hw).choice
    return {function.rsplit("_", 1)[1]: option for function, option in choice.items()}


@pytest.mark.parametrize("workload", ["private", "private_crt", "public"])
@pytest.mark.parametrize(
    ("bits", "name"),
    [
        pytest.param(bits, name, marks=[pytest.mark.long] if bits == max(NAMES) else [])
        for bits, names in NAMES.items()
        for name in names
    ],
)
def test_partitions_give_what_is_expected(bits: int, name: str, workload: str) -> None:
    program = study(bits).workload(workload)
    done = run(bits, workload, named(bits, name))
    assert done.output(program.output, program.size) == program.expect


@pytest.mark.parametrize("name", ["power", "all hardware"])
def test_a_unit_as_wide_as_a_prime_gives_the_same(name: str) -> None:
    narrow = Study.load(ROOT / "studies/rsa-crt.toml")
    (program,) = narrow.workloads
    assert program == study(2048).workload("private_crt")
    (hw,) = (hw for hw, given in narrow.names.items() if given == name)
    (built,) = Builder(narrow).build([(program, partition(narrow, hw))])
    assert [path.parent.name for path in built.coprocessors] == ["unit1024"]
    done = measurement.run(narrow.device, built.image, built.name, built.coprocessors)
    measurement.require_clean(done)
    assert done.output(program.output, program.size) == program.expect


OPTIONS = [
    {"power": "window"},
    {"power": "bits", "multiply": "coprocessor", "square": "coprocessor"},
    {"multiply": "loops", "square": "coprocessor"},
]


@pytest.mark.parametrize("choice", OPTIONS, ids=str)
def test_other_options_give_what_is_expected(choice: dict[str, str]) -> None:
    program = study(1024).workload("private_crt")
    done = run(1024, "private_crt", choice)
    assert done.output(program.output, program.size) == program.expect


@pytest.mark.parametrize("power", ["coprocessor", "window", "bits"])
def test_powers_do_not_tell_the_exponent_by_their_time(power: str) -> None:
    rsa = study(1024)
    options = {"power": power, "multiply": "coprocessor", "square": "coprocessor"}
    given = {f"rsa1024_modulus_{name}": option for name, option in options.items()}
    (built,) = Builder(rsa).build([(rsa.workload("private"), chosen(rsa, given))])
    number = {name: int(value, 16) for name, value in example(1024).items()}
    cycles = set()
    for exponent in (b"\x00" * 127 + b"\x01", b"\xff" * 128, bytes(range(128))):
        machine = Machine(rsa.device, built.image, coprocessors=built.coprocessors)
        machine.write("EXAMPLE_D", exponent)
        cycles.add(machine.run().cycles)
        expected = pow(number["cipher"], int.from_bytes(exponent), number["n"])
        assert machine.read("output", 128) == expected.to_bytes(128)
    assert len(cycles) == 1


def test_what_stays_in_the_unit_need_not_cross_the_bus() -> None:
    def moved(choice: dict[str, str]) -> int:
        counted: dict[str, Any] = run(1024, "private", choice).values["transfers"]["rsa_unit"]
        return int(counted["input"] + counted["output"])

    resident, moving = named(1024, "power"), named(1024, "products and squares")
    # Modulus, 1 twice and x go in, the power comes out; else four numbers of 32 words a product.
    assert moved(resident) == 5 * 32
    products, remainder = divmod(moved(moving), 4 * 32)
    assert remainder == 0
    assert products > 1024 + 256


@pytest.mark.long
def test_model_and_rtl_agree_with_the_unit() -> None:
    verification = verify(study(1024), study(1024).verify)
    assert verification.runs
    assert verification.agrees
