"""A design of the corpus."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

USED, TYPE = re.compile(r"^ *use \w+|; *use \w+", re.MULTILINE), re.compile(r"\b[nt][sc]\((\d+)\)")


@dataclass(frozen=True)
class Design:
    """A design: its kind with its parameters as name, and its text.

    In the last of its `cycles` the outputs of the datapath `top` are `results`.
    """

    name: str
    text: str
    cycles: int
    results: dict[str, int] = field(default_factory=dict)

    @property
    def is_large(self) -> bool:
        """True for more than 64 lines, more than 15 instances, or words of more than 256 bits."""
        instances, widest = len(USED.findall(self.text)), max(map(int, TYPE.findall(self.text)))
        return len(self.text.splitlines()) > 64 or instances > 15 or widest > 256


def lines(*parts: str | list[str]) -> str:
    """The text of lines and lists of lines."""
    text: list[str] = []
    for part in parts:
        text += [part] if isinstance(part, str) else part
    return "\n".join(text) + "\n"
