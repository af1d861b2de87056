"""Implementations give what they should on AVR, where words have 16 bits and registers 8.

An ATmega2560 with as much external memory as its data space takes stands for all cores. Of the
portable ones one of each primitive runs at -Os, and one of each kind at -O2, drawn, always the
same; `COCRYPT_AVR=all` asks for all of them. Those in assembly all run, on the chips as they are.
"""

from __future__ import annotations

import os
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

import drawn
import drawn_keys
from cocrypt import house
from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import Build, Task, read_vectors
from cocrypt.primitives.script import failures
from oracles import Oracles, built
from test_primitives_random import SYMMETRIC, home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cocrypt.primitives.script import Check
    from cocrypt.primitives.subject import Subject

PORTABLE = [one for one in library.ours() if not one.extensions]
OPTIMISED = ("-Os", "-O2")
BOARDS = ("atmega2560", "atmega328p")
"""Chips as they are, whose calls push three bytes and two."""
NATIVE = [
    one
    for one in library.ours()
    if one.extensions and Device.load(BOARDS[0]).can_have(one.extensions)
]
"""What is in assembly for AVR; modes and keyed hashes over it are compiled by one compiler."""
BUILT = [
    pytest.param(board, compiler, one, id=f"{board}-{compiler}-{one.name}")
    for board, compiler in zip(BOARDS, ("zig", "avr-gcc"), strict=True)
    for one in NATIVE
    if one.over is None or compiler == "zig"
]
NARROW = (
    ("FLASH_WORDS = 131072", "FLASH_WORDS = 65536"),
    ("PC_BITS = 22", "PC_BITS = 16"),
    ("size       = 0x040000", "size       = 0x020000"),
)
"""A program counter of 16 bits, behind which zig 0.17 finds arguments on the stack: of one with 22
it takes the return address to have two bytes as well.
"""
STACKED = ("ecdsa_secp160r1", "rsa")
"""Families whose functions have more arguments than registers take."""
SRAM = ("size       = 0x002000", "size       = 0x00be00")
"""The chip's own memory, and with all that may be added to it in front of the peripherals."""
DRAWN = 50
"""Random inputs of what is in assembly."""
INPUTS = 3
"""Checks of modes and keyed hashes, in whose folders there are no official vectors."""
FEW = {"key_exchange": 1, "signature": 1, "signing": 1, "ecdsa": 1, "rsa": 1}
"""Vectors of each table where not all are run: one takes up to thousands of millions of cycles."""
LONGER = ("ecdsa", "ed25519", "rsa1024", "rsa2048", "rsa512", "x25519")
"""Families that are not drawn: one call takes up to a minute."""
WIDE = ("rsa", "rsa_toy")
"""Kinds whose arithmetic is products of 64 bits: avr-gcc's library has them in assembly, and zig's
takes so many cycles for them that private operations of RSA-2048 reach the limit.
"""
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


@pytest.fixture(autouse=True)
def _tools(need_tool: Callable[[str], str]) -> None:
    need_tool("avr-gcc")


def roomy(folder: Path, changes: Sequence[tuple[str, str]]) -> Device:
    """An ATmega2560 whose data space is full of memory, changed in some ways."""
    (folder / "cores").symlink_to(house.root() / "devices" / "cores")
    text = (house.root() / "devices" / "atmega2560.toml").read_text(encoding="utf-8")
    for was, becomes in (SRAM, *changes):
        assert was in text
        text = text.replace(was, becomes)
    path = folder / "atmega2560.toml"
    path.write_text(text, encoding="utf-8")
    return Device.load(path)


@pytest.fixture(scope="module")
def draws() -> Iterator[dict[str, drawn.Draw]]:
    """Inputs for what is built over ciphers and hashes, answered by other people's."""
    oracles = Oracles(built(), home)
    yield {one.primitive: drawn.Draw(one, oracles) for one in PORTABLE if one.kind in SYMMETRIC}
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
    tmp_path: Path, optimised: str, subject: Subject, draws: dict[str, drawn.Draw]
) -> None:
    """All that fit the memory, as `cocrypt measure` has them."""
    device = roomy(tmp_path, NARROW if subject.primitive.startswith(STACKED) else ())
    compiler = "avr-gcc" if subject.kind in WIDE else "zig"
    image = Task(subject, device, Build((optimised,), compiler)).images.callable()
    calling = Calling(device, subject, image)
    every = checks_of(subject, calling.context_size, draws)
    checks = [one for one in every if calling.fits(one)]
    assert checks
    assert failures(checks, calling.check(checks)) == []


@pytest.mark.parametrize(("board", "compiler", "subject"), BUILT)
def test_assembly_gives_vectors_and_what_others_give(
    board: str, compiler: str, subject: Subject, draws: dict[str, drawn.Draw]
) -> None:
    """Official vectors, and random inputs that other people's implementations answer."""
    device = Device.load(board)
    image = Task(subject, device, Build(("-Os",), compiler)).images.callable()
    calling = Calling(device, subject, image)
    size = calling.context_size
    known = kind(subject).checks(subject, read_vectors(subject), size) if subject.vectors else []
    checks = [one for one in (*known, *random(subject, size, draws)) if calling.fits(one)]
    assert checks
    assert failures(checks, calling.check(checks)) == []


def random(subject: Subject, context: int, draws: dict[str, drawn.Draw]) -> Iterator[Check]:
    """As many as do not take long."""
    if subject.kind not in SYMMETRIC:
        return islice(drawn_keys.checks(subject, context), INPUTS)
    return islice(drawn.checks(draws[subject.primitive], subject, context), DRAWN)


def test_frames_count_as_stack() -> None:
    """A function that calls no other has 64 words of the message schedule on the stack."""
    (subject,) = library.named(["sha256/ref"])
    rows = Task(subject, Device.load(BOARDS[0]), Build(("-O2",)), (64,)).measure()
    assert rows
    assert all(one.stack > 4 * 64 for one in rows)
