"""The top of an export: a system joins datapaths, and has no outputs of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def without_outputs(design: Path, top: str | None) -> InputError | None:
    """The reason why nobody can see what a top computes, with the tops to choose instead."""
    described = _native.fdl_ports(design, top)
    if any(port["output"] for port in described["ports"]):
        return None
    names = _native.fdl_tops(design)
    advice = f"choose one with --top: {', '.join(names)}" if names else "give a datapath an output"
    return InputError(f"`{described['name']}` has no outputs that anybody could see", advice)
