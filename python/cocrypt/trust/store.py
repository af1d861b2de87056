"""The folders that the user trusts, in a file of his own; `cocrypt trust` writes it."""

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

from cocrypt import house, private
from cocrypt.cache import locked
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VARIABLE = "COCRYPT_TRUST"
DECIDING = (".toml", ".v", ".sv", ".vh", ".svh")
"""Files that decide what runs on the host: what names compilers and options, and Verilog."""
INCLUDE = re.compile(rb'`include\b\s*(?:"([^"\n]*)")?')
"""What Verilog includes; none of a name that it computes."""
MOST = 20_000
"""Files whose content is remembered."""
SHIPPED = (
    "benches",
    "coprocessors",
    "devices",
    "docs",
    "primitives",
    "runtime",
    "studies",
    "systems",
)
"""Folders of the checkout with what comes with cocrypt."""
Entries = dict[str, dict[str, Any]]


def is_trusted(folder: Path) -> bool:
    """Whether a folder, or one that it is in, is trusted as it is now."""
    folder = folder.resolve()
    mine = [Path(one).resolve() for one in os.environ.get(VARIABLE, "").split(os.pathsep) if one]
    if any(folder.is_relative_to(one) for one in (*shipped(), *mine)):
        return True
    return _is_listed(folder, _signature())


def shipped() -> list[Path]:
    """The folders with what comes with cocrypt."""
    return [house.root() / name for name in SHIPPED]


def listed() -> Entries:
    """The trusted folders: whose content is remembered by its hash, and those of one's own."""
    place = _place()
    danger = private.intruder(place.parent) if place.exists() else None
    if danger is not None:
        raise HostError(f"{place} is not the user's alone: {danger}", "chmod go-w it")
    try:
        text = place.read_text(encoding="utf-8")
        entries: Entries = json.loads(text)["folders"]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HostError(f"{place} cannot be read: {error}", "correct it, or remove it") from error
    return entries


def trust(folder: Path, own: bool) -> list[Path]:
    """Trusts a folder: as it is now, or as one's `own` whatever becomes of it.

    Returns the files that decide. Raises `InputError` where it is no folder, or has too many.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", "name the folder that the project is in")
    files = [] if own else deciding(folder)
    entry: dict[str, Any] = {"own": True} if own else {"content": fingerprint(folder)}
    _change(lambda known: {**known, str(folder): entry})
    return files


def revoke(folder: Path) -> None:
    """Trusts a folder no longer; raises `InputError` where it is not in the list."""
    name = str(folder.resolve())
    if name not in listed():
        raise InputError(f"{name} is not in the list", "`cocrypt trust --list` prints it")
    _change(lambda known: {one: entry for one, entry in known.items() if one != name})


def deciding(folder: Path) -> list[Path]:
    """The files below a folder that decide what runs on the host, and those that they name.

    These are compilers, and what Verilog includes, whatever it is called.
    """
    found: list[Path] = []
    for place, _, names in os.walk(folder):
        found += [Path(place) / name for name in names if name.lower().endswith(DECIDING)]
        if len(found) > MOST:
            raise _too_many(folder)
    named = {path for one in found if one.suffix.lower() == ".toml" for path in _tools(one)}
    verilog = [one for one in found if one.suffix.lower() != ".toml"]
    return sorted({*found, *named, *_included(verilog)})


def fingerprint(folder: Path) -> str:
    """A hash of the files that decide what runs on the host."""
    state = hashlib.sha256()
    for path in deciding(folder):
        content = house.read_bytes(path) if path.is_file() else b""
        state.update(os.fsencode(path) + f" {len(content)} ".encode() + content)
    return state.hexdigest()


def _included(verilog: list[Path]) -> set[Path]:
    """What Verilog includes, from beside it or beside what includes it, on all levels."""
    known: set[tuple[Path, Path]] = set()
    rest = {(one, one.parent) for one in verilog}
    while rest:
        path, design = rest.pop()
        content = house.read_bytes(path) if path.is_file() else b""
        names = {found[1] for found in INCLUDE.finditer(content)}
        spelled = [os.fsdecode(one) for one in names - {None}]
        more = {found for one in spelled for found in _found(one, design, path.parent)}
        if None in names:
            more |= {one for one in design.rglob("*") if one.is_file()}
        new = {(one, design) for one in more} - known
        known |= new
        rest |= new
        if len(known) > MOST:
            raise _too_many(design)
    return {path for path, _ in known}


def _found(name: str, *places: Path) -> Iterator[Path]:
    """Where a name leads from these places, whether something is there yet or not."""
    for place in places:
        # What is too long, or holds a NUL, no tool can open either.
        with suppress(OSError, ValueError):
            found = (place / name).resolve()
            found.is_file()
            yield found


def _too_many(folder: Path) -> InputError:
    return InputError(
        f"{folder} has more than {MOST:,} files that decide what runs",
        "trust a folder in it; or all of it, whatever becomes of it, by --own",
    )


def _tools(path: Path) -> Iterator[Path]:
    """The programs that a study or a device names by their paths as compilers."""
    try:
        toolchain = tomllib.loads(path.read_text(encoding="utf-8"))["toolchain"]
        named = [toolchain, *toolchain.get("device", [])]
        names = [one["compiler"] for one in named if "compiler" in one]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for name in names:
        if isinstance(name, str) and "/" in name:
            yield path.parent / name


def forget() -> None:
    """Lets the files of projects be looked at again in this process."""
    _is_listed.cache_clear()


@functools.cache
def _is_listed(folder: Path, _signature: object) -> bool:
    """A project's files are looked at once in a process, unless the list changes."""
    for name, entry in listed().items():
        if folder.is_relative_to(name):
            known = entry.get("content")
            if entry.get("own") is True or (known and known == fingerprint(Path(name))):
                return True
    return False


def _signature() -> object:
    try:
        status = _place().stat()
    except OSError:
        return None
    return str(_place()), status.st_mtime_ns, status.st_ino


def _place() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "cocrypt" / "trusted.json"


def _change(change: Callable[[Entries], Entries]) -> None:
    place = _place()
    private.folder(place.parent, "set XDG_CONFIG_HOME to a folder of your own")
    with locked(place.with_suffix(".lock")):
        kept = {one: entry for one, entry in change(listed()).items() if Path(one).is_dir()}
        text = json.dumps({"version": 1, "folders": kept}, indent=2) + "\n"
        private.write_for_me(place, text.encode())
