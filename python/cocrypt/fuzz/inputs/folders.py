"""A primitive's file, with the sources and vectors beside it: the example and ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.fuzz.inputs.checked import check
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.primitives import library

if TYPE_CHECKING:
    from pathlib import Path


def _read(path: Path) -> None:
    for subject in library.of_file(path):
        check(subject)


def _seeds() -> list[Path]:
    names = ("chacha20", "hight", "rsa-toy", "speck", "aes")
    ours = [paths.primitives() / name / library.FILE for name in names]
    return [paths.root() / "docs/examples/primitives/xtea" / library.FILE, *ours]


KIND = Kind("folders", _seeds, _read)
