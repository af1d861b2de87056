"""Files that are made once and kept: found by what they were made from, checked when read.

Each file appears complete or not at all, and one that has changed since it was kept is made again;
so a crash, a full disk or another process at the same work does no harm, and nothing needs to be
flushed to the disk.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import eviction, paths, private
from cocrypt.errors import HostError
from cocrypt.private import write_for_me

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def folder(name: str) -> Path:
    """A folder within the cache, which is made unless it is there."""
    path = paths.cache() / name
    private.make(path)
    return path


def code() -> Path | None:
    """The folder of code that was compiled for this host.

    None where nothing can be kept: then machines recompile their code in each run.
    """
    with suppress(HostError, OSError):
        return folder("code")
    return None


def digest(parts: Iterable[str | bytes]) -> str:
    """Hash parts, each with its length, so that their borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:32]


def keep(source: Path, room: str) -> Path:
    """Keeps a file under the hash of its content; returns the path that it has then.

    A symbolic link that a tool wrote is not followed.
    """
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        content = file.read()
    name = hashlib.sha256(content).hexdigest()
    path = folder(room) / f"{name}{source.suffix}"
    if not is_kept(path):
        write_for_me(path, content)
    return path


def is_kept(path: Path) -> bool:
    """Returns whether a file that was kept under its content's hash still has that content."""
    eviction.used(path)
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == path.stem
    except OSError:
        return False


def write_record(path: Path, values: dict[str, Any]) -> None:
    """Writes the values of a key as JSON."""
    write_for_me(path, json.dumps(values).encode())


def read_record(path: Path) -> dict[str, Any]:
    """The values of a record; empty where there is none, or it is broken."""
    eviction.used(path)
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def obtain(path: Path, make: Callable[[Path, Path], None]) -> Path:
    """Return `path`; unless it is there and whole, `make(target, scratch)` writes the target first.

    `scratch` is an empty folder that is removed afterwards. Of several processes that want the same
    file one makes it and the others wait; no process sees a file that is half written.
    """
    if is_whole(path):
        return path
    private.make(path.parent)
    with locked(path.with_name(path.name + ".lock")):
        if not is_whole(path):
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".making-") as scratch:
                target = Path(scratch) / "result"
                make(target, Path(scratch))
                write_for_me(_sum(path), _content(target).encode())
                target.replace(path)
    return path


@contextmanager
def locked(path: Path, waits: Callable[[], object] | None = None) -> Iterator[None]:
    """Holds a lock against other processes that make the same file.

    `waits` is called once if another process holds the lock, before this one waits for it.
    """
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waits is not None:
                waits()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_whole(path: Path) -> bool:
    """Returns whether a file is there and as it was when it was made."""
    eviction.used(path)
    try:
        return _sum(path).read_text(encoding="utf-8") == _content(path)
    except (OSError, ValueError):
        return False


def _sum(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
