"""The Verilog of a coprocessor, of a design in Verilog or FDL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native, cache
from cocrypt.cache import digest, obtain
from cocrypt.coprocessor import Coprocessor
from cocrypt.trust import VERILOG_RUNS, require_trust

if TYPE_CHECKING:
    from pathlib import Path


def coprocessor_verilog(register_map: Path) -> tuple[Path, str]:
    """A coprocessor's Verilog as a file, and the name of its top; FDL is exported.

    Raises `InputError` for Verilog that is not trusted, since tools run programs that it names.
    """
    coprocessor = Coprocessor.load(register_map)
    if coprocessor.is_verilog:
        require_trust((coprocessor.path.parent, coprocessor.design.parent), VERILOG_RUNS)
        return coprocessor.design, coprocessor.top
    text = _native.fdl_verilog(coprocessor.design, coprocessor.top)
    target = cache.folder("verilog") / f"{coprocessor.top}-{digest([text])}.v"
    return obtain(target, lambda file, _: _write(file, text)), coprocessor.top


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
