"""A coprocessor's register map, as far as Python needs it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cocrypt import _native

VERILOG = (".v", ".sv")
"""Suffixes of files in Verilog and SystemVerilog."""


PORTS = {"registers": "coprocessor", "stream": "link"}
"""The kind of peripheral for each face of a coprocessor."""


@dataclass(frozen=True)
class Coprocessor:
    """A coprocessor as its register map describes it; seconds and watts, None where unknown."""

    path: Path
    name: str
    title: str
    design: Path
    top: str
    face: str = "registers"
    critical_path_s: float | None = None
    power_W: float | None = None  # noqa: N815 - a watt is a capital W.

    @classmethod
    def load(cls, path: Path) -> Coprocessor:
        """Reads and checks a register map."""
        values = _native.load_coprocessor(path)
        keys = ("name", "title", "top", "face", "critical_path_s", "power_W")
        shared = {key: values[key] for key in keys}
        return cls(path=Path(values["path"]), design=Path(values["design"]), **shared)

    @property
    def port(self) -> str:
        """The kind of a device's peripheral that it is attached to."""
        return PORTS[self.face]

    @property
    def is_verilog(self) -> bool:
        """True if the design is in Verilog or SystemVerilog, and not in FDL."""
        return self.design.suffix.lower() in VERILOG
