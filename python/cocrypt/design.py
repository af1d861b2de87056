"""A design in FDL, for programs and notebooks: checked, simulated cycle by cycle, exported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.rtl.blocks import libraries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars


# The bits of a number that a column of integers can hold.
LONGEST = 63


@dataclass(frozen=True)
class Design:
    """A datapath of an FDL file with all that it uses; by default the one that no other uses."""

    path: Path
    top: str | None = None

    @classmethod
    def load(cls, path: Path | str, top: str | None = None) -> Design:
        """Reads and checks a design; raises `DiagnosticError` with what is wrong in it."""
        design = cls(Path(path), top)
        _native.fdl_check(design.path)
        return design

    @cached_property
    def described(self) -> Mapping[str, Any]:
        """The design's name, and its ports with direction and bits."""
        return _native.fdl_ports(self.path, self.top)

    def warnings(self) -> list[dict[str, Any]]:
        """The warnings about the design, as `fdl check --json` prints them."""
        return _native.fdl_check(self.path)

    def ports(self, direction: Literal["in", "out"]) -> dict[str, int]:
        """The bits of the inputs or of the outputs, by name."""
        is_output = direction == "out"
        ports = self.described["ports"]
        return {port["name"]: port["width"] for port in ports if port["output"] == is_output}

    def simulate(self, inputs: Iterable[Mapping[str, int]]) -> polars.DataFrame:
        """The inputs and outputs of each cycle, from reset on; an input that is not named is 0.

        Ports of more than 63 bits are columns of Python's own numbers.
        Raises `InputError` for a name that is no input's.
        """
        # Polars is loaded only where a frame is asked for.
        import polars as pl

        input_bits = self.ports("in")
        rows = [self._row(input_bits, row) for row in inputs]
        cycles = _native.fdl_simulate(
            self.path, self.top, rows, libraries=libraries(self.path, self.top)
        )
        columns = [pl.Series("cycle", range(len(rows)), pl.Int64)]
        for values, ports in ((rows, input_bits), (cycles, self.ports("out"))):
            for name, bits in ports.items():
                kind = pl.Int64 if bits <= LONGEST else pl.Object
                columns.append(pl.Series(name, [row[name] for row in values], kind))
        return pl.DataFrame(columns)

    def _row(self, input_bits: Mapping[str, int], given: Mapping[str, int]) -> dict[str, int]:
        for name in given:
            if name not in input_bits:
                raise InputError(
                    f"{self.described['name']} has no input `{name}`",
                    f"it has: {', '.join(input_bits) or 'none'}",
                )
        return dict.fromkeys(input_bits, 0) | dict(given)

    def verilog(self) -> str:
        """The design in Verilog-2001."""
        return _native.fdl_verilog(self.path, self.top)

    def vhdl(self, standard: Literal[93, 2008] = 2008) -> str:
        """The design in VHDL."""
        return _native.fdl_vhdl(self.path, self.top, standard)

    def diagram(self, kind: Literal["states", "mermaid", "datapath"] = "datapath") -> str:
        """State machines or the datapath as text for Graphviz, or for Mermaid."""
        return _native.fdl_diagram(self.path, kind, self.top)

    def __repr__(self) -> str:
        ports = [f"{name}({bits})" for name, bits in self.ports("in").items()]
        outputs = [f"{name}({bits})" for name, bits in self.ports("out").items()]
        return f"<Design {self.described['name']}: {', '.join(ports)} → {', '.join(outputs)}>"
