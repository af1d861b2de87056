"""Every implementation gives the known answers of other libraries, on host and device."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

import cavp
import distributions
import elsewhere
from ahead import compile_ahead
from hosted import Hosted
from test_primitives import RUNNING
from test_primitives_cavp import (
    FILES,
    called,
    differences,
    known_answers,
    named,
    on_device,
    portable,
)
from vectors import Vectors, key_of

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

pytestmark = pytest.mark.usefixtures("debian_sources")
SUBJECTS = [subject for subject in RUNNING if subject.primitive in elsewhere.PRIMITIVES]


@pytest.fixture(scope="module", autouse=True)
def _compiled(request: pytest.FixtureRequest) -> None:
    compile_ahead(item for item in request.session.items if item.path == request.path)


@cache
def further(primitive: str) -> Vectors:
    """The vectors that the packages of PyPI, which have run already, do not have."""
    ran = known_answers(primitive).tables if any(primitive in files for files in FILES) else {}
    seen = {key_of(row) for rows in ran.values() for row in rows}
    tables = elsewhere.vectors_of(primitive).tables
    return Vectors(
        {table: [row for row in rows if key_of(row) not in seen] for table, rows in tables.items()}
    )


@pytest.mark.parametrize("subject", portable(SUBJECTS))
def test_answers_of_other_libraries_on_the_host(subject: Subject) -> None:
    vectors = further(subject.primitive)
    assert not len(vectors) or differences(Hosted(subject), vectors) == []


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("subject", named(SUBJECTS))
def test_answers_of_other_libraries_on_the_device(subject: Subject, level: str) -> None:
    vectors = on_device(subject, further(subject.primitive))
    assert not len(vectors) or differences(called(subject, level), vectors) == []


def test_what_is_found_is_what_is_said_to_be() -> None:
    """A file from which nothing is read fails here."""
    every = [elsewhere.found(package, path) for package, path in read_here()]
    assert {name for reading in every for name in reading.vectors} == elsewhere.PRIMITIVES
    assert all(reading.vectors or reading.reasons for reading in every)
    assert sum(len(rows) for reading in every for rows in reading.vectors.values()) > 15_000


def test_every_reason_is_needed() -> None:
    """Each test that our implementations cannot run has a reason, and each reason occurs."""
    reasons: Counter[str] = Counter()
    for package, path in read_here():
        reasons.update(elsewhere.found(package, path).reasons)
    assert set(reasons) == elsewhere.REASONS


def read_here() -> list[tuple[str, str]]:
    return [(package, path) for package, files in elsewhere.READERS.items() for path in files]


def unread(package: str) -> list[str]:
    """The files of a package that nothing reads."""
    if package in elsewhere.READERS:
        read = elsewhere.READERS[package]
        return [name for name in distributions.names(package) if name not in read]
    for primitive in {name for files in FILES for name in files}:
        known_answers(primitive)
    for monte in cavp.MONTE.values():
        monte()
    folder = cavp.package(package)
    every = (
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    return [path.relative_to(folder).as_posix() for path in every if path not in cavp.READ]


@pytest.mark.parametrize("package", elsewhere.left_out())
def test_files_that_nobody_reads_are_listed(package: str) -> None:
    assert_listed(unread(package), elsewhere.left_out()[package]["files"])


@pytest.mark.parametrize("package", elsewhere.READERS)
def test_algorithms_that_nobody_runs_are_listed(package: str) -> None:
    others = {
        name
        for path in elsewhere.READERS[package]
        for name in elsewhere.found(package, path).others
    }
    assert_listed(sorted(others), elsewhere.left_out()[package]["algorithms"])


def assert_listed(names: list[str], reasons: dict[str, list[str]]) -> None:
    """Each name matches a pattern, and each pattern a name."""
    patterns = [pattern for patterns in reasons.values() for pattern in patterns]
    assert [name for name in names if not distributions.is_named(name, patterns)] == []
    assert [
        pattern for pattern in patterns if not any(re.fullmatch(pattern, name) for name in names)
    ] == []
