"""The parts of a register map that all texts in C share."""

from __future__ import annotations

from typing import Any

WIDTH = 100
"""Columns of a line of C."""


def comment(text: str) -> str:
    """A text that is safe in a comment of C: it cannot end the comment."""
    return text.replace("*/", "* /")


def of_role(register_map: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """The registers of a role, in the order of their offsets."""
    return [register for register in register_map["registers"] if register["role"] == role]


def signature(opening: str, parameters: list[str]) -> str:
    """A function's first line, broken where it would be wider than a C file's hundred columns."""
    whole = f"{opening}{', '.join(parameters)})"
    if len(whole) <= WIDTH:
        return whole
    return opening + f",\n{' ' * len(opening)}".join(parameters) + ")"
