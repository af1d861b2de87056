"""Implementations give the right results on AVR, where words have 16 bits and registers 8.

An ATmega2560 with as much external memory as its data space takes stands for all cores. Of the
portable implementations, one of each primitive runs at -Os and one of each kind at -O2, drawn,
always the same; `COCRYPT_AVR=all` asks for all of them. All implementations in assembly run, on the
chips as they are.
"""

from __future__ import annotations

import os
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

import drawn
import drawn_keys
from cocrypt import paths
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

PORTABLE = [subject for subject in library.ours() if not subject.extensions]
OPTIMISED = ("-Os", "-O2")
BOARDS = ("atmega2560", "atmega328p")
"""Chips as they are, whose calls push three bytes and two."""
NATIVE = [
    subject
    for subject in library.ours()
    if subject.extensions and Device.load(BOARDS[0]).can_have(subject.extensions)
]
"""Implementations in assembly for AVR; modes and keyed hashes over them are built by zig alone."""
BUILT = [
    pytest.param(board, compiler, subject, id=f"{board}-{compiler}-{subject.name}")
    for board, compiler in zip(BOARDS, ("zig", "avr-gcc"), strict=True)
    for subject in NATIVE
    if subject.over is None or compiler == "zig"
]
NARROW = (
    ("FLASH_WORDS = 131072", "FLASH_WORDS = 65536"),
    ("PC_BITS = 22", "PC_BITS = 16"),
    ("size       = 0x040000", "size       = 0x020000"),
)
"""A program counter of 16 bits, with which zig 0.17 finds arguments on the stack: with one of 22
bits, too, it expects a return address of two bytes.
"""
STACKED = ("ecdsa_secp160r1", "rsa")
"""Families whose functions have more arguments than registers take."""
SRAM = ("size       = 0x002000", "size       = 0x00be00")
"""The chip's own memory, and with all that may be added to it in front of the peripherals."""
DRAWN = 50
"""Random inputs of each implementation in assembly."""
INPUTS = 3
"""Checks of modes and keyed hashes, in whose folders there are no official vectors."""
FEW = {"key_exchange": 1, "signature": 1, "signing": 1, "ecdsa": 1, "rsa": 1}
"""Vectors of each table where not all are run: a vector takes up to several 10^9 cycles."""
LONGER = ("ecdsa", "ed25519", "rsa1024", "rsa2048", "rsa512", "x25519")
"""Families that are not drawn: a call takes up to a minute."""
WIDE = ("rsa", "rsa_toy")
"""Kinds whose arithmetic is products of 64 bits: avr-gcc's library has them in assembly, and zig's
takes so many cycles for them that private operations of RSA-2048 reach the limit.
"""
TOO_LARGE = ("folded",)
"""Implementations of which zig 0.17 makes more than 64 KiB: at -O2, and with debug information at
-Os, its assembler then refuses the distances in it.
"""
EVERYTHING = os.environ.get("COCRYPT_AVR") == "all"


def chosen(optimised: str) -> Sequence[Subject]:
    """The subjects that run at an optimisation."""
    fitting = [subject for subject in PORTABLE if subject.name.rpartition("/")[2] not in TOO_LARGE]
    if EVERYTHING:
        return fitting
    draw = Random(optimised)
    some = [subject for subject in fitting if not subject.primitive.startswith(LONGER)]
    names = sorted({subject.primitive for subject in some})
    picked = [
        draw.choice([subject for subject in some if subject.primitive == name]) for name in names
    ]
    kinds = {subject.kind: subject for subject in picked}
    return picked if optimised == OPTIMISED[0] else list(kinds.values())


CASES = [
    pytest.param(optimised, subject, id=f"{optimised}-{subject.name}")
    for optimised in OPTIMISED
    for subject in chosen(optimised)
]


@pytest.fixture(autouse=True)
def _tools(need_tool: Callable[[str], str]) -> None:
    need_tool("avr-gcc")


def roomy(folder: Path, changes: Sequence[tuple[str, str]]) -> Device:
    """An ATmega2560 whose data space is full of memory, changed in some ways."""
    (folder / "cores").symlink_to(paths.root() / "devices" / "cores")
    text = (paths.root() / "devices" / "atmega2560.toml").read_text(encoding="utf-8")
    for was, becomes in (SRAM, *changes):
        assert was in text
        text = text.replace(was, becomes)
    path = folder / "atmega2560.toml"
    path.write_text(text, encoding="utf-8")
    return Device.load(path)


@pytest.fixture(scope="module")
def draws() -> Iterator[dict[str, drawn.Draw]]:
    """Inputs for modes and keyed hashes, answered by other people's implementations."""
    oracles = Oracles(built(), home)
    yield {
        subject.primitive: drawn.Draw(subject, oracles)
        for subject in PORTABLE
        if subject.kind in SYMMETRIC
    }
    oracles.close()


def checks_of(subject: Subject, context: int, draws: dict[str, drawn.Draw]) -> list[Check]:
    """The calls, with the results that they must give."""
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
    """All checks that fit the memory, as `cocrypt measure` has them."""
    device = roomy(tmp_path, NARROW if subject.primitive.startswith(STACKED) else ())
    compiler = "avr-gcc" if subject.kind in WIDE else "zig"
    image = Task(subject, device, Build((optimised,), compiler)).images.callable()
    calling = Calling(device, subject, image)
    every = checks_of(subject, calling.context_size, draws)
    checks = [check for check in every if calling.fits(check)]
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
    official = kind(subject).checks(subject, read_vectors(subject), size) if subject.vectors else []
    checks = [check for check in (*official, *random(subject, size, draws)) if calling.fits(check)]
    assert checks
    assert failures(checks, calling.check(checks)) == []


def random(subject: Subject, context: int, draws: dict[str, drawn.Draw]) -> Iterator[Check]:
    """As many random checks as do not take long."""
    if subject.kind not in SYMMETRIC:
        return islice(drawn_keys.checks(subject, context), INPUTS)
    return islice(drawn.checks(draws[subject.primitive], subject, context), DRAWN)


def test_frames_count_as_stack() -> None:
    """A function that calls no other has 64 words of the message schedule on the stack."""
    (subject,) = library.named(["sha256/ref"])
    rows = Task(subject, Device.load(BOARDS[0]), Build(("-O2",)), (64,)).measure()
    assert rows
    assert all(row.stack > 4 * 64 for row in rows)
