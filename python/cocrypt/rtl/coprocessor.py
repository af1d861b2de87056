"""The Verilog of a coprocessor, whichever language it is written in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native, house
from cocrypt.rtl.cache import digest, obtain
from cocrypt.study import Coprocessor

if TYPE_CHECKING:
    from pathlib import Path


def coprocessor_verilog(register_map: Path) -> tuple[Path, str]:
    """A coprocessor's Verilog as a file, and the name of its top; FDL is exported."""
    coprocessor = Coprocessor.load(register_map)
    if coprocessor.is_verilog:
        return coprocessor.design, coprocessor.top
    text = _native.fdl_verilog(coprocessor.design, coprocessor.top)
    target = house.cache().resolve() / "verilog" / f"{coprocessor.top}-{digest([text])}.v"
    return obtain(target, lambda file, _: _write(file, text)), coprocessor.top


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
