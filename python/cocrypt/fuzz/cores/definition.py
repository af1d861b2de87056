"""The description of a core for the generator."""

from collections.abc import Callable
from dataclasses import dataclass

from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits


@dataclass(frozen=True)
class Core:
    """A core: a covering set of its parameters; for each its waits and its features."""

    name: str
    configurations: tuple[Configuration, ...]
    waits: Callable[[Configuration], tuple[Waits, ...]]
    features: Callable[[Configuration], Features]
