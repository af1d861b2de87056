"""Answers of NIST, RFCs and other libraries come out on ARM too, at every architecture level.

An implementation of each kind runs at each level; `COCRYPT_ARM=all` asks for all of them.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.script import failures
from test_primitives_arm import EVERYTHING, LEVELS, LONGER, OPTIMISED, image_of
from test_primitives_cavp import FILES, KNOWN, SHOWN, known_answers, on_device
from test_primitives_elsewhere import SUBJECTS, further
from vectors import Vectors, checks

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

pytestmark = pytest.mark.usefixtures("debian_sources")
ANSWERED = {subject.name: subject for subject in (*KNOWN, *SUBJECTS) if not subject.extensions}
"""Implementations of primitives that others have published answers of."""


def chosen(level: str, optimised: str) -> list[Subject]:
    """The subjects that run at a level and an optimisation: all, or one of each kind."""
    if EVERYTHING:
        return list(ANSWERED.values())
    draw = Random(f"answers {level} {optimised}")
    some = [subject for subject in ANSWERED.values() if subject.primitive not in LONGER]
    kinds = sorted({subject.kind for subject in some})
    return [draw.choice([subject for subject in some if subject.kind == kind]) for kind in kinds]


CASES = [
    pytest.param(level, optimised, subject, id=f"{level}{optimised}-{subject.name}")
    for level in LEVELS
    for optimised in OPTIMISED
    for subject in chosen(level, optimised)
]


@cache
def answers(primitive: str) -> Vectors:
    """All answers of a primitive, from the packages of PyPI and of Debian."""
    vectors = Vectors()
    if any(primitive in files for files in FILES):
        vectors.extend(known_answers(primitive))
    if primitive in {subject.primitive for subject in SUBJECTS}:
        vectors.extend(further(primitive))
    return vectors


@pytest.mark.parametrize(("level", "optimised", "subject"), CASES)
def test_published_answers_come_out(level: str, optimised: str, subject: Subject) -> None:
    """All vectors that fit the device's memory, of those that run on other devices."""
    device = Device.load(LEVELS[level])
    calling = Calling(device, subject, image_of(level, optimised, subject))
    vectors = on_device(subject, answers(subject.primitive))
    every = [
        check for check in checks(subject, vectors, calling.context_size) if calling.fits(check)
    ]
    assert every
    assert failures(every, calling.check(every))[:SHOWN] == []
