"""Every implementation agrees with other people's on random inputs, on the host."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import drawn
import drawn_keys
from ahead import compile_ahead
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import blocks
from cocrypt.primitives.script import Buffer, Check, Step, failures
from hosted import Hosted
from oracles import RECORDED, Blocks, Oracles, built, recorded
from test_primitives import RUNNING, fitting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cocrypt.primitives.subject import Subject
    from vectors import Arguments

HOME = "small"
"""The implementation that modes are compared over, of a cipher that no package has."""
SHOWN = 3
"""Failures of each test that are shown."""
PORTABLE = [subject for subject in library.ours() if not subject.extensions]
SYMMETRIC = {"block_cipher", "stream_cipher", "hash", "mac", "aead", "mode"}


def named(subjects: Sequence[Subject]) -> list[object]:
    return [pytest.param(subject, id=subject.name) for subject in subjects]


def is_home(subject: Subject) -> bool:
    return subject.primitive in RECORDED and subject.implementation == HOME


@cache
def home(name: str) -> Blocks:
    """A block cipher of ours, called with a key and blocks."""
    subject = next(subject for subject in PORTABLE if subject.name == f"{name}/{HOME}")
    hosted, size = Hosted(subject), subject.sizes["block"]

    def encrypt(key: bytes, text: bytes) -> bytes:
        keys, buffer = Buffer(size=hosted.context_size), Buffer(text)
        spans = [(buffer, at) for at in range(0, len(text), size)]
        given: list[Arguments] = [{"keys": keys, "text": span, "result": span} for span in spans]
        schedule = Step("expand", {"keys": keys, "key": Buffer(key)})
        return hosted.run(
            [schedule, *(Step("encrypt", arguments) for arguments in given)]
        ).contents[buffer]

    return encrypt


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    compile_ahead(item for item in request.session.items if item.path == request.path)


@pytest.fixture(scope="session")
def oracles() -> Iterator[Oracles]:
    opened = Oracles(built(), home)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def draws(oracles: Oracles) -> dict[str, drawn.Draw]:
    """The inputs of each primitive, which are drawn when they are asked for."""
    return {subject.primitive: drawn.Draw(subject, oracles) for subject in PORTABLE}


def differences(hosted: Hosted, checks: Sequence[Check]) -> list[str]:
    assert checks
    messages = failures(checks, hosted.run([step for check in checks for step in check.steps]))
    return [message[:400] for message in messages[:SHOWN]]


@pytest.mark.parametrize(
    "subject",
    named([subject for subject in PORTABLE if subject.kind in SYMMETRIC and not is_home(subject)]),
)
def test_random_inputs(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    hosted = Hosted(subject)
    checks = list(drawn.checks(draws[subject.primitive], subject, hosted.context_size))
    assert differences(hosted, checks) == []


@pytest.mark.parametrize("subject", named([subject for subject in RUNNING if subject.extensions]))
def test_random_inputs_with_extensions(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    """Implementations that need extensions do not run on the host."""
    device = fitting(subject)
    calling = Calling(device, subject, Images(device, subject).callable())
    draw, size = draws[subject.primitive], calling.context_size
    checks = list(drawn.checks(draw, subject, size))
    checks += drawn.everywhere(draw, subject, size) if subject.kind in ("hash", "mac") else []
    assert checks
    assert failures(checks, calling.check(checks))[:SHOWN] == []


@pytest.mark.parametrize(
    "subject", named([subject for subject in PORTABLE if subject.kind in ("hash", "mac")])
)
def test_messages_cut_at_every_place(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    hosted = Hosted(subject)
    checks = list(drawn.everywhere(draws[subject.primitive], subject, hosted.context_size))
    assert differences(hosted, checks) == []


KEYED = [subject for subject in PORTABLE if subject.kind not in SYMMETRIC]


@pytest.mark.parametrize("subject", named(KEYED))
def test_random_keys(subject: Subject) -> None:
    hosted = Hosted(subject)
    assert differences(hosted, drawn_keys.checks(subject, hosted.context_size)) == []


@pytest.mark.parametrize(
    "subject", named([subject for subject in PORTABLE if subject.primitive in RECORDED])
)
def test_recorded_answers(subject: Subject) -> None:
    """A thousand random keys and texts, encrypted by others."""
    hosted = Hosted(subject)
    rows = recorded(subject.primitive)
    assert len(rows) == 1_000
    checks = [
        blocks.crypt(subject, operation, values, subject.name, hosted.context_size)
        for key, text, result in rows
        for operation, values in (
            ("encrypt", (key, text, result)),
            ("decrypt", (key, result, text)),
        )
    ]
    assert differences(hosted, checks) == []


def test_recorded_ciphers_are_ours() -> None:
    """The library has each cipher with recorded answers, and its implementation for modes."""
    assert set(RECORDED) <= {subject.primitive for subject in PORTABLE}
    assert {f"{name}/{HOME}" for name in RECORDED} <= {subject.name for subject in PORTABLE}
