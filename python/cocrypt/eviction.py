"""The size of the cache: its entries, when they were used, and eviction beyond a limit.

A process holds a shared lock on the cache from its first access until it ends; eviction needs an
exclusive lock. So nothing is evicted that a process is working with, and the last of several
processes that end evicts for all of them.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import shutil
import stat
from collections import defaultdict
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

VARIABLE = "COCRYPT_CACHE_SIZE"
USUAL = 4 << 30
"""Bytes that a cache may have unless the variable is set."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
SPELLED = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
LOCK = "in-use.lock"
LASTING = ("toolchains",)
"""Kinds that are not evicted, and do not count: they are few, and take long to make again."""
BESIDE = (".sha256", ".lock")
"""Suffixes of the files that stand beside a file and are evicted with it."""

_held: dict[Path, int] = {}
"""Open files of the locks that this process holds, by the folder of the cache."""


@dataclass(frozen=True)
class Entry:
    """A unit of eviction: a file with those beside it, or a folder.

    `size` is in bytes, `used` in nanoseconds as files have it.
    """

    kind: str
    paths: tuple[Path, ...]
    size: int
    used: int


def limit() -> int | None:
    """Bytes that the cache may have after a run, None for any number.

    Raises `InputError` where the variable says neither a size nor `none`.
    """
    value = os.environ.get(VARIABLE, "").strip()
    if not value:
        return USUAL
    if value.lower() == "none":
        return None
    match = SPELLED.fullmatch(value)
    if match is None:
        raise InputError(f"{VARIABLE} is `{value}`, which is no size", "write 500M, 4G or none")
    return int(float(match[1]) * UNITS[match[2].upper()])


def attend(cache: Path) -> None:
    """Locks a cache for this process, and makes it evict what is beyond the limit at its end.

    Waits while another process evicts. Raises `InputError` as `limit` does.
    """
    if cache in _held:
        return
    limit()
    # Where nothing can be locked, other users are unknown, and nothing is evicted.
    with suppress(OSError):
        handle = os.open(cache / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
        except OSError:
            os.close(handle)
            raise
        if not _held:
            atexit.register(_trim_all)
        _held[cache] = handle


def leave(cache: Path) -> None:
    """Releases the lock of this process on a cache."""
    handle = _held.pop(cache, None)
    if handle is not None:
        os.close(handle)


def used(path: Path) -> None:
    """Notes that something in the cache was used just now."""
    with suppress(OSError):
        os.utime(path)


def entries(cache: Path) -> list[Entry]:
    """Everything that is kept, in no order."""
    groups: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for path in _children(cache):
        if path.is_dir() and not path.is_symlink():
            for child in _children(path):
                groups[path.name, _main_name(child.name)].append(child)
        elif path.name != LOCK:
            # A database, with its log and lock.
            groups[path.name.partition(".")[0], ""].append(path)
    return [_entry(kind, paths) for (kind, _), paths in groups.items()]


def trim(cache: Path, most: int) -> list[Entry]:
    """Evicts what was used longest ago until at most `most` bytes are left; returns what it was.

    Does nothing while another process uses the cache.
    """
    evicted = []
    with _alone(cache) as is_alone:
        rest = sorted(_evictable(cache), key=lambda entry: entry.used) if is_alone else []
        size = sum(entry.size for entry in rest)
        for entry in rest:
            if size <= most:
                break
            _remove(entry)
            evicted.append(entry)
            size -= entry.size
    return evicted


def _evictable(cache: Path) -> list[Entry]:
    return [entry for entry in entries(cache) if entry.kind not in LASTING]


def clear(cache: Path, kinds: Collection[str] = ()) -> list[Entry]:
    """Removes everything, or the entries of these kinds, and returns them.

    Raises `HostError` while another process uses the cache.
    """
    with _alone(cache) as is_alone:
        if not is_alone:
            raise HostError(
                f"{cache} cannot be cleared: another cocrypt is using it, or it cannot be locked",
                "wait until the other has ended",
            )
        chosen = [entry for entry in entries(cache) if not kinds or entry.kind in kinds]
        for entry in chosen:
            _remove(entry)
    return chosen


@contextmanager
def _alone(cache: Path) -> Iterator[bool]:
    """Keeps other processes out of a cache; yields whether that is possible."""
    handle = _held.get(cache)
    if handle is None:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_SH)


def _trim_all() -> None:
    """Trims every cache that this process has used; what fails is tried again by the next."""
    with suppress(OSError, InputError):
        most = limit()
        for cache in _held:
            if most is not None and cache.is_dir():
                trim(cache, most)


def _children(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _main_name(name: str) -> str:
    """The name of the file that a file stands beside, or its own."""
    return next((name.removesuffix(end) for end in BESIDE if name.endswith(end)), name)


def _entry(kind: str, paths: list[Path]) -> Entry:
    statuses = [status for path in paths for status in _statuses(path)]
    size = sum(status.st_size for status in statuses if not stat.S_ISDIR(status.st_mode))
    last = max((status.st_mtime_ns for status in statuses), default=0)
    return Entry(kind, tuple(paths), size, last)


def _statuses(path: Path) -> Iterator[os.stat_result]:
    """The status of a file, or of a folder and all in it; links are not followed."""
    with suppress(OSError):
        status = path.lstat()
        yield status
        if stat.S_ISDIR(status.st_mode):
            for child in _children(path):
                yield from _statuses(child)


def _remove(entry: Entry) -> None:
    """Removes a file before the files beside it, such as the checksum that says it is whole."""
    for path in sorted(entry.paths, key=lambda path: path.name.endswith(BESIDE)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
