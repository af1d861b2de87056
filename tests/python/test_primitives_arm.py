"""Every portable implementation gives the right results on ARM, at every architecture level.

Cores of one instruction set differ in timing alone, so that one device stands for its level. Every
implementation runs once compiled by -Os and once by -O2; of the other levels some are drawn, always
the same. `COCRYPT_ARM=all` asks for everything on all of them, which takes most of an hour.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import drawn
from ahead import share
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import Build, Task, read_vectors
from cocrypt.primitives.script import failures
from oracles import Oracles, built
from test_primitives_random import home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cocrypt.primitives.script import Check
    from cocrypt.primitives.subject import Subject

PORTABLE = [subject for subject in library.ours() if not subject.extensions]
LEVELS = {
    "v4": "sa1110",
    "v4T": "arm7tdmi",
    "v5TE": "at91sam9",
    "v6-M": "rp2040",
    "v7-M": "stm32f1",
    "v7E-M": "stm32f4-24mhz",
}
OPTIMISED = ("-Os", "-O2")
WHOLE = {("v7E-M", "-O2"), ("v6-M", "-Os")}
"""Levels and optimisations at which every implementation runs."""
FAMILIES = {("v5TE", "-O2")}
"""Levels and optimisations at which one of each family runs, so that A32 has them all, too."""
LONGER = ("rsa2048",)
"""Primitives that are not drawn: with fewer bits the same code runs, in a tenth of the time."""
INPUTS = 6
"""Checks of modes and keyed hashes, in whose folders there are no official vectors."""
FEW = {"key_exchange": 3, "signature": 3, "ecdsa": 2, "rsa": 1}
"""Vectors of each table where not all are run: a vector takes up to 100 M cycles."""
EVERYTHING = os.environ.get("COCRYPT_ARM") == "all"


def one_of_each(draw: Random, group: Callable[[Subject], str]) -> list[Subject]:
    """An implementation of each group, of those that may be drawn."""
    some = [subject for subject in PORTABLE if subject.primitive not in LONGER]
    names = sorted(set(map(group, some)))
    return [draw.choice([subject for subject in some if group(subject) == name]) for name in names]


def chosen(level: str, optimised: str) -> Sequence[Subject]:
    """The subjects that run at an architecture level and an optimisation."""
    if EVERYTHING or (level, optimised) in WHOLE:
        return PORTABLE
    draw = Random(f"{level} {optimised}")
    if (level, optimised) in FAMILIES:
        return one_of_each(draw, lambda subject: subject.family)
    return one_of_each(draw, lambda subject: subject.kind)


RUNS = [
    (level, optimised, subject)
    for level in LEVELS
    for optimised in OPTIMISED
    for subject in chosen(level, optimised)
]
CASES = [
    pytest.param(level, optimised, subject, id=f"{level}{optimised}-{subject.name}")
    for level, optimised, subject in RUNS
]


def image_of(level: str, optimised: str, subject: Subject) -> Path:
    """The image that `cocrypt measure` builds to call the subject's functions."""
    return Task(subject, Device.load(LEVELS[level]), Build((optimised,))).images.callable()


def _build(case: dict[str, Any]) -> None:
    with suppress(InputError):
        image_of(**case)


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    """Builds all images on all processors; one that cannot be built fails in its own test."""
    items: list[Any] = [item for item in request.session.items if item.path == request.path]
    with share() as pool:
        list(
            pool.map(_build, [item.callspec.params for item in items if hasattr(item, "callspec")])
        )


@pytest.fixture(scope="module")
def draws() -> Iterator[dict[str, drawn.Draw]]:
    """Inputs for modes and keyed hashes, answered by other people's implementations."""
    oracles = Oracles(built(), home)
    yield {subject.primitive: drawn.Draw(subject, oracles) for subject in PORTABLE if subject.over}
    oracles.close()


def vectors_of(subject: Subject, level: str) -> dict[str, Any]:
    """The official vectors: all of them, but few at most levels where they take long."""
    tables = read_vectors(subject)
    if EVERYTHING or level == "v7E-M" or subject.kind not in FEW:
        return tables
    return {name: rows[: FEW[subject.kind]] for name, rows in tables.items()}


def checks_of(
    subject: Subject, level: str, context: int, draws: dict[str, drawn.Draw]
) -> list[Check]:
    """The calls, with the results that they must give."""
    if subject.over is None:
        return kind(subject).checks(subject, vectors_of(subject, level), context)
    return list(islice(drawn.checks(draws[subject.primitive], subject, context), INPUTS))


@pytest.mark.parametrize(("level", "optimised", "subject"), CASES)
def test_vectors_come_out(
    level: str, optimised: str, subject: Subject, draws: dict[str, drawn.Draw]
) -> None:
    """All checks that fit the memory, as `cocrypt measure` has them."""
    image = image_of(level, optimised, subject)
    calling = Calling(Device.load(LEVELS[level]), subject, image)
    every = checks_of(subject, level, calling.context_size, draws)
    checks = [check for check in every if calling.fits(check)]
    assert checks
    assert failures(checks, calling.check(checks)) == []


def test_nothing_is_left_out() -> None:
    """Each implementation runs at both levels of optimisation, and each kind at each level."""
    ran = {(optimised, subject.name) for _, optimised, subject in RUNS}
    assert ran == {(optimised, subject.name) for optimised in OPTIMISED for subject in PORTABLE}
    kinds = {(level, subject.kind) for level, _, subject in RUNS}
    assert kinds == {(level, subject.kind) for level in LEVELS for subject in PORTABLE}
    assert all(subject.vectors for subject in PORTABLE if subject.over is None)
