"""Cell libraries in Liberty's format: those that come with cocrypt, installed ones, and files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocrypt import _native, paths
from cocrypt.errors import InputError

USUAL = "generic180"
"""The library that is taken where none is named; all of its figures are assumed."""
INSTALLED = {"osu018": Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")}
"""Libraries that packages of Debian install, by the name by which they are asked for."""
PACKAGES = {"osu018": "qflow-tech-osu018"}
FEMTO = 1e-15
INVERTER, INVERTED = 1, 0b01


@dataclass(frozen=True)
class Library:
    """A library's file with its text, and what the native module reads in it."""

    path: Path
    text: str
    values: dict[str, Any]

    @property
    def name(self) -> str:
        """The name that the file gives the library."""
        return str(self.values["name"])

    def inverters(self) -> list[dict[str, Any]]:
        """The inverters that may be used, the smallest first."""
        found = [
            cell
            for cell in self.values["cells"]
            if not cell["is_forbidden"]
            and cell["inputs"] is not None
            and (len(cell["inputs"]), cell["table"]) == (INVERTER, INVERTED)
        ]
        return sorted(found, key=lambda cell: float(cell["area"]))

    @property
    def output_load(self) -> float:
        """The load that is assumed at outputs, farads: four of the smallest inverters."""
        return 4 * float(self._inverter(0)["input_capacitance"])

    def constraints(self) -> str:
        """The file of constraints for ABC, without which it inserts no buffers.

        The largest inverter but one drives inputs; loads are in femtofarads.
        """
        driving = self._inverter(-2)["name"]
        load = self.output_load / FEMTO
        return f"set_driving_cell {driving}\nset_load {load:.3f} [all_outputs]\n"

    def _inverter(self, index: int) -> dict[str, Any]:
        found = self.inverters()
        if not found:
            raise InputError(
                f"{self.path.name} has no inverter that may be used",
                "give a library of standard cells",
            )
        return found[max(index, -len(found))]


def load(name: str) -> Library:
    """A library by its name, or by the path of its file.

    Raises `InputError` where there is none, or it has no cells; `DiagnosticError` where the file
    is no Liberty.
    """
    path = find(name)
    try:
        text = paths.read_named(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no text in UTF-8", "give a Liberty file") from error
    values = _native.gates_library(str(path), text)
    if not any(cell["is_flip_flop"] for cell in values["cells"]):
        raise InputError(f"{path} has no flip-flops", "give a library of standard cells")
    return Library(path, text, values)


def find(name: str) -> Path:
    """The file of a library, given its name or a path."""
    shipped = {path.stem: path for path in sorted((paths.root() / "cells").glob("*.lib"))}
    path = shipped.get(name, INSTALLED.get(name, Path(name)))
    if path.is_file():
        return path
    if name in PACKAGES:
        raise InputError(
            f"the library `{name}` is not installed", f"install Debian's package {PACKAGES[name]}"
        )
    if path.suffix or len(path.parts) > 1:
        raise InputError(f"there is no library file {path}", "give the path of a Liberty file")
    raise InputError(
        f"there is no library `{name}`", paths.suggestion(name, [*shipped, *INSTALLED])
    )
