"""The project's own files, and those that names on the command line stand for."""

from __future__ import annotations

import difflib
import functools
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import eviction, private, replacement
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL_DEVICE = "picorv32"
"""The device that is taken where none is named."""
INSTALLED = Path(__file__).resolve().parent / "shipped"
"""The folder of a wheel for the files that cocrypt comes with (`packaging/shipped.py`)."""
CHECKOUT = Path(__file__).resolve().parents[2]
MOST = 256 << 20
"""Bytes of the largest file that is read: images with all their debug information are smaller."""


def root() -> Path:
    """The folder that holds `devices/`, `runtime/` and `systems/`.

    It is within an installed package, and the checkout otherwise; `COCRYPT_HOME` names another.
    """
    home = os.environ.get("COCRYPT_HOME")
    folder = Path(home).resolve() if home else INSTALLED if is_installed() else CHECKOUT
    if not (folder / "devices" / "cores").is_dir():
        raise HostError(
            f"{folder} does not hold cocrypt's devices, runtime and systems",
            "set COCRYPT_HOME to the folder of a checkout" if home else "install cocrypt again",
        )
    return folder


@functools.cache
def is_installed() -> bool:
    """Returns whether the package contains its files, as a wheel's does, unlike a checkout's."""
    return INSTALLED.is_dir()


def build() -> Path:
    """The folder of reports: `build/` in the current folder."""
    return Path("build")


def cache() -> Path:
    """The folder that keeps compiled files between runs; `COCRYPT_CACHE` overrides it.

    It is the user's alone: others who could write there could make the user run their programs. A
    checkout of the user's has it in `build/cache`; otherwise it is in the user's own folder of
    caches. Raises `HostError` where others could write.
    """
    named = os.environ.get("COCRYPT_CACHE")
    if named:
        return _private(
            Path(named), "let COCRYPT_CACHE name another folder, which others cannot write to"
        )
    usual = root() / "build" / "cache"
    in_checkout = not is_installed() and _is_mine(usual)
    return _private(usual if in_checkout else _personal(), "name one by COCRYPT_CACHE")


@functools.cache
def _private(path: Path, advice: str) -> Path:
    folder = private.folder(path, advice)
    eviction.attend(folder)
    return folder


def forget() -> None:
    """Makes this process check the cache again."""
    _private.cache_clear()


@functools.cache
def _is_mine(path: Path) -> bool:
    return private.intruder(path) is None and _can_be_made(path)


def _can_be_made(path: Path) -> bool:
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    return os.access(nearest, os.W_OK)


def _personal() -> Path:
    """The cache in the user's own folder of caches.

    Versions of cocrypt share it: the key of a file has the version or hash of what made it.
    """
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "cocrypt"


def runtime() -> Path:
    """Start-up code, linker scripts and the small libc."""
    return root() / "runtime"


def devices() -> dict[str, Path]:
    """The devices that come with cocrypt, by name."""
    return {path.stem: path for path in sorted((root() / "devices").glob("*.toml"))}


def coprocessors() -> dict[str, Path]:
    """The register maps of the library's coprocessors, by name."""
    maps = sorted((root() / "coprocessors").glob("*/registers.toml"))
    return {path.parent.name: path for path in maps}


def primitives() -> Path:
    """The cryptography that comes with the workbench."""
    return root() / "primitives"


def kept(name: str, text: str) -> Path:
    """A generated file in the cache, under its content's hash."""
    content = text.encode()
    folder = cache() / "generated" / hashlib.sha256(content).hexdigest()[:32]
    path = folder / name
    if not path.is_file() or path.read_bytes() != content:
        private.make(folder)
        private.write_for_me(path, content)
    eviction.used(path)
    return path


def is_known(about: str, words: Sequence[str]) -> bool:
    """Returns whether what these words describe was noted before."""
    note = _note(about, words)
    eviction.used(note)
    return note.exists()


def make_known(about: str, words: Sequence[str]) -> None:
    """Notes for later runs that something holds."""
    note = _note(about, words)
    private.make(note.parent)
    note.touch()


def _note(about: str, words: Sequence[str]) -> Path:
    digest = hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]
    return cache() / about / digest


def studies() -> dict[str, Path]:
    """The studies that come with cocrypt, by name."""
    return {path.stem: path for path in sorted((root() / "studies").glob("*.toml"))}


def study(name: str) -> Path:
    """The file of a study, given its name or the path of a file.

    Raises `InputError` for what is neither, with the closest name; a path is taken as it is
    unless there is nothing and cocrypt comes with a study of that name.
    """
    path, shipped = Path(name), studies()
    if name in shipped and not path.is_file():
        return nearby(shipped[name])
    if path.stem in shipped and not path.exists():
        raise InputError(
            f"there is no file {path}", f"`{path.stem}` alone is the study that comes with cocrypt"
        )
    if path.suffix or len(path.parts) > 1 or path.exists():
        return path
    raise InputError(f"there is no study `{name}`", suggestion(name, list(shipped)))


def nearby(path: Path) -> Path:
    """The path from the current folder, as a person would type it, where that is shorter."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def device(name: str) -> Path:
    """The file of a device, given its name or the path of a file.

    Raises `InputError` where there is none, with the closest name.
    """
    path = Path(name)
    if path.suffix == ".toml" and path.is_file():
        return path
    shipped = devices()
    if name in shipped:
        return shipped[name]
    raise InputError(f"there is no device `{name}`", suggestion(name, list(shipped)))


def write_text(path: Path, text: str) -> None:
    """Writes a file that the user named; raises `HostError` where that cannot be.

    A plain file is replaced as a whole: if writing fails, the old one is kept. Folders are not
    made: one that is missing is a name that was mistyped (`InputError`).
    """
    try:
        require_folder(path)
        replacement.write(path, text.encode())
    except OSError as error:
        raise HostError(
            f"{path} cannot be written: {error.strerror}", "name another file"
        ) from error


def require_folder(path: Path) -> None:
    """Raises `InputError` unless there is a folder for a file that the user named."""
    if not path.parent.is_dir():
        raise InputError(
            f"{path} cannot be written: there is no folder {path.parent}",
            "make the folder, or name another file",
        )


def write_between(path: Path, name: str, text: str) -> None:
    """Puts text between the marks of this name on a page, `<!-- name: begin -->` and `… end -->`.

    Raises `InputError` where the page does not have them, once and in this order.
    """
    begin, end = (f"<!-- {name}: {which} -->" for which in ("begin", "end"))
    parts = re.split(f"({re.escape(begin)})|({re.escape(end)})", read_bytes(path).decode())
    if [part for part in parts[1:] if part in (begin, end)] != [begin, end]:
        raise InputError(f"{path} has no place for it", f"write {begin} and {end} where it goes")
    write_text(path, f"{parts[0]}{begin}\n{text}\n{end}{parts[-1]}")


def write_page(path: Path, text: str) -> None:
    """Writes a page; raises `HostError` where that cannot be.

    Within `build()` the folders that lead to it are made. What goes there follows no link: the
    current folder may be somebody else's project, and the link lead to a file of the user's.
    """
    if not path.is_relative_to(build()):
        write_text(path, text)
        return
    _require_plain(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replacement.write(path, text.encode())
    except OSError as error:
        raise HostError(
            f"the report cannot be written: {error}", "name a file by --report"
        ) from error


def write_image(path: Path, content: bytes) -> None:
    """Writes a file into a folder that the user named, which is made where only it is missing.

    Raises `HostError` where that cannot be, `InputError` where the folder's own folder is missing.
    Within `build()` folders are made and links not followed, as for `write_page`.
    """
    inside = path.is_relative_to(build())
    if inside:
        _require_plain(path)
    else:
        require_folder(path.parent)
    try:
        path.parent.mkdir(parents=inside, exist_ok=True)
        replacement.write(path, content)
    except OSError as error:
        raise HostError(
            f"{path} cannot be written: {error.strerror}", "name another folder"
        ) from error


def _require_plain(path: Path) -> None:
    """Raises `HostError` if a part of a path is a link, or its end exists and is no file."""
    link = next((part for part in (*reversed(path.parents), path) if part.is_symlink()), None)
    if link is not None:
        raise HostError(f"{path} is not written: {link} is a link", "remove the link")
    if path.exists() and not path.is_file():
        raise HostError(f"{path} is not written: it is no plain file", "remove it")


def suggestion(wrong: str, known: list[str]) -> str:
    """Advice on what to type instead: the closest known name, or all of them."""
    close = difflib.get_close_matches(wrong, known, n=1)
    return f"did you mean `{close[0]}`?" if close else f"known: {', '.join(known)}"


def read_bytes(path: Path) -> bytes:
    """The bytes of a project's file; a pipe or a device may have no end, or wait for ever.

    Raises `InputError` where it cannot be read, or is too large.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path} is no plain file", "give a readable file")
    return read_named(path)


def read_named(path: Path) -> bytes:
    """The bytes of a file that the user has named, maybe a pipe; raises as `read_bytes` does."""
    try:
        is_plain = path.is_file()
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size if is_plain else 0
            content = b"" if size > MOST else file.read(-1 if is_plain else MOST + 1)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", "give a readable file"
        ) from error
    if max(size, len(content)) > MOST:
        raise InputError(f"{path} has more than {MOST >> 20} MiB", "give a file for a device")
    return content
