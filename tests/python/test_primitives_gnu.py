"""Implementations give the right results on the cores whose compilers `cocrypt toolchain` builds.

MicroBlaze and SuperH in both orders of bytes, an SH-1, and RL78 without and with products. One
portable implementation of each kind runs on each device at each optimisation, drawn, always the
same; `COCRYPT_GNU=all` asks for all of them. `-k sh7729` chooses a device.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.measuring import Build, Task
from cocrypt.primitives.script import failures
from test_gnu_cores import compiler_of
from test_primitives_avr import LONGER, PORTABLE, checks_of, draws
from test_rl78_programs import FAULT_OF_GCC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.subject import Subject

__all__ = ["draws"]

DEVICES = (
    *("duarte2010-microblaze-ddr", "microblazeel", "sh7034", "sh7729", "sh7729el"),
    *("rl78-g10", "rl78-g13", "rl78-g14"),
)
OPTIMISED = ("-Os", "-O2")
EVERYTHING = os.environ.get("COCRYPT_GNU") == "all"


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
    board = Device.load(device)
    drawn_inputs = request.getfixturevalue("draws") if subject.over is not None else {}
    try:
        image = Task(subject, board, Build((optimised,))).images.callable()
        calling = Calling(board, subject, image)
        checks = calling.fitting(checks_of(subject, calling.context_size, drawn_inputs))
        assert checks
        outcome = calling.check(checks)
    except DoesNotFitError as error:
        pytest.skip(f"does not fit into {device}: {error.reason}: {error.message}")
    except InputError as error:
        if FAULT_OF_GCC not in error.message:
            raise
        pytest.skip(f"GCC fails at {subject.name} for {device}: {error.message}")
    assert failures(checks, outcome) == []


def test_frames_count_as_stack() -> None:
    """On SuperH a leaf function has 64 words of the message schedule on the stack."""
    compiler_of("sh7729")
    (subject,) = library.named(["sha256/ref"])
    rows = Task(subject, Device.load("sh7729"), Build(("-O2",)), (64,)).measure()
    assert rows
    assert all(row.stack > 4 * 64 for row in rows)
