"""Functions of SDCC, called one by one: arguments, costs, vectors, and what does not fit."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task, measure, tasks
from cocrypt.primitives.portfolio import portfolio
from cocrypt.primitives.script import Buffer, Step, Timing
from cocrypt.primitives.subject import Function, Subject
from cocrypt.sdcc.calls import StaticCalling
from cocrypt.sdcc.images import SdccImages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.primitives.measuring import Row

CALL_AND_RETURN = {"i8052": 2 * 24, "c8051f020": 4 + 5}
"""Cycles of `lcall` and `ret`: 272383-002, table 10; C8051F020's data sheet, table 12.1."""
HEADER = """#include <stdint.h>
void nothing(void);
void more(uint8_t first, uint32_t second);
void deeper(void);
int16_t join(uint8_t *out, uint8_t a, uint16_t b, uint32_t c, const uint8_t *m);
int8_t narrow(uint8_t value);
void square(uint64_t *value);
"""
SOURCE = """#include "f.h"
void nothing(void) {}
void more(uint8_t first, uint32_t second) { (void)first; (void)second; }
void deeper(void) { nothing(); nothing(); }
int16_t join(uint8_t *out, uint8_t a, uint16_t b, uint32_t c, const uint8_t *m)
{
    out[0] = a;
    out[1] = (uint8_t)b;
    out[2] = (uint8_t)(b >> 8);
    out[3] = (uint8_t)c;
    out[4] = (uint8_t)(c >> 24);
    out[5] = m[1];
    return -2;
}
int8_t narrow(uint8_t value) { return (int8_t)(value + 1); }
void square(uint64_t *value) { *value *= *value; }
"""
FILLING = """__bit flag;
__data uint8_t data[0x5B];
void nothing(void) { flag = !flag; data[0]++; }"""
"""As many bytes of internal data as there are behind registers, but for those of `caller.asm`."""
FUNCTIONS = {
    "nothing": Function("nothing", ()),
    "more": Function("more", ("first_size", "second_size")),
    "deeper": Function("deeper", ()),
    "join": Function("join", ("out", "a_size", "b_size", "c_size", "m")),
    "narrow": Function("narrow", ("value_size",)),
    "square": Function("square", ("value",)),
}


@pytest.fixture(autouse=True)
def _need_sdcc(need_tool: Callable[[str], str]) -> None:
    need_tool("sdcc")


def calling(folder: Path, device: str, source: str = SOURCE) -> StaticCalling:
    """The functions above on a device."""
    (folder / "f.h").write_text(HEADER)
    (folder / "f.c").write_text(source)
    paths = ((folder / "f.c",), (folder,))
    subject = Subject("some", "c", "", "", "x", "x", None, {}, FUNCTIONS, *paths, header="f.h")
    return StaticCalling(SdccImages(Device.load(device), subject))


def rows(device: str, *names: str) -> list[Row]:
    """The rows of primitives."""
    measured, unfit = measure(task(device, *names))
    assert not unfit
    return measured


def task(device: str, *names: str) -> list[Task]:
    return tasks(library.named(names), [Device.load(device)], [Build()], (8,))


def test_arguments_and_results_are_those_of_c(tmp_path: Path) -> None:
    out, other = Buffer(size=6), Buffer(b"\x01\x99")
    sizes = {"a_size": 0x11, "b_size": 0x2233, "c_size": 0x44556677}
    join = Step("join", {"out": out, "m": other, **sizes})
    narrow = Step("narrow", {"value_size": 0x7F})
    value = Buffer((0x1234567).to_bytes(8, "little"))
    outcome = calling(tmp_path, "i8052").run([join, narrow, Step("square", {"value": value})])
    assert int.from_bytes(outcome.contents[value], "little") == 0x1234567**2
    assert outcome.contents[out].hex() == "113322774499"
    assert outcome.results == {join: -2, narrow: -128}


@pytest.mark.parametrize("device", CALL_AND_RETURN)
@pytest.mark.parametrize("name", ["nothing", "more"])
def test_an_empty_function_costs_its_call_and_its_return(
    tmp_path: Path, device: str, name: str
) -> None:
    """Two instructions, their cycles, and the two bytes of the return address."""
    step = Step(name, {"first_size": 1, "second_size": 2} if name == "more" else {})
    timing = Timing(name, None, (step, step), (1,), (name,), 0)
    cost = calling(tmp_path, device).total(timing)
    assert (cost.cycles, cost.instructions, cost.stack) == (CALL_AND_RETURN[device], 2, 2)


def test_the_stack_is_as_deep_as_calls_are(tmp_path: Path) -> None:
    timing = Timing("deeper", None, (Step("deeper", {}),), (0,), ("deeper",), 0)
    assert calling(tmp_path, "i8052").total(timing).stack == 4


def test_a_stack_that_runs_over_internal_data_does_not_fit(tmp_path: Path) -> None:
    """A function that calls itself without end runs over 128 bytes of internal data."""
    endless = SOURCE.replace("{ nothing(); nothing(); }", "{ deeper(); nothing(); }")
    called = calling(tmp_path, "i8051", endless)
    with pytest.raises(DoesNotFitError, match="its stack runs over the end of internal data"):
        called.run([Step("deeper", {})])


def test_a_stack_between_registers_and_data_does_not_fit(tmp_path: Path) -> None:
    """The linker puts it there if data, from the byte of bits on, leaves no room behind it."""
    full = SOURCE.replace("void nothing(void) {}", FILLING).replace("*value *= *value", "value++")
    with pytest.raises(DoesNotFitError, match="no room for a stack is left"):
        calling(tmp_path, "i8051", full)
    step = Step("nothing", {})
    timing = Timing("nothing", None, (step, step), (1,), ("nothing",), 0)
    assert calling(tmp_path, "i8052", full).total(timing).stack == 2


def test_vectors_come_out_and_sizes_are_the_linker_s(tmp_path: Path) -> None:
    """The object files of SDCC state the bytes of code and of data that they bring."""
    chosen = task("c8051f020", "aes128/ref")[0]
    measured = {row.operation: row for row in rows("c8051f020", "aes128/ref")}
    assert all(row.verified for row in measured.values())
    whole = objects(chosen.subject, tmp_path)
    assert measured["encrypt"].rom >= whole["CSEG"] + whole["CONST"]
    assert measured["encrypt"].ram >= whole["XSEG"] + whole["DSEG"]


def objects(subject: Subject, folder: Path) -> dict[str, int]:
    """The bytes of areas in a subject's object files, by SDCC's own command."""
    areas: dict[str, int] = {}
    for unit in subject.units(()):
        include = [word for path in unit.include for word in ("-I", path)]
        options = ["-mmcs51", "--std-c11", "--model-large", *unit.flags, *include]
        made = folder / f"{unit.source.stem}.rel"
        subprocess.run(["sdcc", *options, "-c", unit.source, "-o", made], check=True)
        for name, size in re.findall(r"^A (\w+) size ([0-9A-F]+)", made.read_text(), re.MULTILINE):
            areas[name] = areas.get(name, 0) + int(size, 16)
    return areas


def test_what_sdcc_cannot_compile_has_a_reason() -> None:
    measured, unfit = measure(task("i8052", "aes128/fast", "aes128/ref"))
    assert {row.subject.name for row in measured} == {"aes128/ref"}
    assert [entry.error.reason for entry in unfit] == [
        "SDCC does not compile it: Function cannot return aggregate. Func body ignored"
    ]
    assert json.dumps(unfit[0].record())


def test_code_of_others_shows_the_compiler_s_message(tmp_path: Path) -> None:
    (tmp_path / "f.h").write_text(HEADER)
    (tmp_path / "f.c").write_text("int broken(")
    paths = ((tmp_path / "f.c",), (tmp_path,))
    subject = Subject(
        "some", "c", "", "", "x", "x", None, {}, FUNCTIONS, *paths, header="f.h", discovered=True
    )
    with pytest.raises(InputError, match="syntax error"):
        SdccImages(Device.load("i8052"), subject).callable()


def test_budgets_are_answered() -> None:
    device = Device.load("i8052")
    result = portfolio(device, task("i8052", "aes128/ref"), ((8192, 16384), (128, 1024)))
    verdicts = {
        (entry.rom_budget, entry.ram_budget, entry.job): entry.verdict for entry in result.entries
    }
    assert verdicts[16384, 1024, "encrypt"] == "fits"
    assert verdicts[8192, 1024, "encrypt"] == "impossible"
