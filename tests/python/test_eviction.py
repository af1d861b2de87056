"""The cache: eviction by last use, never during another process's use, and clearing by kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cocrypt import cache, eviction, paths
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

DAY = 86_400
HOLD = """
import sys
from cocrypt import paths
print(paths.cache(), flush=True)
sys.stdin.read()
"""
FILL = """
import sys
from cocrypt import cache
cache.write_record(cache.folder("objects") / "new.json", {"text": "x" * int(sys.argv[1])})
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(eviction.VARIABLE, raising=False)
    return paths.cache()


@pytest.fixture
def filled(folder: Path) -> Callable[[str, int, int], Path]:
    """Returns a function that writes a file of a size, last used some days ago."""

    def fill(name: str, size: int, days: int) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))
        then = path.stat().st_mtime - days * DAY
        for entry in (path, *path.relative_to(folder).parents):
            os.utime(folder / entry, (then, then))
        return path

    return fill


@pytest.mark.parametrize(
    ("said", "bytes_"),
    [("", 4 << 30), ("500M", 500 << 20), ("1.5 GiB", 3 << 29), ("2tb", 2 << 40), ("0", 0)],
)
def test_sizes_are_spelled_as_people_do(
    said: str, bytes_: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(eviction.VARIABLE, said)
    assert eviction.limit() == bytes_


@pytest.mark.parametrize("said", ["much", "-1", "4X", "4 4"])
def test_what_is_no_size_is_refused(said: str, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(eviction.VARIABLE, "none")
    assert eviction.limit() is None
    monkeypatch.setenv(eviction.VARIABLE, said)
    with pytest.raises(InputError, match="no size"):
        eviction.limit()
    result = verb("cache")
    assert result.code == 1
    assert "500M" in result.err


def test_what_was_used_longest_ago_is_evicted(
    folder: Path, filled: Callable[[str, int, int], Path]
) -> None:
    old, middle, new = (filled(f"objects/{days}.o", 100, days) for days in (9, 5, 1))
    unit = filled("generated/deep/inside/unit.c", 100, 7)
    outcomes, log = filled("outcomes.sqlite", 50, 30), filled("outcomes.sqlite-wal", 50, 0)
    assert sum(entry.size for entry in eviction.entries(folder)) == 500
    evicted = eviction.trim(folder, 320)
    assert [entry.paths[0].name for entry in evicted] == ["9.o", "deep"]
    assert not old.exists()
    assert not unit.exists()
    assert all(path.exists() for path in (middle, new, outcomes, log))
    assert eviction.trim(folder, 320) == []


def test_a_file_goes_with_what_says_that_it_is_whole(
    folder: Path, filled: Callable[[str, int, int], Path]
) -> None:
    for name in ("a.so", "a.so.sha256", "a.so.lock"):
        filled(f"rtl/{name}", 10, 3)
    library = filled("rtl/b.so", 10, 1)
    (evicted,) = eviction.trim(folder, 10)
    assert len(evicted.paths) == 3
    assert list((folder / "rtl").iterdir()) == [library]


def test_what_is_used_stays(folder: Path, filled: Callable[[str, int, int], Path]) -> None:
    paths = [cache.keep(filled(f"made-{text}.o", 10 + text, 0), "objects") for text in (0, 1)]
    record = folder / "images/key.json"
    cache.folder("images")
    cache.write_record(record, {"size": 1})

    def make(target: Path, _scratch: Path) -> None:
        target.write_text("{}", encoding="utf-8")

    record_path = cache.obtain(folder / "area/x.json", make)
    for path in (*paths, record, record_path, record_path.with_name("x.json.sha256")):
        os.utime(path, (1, 1))
    assert cache.is_kept(paths[1])
    assert cache.read_record(record)
    assert cache.is_whole(record_path)
    for partial in folder.glob("made-*"):
        partial.unlink()
    assert [entry.paths for entry in eviction.trim(folder, 90)] == [(paths[0],)]


def test_links_are_removed_and_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    (tmp_path / "others/file").write_bytes(bytes(1000))
    (folder / "objects").mkdir()
    (folder / "objects/link").symlink_to(tmp_path / "others")
    (folder / "kind").symlink_to(tmp_path / "others")
    assert sum(entry.size for entry in eviction.entries(folder)) < 1000
    eviction.clear(folder)
    assert (tmp_path / "others/file").is_file()
    assert not (folder / "objects/link").is_symlink()


def test_nothing_is_evicted_while_another_process_is_there(
    folder: Path, filled: Callable[[str, int, int], Path]
) -> None:
    path = filled("objects/old.o", 100, 9)
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(folder)
        assert eviction.trim(folder, 0) == []
        with pytest.raises(HostError, match="another cocrypt"):
            eviction.clear(folder)
        assert path.exists()
        process.communicate("")
    assert len(eviction.trim(folder, 0)) == 1


def test_a_run_evicts_at_its_end(folder: Path, filled: Callable[[str, int, int], Path]) -> None:
    old = filled("objects/old.o", 1000, 9)
    fill = [sys.executable, "-c", FILL]
    # While this process uses the cache too, nothing may be evicted.
    for size, limit in ((10, "1K"), (2000, "none"), (2000, "4K")):
        environment = {**os.environ, "COCRYPT_CACHE": str(folder), eviction.VARIABLE: limit}
        subprocess.run([*fill, str(size)], env=environment, check=True)
        assert old.exists()
    eviction.leave(folder)
    environment = {**os.environ, "COCRYPT_CACHE": str(folder), eviction.VARIABLE: "2.5K"}
    subprocess.run([*fill, "2000"], env=environment, check=True)
    assert not old.exists()
    assert (folder / "objects/new.json").stat().st_size > 2000


def test_the_verb_prints_and_clears_by_kind(
    folder: Path, filled: Callable[[str, int, int], Path], verb: Verb
) -> None:
    for name, size in (("objects/a.o", 3 << 20), ("objects/b.o", 1), ("images/c.elf", 100)):
        filled(name, size, 1)
    values = json.loads(verb("cache", "--json").out)
    assert (values["folder"], values["limit"], values["cleared"]) == (str(folder), 4 << 30, False)
    rows = [{"kind": "objects", "entries": 2, "size": (3 << 20) + 1}]
    rows += [{"kind": "images", "entries": 1, "size": 100}]
    assert values["kinds"] == rows
    result = verb("cache")
    assert "3.0" in result.out
    assert "3.0 MiB of 4,096 MiB" in result.err
    assert verb("cache", "object").code == 1
    cleared = json.loads(verb("cache", "images", "--clear", "--json").out)
    assert (cleared["kinds"], cleared["cleared"]) == (rows[1:], True)
    assert json.loads(verb("cache", "--json").out)["kinds"] == rows[:1]
    assert verb("cache", "--clear").code == 0
    assert json.loads(verb("cache", "--json").out)["kinds"] == []
