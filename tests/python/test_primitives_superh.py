"""Implementations give the right results on SuperH, in both orders of bytes.

Of the portable implementations one of each kind runs at each optimisation and in each order, drawn,
always the same; `COCRYPT_SUPERH=all` asks for all of them. They are compiled by `sh-elf-gcc`.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.measuring import Build, Task
from cocrypt.primitives.script import failures
from test_gnu_cores import compiler_of
from test_primitives_avr import LONGER, PORTABLE, checks_of, draws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.subject import Subject

__all__ = ["draws"]

DEVICES = ("sh7729", "sh7729el")
OPTIMISED = ("-Os", "-O2")
EVERYTHING = os.environ.get("COCRYPT_SUPERH") == "all"


def chosen(device: str, optimised: str) -> Sequence[Subject]:
    """The subjects that run on a device at an optimisation."""
    if EVERYTHING:
        return PORTABLE
    draw = Random(device + optimised)
    short = [subject for subject in PORTABLE if not subject.primitive.startswith(LONGER)]
    kinds = sorted({subject.kind for subject in short})
    return [draw.choice([subject for subject in short if subject.kind == kind]) for kind in kinds]


CASES = [
    pytest.param(device, optimised, subject, id=f"{device}{optimised}-{subject.name}")
    for device in DEVICES
    for optimised in OPTIMISED
    for subject in chosen(device, optimised)
]


@pytest.mark.parametrize(("device", "optimised", "subject"), CASES)
def test_vectors_come_out(
    device: str, optimised: str, subject: Subject, request: pytest.FixtureRequest
) -> None:
    """Official vectors, and of modes and keyed hashes inputs that other libraries answer."""
    compiler_of(device)
    drawn_inputs = request.getfixturevalue("draws") if subject.over is not None else {}
    board = Device.load(device)
    image = Task(subject, board, Build((optimised,))).images.callable()
    calling = Calling(board, subject, image)
    every = checks_of(subject, calling.context_size, drawn_inputs)
    checks = [check for check in every if calling.fits(check)]
    assert checks
    assert failures(checks, calling.check(checks)) == []


def test_frames_count_as_stack() -> None:
    """A function that calls no other has 64 words of the message schedule on the stack."""
    compiler_of(DEVICES[0])
    (subject,) = library.named(["sha256/ref"])
    rows = Task(subject, Device.load(DEVICES[0]), Build(("-O2",)), (64,)).measure()
    assert rows
    assert all(row.stack > 4 * 64 for row in rows)
