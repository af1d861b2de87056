"""Vectors in our TOML: those of the workbench's primitives, the smallest of each kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt.fuzz.inputs.checked import check
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.primitives import library

if TYPE_CHECKING:
    from pathlib import Path


def _read(path: Path) -> None:
    (subject, *_) = library.named([path.stem])
    check(replace(subject, vectors=(path,)))


def _seeds() -> list[Path]:
    kinds: dict[str, Path] = {}
    for subject in library.ours():
        for path in subject.vectors:
            smallest = kinds.setdefault(subject.kind, path)
            if path.stat().st_size < smallest.stat().st_size:
                kinds[subject.kind] = path
    return list(kinds.values())


KIND = Kind("tables", _seeds, _read)
