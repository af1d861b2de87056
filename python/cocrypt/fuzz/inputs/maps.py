"""Register maps of coprocessors, in FDL and in Verilog: read, written as headers and wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.coprocessor import Coprocessor
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.hardware.registers import Form, written

if TYPE_CHECKING:
    from pathlib import Path


def _read(path: Path) -> None:
    Coprocessor.load(path)
    values = _native.load_coprocessor(path)
    for form in Form:
        written(values, form)


def _seeds() -> list[Path]:
    examples = paths.root() / "docs/examples"
    own = [examples / "coprocessor/registers.toml", examples / "verilog/registers.toml"]
    return [*own, *paths.coprocessors().values()]


KIND = Kind("maps", _seeds, _read)
