"""The classes of a study's workloads in Java, and the memory that the virtual machine gets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Java:
    """Class files, folders of them and jars; `heap` and `stack` are bytes.

    With `collector` objects that nothing refers to are freed. Only with `floating_point` methods
    may use floats and doubles.
    """

    classes: tuple[Path, ...]
    heap: int
    stack: int
    collector: bool
    floating_point: bool = False

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Java:
        """The part of a study's checked dictionary."""
        return cls(
            classes=tuple(map(Path, values["classes"])),
            heap=values["heap"],
            stack=values["stack"],
            collector=values["collector"],
            floating_point=values["floating_point"],
        )
