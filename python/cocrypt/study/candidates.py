"""The candidates, functions that may be replaced, each with its options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SOFTWARE = "software"
"""The name of the unchanged function among its options."""


@dataclass(frozen=True)
class Alternative:
    """One way to replace a function: a source with the same prototype, and its coprocessor.

    `extensions` are those of the instruction set that it uses. A method in Java without a source is
    compiled ahead of time, and with it what `aot` names: classes and further methods. With `kni`
    the source is a native method by the K Native Interface. With `wddl` the coprocessor is a
    netlist of two rails.
    """

    name: str
    source: Path | None
    coprocessor: Path | None
    library: bool
    extensions: tuple[str, ...] = ()
    aot: tuple[str, ...] = ()
    kni: bool = False
    wddl: bool = False

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Alternative:
        """The option of a checked dictionary."""
        coprocessor = values["coprocessor"]
        return cls(
            name=values["name"],
            source=Path(values["source"]) if values["source"] else None,
            coprocessor=Path(coprocessor) if coprocessor else None,
            library=values["library"],
            extensions=tuple(values["extensions"]),
            aot=tuple(values["aot"]),
            kni=values["kni"],
            wddl=values["wddl"],
        )

    @property
    def driver(self) -> Path | None:
        """The driver that comes with a coprocessor of the library; headers stand beside it."""
        if self.coprocessor is None or not self.library:
            return None
        folder = self.coprocessor.parent
        return folder / "driver" / f"{folder.name.replace('-', '_')}.c"


@dataclass(frozen=True)
class Candidate:
    """A function that may be replaced; of a program in Java a method, as `package.Class.method`.

    `software` is its file if it has one of its own; else it is in the project's sources.
    """

    function: str
    software: Path | None
    options: tuple[Alternative, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Candidate:
        """The candidate of a checked dictionary."""
        software = values["software"]
        return cls(
            function=values["function"],
            software=Path(software) if software else None,
            options=tuple(map(Alternative.of, values["options"])),
        )

    @property
    def may_be_hardware(self) -> bool:
        """True if one of its options drives a coprocessor."""
        return any(option.coprocessor for option in self.options)

    def option(self, name: str) -> Alternative | None:
        """The option of a name; None for the function as it is."""
        return next((option for option in self.options if option.name == name), None)
