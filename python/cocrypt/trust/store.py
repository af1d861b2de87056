"""The folders that the user trusts, in a file that `cocrypt trust` writes."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import paths, private
from cocrypt.cache import locked
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VARIABLE = "COCRYPT_TRUST"
DECIDING = (".toml", ".v", ".sv", ".vh", ".svh")
"""Suffixes of the files that decide what runs on the host: of compilers, options, Verilog."""
INCLUDE = re.compile(rb'`include\b\s*(?:"([^"\n]*)")?')
"""An include directive of Verilog; no name is matched if it is a macro."""
BLOCK = b"COCRYPT_BLOCK"
"""A file in C++ is a block of a design if it has this word, and decides what runs."""
INCLUDE_CPP = re.compile(rb'(?:include\w*|embed)\b\s*(?:"([^"\n]*)"|<([^>\n]*)>)?')
"""The same as `INCLUDE` of C++."""
MOST = 20_000
"""The most files whose content is hashed."""
SHIPPED = (
    "benches",
    "cells",
    "coprocessors",
    "devices",
    "docs",
    "primitives",
    "runtime",
    "studies",
    "systems",
)
"""Folders of the checkout that come with cocrypt."""
Entries = dict[str, dict[str, Any]]


def is_trusted(folder: Path) -> bool:
    """Returns true if a folder, or one that it is in, is trusted with its present content."""
    folder = folder.resolve()
    words = os.environ.get(VARIABLE, "").split(os.pathsep)
    own = [Path(word).resolve() for word in words if word]
    if any(folder.is_relative_to(trusted) for trusted in (*shipped(), *own)):
        return True
    return _is_listed(folder, _signature())


def shipped() -> list[Path]:
    """The folders that come with cocrypt."""
    return [paths.root() / name for name in SHIPPED]


def listed() -> Entries:
    """The trusted folders: those with the hash of their content, and the user's own."""
    path = _list_path()
    danger = private.intruder(path.parent) if path.exists() else None
    if danger is not None:
        raise HostError(f"{path} is not the user's alone: {danger}", "chmod go-w it")
    try:
        text = path.read_text(encoding="utf-8")
        entries: Entries = json.loads(text)["folders"]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HostError(f"{path} cannot be read: {error}", "correct it, or remove it") from error
    return entries


def trust(folder: Path, own: bool) -> list[Path]:
    """Trusts a folder: with its present content, or as the user's `own` with any content.

    Returns the files that decide. Raises `InputError` if it is no folder, or has too many.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", "name the folder that the project is in")
    files = [] if own else deciding(folder)
    entry: dict[str, Any] = {"own": True} if own else {"content": fingerprint(folder)}
    _change(lambda entries: {**entries, str(folder): entry})
    return files


def revoke(folder: Path) -> None:
    """Revokes the trust in a folder; raises `InputError` if it is not in the list."""
    name = str(folder.resolve())
    if name not in listed():
        raise InputError(f"{name} is not in the list", "`cocrypt trust --list` prints it")
    _change(lambda entries: {key: entry for key, entry in entries.items() if key != name})


def deciding(folder: Path) -> list[Path]:
    """The files below a folder that decide what runs on the host, and those that they name.

    The latter are compilers, and files that Verilog includes, of any suffix.
    """
    files: list[Path] = []
    for directory, _, names in os.walk(folder):
        files += [file for name in names if _decides(file := Path(directory) / name)]
        if len(files) > MOST:
            raise _too_many(folder)
    named = {path for file in files if file.suffix.lower() == ".toml" for path in _tools(file)}
    code = [file for file in files if file.suffix.lower() != ".toml"]
    return sorted({*files, *named, *included(code)})


def fingerprint(folder: Path) -> str:
    """A hash of the files that decide what runs on the host."""
    state = hashlib.sha256()
    for path in deciding(folder):
        content = paths.read_bytes(path) if path.is_file() else b""
        state.update(os.fsencode(path) + f" {len(content)} ".encode() + content)
    return state.hexdigest()


def _decides(path: Path) -> bool:
    """Returns true if a file decides what runs on the host, by its name or as a block in C++."""
    if path.name.lower().endswith(DECIDING):
        return True
    return path.suffix == ".cpp" and path.is_file() and BLOCK in paths.read_bytes(path)


def included(code: list[Path]) -> set[Path]:
    """The files that Verilog or C++ includes, directly or not, from its folder or the includer's.

    Of C++ that is more than a compiler includes: also what only a comment names.
    """
    seen: set[tuple[Path, Path]] = set()
    queue = {(file, file.parent) for file in code}
    cpp = {file for file in code if file.suffix == ".cpp"}
    while queue:
        path, design = queue.pop()
        content = paths.read_bytes(path) if path.is_file() else b""
        names = _names(content, path in cpp)
        spelled = [os.fsdecode(name) for name in names if name is not None]
        found = {file for name in spelled for file in _resolved(name, design, path.parent)}
        if None in names:
            found |= {file for file in design.rglob("*") if file.is_file()}
        cpp |= found if path in cpp else set()
        new = {(file, design) for file in found} - seen
        seen |= new
        queue |= new
        if len(seen) > MOST:
            raise _too_many(design)
    return {path for path, _ in seen}


def _names(content: bytes, is_cpp: bool) -> set[bytes | None]:
    """The names of files that a text includes; None for one that a macro has."""
    if not is_cpp:
        return {match[1] for match in INCLUDE.finditer(content)}
    joined = content.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    return {match[1] or match[2] for match in INCLUDE_CPP.finditer(joined)}


def _resolved(name: str, *folders: Path) -> Iterator[Path]:
    """The paths of a name from these folders, with those that do not exist yet."""
    for folder in folders:
        # A name that is too long, or has a NUL, cannot be opened by any tool.
        with suppress(OSError, ValueError):
            path = (folder / name).resolve()
            path.is_file()
            yield path


def _too_many(folder: Path) -> InputError:
    return InputError(
        f"{folder} has more than {MOST:,} files that decide what runs",
        "trust a folder in it; or all of it, whatever becomes of it, by --own",
    )


def _tools(path: Path) -> Iterator[Path]:
    """The programs that a study or a device names by their paths as compilers."""
    try:
        toolchain = tomllib.loads(path.read_text(encoding="utf-8"))["toolchain"]
        tables = [toolchain, *toolchain.get("device", [])]
        names = [table["compiler"] for table in tables if "compiler" in table]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for name in names:
        if isinstance(name, str) and "/" in name:
            yield path.parent / name


def forget() -> None:
    """Clears the cache, so that this process checks the files of projects again."""
    _is_listed.cache_clear()


@functools.cache
def _is_listed(folder: Path, _signature: object) -> bool:
    """Returns true if the list has a folder; checked once in a process, unless the list changes."""
    for name, entry in listed().items():
        if folder.is_relative_to(name):
            content = entry.get("content")
            if entry.get("own") is True or (content and content == fingerprint(Path(name))):
                return True
    return False


def _signature() -> object:
    try:
        status = _list_path().stat()
    except OSError:
        return None
    return str(_list_path()), status.st_mtime_ns, status.st_ino


def _list_path() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "cocrypt" / "trusted.json"


def _change(change: Callable[[Entries], Entries]) -> None:
    path = _list_path()
    private.folder(path.parent, "set XDG_CONFIG_HOME to a folder of your own")
    with locked(path.with_suffix(".lock")):
        entries = change(listed()).items()
        existing = {folder: entry for folder, entry in entries if Path(folder).is_dir()}
        text = json.dumps({"version": 1, "folders": existing}, indent=2) + "\n"
        private.write_for_me(path, text.encode())
