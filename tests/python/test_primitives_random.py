"""Every implementation gives what other people's give for random inputs, on the host."""

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
"""Of a cipher that no package has, the implementation that modes are compared over."""
SHOWN = 3
"""How many failures are told."""
PORTABLE = [one for one in library.ours() if not one.extensions]
SYMMETRIC = {"block_cipher", "stream_cipher", "hash", "mac", "aead", "mode"}


def named(subjects: Sequence[Subject]) -> list[object]:
    return [pytest.param(one, id=one.name) for one in subjects]


def is_home(subject: Subject) -> bool:
    return subject.primitive in RECORDED and subject.implementation == HOME


@cache
def home(name: str) -> Blocks:
    """A block cipher of ours, called with a key and blocks."""
    subject = next(one for one in PORTABLE if one.name == f"{name}/{HOME}")
    hosted, size = Hosted(subject), subject.sizes["block"]

    def encrypt(key: bytes, text: bytes) -> bytes:
        keys, made = Buffer(size=hosted.context_size), Buffer(text)
        places = [(made, at) for at in range(0, len(text), size)]
        given: list[Arguments] = [{"keys": keys, "text": one, "result": one} for one in places]
        schedule = Step("expand", {"keys": keys, "key": Buffer(key)})
        return hosted.run([schedule, *(Step("encrypt", one) for one in given)]).contents[made]

    return encrypt


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    compile_ahead(one for one in request.session.items if one.path == request.path)


@pytest.fixture(scope="session")
def oracles() -> Iterator[Oracles]:
    found = Oracles(built(), home)
    yield found
    found.close()


@pytest.fixture(scope="session")
def draws(oracles: Oracles) -> dict[str, drawn.Draw]:
    """The inputs of each primitive, which are drawn when they are asked for."""
    return {one.primitive: drawn.Draw(one, oracles) for one in PORTABLE}


def differences(hosted: Hosted, checks: Sequence[Check]) -> list[str]:
    assert checks
    found = failures(checks, hosted.run([step for one in checks for step in one.steps]))
    return [one[:400] for one in found[:SHOWN]]


@pytest.mark.parametrize(
    "subject", named([one for one in PORTABLE if one.kind in SYMMETRIC and not is_home(one)])
)
def test_random_inputs(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    hosted = Hosted(subject)
    checks = list(drawn.checks(draws[subject.primitive], subject, hosted.context_size))
    assert differences(hosted, checks) == []


@pytest.mark.parametrize("subject", named([one for one in RUNNING if one.extensions]))
def test_random_inputs_with_extensions(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    """What only some cores have does not run on the host."""
    device = fitting(subject)
    calling = Calling(device, subject, Images(device, subject).callable())
    draw, size = draws[subject.primitive], calling.context_size
    checks = list(drawn.checks(draw, subject, size))
    checks += drawn.everywhere(draw, subject, size) if subject.kind in ("hash", "mac") else []
    assert checks
    assert failures(checks, calling.check(checks))[:SHOWN] == []


@pytest.mark.parametrize("subject", named([one for one in PORTABLE if one.kind in ("hash", "mac")]))
def test_messages_cut_at_every_place(subject: Subject, draws: dict[str, drawn.Draw]) -> None:
    hosted = Hosted(subject)
    checks = list(drawn.everywhere(draws[subject.primitive], subject, hosted.context_size))
    assert differences(hosted, checks) == []


KEYED = [one for one in PORTABLE if one.kind not in SYMMETRIC]


@pytest.mark.parametrize("subject", named(KEYED))
def test_random_keys(subject: Subject) -> None:
    hosted = Hosted(subject)
    assert differences(hosted, drawn_keys.checks(subject, hosted.context_size)) == []


@pytest.mark.parametrize("subject", named([one for one in PORTABLE if one.primitive in RECORDED]))
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
    """A cipher whose answers are recorded stands in the library, and so does what modes take."""
    assert set(RECORDED) <= {one.primitive for one in PORTABLE}
    assert {f"{name}/{HOME}" for name in RECORDED} <= {one.name for one in PORTABLE}
