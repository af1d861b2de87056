"""Every implementation gives NIST's known answers, those of RFCs and of Wycheproof."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import cavp
import cavp_keys
import monte
import wycheproof
from ahead import compile_ahead
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.script import failures
from hosted import Hosted
from test_primitives import RUNNING, fitting
from vectors import Vectors, checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.subject import Subject

SHOWN = 3
"""How many failures are told."""
MONTE_ON_HOST, MONTE_ON_DEVICE = 10, 1
"""Counts of each Monte Carlo test, of 100: one is a thousand calls, and all alike."""
KEYS_ON_DEVICE = {"key_exchange": 8, "signature": 8, "ecdsa": 4, "rsa": 2}
"""Vectors of each table that run on the device: one takes up to a hundred million cycles."""

MODED_ON_DEVICE = 16
"""Vectors of each table of a mode that run on the device over implementations other than `fast`.

A mode is the same code over each of them, and by themselves they run all of their own vectors. Of
ECB so many run over `fast` too: all of its blocks are vectors of the cipher.
"""

FILES = (cavp.FILES, cavp_keys.FILES, wycheproof.FILES)
KNOWN = [one for one in RUNNING if any(one.primitive in files for files in FILES)]
MONTE = [one for one in KNOWN if one.primitive in cavp.MONTE]


def named(subjects: Sequence[Subject]) -> list[object]:
    return [pytest.param(one, id=one.name) for one in subjects]


def portable(subjects: Sequence[Subject]) -> list[object]:
    return named([one for one in subjects if not one.extensions])


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    compile_ahead(one for one in request.session.items if one.path == request.path)


@cache
def known(primitive: str) -> Vectors:
    """All that is known of a primitive."""
    made = Vectors()
    for files in FILES:
        if primitive in files:
            made.extend(files[primitive]())
    return made.once()


@cache
def monte_of(primitive: str, count: int) -> list[cavp.Monte]:
    """So many counts of each operation, seeded."""
    counts = cavp.MONTE[primitive]()
    operations = {one.operation for one in counts}
    return [
        one
        for operation in sorted(operations)
        for one in some([one for one in counts if one.operation == operation], count)
    ]


def some(rows: list[Any], count: int) -> list[Any]:
    """So many of a list, always the same."""
    return random.Random(1).sample(rows, count) if count < len(rows) else rows


def on_device(subject: Subject, vectors: Vectors) -> Vectors:
    """Those that run on the device: all, but for what takes long and what is the same code."""
    if subject.kind in KEYS_ON_DEVICE:
        return vectors.chosen(lambda rows: some(rows, KEYS_ON_DEVICE[subject.kind]))
    is_whole = subject.implementation == "fast" or subject.extensions
    if subject.over is None or (is_whole and subject.family != "ecb"):
        return vectors
    return vectors.chosen(lambda rows: some(rows, MODED_ON_DEVICE))


def called(subject: Subject, level: str) -> Calling:
    device = fitting(subject)
    return Calling(device, subject, Images(device, subject, (level,)).callable())


def differences(runner: Hosted | Calling, vectors: Vectors) -> list[str]:
    every = checks(runner.subject, vectors, runner.context_size)
    assert every
    if isinstance(runner, Calling):
        outcome = runner.check(every)
    else:
        outcome = runner.run([step for one in every for step in one.steps])
    return [one[:400] for one in failures(every, outcome)[:SHOWN]]


def run_monte(runner: Hosted | Calling, count: int) -> None:
    """Those of the operations that the implementation has."""
    subject = runner.subject
    for one in monte_of(subject.primitive, count):
        if one.operation == "hash" or one.operation in subject.functions:
            assert monte.outcome(runner, subject, one).hex() == one.end.hex()


@pytest.mark.parametrize("subject", portable(KNOWN))
def test_known_answers_on_the_host(subject: Subject) -> None:
    assert differences(Hosted(subject), known(subject.primitive)) == []


@pytest.mark.parametrize("subject", portable(MONTE))
def test_monte_carlo_on_the_host(subject: Subject) -> None:
    run_monte(Hosted(subject), MONTE_ON_HOST)


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("subject", named(KNOWN))
def test_known_answers_on_the_device(subject: Subject, level: str) -> None:
    calling = called(subject, level)
    assert differences(calling, on_device(subject, known(subject.primitive))) == []
    if subject.primitive in cavp.MONTE:
        run_monte(calling, MONTE_ON_DEVICE)


def test_packages_hold_thousands() -> None:
    """A file that is found no more, or read in vain, shows here."""
    counts = {name: len(known(name)) for files in FILES for name in files}
    assert min(counts.values()) > 0
    assert sum(counts.values()) > 20_000
    assert {name for files in FILES for name in files} <= {one.primitive for one in library.ours()}
