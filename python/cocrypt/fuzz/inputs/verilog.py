"""Coprocessors in Verilog: loaded by their register maps, and written as C++ by Verilator."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from cocrypt import paths
from cocrypt.coprocessor import Coprocessor
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.rtl.library import verilate

SHARE = 100
"""Verilator takes a tenth of a second for each."""


def _read(path: Path) -> None:
    with TemporaryDirectory(prefix="cocrypt-verilog-") as folder:
        verilate(Coprocessor.load(path.with_name("registers.toml")), Path(folder))


def _seeds() -> list[Path]:
    return [paths.root() / "docs/examples/verilog/popcount.sv"]


KIND = Kind("verilog", _seeds, _read, SHARE)
