"""Every implementation of every primitive gives the results of its official vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images, context_size
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import failures
from hosted import Hosted

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

DEVICES = [Device.load(name) for name in ("ibex-maxperf", "picorv32")]
"""Fast devices, whose cores have the extensions that most implementations need."""
RUNNING = [
    subject
    for subject in library.ours()
    if any(device.can_have(subject.extensions) for device in DEVICES)
]
"""Subjects that run on these devices; test_primitives_avr.py has those for AVR."""
PLAIN = [subject for subject in RUNNING if subject.over is None]
PORTABLE = [subject for subject in library.ours() if not subject.extensions]


def fitting(subject: Subject) -> Device:
    """One of these devices, with the extensions that the subject needs."""
    device = next(device for device in DEVICES if device.can_have(subject.extensions))
    return device.extended(subject.extensions)


def named(subjects: list[Subject]) -> list[object]:
    return [pytest.param(subject, id=subject.name) for subject in subjects]


@pytest.mark.parametrize("subject", named([subject for subject in PORTABLE if subject.vectors]))
def test_vectors_come_out_on_the_host(subject: Subject) -> None:
    hosted, vectors = Hosted(subject), read_vectors(subject)
    checks = kind(subject).checks(subject, vectors, hosted.context_size)
    assert checks
    assert failures(checks, hosted.run([step for check in checks for step in check.steps])) == []


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("subject", named([subject for subject in PLAIN if subject.vectors]))
def test_vectors_come_out_on_the_device(subject: Subject, level: str) -> None:
    device = fitting(subject)
    calling = Calling(device, subject, Images(device, subject, (level,)).callable())
    checks = kind(subject).checks(subject, read_vectors(subject), calling.context_size)
    assert checks
    assert failures(checks, calling.check(checks)) == []


def test_modes_share_the_units_of_their_cipher() -> None:
    """A cipher is compiled once for all modes over it."""
    cipher, mode = library.named(["aes192/fast", "aes192_cbc/fast"])
    shared, units = cipher.units(("-O2",)), mode.units(("-O2",))
    assert shared
    assert set(shared) < set(units)
    assert {unit.source for unit in units} == set(mode.sources)


@pytest.mark.parametrize(("name", "is_declared"), [("sha256/ref", True), ("aes128/ref", False)])
def test_the_size_of_a_context_is_the_host_compilers(name: str, is_declared: bool) -> None:
    """Debug information has it; where a macro names the type, a constant of the image does."""
    (subject,) = (subject for subject in PORTABLE if subject.name == name)
    device = fitting(subject)
    image = Images(device, subject, ("-Os",)).callable()
    assert (context_size(image, subject) is not None) == is_declared
    expected = Hosted(subject).context_size
    assert Calling(device, subject, image).context_size == expected > 0
