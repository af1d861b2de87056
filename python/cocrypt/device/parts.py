"""The parts of a device, from its checked description; cycles, bytes, hertz, watts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Part = TypeVar("Part")


@dataclass(frozen=True)
class CompilerTarget:
    """A core by its name in compilers, and the kind of its code: "thumb" or "arm"."""

    cpu: str
    code: str


@dataclass(frozen=True)
class Core:
    """A core; `isa` is its instruction set, as core files name it.

    `extensions` are those that it has or can have, each with the parameters that add it, `switches`
    its parameters that are on or off. `compiler` is None if compilers are given the
    extensions instead of a name.
    """

    name: str
    title: str
    isa: str
    extensions: Mapping[str, tuple[str, ...]]
    switches: frozenset[str]
    compiler: CompilerTarget | None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Core:
        """The core of a checked dictionary."""
        extensions = values["extensions"].items()
        parameters = values["parameters"].items()
        compiler = values["compiler"]
        return cls(
            name=values["name"],
            title=values["title"],
            isa=values["isa"],
            extensions={name: tuple(added_by) for name, added_by in extensions},
            switches=frozenset(name for name, parameter in parameters if parameter["boolean"]),
            compiler=picked(CompilerTarget, compiler) if compiler else None,
        )


@dataclass(frozen=True)
class Memory:
    """A memory from address `base` on; its waits are cycles from request to answer.

    `alias` says which part of it is seen elsewhere too: at `base`, `size` bytes from its byte
    `from` on; None if none is.
    """

    name: str
    kind: Literal["ram", "rom"]
    base: int
    size: int
    fetch_wait: int
    data_wait: int
    alias: Mapping[str, int] | None = field(default=None, hash=False)

    def holds(self, address: int) -> bool:
        """Returns true if it has a byte at this address."""
        return self.base <= address < self.base + self.size


@dataclass(frozen=True)
class Bus:
    """The bus to the peripherals: cycles from request to answer, and within a burst."""

    wait: int
    burst_wait: int


@dataclass(frozen=True)
class ClockRatio:
    """The coprocessors' clock against the core's: `multiply` of their cycles in `divide` of its."""

    multiply: int
    divide: int


@dataclass(frozen=True)
class Peripheral:
    """A peripheral with its window of addresses; "coprocessor" and "link" are room for one."""

    kind: str
    base: int
    size: int


@dataclass(frozen=True)
class PowerClass:
    """The energy of one instruction of a class, beside that of constant power."""

    name: str
    energy_J: float  # noqa: N815 - a joule is a capital J.


@dataclass(frozen=True)
class Toggling:
    """The energy of a coprocessor's bit that changes: supply voltage and switched capacitance."""

    voltage_V: float  # noqa: N815 - a volt is a capital V.
    capacitance_F: float  # noqa: N815 - a farad is a capital F.


@dataclass(frozen=True)
class Power:
    """Figures of power, each None or empty where it is not known.

    `active_W` is drawn while the core runs; `uncertainty_percent` is the largest error of the
    figures of `source`.
    """

    active_W: float | None  # noqa: N815 - a watt is a capital W.
    classes: tuple[PowerClass, ...]
    toggling: Toggling | None
    uncertainty_percent: float | None
    source: str | None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Power:
        """The figures of a checked dictionary."""
        toggling = values["toggling"]
        return cls(
            active_W=values["active_W"],
            classes=tuple(picked(PowerClass, each) for each in values["classes"]),
            toggling=picked(Toggling, toggling) if toggling else None,
            uncertainty_percent=values["uncertainty_percent"],
            source=values["source"],
        )

    @property
    def is_known_of_core(self) -> bool:
        """True if any figure of the core is known."""
        return self.active_W is not None or bool(self.classes)


def picked(part: type[Part], values: Mapping[str, Any]) -> Part:
    """A part from those entries of a checked dictionary that it has fields for."""
    names = (field.name for field in fields(part))  # type: ignore[arg-type]
    return part(**{name: values[name] for name in names})
