"""Puts cocrypt's data files into a wheel beside the modules that read them.

In a checkout they are in its folders; an installed package has them in `cocrypt/shipped/`.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).resolve().parents[1]
FOLDERS = (
    "cells",
    "coprocessors",
    "devices",
    "docs",
    "primitives",
    "runtime",
    "studies",
    "systems",
)
"""Folders of the project that an installed cocrypt needs, and the pages that its messages name."""
INSIDE = "cocrypt/shipped"
"""Their folder in a wheel, in which `cocrypt.paths` looks for them."""
LEFT_OUT = ("__pycache__", "build", "images")
"""Folders that programs write to, and pictures of the README."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a wheel, so that the same sources make the same bytes."""
MODE = 0o100644
"""The mode of the files: regular, and readable for all."""


def files() -> Iterator[Path]:
    """The files of those folders, in a fixed order, as paths relative to the project's folder."""
    for folder in FOLDERS:
        for path in sorted((HOME / folder).rglob("*")):
            inside = path.relative_to(HOME)
            if path.is_file() and not any(map(_is_left_out, inside.parts)):
                yield inside


def add(wheel: Path) -> None:
    """Puts the files into a wheel, and lists them in its record (PEP 427)."""
    whole = wheel.with_suffix(".whole")
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(whole, "w") as target:
        record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        for name in archive.namelist():
            if name != record:
                _write(target, name, archive.read(name), archive.getinfo(name).external_attr >> 16)
        for path in files():
            name, content = f"{INSIDE}/{path.as_posix()}", (HOME / path).read_bytes()
            _write(target, name, content, MODE)
            rows.append([name, f"sha256={_digest(content)}", str(len(content))])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        _write(target, record, text.getvalue().encode(), MODE)
    whole.replace(wheel)


def _is_left_out(part: str) -> bool:
    return part in LEFT_OUT or part.startswith(".")


def _write(target: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (mode or MODE) << 16
    target.writestr(entry, content)


def _digest(content: bytes) -> str:
    """A hash in the form of records."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
