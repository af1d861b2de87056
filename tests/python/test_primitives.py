"""Every implementation of every primitive gives what its official vectors say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import failures
from hosted import Hosted

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

DEVICES = [Device.load(name) for name in ("ibex-maxperf", "picorv32")]
"""Fast ones, with cores that have what most of what is not portable needs."""
RUNNING = [one for one in library.ours() if any(each.can_have(one.extensions) for each in DEVICES)]
"""What runs there; test_primitives_avr.py has what is for AVR."""
PLAIN = [one for one in RUNNING if one.over is None]
PORTABLE = [one for one in library.ours() if not one.extensions]


def fitting(subject: Subject) -> Device:
    """One of them that has what the subject needs."""
    device = next(one for one in DEVICES if one.can_have(subject.extensions))
    return device.extended(subject.extensions)


def named(subjects: list[Subject]) -> list[object]:
    return [pytest.param(one, id=one.name) for one in subjects]


@pytest.mark.parametrize("subject", named([one for one in PORTABLE if one.vectors]))
def test_vectors_come_out_on_the_host(subject: Subject) -> None:
    hosted, vectors = Hosted(subject), read_vectors(subject)
    checks = kind(subject).checks(subject, vectors, hosted.context_size)
    assert checks
    assert failures(checks, hosted.run([step for one in checks for step in one.steps])) == []


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("subject", named([one for one in PLAIN if one.vectors]))
def test_vectors_come_out_on_the_device(subject: Subject, level: str) -> None:
    device = fitting(subject)
    calling = Calling(device, subject, Images(device, subject, (level,)).callable())
    checks = kind(subject).checks(subject, read_vectors(subject), calling.context_size)
    assert checks
    assert failures(checks, calling.check(checks)) == []
