"""Portable implementations give what they should on AVR, where words have 16 bits and registers 8.

An ATmega2560 with as much external memory as its data space takes stands for all cores. One
implementation of each primitive runs at -Os, and one of each kind at -O2, drawn, always the same;
`COCRYPT_AVR=all` asks for all of them.
"""

from __future__ import annotations

import os
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

import drawn
from cocrypt import house
from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import Build, Task, read_vectors
from cocrypt.primitives.script import failures
from oracles import Oracles, built
from test_primitives_random import home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cocrypt.primitives.script import Check
    from cocrypt.primitives.subject import Subject

PORTABLE = [one for one in library.ours() if not one.extensions]
OPTIMISED = ("-Os", "-O2")
SRAM = ("size       = 0x002000", "size       = 0x00be00")
"""The chip's own memory, and with all that may be added to it in front of the peripherals."""
INPUTS = 3
"""Checks of modes and keyed hashes, in whose folders there are no official vectors."""
FEW = {"key_exchange": 1, "signature": 1, "signing": 1, "ecdsa": 1, "rsa": 1}
"""Vectors of each table where not all are run: one takes up to thousands of millions of cycles."""
LONGER = ("ecdsa", "ed25519", "rsa", "x25519")
"""Families that are not drawn: one call takes up to a minute."""
TOO_LARGE = {("-O2", "folded")}
"""What zig 0.17 makes more code of than a function's addresses reach."""
EVERYTHING = os.environ.get("COCRYPT_AVR") == "all"


def chosen(optimised: str) -> Sequence[Subject]:
    """What runs compiled so."""
    fitting = [one for one in PORTABLE if (optimised, one.name.rpartition("/")[2]) not in TOO_LARGE]
    if EVERYTHING:
        return fitting
    draw = Random(optimised)
    some = [one for one in fitting if not one.primitive.startswith(LONGER)]
    names = sorted({one.primitive for one in some})
    picked = [draw.choice([one for one in some if one.primitive == name]) for name in names]
    kinds = {one.kind: one for one in picked}
    return picked if optimised == OPTIMISED[0] else list(kinds.values())


CASES = [
    pytest.param(optimised, one, id=f"{optimised}-{one.name}")
    for optimised in OPTIMISED
    for one in chosen(optimised)
]


@pytest.fixture
def device(tmp_path: Path, need_tool: Callable[[str], str]) -> Device:
    """An ATmega2560 whose data space is full of memory."""
    need_tool("avr-gcc")
    (tmp_path / "cores").symlink_to(house.root() / "devices" / "cores")
    text = (house.root() / "devices" / "atmega2560.toml").read_text(encoding="utf-8")
    assert SRAM[0] in text
    path = tmp_path / "atmega2560.toml"
    path.write_text(text.replace(*SRAM), encoding="utf-8")
    return Device.load(path)


@pytest.fixture(scope="module")
def draws() -> Iterator[dict[str, drawn.Draw]]:
    """Inputs for what is built over ciphers and hashes, answered by other people's."""
    oracles = Oracles(built(), home)
    yield {one.primitive: drawn.Draw(one, oracles) for one in PORTABLE if one.over}
    oracles.close()


def checks_of(subject: Subject, context: int, draws: dict[str, drawn.Draw]) -> list[Check]:
    """What is called, and what must come out."""
    if subject.over is not None:
        return list(islice(drawn.checks(draws[subject.primitive], subject, context), INPUTS))
    tables = read_vectors(subject)
    if subject.kind in FEW:
        tables = {name: rows[: FEW[subject.kind]] for name, rows in tables.items()}
    return kind(subject).checks(subject, tables, context)


@pytest.mark.parametrize(("optimised", "subject"), CASES)
def test_vectors_come_out(
    device: Device, optimised: str, subject: Subject, draws: dict[str, drawn.Draw]
) -> None:
    """All that fit the memory, as `cocrypt measure` has them."""
    image = Task(subject, device, Build((optimised,))).images.callable()
    calling = Calling(device, subject, image)
    every = checks_of(subject, calling.context_size, draws)
    checks = [one for one in every if calling.fits(one)]
    assert checks
    assert failures(checks, calling.check(checks)) == []
