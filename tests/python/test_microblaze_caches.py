"""A MicroBlaze's caches under the program's control: `wdc`, `wic`, MSR[ICE] and MSR[DCE].

Cycles are counted by hand from UG984, chapter 5 (latencies) and chapter 2, "Instruction Cache" and
"Data Cache", and from the waits of `devices/duarte2010-microblaze-cached.toml`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cocrypt._native import DiagnosticError
from cocrypt.machine import Machine
from host import ROOT
from microblaze_programs import image, immediate, load_constant, registers
from test_microblaze import CACHED, DATA, END, ENGINES, NOTHING

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.machine import Engine

ICE, DCE = 0x20, 0x80
LINE, PAST = 34, 31
"""Further cycles of a line that comes in, and of an access past a cache that is off."""
STORED = 9 + 1
"""Cycles of the store that ends a program."""
TURNS = 100
READ, WRITE = 58, 62
WDC, FLUSH, CLEAR, WIC = 0x64, 0x74, 0x66, 0x68
SAME_SET = 0x2000
"""The distance of two addresses that share a set: the size of the caches."""


def on(bits: int) -> int:
    """`msrset r0, bits`."""
    return immediate(37, 0, 16, bits)


def off(bits: int) -> int:
    """`msrclr r0, bits`."""
    return immediate(37, 0, 17, bits)


def line(form: int, a: int, b: int = 0) -> int:
    """A form of `wdc` or `wic`."""
    return registers(36, 0, a, b, form)


def read(address: int = 0) -> int:
    """A load from the address behind r4."""
    return immediate(READ, 5, 4, address)


def cycles(code: list[int], engine: Engine, device: str | Path = CACHED) -> int:
    """The cycles of a program, but for the lines of code that come in for the first time."""
    machine = Machine(device, image({0: code}, "big"), engine=engine)
    result = machine.run()
    assert result.values["stop"]["kind"] == "exit", result.values["stop"]
    return result.cycles - LINE * -(-len(code) // 4)


def turns(body: list[int]) -> list[int]:
    """A loop of so many turns: 4 cycles each beside the body, but 3 of the last."""
    back = immediate(47, 17, 9, -4 * (len(body) + 1))
    return [immediate(12, 9, 0, TURNS), *body, immediate(12, 9, 9, -1), back, NOTHING]


START = load_constant(4, DATA)
OTHER = load_constant(7, DATA + SAME_SET)
STRAIGHT = {
    "a line is taken out of the data cache by its address": (
        [*START, read(), read(4), line(WDC, 4), read(), *END],
        2 * LINE + 2,
    ),
    "rB is not used with write-through caches": (
        [*START, *OTHER, read(), line(WDC, 4, 7), read(), *END],
        2 * LINE + 2,
    ),
    "whatever the set holds is taken out": (
        [*START, *OTHER, read(), line(WDC, 7), read(), line(FLUSH, 7), read(), *END],
        3 * LINE + 2 * 2,
    ),
    "but by `wdc.clear` only what is of the address": (
        [*START, *OTHER, read(), line(CLEAR, 7), read(), line(CLEAR, 4), read(), *END],
        2 * LINE + 2 * 2,
    ),
    "lines are invalidated while the cache is off": (
        [*START, read(), off(DCE), line(WDC, 4), on(DCE), read(), *END],
        2 * LINE + 2,
    ),
    "the instruction cache has its line no longer, nor that of another address": (
        # The line of the first four instructions comes in again for the fourth, and that of the
        # next four for the second and the third of these.
        [
            *[immediate(12, 4, 0, 8), NOTHING, line(WIC, 4), NOTHING],
            *[immediate(12, 4, 0, 16 + SAME_SET), line(WIC, 4), line(WIC, 4), NOTHING],
            *END,
        ],
        3 * LINE + 3 * 2,
    ),
    "a data cache that is off keeps its lines, and loads and stores go past it": (
        [*START, read(), off(DCE), read(), immediate(WRITE, 0, 4, 64), on(DCE), read(), *END],
        LINE + 2 * PAST,
    ),
    "what is read past it does not come in": (
        [*START, off(DCE), read(), on(DCE), read(), *END],
        PAST + LINE,
    ),
    "fetches go past an instruction cache that is off": (
        # Four instructions, of which the last switches it on; all three lines come in later.
        [NOTHING, off(ICE), NOTHING, NOTHING, NOTHING, on(ICE), NOTHING, NOTHING, *END],
        4 * PAST,
    ),
    "`mts` switches both, and `mfs` reads the bits": (
        # r3 is 0xa0 by the bits of reset; then both are off, and on again.
        [
            *[immediate(37, 3, 0, 0x8001), *START, registers(32, 8, 3, 0)],
            *[immediate(37, 0, 0, 0xC001), read(), immediate(37, 0, 8, 0xC001), NOTHING],
            *END,
        ],
        (2 + 1) * PAST,
    ),
}
"""Programs, with their cycles beside one of each instruction that is no `wdc` or `wic`."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", STRAIGHT)
def test_programs_control_the_caches(name: str, engine: Engine) -> None:
    """Straight programs; each `wdc` and `wic` has a latency of 2."""
    code, more = STRAIGHT[name]
    controls = sum(word >> 26 == 36 for word in code)
    assert cycles(code, engine) == len(code) - 1 - controls + more + STORED


@pytest.mark.parametrize("engine", ENGINES)
def test_caches_are_switched_on_and_off_around_loops(engine: Engine) -> None:
    """A loop with caches on, off and on again, and one that invalidates its line in each turn."""
    loop = turns([read(), read(16), immediate(WRITE, 0, 4, 32)])
    control = turns([line(WDC, 4), read()])
    past = [off(ICE), *loop, on(ICE)]
    code = [*START, *loop, off(DCE), *loop, on(DCE), *loop, *past, *control, *END]
    turn = 3 + 4
    by_hand = 2 + 1 + 1 + 1 + 1 + 1 + STORED
    by_hand += 4 * (1 + TURNS * turn - 1) + (1 + TURNS * (2 + 1 + 4) - 1)
    # Two lines come in at first, then three accesses of each turn go past the cache, and then none.
    by_hand += 2 * LINE + TURNS * 3 * PAST
    # The six instructions of a turn are fetched past the cache, as are the one in front of the loop
    # and the one that ends it. In the last loop a line comes in in each turn.
    by_hand += (TURNS * 6 + 2) * PAST + TURNS * LINE
    # One line of code lies within what is fetched past the cache, and does not come in.
    first, behind = (code.index(word) for word in (off(ICE), on(ICE)))
    absent = sum(first < at and at + 3 <= behind for at in range(0, len(code), 4))
    assert absent == 1
    assert cycles(code, engine) == by_hand - absent * LINE


@pytest.mark.parametrize("engine", ENGINES)
def test_without_caches_nothing_is_invalidated(engine: Engine) -> None:
    """The same instructions on block RAM: their latencies alone, 3 with three stages for `wdc`."""
    code = [*START, line(WDC, 4), line(FLUSH, 4), line(CLEAR, 4), line(WIC, 4), on(DCE), *END]
    lines = LINE * -(-len(code) // 4)
    assert cycles(code, engine, "duarte2010-microblaze") + lines == 2 + 4 * 2 + 1 + 1 + STORED


def changed(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """A copy of a device with parts of its text replaced."""
    text = (ROOT / "devices" / f"{name}.toml").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path = folder / "changed.toml"
    path.write_text(text)
    return path


UNSUITED = {
    "ways        = 1": ("ways        = 2", "caches are direct-mapped"),
    "line        = 16": ("line        = 8", "a line has 4, 8 or 16 words"),
    'writes      = "around"': ('writes      = "allocate"', "written through"),
    "bypass      = 31": ("", "`bypass` says how many cycles"),
    "C_RESET_MSR  = 0xa0": ("C_RESET_MSR  = 4", "C_RESET_MSR is 0x4"),
}


@pytest.mark.parametrize("before", UNSUITED)
def test_caches_that_a_microblaze_does_not_have_are_refused(before: str, tmp_path: Path) -> None:
    after, why = UNSUITED[before]
    with pytest.raises(DiagnosticError, match=re.escape(why)):
        Machine(changed(tmp_path, CACHED, (before, after)), image({0: END}, "big"))


@pytest.mark.parametrize("parameter", ["C_ALLOW_DCACHE_WR", "C_ALLOW_ICACHE_WR"])
def test_a_core_without_the_instruction_refuses_it(parameter: str, tmp_path: Path) -> None:
    form = {"C_ALLOW_DCACHE_WR": WDC, "C_ALLOW_ICACHE_WR": WIC}[parameter]
    change = ("C_USE_DIV    = true", f"C_USE_DIV = true\n{parameter} = false")
    device = changed(tmp_path, CACHED, change)
    stop = Machine(device, image({0: [line(form, 4), *END]}, "big")).run().values["stop"]
    assert (stop["kind"], stop["pc"]) == ("illegal_instruction", 0)


def test_caches_are_off_after_reset_unless_a_parameter_says_otherwise(tmp_path: Path) -> None:
    """All fetches and the load go past them."""
    device = changed(tmp_path, CACHED, ("C_RESET_MSR  = 0xa0", ""))
    code = [*START, read(), *END]
    lines = LINE * -(-len(code) // 4)
    by_hand = len(code) - 1 + STORED + PAST * (len(code) + 1)
    assert cycles(code, "interpreter", device) + lines == by_hand
