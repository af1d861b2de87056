"""The delays of gates in a simulation, by which its energies have glitches or none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cocrypt.errors import InputError

PICO = 1e-12
NUMBER = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)ps")


@dataclass(frozen=True)
class Delays:
    """The delays of cells; `tick` is in seconds.

    Without a tick gates have no delay, and no net changes twice in a cycle. A tick of 0 gives each
    cell the same delay; otherwise delays are those of the library, as multiples of the tick.
    """

    tick: float | None = None

    @classmethod
    def parse(cls, text: str) -> Delays:
        """Delays from `none`, `unit`, or a tick such as `10ps`; raises `InputError` otherwise."""
        if text in ("none", "unit"):
            return cls(None if text == "none" else 0.0)
        found = NUMBER.fullmatch(text)
        if found is None or float(found[1]) == 0:
            raise InputError(
                f"`{text}` are no delays of gates",
                "write none, unit, or the step of the library's delays, such as 10ps",
            )
        return cls(float(found[1]) * PICO)

    @property
    def record(self) -> dict[str, Any]:
        """The delays as `--json` prints them: their kind, and the tick of the library's."""
        if self.tick is None:
            return {"kind": "none", "tick_s": None}
        if self.tick == 0:
            return {"kind": "unit", "tick_s": None}
        return {"kind": "library", "tick_s": self.tick}

    @property
    def title(self) -> str:
        """The delays in words."""
        if self.tick is None:
            return "gates have no delay, so that there are no glitches"
        if self.tick == 0:
            return "all gates have the same delay, glitches included"
        return f"the library's delays in steps of {self.tick / PICO:g} ps, glitches included"


SETTLED = Delays()
"""No delays."""
