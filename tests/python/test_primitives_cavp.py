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
"""Failures of each test that are shown."""
MONTE_ON_HOST, MONTE_ON_DEVICE = 10, 1
"""Counts of each Monte Carlo test, of 100: a count is a thousand calls, and all are alike."""
KEYS_ON_DEVICE = {"key_exchange": 8, "signature": 8, "ecdsa": 4, "rsa": 2}
"""Vectors of each table that run on the device: a vector takes up to 100 M cycles."""

MODED_ON_DEVICE = 16
"""Vectors of each table of a mode that run on the device over implementations other than `fast`.

A mode is the same code over each of them, and they run all of their own vectors by themselves. As
many of ECB run over `fast` too: all of its blocks are vectors of the cipher.
"""

FILES = (cavp.FILES, cavp_keys.FILES, wycheproof.FILES)
KNOWN = [subject for subject in RUNNING if any(subject.primitive in files for files in FILES)]
MONTE = [subject for subject in KNOWN if subject.primitive in cavp.MONTE]


def named(subjects: Sequence[Subject]) -> list[object]:
    return [pytest.param(subject, id=subject.name) for subject in subjects]


def portable(subjects: Sequence[Subject]) -> list[object]:
    return named([subject for subject in subjects if not subject.extensions])


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    compile_ahead(item for item in request.session.items if item.path == request.path)


@cache
def known_answers(primitive: str) -> Vectors:
    """All known answers of a primitive."""
    vectors = Vectors()
    for files in FILES:
        if primitive in files:
            vectors.extend(files[primitive]())
    return vectors.once()


@cache
def monte_of(primitive: str, count: int) -> list[cavp.Monte]:
    """Some counts of each operation, always the same."""
    counts = cavp.MONTE[primitive]()
    operations = {case.operation for case in counts}
    return [
        case
        for operation in sorted(operations)
        for case in some([case for case in counts if case.operation == operation], count)
    ]


def some(rows: list[Any], count: int) -> list[Any]:
    """Some rows of a list, always the same."""
    return random.Random(1).sample(rows, count) if count < len(rows) else rows


def on_device(subject: Subject, vectors: Vectors) -> Vectors:
    """The vectors that run on the device: all, except where they take long or run the same code."""
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
        outcome = runner.run([step for check in every for step in check.steps])
    return [failure[:400] for failure in failures(every, outcome)[:SHOWN]]


def run_monte(runner: Hosted | Calling, count: int) -> None:
    """Runs the tests of the operations that the implementation has."""
    subject = runner.subject
    for case in monte_of(subject.primitive, count):
        if case.operation == "hash" or case.operation in subject.functions:
            assert monte.outcome(runner, subject, case).hex() == case.end.hex()


@pytest.mark.parametrize("subject", portable(KNOWN))
def test_known_answers_on_the_host(subject: Subject) -> None:
    assert differences(Hosted(subject), known_answers(subject.primitive)) == []


@pytest.mark.parametrize("subject", portable(MONTE))
def test_monte_carlo_on_the_host(subject: Subject) -> None:
    run_monte(Hosted(subject), MONTE_ON_HOST)


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("subject", named(KNOWN))
def test_known_answers_on_the_device(subject: Subject, level: str) -> None:
    calling = called(subject, level)
    assert differences(calling, on_device(subject, known_answers(subject.primitive))) == []
    if subject.primitive in cavp.MONTE:
        run_monte(calling, MONTE_ON_DEVICE)


def test_packages_hold_thousands() -> None:
    """A file that is no longer found, or from which nothing is read, fails here."""
    counts = {name: len(known_answers(name)) for files in FILES for name in files}
    assert min(counts.values()) > 0
    assert sum(counts.values()) > 20_000
    assert {name for files in FILES for name in files} <= {
        subject.primitive for subject in library.ours()
    }
