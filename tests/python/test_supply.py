"""The project's base: packages fixed by hash, no named hosts, `unsafe` in known rooms."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCKS = ("main", "nodeps", "audit", "docs")
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[a-z,-]+\])?==[^ ;\\]+")
# In pieces, since this file is searched as well.
HOSTS = re.compile(
    r"https?://[a-z0-9.-]*\b(?:de"
    r"bian\.org|py"
    r"pi\.org|python"
    r"hosted\.org|crates"
    r"\.io|npm"
    r"js\.org|maven"
    r"\.org|golang"
    r"\.org)"
)
# Cargo writes the name of its registry into lock files itself.
WRITTEN_BY_TOOLS = ("Cargo.lock",)
UNSAFE = re.compile(r"^(?!\s*//).*\bunsafe (?:\{|impl\b|fn\b)", re.MULTILINE)


def requirements(lock: str) -> Iterator[str]:
    """The requirements of a lock file, each with its hashes on one line."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    for line in text.replace("\\\n", " ").splitlines():
        if line and not line.lstrip().startswith("#"):
            yield line


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_python_package_is_fixed_by_hash(lock: str) -> None:
    lines = list(requirements(lock))
    assert lines
    for line in lines:
        assert PINNED.match(line), line
        assert "--hash=sha256:" in line, line


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_hold_what_is_asked_for(lock: str) -> None:
    """A package that is added without `make lock` is not in the lock."""
    requested = (ROOT / "requirements" / f"{lock}.in").read_text(encoding="utf-8")
    names = re.findall(r"^([A-Za-z0-9_.-]+)(?:\[[a-z,-]+\])?(==\S+)?$", requested, re.MULTILINE)
    locked = {re.split(r"[ ;\[=]", line)[0]: line for line in requirements(lock)}
    by_name = {canonical(name): line for name, line in locked.items()}
    assert names
    for name, version in names:
        assert version in by_name[canonical(name)]


def tracked() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if path.is_file() and path.name not in WRITTEN_BY_TOOLS:
            yield path


def test_no_file_names_the_host_of_a_package_registry() -> None:
    """Packages come by name from wherever the machine's clients are set up to ask."""
    paths = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if HOSTS.search(path.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert paths == []


def test_unsafe_stands_in_the_rooms_that_the_architecture_names() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = re.search(r"^10\. (.*?)(?=^11\. )", text, re.MULTILINE | re.DOTALL)
    assert section
    named = set(re.findall(r"`([a-z-]+)` \((\d+)\)", section[1]))
    counts: dict[str, int] = {}
    for path in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        room = path.relative_to(ROOT / "crates").parts[0]
        occurrences = len(UNSAFE.findall(path.read_text(encoding="utf-8")))
        counts[room] = counts.get(room, 0) + occurrences
    assert named == {(room, str(count)) for room, count in counts.items() if count}
