"""What NIST, RFCs and other libraries say comes out on ARM too, at every architecture level.

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
ANSWERED = {one.name: one for one in (*KNOWN, *SUBJECTS) if not one.extensions}
"""Implementations of primitives that others have published answers of."""


def chosen(level: str, optimised: str) -> list[Subject]:
    """What runs at a level, compiled so: all, or one of each kind."""
    if EVERYTHING:
        return list(ANSWERED.values())
    draw = Random(f"answers {level} {optimised}")
    some = [one for one in ANSWERED.values() if one.primitive not in LONGER]
    kinds = sorted({one.kind for one in some})
    return [draw.choice([one for one in some if one.kind == kind]) for kind in kinds]


CASES = [
    pytest.param(level, optimised, one, id=f"{level}{optimised}-{one.name}")
    for level in LEVELS
    for optimised in OPTIMISED
    for one in chosen(level, optimised)
]


@cache
def answers(primitive: str) -> Vectors:
    """All of them, from the packages of PyPI and of Debian."""
    found = Vectors()
    if any(primitive in files for files in FILES):
        found.extend(known_answers(primitive))
    if primitive in {one.primitive for one in SUBJECTS}:
        found.extend(further(primitive))
    return found


@pytest.mark.parametrize(("level", "optimised", "subject"), CASES)
def test_published_answers_come_out(level: str, optimised: str, subject: Subject) -> None:
    """All that fit the device's memory, as far as they run on other devices."""
    device = Device.load(LEVELS[level])
    calling = Calling(device, subject, image_of(level, optimised, subject))
    vectors = on_device(subject, answers(subject.primitive))
    every = [one for one in checks(subject, vectors, calling.context_size) if calling.fits(one)]
    assert every
    assert failures(every, calling.check(every))[:SHOWN] == []
