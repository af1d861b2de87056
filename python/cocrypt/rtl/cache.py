"""Files that are made once: found by a hash of what they are made from, safe among processes."""

from __future__ import annotations

import fcntl
import hashlib
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import house

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def rtl_cache() -> Path:
    """Name the folder in which objects and simulators are kept."""
    return house.cache() / "rtl"


def digest(parts: Iterable[str | bytes]) -> str:
    """Hash parts, each with its length, so that their borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:32]


def obtain(path: Path, make: Callable[[Path, Path], None]) -> Path:
    """Return `path`; if it is not there, `make(target, scratch)` writes the target first.

    `scratch` is an empty folder that is removed afterwards. Of several processes that want the same
    file one makes it and the others wait; nobody sees a file that is half written.
    """
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path.with_name(path.name + ".lock")):
        if not path.exists():
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".making-") as scratch:
                target = Path(scratch) / "result"
                make(target, Path(scratch))
                target.replace(path)
    return path


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
