"""The network of a study in which nodes authenticate each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cocrypt.device import Device

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Station:
    """A node of a network; `device` is None for the study's own, a `host` node takes no time."""

    host: bool
    device: Device | None
    hw: tuple[str, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Station:
        """The node of a checked dictionary."""
        device = values["device"]
        own = Device.from_values(device) if device else None
        return cls(values["host"], own, tuple(values["hw"]))


@dataclass(frozen=True)
class Authentication:
    """The network of a study in which nodes authenticate each other.

    `rate` is in bits a second; `now` in seconds since 1970, `lifetime` in seconds; `size` are bytes
    of data each way.
    """

    workload: str
    suite: str
    line: str
    rate: int
    latency_us: int
    patience_ms: int
    size: int
    now: int
    lifetime: int
    seed: int
    ca: Station
    server: Station
    terminal: Station

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Authentication:
        """The network of a checked dictionary."""
        nodes = {name: Station.of(values[name]) for name in ("ca", "server", "terminal")}
        return cls(**{**values, **nodes})

    def having(self, node: str, hw: tuple[str, ...]) -> Authentication:
        """The same with these functions of a node in hardware."""
        stations: dict[str, Any] = {node: replace(getattr(self, node), hw=hw)}
        return replace(self, **stations)
