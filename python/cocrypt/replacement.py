"""Files that are replaced as a whole: readers find the old content or the new one."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Writes a file; if this fails or is interrupted, an old one is kept.

    The new file has the permissions of the old one. Devices, pipes, links, and files that cannot
    be replaced by an equal one are written in place. Raises `OSError`.
    """
    if _is_replaceable(path):
        _replace(path, content)
    else:
        path.write_bytes(content)


def _is_replaceable(path: Path) -> bool:
    """Returns whether a new file in the folder is as good as writing to this path.

    `/dev/stdout` is a link, maybe to a plain file to which others write too.
    """
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return False
    try:
        status = path.lstat()
    except FileNotFoundError:
        return True
    is_mine = (status.st_uid, status.st_gid) == (os.geteuid(), os.getegid())
    is_alone = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return is_mine and is_alone and os.access(path, os.W_OK)


def _replace(path: Path, content: bytes) -> None:
    # The name is short, since that of the file may be as long as a name can be.
    partial = path.with_name(f".cocrypt-{os.urandom(8).hex()}")
    old = path.stat() if path.exists() else None
    # Nobody reads the new content before it has the old permissions.
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if old else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if old:
                # A folder may give its own group to new files.
                os.fchown(file.fileno(), -1, old.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
