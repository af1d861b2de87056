"""Folders of one user alone, in which nobody else may add or exchange files."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from contextlib import suppress
from pathlib import Path

from cocrypt.errors import HostError

WRITABLE = stat.S_IWGRP | stat.S_IWOTH
ENTERED = stat.S_IXGRP | stat.S_IXOTH
ROOT = 0
OVERFLOW = Path("/proc/sys/kernel/overflowuid")


def folder(path: Path, advice: str) -> Path:
    """A folder of the user's own; unless it is there, it is made so that no other user enters it.

    Raises `HostError` with `advice` if it cannot be made, or if others could write to it.
    """
    path = path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
    except OSError as error:
        raise HostError(f"{path} cannot be made: {error.strerror}", advice) from error
    if not path.is_dir():
        raise HostError(f"{path} is no folder", advice)
    danger = intruder(path) or _intruder_within(path)
    if danger is not None:
        raise HostError(f"{path} is not the user's alone: {danger}", advice)
    return path


def make(path: Path) -> None:
    """Makes a folder and its missing parents, which no other user can enter."""
    if not path.is_dir():
        make(path.parent)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)


def intruder(path: Path) -> str | None:
    """A sentence on who else could write to a folder or exchange a parent; None if nobody.

    Of a folder that is not there yet, the parents that are there count.
    """
    path = path.resolve()
    for ancestor in (path, *path.parents):
        if ancestor.exists():
            danger = _danger(ancestor, is_leaf=ancestor == path)
            if danger is not None:
                return danger
    return None


def write_for_me(path: Path, content: bytes) -> None:
    """Writes a file that only the user can read; others find the old content or the new one."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _intruder_within(path: Path) -> str | None:
    """A sentence on who else could write to something within a folder that others can enter."""
    if not path.stat().st_mode & ENTERED:
        return None
    for parent, names, _ in os.walk(path):
        for name in names:
            with suppress(FileNotFoundError):
                danger = _danger(Path(parent) / name, is_leaf=True)
                if danger is not None:
                    return danger
    return None


def _danger(path: Path, is_leaf: bool) -> str | None:
    status, me = path.stat(), os.geteuid()
    # Root could do anything anyway. In a container root may be a user without a number there.
    trusted = {me} if is_leaf else {me, ROOT, _overflow()}
    if status.st_uid not in trusted:
        return f"{path} belongs to {_name(status.st_uid)}"
    # In a folder with the sticky bit users can exchange their own files alone.
    is_sticky = bool(status.st_mode & stat.S_ISVTX) and not is_leaf
    writable = status.st_mode & WRITABLE
    if writable == stat.S_IWGRP and _is_my_group(status.st_gid):
        return None
    return f"others can write to {path}" if writable and not is_sticky else None


def _overflow() -> int:
    try:
        return int(OVERFLOW.read_text())
    except (OSError, ValueError):
        return ROOT


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def _is_my_group(group: int) -> bool:
    """Returns whether a group is this user's alone, as distributions make one for each user."""
    try:
        me, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return entry.gr_name == me.pw_name and set(entry.gr_mem) <= {me.pw_name}
